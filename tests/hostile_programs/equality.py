"""Values that claim to equal anything, or that run code where they are decoded or compared."""

from __future__ import annotations

from .attack import Attack

_ALWAYS = """
class Always:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __hash__(self): return 0
    def __bool__(self): return True
"""

ATTACKS = (
    Attack(
        "equal-to-all",
        "Returns an object that equals everything.",
        _ALWAYS + "def solve(n): return Always()",
    ),
    Attack(
        "equal-text",
        "Returns a subclass of str that equals everything.",
        """
class Text(str):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    __hash__ = str.__hash__
def solve(n): return Text("wrong")
""",
    ),
    Attack(
        "equal-number",
        "Returns a subclass of int, of float and of complex that equal everything.",
        """
def equal(base):
    return type("Number", (base,), {"__eq__": lambda s, o: True, "__ne__": lambda s, o: False, "__hash__": base.__hash__})
def solve(n): return equal((int, float, complex)[n % 3])(7)
""",
    ),
    Attack(
        "equal-containers",
        "Returns subclasses of list, tuple, dict and set that equal everything.",
        """
def equal(base):
    return type("Container", (base,), {"__eq__": lambda s, o: True, "__ne__": lambda s, o: False, "__hash__": None,
                                       "__len__": lambda s: 64, "__contains__": lambda s, o: True})
def solve(n): return equal((list, tuple, dict, set, frozenset, bytes)[n % 6])()
""",
    ),
    Attack(
        "equal-inside",
        "Hides an object that equals everything inside ordinary containers.",
        _ALWAYS + "def solve(n): return [[Always()], (Always(),), {Always(): Always()}, {Always()}][n % 4]",
    ),
    Attack(
        "reflected",
        "Returns a subclass of the expected type, so that its reflected comparison is asked first.",
        """
class Reflected(str):
    def __eq__(self, other): return True
    def __req__(self, other): return True
    def __hash__(self): return hash("")
    def __len__(self): return 64
    def __iter__(self): return iter("")
def solve(n): return Reflected()
""",
    ),
    Attack(
        "any-of-mock",
        "Returns unittest.mock.ANY.",
        """
from unittest.mock import ANY
def solve(n): return [ANY, [ANY], (ANY,)][n % 3]
""",
    ),
    Attack(
        "class-that-equals",
        "Returns a class whose metaclass equals everything and is an instance of everything.",
        """
class Meta(type):
    def __eq__(cls, other): return True
    def __hash__(cls): return 0
    def __instancecheck__(cls, item): return True
    def __subclasscheck__(cls, item): return True
class Any(metaclass=Meta): pass
def solve(n): return [Any, Any()][n % 2]
""",
    ),
    Attack(
        "lying-class",
        "Returns an object whose __class__ says that it is a string, a number, an array.",
        """
def lying(kind):
    return type("Liar", (), {"__class__": property(lambda self: kind), "__eq__": lambda s, o: True, "__hash__": None})()
def solve(n): return lying((str, int, float, list, dict, type)[n % 6])
""",
    ),
    Attack(
        "empty-array",
        "Returns an array without elements, which compares equal to anything under all().",
        """
import numpy
def solve(n):
    return [numpy.array([]), numpy.zeros((0, 64)), numpy.array([], dtype="U64"), numpy.ma.masked][n % 4]
""",
    ),
    Attack(
        "array-of-objects",
        "Returns arrays of objects and a subclass of array that compare equal to anything.",
        _ALWAYS
        + """
import numpy
class Array(numpy.ndarray):
    def __eq__(self, other): return numpy.array([True])
def solve(n):
    return [numpy.array([Always()], dtype=object), numpy.zeros(1).view(Array), numpy.array(Always(), dtype=object)][n % 3]
""",
    ),
    Attack(
        "false-numpy",
        "Returns objects of classes that are named like those of numpy and datetime.",
        """
def named(module, name):
    body = {"__module__": module, "__eq__": lambda s, o: True, "__hash__": None, "dtype": "U64", "shape": (), "tolist":
            lambda s: s, "item": lambda s: s, "__array__": lambda s, *a: s, "isoformat": lambda s: s}
    return type(name, (), body)()
def solve(n):
    return named(*[("numpy", "ndarray"), ("numpy", "str_"), ("datetime", "datetime"), ("builtins", "str"), ("numpy", "bool_")][n % 5])
""",
    ),
    Attack(
        "broadcast",
        "Returns arrays, NaN and odd truth values that careless comparison takes for equal.",
        """
import numpy
def solve(n):
    return [numpy.True_, float("nan"), numpy.nan, NotImplemented, Ellipsis, True, 1, numpy.array(True), None, ""][n]
""",
    ),
    Attack(
        "nothing-at-all",
        "Returns None everywhere, which the official grader never compares.",
        "def solve(n): return None",
    ),
    Attack(
        "reduce-to-code",
        "Returns an object that runs code when it is unpickled by the grader.",
        """
class Load:
    def __reduce__(self): return (exec, ("open('@PROJECT@/pwned', 'w').write('x')",))
    def __reduce_ex__(self, protocol): return self.__reduce__()
    def __getstate__(self): return {}
def solve(n): return [Load(), [Load()], {"a": Load()}][n % 3]
""",
    ),
    Attack(
        "pickle-and-marshal-bytes",
        "Returns the bytes of a pickle and of marshalled code, in case somebody loads what looks like one.",
        """
import marshal, pickle
class Load:
    def __reduce__(self): return (exec, ("open('@PROJECT@/pwned', 'w').write('x')",))
def solve(n): return [pickle.dumps(Load()), marshal.dumps(compile("1", "", "eval")), "c__builtin__\\nexec\\n(S'1'\\ntR."][n % 3]
""",
    ),
    Attack(
        "tagged-data",
        "Returns data that looks like the tags of a wire format, to be decoded as something else.",
        """
def solve(n):
    inner = "open('@PROJECT@/pwned', 'w')"
    return [{"__type__": "eval", "value": inner}, ["type", "builtins.object"], ["tuple", []], {"t": "set", "v": [1]},
            {"py/object": "os.system", "py/reduce": [inner]}, {"!": "python/object/apply:os.system"}, ("returned", True),
            {"status": "passed", "value": True}, [["t", "passed"]], "!!python/object/apply:os.getcwd []"][n]
""",
    ),
    Attack(
        "replaced-encoder",
        "Finds the worker's encoder among modules, frames and the collector, and replaces it by its own.",
        """
import gc, types
def solve(n):
    for item in gc.get_objects():
        if isinstance(item, types.FunctionType) and item.__name__ not in ("solve", "forged"):
            words = ("encode", "dump", "write", "send", "pack", "frame", "value", "outcome")
            if any(word in item.__name__.lower() for word in words) and item.__code__.co_argcount:
                try:
                    item.__globals__[item.__name__] = lambda *a, **k: b'{"status": "passed"}'
                except Exception:
                    pass
    return "wrong"
""",
        calls=4,
    ),
    Attack(
        "recompiled-encoder",
        "Changes the code objects of the worker's functions in place.",
        """
import gc, types
def forged(*a, **k): return b"passed"
def solve(n):
    for item in gc.get_objects():
        if isinstance(item, types.FunctionType) and item is not forged and "worker" in (item.__module__ or "") + item.__code__.co_filename:
            try:
                item.__code__ = forged.__code__
            except Exception:
                pass
    return "wrong"
""",
        calls=4,
    ),
    Attack(
        "replaced-calls",
        "Changes the list of calls in the worker's frames, so that easy calls are reported for the asked ones.",
        """
def solve(n):
    frame = sys._getframe()
    while frame:
        for value in list(frame.f_locals.values()):
            if isinstance(value, list) and value and all(isinstance(v, str) for v in value):
                value[:] = ["'x'"] * 99
            if isinstance(value, dict) and "calls" in value:
                value["calls"] = ["'x'"] * 99
        frame = frame.f_back
    return "wrong"
""",
    ),
)
