"""The version of the package, once, and those of others that are installed."""

from importlib.metadata import PackageNotFoundError, version

__version__ = "0.1.0"


def installed_version(package: str) -> str:
    """Return the version of an installed package, "" for one that is not there."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
