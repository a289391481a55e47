"""What every later answer would inherit: the server's limits, priorities, memory and groups, changed from a child."""

from __future__ import annotations

from .attack import Attack

ATTACKS = (
    Attack(
        "server-limits",
        "Lowers a resource limit of the server with prlimit, so that every later answer starts with it.",
        """
import resource
def attack():
    return first([lambda p=p: resource.prlimit(p, resource.RLIMIT_STACK, (1234567, 1234567)) and False for p in pids()])
""",
        then="""
import resource
def attack():
    return resource.getrlimit(resource.RLIMIT_STACK)[0] == 1234567 and "ESCAPED: limit inherited"
""",
    ),
    Attack(
        "server-priority",
        "Lowers the server's scheduling priority, so that later answers run out of time.",
        """
def attack():
    who = os.getpriority(os.PRIO_PROCESS, 0)
    return first([lambda p=p: os.setpriority(os.PRIO_PROCESS, p, min(19, who + 7)) for p in pids()])
""",
        then="""
def attack():
    return os.getpriority(os.PRIO_PROCESS, 0) >= 7 and "ESCAPED: priority inherited"
""",
    ),
    Attack(
        "server-affinity",
        "Pins the server to one core and to the idle scheduling class.",
        """
def attack():
    return first([lambda p=p: os.sched_setscheduler(p, os.SCHED_IDLE, os.sched_param(0)) for p in pids()]
                 + [lambda p=p: os.sched_setaffinity(p, {0}) for p in pids()])
""",
        then="""
def attack():
    if os.sched_getscheduler(0) == os.SCHED_IDLE:
        return "ESCAPED: scheduling class inherited"
    return len(os.sched_getaffinity(0)) < @CORES@ and "ESCAPED: affinity inherited"
""",
    ),
    Attack(
        "server-io-priority",
        "Puts the server into the idle I/O class.",
        """
def attack():
    return first([lambda p=p: syscall(251, 1, p, 3 << 13) and False for p in pids()])
""",
        then="""
def attack():
    return syscall(252, 1, 0) >> 13 == 3 and "ESCAPED: I/O class inherited"
""",
    ),
    Attack(
        "server-oom-score",
        "Makes the server the kernel's first choice when memory runs out.",
        """
def attack():
    def raise_score(pid):
        with open(f"/proc/{pid}/oom_score_adj", "w") as file:
            file.write("998")
        return "ESCAPED: oom_score_adj of another process"
    return first([lambda p=p: raise_score(p) for p in pids()])
""",
    ),
    Attack(
        "host-name",
        "Leaves a message in the host name.",
        """
import socket
def attack():
    socket.sethostname("left-behind")
    return "planted"
""",
        then="""
import socket
def attack():
    return socket.gethostname() == "left-behind" and "ESCAPED: host name"
""",
    ),
    Attack(
        "control-group",
        "Makes a control group, and moves the server into it.",
        """
def attack():
    def make(parent):
        os.mkdir(parent + "/left-behind")
        return "ESCAPED: made a group in " + parent
    roots = ["/sys/fs/cgroup", "/sys/fs/cgroup/pids", "/sys/fs/cgroup/unified", "/sys/fs/cgroup/memory"]
    return first([lambda p=p: make(p) for p in roots])
""",
    ),
    Attack(
        "shared-mapping",
        "Writes to memory that the server shares with its children, and a later answer reads it.",
        """
def attack():
    for line in open("/proc/self/maps"):
        span, mode = line.split()[:2]
        if mode[3] == "s" and mode[1] == "w":
            start = int(span.split("-")[0], 16)
            ctypes.memmove(start, b"left-here", 9)
    return "planted"
""",
        then="""
def attack():
    for line in open("/proc/self/maps"):
        span, mode = line.split()[:2]
        if mode[3] == "s" and ctypes.string_at(int(span.split("-")[0], 16), 9) == b"left-here":
            return "ESCAPED: " + line
    return "nothing"
""",
    ),
)
