"""Programs about times of a day: a plan of one thing after the other, and appointments that overlap."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from colbench_gym.tasks.generated_backend.matters import Arguments, Matter, Settings, listed
from colbench_gym.tasks.generated_backend.ontology import Domain
from colbench_gym.tasks.generated_backend.shapes.protocol import Operators, Plan, Role, indented
from colbench_gym.tasks.generated_backend.shapes.small import Small
from colbench_gym.tasks.generated_backend.values import identifier
from colbench_gym.tasks.generated_backend.wordings import goals, matter
from colbench_gym.tasks.permutation import Draw

_CLOSING = ((990, "16:30", "stop"), (960, "16:00", "skip"), (1020, "17:00", "stop"), (1020, "17:00", "skip"))
_LATE = {  # what happens to what would take longer than until closing time
    "stop": (
        "We close at {clock}, so stop at the first one that would take longer.",
        "Everything ends at {clock}: the first one that wouldn't be done by then ends the plan.",
    ),
    "skip": (
        "We close at {clock}, so leave out whatever would take longer, but try the rest.",
        "Everything ends at {clock}: skip those that wouldn't be done by then and go on with the next.",
    ),
}


class Schedule(Small):
    """Times of things."""

    name = "schedule"
    choices: Mapping[str, tuple[str, ...]] = {
        "end": ("plan", "finish", "clash"),
        "source": ("pairs", "dict"),
        "start": ("clock", "hour", "two"),
    }

    def allows(self, domain: Domain, operators: Operators) -> bool:
        """Return whether the operators can be composed: appointments have times of their own."""
        if not domain.timed:
            return False
        return operators["end"] != "clash" or (operators["source"], operators["start"]) == ("pairs", "clock")

    def sentences(self, domain: Domain, operators: Operators) -> Sequence[tuple[str, ...]]:
        """Return the slots of the request."""
        words = self.words(domain, operators)
        if operators["end"] == "clash":
            return (goals("schedule clash", words), goals("schedule times", words))
        return tuple(goals(f"schedule {operators[key]}", words) for key in ("end", "source", "start"))

    def functions(self, domain: Domain, operators: Operators) -> tuple[str, ...]:
        """Return names for the function."""
        items = identifier(domain.items)
        return {
            "plan": (f"plan_{items}", f"schedule_{items}", f"timetable_for_{items}", f"{items}_plan", "plan_the_day"),
            "finish": (f"finish_{items}", f"when_{items}_are_done", f"{items}_finishing_time", "end_of_work"),
            "clash": (f"{items}_clashes", "find_overlaps", f"overlapping_{items}", f"check_{items}_calendar"),
        }[operators["end"]]

    def roles(self, domain: Domain, operators: Operators) -> tuple[Role, ...]:
        """Return the parameters."""
        item, items = identifier(domain.item), identifier(domain.items)
        if operators["end"] == "clash":
            calendars = (
                "appointments",
                f"{item}_appointments",
                f"{items}_calendar",
                f"{domain.key}_calendar",
                "bookings",
            )
            return (Role("jobs", calendars),)
        names = (f"{items}_minutes", f"minutes_per_{item}", "durations", f"{item}_durations", "jobs", f"{items}_to_do")
        roles = [Role("jobs", names)]
        if operators["start"] == "two":
            roles += [Role("hour", ("hour", "start_hour", "from_hour")), Role("minute", ("minute", "start_minute"))]
        else:
            roles.append(Role("start", ("start", "start_time", "begin", f"{domain.key}_opening", "first_start")))
        return tuple(roles)

    def parameters(self, domain: Domain, operators: Operators) -> Mapping[str, tuple[str, ...]]:
        """Return names of parameters by which a caller may decide a matter."""
        item = identifier(domain.item)
        return {} if operators["end"] == "clash" else {"pause": ("pause", "break_minutes", f"gap_after_{item}")}

    def matters(self, domain: Domain, operators: Operators) -> tuple[Matter, ...]:
        """Return what such a request could leave open."""
        words, end = self.words(domain, operators), operators["end"]
        if end == "clash":
            return tuple(matter("schedule", name, words) for name in ("touch", "backwards", "same", "form_clash"))
        closing = [
            {
                "code": f"{minutes}|{late}",
                **{f"says{n}": says.format(clock=clock) for n, says in enumerate(_LATE[late], 1)},
            }
            for minutes, clock, late in _CLOSING
        ]
        return (
            matter("schedule", "clock", words),
            *([matter("schedule", "order", words)] if end == "plan" else []),
            matter("schedule", "pause", words, listed(("5", "10", "15"))),
            matter("schedule", "closing", words, closing),
            matter("schedule", "grid", words, listed(("10", "15", "30"))),
            matter("schedule", "lunch", words),
            matter("schedule", "least", words, listed(("10", "20"))),
            *([matter("schedule", "form_plan", words)] if end == "plan" else []),
        )

    def body(self, plan: Plan, settings: Settings) -> list[str]:
        """Return the statements of the function."""
        return self._clash(plan, settings) if plan.operators["end"] == "clash" else self._plan(plan, settings)

    def _plan(self, plan: Plan, settings: Settings) -> list[str]:
        names, style, operators = plan.names, plan.style, plan.operators
        if operators["start"] == "two":
            lines = [f"now = {names['hour']} * 60 + {names['minute']}"]
        elif operators["start"] == "hour":
            lines = [f"now = {names['start']} * 60"]
        elif style % 2:
            lines = [f"hour, minute = {names['start']}.split(':')", "now = int(hour) * 60 + int(minute)"]
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
        forms = {"dict": "dict(plan)", "last": "plan[-1] if plan else ()"}
        return [*lines, f"return {forms.get(settings.get('form', ''), 'plan')}"]

    def _clock(self, minutes: str, settings: Settings, style: int) -> str:
        """Return the expression of a time of day."""
        if settings["clock"] == "minutes":
            return minutes
        if settings["clock"] == "pair":
            return f"divmod({minutes}, 60)" if style % 2 else f"({minutes} // 60, {minutes} % 60)"
        hour = f"{minutes} // 60" if settings["clock"] == "short" else f"{minutes} // 60:02d"
        return f"f'{{{hour}}}:{{{minutes} % 60:02d}}'"

    def _clash(self, plan: Plan, settings: Settings) -> list[str]:
        bookings, style, lines = plan.names["jobs"], plan.style, []
        backwards = settings.get("backwards")
        if backwards == "skip":
            lines = [f"known = [(name, begin, end) for name, begin, end in {bookings} if begin <= end]"]
        elif backwards:
            lines = [f"known = [(name, min(begin, end), max(begin, end)) for name, begin, end in {bookings}]"]
        bookings = "known" if lines else bookings
        sign = "<=" if settings.get("touch") == "yes" else "<"
        test = f"begin {sign} until and since {sign} end"
        test += " and name != other" if "same" in settings else ""
        form = settings.get("form")
        heads = (
            f"for place, (name, begin, end) in enumerate({bookings})",
            f"for other, since, until in {bookings}[place + 1:]",
        )
        if form == "any":
            if style % 2:
                return [*lines, f"return any({test} {heads[0]} {heads[1]})"]
            found = ["return True"]
        else:
            found = ["clashes.append((name, other))"]
        loops = [f"{heads[0]}:", f"    {heads[1]}:", f"        if {test}:", *(f"            {line}" for line in found)]
        if form == "any":
            return [*lines, *loops, "return False"]
        lines += ["clashes = []", *loops]
        if form == "count":
            return [*lines, "return len(clashes)"]
        if form == "names":
            return [*lines, "return sorted({name for pair in clashes for name in pair})"]
        return [*lines, "return clashes"]

    def inputs(self, plan: Plan, settings: Settings, draw: Draw) -> Iterator[Arguments]:
        """Yield arguments, without end, that settle most of the open matters."""
        if plan.operators["end"] == "clash":
            return (self._bookings(plan, settings, draw, turn) for turn in itertools.count())
        return (self._jobs(plan, settings, draw, turn) for turn in itertools.count())

    def _bookings(self, plan: Plan, settings: Settings, draw: Draw, turn: int) -> Arguments:
        found = []
        for name in draw.some(plan.domain.names, (2, 3, 4, 5)[turn % 4]):
            begin = draw.between(8, 16)
            end = begin + draw.between(1, 3)
            if "backwards" in settings and not draw.below(3):
                begin, end = end, begin
            found.append((name, begin, end))
        if "same" in settings and draw.below(2):
            found[-1] = (found[0][0], *found[-1][1:])
        return (found,)

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
