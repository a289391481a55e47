"""``colbench play``: one dialogue at the terminal or at a page, or a study with people."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from tyro.conf import FlagCreatePairsOff, Positional, arg

from colbench_gym.cli import DONE, FAILED
from colbench_gym.cli.tables import print_box, print_dialogue, print_error
from colbench_gym.errors import UsageError
from colbench_gym.evaluation.grading_flags import GradingFlags, ModelFlags
from colbench_gym.evaluation.run import EvalConfig
from colbench_gym.scenario import Options

if TYPE_CHECKING:
    from colbench_gym.trajectory import Trajectory


@dataclass(frozen=True)
class Play(ModelFlags, GradingFlags):
    """Command ``colbench play``."""

    env_id: Annotated[Positional[str], arg(metavar="ENV_ID")] = "ColBench-Backend-v0"
    agent: str = "console"
    human: str = str(Options.human)
    leaks: str | None = None
    human_knows: str | None = None
    tasks: str = str(Options.tasks)
    task_id: str | None = None
    web: FlagCreatePairsOff[bool] = False
    people: Path | None = None
    n: Annotated[int, arg(aliases=["-n"], metavar="N")] = 1

    def run(self) -> int:
        """Run the command; return the exit status."""
        if self.web:
            return self._at_page()
        if self.people is not None:
            raise UsageError("got --people without --web; people sit at the page: add --web")
        from colbench_gym.evaluation.rollout import make_jobs, play
        from colbench_gym.evaluation.run import open_seats
        from colbench_gym.report.web_play import ending

        with open_seats(self._config()) as (scenario, policy):
            task = scenario.tasks.at(0) if self.task_id is None else scenario.tasks.get(self.task_id)
            trajectory = play(make_jobs([task], repeats=1, seed=0)[0], policy, scenario)
            told = ending(trajectory, grader=scenario.grader)
        print_dialogue(trajectory, ending_only=self.agent == "console")
        for box in told[1:]:
            print_box(box)
        return self._end(trajectory)

    def _at_page(self) -> int:
        from colbench_gym.report.web_play import Study, play_once

        config = self._config()
        if self.people is not None:
            if self.task_id is not None:
                raise UsageError(
                    "got --task-id with --people; people play the first -n tasks of --tasks: drop --task-id"
                )
            Study(config).run()
            return DONE
        trajectory = play_once(config, self.task_id)
        print_dialogue(trajectory, ending_only=True)
        return self._end(trajectory)

    def _config(self) -> EvalConfig:
        flags = {flag.name: getattr(self, flag.name) for flag in fields(EvalConfig) if hasattr(self, flag.name)}
        return EvalConfig(**flags, out=self.people or Path())

    @staticmethod
    def _end(trajectory: Trajectory) -> int:
        if trajectory.error:
            print_error(f"{trajectory.outcome}: {trajectory.error}")
            return FAILED
        return DONE
