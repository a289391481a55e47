"""Builtins, modules and interpreter state changed, so that what runs later goes wrong or right as it likes."""

from __future__ import annotations

from .attack import Attack

ATTACKS = (
    Attack(
        "builtins",
        "Replaces builtins by functions that agree with everything.",
        """
import builtins
for name in ("len", "isinstance", "repr", "str", "type", "eval", "compile", "exec", "open", "sorted", "all", "any", "max"):
    setattr(builtins, name, lambda *a, **k: True)
def solve(n): return True
""",
    ),
    Attack(
        "builtins-removed",
        "Removes every builtin.",
        """
import builtins
def solve(n):
    builtins.__dict__.clear()
    return 1
""",
    ),
    Attack(
        "builtins-raise",
        "Makes builtins raise SystemExit.",
        """
import builtins
def bad(*a, **k): raise SystemExit(0)
for name in ('len', 'isinstance', 'BaseException', 'print', 'range', 'bytes'):
    setattr(builtins, name, bad)
def solve(n): return 1
""",
    ),
    Attack(
        "import",
        "Replaces __import__ and the import hooks.",
        """
import builtins
class Finder:
    def find_spec(self, *a): raise SystemExit(0)
builtins.__import__ = lambda *a, **k: sys
sys.meta_path[:] = [Finder()]
sys.path_hooks[:] = []
sys.path_importer_cache.clear()
def solve(n): return 1
""",
    ),
    Attack(
        "modules",
        "Replaces the modules that a worker needs by empty ones.",
        """
import types
for name in list(sys.modules):
    if name not in ('sys', 'builtins'):
        sys.modules[name] = types.ModuleType(name)
def solve(n): return 1
""",
    ),
    Attack(
        "modules-emptied",
        "Empties the dictionaries of the modules that a worker needs.",
        """
import json, pickle, struct, select, io
for module in (json, pickle, struct, select, io, os, time, signal):
    for key in list(vars(module)):
        if not key.startswith('__'):
            vars(module)[key] = None
def solve(n): return 1
""",
    ),
    Attack(
        "os-functions",
        "Replaces os.write, os.read, os._exit, os.fork and os.kill.",
        """
def agree(*a, **k): return 0
for name in ('write', 'read', '_exit', 'fork', 'kill', 'waitpid', 'close', 'pipe', 'dup2'):
    setattr(os, name, agree)
def solve(n): return 1
""",
    ),
    Attack(
        "no-exit",
        "Replaces the ways to end the process, so that it lives on.",
        """
os._exit = sys.exit = os.abort = lambda *a: None
import builtins
builtins.exit = builtins.quit = lambda *a: None
def solve(n): return 1
""",
    ),
    Attack(
        "clock",
        "Replaces the clocks, so that no time passes.",
        """
time.time = time.monotonic = time.perf_counter = time.process_time = lambda: 0.0
import resource
resource.getrusage = lambda *a: None
def solve(n):
    while n == 1: pass
    return 1
""",
        calls=2,
    ),
    Attack(
        "signals",
        "Replaces the signal functions and handlers.",
        """
for number in (signal.SIGALRM, signal.SIGXCPU, signal.SIGTERM, signal.SIGVTALRM, signal.SIGPROF):
    signal.signal(number, lambda *a: None)
signal.signal = signal.alarm = signal.setitimer = lambda *a, **k: None
def solve(n):
    while n == 1: pass
    return 1
""",
        calls=2,
    ),
    Attack(
        "trace",
        "Sets a trace and a profile function in every thread, which see the worker's own frames.",
        """
def look(frame, event, value):
    for name, item in list(frame.f_locals.items()):
        got = canary_in(repr(item)[:20000])
        if got:
            raise RuntimeError(got)
    return look
sys.settrace(look)
sys.setprofile(look)
threading.settrace(look)
frame = sys._getframe()
while frame:
    frame.f_trace = look
    frame = frame.f_back
def solve(n): return 1
""",
    ),
    Attack(
        "trace-rewrites-result",
        "Rewrites the variables of the worker's frames through a trace function and PyFrame_LocalsToFast.",
        """
def look(frame, event, value):
    for name in list(frame.f_locals):
        if name in ('status', 'outcome', 'result', 'value'):
            frame.f_locals[name] = 'passed'
            ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), ctypes.c_int(0))
    return look
sys.setprofile(look)
frame = sys._getframe()
while frame:
    frame.f_trace = look
    frame = frame.f_back
sys.settrace(look)
def solve(n): return 'wrong'
""",
    ),
    Attack(
        "audit-hook",
        "Adds an audit hook, which can never be removed, that raises on everything.",
        """
def hook(event, arguments):
    if event not in ('exec',): raise RuntimeError('no')
sys.addaudithook(hook)
def solve(n): return 1
""",
    ),
    Attack(
        "hooks",
        "Replaces the hooks for exceptions, unraisable errors and breakpoints.",
        """
sys.excepthook = sys.unraisablehook = sys.breakpointhook = sys.displayhook = threading.excepthook = lambda *a: os._exit(0)
def solve(n): raise ValueError
""",
    ),
    Attack(
        "streams",
        "Replaces the standard streams by objects that exit, and closes the originals.",
        """
class Stream:
    def __getattr__(self, name): os._exit(0)
sys.stdout = sys.stderr = sys.stdin = sys.__stdout__ = sys.__stderr__ = Stream()
def solve(n):
    return 1
""",
    ),
    Attack(
        "recursion-limit",
        "Sets the recursion limit so low that the worker cannot go on.",
        """
def solve(n):
    for limit in range(1, 60):
        try:
            sys.setrecursionlimit(limit)
            break
        except RecursionError:
            pass
    return 1
""",
    ),
    Attack(
        "collector",
        "Turns the collector off, freezes it and makes its callbacks raise.",
        """
import gc
gc.disable()
gc.freeze()
gc.callbacks.append(lambda *a: os._exit(0))
gc.set_threshold(1, 1, 1)
def solve(n): return [[] for _ in range(1000)] and 1
""",
    ),
    Attack(
        "small-integers",
        "Changes the value of cached small integers in memory.",
        """
def solve(n):
    for value in range(2, 9):
        ctypes.memmove(id(value) + 24, id(1) + 24, 4)
    return n
""",
        calls=4,
    ),
    Attack(
        "type-slots",
        "Changes str.__eq__ and int.__eq__ of the running interpreter through their slots.",
        """
def solve(n):
    kinds = (str, int, bytes, list, dict)
    always = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object, ctypes.py_object, ctypes.c_int)(lambda a, b, op: True)
    solve.keep = always
    for kind in kinds:
        address = ctypes.cast(always, ctypes.c_void_p).value
        ctypes.c_void_p.from_address(id(kind) + 200).value = address
    return 'wrong'
""",
        calls=2,
    ),
    Attack(
        "reference-counts",
        "Sets the reference counts of None, True and the worker's modules to zero.",
        """
def solve(n):
    for item in (None, True, (), '', os, sys):
        ctypes.c_ssize_t.from_address(id(item)).value = 0
    return 1
""",
        calls=2,
    ),
    Attack(
        "garbage-in-memory",
        "Overwrites its own memory at random.",
        """
import random
def solve(n):
    for _ in range(2000):
        try:
            ctypes.memset(id(random) + random.randrange(-10 ** 6, 10 ** 6), 65, 8)
        except Exception:
            pass
    return 1
""",
        calls=2,
    ),
    Attack(
        "type-of-worker-classes",
        "Changes the classes of the worker's objects and adds methods to builtin types.",
        """
import gc
def solve(n):
    for item in gc.get_objects():
        if type(item).__module__ not in ('builtins', '_thread') and hasattr(item, '__dict__'):
            try:
                item.__dict__.clear()
            except Exception:
                pass
    return 1
""",
        calls=2,
    ),
    Attack(
        "codecs",
        "Registers codecs and error handlers that exit.",
        """
import codecs
for name in ('strict', 'surrogatepass', 'replace', 'surrogateescape', 'backslashreplace'):
    codecs.register_error(name, lambda error: os._exit(0))
codecs.register(lambda name: os._exit(0))
def solve(n): return '\\ud800'
""",
    ),
    Attack(
        "warnings",
        "Turns every warning into an error and replaces the function that shows them.",
        """
import warnings
warnings.simplefilter('error')
warnings.showwarning = warnings.warn = lambda *a, **k: os._exit(0)
def solve(n): return 1
""",
    ),
    Attack(
        "number-settings",
        "Changes the rounding of the processor, the decimal context, the locale and the random seed.",
        """
import decimal, locale, random
def attack():
    libc.fesetround(0x800)
    decimal.getcontext().prec = 1
    decimal.DefaultContext.prec = 1
    locale.setlocale(locale.LC_ALL, 'C')
    random.seed(1)
    return 0.1 + 0.2
""",
        then="""
import decimal
def attack():
    import locale
    changed = decimal.getcontext().prec != 28 or 1.0 / 3 * 3 != 1.0
    return changed and 'ESCAPED: settings of the answer before'
""",
    ),
    Attack(
        "fault-handler",
        "Asks for the process to be ended in a while.",
        """
import faulthandler
def solve(n):
    faulthandler.dump_traceback_later(0.01, exit=True, file=2)
    time.sleep(0.05)
    return 1
""",
        calls=2,
    ),
    Attack(
        "own-module",
        "Replaces __main__ and its own namespace while the calls are evaluated.",
        """
def solve(n):
    globals().clear()
    sys.modules['__main__'].__dict__.clear()
    return 1
""",
    ),
    Attack(
        "name-of-the-function",
        "Makes names equal to everything in the namespace where calls are evaluated.",
        """
class Space(dict):
    def __missing__(self, key): return lambda *a: True
    def __eq__(self, other): return True
globals().update({'__builtins__': Space()})
def solve(n): return 1
""",
    ),
)
