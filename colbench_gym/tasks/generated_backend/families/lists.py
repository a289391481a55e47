"""Generated functions over lists and numbers: stock, rankings, duplicates, averages, readings, quizzes."""

from __future__ import annotations

from colbench_gym.tasks.generated_backend.families.grammar import Arguments, Family, Settings
from colbench_gym.tasks.generated_backend.families.phrases import (
    edge,
    instead,
    no_preference,
    number,
    pick,
    rounding,
    word,
)
from colbench_gym.tasks.permutation import Draw

_GOODS = (
    "apples",
    "bolts",
    "candles",
    "dowels",
    "envelopes",
    "files",
    "gloves",
    "hooks",
    "ink",
    "jars",
    "keys",
    "lamps",
)


def _stock_inputs(s: Settings, draw: Draw) -> list[Arguments]:
    inputs: list[Arguments] = [({},), ({draw.pick(_GOODS): s["low"] + 40},)]
    inputs += [({draw.pick(_GOODS): s["low"] + step},) for step in (-1, 0, 1)]
    for count in (2, 3, 4, 12, 12, 12, 12):
        names = draw.some(_GOODS, count)
        inputs.append(({name: max(0, s["low"] + draw.between(-7, 2)) for name in names},))
    return [*inputs, ({name: draw.between(0, 120) for name in draw.some(_GOODS, 8)},)]


STOCK = Family(
    names=("items_to_reorder", "low_stock", "what_to_buy"),
    parameters="stock",
    wordings=(
        "I keep my stock in a dict of item and quantity. Please write a Python function that tells me what I have to "
        "reorder because it is running low, but never too many items at once.",
        "Can you write a function that goes through a dict with the quantity of every item in my store and gives me "
        "the first few that run low?",
    ),
    template="""
        low = [item for item, count in stock.items() if $short]
        if not low:
            return $nothing
        low = sorted(low, key=lambda item: $order)[:$most]
        return $form
    """,
    choices=(
        number("low", "the quantity at which an item counts as low", range(5, 65), topics="threshold limit minimum"),
        edge(
            "short",
            "an item exactly at the low quantity",
            "count <= $low",
            "count < $low",
            says=(
                "an item with exactly that quantity is low already",
                "an item with exactly that quantity is not low yet, it has to be less",
            ),
        ),
        pick(
            "order",
            "the order of the items",
            ("item", "The items come in alphabetical order.", "Sort them by name from a to z."),
            (
                "(stock[item], item)",
                "The item with the lowest quantity comes first, equal ones alphabetically.",
                "Sort them by quantity, scarcest first, and then by name.",
            ),
            (
                "(-stock[item], item)",
                "The item with the highest quantity comes first, equal ones alphabetically.",
                "Sort them by quantity, largest first, and then by name.",
            ),
            topics="sort sorted sequence first alphabetical",
        ),
        number("most", "the largest number of items to list", range(2, 9), topics="many few maximum"),
        instead("nothing", "no item is low", ("nothing", "all fine", [], 0), "empty none"),
        pick(
            "form",
            "the form of the result",
            ("low", "Return a list of the names.", "I want only the names, in a list."),
            (
                "[(item, stock[item]) for item in low]",
                "Return a list of tuples, each a name and its quantity.",
                "I want pairs of name and quantity, as tuples in a list.",
            ),
            (
                "', '.join(low)",
                "Return one text with a comma and a blank between the names.",
                "I want a comma-separated text.",
            ),
            topics="return output type list format",
        ),
    ),
    inputs=_stock_inputs,
    indifferent=(no_preference("unit", "the unit of the quantities", "unit units pieces boxes"),),
)

_PEOPLE = ("Ann", "Bo", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal", "Ida", "Jon", "Kim", "Lea")


def _rank_inputs(s: Settings, draw: Draw) -> list[Arguments]:
    inputs: list[Arguments] = [({},)]
    for count in (3, 4, 5, 6, 6, 7, 7, 8, 8, 8):
        names = draw.shuffled([*draw.some(_PEOPLE, count), draw.pick(_PEOPLE) + s["guest"]])
        levels = [s["least"] + draw.between(2, 40) for _ in range(count // 2)]
        scores = {name: draw.pick(levels) for name in names}
        scores[names[0]] = s["least"] + draw.between(-1, 1)
        inputs.append((scores,))
    for step in (-1, 0):
        inputs.append(({"Mia": s["least"] + step, "Ned": s["least"] + 9, "Ole*": 500, "Pam!": 501, "Quin~": 502},))
    return inputs


RANK = Family(
    names=("rank_players", "standings", "league_table"),
    parameters="scores",
    wordings=(
        "Please write a Python function that ranks the players of a tournament by their scores, given as a dict of "
        "name and score. Guests carry a mark behind their name and are left out, weak scores are left out too.",
        "I need a function for the table of our league from a dict of names and scores. Some names end with a mark, "
        "those are guests who play out of competition. Scores that are too low are not ranked.",
    ),
    template="""
        names = [name for name in scores if scores[name] >= $least and not name.endswith($guest)]
        names.sort(key=lambda name: ($better, name))
        values = [scores[name] for name in names]
        ranks = {}
        for position, name in enumerate(names):
            ranks[name] = $ties + $first
        return $form
    """,
    choices=(
        number("least", "the lowest score that is ranked", range(10, 60), topics="minimum weak threshold least"),
        word("guest", "the mark of a guest", ("*", "!", "~", "#"), "guest guests sign competition"),
        pick(
            "better",
            "whether a high or a low score is better",
            ("-scores[name]", "A higher score is better.", "The highest score wins."),
            ("scores[name]", "A lower score is better.", "The lowest score wins, as in golf."),
            topics="direction best highest lowest order sort wins",
        ),
        pick(
            "ties",
            "the ranks of players with equal scores",
            (
                "values.index(scores[name])",
                "Equal scores share a rank, and the ranks after them are skipped.",
                "Ties share the better rank and leave a gap behind them.",
            ),
            (
                "list(dict.fromkeys(values)).index(scores[name])",
                "Equal scores share a rank, and the next score gets the next rank without a gap.",
                "Ties share a rank and nothing is skipped behind them.",
            ),
            (
                "position",
                "Equal scores get different ranks, in alphabetical order of the names.",
                "Ties are broken by name, from a to z.",
            ),
            topics="tie ties tied equal same share",
        ),
        number("first", "the rank of the best player", (0, 1, 10), topics="start starts count zero one first begin"),
        pick(
            "form",
            "the form of the result",
            ("ranks", "Return a dict of name and rank.", "I want a dict that gives the rank for each name."),
            (
                "[(ranks[name], name) for name in names]",
                "Return a list of tuples, each a rank and a name, best player first and ties by name.",
                "I want pairs of rank and name, as tuples in a list from the best down and ties by name.",
            ),
            (
                "[f'{ranks[name]}. {name}' for name in names]",
                "Return a list of texts with rank, dot, blank and name, best player first and ties by name.",
                'I want lines that look like "rank. name", from the best down and ties by name.',
            ),
            topics="return output type list dict format",
        ),
    ),
    inputs=_rank_inputs,
    indifferent=(no_preference("teams", "team names", "team teams club"),),
)

_MAILS = (
    "Ann@x.org",
    "ann@x.org",
    "bo@y.com",
    "Bo@Y.com",
    "cy@z.net",
    " cy@z.net",
    "Di@q.edu",
    "eve@w.io",
    "EVE@w.io ",
)


def _unique_inputs(s: Settings, draw: Draw) -> list[Arguments]:
    more = ("fay@k.org", "gus@k.org", "hal@k.org", "ida@k.org", "jon@k.org", "kim@k.org", "lea@k.org", "mo@k.org")
    dropped = s["blocked"]
    inputs: list[Arguments] = [([],), (["bo@y.com", f"al@{dropped}", "cy@z.net"],)]
    for count in (4, 6, 8, 9, 9):
        inputs.append(([draw.pick(_MAILS) for _ in range(count)],))
    for count in (10, 11, 12, 13):
        mails = draw.some((*more, *_MAILS), count)
        inputs.append(([*mails, draw.pick(_MAILS), f"x{draw.below(9)}@{dropped}", draw.pick(_MAILS)],))
    return [*inputs, ([f"p{n}@k.org" for n in draw.shuffled(range(12))],), (["zed@x.org", "bo@y.com", "zed@x.org"],)]


UNIQUE = Family(
    names=("unique_addresses", "mailing_addresses", "without_duplicates"),
    parameters="addresses",
    wordings=(
        "I have a list of mail addresses with many duplicates. Please write a Python function that cleans it: every "
        "address once, nobody from one domain that we do not write to, and not more than a certain number.",
        "Can you write a function that takes duplicates out of a list of mail addresses? One domain has asked us to "
        "stop writing, and there is a maximum for one mailing.",
    ),
    template="""
        found = {}
        for address in addresses:
            key = $same
            if key.endswith('@' + $blocked):
                continue
            $keep
        result = $order
        result = result[:$most]
        return $form
    """,
    choices=(
        pick(
            "same",
            "when two addresses are the same",
            (
                "address.lower()",
                "Upper and lower case make no difference, but blanks around an address do.",
                "Compare addresses without regard to case; blanks do count.",
            ),
            (
                "address.strip()",
                "Blanks around an address make no difference, but upper and lower case do.",
                "Compare addresses without the blanks around them; case does count.",
            ),
            (
                "address.lower().strip()",
                "Neither upper and lower case nor blanks around an address make a difference.",
                "Compare addresses without regard to case and to blanks around them.",
            ),
            topics="duplicate duplicates equal compare comparison case blanks spaces",
        ),
        pick(
            "keep",
            "which of several duplicates is kept",
            (
                "found.setdefault(key, address)",
                "Keep the first of several duplicates, as typed.",
                "The first spelling stays.",
            ),
            (
                "found[key] = address",
                "Keep the spelling of the last of several duplicates, in the place of the first.",
                "The last spelling stays, where the address first appeared.",
            ),
            (
                "found[key] = key",
                "Keep neither spelling, return addresses in the form in which they are compared.",
                "The form used for comparing is what stays.",
            ),
            topics="keep kept first last which spelling stays",
        ),
        word(
            "blocked",
            "the domain to leave out",
            ("spam.test", "shop.test", "club.test", "bank.test", "old.test"),
            "domain blocked",
        ),
        pick(
            "order",
            "the order of the addresses",
            ("list(found.values())", "Keep the order in which they first appear.", "Do not sort the addresses."),
            ("sorted(found.values())", "Sort the addresses with plain sorting.", "I want them sorted, the usual way."),
            (
                "list(found.values())[::-1]",
                "Reverse the order in which they first appear.",
                "The latest new one comes first.",
            ),
            topics="sort sorted sequence alphabetical",
        ),
        number("most", "the largest number of addresses", range(3, 10), topics="many maximum limit"),
        pick(
            "form",
            "the form of the result",
            ("result", "Return a list.", "I want a list of addresses."),
            ("tuple(result)", "Return a tuple.", "I want a tuple of addresses."),
            (
                "'; '.join(result)",
                "Return one text with a semicolon and a blank between them.",
                "I want them in one text, joined by semicolon and blank.",
            ),
            topics="return output type list tuple format",
        ),
    ),
    inputs=_unique_inputs,
    indifferent=(no_preference("valid", "addresses that are not valid", "valid invalid validity check broken"),),
)


def _average_inputs(s: Settings, draw: Draw) -> list[Arguments]:
    def values(count: int) -> list[float]:
        return [draw.between(100, s["ceiling"] * 95) / 100 for _ in range(count)]

    inputs: list[Arguments] = [([],), (values(9),), (values(12),)]
    inputs += [(values(2 * s["trim"] + s["least"] + step),) for step in (-1, 0, 0, 1)]
    for step in (0, 1):
        inputs.append(([*values(9), s["ceiling"] + step, s["ceiling"] - 0.37, s["ceiling"] - 0.61],))
    for _ in range(6):
        inputs.append(
            (draw.shuffled([*values(10), s["ceiling"], s["ceiling"] + 1, s["ceiling"] + draw.between(2, 99)]),)
        )
    return [*inputs, ([s["ceiling"] - 0.23] * (2 * s["trim"] + s["least"]),), ([s["ceiling"] + 0.77] * 15,)]


AVERAGE = Family(
    names=("typical_value", "steady_reading", "sensor_summary"),
    parameters="values",
    wordings=(
        "Please write a Python function that gives me a typical value of some measurements. Readings above a ceiling "
        "are errors and dropped, then some of the lowest and as many of the highest are dropped as well.",
        "My sensor sometimes goes wild. I need a function for its typical value that first drops what is above some "
        "ceiling, and then the same number of values at both ends.",
    ),
    template="""
        kept = sorted(value for value in values if value <= $ceiling)
        kept = kept[$trim:len(kept) - $trim]
        count = len(kept)
        if count < $least:
            return $too_few
        typical = $centre
        return $rounded
    """,
    choices=(
        number(
            "ceiling", "the highest reading that is believed", range(60, 200, 2), topics="ceiling maximum error above"
        ),
        number(
            "trim", "the number of values dropped at each end", range(1, 4), topics="lowest highest ends trim outliers"
        ),
        number(
            "least",
            "the lowest number of values that is enough",
            range(2, 6),
            topics="few minimum enough left remain",
        ),
        instead("too_few", "too few values are left", (0, -1, "too few", "n/a"), "few empty enough"),
        pick(
            "centre",
            "what counts as the typical value",
            ("sum(kept) / count", "Take the mean of what is left.", "It is the plain average of the rest."),
            (
                "(kept[(count - 1) // 2] + kept[count // 2]) / 2",
                "Take the median of what is left, the mean of the middle two if their number is even.",
                "It is the ordinary median of the rest.",
            ),
            (
                "(kept[0] + kept[-1]) / 2",
                "Take the middle between the lowest and the highest value left.",
                "It is half of lowest plus highest of the rest.",
            ),
            topics="mean median average typical formula middle",
        ),
        rounding("typical", "the typical value"),
    ),
    inputs=_average_inputs,
    indifferent=(no_preference("sensor", "the unit of the readings", "unit units sensor"),),
)

LIST_FAMILIES = (STOCK, RANK, UNIQUE, AVERAGE)
