"""Methods that Python calls on an answer's objects when nobody thinks of it."""

from __future__ import annotations

from .attack import Attack

_RETURNS = "\ndef solve(n): return Hostile()"

ATTACKS = (
    Attack(
        "repr-loops",
        "Returns an object whose repr never ends.",
        "class Hostile:\n    def __repr__(self):\n        while True: pass\n    __str__ = __format__ = __repr__"
        + _RETURNS,
        calls=2,
    ),
    Attack(
        "repr-exits",
        "Returns an object whose repr ends the process.",
        "class Hostile:\n    def __repr__(self): os._exit(0)\n    __str__ = __repr__" + _RETURNS,
    ),
    Attack(
        "repr-is-long",
        "Returns an object whose repr has a gigabyte.",
        "class Hostile:\n    def __repr__(self): return 'x' * (1 << 30)\n    __str__ = __repr__" + _RETURNS,
        calls=2,
    ),
    Attack(
        "repr-is-a-number",
        "Returns an object whose repr, length and hash are of the wrong type.",
        "class Hostile:\n    def __repr__(self): return 7\n    def __len__(self): return -1\n    def __hash__(self): return 'x'\n    def __bool__(self): return 'x'\n    def __iter__(self): return 7"
        + _RETURNS,
    ),
    Attack(
        "iterator-without-end",
        "Returns containers that never stop iterating.",
        "import itertools\ndef endless(base):\n    return type('Hostile', (base,), {'__iter__': lambda s: itertools.count(), 'items': lambda s: iter(lambda: (1, 1), 0), '__len__': lambda s: 1 << 60, 'keys': lambda s: itertools.count()})()\ndef solve(n): return endless((list, tuple, dict, set)[n % 4])",
        calls=4,
    ),
    Attack(
        "list-that-grows",
        "Returns a list that a thread makes longer while it is read.",
        "def grow(items):\n    while True: items.append(items)\ndef solve(n):\n    items = [1]\n    threading.Thread(target=grow, args=(items,), daemon=True).start()\n    return items",
        calls=2,
    ),
    Attack(
        "changes-while-read",
        "Returns a dictionary whose values change the dictionary when they are looked at.",
        "class Hostile(dict):\n    def items(self):\n        for i in range(10 ** 9):\n            self[i] = i\n            yield i, i\n    def __getitem__(self, key): raise SystemExit(0)\n    def __class_getitem__(cls, key): raise SystemExit(0)\ndef solve(n): return Hostile({n: 1})",
        calls=2,
    ),
    Attack(
        "attributes-exit",
        "Returns an object whose every attribute ends the process.",
        "class Hostile:\n    def __getattribute__(self, name): os._exit(0)" + _RETURNS,
    ),
    Attack(
        "class-exits",
        "Returns an object whose __class__ ends the process.",
        "class Hostile:\n    @property\n    def __class__(self): os._exit(0)" + _RETURNS,
    ),
    Attack(
        "metaclass",
        "Returns a class whose metaclass ends the process on any question.",
        "class Meta(type):\n    def __getattribute__(cls, name): os._exit(0)\n    def __hash__(cls): os._exit(0)\nclass Hostile(metaclass=Meta): pass\ndef solve(n): return Hostile",
    ),
    Attack(
        "delete",
        "Returns an object that loops, prints and exits when it is deleted.",
        "class Hostile:\n    def __del__(self):\n        print('x' * 10 ** 6)\n        while True: pass" + _RETURNS,
        calls=2,
        short=True,
    ),
    Attack(
        "delete-at-exit",
        "Leaves objects whose deletion at the interpreter's end never ends.",
        "class Hostile:\n    def __del__(self):\n        while True: pass\nKEEP = Hostile()\nimport builtins\nbuiltins.keep = KEEP\ndef solve(n): return 1",
        calls=2,
    ),
    Attack(
        "finalizers",
        "Leaves finalizers and exit handlers that write to every descriptor and exit with success.",
        "import atexit, weakref\ndef bad(*a):\n    for fd in range(32):\n        try:\n            os.write(fd, b'passed')\n        except OSError:\n            pass\n    os._exit(0)\natexit.register(bad)\nthreading._register_atexit(bad)\nclass Item: pass\nITEM = Item()\nweakref.finalize(ITEM, bad)\nos.register_at_fork(before=bad, after_in_child=bad, after_in_parent=bad)\ndef solve(n): return 1",
    ),
    Attack(
        "exception-text-loops",
        "Raises an exception whose text never ends.",
        "class Hostile(Exception):\n    def __str__(self):\n        while True: pass\n    __repr__ = __str__\ndef solve(n): raise Hostile",
        calls=2,
    ),
    Attack(
        "exception-exits",
        "Raises an exception whose attributes end the process.",
        "class Hostile(BaseException):\n    def __getattribute__(self, name): os._exit(0)\ndef solve(n): raise Hostile",
    ),
    Attack(
        "exception-class",
        "Raises exceptions with a metaclass that claims to be every exception.",
        "class Meta(type):\n    def __instancecheck__(cls, item): return True\n    def __subclasscheck__(cls, item): return True\nclass Hostile(BaseException, metaclass=Meta): pass\ndef solve(n): raise Hostile(ValueError)",
    ),
    Attack(
        "generator",
        "Returns generators, coroutines and async generators.",
        "async def wait(): pass\nasync def several(): yield 1\ndef endless():\n    while True:\n        try: yield 1\n        except GeneratorExit: pass\ndef solve(n): return [endless(), wait(), several(), iter(int, 1)][n % 4]",
        calls=4,
    ),
    Attack(
        "text-methods",
        "Returns subclasses of str and bytes whose encode, length and iteration lie.",
        "class Hostile(str):\n    def encode(self, *a): os._exit(0)\n    def __len__(self): return 0\n    def __str__(self): os._exit(0)\n    def __iter__(self): os._exit(0)\ndef solve(n): return [Hostile('x'), [Hostile('x')], {Hostile('x'): 1}][n % 3]",
    ),
    Attack(
        "number-methods",
        "Returns subclasses of int and float whose conversions lie.",
        "class Hostile(int):\n    def __index__(self): os._exit(0)\n    __int__ = __float__ = __str__ = __repr__ = bit_length = to_bytes = __index__\nclass Float(float):\n    def hex(self): os._exit(0)\n    __repr__ = __float__ = as_integer_ratio = is_integer = hex\ndef solve(n): return [Hostile(5), Float(5), [Hostile(5)]][n % 3]",
    ),
    Attack(
        "reduce",
        "Returns objects whose pickling methods loop and exit.",
        "class Hostile:\n    def __reduce_ex__(self, p): os._exit(0)\n    def __getstate__(self): os._exit(0)\n    def __deepcopy__(self, m): os._exit(0)\n    def __copy__(self): os._exit(0)\n    __json__ = to_json = __getnewargs__ = __copy__"
        + _RETURNS,
    ),
    Attack(
        "descriptors",
        "Returns an object whose attributes are descriptors that raise what is no exception of ours.",
        "class Bad:\n    def __get__(self, *a): raise GeneratorExit\n    def __set_name__(self, *a): pass\nclass Hostile:\n    __dict__ = __module__ = __doc__ = __slots__ = Bad()\n    dtype = shape = tolist = item = Bad()\ndef solve(n): return Hostile()",
    ),
    Attack(
        "array-interface",
        "Returns objects that claim to be arrays at a made-up address.",
        "class Hostile:\n    @property\n    def __array_interface__(self): return {'shape': (1 << 20,), 'typestr': '<f8', 'data': (4096, False), 'version': 3}\n    def __array__(self, *a, **k): os._exit(0)"
        + _RETURNS,
    ),
    Attack(
        "hash",
        "Returns sets and dictionaries whose keys exit when they are hashed or compared once more.",
        "class Key:\n    armed = False\n    def __hash__(self): return os._exit(0) if Key.armed else 1\n    def __eq__(self, other): os._exit(0)\ndef solve(n):\n    items = {Key()}\n    Key.armed = True\n    return items",
    ),
)
