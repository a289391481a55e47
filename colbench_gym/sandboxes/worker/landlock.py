"""File and network rules for programs by Landlock: what may be read, the one folder that may be written, no TCP."""

from __future__ import annotations

import os

from . import kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_CREATE_RULESET_VERSION = 1
_PATH_BENEATH = 1
_WRITE_FILE, _READ_FILE, _READ_DIR, _REFER, _TRUNCATE, _IOCTL_DEV = (1 << bit for bit in (1, 2, 3, 13, 14, 15))
_MAKE = (1 << 4) | (1 << 5) | (1 << 7) | (1 << 8)  # remove folders and files, make folders and regular files
_HANDLED_BITS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}  # rights over files that each ABI knows
_FILE_RIGHTS = _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV


TRUNCATE_ABI = 3  # before that, any file of the user's can be cut


def abi() -> int:
    """Return the kernel's Landlock version, 0 when it has none."""
    try:
        return kernel.system_call(_CREATE_RULESET, None, 0, _CREATE_RULESET_VERSION)
    except OSError:
        return 0


def make_ruleset(readable: list[str], listable: list[str], writable: str, devices: list[str]) -> int:
    """Return the descriptor of a ruleset that forbids every file access but these, TCP, and signals to the outside.

    Args:
        readable: files, and folders with all they hold.
        listable: folders whose names may be listed, and no more.
        writable: the folder in which everything is allowed but special files.
        devices: character devices to read and write.
    """
    version = abi()
    if not version:
        raise OSError("this kernel has no Landlock")
    handled = (1 << _HANDLED_BITS.get(version, 16)) - 1
    numbers = [handled] + ([0b11] if version >= 4 else []) + ([0b11] if version >= 6 else [])  # files, TCP, scopes
    attributes = b"".join(number.to_bytes(8, "little") for number in numbers)
    ruleset = kernel.system_call(_CREATE_RULESET, attributes, len(attributes), 0)
    everything = _READ_FILE | _READ_DIR | _WRITE_FILE | _TRUNCATE | _REFER | _MAKE
    for paths, rights in (
        (readable, _READ_FILE | _READ_DIR),
        (listable, _READ_DIR),
        ([writable], everything),
        (devices, _READ_FILE | _WRITE_FILE),
    ):
        for path in paths:
            _allow(ruleset, path, rights & handled)
    return ruleset


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        if not os.path.isdir(path):
            rights &= _FILE_RIGHTS
        if rights:
            rule = rights.to_bytes(8, "little") + folder.to_bytes(4, "little")
            kernel.system_call(_ADD_RULE, ruleset, _PATH_BENEATH, rule, 0)
    finally:
        os.close(folder)


def restriction(ruleset: int) -> Callable[[], object]:
    """Return a function that puts its process under the ruleset for good."""
    return kernel.prepared_call(_RESTRICT_SELF, ruleset, 0)
