"""Generated functions from text to text: titles, masks, user names, passwords."""

from __future__ import annotations

from colbench_gym.tasks.generated_backend.families.grammar import Arguments, Family, Settings
from colbench_gym.tasks.generated_backend.families.phrases import (
    instead,
    letter_case,
    no_preference,
    number,
    pick,
    word,
)
from colbench_gym.tasks.permutation import Draw

_WORDS = (
    *(
        "Annual",
        "report",
        "Draft",
        "of",
        "the",
        "summer",
        "Plan",
        "for",
        "new",
        "Garden",
        "walls",
        "and",
        "old",
        "Roof",
    ),
    *(
        "tiles",
        "with",
        "Photo",
        "album",
        "Invoice",
        "number",
        "Letter",
        "to",
        "Neighbours",
        "about",
        "Parking",
        "rules",
    ),
)


def _slug_inputs(_: Settings, draw: Draw) -> list[Arguments]:
    inputs: list[Arguments] = [("",), ("   ",), ("!?",), ("42",), ("(2 + 2)",)]
    for count in (2, 3, 5, 16, 18, 20):
        words = [draw.pick(_WORDS) for _ in range(count)]
        words[draw.below(count)] += draw.pick(("!", "?", " &", ";", "'s"))
        words.insert(draw.below(2), draw.pick(("7", "v2", "2nd", "No.5")))
        inputs.append((draw.pick((" ", "  ")).join(words),))
    return [*inputs, ("A (b) C-3",), ("Tom's 2 cats",), (" x1 ",)]


SLUG = Family(
    names=("file_name", "page_name", "short_title"),
    parameters="text",
    wordings=(
        "I want to make names for pages out of titles that people type. Blanks become something else and names that "
        "are too long are cut. Please write the Python function; several blanks in a row count as one.",
        "Can you write a function that turns a free text into a tidy name for a file? It should treat blanks, unwanted "
        "characters and very long texts in a sensible way. Several blanks in a row count as one.",
    ),
    template="""
        text = $kept
        name = $joiner.join(text.split())
        if not name:
            return $nothing
        if len(name) > $limit:
            name = $cut
        return $case
    """,
    choices=(
        pick(
            "kept",
            "which characters are dropped",
            (
                "''.join(c for c in text if c.isalnum() or c == ' ')",
                "Keep only letters, digits and blanks; all other characters are dropped.",
                "Drop everything that is no letter, digit or blank.",
            ),
            (
                "''.join(c for c in text if c.isalpha() or c == ' ')",
                "Keep only letters and blanks; digits are dropped too.",
                "Drop digits and signs, only letters and blanks stay.",
            ),
            (
                "''.join(c for c in text if not c.isdigit())",
                "Drop the digits and keep all other characters.",
                "Only digits are dropped, signs such as commas stay.",
            ),
            topics="punctuation special characters symbols unwanted removed remove",
        ),
        word("joiner", "the character that replaces blanks", ("-", "_", ".", "+"), "separator join blank space spaces"),
        number("limit", "the maximum length", range(12, 62), " characters", topics="long longest limit cut"),
        pick(
            "cut",
            "how a cut is marked",
            ("name[:$limit]", "Nothing is appended to a cut name.", "A cut name gets no mark at its end."),
            (
                "name[:$limit] + '...'",
                "Append three dots after the cut; they come on top of the maximum length.",
                "A cut name gets three dots at its end, in addition to the maximum length.",
            ),
            (
                "name[:$limit - 1] + '~'",
                "Append a tilde (~) to a cut name, so that it has the maximum length with the tilde.",
                "A cut name ends with a tilde (~) that is part of the maximum length.",
            ),
            topics="ellipsis dots append mark shortened truncated end",
        ),
        letter_case("name", "the name"),
        instead("nothing", "nothing is left of the text", ("untitled", "none", "unknown", "empty"), "empty"),
    ),
    inputs=_slug_inputs,
    indifferent=(no_preference("accents", "accented letters", "accents accent umlaut unicode"),),
)


def _mask_inputs(s: Settings, draw: Draw) -> list[Arguments]:
    def digits(count: int) -> str:
        return "".join(str(draw.below(10)) for _ in range(count))

    inputs: list[Arguments] = [(digits(count),) for count in (s["shown"] - 1, s["shown"], s["shown"] + 1)]
    inputs += [(digits(count),) for count in (14, 15, 17, 20)]
    inputs += [(f"{digits(4)}-{digits(4)}-{digits(4)}",), (f"{digits(3)}-{digits(8)}-{digits(1)}",)]
    return [*inputs, (f"{digits(2)}-{digits(9)}-{digits(4)}",), (f"{digits(1)}-{digits(2)}-{digits(9)}",), ("12-3",)]


MASK = Family(
    names=("mask_number", "hide_digits", "hidden_account"),
    parameters="number",
    wordings=(
        "Account numbers come as text, sometimes with dashes in between. Please write a Python function that hides "
        "most of a number before it is printed, and leaves a part readable.",
        "For our receipts I need a function that masks a card number given as a text of digits, now and then with "
        "dashes. A few characters stay visible so that people recognise it.",
    ),
    template="""
        $dashes
        if len(number) <= $shown:
            return $short
        hidden = $mark * $count
        return $side
    """,
    choices=(
        number(
            "shown", "the number of characters that stay visible", range(2, 9), topics="visible readable shown digits"
        ),
        word("mark", "the masking character", ("*", "#", "x", "-", "?", "."), "mask hide hidden symbol star character"),
        pick(
            "side",
            "which end stays visible",
            ("hidden + $gap + number[-$shown:]", "The last characters stay visible.", "Show the end of the number."),
            ("number[:$shown] + $gap + hidden", "The first characters stay visible.", "Show the start of the number."),
            topics="end start first last beginning which side",
        ),
        word(
            "gap",
            "the separator between the masked and the readable part",
            (" ", "/", ":", "|"),
            "between gap separator",
        ),
        pick(
            "count",
            "how many masking characters there are",
            (
                "(len(number) - $shown)",
                "There is one masking character for each hidden one.",
                "Put as many masking characters as are hidden.",
            ),
            ("4", "There are always 4 masking characters.", "Put exactly 4 masking characters, always."),
            ("8", "There are always 8 masking characters.", "Put exactly 8 masking characters, always."),
            topics="many length fixed amount",
        ),
        pick(
            "short",
            "a number too short to hide anything",
            ("number", "A number that is too short is returned unchanged.", "Return a too short number as it is."),
            (
                "$mark * len(number)",
                "A number that is too short is masked completely.",
                "Mask a too short number in full.",
            ),
            ("'too short'", 'For a number that is too short return "too short".', 'Too short gives "too short" back.'),
            ("''", "For a number that is too short return an empty text.", "Too short gives an empty text back."),
            topics="short shorter few edge invalid",
        ),
        pick(
            "dashes",
            "dashes in the number",
            (
                "number = number.replace('-', '')",
                "Remove dashes from the number first.",
                "Dashes are taken out at once.",
            ),
            ("", "Dashes are treated like any other character.", "Leave dashes in, they count as characters."),
            topics="dash dashes hyphen hyphens",
        ),
    ),
    inputs=_mask_inputs,
    indifferent=(no_preference("checksum", "whether the number is a valid one", "checksum valid validity check"),),
)

_FIRST = ("Alexandra", "Benjamin", "Charlotte", "Dominique", "Elizabeth", "Frederick", "Genevieve", "Christopher")
_LAST = ("Montgomery", "Featherstone", "Whittaker", "Blackwood", "Underwood", "Harrington", "Castellano", "Abernathy")


def _user_inputs(_: Settings, draw: Draw) -> list[Arguments]:
    def year() -> int:
        return 1900 + draw.between(40, 99)

    inputs: list[Arguments] = [(draw.pick(_FIRST), draw.pick(_LAST), year()) for _ in range(6)]
    inputs += [(draw.pick("AEIOU"), draw.pick("BCDFG"), year()) for _ in range(2)]
    inputs += [(draw.pick(("Al", "Bo", "Cy")), draw.pick(("Li", "Ng", "Wu")), year()) for _ in range(2)]
    return [*inputs, (draw.pick(_FIRST), "Li", year()), ("Jo", draw.pick(_LAST), year())]


USER = Family(
    names=("make_username", "login_name", "account_name"),
    parameters="first, last, year",
    wordings=(
        "New members get a login made of parts of their first name, their last name and perhaps their year of birth. "
        "Names that come out too short are filled up. Can you write the Python function?",
        "Please write a function that builds a user name from first name, last name and birth year (a number). Short "
        "ones are filled up to a minimum length.",
    ),
    template="""
        name = $order
        name = $born
        return name.ljust($least, $filler)
    """,
    choices=(
        number("head", "the number of letters from the first name", range(2, 8), topics="first given many"),
        number("tail", "the number of letters from the last name", range(2, 9), topics="last family surname many"),
        word("joiner", "the character between the two names", (".", "_", "-", "~"), "between separator separate join"),
        pick(
            "order",
            "which of the two names comes first",
            (
                "first[:$head] + $joiner + last[:$tail]",
                "The first name comes before the last name.",
                "Start with the first name, then the last name.",
            ),
            (
                "last[:$tail] + $joiner + first[:$head]",
                "The last name comes before the first name.",
                "Start with the last name, then the first name.",
            ),
            topics="order before after sequence",
        ),
        letter_case("name", "the user name"),
        pick(
            "born",
            "how the year appears",
            (
                "$case + str(year)[-2:]",
                "Append the last two digits of the year.",
                "Only two digits of the year go at the end.",
            ),
            ("$case + str(year)", "Append the full year.", "All four digits of the year go at the end."),
            ("$case", "The year does not appear in it.", "Leave the year out."),
            topics="year birth digits born",
        ),
        number("least", "the minimum length", range(8, 20), " characters", topics="short shortest fill pad minimal"),
        word("filler", "the character that fills up short names", ("x", "0", "z", "9"), "fill filler pad padding"),
    ),
    inputs=_user_inputs,
    indifferent=(no_preference("taken", "names that are taken already", "taken unique duplicate exists"),),
)

_BANNED = ("admin", "qwerty", "letmein", "welcome", "monkey", "dragon", "master", "sunshine", "football", "princess")


def _password_inputs(s: Settings, draw: Draw) -> list[Arguments]:
    def letters(count: int) -> str:
        return "".join(draw.pick("bcdfghjkmnpqrtvwxz") for _ in range(count))

    short, long = s["least"] - 3, s["most"] - 3
    inputs: list[Arguments] = [("K7!" + letters(n),) for n in (short - 1, short, long, long + 1)]
    inputs += [(code + letters(10),) for code in ("k7!", "K!!", "K77", "k77", "kk!", "KK!", "Kkk")]
    inputs += [("K7!" + letters(4) + draw.pick((s["banned"], s["banned"].upper())) + letters(3),)]
    inputs += [("K7!" + letters(3) + banned + letters(2),) for banned in draw.some(_BANNED, 3)]
    return [*inputs, ("K7!" + letters(12),)]


PASSWORD = Family(
    names=("check_password", "password_verdict", "rate_password"),
    parameters="password",
    wordings=(
        "Please write a Python function that says whether a password is acceptable: neither too short nor too long, "
        "with certain kinds of characters, and without one word that everybody uses, in whatever case it is typed.",
        "I need a password check for my site. It looks at the length, at what kinds of characters there are, and at "
        "one forbidden word (whether in upper or lower case). Can you write the function?",
    ),
    template="""
        good, bad = $verdicts
        if len(password) < $least or len(password) > $most:
            return bad
        if $banned in password.lower():
            return bad
        return good if $needs else bad
    """,
    choices=(
        number("least", "the minimum length", range(6, 13), " characters", topics="short shortest least minimal"),
        number("most", "the maximum length", range(24, 64), " characters", topics="long longest most maximal"),
        word("banned", "the forbidden word", _BANNED, "forbidden banned common disallowed"),
        pick(
            "needs",
            "the kinds of characters it must contain",
            (
                "any(c.isdigit() for c in password) and any(c.isupper() for c in password)",
                "It must contain a digit and a capital letter.",
                "At least one digit and one capital letter are needed, signs are not.",
            ),
            (
                "any(c.isdigit() for c in password) and any(not c.isalnum() for c in password)",
                "It must contain a digit and a sign that is neither letter nor digit.",
                "At least one digit and one special sign are needed, capitals are not.",
            ),
            (
                "any(c.isupper() for c in password) and any(not c.isalnum() for c in password)",
                "It must contain a capital letter and a sign that is neither letter nor digit.",
                "At least one capital letter and one special sign are needed, digits are not.",
            ),
            topics="digit digits capital uppercase symbol special sign required characters contain",
        ),
        pick(
            "verdicts",
            "what is returned",
            ("True, False", "Return True for a good password, otherwise False.", "It gives True if fine, else False."),
            (
                "'accepted', 'rejected'",
                'Return "accepted" or "rejected".',
                'It says "accepted" if fine, else "rejected".',
            ),
            ("'strong', 'weak'", 'Return "strong" or "weak".', 'It says "strong" if fine, else "weak".'),
            ("'yes', 'no'", 'Return "yes" or "no".', 'It says "yes" if fine, else "no".'),
            topics="return output result verdict form label",
        ),
    ),
    inputs=_password_inputs,
    indifferent=(no_preference("blanks", "blanks in the password", "blank blanks space spaces whitespace"),),
)

TEXT_FAMILIES = (SLUG, MASK, USER, PASSWORD)
