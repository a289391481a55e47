"""Programs about times of a day: a plan of one thing after the other."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from colbench_gym.tasks.generated_backend.matters import Arguments, Matter, Settings, listed
from colbench_gym.tasks.generated_backend.ontology import Domain
from colbench_gym.tasks.generated_backend.ontology.needs import wishes
from colbench_gym.tasks.generated_backend.shapes.base import Base
from colbench_gym.tasks.generated_backend.shapes.protocol import Operators, Plan, indented
from colbench_gym.tasks.generated_backend.wordings import goals, matter
from colbench_gym.tasks.permutation import Draw


class Schedule(Base):
    """Times of things."""

    name = "schedule"
    choices: Mapping[str, tuple[str, ...]] = {
        "end": ("plan", "finish"),
        "source": ("pairs", "dict"),
        "start": ("clock", "hour", "two"),
    }

    def allows(self, domain: Domain, operators: Operators) -> bool:
        """Return whether the operators can be composed: only some things take time one after the other."""
        return bool(wishes(domain, "schedule", operators["end"]))

    def sentences(self, domain: Domain, operators: Operators) -> Sequence[tuple[str, ...]]:
        """Return the slots of the request."""
        words = self.words(domain, operators)
        end = wishes(domain, "schedule", operators["end"])
        given = (goals(f"schedule {operators[key]}", words) for key in ("source", "start"))
        return (end, goals("ret schedule finish", words) if operators["end"] == "finish" else (), *given)

    def role_keys(self, operators: Operators) -> Sequence[str]:
        """Return what the parameters are for."""
        return ("jobs", "hour", "minute") if operators["start"] == "two" else ("jobs", f"start {operators['start']}")

    def matters(self, domain: Domain, operators: Operators) -> tuple[Matter, ...]:
        """Return what such a request could leave open."""
        words, end = self.words(domain, operators), operators["end"]
        return (
            matter("schedule", "clock", words),
            *([matter("schedule", "order", words)] if end == "plan" else []),
            matter("schedule", "pause", words, listed(("5", "10", "15"))),
            matter("schedule", "closing", words),
            matter("schedule", "grid", words, listed(("10", "15", "30"))),
            matter("schedule", "lunch", words),
            matter("schedule", "least", words, listed(("10", "20"))),
            *([matter("schedule", "form_plan", words)] if end == "plan" else []),
        )

    def body(self, plan: Plan, settings: Settings) -> list[str]:
        """Return the statements of the function."""
        names, style, operators = plan.names, plan.style, plan.operators
        if operators["start"] == "two":
            lines = [f"now = {names['hour']} * 60 + {names['minute']}"]
        elif operators["start"] == "hour":
            lines = [f"now = {names['start']} * 60"]
        else:
            lines = [f"hour, minute = map(int, {names['start']}.split(':'))", "now = 60 * hour + minute"]
        jobs = names["jobs"] if operators["source"] == "pairs" else f"{names['jobs']}.items()"
        order = settings.get("order")
        if order:
            jobs = f"sorted({jobs}, key=lambda job: {'job[1]' if order == 'short' else '-job[1]'})"
        taken = f"max(minutes, {settings['least']})" if "least" in settings else "minutes"
        inner = []
        if "grid" in settings:
            inner.append(f"now = -(-now // {settings['grid']}) * {settings['grid']}")
        if "lunch" in settings:
            inner += (
                ["if 720 <= now < 780:", "    now = 780"] if style % 3 else ["now = 780 if 720 <= now < 780 else now"]
            )
        end = operators["end"]
        if "closing" in settings:
            minutes, late = settings["closing"].split("|")
            inner += [f"if now + {taken} > {minutes}:", f"    {'break' if late == 'stop' else 'continue'}"]
        if end == "plan":
            inner.append(f"plan.append((name, {self._clock('now', settings, style)}))")
        else:
            inner.append(f"done = now + {taken}")
        inner.append(f"now += {taken} + {settings['pause']}" if "pause" in settings else f"now += {taken}")
        name = "name" if end == "plan" else "_"
        lines += ["plan = []" if end == "plan" else "done = now", f"for {name}, minutes in {jobs}:", *indented(inner)]
        if end == "finish":
            return [*lines, f"return {self._clock('done', settings, style)}"]
        return [*lines, "return dict(plan)" if "form" in settings else "return plan"]

    def _clock(self, minutes: str, settings: Settings, style: int) -> str:
        """Return the expression of a time of day."""
        if settings["clock"] == "minutes":
            return minutes
        if settings["clock"] == "pair":
            return f"divmod({minutes}, 60)" if style % 2 else f"({minutes} // 60, {minutes} % 60)"
        hour = f"{minutes} // 60" if settings["clock"] == "short" else f"{minutes} // 60:02d"
        return f"f'{{{hour}}}:{{{minutes} % 60:02d}}'"

    def inputs(self, plan: Plan, settings: Settings, draw: Draw) -> Iterator[Arguments]:
        """Yield arguments, without end, that settle most of the open matters."""
        return (self._jobs(plan, settings, draw, turn) for turn in itertools.count())

    def _jobs(self, plan: Plan, settings: Settings, draw: Draw, turn: int) -> Arguments:
        names = draw.some(plan.domain.names, (1, 2, 3, 4, 5, 6)[turn % 6])
        longest = 12 if "least" in settings and turn % 3 == 0 else 90 if "closing" in settings or turn % 2 else 45
        jobs = [
            (name, draw.between(1, longest) if draw.below(2) else 5 * draw.between(1, longest // 5)) for name in names
        ]
        hour, minute = draw.between(7, 10), draw.pick((0, 0, 15, 20, 30, 45))
        if "lunch" in settings and draw.below(2):
            hour = draw.pick((11, 11, 12, 12, 13))
        if "closing" in settings and draw.below(2):
            hour = draw.pick((13, 14, 15))
        given: object = jobs if plan.operators["source"] == "pairs" else dict(jobs)
        if plan.operators["start"] == "two":
            return (given, hour, minute)
        return (given, hour if plan.operators["start"] == "hour" else f"{hour:02d}:{minute:02d}")
