"""The system calls a program may make: seccomp filters that allow a list and answer ENOSYS to everything else.

What Python and numpy need to compute, to use files in the working directory, and to run threads. No processes, no
sockets but a connected pair, no signals, no shared memory, no limits or properties of another process, nothing that
creates, mounts, traces or watches. The long filter is installed once, in the server, and inherited; it lets through
what the server itself needs, and each child adds a short one that takes these away.
"""

from __future__ import annotations

import os

# name, x86_64, aarch64 (- where the machine has no such call)
_ALLOWED = """
read 0 63; write 1 64; close 3 57; fstat 5 80; lseek 8 62; mmap 9 222; mprotect 10 226; munmap 11 215; brk 12 214;
rt_sigaction 13 134; rt_sigprocmask 14 135; rt_sigreturn 15 139; rt_sigpending 127 136; rt_sigtimedwait 128 137;
rt_sigsuspend 130 133; sigaltstack 131 132; pread64 17 67; pwrite64 18 68; readv 19 65; writev 20 66;
faccessat 269 48; faccessat2 439 439; pipe2 293 59; pselect6 270 72; ppoll 271 73; epoll_create1 291 20;
epoll_ctl 233 21; epoll_pwait 281 22; epoll_pwait2 441 441; eventfd2 290 19; sched_yield 24 124; mremap 25 216;
madvise 28 233; dup 32 23; dup3 292 24; nanosleep 35 101; clock_nanosleep 230 115; clock_gettime 228 113;
clock_getres 229 114; gettimeofday 96 169; getitimer 36 102; setitimer 38 103; getpid 39 172; gettid 186 178;
getppid 110 173; getuid 102 174; geteuid 107 175; getgid 104 176; getegid 108 177; getresuid 118 148;
getresgid 120 150; getgroups 115 158; getpgid 121 155; getsid 124 156; getrlimit 97 163; setrlimit 160 164;
getrusage 98 165; times 100 153; sysinfo 99 179; uname 63 160; umask 95 166;
getcwd 79 17; chdir 80 49; fchdir 81 50; renameat 264 38; renameat2 316 276; mkdirat 258 34; unlinkat 263 35;
openat 257 56; readlinkat 267 78; truncate 76 45; ftruncate 77 46; fallocate 285 47; fsync 74 82; fdatasync 75 83;
getdents64 217 61; newfstatat 262 79; statx 332 291; statfs 137 43; fstatfs 138 44; futex 202 98;
set_robust_list 273 99; rseq 334 293; set_tid_address 218 96; exit 60 93; exit_group 231 94; getrandom 318 278;
getcpu 309 168; sched_getaffinity 204 123; sched_getscheduler 145 120; sched_getparam 143 121;
sched_get_priority_max 146 125; sched_get_priority_min 147 126; getpriority 140 141; membarrier 324 283;
getsockopt 55 209; getsockname 51 204; getpeername 52 205;
open 2 -; stat 4 -; lstat 6 -; access 21 -; pipe 22 -; select 23 -; poll 7 -; epoll_create 213 -; epoll_wait 232 -;
eventfd 284 -; dup2 33 -; alarm 37 -; time 201 -; getpgrp 111 -; rename 82 -; mkdir 83 -; rmdir 84 -; unlink 87 -;
creat 85 -; readlink 89 -; getdents 78 -; arch_prctl 158 -; pause 34 -
"""
_SERVER = """
clone 56 220; kill 62 129; wait4 61 260; recvmsg 47 212; accept 43 202; accept4 288 242; sendmsg 46 211;
prctl 157 167; landlock_restrict_self 446 446; setsid 112 157; fork 57 -; fchmod 91 52; fchmodat 268 53; chmod 90 -
"""
_CHECKED = "ioctl 16 29; fcntl 72 25; prlimit64 302 261; socketpair 53 199; recvfrom 45 207; sendto 44 206"

_IOCTLS = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)  # TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX
# DUPFD, descriptor flags, SETLK, SETLKW (sqlite), and DUPFD_CLOEXEC; no file flags, owners, leases, and no other locks:
# who may not ask for a lock (GETLK) cannot see another program's shared one, and exclusive ones need a writable file.
_FCNTLS = (0, 1, 2, 3, 6, 7, 1030)
_MSG_OOB = 1
_CLONE_THREAD = 0x10000
_CLONE_NEW = 0x7E020000
_AF_UNIX = _SOCK_STREAM = 1

_ALLOW, _KILL = 0x7FFF0000, 0x80000000
_EPERM, _EINVAL, _ENOTTY, _ENOSYS = (0x50000 | number for number in (1, 22, 25, 38))
_LOAD, _AND, _JUMP_EQUAL, _JUMP_AT_LEAST, _JUMP_ANY_BIT, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
_NUMBER_AT, _ARCH_AT = 0, 4
_MACHINES = {"x86_64": (1, 0xC000003E), "aarch64": (2, 0xC00000B7)}  # column above, AUDIT_ARCH

TYPE_CHECKING = False
if TYPE_CHECKING:
    Code = list[tuple[int, int, int, int]]  # instructions: code, jump if true, jump if false, operand


def _argument(index: int) -> int:
    return 16 + 8 * index  # the low half: both machines are little-endian


def _one_of(index: int, values: tuple[int, ...], otherwise: int) -> Code:
    """Allow when the argument is one of ``values``."""
    tests = [
        (_JUMP_EQUAL, len(values) - number, number == len(values), value) for number, value in enumerate(values, 1)
    ]
    return [(_LOAD, 0, 0, _argument(index)), *tests, (_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, otherwise)]


def _without(index: int, bits: int, otherwise: int) -> Code:
    """Allow when the argument has none of ``bits``."""
    return [
        (_LOAD, 0, 0, _argument(index)),
        (_JUMP_ANY_BIT, 0, 1, bits),
        (_RETURN, 0, 0, otherwise),
        (_RETURN, 0, 0, _ALLOW),
    ]


_THREADS_ONLY: Code = [
    (_LOAD, 0, 0, _argument(0)),
    (_JUMP_ANY_BIT, 2, 0, _CLONE_NEW),
    (_JUMP_ANY_BIT, 0, 1, _CLONE_THREAD),
    (_RETURN, 0, 0, _ALLOW),
    (_RETURN, 0, 0, _EPERM),
]
_CHECKS = {
    "ioctl": _one_of(1, _IOCTLS, _ENOTTY),
    "fcntl": _one_of(1, _FCNTLS, _EINVAL),
    "recvfrom": _without(3, _MSG_OOB, _EINVAL),
    "sendto": _without(3, _MSG_OOB, _EINVAL),
    "prlimit64": _one_of(0, (0,), _EPERM),  # 0 is the caller itself
    "socketpair": [  # streams only: a datagram socket can be sent to any address
        (_LOAD, 0, 0, _argument(0)),
        (_JUMP_EQUAL, 0, 3, _AF_UNIX),
        (_LOAD, 0, 0, _argument(1)),
        (_AND, 0, 0, 0xF),
        (_JUMP_EQUAL, 1, 0, _SOCK_STREAM),
        (_RETURN, 0, 0, _EPERM),
        (_RETURN, 0, 0, _ALLOW),
    ],
}


def server_filter() -> bytes:
    """Return the filter of the server and its children, as an array of ``struct sock_filter``.

    Raises:
        OSError: a machine whose call numbers are not listed here.
    """
    leaves: dict[int, Code] = {
        number: [(_RETURN, 0, 0, _ALLOW)] for number in _numbers(_ALLOWED + ";" + _SERVER).values()
    }
    leaves.update((number, _CHECKS[name]) for name, number in _numbers(_CHECKED).items())
    return _assemble(_ranges(leaves))


def child_filter() -> bytes:
    """Return the filter that children add, as an array of ``struct sock_filter``."""
    refused = _numbers(_SERVER)
    leaves: dict[int, Code] = {number: [(_RETURN, 0, 0, _ALLOW)] for number in range(1024)}
    leaves.update((number, [(_RETURN, 0, 0, _ENOSYS)]) for number in refused.values())
    leaves[refused["clone"]] = _THREADS_ONLY
    return _assemble(_ranges(leaves))


def _machine() -> tuple[int, int]:
    machine = os.uname().machine
    if machine not in _MACHINES:
        raise OSError(f"no list of system calls for the machine {machine!r}; known are {', '.join(_MACHINES)}")
    return _MACHINES[machine]


def _numbers(table: str) -> dict[str, int]:
    """Return the calls of ``table`` that this machine has."""
    column, _ = _machine()
    entries = (entry.split() for entry in table.replace("\n", " ").split(";"))
    return {words[0]: int(words[column]) for words in entries if words[column] != "-"}


def _assemble(ranges: list[tuple[int, Code]]) -> bytes:
    program = [
        (_LOAD, 0, 0, _ARCH_AT),
        (_JUMP_EQUAL, 1, 0, _machine()[1]),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER_AT),
        *_search(ranges),
    ]
    return b"".join(
        code.to_bytes(2, "little") + bytes((true, false)) + operand.to_bytes(4, "little")
        for code, true, false, operand in program
    )


def _ranges(leaves: dict[int, Code]) -> list[tuple[int, Code]]:
    """Cut the call numbers into ranges with one answer each: (first number, instructions)."""
    refuse = [(_RETURN, 0, 0, _ENOSYS)]
    ranges = [(0, leaves.get(0, refuse))]
    for number in sorted({border for call in leaves for border in (call, call + 1)}):
        answer = leaves.get(number, refuse)
        if answer != ranges[-1][1]:
            ranges.append((number, answer))
    return ranges


def _search(ranges: list[tuple[int, Code]]) -> Code:
    """Return a binary search over ``ranges``; the kernel evaluates it for every call number when it is installed."""
    if len(ranges) == 1:
        return ranges[0][1]
    middle = len(ranges) // 2
    below, above = _search(ranges[:middle]), _search(ranges[middle:])
    return [(_JUMP_AT_LEAST, len(below), 0, ranges[middle][0]), *below, *above]
