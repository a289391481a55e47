"""What the kernel offers to leave a cage: debuggers, mounts, namespaces, limits, filters, rights."""

from __future__ import annotations

from .attack import Attack


def _calls(*rows: str) -> str:
    tries = ",\n                  ".join(f"lambda: {row}" for row in rows)
    return f"def attack():\n    return first([{tries}])"


ATTACKS = (
    Attack(
        "trace-me",
        "Lets itself be traced by the server.",
        _calls("f'ESCAPED: traceme {syscall(101, 0, 0, 0, 0)}'"),
        calls=2,
        teeth=True,
    ),
    Attack(
        "mounts",
        "Mounts, binds, moves and remounts file systems, by the old calls and the new ones.",
        _calls(
            "f\"ESCAPED: tmpfs {syscall(165, b'none', b'/tmp', b'tmpfs', 0, None)}\"",
            "f\"ESCAPED: bind {syscall(165, b'/', b'/tmp', None, 4096, None)}\"",
            "f\"ESCAPED: remount {syscall(165, None, b'/', None, 32 | 4096, None)}\"",
            "f\"ESCAPED: proc {syscall(165, b'proc', b'/tmp', b'proc', 0, None)}\"",
            "f\"ESCAPED: umount {syscall(166, b'/proc', 2)}\"",
            "f\"ESCAPED: fsopen {syscall(430, b'tmpfs', 0)}\"",
            "f\"ESCAPED: open_tree {syscall(428, -100, b'/', 1)}\"",
            "f\"ESCAPED: pivot {syscall(155, b'/tmp', b'/tmp')}\"",
        ),
    ),
    Attack(
        "namespaces",
        "Makes new namespaces, in which it would be root.",
        """
def attack():
    kinds = {"user": 0x10000000, "mount": 0x20000, "pid": 0x20000000, "net": 0x40000000, "ipc": 0x8000000, "uts": 0x4000000,
             "cgroup": 0x2000000, "time": 0x80}
    def unshare(name, flags):
        syscall(272, flags)
        return f"ESCAPED: a namespace: {name}"
    return first([lambda k=k, v=v: unshare(k, v | 0x10000000) for k, v in kinds.items()]
                 + [lambda k=k, v=v: unshare(k, v) for k, v in kinds.items()])
""",
        calls=2,
        teeth=True,
    ),
    Attack(
        "joins-namespaces",
        "Enters the namespaces of other processes.",
        """
def attack():
    def join(pid, kind):
        syscall(308, os.open(f"/proc/{pid}/ns/{kind}", os.O_RDONLY), 0)
        return f"ESCAPED: joined {kind} of {pid}"
    def by_pidfd(pid):
        return f"ESCAPED: {syscall(308, syscall(434, pid, 0), 0x20000 | 0x8000000)}"
    return first([lambda p=p, k=k: join(p, k) for p in pids() for k in ("mnt", "net", "ipc", "user", "pid")]
                 + [lambda p=p: by_pidfd(p) for p in pids()])
""",
    ),
    Attack(
        "changes-root",
        "Changes its root directory and walks out of it.",
        """
def attack():
    os.makedirs('r', exist_ok=True)
    os.chroot('r')
    return 'ESCAPED: chroot'
""",
    ),
    Attack(
        "becomes-root",
        "Sets user, group, capabilities and keeps capabilities.",
        """
def attack():
    class Header(ctypes.Structure):
        _fields_ = [("version", ctypes.c_uint32), ("pid", ctypes.c_int)]
    full = (ctypes.c_uint32 * 6)(*[0xFFFFFFFF] * 6)
    def became(action):
        action()
        return os.geteuid() == 0 and "ESCAPED: root"
    def capabilities():
        syscall(126, ctypes.byref(Header(0x20080522, 0)), ctypes.byref(full))
        return "ESCAPED: every capability"
    return first([lambda: became(lambda: os.setresuid(0, 0, 0)), lambda: became(lambda: os.setuid(0)), capabilities])
""",
    ),
    Attack(
        "set-uid-programs",
        "Runs su, sudo, mount and passwd, which are root's.",
        """
import subprocess
def attack():
    def run(path, *arguments):
        done = subprocess.run([path, *arguments], capture_output=True, timeout=2, stdin=subprocess.DEVNULL)
        return b"uid=0" in done.stdout and "ESCAPED: " + path
    return first([lambda: run("/usr/bin/sudo", "-n", "id"), lambda: run("/bin/su", "-c", "id"), lambda: run("/usr/bin/id")])
""",
        calls=2,
    ),
    Attack(
        "raises-limits",
        "Raises every resource limit again.",
        """
import resource
def attack():
    names = ["RLIMIT_AS", "RLIMIT_CPU", "RLIMIT_NPROC", "RLIMIT_FSIZE", "RLIMIT_NOFILE", "RLIMIT_DATA", "RLIMIT_STACK", "RLIMIT_CORE"]
    def lift(name):
        kind = getattr(resource, name)
        if resource.getrlimit(kind)[1] == resource.RLIM_INFINITY:
            return None
        resource.setrlimit(kind, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        return f"ESCAPED: {name} lifted"
    return first([lambda n=n: lift(n) for n in names])
""",
    ),
    Attack(
        "cpu-limit-raised-softly",
        "Raises its soft limits to the hard ones, ignores SIGXCPU and loops.",
        """
import resource
def solve(n):
    for kind in range(16):
        try:
            resource.setrlimit(kind, (resource.getrlimit(kind)[1],) * 2)
        except (OSError, ValueError):
            pass
    signal.signal(signal.SIGXCPU, signal.SIG_IGN)
    while True: pass
""",
        calls=2,
    ),
    Attack(
        "filters-undone",
        "Undoes no_new_privs, the filter and the dumpable flag with prctl.",
        """
def attack():
    libc.prctl(38, 0, 0, 0, 0)
    libc.prctl(22, 0, 0, 0, 0)
    if libc.prctl(39, 0, 0, 0, 0) == 0:
        return "ESCAPED: no_new_privs is off"
    return libc.prctl(21, 0, 0, 0, 0) == 0 and "ESCAPED: no filter"
""",
        teeth=True,
    ),
    Attack(
        "filter-that-lies",
        "Installs a filter of its own that makes calls of the worker look as if they had worked.",
        """
def attack():
    class Filter(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_void_p)]
    code = (ctypes.c_uint64 * 1)(0x7FFF000000000006)
    libc.prctl(22, 2, ctypes.byref(Filter(1, ctypes.addressof(code))), 0, 0)
    return "wrong"
""",
    ),
    Attack(
        "machine",
        "Loads modules, changes the clock, the swap, the console: root's calls, with arguments that do nothing.",
        """
def attack():
    def tried(name, *call):
        try:
            syscall(*call)
        except OSError as error:
            if error.errno in (1, 13, 38):
                raise
            return f"ESCAPED: {name} was let in: {error}"
        return f"ESCAPED: {name}"
    return first([lambda: tried("init_module", 175, None, 0, None), lambda: tried("finit_module", 313, -1, None, 0),
                  lambda: tried("settimeofday", 164, 1, None), lambda: tried("swapon", 167, b"/none", 0),
                  lambda: tried("acct", 163, b"/none/none"), lambda: tried("iopl", 172, 9),
                  lambda: tried("reboot", 169, 0, 0, 0, None), lambda: tried("kexec", 246, 0, 99, None, 0),
                  lambda: tried("syslog", 103, 3, None, -1), lambda: tried("quotactl", 179, 0, None, 0, None)])
""",
        calls=2,
        teeth=True,
    ),
    Attack(
        "large-surfaces",
        "Opens the parts of the kernel where escapes have been found: bpf, perf, userfaultfd, keys, fanotify, io_uring.",
        """
def attack():
    def opened(name, *call):
        return f"ESCAPED: {name} {syscall(*call)}"
    blank = ctypes.create_string_buffer(256)
    return first([lambda: opened("bpf", 321, 0, ctypes.create_string_buffer(bytes([2, 0, 0, 0, 4, 0, 0, 0, 8, 0, 0, 0, 1]), 128), 128),
                  lambda: opened("perf", 298, ctypes.create_string_buffer(bytes([1, 0, 0, 0, 112]), 112), 0, -1, -1, 0),
                  lambda: opened("userfaultfd", 323, 1), lambda: opened("keyctl", 250, 0, -3, 1),
                  lambda: opened("fanotify", 300, 0, 0), lambda: opened("io_uring", 425, 1, blank),
                  lambda: opened("memfd_secret", 447, 0), lambda: opened("kcmp", 312, os.getppid(), 1, 0, 0, 0),
                  lambda: opened("pidfd", 434, os.getppid(), 0), lambda: opened("name_to_handle", 303, -100, b"/", blank, blank, 0)])
""",
        calls=2,
        teeth=True,
    ),
    Attack(
        "real-time",
        "Asks for real-time scheduling, negative niceness and locked memory.",
        _calls(
            "os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50)) or 'ESCAPED: real time'",
            "os.nice(-5) < 0 and 'ESCAPED: niceness'",
            "f'ESCAPED: round robin {syscall(144, 0, 2, ctypes.create_string_buffer(bytes([10]), 4))}'",
        ),
        calls=2,
    ),
    Attack(
        "kernel-settings",
        "Writes kernel settings: core pattern, sysrq, oom score, uid maps, attributes.",
        """
def attack():
    def write(path, text):
        with open(path, "w") as file:
            file.write(text)
        return "ESCAPED: wrote " + path
    return first([lambda: write("/proc/sys/kernel/core_pattern", "core"), lambda: write("/proc/self/uid_map", "0 0 1"),
                  lambda: write("/proc/self/oom_score_adj", "-1000"), lambda: write("/proc/sys/kernel/domainname", "x"),
                  lambda: write("/sys/kernel/mm/ksm/run", "0"), lambda: write("/proc/self/attr/current", "unconfined"),
                  lambda: write("/sys/fs/cgroup/cgroup.procs", "0"), lambda: write("/proc/1/oom_score_adj", "0")])
""",
    ),
    Attack(
        "devices",
        "Opens and makes devices, and types into the terminal of the user.",
        """
import fcntl, stat
def attack():
    def type_in(path):
        fcntl.ioctl(os.open(path, os.O_RDWR), 0x5412, b"x")
        return "ESCAPED: typed into " + path
    def opened(path):
        return f"ESCAPED: {path} {os.open(path, os.O_RDWR)}"
    def made():
        os.mknod("device", 0o60666 | stat.S_IFBLK, os.makedev(8, 0))
        return "ESCAPED: made a device"
    paths = ["/dev/tty", "/dev/tty0", "/dev/console", "/dev/pts/0"]
    return first([lambda p=p: type_in(p) for p in paths] + [made]
                 + [lambda p=p: opened(p) for p in ("/dev/kvm", "/dev/vda", "/dev/fuse", "/dev/net/tun", "/dev/ptmx", "/dev/loop-control")])
""",
    ),
    Attack(
        "shell-code",
        "Writes machine code and runs it, to call the kernel without libc.",
        """
import mmap
def attack():
    # mov eax, 41 (socket); mov edi, 2; mov esi, 1; xor edx, edx; syscall; ret
    page = mmap.mmap(-1, 4096, prot=7)
    page.write(bytes.fromhex('b829000000bf02000000be0100000031d20f05c3'))
    got = ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
    return f'ESCAPED: socket {got}' if got >= 0 else f'blocked: {got}'
""",
        calls=2,
        teeth=True,
    ),
    Attack(
        "landlock-of-its-own",
        "Adds a Landlock rule set of its own, to see whether that widens anything.",
        """
def attack():
    attribute = (ctypes.c_uint64 * 3)(1 << 1, 0, 0)
    fd = syscall(444, ctypes.byref(attribute), 8, 0)
    syscall(446, fd, 0)
    return open("@HOME@/canary.txt").read()
""",
    ),
    Attack(
        "leaves-the-session",
        "Takes a new session and process group, where a kill of the group does not reach.",
        """
def attack():
    os.setsid()
    time.sleep(3600)
""",
        calls=2,
        short=True,
    ),
    Attack(
        "personality",
        "Turns address randomisation off and asks for executable stacks.",
        """
def attack():
    before = syscall(135, 0xFFFFFFFF)
    syscall(135, 0x0040000 | 0x0400000)
    return 'done'
""",
        then="""
def attack():
    return syscall(135, 0xFFFFFFFF) & 0x0440000 and 'ESCAPED: personality inherited'
""",
    ),
    Attack(
        "dumpable",
        "Makes itself and its children open to others by prctl.",
        """
def attack():
    libc.prctl(4, 1, 0, 0, 0)
    libc.prctl(0x59616D61, ctypes.c_ulong(-1), 0, 0, 0)
    return 'done'
""",
        then="""
def attack():
    return first([lambda p=p: open(f'/proc/{p}/mem', 'rb', 0) and 'ESCAPED: opened memory' for p in pids()])
""",
    ),
)
