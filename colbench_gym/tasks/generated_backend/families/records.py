"""Generated functions over records: merged dicts, compared sets, votes, accounts."""

from __future__ import annotations

from colbench_gym.tasks.generated_backend.families.grammar import Arguments, Family, Settings
from colbench_gym.tasks.generated_backend.families.phrases import letter_case, no_preference, number, pick, word
from colbench_gym.tasks.permutation import Draw

_PARTS = ("Gear", "belt", "Bolt", "nut", "Axle", "rim", "Cog", "pin", "Shaft", "cap")


def _merge_inputs(s: Settings, draw: Draw) -> list[Arguments]:
    def stock(count: int) -> dict[str, int]:
        return {part: s["least"] + draw.between(-9, 30) for part in draw.some(_PARTS, count)}

    inputs: list[Arguments] = [({}, {}), ({"nut": s["least"]}, {}), ({"Cog": 0}, {"pin": s["least"] - 1})]
    inputs += [({"nut": 900, s["ignored"]: 901, "Rim": 902}, {"Cog": 903}), ({"belt": 950}, {"Axle": 940, "pin": 945})]
    for high, low in ((77, 33), (21, 94)):
        inputs.append(({"nut": s["least"] + high, "Pin": 980}, {"nut": s["least"] + low, "Gear": 970}))
    return inputs + [(stock(count), stock(count)) for count in (4, 5, 6, 7, 8)]


MERGE = Family(
    names=("merge_inventories", "combine_stocks", "join_warehouses"),
    parameters="first, second",
    wordings=(
        "Two warehouses send me their inventories as dicts of part and number. Please write a Python function that "
        "combines them. Parts with low numbers are left out, and there is one part that I never want to see.",
        "Can you write a function that merges two dicts with numbers of parts? Both may have the same part. What is "
        "nearly gone does not interest me, and one particular part should be ignored.",
    ),
    template="""
        merged = dict(first)
        for part, count in second.items():
            merged[part] = $both if part in merged else count
        merged = {$case: count for part, count in merged.items() if count >= $least and part != $ignored}
        return $form
    """,
    choices=(
        pick(
            "both",
            "a part that is in both",
            ("merged[part]", "The first dict wins for a part that is in both.", "Keep the number of the first one."),
            ("count", "The second dict wins for a part that is in both.", "Keep the number of the second one."),
            ("merged[part] + count", "Add the numbers of a part that is in both.", "Take the sum of both numbers."),
            (
                "max(merged[part], count)",
                "Take the larger number of a part that is in both.",
                "Keep the larger of both numbers.",
            ),
            topics="conflict both same twice overlap duplicate clash wins",
        ),
        number("least", "the lowest number that is kept", range(5, 65), topics="low minimum threshold least"),
        word("ignored", "the part to ignore", ("screw", "washer", "spring", "hinge", "valve"), "ignore skip never"),
        letter_case("part", "the parts in the result"),
        pick(
            "form",
            "the form of the result",
            ("merged", "Return a dict of part and number.", "I want a dict."),
            (
                "sorted(merged.items())",
                "Return a list of tuples, part and number, sorted by part.",
                "I want a list of pairs, as tuples in plain order of the part.",
            ),
            (
                "sorted(merged, key=lambda part: (-merged[part], part))",
                "Return a list of the parts, largest number first and equal ones by name.",
                "I want only the parts in a list, from the largest number down and then by name.",
            ),
            topics="return output type dict list format",
        ),
    ),
    inputs=_merge_inputs,
    indifferent=(no_preference("place", "which warehouse a part lies in", "place location shelf"),),
)

_PLAYERS = ("Ann", "Bob", "Cid", "Dora", "Eli", "Flo", "Gil", "Hana", "Ivo", "Jana")


def _compare_inputs(s: Settings, draw: Draw) -> list[Arguments]:
    inputs: list[Arguments] = [(set(), {"Ann"}), ({"Bob"}, {"Bob"}), ({"Ann", "Bob"}, {"bob", "Cid"})]
    for _ in range(9):
        names = draw.shuffled(_PLAYERS)
        marked = {f"{name}{s['mark']}" for name in names[7:9]}
        inputs.append(({*names[:4], f"Xu{s['mark']}"}, {*names[2:6], names[0].lower(), *marked}))
    return [*inputs, ({"Ann?", "Bob*", "Cid!"}, {"Dora~", "Eli#", "Cid!"})]


COMPARE = Family(
    names=("compare_teams", "roster_changes", "who_changed"),
    parameters="before, after",
    wordings=(
        "I have the members of a team before and after the season, as two sets of names. I need a Python function that "
        "returns a dict of who came, who left and who stayed. Some names end with a mark and do not count.",
        "Can you write a function that compares two sets of names and returns a dict with the new ones, those gone and "
        "those in both? Names that end with a certain mark are to be skipped.",
    ),
    template="""
        old = {$same for name in before if not name.endswith($mark)}
        new = {$same for name in after if not name.endswith($mark)}
        changes = {$came: sorted(new - old), $left: sorted(old - new), $stayed: sorted(old & new)}
        return $form
    """,
    choices=(
        word(
            "came",
            "the key of those who came",
            ("added", "joined", "plus", "arrived", "incoming"),
            "key new added dict",
        ),
        word(
            "left",
            "the key of those who left",
            ("removed", "lost", "minus", "departed", "dropped"),
            "key removed gone dict",
        ),
        word(
            "stayed",
            "the key of those who stayed",
            ("kept", "same", "common", "unchanged", "equal"),
            "key both kept dict",
        ),
        pick(
            "form",
            "what stands under each key",
            ("changes", "Under each key there is a sorted list of the names.", "I want sorted lists of names."),
            (
                "{key: set(names) for key, names in changes.items()}",
                "Under each key there is a set of the names.",
                "I want the names as sets.",
            ),
            (
                "{key: ', '.join(names) for key, names in changes.items()}",
                "Under each key there is one text: the names in sorted order with a comma and a blank in between.",
                "I want texts, with the sorted names joined by a comma and a blank.",
            ),
            topics="values value list set number count under type",
        ),
        pick(
            "same",
            "upper and lower case in names",
            (
                "name",
                "Names that differ in case are different names.",
                "Compare the names exactly as they are written.",
            ),
            (
                "name.lower()",
                "Case makes no difference, and names come out in lower case.",
                "Put all names in lower case.",
            ),
            ("name.upper()", "Case makes no difference, and names come out in capitals.", "Put all names in capitals."),
            topics="case upper lower capitals letters compare",
        ),
        word("mark", "the mark of names that do not count", ("*", "!", "~", "#", "?"), "mark sign skip end ignore"),
    ),
    inputs=_compare_inputs,
    indifferent=(no_preference("positions", "the positions that people play", "position positions role"),),
)


def _vote_inputs(s: Settings, draw: Draw) -> list[Arguments]:
    quorum = s["quorum"]

    def poll(top: int, blank: int = 0) -> Arguments:
        """Twenty votes with a name, of which the winner has some and nobody else as many."""
        winner, *others = draw.shuffled(_PLAYERS)
        rest = [name for name in others for _ in range(top - 1)][: 20 - top]
        return (draw.shuffled([winner] * top + rest + [""] * blank),)

    enough = s["share"] // 5
    inputs: list[Arguments] = [([],), poll(enough), poll(enough - 1), poll(enough, 3), poll(enough + 1, 1)]
    inputs += [(["Kim"] * (quorum + step),) for step in (-1, 0)]
    inputs += [(["Kim"] * (quorum - 1) + [""],), (["Zoe", "Kim"] * 8,), (["Kim", "Zoe"] * 8,)]
    inputs += [(["Ann", "ann", "Bob", "Bob", "Bob"] + ["ANN"] * 9,), (["bob", "Bob", "BOB", "Eve", "eve"] * 4,)]
    for _ in range(4):
        votes = [draw.pick(("Ann", "Bob", "bob", "BOB", "Cid", "")) for _ in range(draw.between(quorum, 18))]
        inputs.append((votes,))
    return inputs


VOTES = Family(
    names=("election_winner", "count_votes", "vote_result"),
    parameters="votes",
    wordings=(
        "Please write a Python function that finds who won a vote. It gets a list of names, one for each vote, in "
        "which an empty text is a blank vote. Whoever has most votes wins, if that is a large enough share and "
        "enough people have voted.",
        "We vote by writing a name on paper, and some leave it blank (an empty text in the list). I need a function "
        "that returns the winner, who needs the most votes and a certain share of them. Too few votes are no vote.",
    ),
    template="""
        counts = {}
        for vote in votes:
            if vote:
                name = $same
                counts[name] = counts.get(name, 0) + 1
        total = $total
        if not counts or total < $quorum:
            return $nobody
        winner = $tie
        return winner if counts[winner] * 100 >= $share * total else $nobody
    """,
    choices=(
        number("share", "the minimum share of votes of a winner", range(25, 50, 5), " percent", "percentage"),
        number(
            "quorum", "the lowest number of votes that is enough", range(3, 13), topics="quorum turnout few minimum"
        ),
        pick(
            "same",
            "names written in different case",
            ("vote", "Names that differ in case are different people.", "Count the names exactly as written."),
            (
                "vote.title()",
                "Case makes no difference; return names with a capital first letter.",
                "Case is ignored, and names come back like Bob.",
            ),
            (
                "vote.upper()",
                "Case makes no difference; return names in capitals.",
                "Case is ignored, and names come back like BOB.",
            ),
            topics="case upper lower capital capitals spelling written",
        ),
        pick(
            "total",
            "blank votes",
            (
                "len(votes)",
                "Blank votes count for the share and for the number of votes.",
                "Blank votes are votes like others.",
            ),
            (
                "sum(counts.values())",
                "Blank votes count neither for the share nor for the number of votes.",
                "Ignore blank votes, as if they were not there.",
            ),
            topics="blank empty total count invalid share",
        ),
        pick(
            "tie",
            "several names with the most votes",
            (
                "min(counts, key=lambda name: (-counts[name], name))",
                "In a tie the name that comes first in the alphabet wins.",
                "Ties go to the first name by alphabet.",
            ),
            (
                "max(counts, key=lambda name: counts[name])",
                "In a tie the name that was voted for first wins.",
                "Ties go to the name that appears first among the votes.",
            ),
            (
                "max(counts, key=lambda name: (counts[name], name))",
                "In a tie the name that comes last in the alphabet wins.",
                "Ties go to the last name by alphabet.",
            ),
            topics="tie ties tied equal same draw",
        ),
        word(
            "nobody",
            "the result if nobody wins",
            ("none", "void", "repeat", "open", "undecided", "failed", "again"),
            "nobody winner none",
        ),
    ),
    inputs=_vote_inputs,
    indifferent=(no_preference("secret", "who cast which vote", "secret voter person cast"),),
)


def _account_inputs(s: Settings, draw: Draw) -> list[Arguments]:
    floor = s["floor"]
    inputs: list[Arguments] = [(100, [])]
    for step in (-1, 0, 1):
        inputs.append((50, [("out", 50 + floor + step), ("in", 700), ("out", 20)]))
        inputs.append((0, [("fee", 3), ("out", floor + step), ("in", 9)]))
    for _ in range(8):
        moves = [
            (draw.pick(("in", "out", "out", "gift")), draw.between(1, floor + 80)) for _ in range(draw.between(3, 6))
        ]
        inputs.append((draw.between(0, 200), moves))
    return inputs


ACCOUNT = Family(
    names=("run_account", "process_account", "book_movements"),
    parameters="balance, movements",
    wordings=(
        "I need a Python function for a bank account that may be overdrawn a little. It gets the balance and a list of "
        "movements, tuples of a kind ('in', 'out', or something else) and an amount, and books them one by one.",
        "Please write a function that books movements on an account: tuples of a kind, 'in' or 'out' (other kinds "
        "occur too), and an amount. Overdrawing is possible down to some limit, and costs a fee.",
    ),
    template="""
        refused = 0
        for kind, amount in movements:
            if kind == 'in':
                balance += amount
            elif $takes:
                if balance - amount < -$floor:
                    refused += 1
                    $then
                    continue
                balance -= amount
                if balance < 0:
                    balance -= $fee
        return $form
    """,
    choices=(
        number(
            "floor",
            "the amount by which the account may be overdrawn",
            range(50, 550, 10),
            topics="limit overdraft negative",
        ),
        number(
            "fee", "the fee for each booking that leaves it overdrawn", range(1, 30), topics="cost charge overdraft"
        ),
        pick(
            "takes",
            "kinds other than in and out",
            ("kind == 'out'", "Skip movements of any other kind.", "Other kinds do nothing."),
            (
                "True",
                "Treat movements of any other kind as going out.",
                "Other kinds take money off, just as out does.",
            ),
            topics="kind kinds other unknown else type",
        ),
        pick(
            "then",
            "what happens after a refused movement",
            ("", "A refused movement is skipped and the next one is booked.", "Just go on after a refusal."),
            ("break", "Stop at the first refused movement, nothing after it is booked.", "The first refusal ends it."),
            (
                "balance -= 5",
                "A refused movement costs 5, and the next one is booked.",
                "Take off 5 for a refusal and go on.",
            ),
            topics="refused refusal rejected declined insufficient after not covered",
        ),
        pick(
            "form",
            "the form of the result",
            ("balance", "Return the final balance.", "I only want the balance."),
            (
                "(balance, refused)",
                "Return a tuple of the balance and the number of refusals.",
                "I want a pair, refusals second.",
            ),
            (
                "{'final': balance, 'denied': refused}",
                'Return a dict, with the balance under "final" and the number of refusals under "denied".',
                'I want a dict with the keys "final" for the balance and "denied" for how many were refused.',
            ),
            topics="return output type dict tuple format",
        ),
    ),
    inputs=_account_inputs,
    indifferent=(no_preference("dates", "the dates of the movements", "date dates day time"),),
)

RECORD_FAMILIES = (MERGE, COMPARE, VOTES, ACCOUNT)
