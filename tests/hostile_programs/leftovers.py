"""Things left for a later answer: the first program plants, the second looks."""

from __future__ import annotations

from .attack import Attack

_EVERYWHERE = """
PLACES = ["/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/run", "/run/lock", "/var/run", "/home", "/root", "/srv", "/opt",
          "/mnt", "/sys/fs/cgroup", os.path.expanduser("~"), os.getcwd(), "@HOME@", "@PROJECT@", "@SCRATCH@", sys.prefix,
          os.path.dirname(os.__file__), os.path.join(os.path.dirname(os.__file__), "site-packages"), "/"]
"""

_SYSV = """
libc.shmat.restype = ctypes.c_void_p
def segment(create):
    identifier = libc.shmget(0x0C0FFEE, 4096, 0o1000 | 0o666 if create else 0o666)
    if identifier < 0:
        raise OSError(ctypes.get_errno(), "shmget")
    address = libc.shmat(identifier, None, 0)
    if address in (None, ctypes.c_void_p(-1).value):
        raise OSError(ctypes.get_errno(), "shmat")
    return address
"""

ATTACKS = (
    Attack(
        "file-in-tmp",
        "Leaves a file in /tmp and a later answer reads it.",
        """
def attack():
    open("/tmp/left-behind", "w").write("x" * 9)
    return "planted"
""",
        then="""
def attack():
    return "ESCAPED: " + open("/tmp/left-behind").read()
""",
        teeth=True,
    ),
    Attack(
        "file-in-working-directory",
        "Leaves a file in the working directory, where some references write theirs.",
        """
def attack():
    open("left-behind.db", "w").write("x")
    return "planted"
""",
        then="""
def attack():
    return os.path.exists("left-behind.db") and "ESCAPED: still there"
""",
    ),
    Attack(
        "file-anywhere",
        "Leaves a file in every folder that can be written, the interpreter's included.",
        _EVERYWHERE
        + """
def plant(place):
    path = os.path.join(place, ".left-behind-everywhere")
    open(path, "w").write("x")
    return False
def attack():
    return first([lambda p=p: plant(p) for p in PLACES])
""",
        then=_EVERYWHERE
        + """
def attack():
    return first([lambda p=p: "ESCAPED: " + os.path.join(p, open(os.path.join(p, ".left-behind-everywhere")).read())
                  for p in PLACES])
""",
    ),
    Attack(
        "directory-entry",
        "Leaves only a directory, a symbolic link and a named pipe, which need no file contents.",
        """
def attack():
    return first([lambda: os.mkdir("/tmp/left-dir"), lambda: os.symlink("left", "/tmp/left-link"),
                  lambda: os.mkfifo("/tmp/left-fifo"), lambda: os.mkdir("/dev/shm/left-dir")])
""",
        then="""
def attack():
    left = [p for p in ("/tmp/left-dir", "/tmp/left-link", "/tmp/left-fifo", "/dev/shm/left-dir") if os.path.lexists(p)]
    return left and f"ESCAPED: {left}"
""",
        teeth=True,
    ),
    Attack(
        "posix-shared-memory",
        "Leaves a POSIX shared memory object.",
        """
from multiprocessing import resource_tracker, shared_memory
def attack():
    memory = shared_memory.SharedMemory("left_behind", create=True, size=64)
    memory.buf[:4] = b"left"
    return "planted"
""",
        then="""
def attack():
    from multiprocessing import shared_memory
    return "ESCAPED: " + bytes(shared_memory.SharedMemory("left_behind").buf[:4]).decode()
""",
    ),
    Attack(
        "shared-memory-file",
        "Leaves a file in /dev/shm.",
        """
def attack():
    open("/dev/shm/left-behind", "w").write("x")
    return "planted"
""",
        then="""
def attack():
    return "ESCAPED: " + open("/dev/shm/left-behind").read()
""",
        teeth=True,
    ),
    Attack(
        "sysv-segment",
        "Leaves a SysV shared memory segment, which outlives every process.",
        """
libc.shmat.restype = ctypes.c_void_p
def segment(create):
    identifier = libc.shmget(0x0C0FFEE, 4096, 0o1000 | 0o666 if create else 0o666)
    if identifier < 0:
        raise OSError(ctypes.get_errno(), "shmget")
    address = libc.shmat(identifier, None, 0)
    if address in (None, ctypes.c_void_p(-1).value):
        raise OSError(ctypes.get_errno(), "shmat")
    return address

def attack():
    ctypes.memmove(segment(True), b"left-here", 9)
    return "planted"
""",
        then="""
libc.shmat.restype = ctypes.c_void_p
def segment(create):
    identifier = libc.shmget(0x0C0FFEE, 4096, 0o1000 | 0o666 if create else 0o666)
    if identifier < 0:
        raise OSError(ctypes.get_errno(), "shmget")
    address = libc.shmat(identifier, None, 0)
    if address in (None, ctypes.c_void_p(-1).value):
        raise OSError(ctypes.get_errno(), "shmat")
    return address

def attack():
    return "ESCAPED: " + ctypes.string_at(segment(False), 9).decode()
""",
        teeth=True,
    ),
    Attack(
        "sysv-semaphore",
        "Leaves a SysV semaphore whose value is a message.",
        """
def attack():
    identifier = libc.semget(0x0C0FFEF, 1, 0o1000 | 0o666)
    return "planted" if identifier >= 0 and libc.semctl(identifier, 0, 16, 42) == 0 else "blocked"
""",
        then="""
def attack():
    identifier = libc.semget(0x0C0FFEF, 1, 0o666)
    value = libc.semctl(identifier, 0, 12) if identifier >= 0 else -1
    return value == 42 and "ESCAPED: 42"
""",
        teeth=True,
    ),
    Attack(
        "sysv-message-queue",
        "Leaves a message in a SysV queue.",
        """
class Message(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_long), ("text", ctypes.c_char * 16)]
def attack():
    queue = libc.msgget(0x0C0FFF0, 0o1000 | 0o666)
    return "planted" if queue >= 0 and libc.msgsnd(queue, ctypes.byref(Message(1, b"left")), 16, 0o4000) == 0 else "no"
""",
        then="""
class Message(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_long), ("text", ctypes.c_char * 16)]
def attack():
    message = Message()
    queue = libc.msgget(0x0C0FFF0, 0o666)
    return queue >= 0 and libc.msgrcv(queue, ctypes.byref(message), 16, 0, 0o4000) > 0 and "ESCAPED: " + str(message.text)
""",
        teeth=True,
    ),
    Attack(
        "posix-message-queue",
        "Leaves a message in a POSIX queue.",
        """
rt = ctypes.CDLL("librt.so.1", use_errno=True)
def attack():
    queue = rt.mq_open(b"/left-behind", 0o102, 0o666, None)
    return "planted" if queue >= 0 and rt.mq_send(queue, b"left", 4, 0) == 0 else "blocked"
""",
        then="""
rt = ctypes.CDLL("librt.so.1", use_errno=True)
def attack():
    return rt.mq_open(b"/left-behind", 0o2) >= 0 and "ESCAPED: the queue is there"
""",
        teeth=True,
    ),
    Attack(
        "kernel-keyring",
        "Leaves a key in the user, session and process keyrings of the kernel.",
        """
def attack():
    return first([lambda ring=ring: syscall(248, b"user", b"left-behind", b"text", 4, ring) and False
                  for ring in (-1, -2, -3, -4, -5)])
""",
        then="""
def attack():
    def look(ring):
        key = syscall(250, 10, ring, b"user", b"left-behind", 0)
        return key > 0 and "ESCAPED: key in ring %d" % ring
    return first([lambda ring=ring: look(ring) for ring in (-1, -2, -3, -4, -5)])
""",
        teeth=True,
    ),
    Attack(
        "abstract-socket",
        "Leaves a background process that serves text on an abstract unix socket.",
        """
import socket
def attack():
    if os.fork() == 0:
        os.setsid()
        server = socket.socket(socket.AF_UNIX)
        server.bind("\\0left-behind")
        server.listen()
        server.settimeout(20)
        while True:
            server.accept()[0].send(b"left")
    return "planted"
""",
        then="""
import socket
def attack():
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(1)
    client.connect("\\0left-behind")
    return "ESCAPED: " + client.recv(9).decode()
""",
        calls=2,
    ),
    Attack(
        "loopback-server",
        "Leaves a background process that serves text on a loopback port.",
        """
import socket
def attack():
    if os.fork() == 0:
        os.setsid()
        server = socket.create_server(("127.0.0.1", 38471))
        server.settimeout(20)
        while True:
            server.accept()[0].send(b"left")
    return "planted"
""",
        then="""
import socket
def attack():
    return "ESCAPED: " + socket.create_connection(("127.0.0.1", 38471), 1).recv(9).decode()
""",
        calls=2,
    ),
    Attack(
        "site-customisation",
        "Leaves a .pth file and a usercustomize module for interpreters that start later.",
        """
import site, sysconfig
def attack():
    places = {sysconfig.get_path("purelib"), site.getusersitepackages(), *sys.path[1:]}
    def plant(place):
        open(os.path.join(place, "left_behind.pth"), "w").write("import os\\n")
    return first([lambda p=p: plant(p) for p in places if p])
""",
        then="""
import site, sysconfig
def attack():
    places = {sysconfig.get_path("purelib"), site.getusersitepackages(), *sys.path[1:]}
    return any(os.path.exists(os.path.join(p, "left_behind.pth")) for p in places) and "ESCAPED: a .pth file"
""",
    ),
    Attack(
        "standard-library-module",
        "Rewrites a module of the standard library, or its byte code, for whoever imports it next.",
        """
import importlib.util
def attack():
    import fractions
    cached = importlib.util.cache_from_source(fractions.__file__)
    def rewrite(path):
        with open(path, "r+b") as file:
            file.seek(0, 2)
        return "ESCAPED: could write " + path
    return first([lambda: rewrite(fractions.__file__), lambda: rewrite(cached), lambda: rewrite(sys.executable),
                  lambda: os.chmod(fractions.__file__, 0o666), lambda: os.rename(fractions.__file__, "/tmp/f")])
""",
    ),
    Attack(
        "extended-attribute",
        "Leaves a message in the extended attributes and times of files that exist already.",
        """
def attack():
    targets = ["/tmp", os.getcwd(), sys.executable, os.__file__, "/", "@PROJECT@"]
    return first([lambda p=p: os.setxattr(p, "user.left", b"x") for p in targets]
                 + [lambda p=p: os.utime(p, (12345, 12345)) for p in targets])
""",
        then="""
def attack():
    targets = ["/tmp", os.getcwd(), sys.executable, os.__file__, "/", "@PROJECT@"]
    marked = [p for p in targets if int(os.stat(p).st_mtime) == 12345]
    return marked and f"ESCAPED: {marked}"
""",
    ),
    Attack(
        "file-lock",
        "Leaves a lock on a file that everybody can open, held by a background process.",
        """
import fcntl
def attack():
    if os.fork() == 0:
        os.setsid()
        fcntl.flock(os.open(os.__file__, os.O_RDONLY), fcntl.LOCK_EX)
        time.sleep(20)
    return "planted"
""",
        then="""
import fcntl
def attack():
    try:
        fcntl.flock(os.open(os.__file__, os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return "ESCAPED: the lock is held"
    return "nothing"
""",
        calls=2,
    ),
)
