"""Decide when a reply about a case may begin with yes or no: the runs decide it, and the question was understood."""

from __future__ import annotations

from collections.abc import Sequence

from colbench_gym.humans.code_reader.answers.asked import Asked
from colbench_gym.humans.code_reader.lexicon import related, stems
from colbench_gym.humans.code_reader.situations import raises_on_purpose
from colbench_gym.humans.code_reader.trials.bringing import Trial
from colbench_gym.humans.code_reader.trials.clauses import asks_yes_no, clauses_of, is_tagged
from colbench_gym.humans.code_reader.trials.constraints import understood
from colbench_gym.humans.code_reader.trials.fitting import Constraint
from colbench_gym.humans.code_reader.trials.proposals import Proposal, asks_again
from colbench_gym.humans.code_reader.trials.vocabulary import ONCE, TWOFOLD

MAX_STRANGE = 0.34  # share of a question's words that nothing explains, up to which yes or no is said
MIN_FIT = 0.4  # how well words must fit their place for that
STATES = frozenset(["empty", "none", "missing", "negative", "unknown", "size"])
_PLAIN_KINDS = frozenset(["raises", "value", "nothing", "label", "everything", "recognised", "special"])
WH_ANYWHERE = r"\b(?:what|which|how|when|where|who)\b"


def lead_of(
    asked: Asked,
    trial: Trial,
    constraints: Sequence[Constraint],
    proposed: Sequence[Proposal],
    decided: Sequence[tuple[Proposal, bool | None]],
    doubled: bool | None,
) -> str:
    """Return "Yes", "No", or nothing when the runs do not tell.

    Args:
        asked: the question.
        trial: what was run.
        constraints: what the question supposes.
        proposed: what it proposes.
        decided: the proposals, and whether each is what comes out.
        doubled: whether items that occur twice count twice, where the question is about that.
    """
    q = asked.question
    kinds = frozenset(p.kind for p, _ in decided)
    either = q.either and kinds != {"recognised"}
    proposes = bool(proposed) and not either and not q.has(WH_ANYWHERE)
    if not (asks_yes_no(q) or proposes or asks_again(q.lower, proposed)):
        return ""
    if doubled is not None:
        words = set(q.lower.replace("?", " ").replace(",", " ").split())
        if bool(words & ONCE) == bool(words & TWOFOLD - {"twice"}) and "twice" not in q.lower.rpartition(",")[2]:
            return ""
        return "Yes" if doubled is not bool(words & ONCE) else "No"
    if len(decided) > 1 and kinds <= {"label", "value"} and not q.either:
        return ""
    if not _understood(asked, constraints, proposed, kinds):
        return ""
    verdicts = {verdict for _, verdict in decided}
    if len(verdicts) != 1 or None in verdicts:
        return ""
    single = trial.single
    purposeful = single is not None and raises_on_purpose(asked.said.knowledge, single.error)
    by_accident = single is not None and single.status == "raised" and not purposeful
    if by_accident and kinds == {"raises"} and True in verdicts:
        return "No" if q.has(r"\b(?:validat\w*|check\w*|should|shall|need|must|want)\b") else "Yes"
    return "Yes" if True in verdicts else "No"


def _understood(
    asked: Asked, constraints: Sequence[Constraint], proposed: Sequence[Proposal], kinds: frozenset[str]
) -> bool:
    """Return whether the words are known well enough to answer with yes or no."""
    q, known = asked.question, asked.said.knowledge
    if any(clause.supposed and not understood(clause, constraints, proposed) for clause in clauses_of(q)):
        return False
    state = any(one.kind in STATES | {"relate", "huge"} or one.value == 0 for one in constraints)
    if "special" in kinds and not state and "raises" not in kinds:
        return False
    if kinds == {"truth"} and is_tagged(q):
        return False
    read = {s for p in proposed for token in p.tokens for s in token.stems}
    read |= stems([str(one.value) for one in constraints]) | known.topics | asked.said.vocabulary
    strange = [w for w in q.about if w not in read and not related([w]) & read]
    if kinds <= _PLAIN_KINDS:
        return True
    return len(strange) <= MAX_STRANGE * len(q.about) and all(one.sure >= MIN_FIT for one in constraints)
