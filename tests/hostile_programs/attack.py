"""What a hostile answer is, and the helpers that every one of them begins with."""

from dataclasses import dataclass
from pathlib import Path

# Every program begins with this. A program defines attack(), whose return value says what it achieved, or solve(n).
PREAMBLE = Path(__file__).with_name("preamble.txt").read_text(encoding="utf-8")
EPILOGUE = Path(__file__).with_name("epilogue.txt").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Attack:
    """One hostile answer. It succeeded when an outcome holds ``ESCAPED`` or a canary, or when a test passes.

    Attributes:
        name: unique in its family.
        tries: what it tries, in one sentence.
        source: what is graded; ``@HOME@`` and the like are replaced by the arena's places.
        then: a later answer of the same worker that looks for what the first one left.
        before: an earlier answer, of somebody else, that the attack is after.
        beside: somebody else's answer that runs in another worker meanwhile.
        calls: how many of the ten tests are run; two for what loops.
        teeth: succeeds where nothing is contained, which shows that the program does what it says.
        short: run under limits of a second, for what waits until it is stopped.
    """

    name: str
    tries: str
    source: str
    then: str = ""
    before: str = ""
    beside: str = ""
    calls: int = 10
    teeth: bool = False
    short: bool = False
    family: str = ""

    @property
    def id(self) -> str:
        """``family/name``."""
        return f"{self.family}/{self.name}"

    def programs(self, places: dict[str, str]) -> dict[str, str]:
        """The complete text of each part that is not empty, by the part's name."""
        parts = {"before": self.before, "beside": self.beside, "source": self.source, "then": self.then}
        return {part: complete(text, places) for part, text in parts.items() if text}


def complete(source: str, places: dict[str, str]) -> str:
    """A program with its preamble, its ``solve`` and the arena's places."""
    text = f"\n{PREAMBLE}\n\n" + source.strip("\n") + "\n"
    if "def solve(" not in source and "solve =" not in source:
        text += f"\n\n{EPILOGUE}"
    for place, value in places.items():
        text = text.replace(f"@{place}@", value)
    return text
