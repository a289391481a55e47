"""``colbench export``: runs in the formats of others."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from tyro.conf import Positional, arg

from colbench_gym.cli.tables import print_note
from colbench_gym.errors import UsageError
from colbench_gym.evaluation.grade_files import check_writable
from colbench_gym.evaluation.run_folder import trajectories_file
from colbench_gym.trajectory import read_trajectories


@dataclass(frozen=True)
class ExportCommand:
    """Write a run in another format.

    Attributes:
        source: a folder of colbench eval, or a file of trajectories.
        out: the file to write; the pictures of official frontend rows go to a folder beside it.
        format: official (the rows of the released code: graded dialogues, repeat by repeat) or trl-sft (conversations
            for TRL's SFTTrainer and datasets).
        min_score: trl-sft: leave out dialogues that scored less, from 0 to 1.
    """

    source: Annotated[Positional[Path], arg(metavar="RUN")]
    out: Path
    format: Literal["official", "trl-sft"] = "official"
    min_score: float = 0.0

    def run(self) -> int:
        """Run the command; return the exit status."""
        from colbench_gym.rendering import open_renderer
        from colbench_gym.report.export import export_conversations, export_official

        if not 0 <= self.min_score <= 1:
            raise UsageError(f"got --min-score {self.min_score}, expected a number from 0 to 1")
        check_writable(self.out)
        trajectories = read_trajectories(trajectories_file(self.source))
        if self.format == "official":
            written = export_official(trajectories, self.out, open_renderer)
        else:
            written = export_conversations(trajectories, self.out, self.min_score)
        print_note(f"{written} of {len(trajectories)} dialogues written to {self.out}")
        return 0
