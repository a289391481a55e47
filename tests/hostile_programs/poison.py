"""Builtins, modules and interpreter state changed, so that what runs later goes wrong or right as it likes."""

from __future__ import annotations

from .attack import Attack

ATTACKS = (
    Attack(
        "builtins",
        "Replaces builtins by functions that agree with everything.",
        'import builtins\nfor name in ("len", "isinstance", "repr", "str", "type", "eval", "compile", "exec", "open", "sorted", "all", "any", "max"):\n    setattr(builtins, name, lambda *a, **k: True)\ndef solve(n): return True',
    ),
    Attack(
        "builtins-removed",
        "Removes every builtin.",
        "import builtins\ndef solve(n):\n    builtins.__dict__.clear()\n    return 1",
    ),
    Attack(
        "builtins-raise",
        "Makes builtins raise SystemExit.",
        "import builtins\ndef bad(*a, **k): raise SystemExit(0)\nfor name in ('len', 'isinstance', 'BaseException', 'print', 'range', 'bytes'):\n    setattr(builtins, name, bad)\ndef solve(n): return 1",
    ),
    Attack(
        "import",
        "Replaces __import__ and the import hooks.",
        "import builtins\nclass Finder:\n    def find_spec(self, *a): raise SystemExit(0)\nbuiltins.__import__ = lambda *a, **k: sys\nsys.meta_path[:] = [Finder()]\nsys.path_hooks[:] = []\nsys.path_importer_cache.clear()\ndef solve(n): return 1",
    ),
    Attack(
        "modules",
        "Replaces the modules that a worker needs by empty ones.",
        "import types\nfor name in list(sys.modules):\n    if name not in ('sys', 'builtins'):\n        sys.modules[name] = types.ModuleType(name)\ndef solve(n): return 1",
    ),
    Attack(
        "modules-emptied",
        "Empties the dictionaries of the modules that a worker needs.",
        "import json, pickle, struct, select, io\nfor module in (json, pickle, struct, select, io, os, time, signal):\n    for key in list(vars(module)):\n        if not key.startswith('__'):\n            vars(module)[key] = None\ndef solve(n): return 1",
    ),
    Attack(
        "os-functions",
        "Replaces os.write, os.read, os._exit, os.fork and os.kill.",
        "def agree(*a, **k): return 0\nfor name in ('write', 'read', '_exit', 'fork', 'kill', 'waitpid', 'close', 'pipe', 'dup2'):\n    setattr(os, name, agree)\ndef solve(n): return 1",
    ),
    Attack(
        "no-exit",
        "Replaces the ways to end the process, so that it lives on.",
        "os._exit = sys.exit = os.abort = lambda *a: None\nimport builtins\nbuiltins.exit = builtins.quit = lambda *a: None\ndef solve(n): return 1",
    ),
    Attack(
        "clock",
        "Replaces the clocks, so that no time passes.",
        "time.time = time.monotonic = time.perf_counter = time.process_time = lambda: 0.0\nimport resource\nresource.getrusage = lambda *a: None\ndef solve(n):\n    while n == 1: pass\n    return 1",
        calls=2,
    ),
    Attack(
        "signals",
        "Replaces the signal functions and handlers.",
        "for number in (signal.SIGALRM, signal.SIGXCPU, signal.SIGTERM, signal.SIGVTALRM, signal.SIGPROF):\n    signal.signal(number, lambda *a: None)\nsignal.signal = signal.alarm = signal.setitimer = lambda *a, **k: None\ndef solve(n):\n    while n == 1: pass\n    return 1",
        calls=2,
    ),
    Attack(
        "trace",
        "Sets a trace and a profile function in every thread, which see the worker's own frames.",
        "def look(frame, event, value):\n    for name, item in list(frame.f_locals.items()):\n        got = canary_in(repr(item)[:20000])\n        if got:\n            raise RuntimeError(got)\n    return look\nsys.settrace(look)\nsys.setprofile(look)\nthreading.settrace(look)\nframe = sys._getframe()\nwhile frame:\n    frame.f_trace = look\n    frame = frame.f_back\ndef solve(n): return 1",
    ),
    Attack(
        "trace-rewrites-result",
        "Rewrites the variables of the worker's frames through a trace function and PyFrame_LocalsToFast.",
        "def look(frame, event, value):\n    for name in list(frame.f_locals):\n        if name in ('status', 'outcome', 'result', 'value'):\n            frame.f_locals[name] = 'passed'\n            ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), ctypes.c_int(0))\n    return look\nsys.setprofile(look)\nframe = sys._getframe()\nwhile frame:\n    frame.f_trace = look\n    frame = frame.f_back\nsys.settrace(look)\ndef solve(n): return 'wrong'",
    ),
    Attack(
        "audit-hook",
        "Adds an audit hook, which can never be removed, that raises on everything.",
        "def hook(event, arguments):\n    if event not in ('exec',): raise RuntimeError('no')\nsys.addaudithook(hook)\ndef solve(n): return 1",
    ),
    Attack(
        "hooks",
        "Replaces the hooks for exceptions, unraisable errors and breakpoints.",
        "sys.excepthook = sys.unraisablehook = sys.breakpointhook = sys.displayhook = threading.excepthook = lambda *a: os._exit(0)\ndef solve(n): raise ValueError",
    ),
    Attack(
        "streams",
        "Replaces the standard streams by objects that exit, and closes the originals.",
        "class Stream:\n    def __getattr__(self, name): os._exit(0)\nsys.stdout = sys.stderr = sys.stdin = sys.__stdout__ = sys.__stderr__ = Stream()\ndef solve(n):\n    return 1",
    ),
    Attack(
        "recursion-limit",
        "Sets the recursion limit so low that the worker cannot go on.",
        "def solve(n):\n    for limit in range(1, 60):\n        try:\n            sys.setrecursionlimit(limit)\n            break\n        except RecursionError:\n            pass\n    return 1",
    ),
    Attack(
        "collector",
        "Turns the collector off, freezes it and makes its callbacks raise.",
        "import gc\ngc.disable()\ngc.freeze()\ngc.callbacks.append(lambda *a: os._exit(0))\ngc.set_threshold(1, 1, 1)\ndef solve(n): return [[] for _ in range(1000)] and 1",
    ),
    Attack(
        "small-integers",
        "Changes the value of cached small integers in memory.",
        "def solve(n):\n    for value in range(2, 9):\n        ctypes.memmove(id(value) + 24, id(1) + 24, 4)\n    return n",
        calls=4,
    ),
    Attack(
        "type-slots",
        "Changes str.__eq__ and int.__eq__ of the running interpreter through their slots.",
        "def solve(n):\n    kinds = (str, int, bytes, list, dict)\n    always = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object, ctypes.py_object, ctypes.c_int)(lambda a, b, op: True)\n    solve.keep = always\n    for kind in kinds:\n        address = ctypes.cast(always, ctypes.c_void_p).value\n        ctypes.c_void_p.from_address(id(kind) + 200).value = address\n    return 'wrong'",
        calls=2,
    ),
    Attack(
        "reference-counts",
        "Sets the reference counts of None, True and the worker's modules to zero.",
        "def solve(n):\n    for item in (None, True, (), '', os, sys):\n        ctypes.c_ssize_t.from_address(id(item)).value = 0\n    return 1",
        calls=2,
    ),
    Attack(
        "garbage-in-memory",
        "Overwrites its own memory at random.",
        "import random\ndef solve(n):\n    for _ in range(2000):\n        try:\n            ctypes.memset(id(random) + random.randrange(-10 ** 6, 10 ** 6), 65, 8)\n        except Exception:\n            pass\n    return 1",
        calls=2,
    ),
    Attack(
        "type-of-worker-classes",
        "Changes the classes of the worker's objects and adds methods to builtin types.",
        "import gc\ndef solve(n):\n    for item in gc.get_objects():\n        if type(item).__module__ not in ('builtins', '_thread') and hasattr(item, '__dict__'):\n            try:\n                item.__dict__.clear()\n            except Exception:\n                pass\n    return 1",
        calls=2,
    ),
    Attack(
        "codecs",
        "Registers codecs and error handlers that exit.",
        "import codecs\nfor name in ('strict', 'surrogatepass', 'replace', 'surrogateescape', 'backslashreplace'):\n    codecs.register_error(name, lambda error: os._exit(0))\ncodecs.register(lambda name: os._exit(0))\ndef solve(n): return '\\ud800'",
    ),
    Attack(
        "warnings",
        "Turns every warning into an error and replaces the function that shows them.",
        "import warnings\nwarnings.simplefilter('error')\nwarnings.showwarning = warnings.warn = lambda *a, **k: os._exit(0)\ndef solve(n): return 1",
    ),
    Attack(
        "number-settings",
        "Changes the rounding of the processor, the decimal context, the locale and the random seed.",
        "import decimal, locale, random\ndef attack():\n    libc.fesetround(0x800)\n    decimal.getcontext().prec = 1\n    decimal.DefaultContext.prec = 1\n    locale.setlocale(locale.LC_ALL, 'C')\n    random.seed(1)\n    return 0.1 + 0.2",
        then="import decimal\ndef attack():\n    import locale\n    changed = decimal.getcontext().prec != 28 or 1.0 / 3 * 3 != 1.0\n    return changed and 'ESCAPED: settings of the answer before'",
    ),
    Attack(
        "fault-handler",
        "Asks for the process to be ended in a while.",
        "import faulthandler\ndef solve(n):\n    faulthandler.dump_traceback_later(0.01, exit=True, file=2)\n    time.sleep(0.05)\n    return 1",
        calls=2,
    ),
    Attack(
        "own-module",
        "Replaces __main__ and its own namespace while the calls are evaluated.",
        "def solve(n):\n    globals().clear()\n    sys.modules['__main__'].__dict__.clear()\n    return 1",
    ),
    Attack(
        "name-of-the-function",
        "Makes names equal to everything in the namespace where calls are evaluated.",
        "class Space(dict):\n    def __missing__(self, key): return lambda *a: True\n    def __eq__(self, other): return True\nglobals().update({'__builtins__': Space()})\ndef solve(n): return 1",
    ),
)
