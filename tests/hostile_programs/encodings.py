"""Texts in place of results, made to cost the reader of results more than they cost the writer."""

from __future__ import annotations

from .attack import Attack

_FORGE = """
def forge(text):
    frame = sys._getframe()
    while frame is not None:
        if "encode" in frame.f_globals and "write_all" in frame.f_globals:
            frame.f_globals["encode"] = lambda value, room: text.encode() if isinstance(text, str) else text
        frame = frame.f_back

def full(piece):
    return "[" + ",".join([piece] * (((1 << 20) - 2) // (len(piece) + 1))) + "]"
"""


def _forged(name: str, tries: str, text: str) -> Attack:
    """An attack whose every result is the text that the expression ``text`` gives."""
    return Attack(name, tries, f"{_FORGE}\nTEXT = {text}\n\ndef solve(n):\n    forge(TEXT)\n    return n\n")


ATTACKS = (
    _forged("items-of-no-size", "Claims four thousand million empty strings.", """'{"array":["<U0","",4000000000]}'"""),
    _forged("bytes-of-no-size", "Claims 2**60 empty byte strings.", """'{"array":["|S0","",%d]}' % (1 << 60)"""),
    _forged(
        "leading-zero-size", "Spells an item size of nothing with zeros.", """'{"array":["|S0000000","",9999999]}'"""
    ),
    _forged("largest-items", "Claims items of 40 MB each.", """full('{"array":["<U9999999","",0]}')"""),
    _forged(
        "shape-over-data", "Claims a shape of a terabyte over one byte.", """'{"array":["|b1","01",1099511627776]}'"""
    ),
    _forged(
        "shape-with-a-zero",
        "Hides sizes beyond any integer behind a dimension of zero.",
        """'{"array":["|b1","",0,%d,%d]}' % (1 << 64, 1 << 200)""",
    ),
    _forged("many-dimensions", "Claims a thousand dimensions.", """'{"array":["|b1","01"' + ",1" * 1000 + "]}\""""),
    _forged(
        "dimensions-of-digits",
        "Claims dimensions of 3,900 digits.",
        """full('{"array":["|b1","",' + "9" * 3900 + "]}")""",
    ),
    _forged("deques", "Fills every result with empty deques, of 700 bytes each.", """full('{"deque":[]}')"""),
    _forged(
        "deques-in-deques",
        "Nests deques as deep as is allowed, over and over.",
        """full('{"deque":[' * 150 + "]}" * 150)""",
    ),
    _forged("sets", "Fills every result with empty sets.", """full('{"set":[]}')"""),
    _forged("dictionaries", "Fills every result with dictionaries of one entry.", """full('{"dict":[1,2]}')"""),
    _forged("empty-lists", "Fills every result with empty lists, three bytes each.", """full("[]")"""),
    _forged(
        "moments", "Fills every result with moments in a time zone.", """full('{"datetime":[1,1,1,1,1,1,1,0,0,1,1]}')"""
    ),
    _forged("objects", "Fills every result with arrays of one object.", """full('{"objects":[[1],[1]]}')"""),
    _forged(
        "wide-text",
        "Makes a text of a million letters wide by one picture.",
        r"""'"' + "a" * 1000000 + '\\ud83d\\ude00"'""",
    ),
    _forged(
        "long-ranges",
        "Claims ranges whose length takes a long division.",
        """full('{"range":[0,{"int":"%s"},{"int":"%s"}]}' % ("f" * 32000, "3" * 16000))""",
    ),
    _forged(
        "long-fractions",
        "Claims fractions that take long to reduce.",
        """full('{"fraction":[{"int":"%s"},{"int":"%s"}]}' % ("f" * 4000, "e" * 4000))""",
    ),
    _forged(
        "decimals",
        "Claims decimals of 40,000 digits with exponents.",
        """full('{"decimal":["%sE+900000"]}' % ("9" * 39000))""",
    ),
    _forged(
        "long-times",
        "Claims a million times with units of 999,999,999 years.",
        """'{"array":["<M8[999999999Y]","' + "7f" * 400000 + '",50000]}'""",
    ),
    _forged(
        "half-characters",
        "Claims strings of code points that do not exist.",
        """'{"array":["<U1","' + "ffffff7f" * 60000 + '",60000]}'""",
    ),
    _forged(
        "spaced-bytes", "Puts white space between the digits of bytes.", """'{"bytes":"' + "00 " * 300000 + '"}'"""
    ),
    _forged(
        "builtins-by-name",
        "Names builtins that are no classes, and names with code in them.",
        """'[{"type":["builtins","eval"]},{"type":["os","system(1)"]}]'""",
    ),
    _forged("two-tags", "Gives one value two tags.", """'{"tuple":[1],"list":[2]}'"""),
    _forged(
        "collisions-in-tuples",
        "Fills a set with long tuples of -1 and -2, whose hashes collide.",
        """'{"set":[' + ",".join('{"tuple":[' + ",".join(str(-1 - (k >> b & 1)) for b in range(5)) + "]}" for k in range(32)) + "]}\"""",
    ),
    _forged("unfinished-strings", "Fills a result with quotes that are never closed.", """'["' * 500000"""),
    _forged("escapes", "Fills a result with backslashes.", r"""'"' + "\\\\" * 500000 + '"'"""),
    _forged("mark-before", "Puts a byte order mark and white space around a value.", """"\\ufeff  1  \\n" """),
    _forged(
        "nan-keys",
        "Fills a set with 200,000 NaN, each unlike the others.",
        """'{"set":[' + ",".join(["NaN"] * 200000) + "]}\"""",
    ),
    _forged("commas", "Sends commas and nothing else.", """"," * (1 << 20)"""),
)
