"""The ``colbench`` command: parses, calls, prints. Exit status 0 done, 1 our side failed, 2 bad usage or input."""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from colbench_gym.errors import ColBenchError, UnknownNameError, UsageError
from colbench_gym.jsonl import read_toml
from colbench_gym.version import __version__

DONE, FAILED, MISUSED, INTERRUPTED, TERMINATED = 0, 1, 2, 130, 143
_DESCRIPTION = (
    "ColBench: an agent works with a simulated human on tasks that it has to ask about.\n\n"
    "Exit status: 0 done (wrong answers included), 1 something failed on our side, 2 bad usage or input,\n"
    f"{INTERRUPTED} stopped by Ctrl-C, {TERMINATED} stopped by SIGTERM (what was finished is kept)."
)
_TRAINED_BY = {"filtered-bc": "bc", "multiturn-dpo": "dpo", "sweet-rl": "sweet"}  # as the methods are called elsewhere


class Command(Protocol):
    """A command with its flags."""

    def run(self) -> int | None:
        """Run the command; return the exit status, None for 0."""


Table = Mapping[str, Any]  # Any: TOML
COMMANDS: Table = read_toml(Path(__file__).with_name("commands.toml"))


def main(arguments: Sequence[str] | None = None) -> None:
    """Run ``colbench``; ends the process with its exit status."""
    signal.signal(signal.SIGTERM, _terminated)
    sys.stdout, sys.stderr = (out or open(os.devnull, "w") for out in (sys.stdout, sys.stderr))  # noqa: SIM115  closed
    try:
        sys.exit(parse(sys.argv[1:] if arguments is None else arguments).run() or DONE)
    except ColBenchError as e:
        print_error(str(e))
        sys.exit(MISUSED if isinstance(e, UsageError) else FAILED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(FAILED)
    except OSError as e:
        if e.errno != errno.ENAMETOOLONG:  # raised by whoever looks whether there is such a file
            raise
        print_error(f"{e.filename}: {e.strerror}; expected the name of a file or a folder")
        sys.exit(MISUSED)
    except (KeyboardInterrupt, Terminated) as e:
        by, status = ("SIGTERM", TERMINATED) if isinstance(e, Terminated) else ("Ctrl-C", INTERRUPTED)
        print_error(f"stopped by {by}; what was finished is kept (eval and train go on with --resume)")
        _leave(status)


def parse(arguments: Sequence[str]) -> Command:
    """Return the command that words name, with its flags; ends the process where they ask for help or the version.

    Raises:
        UsageError: no such command.
    """
    commands, words, rest = COMMANDS, ["colbench"], list(arguments)
    while True:
        name = rest.pop(0) if rest else ""
        if name == "--version" and commands is COMMANDS:
            print(f"colbench-gym {__version__}")  # noqa: T201
            sys.exit(DONE)
        if name in ("-h", "--help"):
            print(_help(words, commands))  # noqa: T201
            sys.exit(DONE)
        known = commands.get(_TRAINED_BY.get(name.replace("_", "-"), name) if words[-1] == "train" else name)
        if known is None:
            problem = str(UnknownNameError.among("command", name, commands)) if name else "got no command"
            raise UsageError(f"{problem}; see {' '.join(words)} --help")
        words.append(name)
        if "commands" in known:
            commands = known["commands"]
            continue
        import tyro

        from colbench_gym.cli.help_text import flags_of, said_of

        module, _, function = known["runs"].partition(":")
        run = getattr(import_module(f"colbench_gym.cli.{module}"), function)
        kind: type[Command] = flags_of(run, known.get("flags", {}))
        config = (tyro.conf.OmitArgPrefixes, tyro.conf.DisallowNone)
        return tyro.cli(kind, config=config, prog=" ".join(words), description=said_of(known), args=rest)


def _help(words: Sequence[str], commands: Table) -> str:
    """Return the help page of a group of commands."""
    width = max(map(len, commands))
    listed = "\n".join(f"  {name:<{width}}  {known['does']}" for name, known in commands.items())
    about = _DESCRIPTION if commands is COMMANDS else COMMANDS[words[-1]]["does"]
    usage = f"usage: {' '.join(words)} [-h] {{{','.join(commands)}}}"
    return f"{usage}\n\n{about}\n\n{listed}\n\nOf one command: {' '.join(words)} COMMAND --help"


def print_error(text: str) -> None:
    """Print a message for people, on stderr."""
    from colbench_gym.person import harmless

    print(f"colbench: {harmless(text)}", file=sys.stderr)  # noqa: T201


class Terminated(BaseException):
    """SIGTERM arrived."""


def _terminated(*_: object) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    raise Terminated


def _leave(status: int) -> None:
    """End now: threads may hang in calls, and Python ends by the signal itself where one arrived within an exec."""
    sys.stdout.flush()
    sys.stderr.flush()
    from colbench_gym.concurrency.leases import close_all

    close_all()
    os._exit(status)
