"""The ``colbench`` command: parses, calls, prints. Exit status 0 done, 1 our side failed, 2 bad usage or input."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol

from colbench_gym.errors import ColBenchError, UnknownNameError, UsageError
from colbench_gym.version import __version__

DONE, FAILED, INTERRUPTED, TERMINATED = 0, 1, 130, 143
_DESCRIPTION = (
    "ColBench: an agent works with a simulated human on tasks that it has to ask about.\n\n"
    "Exit status: 0 done (wrong answers included), 1 something failed on our side, 2 bad usage or input,\n"
    f"{INTERRUPTED} stopped by Ctrl-C, {TERMINATED} stopped by SIGTERM (what was finished is kept)."
)
_TRAINED_BY = {"filtered-bc": "bc", "multiturn-dpo": "dpo", "sweet-rl": "sweet"}  # as the methods are called elsewhere


class Command(Protocol):
    """A command with its flags."""

    def run(self) -> int:
        """Run the command; return the exit status."""


@dataclass(frozen=True)
class Entry:
    """A command: the module and class that are imported when it is called, and what it does."""

    where: str
    does: str


@dataclass(frozen=True)
class Group:
    """Commands under one name."""

    does: str
    commands: Mapping[str, Entry | Group]


COMMANDS: Mapping[str, Entry | Group] = {
    "eval": Entry("eval:Eval", "play an agent against a human, grade it, write the results to a folder"),
    "eval-set": Entry("eval_set:EvalSet", "play agents by tracks by humans from one file: one table, one report"),
    "grade": Entry("grade:GradeCommand", "grade a file of answers, or of trajectories"),
    "watch": Entry("watch:WatchCommand", "watch a run from another terminal"),
    "compare": Entry("table:Compare", "compare two runs on the tasks that both have"),
    "report": Entry("report:ReportCommand", "write one HTML file about runs"),
    "show": Entry("report:ShowCommand", "print a dialogue of a run"),
    "export": Entry("report:ExportCommand", "write a run's dialogues in the formats of others"),
    "table": Entry("table:TableCommand", "print a table of the paper with runs beside it"),
    "oracle": Entry("grade:OracleCommand", "answer every task with its own reference, name what nobody can win"),
    "play": Entry("play:Play", "play one dialogue, in the terminal or at a local page"),
    "demo": Entry("demo:Demo", "show what asking is worth, with no model, key or network"),
    "human": Group(
        "list the humans, and check whether one understands questions",
        {
            "check": Entry("human:HumanCheck", "ask natural questions, count the replies that settle them"),
            "list": Entry("human:HumanList", "list the humans, and the personas of the scripted one"),
        },
    ),
    "tasks": Group(
        "list, check, generate and synthesize tasks",
        {
            "list": Entry("tasks:ListTasks", "print the id and description of each task"),
            "check": Entry("tasks:CheckTasks", "find tasks that cannot be played or graded fairly, and say why"),
            "generate": Entry("tasks:Generate", "write generated tasks to a file"),
            "synthesize": Entry("tasks:Synthesize", "let a model write tasks about texts"),
        },
    ),
    "assets": Group(
        "fetch the files that web pages link (once, at set-up), and see what is there",
        {
            "fetch": Entry("assets:Fetch", "fetch them, each checked against its pinned hash"),
            "list": Entry("assets:ListAssets", "show each, and whether it is here"),
        },
    ),
    "sandbox": Group(
        "build the image of the docker sandbox, and see what contains what on this machine",
        {
            "build": Entry("sandbox:Build", "build the image of the docker sandbox ahead of its first use"),
            "check": Entry("sandbox:CheckSandboxes", "attack every way to run programs that this machine has"),
        },
    ),
    "train": Group(
        "train a language model offline, from dialogues that were collected before",
        {
            "bc": Entry("train:TrainBC", "imitate the agent in the dialogues that succeeded"),
            "dpo": Entry("train:TrainDPO", "prefer the whole dialogue that did better"),
            "sweet": Entry("train:TrainSweet", "SWEET-RL: a critic scores turns, the actor learns from it"),
        },
    ),
    "doctor": Entry("doctor:Doctor", "look at this machine: what works, what is missing, what to do about it"),
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run ``colbench``; ends the process with its exit status."""
    signal.signal(signal.SIGTERM, _terminated)
    try:
        sys.exit(parse(sys.argv[1:] if arguments is None else arguments).run())
    except UsageError as e:
        _print_error(str(e))
        sys.exit(2)
    except ColBenchError as e:
        _print_error(str(e))
        sys.exit(FAILED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(FAILED)
    except KeyboardInterrupt:
        _print_error("stopped by Ctrl-C; what was finished is kept (colbench eval goes on with --resume)")
        _leave(INTERRUPTED)
    except Terminated:
        _print_error("stopped by SIGTERM; what was finished is kept (colbench eval goes on with --resume)")
        _leave(TERMINATED)


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
        if isinstance(known, Group):
            commands = known.commands
            continue
        import tyro

        from colbench_gym.cli.help_text import quiet_defaults

        module, _, attribute = known.where.partition(":")
        kind: type[Command] = getattr(import_module(f"colbench_gym.cli.{module}"), attribute)
        config = (tyro.conf.OmitArgPrefixes, tyro.conf.DisallowNone)
        return tyro.cli(kind, config=config, prog=" ".join(words), args=rest, registry=quiet_defaults())


def _help(words: Sequence[str], commands: Mapping[str, Entry | Group]) -> str:
    """Return the help page of a group of commands."""
    width = max(map(len, commands))
    listed = "\n".join(f"  {name:<{width}}  {known.does}" for name, known in commands.items())
    about = _DESCRIPTION if commands is COMMANDS else getattr(COMMANDS[words[-1]], "does", "")
    usage = f"usage: {' '.join(words)} [-h] {{{','.join(commands)}}}"
    return f"{usage}\n\n{about}\n\n{listed}\n\nOf one command: {' '.join(words)} COMMAND --help"


def _print_error(text: str) -> None:
    from colbench_gym.cli.tables import print_error

    print_error(text)


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
