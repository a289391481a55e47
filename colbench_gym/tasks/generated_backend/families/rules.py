"""Generated functions that apply house rules: grades, doors, memberships, alarms."""

from __future__ import annotations

from colbench_gym.tasks.generated_backend.families.grammar import Arguments, Family, Settings
from colbench_gym.tasks.generated_backend.families.phrases import edge, instead, no_preference, number, pick
from colbench_gym.tasks.permutation import Draw


def _grade_inputs(s: Settings, draw: Draw) -> list[Arguments]:
    scores = [limit + step for limit in (s["top"], s["enough"]) for step in (-1, 0, -0.3, -0.7, 0.4)]
    edges = (-1, 101, 100, 0)  # first, so that they are among the calls
    return [(score,) for score in (*edges, *scores, draw.between(0, 39), draw.between(97, 99), draw.between(71, 79))]


GRADE = Family(
    names=("grade_for", "exam_grade", "mark_of_test"),
    parameters="score",
    wordings=(
        "I need a Python function that turns the score of an exam, out of a hundred and possibly with decimals, into "
        "one of three grades.",
        "Please write a function for my school: it gets a score (at most a hundred, sometimes not a whole number) and "
        "returns the grade, of which there are three.",
    ),
    template="""
        if score < 0 or score > 100:
            return $bad
        best, middle, lowest = $grades
        $whole
        if score >= $top:
            return best
        return middle if score >= $enough else lowest
    """,
    choices=(
        number("top", "the lowest score with the best grade", range(80, 96), topics="top highest threshold border"),
        number(
            "enough", "the lowest score with the middle grade", range(40, 70), topics="pass passing threshold border"
        ),
        pick(
            "grades",
            "what the three grades are called",
            ("'A', 'B', 'F'", 'The grades are "A", "B" and "F", from best to worst.', 'Call them "A", "B" and "F".'),
            (
                "'distinction', 'pass', 'fail'",
                'The grades are "distinction", "pass" and "fail", from best to worst.',
                'Call them "distinction", "pass" and "fail".',
            ),
            (
                "'gold', 'silver', 'bronze'",
                'The grades are "gold", "silver" and "bronze", from best to worst.',
                'Call them "gold", "silver" and "bronze".',
            ),
            (
                "1, 2, 3",
                "The grades are the numbers 1, 2 and 3, from best to worst.",
                "Use the numbers 1, 2 and 3, where 1 is best.",
            ),
            topics="names labels called grade letters return",
        ),
        pick(
            "whole",
            "scores with decimals",
            ("", "Compare the score as it is, with its decimals.", "Do not round scores."),
            (
                "score = round(score)",
                "Round the score to the nearest whole number before comparing.",
                "A score is first rounded to the nearest whole number.",
            ),
            (
                "score = -(-score // 1)",
                "Round the score up to a whole number before comparing.",
                "A score is first rounded up.",
            ),
            topics="decimal decimals round rounding fraction whole",
        ),
        instead(
            "bad", "the score is negative or above a hundred", ("invalid", "error", -1, "?"), "invalid range error"
        ),
    ),
    inputs=_grade_inputs,
    indifferent=(no_preference("subject", "the subject of the exam", "subject maths course"),),
)


def _door_inputs(s: Settings, draw: Draw) -> list[Arguments]:
    fine = s["opens"] + 1
    inputs: list[Arguments] = [(s["age"] + step, fine, False) for step in (-1, 0)]
    inputs += [(s["age"] + draw.between(3, 30), s["opens"] + step, False) for step in (-1, 0)]
    inputs += [(s["age"] + draw.between(3, 30), s["closes"] + step, False) for step in (-1, 0, 1)]
    inputs += [(s["age"] - 2, fine, True), (40, s["closes"] + 2, True), (s["age"] - 3, s["closes"] + 2, True)]
    return [*inputs, (30, fine, True), (draw.between(5, 60), draw.between(0, 23), draw.pick((True, False)))]


DOOR = Family(
    names=("door_policy", "door_check", "admit_guest"),
    parameters="age, hour, member",
    wordings=(
        "Our club has a minimum age and opening hours, and members (a bool) are treated better. I need a function "
        "that decides at the door. The hour is a whole number, counted from midnight.",
        "Please write a function that tells the doorman whether to let somebody in, from age, hour of the day (from "
        "midnight, a whole number) and whether they are a member, who have some privilege.",
    ),
    template="""
        yes, no = $answers
        old_enough = age >= $age
        open_now = hour >= $opens and $not_late
        if member:
            return yes if $privilege else no
        return yes if old_enough and open_now else no
    """,
    choices=(
        number("age", "the minimum age", range(12, 26), topics="old young years"),
        number("opens", "the hour at which we open", range(6, 13), topics="open opening start earliest"),
        number("closes", "the hour at which we close", range(17, 22), topics="close closing end latest"),
        edge(
            "not_late",
            "somebody who comes exactly at the closing hour",
            "hour <= $closes",
            "hour < $closes",
            says=(
                "somebody who comes exactly at the closing hour still gets in",
                "somebody who comes exactly at the closing hour is too late",
            ),
            topics="late",
        ),
        pick(
            "privilege",
            "what members are allowed",
            (
                "open_now",
                "Members of any age get in during opening hours.",
                "The minimum age is not applied to members.",
            ),
            (
                "old_enough",
                "Members who are old enough get in at any hour.",
                "Opening hours are not applied to members.",
            ),
            ("True", "Members always get in.", "Neither the minimum age nor the opening hours are applied to members."),
            topics="member members membership exception privilege allowed",
        ),
        pick(
            "answers",
            "what is returned",
            ("True, False", "Return True or False.", "It gives True to let them in, else False."),
            ("'yes', 'no'", 'Return "yes" or "no".', 'It says "yes" to let them in, else "no".'),
            ("'welcome', 'sorry'", 'Return "welcome" or "sorry".', 'It says "welcome" to let them in, else "sorry".'),
            ("'enter', 'leave'", 'Return "enter" or "leave".', 'It says "enter" to let them in, else "leave".'),
            topics="return output result form label answer",
        ),
    ),
    inputs=_door_inputs,
    indifferent=(no_preference("dress", "what people wear", "dress clothes wear"),),
)


def _level_inputs(s: Settings, draw: Draw) -> list[Arguments]:
    points = [s[key] + step for key in ("middle", "upper") for step in (-1, 0, 1)]
    points += [0, draw.between(1, 99), draw.between(601, 699), draw.between(1700, 2500), draw.between(100, 1700)]
    return [(point,) for point in points]


LEVEL = Family(
    names=("member_level", "loyalty_status", "customer_tier"),
    parameters="points",
    wordings=(
        "We have three levels of customers, by the points they have collected. Please write the Python function that "
        "tells the level.",
        "I want a function for our loyalty programme: it gets somebody's points and returns one of three levels.",
    ),
    template="""
        low, middle, high = $levels
        if points >= $upper:
            return high
        return middle if points >= $middle else low
    """,
    choices=(
        number(
            "middle",
            "the number of points where the middle level starts",
            (200, 250, 300, 400),
            topics="threshold second",
        ),
        number(
            "upper",
            "the number of points where the top level starts",
            range(700, 1700, 5),
            topics="threshold third highest",
        ),
        pick(
            "levels",
            "what the levels are called",
            (
                "'basic', 'silver', 'gold'",
                'The levels are "basic", "silver" and "gold", lowest first.',
                'Call them "basic", "silver" and "gold".',
            ),
            (
                "'guest', 'friend', 'family'",
                'The levels are "guest", "friend" and "family", lowest first.',
                'Call them "guest", "friend" and "family".',
            ),
            (
                "'C', 'B', 'A'",
                'The levels are "C", "B" and "A", lowest first.',
                'Call them "C", "B" and "A", where "A" is top.',
            ),
            (
                "1, 2, 3",
                "The levels are the numbers 1, 2 and 3, lowest first.",
                "Use the numbers 1, 2 and 3, where 3 is top.",
            ),
            topics="names labels called return output",
        ),
    ),
    inputs=_level_inputs,
    indifferent=(no_preference("expiry", "points that expire", "expire expiry old validity"),),
)


def _alarm_inputs(s: Settings, draw: Draw) -> list[Arguments]:
    low, high = s["low"], s["high"]
    inputs: list[Arguments] = [([],), ([50, low, high, 45],), ([50, low - 1, 48],), ([49, 50, high + 1],)]
    for count in (5, 6, 7, 8, 8, 9):
        readings = [draw.between(low - 5, high + 5) for _ in range(count)]
        inputs.append((draw.shuffled([*readings, low - draw.between(1, 9), high + draw.between(1, 9), low, high]),))
    return [*inputs, ([draw.between(41, 59) for _ in range(5)],)]


ALARM = Family(
    names=("check_readings", "alarm_report", "out_of_range"),
    parameters="readings",
    wordings=(
        "My greenhouse reports a list of readings. I need a Python function that tells me about readings that are too "
        "low or too high.",
        "Please write a function that goes through a list of readings and reports what lies outside the normal range.",
    ),
    template="""
        alarms = [i for i, reading in enumerate(readings) if reading < $low or reading > $high]
        return $form
    """,
    choices=(
        number("low", "the lowest reading that is still normal", (5, 10, 15, 20), topics="low minimum range below"),
        number("high", "the highest reading that is still normal", range(60, 260), topics="high maximum range above"),
        pick(
            "form",
            "what is reported",
            ("len(alarms)", "Return how many there are.", "I only want their number."),
            (
                "[readings[i] for i in alarms]",
                "Return a list of the readings themselves.",
                "I want the values, in a list.",
            ),
            (
                "alarms",
                "Return a list of their positions, counted from 0.",
                "I want their positions, the first being 0.",
            ),
            (
                "[i + 1 for i in alarms]",
                "Return a list of their positions, counted from 1.",
                "I want their positions, the first being 1.",
            ),
            topics="return report output form format list positions result",
        ),
    ),
    inputs=_alarm_inputs,
    indifferent=(no_preference("unit", "the unit of the readings", "unit units celsius fahrenheit degrees"),),
)


RULE_FAMILIES = (GRADE, DOOR, LEVEL, ALARM)
