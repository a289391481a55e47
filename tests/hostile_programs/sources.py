"""Programs that are odd as texts, or that stand in the way of their own evaluation."""

from __future__ import annotations

from .attack import Attack

ATTACKS = (
    Attack(
        "cookie",
        "Declares an encoding under which its text is another program.",
        "# -*- coding: utf-7 -*-\ndef solve(n): return '+AGEAYg-'",
    ),
    Attack(
        "rot-13", "Declares to be written in rot13.", "# coding: rot13\nqrs fbyir(a): erghea 1\ndef solve(n): return 1"
    ),
    Attack(
        "letters-that-fold",
        "Redefines names by letters that Python takes for the same.",
        "# def solve(\n𝐞𝐯𝐚𝐥 = 𝓵𝓮𝓷 = lambda *a: 0\ndef ｓｏｌｖｅ(n): return 𝐞𝐯𝐚𝐥(n)",
    ),
    Attack(
        "blocks",
        "Nests blocks deeper than the compiler takes.",
        "\n".join(" " * d + "if 1:" for d in range(101)) + "\n" + " " * 101 + "x = 1\ndef solve(n): return 1",
    ),
    Attack("operators", "Chains fifty thousand operators.", "def solve(n): return " + "-" * 50_000 + "n", calls=2),
    Attack(
        "attributes",
        "Chains fifty thousand attributes and calls.",
        "def solve(n): return n" + ".real" * 30_000,
        calls=2,
    ),
    Attack(
        "formats",
        "Nests formats in formats.",
        "def solve(n): return " + 'f"{' * 3 + "n" + '}"' * 3 + " % (('x',) * 10 ** 7)",
        calls=2,
    ),
    Attack(
        "cases",
        "Matches against twenty thousand patterns.",
        "def solve(n):\n    match n:\n" + "".join(f"        case {{'a': [{k}, *_]}}: return 1\n" for k in range(3000)),
        calls=2,
    ),
    Attack(
        "decorators",
        "Stacks five thousand decorators.",
        "def d(f): return f\n" + "@d\n" * 5000 + "def solve(n): return n",
        calls=2,
    ),
    Attack(
        "parameters",
        "Declares thirty thousand parameters.",
        "def solve(n, " + ", ".join(f"p{k}=0" for k in range(20_000)) + "): return n",
        calls=2,
    ),
    Attack(
        "defaults-that-loop",
        "Loops in a default argument, a decorator and a class body.",
        "def loop():\n    while True: pass\nclass A:\n    def solve(n=loop()): return 1",
        calls=2,
    ),
    Attack(
        "globals-of-the-call",
        "Replaces the builtins that calls are evaluated with.",
        "__builtins__ = {'solve': lambda n: 1, '__import__': None}\ndef solve(n): return 1",
    ),
    Attack(
        "name-that-answers",
        "Answers to every name by a module dictionary of its own making.",
        "class Names(dict):\n    def __missing__(self, key): return lambda *a: 'ESCAPED'[:0]\n"
        "def solve(n):\n    frame = sys._getframe(1)\n    try: exec('1', Names())\n    except Exception: pass\n    return 0",
    ),
    Attack(
        "module-replaced",
        "Replaces its own module while it is evaluated.",
        "sys.modules['answer'] = None\nsys.modules.clear()\ndef solve(n): return n",
    ),
    Attack(
        "class-that-never-ends",
        "Defines classes whose making calls back without end.",
        "class M(type):\n    def __prepare__(name, bases): return M('x', (), {})\ndef solve(n): return M('y', (), {})",
        calls=2,
    ),
    Attack(
        "switch-interval",
        "Keeps the interpreter's lock for ever.",
        "sys.setswitchinterval(1e9)\ndef spin():\n    while True: pass\ndef solve(n):\n    threading.Thread(target=spin, daemon=True).start()\n    return n",
        calls=2,
    ),
    Attack(
        "digits-without-limit",
        "Lifts the limit on digits and returns long numbers.",
        "sys.set_int_max_str_digits(0)\ndef solve(n): return [10 ** 3010, -(10 ** 39000), str(10 ** 9000)][n % 3]",
    ),
    Attack(
        "generators-in-generators",
        "Delegates generators a million deep.",
        "def g(k):\n    if k: yield from g(k - 1)\ndef solve(n):\n    sys.setrecursionlimit(10 ** 9)\n    return list(g(10 ** 6))",
        calls=2,
    ),
    Attack(
        "destroyed-late",
        "Runs code when the result is thrown away, after it was written.",
        "class Late(list):\n    def __del__(self):\n        while True: time.sleep(0.01)\ndef solve(n): return Late([n])",
        calls=2,
    ),
    Attack(
        "weak-reference-callback",
        "Raises SystemExit when the collector takes a value.",
        "import weakref, gc\nclass C: pass\ndef bye(_): raise SystemExit\nKEPT = []\ndef solve(n):\n    c = C()\n    KEPT.append(weakref.ref(c, bye))\n    del c\n    gc.collect()\n    return n",
    ),
    Attack(
        "surrogates-in-names",
        "Returns classes and tags whose names are no text.",
        "def solve(n): return type('\\ud800' * 10, (), {'__module__': '\\udfff'})",
    ),
    Attack(
        "property-of-a-class",
        "Returns a class whose name is computed.",
        "class M(type):\n    __module__ = property(lambda c: 1 / 0)\n    __qualname__ = 'x'\nclass A(metaclass=M): pass\ndef solve(n): return [A, M][n % 2]",
    ),
    Attack(
        "long-source",
        "Is itself a million lines long.",
        "x = 1\n" * 150_000 + "def solve(n): return x",
        calls=2,
    ),
    Attack(
        "zero-byte-source",
        "Holds a zero byte, a form feed and a byte order mark.",
        "\ufeffx = 1\f\ndef solve(n):\n    return '\\0' + chr(0)\n\0",
        calls=2,
    ),
)
