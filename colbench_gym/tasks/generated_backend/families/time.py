"""Generated functions about time: waiting, rate limits, appointments."""

from __future__ import annotations

from colbench_gym.tasks.generated_backend.families.grammar import Arguments, Family, Settings
from colbench_gym.tasks.generated_backend.families.phrases import edge, no_preference, number, pick
from colbench_gym.tasks.permutation import Draw


def _wait_inputs(_: Settings, draw: Draw) -> list[Arguments]:
    inputs: list[Arguments] = [(0, 2), (1, 2), (3, 2), (4, 4), (5, 4), (6, 4), (7, 8)]
    return inputs + [(draw.between(1, 40), draw.pick((1, 2, 4, 8))) for _ in range(8)]


WAIT = Family(
    names=("waiting_time", "seconds_to_wait", "queue_time"),
    parameters="people, counters",
    wordings=(
        "Please write a Python function that says how many seconds somebody has to wait, from the number of people in "
        "front and the number of open counters. There is a fixed delay on top.",
        "I want to show the waiting time in seconds. The function gets how many people are ahead and how many counters "
        "are open; serving everybody takes equally long, and then there is a fixed delay.",
    ),
    template="""
        rounds = $rounds
        return rounds * $each + $delay
    """,
    choices=(
        number(
            "each",
            "the time one person takes",
            range(20, 220),
            " seconds",
            topics="serve serving service each long per",
        ),
        number("delay", "the fixed delay", (30, 60, 90, 120), " seconds", topics="extra setup constant top added"),
        pick(
            "rounds",
            "people who do not divide evenly over the counters",
            ("people // counters", "Divide people by counters and round down.", "Only full rounds count."),
            (
                "-(-people // counters)",
                "Divide people by counters and round up.",
                "A round that is not full counts fully.",
            ),
            ("people / counters", "Divide people by counters exactly, without rounding.", "Rounds may be fractions."),
            topics="divide division round rounding evenly fraction remainder rounds",
        ),
    ),
    inputs=_wait_inputs,
    indifferent=(no_preference("priority", "people with priority", "priority vip elderly"),),
)


def _limit_inputs(s: Settings, draw: Draw) -> list[Arguments]:
    window, most = s["window"], s["most"]
    burst = list(range(most + 1))
    inputs: list[Arguments] = [([],), ([0] * 7,), ([5] * 6 + [5 + window - 1, 5 + window, 5 + window + 1],)]
    for step in (-1, 0, 1):
        inputs.append(([*[0] * most, window + step],))
        inputs.append(([*burst, most + window // 2, window + step, window + most + step],))
    for _ in range(7):
        times, now = [], draw.below(9)
        for _ in range(draw.between(8, 14)):
            times.append(now)
            now += draw.pick((0, 1, window // 4, window // 2, window - 1, window // most))
        inputs.append((times,))
    return inputs


LIMIT = Family(
    names=("apply_rate_limit", "limit_requests", "throttle"),
    parameters="times",
    wordings=(
        "Our service lets through only so many requests in a time window that slides along. I need a Python function "
        "that gets the times of the requests in seconds, in order, and works out what gets through.",
        "Please write a function for a rate limit with a sliding window. It gets a sorted list of request times in "
        "seconds.",
    ),
    template="""
        seen = []
        passed = []
        for time in times:
            recent = [t for t in seen if $recent]
            ok = len(recent) < $most
            passed.append(ok)
            $counted
        return $form
    """,
    choices=(
        number("window", "the length of the window", range(10, 70), " seconds", topics="long period interval time"),
        number(
            "most", "the number of requests let through per window", range(2, 6), topics="many maximum number limit"
        ),
        edge(
            "recent",
            "a request exactly one window ago",
            "time - t <= $window",
            "time - t < $window",
            says=(
                "a request exactly one window ago still counts",
                "a request exactly one window ago does not count any more",
            ),
            topics="old",
        ),
        pick(
            "counted",
            "whether refused requests count",
            (
                "if ok:\n    seen.append(time)",
                "Refused requests do not count for the limit.",
                "Only requests that got through use up the limit.",
            ),
            (
                "seen.append(time)",
                "Refused requests count for the limit too.",
                "All requests use up the limit, refused or not.",
            ),
            topics="refused rejected blocked denied count counted",
        ),
        pick(
            "form",
            "the form of the result",
            ("passed", "Return a list of True and False, one for each request.", "I want a list of bools."),
            (
                "sum(passed)",
                "Return the number of requests that get through.",
                "I just want to know how many get through.",
            ),
            (
                "[time for time, ok in zip(times, passed) if ok]",
                "Return a list of the times that get through.",
                "I want the times of the accepted requests.",
            ),
            (
                "[time for time, ok in zip(times, passed) if not ok]",
                "Return a list of the times that are refused.",
                "I want the times of the refused requests.",
            ),
            topics="return output type list format",
        ),
    ),
    inputs=_limit_inputs,
    indifferent=(no_preference("clients", "which client sent a request", "client clients user users address"),),
)


def _slot_inputs(s: Settings, draw: Draw) -> list[Arguments]:
    length, step = s["length"], s["length"] + s["pause"]
    inputs: list[Arguments] = []
    for start, count in ((540, 1), (480, 2), (600, 3), (545, 4), (9 * 60, 5)):
        end = start + (count - 1) * step + length
        inputs += [(start, end), (start, end - draw.between(1, length - 1)), (start, end + draw.between(0, s["pause"]))]
    inputs += [(510, 510 + 2 * step + length + more) for more in (-1, 0)]  # the third one just fits
    inputs += [(570, 570 + 2 * step + more) for more in (0, 1)]  # the third one just starts
    return [*inputs, (600, 600)]


SLOTS = Family(
    names=("appointment_slots", "plan_day", "fill_schedule"),
    parameters="start, end",
    wordings=(
        "I see patients one after the other, with a pause in between. Please write a Python function that plans the "
        "appointments between two times, given in minutes after midnight.",
        "Can you write a function that fills my working time with appointments? Start and end are minutes after "
        "midnight, every appointment has the same length and a pause follows.",
    ),
    template="""
        slots = []
        time = start
        while $fits:
            slots.append(time)
            time += $length + $pause
        return $form
    """,
    choices=(
        number("length", "the length of an appointment", range(10, 60), " minutes", topics="long duration takes"),
        number("pause", "the length of the pause", range(3, 21), " minutes", topics="break gap between long"),
        pick(
            "fits",
            "an appointment that would last longer than the working time",
            (
                "time + $length <= end",
                "The last appointment has to be over when the working time ends.",
                "Leave out an appointment that would last past the end.",
            ),
            (
                "time < end",
                "The last appointment only has to start before the working time ends.",
                "Keep an appointment that lasts past the end, if it starts before.",
            ),
            topics="overrun past last finish end over late beyond",
        ),
        pick(
            "form",
            "the form of the result",
            (
                "slots",
                "Return a list of the starts, in minutes after midnight.",
                "I want the starting minutes in a list.",
            ),
            (
                "[(time, time + $length) for time in slots]",
                "Return a list of tuples, start and end of each in minutes after midnight.",
                "I want pairs of start and end in minutes, as tuples in a list.",
            ),
            (
                "[f'{time // 60}:{time % 60:02d}' for time in slots]",
                "Return a list of texts such as 9:05, hours without a leading zero and minutes with two digits.",
                "I want the starts as clock texts such as 9:05.",
            ),
            ("len(slots)", "Return how many appointments there are.", "I only want the number of appointments."),
            topics="return output type list format",
        ),
    ),
    inputs=_slot_inputs,
    indifferent=(no_preference("lunch", "a lunch break", "lunch noon meal"),),
)

TIME_FAMILIES = (WAIT, LIMIT, SLOTS)
