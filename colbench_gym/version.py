"""The version of the package, once, and those of others that are installed."""

__version__ = "0.1.0"


def installed_version(package: str) -> str:
    """Return the version of an installed package, "" for one that is not there."""
    from importlib.metadata import PackageNotFoundError, version  # takes longer to load than most of this package

    try:
        return version(package)
    except PackageNotFoundError:
        return ""
