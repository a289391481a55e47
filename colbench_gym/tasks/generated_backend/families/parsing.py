"""Generated functions that read text: settings, word counts, logs, recipes."""

from __future__ import annotations

from colbench_gym.tasks.generated_backend.families.grammar import Arguments, Family, Settings
from colbench_gym.tasks.generated_backend.families.phrases import (
    edge,
    instead,
    letter_case,
    no_preference,
    number,
    pick,
    rounding,
    word,
)
from colbench_gym.tasks.permutation import Draw

_NAMES = ("Color", "size", "Mode", "Path", "user", "Level", "host", "Port", "limit", "Theme")
_TEXTS = ("red", "17", "auto", "8080", "main", "x2", "dark", "5", "home", "42")
_DEFAULTS = ("yes", "on", "none", "missing", "unknown", "bare", "set", "default", "n/a", "blank", "null", "absent")


def _settings_inputs(s: Settings, draw: Draw) -> list[Arguments]:
    inputs: list[Arguments] = []
    for _ in range(11):
        names = draw.some(_NAMES, 3)
        parts = [f"{name}{draw.pick((s['mark'], ' ' + s['mark'] + ' '))}{draw.pick(_TEXTS)}" for name in names]
        parts.append(f"{draw.pick(names)}{s['mark']}{draw.pick(_TEXTS)}")
        parts.append(draw.pick(("Verbose", "quiet", "")))
        parts.insert(draw.below(3), f"{draw.pick((s['remark'], '#', '!', '*'))}old{s['mark']}3")
        inputs.append(((s["end"] + draw.pick(("", " "))).join(parts),))
    inputs += [(f"{name}{s['mark']}{draw.pick(('8', 'a=b', 'c:d'))}",) for name in draw.some(_NAMES, 2)]
    return [*inputs, ("",)]


SETTINGS = Family(
    names=("parse_settings", "read_options", "settings_from_text"),
    parameters="text",
    wordings=(
        "Please write a Python function that reads settings from a line of text into a dict. There are several "
        "settings in the line, each with a name and a value; blanks around them do not count, and remarks are skipped.",
        "I have option strings, typed by people, and need a function that makes a dict of names and values of one. "
        "Some parts are remarks. Blanks around names and values are dropped, empty parts are skipped.",
    ),
    template="""
        settings = {}
        for part in text.split($end):
            part = part.strip()
            if not part or part.startswith($remark):
                continue
            name, mark, value = part.partition($mark)
            name = $case
            value = value.strip() if mark else $missing
            $again
        return $typed
    """,
    choices=(
        word("end", "the character between two settings", (";", "|", ",", "&"), "separator separate split settings"),
        word("mark", "the sign between a name and its value", ("=", ":", "->"), "separator equals colon assign"),
        word("remark", "the sign with which a remark starts", ("#", "!", "*", "%"), "comment comments remark skip"),
        letter_case("name.strip()", "the names"),
        word("missing", "the value of a setting that has only a name", _DEFAULTS, "missing default without no flag"),
        pick(
            "again",
            "a name that comes twice",
            (
                "settings[name] = value",
                "The last one wins when a name comes twice.",
                "A later value replaces an old one.",
            ),
            (
                "settings.setdefault(name, value)",
                "The first one wins when a name comes twice.",
                "Keep the earlier value and ignore the later one.",
            ),
            (
                "settings[name] = settings[name] + '+' + value if name in settings else value",
                "Join the values with a plus sign (+) when a name comes twice.",
                "Both values are kept, with a plus sign (+) in between.",
            ),
            topics="twice duplicate duplicates repeated again same double",
        ),
        pick(
            "typed",
            "values that are whole numbers",
            ("settings", "All values stay text, numbers too.", "Do not convert anything, values are always texts."),
            (
                "{name: int(value) if value.isdigit() else value for name, value in settings.items()}",
                "Values made of digits only become integers.",
                "Convert values that consist of digits to int at the end.",
            ),
            topics="number numbers integer integers int convert type types digits",
        ),
    ),
    inputs=_settings_inputs,
    indifferent=(no_preference("order", "the order of the names in the dict", "order sorted sort"),),
)

_STOP = ("however", "because", "another", "towards", "several", "perhaps", "between", "already", "neither", "through")
_SPEECH = (
    "Market",
    "market",
    "price",
    "Garden",
    "garden",
    "tree",
    "Rain",
    "window",
    "Window",
    "at",
    "on",
    "sun",
    "Sun",
)
_LONG = (
    "mountain",
    "festival",
    "Elephant",
    "elephant",
    "children",
    "Kingdom",
    "kingdom",
    "building",
    "painting",
    "keyboard",
)
_BY_LENGTH = ("", "", "at", "sun", "tree", "price", "garden", "village", "elephant")


def _words_inputs(s: Settings, draw: Draw) -> list[Arguments]:
    inputs: list[Arguments] = []
    for number_of in (12, 13, 14, 15, 16, 17):
        words = [w for w in draw.some(_LONG + _STOP, number_of) for _ in range(draw.between(1, 5))]
        words += [draw.pick(_SPEECH) for _ in range(8)] + [s["skip"]] * draw.between(4, 6)
        inputs.append((" ".join(draw.shuffled(words)),))
    for _ in range(7):
        words = [w for w in draw.some(_SPEECH + _LONG + _STOP[:3], 6) for _ in range(draw.between(1, 4))]
        inputs.append((" ".join(draw.shuffled(words)),))
    words = [w for n in (-1, 0, 1) for w in [_BY_LENGTH[s["shortest"] + n]] * draw.between(4, 6)]
    return [*inputs, (" ".join(words),), ("",)]


WORDS = Family(
    names=("top_words", "frequent_words", "word_ranking"),
    parameters="text",
    wordings=(
        "Can you write a function that finds the most frequent words of a text? Words are separated by blanks, without "
        "punctuation. Very short words and one filler word do not interest me, nor do words that are too rare.",
        "I would like a Python function for the words that occur most in a text without punctuation. Leave out short "
        "words, rare ones, and a filler word that I hate in whatever case it is written.",
    ),
    template="""
        counts = {}
        for word in $case.split():
            if len(word) >= $shortest and word.lower() != $skip:
                counts[word] = counts.get(word, 0) + 1
        words = [word for word in counts if counts[word] >= $rarest]
        words = sorted(words, key=lambda word: $ties)[:$most]
        return $form
    """,
    choices=(
        number("shortest", "the minimum length of a word", range(3, 8), " letters", "short shortest long characters"),
        word("skip", "the filler word to leave out", _STOP, "stop filler ignore exclude skip hate"),
        number(
            "rarest",
            "the lowest number of times a word must occur",
            range(2, 5),
            topics="rare often frequency minimum",
        ),
        number("most", "the number of words to return", range(2, 8), topics="many top maximum limit"),
        letter_case("text", "the words before they are counted"),
        pick(
            "ties",
            "words that are equally frequent",
            (
                "(-counts[word], word)",
                "Equally frequent words come in alphabetical order.",
                "Ties are sorted from a to z.",
            ),
            (
                "(-counts[word], -len(word), word)",
                "Of equally frequent words the longer comes first, and equally long ones come alphabetically.",
                "Ties go to the longer word, then to the alphabet.",
            ),
            (
                "-counts[word]",
                "Equally frequent words come in the order in which they first appear.",
                "Ties stay in the order of the text.",
            ),
            topics="tie ties tied equal equally same order sort sorted",
        ),
        pick(
            "form",
            "the form of the result",
            ("words", "Return a list of the words.", "I want only the words, in a list."),
            (
                "[(word, counts[word]) for word in words]",
                "Return a list of tuples, each a word and its count.",
                "I want pairs of word and count, as tuples in a list.",
            ),
            (
                "', '.join(words)",
                "Return one text with a comma and a blank between the words.",
                "I want a comma-separated text.",
            ),
            topics="return output type list format",
        ),
    ),
    inputs=_words_inputs,
    indifferent=(no_preference("plural", "singular and plural forms", "plural singular stem grammar"),),
)

_MUTED = ("heartbeat", "backup", "cache", "cron", "healthcheck", "ping", "rotation", "telemetry", "snapshot", "resync")
_EVENTS = ("disk full", "login failed", "printer offline", "link lost", "fan stopped", "queue stuck", "door open")


def _log_inputs(s: Settings, draw: Draw) -> list[Arguments]:
    inputs: list[Arguments] = []
    for count in (3, 5, 9, 10, 11, 12, 12, 12):
        entries = [(draw.between(s["least"] - 9, s["least"] + 30), draw.pick(_EVENTS)) for _ in range(count)]
        entries += [(s["least"] + draw.between(-1, 1), draw.pick(_EVENTS)), (s["least"], draw.pick(_EVENTS))]
        entries.append((s["least"] + draw.between(2, 40), f"{draw.pick((s['muted'], s['muted'], *_MUTED))} late"))
        inputs.append((draw.shuffled(entries),))
    for step in (-1, 0, 1):
        inputs.append(([(s["least"] + step, draw.pick(_EVENTS))],))
    inputs.append(([(99, f"{s['muted']} late"), (99, draw.pick(_EVENTS))],))
    inputs.append(([(99, f"{muted} late") for muted in _MUTED if muted != s["muted"]][: s["most"]],))
    return inputs


LOG = Family(
    names=("find_problems", "log_alerts", "serious_events"),
    parameters="entries",
    wordings=(
        "Our log is a list of tuples, severity (a number, higher is worse) and message. I need a Python function that "
        "picks what matters, leaves out the messages that contain one particular word, and gives me only a few.",
        "Please write a function that filters log entries. Each is a tuple of a severity number and a message. Minor "
        "entries go, messages with a certain word in them go too, and of the rest I want to see the first few.",
    ),
    template="""
        found = [(level, text) for level, text in entries if $serious and $muted not in text]
        $order
        found = found[:$most]
        return $form
    """,
    choices=(
        number(
            "least", "the severity from which entries matter", range(20, 60), topics="threshold level minimum severe"
        ),
        edge(
            "serious",
            "an entry exactly at the severity limit",
            "level >= $least",
            "level > $least",
            says=(
                "an entry exactly at the severity limit is included",
                "an entry exactly at the severity limit is left out",
            ),
        ),
        word("muted", "the word whose messages are left out", _MUTED, "mute ignore exclude skip contain particular"),
        pick(
            "order",
            "the order of the entries",
            ("", "Keep the entries in the order in which they come.", "Do not sort them."),
            (
                "found.reverse()",
                "Reverse the order, so that the last entry comes first.",
                "Newest, meaning last, goes first.",
            ),
            (
                "found.sort(key=lambda entry: -entry[0])",
                "Sort them by severity, worst first, and keep equal ones in their order.",
                "The most severe come first; equal severity stays as it was.",
            ),
            topics="sort sorted sequence first newest",
        ),
        number("most", "the number of entries to return", range(2, 8), topics="many few maximum limit"),
        pick(
            "form",
            "the form of the result",
            ("[text for level, text in found]", "Return a list of the messages only.", "I want just the messages."),
            ("found", "Return the list of tuples, severity and message.", "I want the entries back as tuples."),
            (
                "[f'{level}: {text}' for level, text in found]",
                "Return texts with severity, a colon, a blank and the message.",
                'I want lines that look like "severity: message".',
            ),
            topics="return output type list format",
        ),
    ),
    inputs=_log_inputs,
    indifferent=(no_preference("dates", "dates and times", "date time timestamp timezone"),),
)


def _recipe_inputs(_: Settings, draw: Draw) -> list[Arguments]:
    amounts = [draw.between(1111, 9999) / 1000 for _ in range(6)]
    inputs: list[Arguments] = [(amounts[0], "cup"), (amounts[1], "spoon"), (1, "cup"), (1, "spoon"), (2, "litre")]
    inputs += [(amounts[2], "Cup"), (amounts[3], "SPOON"), (3, "CUP"), (amounts[4], "cup"), (amounts[5], "spoon")]
    return [*inputs, (4, "bowl"), (draw.between(2, 20) / 4, "spoon"), (draw.between(2, 20) / 4, "cup")]


RECIPE = Family(
    names=("to_millilitres", "kitchen_volume", "recipe_amount"),
    parameters="amount, unit",
    wordings=(
        "For my cooking site I need a Python function that turns an amount in cups or spoons (the unit is the text "
        "'cup' or 'spoon') into millilitres.",
        "Can you write a function that converts recipe amounts to millilitres? It gets a number and a unit, 'cup' or "
        "'spoon'. People type other things as well.",
    ),
    template="""
        sizes = {'cup': $cup, 'spoon': $spoon}
        if $known not in sizes:
            return $unknown
        volume = amount * sizes[$known]
        return $rounded
    """,
    choices=(
        number("cup", "the size of a cup", range(200, 282, 2), " millilitres", topics="cups volume many"),
        number("spoon", "the size of a spoon", range(9, 21), " millilitres", topics="spoons spoonful volume many"),
        pick(
            "known",
            "units typed with capitals",
            ("unit", "Only units in small letters are known.", "A unit with capitals counts as unknown."),
            ("unit.lower()", "Units may be typed in any case.", "Capitals in the unit make no difference."),
            topics="case capital capitals upper lower uppercase sensitive typed",
        ),
        instead("unknown", "the unit is unknown", (0, -1, "unsupported", "unit?"), "unknown other unsupported invalid"),
        rounding("volume", "the volume"),
    ),
    inputs=_recipe_inputs,
    indifferent=(no_preference("negative", "negative amounts", "negative minus below zero"),),
)

PARSING_FAMILIES = (SETTINGS, WORDS, LOG, RECIPE)
