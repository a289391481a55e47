"""Files that a program may see: the interpreter's libraries, shared ones, and the packages it is given."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec

SCRATCH = "/sandbox"  # the working directory in a mount namespace of our own
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/nix/store", "/gnu/store")
DATA = ("/etc/ld.so.cache", "/etc/alternatives", "/usr/share/zoneinfo")


class FileAccess:
    """The paths that programs need, by what they may do with them.

    Attributes:
        readable: files and folders, with all they hold except ``hidden``.
        hidden: folders of installed packages inside ``readable``: not the program's business.
        packages: the packages that programs may import, perhaps inside ``hidden``.
        devices: character devices to read and write.
        scratch: the one folder that may be written; the working directory.
    """

    def __init__(self, packages: list[str], scratch: str, mapped: list[str]) -> None:
        prefixes = sorted({sys.base_prefix, sys.base_exec_prefix})
        own = [f"{prefix}/{name}" for prefix in prefixes for name in ("lib", "lib64")]
        known = [*LIBRARIES, *own, os.path.dirname(os.__file__), *mapped]  # not sys.path, which is also the user's
        paths = [path for path in dict.fromkeys(known) if os.path.exists(path)]
        folders = [path for path in [*paths, *packages] if os.path.isdir(path)]
        outermost = [path for path in paths if not any(is_inside(path, folder) for folder in folders)]
        self.readable = [*outermost, *(path for path in DATA if os.path.exists(path))]
        self.hidden = sorted(
            {
                os.path.realpath(installed) if os.path.islink(installed) else installed
                for folder in outermost
                for installed in installed_packages(folder)
            }
        )
        self.packages = packages
        self.devices = list(DEVICES)
        self.scratch = scratch

    def without_hidden(self) -> tuple[list[str], list[str]]:
        """Return the paths to open around ``hidden`` and those to list only, for rules that can only add rights."""
        readable: list[str] = []
        listable: list[str] = []
        waiting = list(self.readable)
        hidden = {os.path.realpath(path) for path in self.hidden}
        library = os.path.realpath(os.path.dirname(os.__file__))  # imports list it, and nothing else around hidden ones
        while waiting:
            path = os.path.realpath(waiting.pop())
            if path in hidden:
                continue
            if any(is_inside(inner, path) for inner in hidden):
                listable += [path] if path == library else []
                waiting += [f"{path}/{name}" for name in os.listdir(path)]
            else:
                readable.append(path)
        return readable + self.packages, listable


class PackageFinder:
    """Finds the packages that programs are given by their paths: the folders they lie in may be closed to listing."""

    def __init__(self, packages: list[str]) -> None:
        files = {path: f"{path}/__init__.py" if os.path.isdir(path) else path for path in packages}
        self.files = {
            os.path.basename(path).split(".")[0]: file for path, file in files.items() if os.path.isfile(file)
        }

    def find_spec(self, name: str, *_path_and_target: object) -> ModuleSpec | None:
        """Return the spec of the package ``name``; None for all other modules."""
        file = self.files.get(name)
        if file is None:
            return None
        from importlib.machinery import ModuleSpec, SourceFileLoader  # by programs that need it alone

        whole = file.endswith("/__init__.py")
        spec = ModuleSpec(name, SourceFileLoader(name, file), origin=file, is_package=whole)
        spec.has_location = True
        if whole:
            spec.submodule_search_locations = [os.path.dirname(file)]
        return spec


def import_only(packages: list[str]) -> None:
    """Leave these alone, and the standard library, to be imported: no other package that lies beside one of them."""
    folders = {os.path.dirname(path) for path in packages}
    sys.path[:] = [path for path in sys.path if path not in folders]
    sys.meta_path.append(PackageFinder(packages))


def installed_packages(folder: str) -> list[str]:
    """Return the folders of installed packages in ``folder``, and in the Pythons that it holds."""
    pythons = [name for name in os.listdir(folder) if name.startswith("python")] if os.path.isdir(folder) else []
    candidates = [
        f"{folder}/{python}/{name}" for python in (".", *pythons) for name in ("site-packages", "dist-packages")
    ]
    return [path for path in map(os.path.normpath, candidates) if os.path.isdir(path)]


def is_inside(path: str, folder: str) -> bool:
    """Return whether ``path`` lies somewhere in ``folder``."""
    return path != folder and path.startswith(folder.rstrip("/") + "/")


def mapped_files() -> list[str]:
    """Return the files that this process has mapped: its shared libraries, wherever they are."""
    if not os.path.exists("/proc/self/maps"):
        return []
    with open("/proc/self/maps") as maps:
        names = {line.split(None, 5)[5].strip() for line in maps if "/" in line}
    return sorted(name for name in names if name.startswith("/") and not name.startswith("/dev"))
