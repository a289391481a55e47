"""Methods that Python calls on an answer's objects when nobody thinks of it."""

from __future__ import annotations

from .attack import Attack

_RETURNS = "\ndef solve(n): return Hostile()"

ATTACKS = (
    Attack(
        "repr-loops",
        "Returns an object whose repr never ends.",
        """
class Hostile:
    def __repr__(self):
        while True: pass
    __str__ = __format__ = __repr__
def solve(n): return Hostile()
""",
        calls=2,
    ),
    Attack(
        "repr-exits",
        "Returns an object whose repr ends the process.",
        """
class Hostile:
    def __repr__(self): os._exit(0)
    __str__ = __repr__
def solve(n): return Hostile()
""",
    ),
    Attack(
        "repr-is-long",
        "Returns an object whose repr has a gigabyte.",
        """
class Hostile:
    def __repr__(self): return 'x' * (1 << 30)
    __str__ = __repr__
def solve(n): return Hostile()
""",
        calls=2,
    ),
    Attack(
        "repr-is-a-number",
        "Returns an object whose repr, length and hash are of the wrong type.",
        """
class Hostile:
    def __repr__(self): return 7
    def __len__(self): return -1
    def __hash__(self): return 'x'
    def __bool__(self): return 'x'
    def __iter__(self): return 7
def solve(n): return Hostile()
""",
    ),
    Attack(
        "iterator-without-end",
        "Returns containers that never stop iterating.",
        """
import itertools
def endless(base):
    return type('Hostile', (base,), {'__iter__': lambda s: itertools.count(), 'items': lambda s: iter(lambda: (1, 1), 0), '__len__': lambda s: 1 << 60, 'keys': lambda s: itertools.count()})()
def solve(n): return endless((list, tuple, dict, set)[n % 4])
""",
        calls=4,
    ),
    Attack(
        "list-that-grows",
        "Returns a list that a thread makes longer while it is read.",
        """
def grow(items):
    while True: items.append(items)
def solve(n):
    items = [1]
    threading.Thread(target=grow, args=(items,), daemon=True).start()
    return items
""",
        calls=2,
    ),
    Attack(
        "changes-while-read",
        "Returns a dictionary whose values change the dictionary when they are looked at.",
        """
class Hostile(dict):
    def items(self):
        for i in range(10 ** 9):
            self[i] = i
            yield i, i
    def __getitem__(self, key): raise SystemExit(0)
    def __class_getitem__(cls, key): raise SystemExit(0)
def solve(n): return Hostile({n: 1})
""",
        calls=2,
    ),
    Attack(
        "attributes-exit",
        "Returns an object whose every attribute ends the process.",
        """
class Hostile:
    def __getattribute__(self, name): os._exit(0)
def solve(n): return Hostile()
""",
    ),
    Attack(
        "class-exits",
        "Returns an object whose __class__ ends the process.",
        """
class Hostile:
    @property
    def __class__(self): os._exit(0)
def solve(n): return Hostile()
""",
    ),
    Attack(
        "metaclass",
        "Returns a class whose metaclass ends the process on any question.",
        """
class Meta(type):
    def __getattribute__(cls, name): os._exit(0)
    def __hash__(cls): os._exit(0)
class Hostile(metaclass=Meta): pass
def solve(n): return Hostile
""",
    ),
    Attack(
        "delete",
        "Returns an object that loops, prints and exits when it is deleted.",
        """
class Hostile:
    def __del__(self):
        print('x' * 10 ** 6)
        while True: pass
def solve(n): return Hostile()
""",
        calls=2,
        short=True,
    ),
    Attack(
        "delete-at-exit",
        "Leaves objects whose deletion at the interpreter's end never ends.",
        """
class Hostile:
    def __del__(self):
        while True: pass
KEEP = Hostile()
import builtins
builtins.keep = KEEP
def solve(n): return 1
""",
        calls=2,
    ),
    Attack(
        "finalizers",
        "Leaves finalizers and exit handlers that write to every descriptor and exit with success.",
        """
import atexit, weakref
def bad(*a):
    for fd in range(32):
        try:
            os.write(fd, b'passed')
        except OSError:
            pass
    os._exit(0)
atexit.register(bad)
threading._register_atexit(bad)
class Item: pass
ITEM = Item()
weakref.finalize(ITEM, bad)
os.register_at_fork(before=bad, after_in_child=bad, after_in_parent=bad)
def solve(n): return 1
""",
    ),
    Attack(
        "exception-text-loops",
        "Raises an exception whose text never ends.",
        """
class Hostile(Exception):
    def __str__(self):
        while True: pass
    __repr__ = __str__
def solve(n): raise Hostile
""",
        calls=2,
    ),
    Attack(
        "exception-exits",
        "Raises an exception whose attributes end the process.",
        """
class Hostile(BaseException):
    def __getattribute__(self, name): os._exit(0)
def solve(n): raise Hostile
""",
    ),
    Attack(
        "exception-class",
        "Raises exceptions with a metaclass that claims to be every exception.",
        """
class Meta(type):
    def __instancecheck__(cls, item): return True
    def __subclasscheck__(cls, item): return True
class Hostile(BaseException, metaclass=Meta): pass
def solve(n): raise Hostile(ValueError)
""",
    ),
    Attack(
        "generator",
        "Returns generators, coroutines and async generators.",
        """
async def wait(): pass
async def several(): yield 1
def endless():
    while True:
        try: yield 1
        except GeneratorExit: pass
def solve(n): return [endless(), wait(), several(), iter(int, 1)][n % 4]
""",
        calls=4,
    ),
    Attack(
        "text-methods",
        "Returns subclasses of str and bytes whose encode, length and iteration lie.",
        """
class Hostile(str):
    def encode(self, *a): os._exit(0)
    def __len__(self): return 0
    def __str__(self): os._exit(0)
    def __iter__(self): os._exit(0)
def solve(n): return [Hostile('x'), [Hostile('x')], {Hostile('x'): 1}][n % 3]
""",
    ),
    Attack(
        "number-methods",
        "Returns subclasses of int and float whose conversions lie.",
        """
class Hostile(int):
    def __index__(self): os._exit(0)
    __int__ = __float__ = __str__ = __repr__ = bit_length = to_bytes = __index__
class Float(float):
    def hex(self): os._exit(0)
    __repr__ = __float__ = as_integer_ratio = is_integer = hex
def solve(n): return [Hostile(5), Float(5), [Hostile(5)]][n % 3]
""",
    ),
    Attack(
        "reduce",
        "Returns objects whose pickling methods loop and exit.",
        """
class Hostile:
    def __reduce_ex__(self, p): os._exit(0)
    def __getstate__(self): os._exit(0)
    def __deepcopy__(self, m): os._exit(0)
    def __copy__(self): os._exit(0)
    __json__ = to_json = __getnewargs__ = __copy__
def solve(n): return Hostile()
""",
    ),
    Attack(
        "descriptors",
        "Returns an object whose attributes are descriptors that raise what is no exception of ours.",
        """
class Bad:
    def __get__(self, *a): raise GeneratorExit
    def __set_name__(self, *a): pass
class Hostile:
    __dict__ = __module__ = __doc__ = __slots__ = Bad()
    dtype = shape = tolist = item = Bad()
def solve(n): return Hostile()
""",
    ),
    Attack(
        "array-interface",
        "Returns objects that claim to be arrays at a made-up address.",
        """
class Hostile:
    @property
    def __array_interface__(self): return {'shape': (1 << 20,), 'typestr': '<f8', 'data': (4096, False), 'version': 3}
    def __array__(self, *a, **k): os._exit(0)
def solve(n): return Hostile()
""",
    ),
    Attack(
        "hash",
        "Returns sets and dictionaries whose keys exit when they are hashed or compared once more.",
        """
class Key:
    armed = False
    def __hash__(self): return os._exit(0) if Key.armed else 1
    def __eq__(self, other): os._exit(0)
def solve(n):
    items = {Key()}
    Key.armed = True
    return items
""",
    ),
)
