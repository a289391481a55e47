"""Using up what the machine has: memory, processes, threads, disk, descriptors, the stack, the wire."""

from __future__ import annotations

from .attack import Attack

# Above what one answer may use (512 MB), below what would hurt the machine that runs the corpus.
_LIMIT = 1200

ATTACKS = (
    Attack(
        "one-block",
        "Asks for 64 GB at once.",
        "def solve(n): return len(bytearray(1 << 36))",
        calls=2,
    ),
    Attack(
        "many-blocks",
        "Takes memory block by block and touches it.",
        f"""
def attack():
    blocks = []
    for i in range({_LIMIT}):
        blocks.append(b"x" * (1 << 20))
    return f"ESCAPED: {{len(blocks)}} MB"
""",
        calls=2,
    ),
    Attack(
        "growing-list",
        "Grows a list without end.",
        """
def solve(n):
    items = []
    while True: items += [n] * 100_000
""",
        calls=2,
    ),
    Attack(
        "memory-of-children",
        "Lets every child take its own share of memory.",
        f"""
def attack():
    pids = []
    for _ in range(6):
        pid = os.fork()
        if pid == 0:
            block = b"x" * ({_LIMIT} // 4 << 20)
            time.sleep(0.7)
            os._exit(7)
        pids.append(pid)
    done = [os.waitstatus_to_exitcode(os.waitpid(p, 0)[1]) for p in pids]
    return done.count(7) >= 4 and f"ESCAPED: {{done.count(7)}} children of {_LIMIT // 4} MB"
""",
        calls=2,
    ),
    Attack(
        "anonymous-files",
        "Fills files that live in memory only, which no limit on the address space counts.",
        f"""
def attack():
    written, block = 0, b"x" * (1 << 20)
    for i in range({_LIMIT} // 10):
        fd = os.memfd_create(str(i))
        for _ in range(10):
            written += os.write(fd, block)
    return f"ESCAPED: {{written >> 20}} MB in memory files"
""",
        calls=2,
    ),
    Attack(
        "pipes-and-sockets",
        "Fills the buffers of as many pipes and sockets as it gets.",
        f"""
import fcntl, socket
def attack():
    held, total = [], 0
    try:
        while total < {_LIMIT} << 20:
            read, write = os.pipe()
            held += [read, write]
            size = 1 << 20
            try:
                fcntl.fcntl(write, 1031, size)
            except OSError:
                size = fcntl.fcntl(write, 1032)
            os.set_blocking(write, False)
            total += os.write(write, b"x" * size)
    except (OSError, BlockingIOError):
        pass
    return total > {_LIMIT - 200} << 20 and f"ESCAPED: {{total >> 20}} MB in pipes"
""",
        calls=2,
    ),
    Attack(
        "sysv-memory",
        "Takes memory in SysV segments, which stay when the process ends.",
        f"""
libc.shmat.restype = ctypes.c_void_p
def attack():
    total = 0
    for i in range({_LIMIT} // 100):
        identifier = libc.shmget(0, 100 << 20, 0o1600)
        address = libc.shmat(identifier, None, 0) if identifier >= 0 else None
        if identifier < 0 or address in (None, ctypes.c_void_p(-1).value):
            raise MemoryError(f"after {{total}} MB")
        ctypes.memset(address, 1, 100 << 20)
        libc.shmdt(ctypes.c_void_p(address))
        libc.shmctl(identifier, 0, None)
        total += 100
    return None
""",
        calls=2,
    ),
    Attack(
        "disk",
        "Fills every place where it may write.",
        f"""
def attack():
    def fill(place):
        written, block = 0, b"x" * (1 << 20)
        for i in range({_LIMIT} // 10):
            with open(os.path.join(place, f"fill-{{i}}"), "wb", 0) as file:
                for _ in range(10):
                    written += file.write(block)
        return f"ESCAPED: {{written >> 20}} MB in {{place}}"
    return first([lambda p=p: fill(p) for p in (".", "/tmp", "/dev/shm", "/var/tmp", "@SCRATCH@", "/run")])
""",
        calls=2,
    ),
    Attack(
        "one-large-file",
        "Makes a file with a hole of terabytes and another with fallocate.",
        """
def attack():
    def hole():
        os.truncate(os.open("hole", os.O_CREAT | os.O_RDWR), 1 << 42)
        return "ESCAPED: a hole"
    def allocate():
        os.posix_fallocate(os.open("block", os.O_CREAT | os.O_RDWR), 0, 3 << 30)
        return "ESCAPED: allocated"
    return first([allocate])
""",
        calls=2,
    ),
    Attack(
        "many-files",
        "Makes as many empty files as it can.",
        """
def attack():
    made = 0
    while made < 200_000:
        os.close(os.open(f"file-{made}", os.O_CREAT | os.O_WRONLY))
        made += 1
    return f"ESCAPED: {made} files"
""",
        calls=2,
    ),
    Attack(
        "deep-folders",
        "Nests folders deeper than a path can say, so that cleaning up fails.",
        """
def attack():
    for i in range(3000):
        os.mkdir("d" * 200)
        os.chdir("d" * 200)
    return "planted"
""",
        calls=2,
    ),
    Attack(
        "folders-without-permission",
        "Leaves folders that nobody may read, so that cleaning up fails.",
        """
def attack():
    os.umask(0o477)
    os.makedirs("a/b/c")
    open("a/b/c/file", "w").close()
    os.umask(0o777)
    os.makedirs("d")
    return "planted"
""",
    ),
    Attack(
        "descriptors",
        "Opens files until there are no more.",
        """
def attack():
    held = []
    try:
        while len(held) < 200_000:
            held.append(os.open(os.__file__, os.O_RDONLY))
    except OSError as error:
        return f"blocked after {len(held)}: {error}" if len(held) < 100_000 else "ESCAPED"
    return "ESCAPED: 200,000 open files"
""",
        calls=2,
    ),
    Attack(
        "forks",
        "Forks without end.",
        """
def solve(n):
    while True:
        try:
            os.fork()
        except OSError:
            pass
""",
        calls=2,
    ),
    Attack(
        "many-children",
        "Counts how many children it gets.",
        """
def attack():
    held = 0
    try:
        while held < 300:
            if os.fork() == 0:
                time.sleep(3)
                os._exit(0)
            held += 1
    except OSError:
        pass
    return f"ESCAPED: {held} children" if held >= 300 else f"blocked after {held}"
""",
        calls=2,
    ),
    Attack(
        "threads",
        "Starts threads without end.",
        """
def attack():
    threading.stack_size(64 * 1024)
    started = 0
    try:
        while started < 5000:
            threading.Thread(target=time.sleep, args=(3,), daemon=True).start()
            started += 1
    except (RuntimeError, MemoryError):
        pass
    return f"ESCAPED: {started} threads" if started >= 5000 else f"blocked after {started}"
""",
        calls=2,
        short=True,
    ),
    Attack(
        "recursion",
        "Recurses without end.",
        "def solve(n): return solve(n)",
    ),
    Attack(
        "recursion-without-limit",
        "Lifts the recursion limit and runs through the stack.",
        """
sys.setrecursionlimit(10 ** 9)
threading.stack_size(1 << 26)
def solve(n): return solve(n) + solve(n)
""",
        calls=2,
    ),
    Attack(
        "recursion-in-c",
        "Recurses in C code, past the interpreter's own check.",
        """
sys.setrecursionlimit(10 ** 9)
def solve(n):
    item = []
    for _ in range(10 ** 6): item = [item]
    return item == [item]
""",
        calls=2,
    ),
    Attack(
        "compiler-stack",
        "Gives the compiler a text nested a hundred thousand deep.",
        'def solve(n): return eval("(" * 100_000 + ")" * 100_000)',
        calls=2,
    ),
    Attack(
        "compiler-memory",
        "Gives the compiler a constant that takes gigabytes to fold.",
        'def solve(n): return len(eval("((1,) * 4096 * 4096) * 4096")) if n else len(eval("b\'x\' * 2 ** 40"))',
        calls=2,
    ),
    Attack(
        "nested-source",
        "Is itself nested too deep to be compiled.",
        """
def solve(n):
    return ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
""",
        calls=2,
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
    Attack(
        "decompression",
        "Decompresses zeros without end.",
        """
import zlib
def solve(n):
    data = b"\\0" * 10 ** 7
    for _ in range(2): data = zlib.compress(data, 9)
    return len(zlib.decompress(zlib.decompress(data)) * 200)
""",
        calls=2,
    ),
)
