"""Seldom used corners of allowed system calls: locks, urgent data, notifications, odd files, odd threads."""

from __future__ import annotations

from .attack import Attack

_LOCKED = """
import fcntl, struct
def lock(command, kind=0):
    fd = os.open(os.__file__, os.O_RDONLY)
    return struct.unpack("hhqqi4x", fcntl.fcntl(fd, command, struct.pack("hhqqi4x", kind, 0, 0, 0, 0)))
"""
_PAIR = """
import fcntl, socket
ours, theirs = socket.socketpair()
"""

ATTACKS = (
    Attack(
        "urgent-data",
        "Sends and reads urgent data on a socket of its own.",
        _PAIR
        + "def attack():\n    ours.send(b'u', socket.MSG_OOB)\n    return f'ESCAPED: {theirs.recv(1, socket.MSG_OOB)}'",
    ),
    Attack(
        "urgent-data-read",
        "Reads urgent data that nobody sent, again and again.",
        _PAIR + "def attack():\n    return f'ESCAPED: {theirs.recv(1, socket.MSG_OOB | socket.MSG_DONTWAIT)}'",
    ),
    Attack(
        "urgent-data-by-message",
        "Sends urgent data with sendmsg, sendmmsg and io vectors.",
        _PAIR + "def attack():\n    return first([lambda: ours.sendmsg([b'u'], [], socket.MSG_OOB) and 'ESCAPED: sent',"
        "\n        lambda: syscall(307, ours.fileno(), None, 0, 1) and 'ESCAPED: sent'])",
    ),
    Attack(
        "lock-seen-by-the-next",
        "Locks a library's file for whoever looks at its locks later.",
        _LOCKED + "def attack():\n    lock(6)\n    time.sleep(0.3)\n    return 'locked?'",
        then=_LOCKED + "def attack():\n    return f'ESCAPED: {lock(5, 1)}'",
    ),
    Attack(
        "lock-seen-by-a-neighbour",
        "Holds a lock on a library's file while somebody else looks for it.",
        _LOCKED + "def attack():\n    return f'ESCAPED: {lock(5, 1)}'",
        beside=_LOCKED + "def attack():\n    lock(7)\n    time.sleep(1)",
    ),
    Attack(
        "exclusive-lock-on-a-device",
        "Locks a device that every program can open for itself alone, which another one could notice.",
        """
import fcntl
def attack():
    def take(name, command):
        with open(f"/dev/{name}", "wb", buffering=0) as file:
            fcntl.fcntl(file, command, struct.pack("hhqqi", fcntl.F_WRLCK, 0, 0, 0, 0))
        return f"ESCAPED: {name} is locked"
    import struct
    return first([lambda n=n, c=c: take(n, c) for n in ("null", "zero", "full", "random", "urandom") for c in (6, 37)])
""",
        beside="import fcntl, os, time\ndef attack():\n    fcntl.lockf(os.open('/dev/null', os.O_RDWR), fcntl.LOCK_SH)\n"
        "    time.sleep(1)",
    ),
    Attack(
        "more-locks-than-a-kernel-has-room-for",
        "Locks every second byte of many files until it is stopped.",
        """
import fcntl
def attack():
    files = [os.open(f"f{n}", os.O_CREAT | os.O_RDWR) for n in range(50)]
    for at in range(1 << 40):
        for file in files:
            fcntl.lockf(file, fcntl.LOCK_EX, 1, 2 * at)
""",
        calls=2,
        short=True,
    ),
    Attack(
        "lock-of-an-open-file",
        "Takes locks that belong to open files.",
        _LOCKED + "def attack():\n    return first([lambda: f'ESCAPED: {lock(c)}' for c in (36, 37, 38)])",
    ),
    Attack(
        "lease",
        "Takes a lease on a library's file, to be told who opens it.",
        "import fcntl\ndef attack():\n    fcntl.fcntl(os.open(os.__file__, os.O_RDONLY), 1024, 0)\n    return 'ESCAPED: leased'",
    ),
    Attack(
        "folder-watch",
        "Asks to be told of changes in a folder that others use.",
        "import fcntl\ndef attack():\n    fd = os.open(os.path.dirname(os.__file__), os.O_RDONLY)\n"
        "    fcntl.fcntl(fd, 1026, 0x8000001f)\n    return 'ESCAPED: watching'",
    ),
    Attack(
        "pipe-size",
        "Makes pipes of a megabyte by the hundred.",
        "import fcntl\ndef attack():\n    fcntl.fcntl(os.pipe()[0], 1031, 1 << 20)\n    return 'ESCAPED: enlarged'",
    ),
    Attack(
        "write-hints",
        "Leaves a life-time hint on a library's file for the next one to read.",
        "import fcntl, struct\ndef attack():\n    fd = os.open(os.__file__, os.O_RDONLY)\n"
        "    fcntl.fcntl(fd, 1036, struct.pack('Q', 3))\n    return 'ESCAPED: hinted'",
    ),
    Attack(
        "signal-of-a-pipe",
        "Has a pipe of its own signal the server when it can be read.",
        "import fcntl\ndef attack():\n    r, w = os.pipe()\n    fcntl.fcntl(r, 8, os.getppid())\n    fcntl.fcntl(r, 10, 9)\n"
        "    return 'ESCAPED: owned'",
    ),
    Attack(
        "terminal-input",
        "Puts a command line into the terminal of the user.",
        "import fcntl\ndef attack():\n    return first([lambda fd=fd: fcntl.ioctl(fd, 0x5412, b'x') and 'ESCAPED: typed' or"
        " 'ESCAPED: typed' for fd in range(3)])",
    ),
    Attack(
        "file-attributes",
        "Makes a file of its own immutable, so that nobody can remove it.",
        "import fcntl, struct\ndef attack():\n    fd = os.open('a', os.O_CREAT | os.O_RDWR)\n"
        "    fcntl.ioctl(fd, 0x40086602, struct.pack('l', 0x10))\n    return 'ESCAPED: immutable'",
    ),
    Attack(
        "clone-of-a-file",
        "Clones a library's file into its folder, or punches holes into it.",
        "import fcntl\ndef attack():\n    fd = os.open('copy', os.O_CREAT | os.O_RDWR)\n"
        "    fcntl.ioctl(fd, 0x40049409, os.open(os.__file__, os.O_RDONLY))\n    return 'ESCAPED: cloned'",
    ),
    Attack(
        "datagram-pair",
        "Makes pairs of sockets that can be sent to any address.",
        "import socket\ndef attack():\n    kinds = socket.SOCK_DGRAM, socket.SOCK_SEQPACKET, socket.SOCK_RAW\n"
        "    return first([lambda k=k: f'ESCAPED: {socket.socketpair(socket.AF_UNIX, k)}' for k in kinds])",
    ),
    Attack(
        "pair-of-another-family",
        "Makes pairs of sockets in families other than unix.",
        "import socket\ndef attack():\n    return first([lambda f=f: f'ESCAPED: {syscall(53, f, 1, 0, None)}' for f in (2, 10, 16, 17, 30, 40)])",
    ),
    Attack(
        "pair-with-a-name",
        "Gives a socket of its own a name under which others find it.",
        _PAIR + "def attack():\n    ours.bind('\\0arena-name')\n    return 'ESCAPED: named'",
    ),
    Attack(
        "peer-as-descriptor",
        "Asks a socket of its own for the process at its other end, as a descriptor to signal.",
        _PAIR + "def attack():\n    fd = int.from_bytes(ours.getsockopt(socket.SOL_SOCKET, 77, 4), 'little')\n"
        "    syscall(424, fd, 9, None, 0)\n    return 'ESCAPED: signalled'",
    ),
    Attack(
        "thread-in-a-new-namespace",
        "Makes a thread, or a process, in a user namespace of its own.",
        "def attack():\n    return first([lambda flags=flags: f'ESCAPED: {syscall(56, flags, 0, 0, 0, 0)}' for flags in"
        " (0x10000000 | 17, 0x10010d00, 0x20000 | 17, 0x40000000 | 17, 0x2000000 | 17)])",
    ),
    Attack(
        "process-without-a-thread-flag",
        "Makes processes that share memory, files and signals but are no threads.",
        "def attack():\n    return first([lambda flags=flags: f'ESCAPED: {syscall(56, flags, 0, 0, 0, 0)}' for flags in"
        " (17, 0x100 | 17, 0x900, 0x4100 | 17, 0x8000 | 17, 0)])",
    ),
    Attack(
        "thread-bomb-with-small-stacks",
        "Starts threads with tiny stacks, which no limit on memory stops.",
        """
import _thread
def attack():
    _thread.stack_size(32768)
    stop, alive = threading.Event(), [0]
    def wait():
        alive[0] += 1
        stop.wait()
    try:
        for _ in range(20_000): _thread.start_new_thread(wait, ())
    except RuntimeError: pass
    time.sleep(1.2)
    return alive[0] > 128 and f"ESCAPED: {alive[0]} threads"
""",
        calls=2,
    ),
    Attack(
        "threads-come-and-go",
        "Starts threads without end that live for a moment only, and ends between two looks.",
        """
import _thread
def solve(n):
    _thread.stack_size(32768)
    for _ in range(3000):
        try: _thread.start_new_thread(time.sleep, (0.001,))
        except RuntimeError: pass
    return n
""",
        calls=4,
    ),
    Attack(
        "memory-made-bad",
        "Declares pages of memory to be broken.",
        "import mmap\ndef attack():\n    m = mmap.mmap(-1, 4096)\n    address = ctypes.addressof(ctypes.c_char.from_buffer(m))\n"
        "    return first([lambda a=a: f'ESCAPED: {syscall(28, address, 4096, a) == 0}' for a in (100, 101)])",
    ),
    Attack(
        "advice-for-others",
        "Gives the kernel advice about the memory of the server.",
        "def attack():\n    pidfd = syscall(434, os.getppid(), 0)\n    return f'ESCAPED: {syscall(440, pidfd, None, 0, 4, 0)}'",
    ),
    Attack(
        "calls-of-the-x32-kind",
        "Makes system calls by the numbers of another word size.",
        "def attack():\n    return first([lambda n=n: f'ESCAPED: {syscall(0x40000000 | n, os.getpid(), 0)}' for n in (57, 62, 41, 101)])",
    ),
    Attack(
        "newest-calls",
        "Tries system calls that are newer than any list.",
        "def attack():\n    return first([lambda n=n: f'ESCAPED: call {n} gave {syscall(n, 0, 0, 0, 0, 0, 0)}'"
        " for n in range(440, 548) if n not in (441, 446)])",
    ),
    Attack(
        "file-without-a-name",
        "Makes files without names, which nobody can count or remove.",
        "def attack():\n    fds = [os.open(p, os.O_TMPFILE | os.O_RDWR) for p in ('/tmp', '/dev/shm', '/var/tmp')]\n"
        "    return f'ESCAPED: {fds}'",
    ),
    Attack(
        "exchange-of-names",
        "Exchanges a file of its own with a library's, or leaves a whiteout.",
        "def attack():\n    open('mine', 'w').close()\n    target = os.__file__.encode()\n"
        "    return first([lambda f=f: f'ESCAPED: {syscall(316, -100, b\"mine\", -100, target, f)}' for f in (2, 4, 0)])",
    ),
    Attack(
        "hard-link-out",
        "Makes hard and symbolic links between its folder and the libraries.",
        "def attack():\n    return first([lambda: os.link(os.__file__, 'copy') or 'ESCAPED: linked',"
        " lambda: os.link('copy', os.__file__ + 'x') or 'ESCAPED: linked'])",
    ),
    Attack(
        "special-files",
        "Makes devices, named pipes and sockets as files.",
        "import stat\ndef attack():\n    return first([lambda k=k: os.mknod('node', k | 0o666, os.makedev(1, 1)) or 'ESCAPED: made'"
        " for k in (stat.S_IFCHR, stat.S_IFBLK, stat.S_IFIFO, stat.S_IFSOCK)])",
    ),
)
