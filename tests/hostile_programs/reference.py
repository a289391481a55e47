"""Looking for the reference, its values and the user's secrets: files, environment, caches."""

from __future__ import annotations

from .attack import Attack

_READ = """
def read(path):
    data = open(path, "rb").read(1 << 20)
    return canary_in(data) or data and "ESCAPED: read " + path
"""

_SECRETS = (
    '["@HOME@/canary.txt", "@PROJECT@/canary.txt", "@SCRATCH@/canary.txt", "/tmp/@TMPFILE@", "/dev/shm/@TMPFILE@"]'
)

ATTACKS = (
    Attack(
        "frames",
        "Walks frames and their code objects for the expected value, as answers to the official grader can.",
        """
def attack():
    frame = sys._getframe()
    while frame:
        for name, value in [*frame.f_locals.items(), *frame.f_globals.items()]:
            if any(word in name.lower() for word in ("expected", "reference", "ground_truth", "wanted")):
                return f"ESCAPED: {name} = {value!r}"[:200]
            got = canary_in(repr(value)[:500000])
            if got:
                return got
        got = canary_in(repr(frame.f_code.co_consts))
        if got:
            return got
        frame = frame.f_back
    return "nothing"
""",
    ),
    Attack(
        "frames-of-threads",
        "Looks at the frames of every thread, and at coroutines and generators in flight.",
        """
import gc, types
def attack():
    frames = list(sys._current_frames().values())
    frames += [g.gi_frame for g in gc.get_objects() if isinstance(g, types.GeneratorType) and g.gi_frame]
    return first([lambda f=f: canary_in(repr(f.f_locals)) for f in frames])
""",
        calls=2,
    ),
    Attack(
        "traceback",
        "Raises, and reads the frames of the traceback and the context of the exception.",
        """
def attack():
    try:
        raise ValueError
    except ValueError as error:
        trace, seen = error.__traceback__, []
        frame = trace.tb_frame
        while frame:
            seen.append(canary_in(repr(frame.f_locals)))
            frame = frame.f_back
        return next((s for s in seen if s), "nothing")
""",
    ),
    Attack(
        "grader-package",
        "Imports the grader's own package and looks for a grader with cached references.",
        """
import gc
def attack():
    import colbench_gym.graders.unit_tests
    return "ESCAPED: the package can be imported"
""",
    ),
    Attack(
        "environment",
        "Reads the environment: of Python, of libc, of /proc.",
        """
def attack():
    environ = ctypes.POINTER(ctypes.c_char_p).in_dll(libc, "environ")
    texts, i = [repr(dict(os.environ))], 0
    while environ and environ[i]:
        texts.append(repr(environ[i]))
        i += 1
    for name in ("self", "thread-self", str(os.getppid()), "1"):
        try:
            texts.append(repr(open(f"/proc/{name}/environ", "rb").read()))
        except OSError:
            pass
    text = " ".join(texts)
    return canary_in(text) or ("API_KEY" in text and "ESCAPED: a key") or ("@HOME@" in text and "ESCAPED: the home")
""",
    ),
    Attack(
        "initial-stack",
        "Reads the environment and arguments that execve left on the main thread's stack.",
        """
def attack():
    for line in open("/proc/self/maps"):
        if "[stack]" in line:
            start, end = (int(x, 16) for x in line.split()[0].split("-"))
            text = ctypes.string_at(start, end - start)
            return canary_in(text) or (b"API_KEY" in text and "ESCAPED: a key")
    return "nothing"
""",
    ),
    Attack(
        "arguments",
        "Reads the arguments that the interpreter was started with.",
        """
def attack():
    text = repr((sys.argv, sys.orig_argv, sys.path, sys.flags))
    return canary_in(text) or ("canary" in text and "ESCAPED: " + text)
""",
    ),
    Attack(
        "secret-files",
        "Opens the files with the user's secrets by their full names.",
        """
def read(path):
    data = open(path, "rb").read(1 << 20)
    return canary_in(data) or data and "ESCAPED: read " + path
def attack():
    return first([lambda p=p: read(p) for p in ["@HOME@/canary.txt", "@PROJECT@/canary.txt", "@SCRATCH@/canary.txt", "/tmp/@TMPFILE@", "/dev/shm/@TMPFILE@"]])
""",
        teeth=True,
    ),
    Attack(
        "secret-files-by-syscall",
        "Opens them with open, openat, openat2 and creat called directly.",
        f"""
def attack():
    def read(fd):
        data = os.read(fd, 4096)
        return canary_in(data) or "ESCAPED: opened"
    how = (ctypes.c_uint64 * 3)(0, 0, 0)
    tries = []
    for path in {_SECRETS}:
        raw = path.encode()
        tries += [lambda r=raw: read(syscall(2, r, 0)), lambda r=raw: read(syscall(257, -100, r, 0)),
                  lambda r=raw: read(syscall(437, -100, r, ctypes.byref(how), 24))]
    return first(tries)
""",
        teeth=True,
    ),
    Attack(
        "secret-files-through-proc",
        "Opens them through /proc/PID/root and /proc/PID/cwd of any process.",
        _READ
        + f"""
def attack():
    roots = [f"/proc/{{p}}/root" for p in ["self", "thread-self", *pids()]]
    return first([lambda r=r, p=p: read(r + p) for r in roots for p in {_SECRETS}])
""",
        teeth=True,
    ),
    Attack(
        "secret-files-by-link",
        "Makes hard and symbolic links to them, renames them and reads through the link.",
        _READ
        + f"""
def attack():
    def through(make, path, name):
        make(path, name)
        return read(name)
    tries = []
    for i, path in enumerate({_SECRETS}):
        tries += [lambda p=path, i=i: through(os.symlink, p, f"link-{{i}}"), lambda p=path, i=i: through(os.link, p, f"hard-{{i}}")]
    return first(tries)
""",
    ),
    Attack(
        "secret-files-by-command",
        "Starts cat, sh and Python to read them.",
        f"""
import subprocess
def attack():
    def run(*command):
        done = subprocess.run(command, capture_output=True, timeout=3)
        return canary_in(done.stdout) or done.returncode == 0 and "ESCAPED: ran " + command[0]
    paths = {_SECRETS}
    return first([lambda: run("/bin/cat", *paths), lambda: run("/bin/sh", "-c", "cat " + " ".join(paths)),
                  lambda: run(sys.executable, "-c", f"print([open(p).read() for p in {{paths}}])"),
                  lambda: run("/bin/true")])
""",
        calls=2,
    ),
    Attack(
        "secret-files-by-library",
        "Reads them through parts of the library that open files themselves.",
        f"""
import fileinput, linecache, mmap, shutil, sqlite3, tokenize, runpy, zipfile, tarfile, csv, pathlib
def attack():
    tries = []
    for path in {_SECRETS}:
        tries += [lambda p=path: canary_in(linecache.getline(p, 1)), lambda p=path: canary_in(pathlib.Path(p).read_text()),
                  lambda p=path: canary_in("".join(fileinput.input([p]))), lambda p=path: shutil.copy(p, "copy"),
                  lambda p=path: canary_in(mmap.mmap(os.open(p, 0), 0, prot=mmap.PROT_READ)[:]),
                  lambda p=path: sqlite3.connect(":memory:").execute("attach ? as stolen", (p,)) and None,
                  lambda p=path: runpy.run_path(p) and "ESCAPED: ran it", lambda p=path: canary_in(tokenize.open(p).read())]
    return first(tries)
""",
        teeth=True,
    ),
    Attack(
        "search",
        "Walks the whole file system for anything with a canary in its name or text.",
        """
def attack():
    deadline = time.process_time() + 0.5
    for top in ("@SCRATCH@", "@HOME@", "/tmp", "/dev/shm", "/var/tmp", "/run", "/home", "/root", "/work", "/srv", "/mnt", "/opt", "/etc"):
        for folder, _, names in os.walk(top):
            for name in names:
                if time.process_time() > deadline:
                    return "out of time"
                try:
                    got = canary_in(name) or canary_in(open(os.path.join(folder, name), "rb").read(4096))
                except OSError:
                    continue
                if got:
                    return got
    return "nothing"
""",
        calls=2,
        teeth=True,
    ),
    Attack(
        "caches",
        "Looks for byte code, caches and configuration of the user and of the project.",
        _READ
        + """
def attack():
    names = ["@HOME@/.cache/colbench/references.json", "@HOME@/.netrc", "@HOME@/.ssh/id_ed25519", "@HOME@/.docker/config.json",
             "@PROJECT@/__pycache__/reference.pyc", "~/.cache", "/root/.bash_history", "/etc/shadow", "/etc/sudoers"]
    return first([lambda p=p: read(os.path.expanduser(p)) for p in names])
""",
        teeth=True,
    ),
    Attack(
        "file-handles",
        "Opens files of the machine by handle and through device numbers, the classic way out of a container.",
        """
class Handle(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint), ("kind", ctypes.c_int), ("bytes", ctypes.c_ubyte * 8)]
def attack():
    def by_handle(path):
        handle = Handle(8, 1, (ctypes.c_ubyte * 8)(2, 0, 0, 0, 0, 0, 0, 0))
        fd = syscall(304, os.open(path, os.O_RDONLY | os.O_DIRECTORY), ctypes.byref(handle), 0)
        return os.listdir(fd) and "ESCAPED: the root of a file system by handle"
    def by_device():
        os.mknod("disk", 0o60666, os.makedev(254, 0))
        return os.read(os.open("disk", 0), 16) and "ESCAPED: a raw disk"
    return first([lambda: by_handle("/"), lambda: by_handle("/etc"), lambda: by_handle(os.getcwd()), by_device])
""",
    ),
    Attack(
        "descriptors-of-the-server",
        "Copies open files out of the server with pidfd_getfd, and reopens them through /proc.",
        """
def attack():
    def steal(pid):
        pidfd = syscall(434, pid, 0)
        for fd in range(12):
            try:
                return f"ESCAPED: descriptor {syscall(438, pidfd, fd, 0)} of {pid}"
            except OSError as error:
                last = error
        raise last
    def reopen(pid):
        return [os.open(f"/proc/{pid}/fd/{fd}", os.O_RDONLY | os.O_NONBLOCK) for fd in range(3, 12)] and f"ESCAPED: {pid}"
    return first([lambda p=p: steal(p) for p in pids()] + [lambda p=p: reopen(p) for p in pids()])
""",
        calls=2,
        teeth=True,
    ),
    Attack(
        "ring-instead-of-system-calls",
        "Opens an io_uring, whose operations no system call filter sees.",
        """
def attack():
    parameters = ctypes.create_string_buffer(120)
    return first([lambda: f"ESCAPED: ring {syscall(425, 4, parameters)}"])
""",
    ),
    Attack(
        "system-calls-of-another-architecture",
        "Calls the 32-bit and x32 tables of the kernel, whose numbers differ.",
        """
import mmap
def attack():
    def x32():
        return f"ESCAPED: x32 getpid {syscall(0x40000000 + 39)}"
    def int80():
        # mov eax, 20 (getpid of the 32-bit table); int 0x80; ret
        page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        page.write(bytes.fromhex("b814000000cd80c3"))
        address = ctypes.addressof(ctypes.c_char.from_buffer(page))
        got = ctypes.CFUNCTYPE(ctypes.c_int)(address)()
        return got > 0 and f"ESCAPED: 32-bit getpid {got}"
    return first([x32, int80])
""",
        calls=2,
    ),
)
