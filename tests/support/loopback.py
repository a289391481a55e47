"""A fixture for tests that must ask nothing of other machines, frameworks' telemetry included."""

import ipaddress
import sys

import pytest

_asked: list[str] = []


def _record(event: str, args: tuple) -> None:
    if event == "socket.connect" and isinstance(args[1], tuple):
        host = args[1][0]
    elif event == "socket.getaddrinfo":
        host = args[0]
    else:
        return
    if not _is_here(host):
        _asked.append(f"{event}: {host!r}")


def _is_here(host: object) -> bool:
    name = host.decode() if isinstance(host, bytes) else host or "localhost"
    try:
        address = ipaddress.ip_address(str(name))
    except ValueError:
        return name == "localhost"
    return address.is_loopback or address.is_unspecified


@pytest.fixture(autouse=True)
def only_loopback():
    """Fail where this process looks up or connects to another machine."""
    if not getattr(sys, "_colbench_records_hosts", False):
        sys.addaudithook(_record)  # for ever: hooks cannot be removed
        sys._colbench_records_hosts = True
    _asked.clear()
    yield
    assert _asked == []
