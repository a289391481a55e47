"""Calls of functions and methods in words."""

from __future__ import annotations

import ast

from colbench_gym.humans.program.verbalizer.libraries import Speaker, say_library
from colbench_gym.humans.program.verbalizer.syntax import ATOM, keyword_in
from colbench_gym.humans.program.verbalizer.wording import listing, name_words, the

_ONE = ast.dump(ast.Constant(1))


_ONE_ARGUMENT = {
    "abs": "the absolute value of {}",
    "all": "whether all of {} are true",
    "any": "whether any of {} is true",
    "bool": "{} as True or False",
    "ceil": "{} rounded up to a whole number",
    "chr": "the character with the code {}",
    "copy": "a copy of {}",
    "deepcopy": "a full copy of {}",
    "dict": "{} as a dictionary",
    "enumerate": "{} with their positions",
    "exp": "e to the power of {}",
    "factorial": "the factorial of {}",
    "float": "{} as a number with decimals",
    "floor": "{} rounded down to a whole number",
    "frozenset": "the distinct items of {}",
    "int": "{} as a whole number (decimals cut off)",
    "iter": "{}",
    "len": "the length of {}",
    "list": "{} as a list",
    "log": "the natural logarithm of {}",
    "log10": "the decimal logarithm of {}",
    "max": "the largest of {}",
    "mean": "the average of {}",
    "median": "the median of {}",
    "min": "the smallest of {}",
    "mode": "the most common of {}",
    "next": "the next of {}",
    "ord": "the character code of {}",
    "prod": "the product of {}",
    "repr": "{} as Python shows it",
    "reversed": "{} in reverse order",
    "round": "{} rounded to the nearest whole number",
    "set": "the distinct items of {}",
    "sorted": "{} in ascending order",
    "sqrt": "the square root of {}",
    "stdev": "the sample standard deviation of {}",
    "str": "{} as text",
    "sum": "the sum of {}",
    "tuple": "{} as a tuple",
    "type": "the type of {}",
    "Counter": "how often each item occurs in {}",
}
_NO_ARGUMENT = {
    "dict": "an empty dictionary",
    "list": "an empty list",
    "set": "an empty set",
    "tuple": "an empty tuple",
    "str": "an empty string",
    "int": "zero",
    "float": "zero",
    "Counter": "an empty count",
    "random": "a random number below one",
}
_METHODS = {
    "capitalize": "{} with only its first letter in upper case",
    "casefold": "{} in lower case",
    "copy": "a copy of {}",
    "isalnum": "whether {} has only letters and digits",
    "isalpha": "whether {} has only letters",
    "isdigit": "whether {} has only digits",
    "islower": "whether {} is in lower case",
    "isnumeric": "whether {} is numeric",
    "isspace": "whether {} is only blanks",
    "isupper": "whether {} is in upper case",
    "items": "the entries of {}",
    "keys": "the keys of {}",
    "lower": "{} in lower case",
    "lstrip": "{} without blanks at its start",
    "pop": "the last item taken off {}",
    "rstrip": "{} without blanks at its end",
    "split": "the words of {}",
    "splitlines": "the lines of {}",
    "strip": "{} without blanks around it",
    "swapcase": "{} with upper and lower case swapped",
    "title": "{} with each word capitalised",
    "upper": "{} in upper case",
    "values": "the values of {}",
}
_METHODS_WITH_ARGUMENT = {
    "count": "how often {1} occurs in {0}",
    "difference": "the items of {0} that are not in {1}",
    "endswith": "whether {0} ends with {1}",
    "extend": "{0} with the items of {1} added",
    "find": "the position of {1} in {0}",
    "index": "the position of {1} in {0}",
    "intersection": "the items that {0} and {1} share",
    "issubset": "whether all items of {0} are in {1}",
    "issuperset": "whether {0} has all items of {1}",
    "join": "{1} joined with {0} between them",
    "lstrip": "{0} without {1} at its start",
    "pop": "the item {1} taken out of {0}",
    "removeprefix": "{0} without {1} at its start",
    "removesuffix": "{0} without {1} at its end",
    "rsplit": "{0} split at {1}",
    "rstrip": "{0} without {1} at its end",
    "split": "{0} split at {1}",
    "startswith": "whether {0} starts with {1}",
    "strip": "{0} without {1} around it",
    "union": "the items of {0} and {1} together",
    "zfill": "{0} filled up with zeros to {1} characters",
    "replace": "{0} with {1} replaced by {2}",
    "choice": "a random choice from {1}",
}


_LIBRARY = {
    ("corrcoef", 2): "the Pearson correlation coefficients of {0} and {1}",
    ("pearsonr", 2): "the Pearson correlation of {0} and {1}",
    ("urljoin", 2): "{1} resolved against {0} as a browser resolves a relative link",
    ("urlencode", 1): "{0} URL-encoded as a query string",
    ("quote", 1): "{0} URL-encoded",
    ("dumps", 1): "{0} as JSON text",
    ("loads", 1): "what the JSON text {0} holds",
    ("std", 1): "the standard deviation of {0}",
    ("pstdev", 1): "the population standard deviation of {0}",
    ("variance", 1): "the sample variance of {0}",
    ("radians", 1): "{0} in radians",
    ("degrees", 1): "{0} in degrees",
    ("sin", 1): "the sine of {0}",
    ("cos", 1): "the cosine of {0}",
    ("tan", 1): "the tangent of {0}",
    ("asin", 1): "the arcsine of {0}",
    ("acos", 1): "the arccosine of {0}",
    ("atan", 1): "the arctangent of {0}",
    ("atan2", 2): "the angle of the point {1} across and {0} up",
    ("hypot", 2): "the straight-line distance of sides {0} and {1}",
    ("log2", 1): "the binary logarithm of {0}",
    ("gcd", 2): "the greatest common divisor of {0} and {1}",
    ("lcm", 2): "the least common multiple of {0} and {1}",
    ("divmod", 2): "how often {1} goes into {0}, and the remainder",
}


def say_call(speaker: Speaker, node: ast.Call) -> str:
    """A call as a noun phrase."""
    known = say_library(speaker, node)
    if known:
        return known
    arguments = [argument for argument in node.args if not isinstance(argument, ast.Starred)]
    starred = len(arguments) != len(node.args)
    if isinstance(node.func, ast.Name) and not starred:
        told = _function(speaker, node.func.id, arguments, node.keywords)
        if told:
            return told
    if isinstance(node.func, ast.Attribute) and not starred:
        told = _method(speaker, node.func, arguments, node.keywords)
        if told:
            return told
    return _unknown(speaker, node)


def _function(speaker: Speaker, name: str, arguments: list[ast.expr], keywords: list[ast.keyword]) -> str | None:
    if name in ("sum", "any", "all", "max", "min", "len", "set", "list", "tuple", "sorted", "dict") and arguments:
        told = _over_comprehension(speaker, name, arguments)
        if told and not keywords:
            return told
    if name in ("max", "min", "sorted") and arguments and keywords:
        return _by_key(speaker, name, arguments, keywords)
    if keywords:
        return None
    if name == "round" and len(arguments) == 2:
        return f"{speaker.say(arguments[0], ATOM)} rounded to {decimals(speaker, arguments[1])}"
    if name == "range":
        return _range(speaker, arguments)
    if name == "zip" and arguments:
        return f"{listing([speaker.say(argument, ATOM) for argument in arguments])} taken side by side"
    if name == "isinstance" and len(arguments) == 2:
        return f"whether {speaker.condition(ast.Call(ast.Name(name), arguments, []))}"
    if name in ("max", "min") and len(arguments) > 1:
        return f"the {'larger' if name == 'max' else 'smaller'} of {_all(speaker, arguments)}"
    if name == "sum" and len(arguments) == 2:
        return f"the sum of {speaker.say(arguments[0], ATOM)} on top of {speaker.say(arguments[1], ATOM)}"
    if name == "pow" and len(arguments) == 2:
        return f"{speaker.say(arguments[0], ATOM)} to the power of {speaker.say(arguments[1], ATOM)}"
    if name == "map" and len(arguments) == 2:
        return f"{_applied(speaker, arguments[0])} for each of {speaker.say(arguments[1], ATOM)}"
    if name == "filter" and len(arguments) == 2:
        return f"the items of {speaker.say(arguments[1], ATOM)} for which {_applied(speaker, arguments[0])} holds"
    if name == "getattr" and len(arguments) >= 2:
        fallback = f", or {speaker.say(arguments[2])} without it" if len(arguments) == 3 else ""
        return f"the field {speaker.say(arguments[1], ATOM)} of {speaker.say(arguments[0], ATOM)}{fallback}"
    return _well_known(speaker, name, arguments) or _from_tables(speaker, name, arguments)


def _well_known(speaker: Speaker, name: str, arguments: list[ast.expr]) -> str | None:
    """Name what a function of a library is known for."""
    template = _LIBRARY.get((name, len(arguments)))
    if template is None:
        return None
    for place, argument in enumerate(arguments):
        template = template.replace(f"{{{place}}}", speaker.say(argument, ATOM))
    return template


def _from_tables(speaker: Speaker, name: str, arguments: list[ast.expr]) -> str | None:
    if not arguments:
        return _NO_ARGUMENT.get(name)
    if len(arguments) == 1 and name in _ONE_ARGUMENT:
        return _ONE_ARGUMENT[name].replace("{}", speaker.say(arguments[0], ATOM))
    return None


def say_list(speaker: Speaker, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, level: int) -> str:
    """Return a comprehension as a noun phrase; one that chooses between two elements names the loop first."""
    kind = "the distinct values of" if isinstance(node, ast.SetComp) else "a list of"
    loops = speaker.each(node.generators)
    if ast.unparse(node.elt) == ast.unparse(node.generators[-1].target):
        return f"{kind} {loops}"
    filled = _none_replaced(node)
    if filled is not None and not isinstance(node, ast.SetComp):
        return f"{speaker.say(node.generators[0].iter, ATOM)} with {speaker.say(filled, ATOM)} in place of each None"
    if isinstance(node.elt, ast.IfExp):  # in the other order it would be code read aloud
        return f"{kind} one element for {loops}, namely {speaker.say(node.elt)}"
    return f"{kind} {speaker.say(node.elt, level)} for {loops}"


def _none_replaced(node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> ast.expr | None:
    """Return the 0 of ``[0 if value is None else value for value in values]``; None for other loops."""
    choice, loop = node.elt, node.generators[0]
    if not isinstance(choice, ast.IfExp) or len(node.generators) > 1 or loop.ifs:
        return None
    each = ast.unparse(loop.target)
    is_none = ast.unparse(choice.test) == f"{each} is None" and ast.unparse(choice.orelse) == each
    return choice.body if is_none else None


def _over_comprehension(speaker: Speaker, name: str, arguments: list[ast.expr]) -> str | None:
    over = arguments[0]
    if len(arguments) != 1 or not isinstance(over, (ast.GeneratorExp, ast.ListComp)):
        return None
    loops = speaker.each(over.generators)
    if name in ("any", "all"):
        quantity = "at least one" if name == "any" else "every"
        return f"whether {speaker.condition(over.elt)} for {quantity}{loops.removeprefix('each')}"
    if name == "sum" and isinstance(over.elt, ast.Constant) and over.elt.value == 1:
        return f"the number of {loops.removeprefix('each ')}"
    element = speaker.say(over.elt, ATOM)
    word = {"sum": "the sum of", "max": "the largest of", "min": "the smallest of", "len": "the number of"}.get(name)
    if word:
        return f"{word} {element} for {loops}"
    if name == "set":
        return f"the distinct values of {element} for {loops}"
    if name == "sorted":
        return f"a list of {element} for {loops}, in ascending order"
    return None


def sort_order(speaker: Speaker, keywords: list[ast.keyword]) -> str:
    """Return how a sort orders: by what, and which way."""
    key, reverse = keyword_in(keywords, "key"), keyword_in(keywords, "reverse")
    by = f" by {_applied(speaker, key)}" if key is not None else ""
    if reverse is None or (isinstance(reverse, ast.Constant) and not reverse.value):
        return f"{by}, from lowest to highest"
    if isinstance(reverse, ast.Constant):
        return f"{by}, from highest to lowest"
    return f"{by}, from highest to lowest if {speaker.condition(reverse)}"


def _by_key(speaker: Speaker, name: str, arguments: list[ast.expr], keywords: list[ast.keyword]) -> str:
    subject = speaker.say(arguments[0], ATOM) if len(arguments) == 1 else _all(speaker, arguments)
    if name == "sorted":
        return f"{subject} sorted{sort_order(speaker, keywords)}"
    key, default = keyword_in(keywords, "key"), keyword_in(keywords, "default")
    size = "largest" if name == "max" else "smallest"
    told = f"the {size} of {subject}" if key is None else f"the one of {subject} with the {size} {_bare(speaker, key)}"
    return told if default is None else f"{told} (or {speaker.say(default)} when there are none)"


def _bare(speaker: Speaker, key: ast.expr) -> str:
    return _applied(speaker, key).removeprefix("the ")


def _applied(speaker: Speaker, function: ast.expr) -> str:
    """Return what a function given as a value makes of an item."""
    if isinstance(function, ast.Lambda):
        return speaker.say(function.body, 1)
    if isinstance(function, ast.Name):
        known = _ONE_ARGUMENT.get(function.id)
        return known.format("it") if known else f"what {name_words(function.id)} gives"
    if isinstance(function, ast.Attribute):
        if function.attr == "get":
            return f"the value in {speaker.say(function.value, ATOM)}"
        known = _METHODS.get(function.attr)
        return known.format("it") if known else f"its {name_words(function.attr)}"
    return speaker.say(function, ATOM)


def _range(speaker: Speaker, arguments: list[ast.expr]) -> str | None:
    if len(arguments) == 1:
        size = arguments[0]
        if isinstance(size, ast.Call) and isinstance(size.func, ast.Name) and size.func.id == "len" and size.args:
            return f"the positions of {speaker.say(size.args[0], ATOM)}"
        return f"the whole numbers from zero to just below {speaker.say(size, ATOM)}"
    if len(arguments) in (2, 3):
        start, end = speaker.say(arguments[0], ATOM), f"to just below {speaker.say(arguments[1], ATOM)}"
        last = arguments[1]
        if isinstance(last, ast.BinOp) and ast.dump(last.right) == _ONE and isinstance(last.op, ast.Add):
            end = f"up to and including {speaker.say(last.left, ATOM)}"
        step = f" in steps of {speaker.say(arguments[2], ATOM)}" if len(arguments) == 3 else ""
        return f"the whole numbers from {start} {end}{step}"
    return None


def decimals(speaker: Speaker, digits: ast.expr) -> str:
    """The second argument of ``round`` in words."""
    if isinstance(digits, ast.Constant) and digits.value == 1:
        return "1 decimal"
    return f"{speaker.say(digits, ATOM)} decimals"


def _all(speaker: Speaker, arguments: list[ast.expr]) -> str:
    return listing([speaker.say(argument, ATOM) for argument in arguments])


def _method(
    speaker: Speaker, function: ast.Attribute, arguments: list[ast.expr], keywords: list[ast.keyword]
) -> str | None:
    name, owner = function.attr, function.value
    if keywords:
        return None
    if name in ("get", "setdefault") and arguments:
        told = f"the value for {speaker.say(arguments[0], ATOM)} in {speaker.say(owner, ATOM)}"
        if len(arguments) == 2:
            return f"{told} ({speaker.say(arguments[1])} if there is none)"
        return f"{told} (None if there is none)" if name == "get" else told
    if not arguments and name in _METHODS:
        return _METHODS[name].replace("{}", speaker.say(owner, ATOM))
    template = _METHODS_WITH_ARGUMENT.get(name)
    if template and template.count("{") <= len(arguments) + 1 and len(arguments) < 3:
        if template.count("{") < len(arguments) + 1 - ("{0}" not in template):
            return None
        parts = [speaker.say(owner, ATOM), *(speaker.say(argument, ATOM) for argument in arguments)]
        for position in range(len(parts)):
            template = template.replace(f"{{{position}}}", f"\0{position}\0")
        for position, text in enumerate(parts):
            template = template.replace(f"\0{position}\0", text)
        return template
    if isinstance(owner, ast.Name):  # a function of a module: math.sqrt, np.mean
        return _well_known(speaker, name, arguments) or _from_tables(speaker, name, arguments)
    return None


def _unknown(speaker: Speaker, node: ast.Call) -> str:
    given = [speaker.say(argument, ATOM) for argument in node.args]
    given += [f"{speaker.say(k.value, ATOM)} as {name_words(k.arg)}" if k.arg else "more" for k in node.keywords]
    for_what = f" for {listing(given)}" if given else ""
    if isinstance(node.func, ast.Name):
        return f"what {name_words(node.func.id)} gives{for_what}"
    if isinstance(node.func, ast.Attribute):
        owner = the(node.func.value.id) if isinstance(node.func.value, ast.Name) else speaker.say(node.func.value, ATOM)
        return f"what {name_words(node.func.attr)} of {owner} gives{for_what}"
    return f"what {speaker.say(node.func, ATOM)} gives{for_what}"
