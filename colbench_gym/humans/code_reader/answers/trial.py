"""Answers found by trying out what a question supposes: the outcome first, then the rule behind it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from colbench_gym.humans.code_reader import claims as c
from colbench_gym.humans.code_reader.answers.asked import Asked, outcome_text, polarity, score
from colbench_gym.humans.code_reader.answers.matching import ranked
from colbench_gym.humans.code_reader.answers.telling import EXACT
from colbench_gym.humans.code_reader.answers.traits import TRAITS
from colbench_gym.humans.code_reader.examples import Example, example_in
from colbench_gym.humans.code_reader.judging.leads import STATES, WH_ANYWHERE, lead_of
from colbench_gym.humans.code_reader.lexicon import stems, word_set
from colbench_gym.humans.code_reader.questions import each_number
from colbench_gym.humans.code_reader.reader import Knowledge
from colbench_gym.humans.code_reader.trials.bringing import FRESH, WHOLE, Trial, tried
from colbench_gym.humans.code_reader.trials.clauses import asks_yes_no, free_words, is_tagged
from colbench_gym.humans.code_reader.trials.constraints import constraints_of
from colbench_gym.humans.code_reader.trials.deciding import (
    adds_up,
    contrast,
    direction,
    holds,
    is_ignored,
    is_strange,
    misplaced,
)
from colbench_gym.humans.code_reader.trials.fitting import Constraint
from colbench_gym.humans.code_reader.trials.inputs import item_fates, leaves_of, only_input
from colbench_gym.humans.code_reader.trials.proposals import Proposal, proposals_of
from colbench_gym.humans.code_reader.verbalizer import Clause
from colbench_gym.humans.code_reader.verbalizer.phrases import sentence
from colbench_gym.humans.code_reader.verbalizer.values import say_value, sayable
from colbench_gym.humans.code_reader.verbalizer.wording import be, listing, the
from colbench_gym.humans.replies import Part

MAX_CHARS = 330
MAX_CASE_CHARS = 180  # of a question that supposes one case; a longer one is a plan
MIN_SURE = 0.3  # how well words must fit a place, where others fit too

_FORMS = (
    r"\bwhat(?:'s| is| are)? (?:inside|within|contained in) |\b(?:what|which) (?:data ?)?(?:type|kind"
    r"|format|unit|form|scale)s?\b|\bin (?:what|which) (?:unit|form|format)"
    r"|\b(?:upper|lower)[- ]?case or\b|\bhow many decimals\b|\bwhich (?:keys?|fields?|values|options)\b"
    r"|\bdefault (?:value )?(?:of|for)\b|\bdo you mean\b|\bwhy\b|^\W*how (?:do|will|would) i (?:receive|get) the\b"
    r"|\bwhat (?:does|do|is|are) \w+ (?:mean|stand|contain|look)|\b(?:format|formatted)\b"
)
_LISTS = r"\b(?:limits|thresholds|tiers|brackets|cut-?offs|bands|ranges)\b"
_OF_CLAIMS = ("constant", "threshold", "formula", "values", "condition", "boundary", "labels", "default")
_WH = r"^\W*(?:and |so |but )?(?:at |in |from |above |to )?(?:which|what|when|how)\b"
_AS_USUAL = "there is no special handling for that; it is simply calculated as usual"
_TOLD_FROM_CODE = word_set("case trimming position libraries conjunction changed base averaging order weighting")
_DATA = r"[\[{(]\s*['\"\d][^\[\]{}()]*[\]})]"
_OUTCOME = (
    r"\b(?:what(?:'s| is| do| does| should| would| will| shall| happens?| comes?| then| about| if| label| value"
    r"| result| message| text| output| category| price| score)"
    r"|how (?:is|are|should|do|does|would|will|shall|about|to|much|many)"
    r"|which (?:label|value|category|result|text|message|case|one|class|level|group)|then what)\b"
)


def trial(asked: Asked) -> list[Part]:
    """Try out what a question supposes."""
    q, known = asked.question, asked.said.knowledge
    if (
        (is_tagged(q) and len(q.whole) > MAX_CASE_CHARS)
        or q.has(_FORMS)
        or not known.parameters
        or q.has(r"\b(?:in|all|with|are|is) (?:lower|upper)[ -]?case\b|\blower-?cased?\b|\bcapital letters?\b")
        or (q.has(_LISTS) and not asks_yes_no(q))
    ):
        return []
    if re.search(_DATA, q.raw) and not example_in(q.raw, known):
        return []  # a value of which it is not clear where it belongs
    proposed = proposals_of(q, known)
    taken = frozenset(token for p in proposed for token in p.tokens)
    constraints = constraints_of(q, known, taken)
    free = free_words(q.whole)
    constraints = [
        one for one in constraints if (one.sure >= MIN_SURE or len(constraints) == 1) and not one.place.own & free
    ]
    compared = all(one.kind in ("relate", "size") and not one.supposed for one in constraints)
    if not constraints or (compared and not proposed and not q.has(_OUTCOME)):
        return []
    trial = tried(constraints, known, asked.observe)
    if trial is None or not trial.known or misplaced(trial, constraints):
        return []
    if not (trial.complete and not q.either) and not _asks_outcome(asked, constraints, proposed):
        return []
    part = _Answer(asked, constraints, trial, proposed, bool(free)).part()
    if part is None or part.text != sentence(_AS_USUAL):
        return [part] if part else []
    if asked.likely(*_OF_CLAIMS) > 0.3 and not q.fragment and q.has(WH_ANYWHERE):
        return []  # a number or a rule is asked for: the claims tell it
    rule = next((clause for _, clause in ranked(asked) if score(asked, clause)), None)
    if rule is None or len(part.text) + len(rule.text) > MAX_CHARS:
        return [part]
    return [asked.part(f"{part.text} {sentence(rule.text)}", "trial", True)]


def proposal(asked: Asked) -> list[Part]:
    """Say yes or no to what a question proposes for a case, where running it decides that."""
    if len(asked.question.whole) > MAX_CASE_CHARS or not asks_yes_no(asked.question):
        return []
    example = example_in(asked.question.raw, asked.said.knowledge)
    if example is not None and example.complete and example.expected:
        return []
    ones = each_number(asked.question)
    told = [parts for one in ones if (parts := trial(replace(asked, question=one)))]
    if len(told) != len(ones) or len({parts[0].text.partition(",")[0] for parts in told}) != 1:
        return []
    return told[0] if told[0][0].text.startswith(("Yes, then", "No, then")) else []


def case(asked: Asked) -> list[Part]:
    """Tell what comes out where a question says every argument."""
    known = asked.said.knowledge
    example = example_in(asked.question.raw, known)
    if asks_yes_no(asked.question) or (example and example.complete and (example.expected or _is_data(example))):
        return []
    said = {
        one.place.parameter
        for one in constraints_of(asked.question, known)
        if not one.place.path and one.sure >= MIN_SURE and one.kind in WHOLE
    }
    needed = {p.name for p in known.parameters if p.default is None and not p.extra}
    return trial(asked) if needed and needed <= said else []


def _is_data(example: Example) -> bool:
    """Return whether an example gives its values as a program would, so that no words have to be read for them."""
    return any(isinstance(value, (dict, list, tuple, set)) for value in example.arguments.values())


def _asks_outcome(asked: Asked, constraints: Sequence[Constraint], proposed: Sequence[Proposal]) -> bool:
    """Return whether a question asks what comes out, rather than for a form, a constant or a property."""
    q = asked.question
    supposes = any(one.supposed for one in constraints)
    state = any(one.kind in STATES and not isinstance(one.value, str) for one in constraints)
    named = frozenset(word for one in constraints for word in one.place.own if one.sure >= 0.5)
    traits = {t.name for t in TRAITS if t.name in _TOLD_FROM_CODE and q.has(t.asked)}
    if traits & {"case", "trimming", "position"}:
        return False
    strange = any(one.kind == "unknown" for one in constraints)
    if traits - ({"libraries"} if strange or stems(["library"]) & named else set()) and not state:
        return False
    if q.either and not proposed and not supposes and not any(one.kind in STATES - {"size"} for one in constraints):
        return False
    if q.has(r"^\W*(?:is|are) there (?:an?|any)\b") and not supposes:
        return False
    outcome = q.has(_OUTCOME)
    if q.has(_WH) and not outcome and not supposes:
        return False
    return q.fragment or supposes or state or asks_yes_no(q) or q.either or outcome or len(q.stems) < 5


@dataclass(frozen=True)
class _Answer:
    """Puts a trial into words.

    Attributes:
        free: the question says that something does not matter.
    """

    asked: Asked
    constraints: Sequence[Constraint]
    trial: Trial
    proposed: Sequence[Proposal]
    free: bool

    @property
    def known(self) -> Knowledge:
        """Return what is known of the reference."""
        return self.asked.said.knowledge

    @cached_property
    def returned(self) -> bool:
        """Return whether every run returned a value."""
        return all(o.status == "returned" for o in self.trial.outcomes)

    @cached_property
    def ignored(self) -> bool | None:
        """Return whether the item that the question is about counts for nothing."""
        return is_ignored(self.trial, self.constraints, self.asked.observe) if self.returned else None

    @cached_property
    def decided(self) -> list[tuple[Proposal, bool | None]]:
        """The proposals, and whether each is what comes out."""
        q, known, trial = self.asked.question, self.asked.said.knowledge, self.trial
        if self.free and all(p.kind in ("same", "differs") for p in self.proposed):
            return [(Proposal("same"), trial.single is not None)]
        proposed = self.proposed or ([Proposal("truth")] if asks_yes_no(q) else [])
        return [(p, holds(p, trial, self.constraints, q, known, self.asked.observe)) for p in proposed]

    @cached_property
    def kinds(self) -> frozenset[str]:
        """Kinds of the proposals."""
        return frozenset(p.kind for p, _ in self.decided)

    @cached_property
    def lead(self) -> str:
        """ "Yes", "No", or nothing when the runs do not tell."""
        return lead_of(self.asked, self.trial, self.constraints, self.proposed, self.decided, self._doubled)

    def part(self) -> Part | None:
        """Return the answer; None when the runs tell nothing."""
        asked, single = self.asked, self.trial.single
        limit = asked.question.said(EXACT) and not self.kinds & {"label", "value"}
        if not self.lead and limit and (single is None or asks_yes_no(asked.question) or asked.question.either):
            return None  # on which side of a limit something falls is told from the code
        text, reason = self._outcome(), self._rule()
        if text.startswith("the result gets ") and not self.lead and asks_yes_no(asked.question):
            return None  # a direction answers no yes-or-no question
        if not text and reason is None and "raises" in self.kinds and self.lead == "No":
            text = "no error is raised then"
        if not text and reason is None:
            text = self._instance()
        if not text:
            if reason is None:
                return None
            lead = f"{self.lead}, " if self.lead else polarity(asked, reason)
            told = f"{lead}{reason.text}"
            return asked.part(sentence(told), "trial", bool(reason.literals))
        if not text.startswith(("that ", "it ", "there ", "no ", "nothing ", "for example", "each ")):
            text = f"then {text}"
        sure = self.lead and not (text == _AS_USUAL and self.kinds <= {"truth"})
        told = sentence(f"{self.lead}, {text}" if sure else text)
        if self.lead and text == _AS_USUAL and self.kinds == {"value"} and (instance := self._instance()):
            return asked.part(f"{told} {sentence(instance)}", "trial", True)
        value = None if single is None or single.status != "returned" else single.value
        if reason is not None and (value is not None or self.kinds & {"differs", "more", "less"}):
            whole = isinstance(value, str) and isinstance(reason.claim, c.Returns)
            new = value is None or (str(value).lower() not in reason.text.lower() and not whole)
            if new and len(told) + len(reason.text) < MAX_CHARS:
                told = f"{told} {sentence(reason.text)}"
        return asked.part(told, "trial", True)

    def _entry(self) -> str | None:
        """Say whether a strange item stands in a dictionary that comes out; None when it is about something else."""
        strange = [one for one in self.constraints if one.kind == "unknown" and one.place.inner]
        values = [o.value for o in self.trial.outcomes]
        if len(strange) != 1 or not self.returned or not all(isinstance(value, dict) for value in values):
            return None
        if not self.kinds <= {"dropped", "kept", "value", "truth"}:
            return None
        key = strange[0].value if strange[0].value is not None else FRESH
        held = [value[key] for value in values if isinstance(value, dict) and key in value]
        if not held and self.ignored:
            return "it is left out of the result"
        if len(held) == len(values) and all(value == held[0] for value in held):
            return f"it stays in the result, with {say_value(held[0])}"
        return None

    def _fate(self) -> str:
        """Say what an item of a list becomes; empty when the result is no list of such items."""
        places = [one.place for one in self.constraints if one.place.inner]
        if len(places) != 1 or not self.returned or not self.kinds <= {"dropped", "kept", "value", "truth"}:
            return ""
        rows = zip(self.trial.inputs, self.trial.usual, self.trial.outcomes, strict=True)
        fates = item_fates(places[0], [(one, usual, outcome.value) for one, usual, outcome in rows])
        if not fates or any(value != fates[0][1] for _, value in fates):
            return "it stays in the list as it is" if fates and all(item == value for item, value in fates) else ""
        item, value = fates[0]
        return "it stays in the list as it is" if item == value else f"it becomes {say_value(value)}"

    @cached_property
    def _doubled(self) -> bool | None:
        """Return whether the items of a list count each time that they stand in it; None when it is not about that."""
        asked = any(one.kind == "duplicate" and not one.place.inner for one in self.constraints)
        if not self.returned or not asked or self.trial.single is not None:  # a single outcome says more
            return None
        changes = [a.value != b.value for a, b in zip(self.trial.outcomes, self.trial.before, strict=True)]
        return any(changes)

    def _outcome(self) -> str:
        """Return what comes out; empty when it differs."""
        kinds, lead, single = self.kinds, self.lead, self.trial.single
        if self._doubled is not None:
            told = "on the inputs that I tried" if adds_up(self.known) else "it counts only once"
            return "each entry counts, duplicates stay" if self._doubled else f"it makes no difference, {told}"
        if (entry := self._entry()) is not None:
            return entry
        if not lead and (fate := self._fate()):
            return fate
        strange = any(one.kind == "unknown" and one.place.inner for one in self.constraints)
        if (
            kinds & {"dropped", "kept"} or (strange and self.ignored and kinds <= {"truth"})
        ) and self.ignored is not None:
            left_out = "it is left out, simply ignored as if it were not there"
            return left_out if self.ignored else "it still counts, it is not left out"
        effect = kinds & {"same", "differs", "more", "less"} and not self.free and not self.trial.complete
        if effect and (text := self._effect()):
            return text
        won = [p.kind for p, verdict in self.decided if verdict]
        if self.asked.question.either and won == ["everything"]:
            return "the result is all of it, unchanged"
        if kinds == {"negative"} and lead == "Yes" and single is None:
            return "the result can then be negative"
        if kinds == {"recognised"} and lead:
            return "it is recognised too" if lead == "Yes" else "it is not recognised, it has to match exactly"
        if kinds == {"everything"} and lead == "Yes":
            return "the result is all of it, unchanged"
        if kinds == {"place"} and lead == "Yes":
            return "the result is the same"
        if kinds == {"truth"} and lead == "No" and self.ignored is None and is_strange(self.constraints, self.known):
            return "it is none of those that count"
        if kinds == {"truth"} and lead and not (single is not None and isinstance(single.value, bool)):
            return "it is left out" if self.ignored else "it counts"
        if single is not None and (single.status == "raised" or sayable(single.value)):
            return outcome_text(self.asked, single) + self._by_default()
        if "floor" in kinds and lead == "No":
            return "there is no cap, the result may be below zero"
        if "negative" in kinds and lead == "No":
            return "the result is not negative then"
        return self._in_general()

    def _by_default(self) -> str:
        """Say which optional arguments decide over the outcome as well, though the question leaves them out."""
        if len([one for one in self.constraints if one.kind == "equals"]) > 1 and self.trial.complete:
            return ""  # a call is spoken of
        names = [the(name) for name in self.trial.unsaid]
        return f" if {listing(names)} {be(names[0]) if len(names) == 1 else 'are'} not given" if names else ""

    def _instance(self) -> str:
        """Return one of the runs as an example, where yes or no is decided but the outcomes differ."""
        proposed = [p.value for p, verdict in self.decided if verdict is False and p.kind in ("label", "value")]
        other = (n for n, o in enumerate(self.trial.outcomes) if o.value not in proposed)
        shown = next(other, 0)
        arguments, outcome = self.trial.inputs[shown], self.trial.outcomes[shown]
        if not self.lead or outcome.status != "returned" or not sayable(outcome.value) or self.trial.local:
            return ""
        given = listing([f"{say_value(value)} for {the(name)}" for name, value in arguments.items()])
        text = f"for example, with {given} {outcome_text(self.asked, outcome)}"
        return text if len(text) < MAX_CHARS else ""

    def _in_general(self) -> str:
        """Say what holds of all outcomes where they differ."""
        if not self.returned:
            return ""
        kinds, known = {one.kind for one in self.constraints}, self.asked.said.knowledge
        if "unknown" in kinds and self._rule() is not None:
            return ""
        if "size" in kinds and self.trial.as_usual and "zip" in known.called:
            return "there is no check: pairing stops at the shorter one, extra items are ignored"
        leaves = leaves_of([o.value for o in self.trial.outcomes])
        if len(leaves) == 1 and not self.lead and not only_input(leaves, self.trial.inputs, known.numbers):
            return f"the result holds nothing but {say_value(next(iter(leaves)))}"
        zero = any(one.kind == "equals" and one.value == 0 for one in self.constraints)
        state = zero or bool(kinds & (STATES | {"relate"}))
        if state and self.trial.as_usual and self.kinds <= {"special", "raises", "floor", "value", "truth"}:
            return _AS_USUAL
        return ""

    def _effect(self) -> str:
        """Say which way the result goes with the constraints."""
        pairs = contrast(self.trial, self.constraints, self.asked.said.knowledge, self.asked.observe)
        way = direction(pairs)
        if way is None:
            return ""
        if way == "same":
            return "it makes no difference, the result stays the same"
        if all(isinstance(a.value, bool) for a, _ in pairs):
            one, other = ("True", "False") if way == "more" else ("False", "True")
            return f"it can only turn the result into {one}, not into {other}"
        steps = {
            round(float(a.value) - float(b.value), 6)
            for a, b in pairs
            if isinstance(a.value, (int, float)) and isinstance(b.value, (int, float))
        }
        if len(steps) == 1:
            return f"the result goes {'up' if way == 'more' else 'down'} by {abs(steps.pop()):g}"
        return f"the result gets {'higher' if way == 'more' else 'lower'}"

    def _rule(self) -> Clause | None:
        """Return the claim that comes into force with the constraints."""
        trial, said = self.trial, self.asked.said
        usual = frozenset.intersection(*(o.visited for o in trial.before)) if trial.before else frozenset()
        numbers = {id(claim): n for n, claim in enumerate(said.knowledge.claims)}
        places = frozenset(word for one in self.constraints for word in one.place.own)
        unknown = {one.place.parameter for one in self.constraints if one.kind == "unknown"}
        best: tuple[float, int, Clause] | None = None
        for place, clause in enumerate(said.clauses):
            number = numbers[id(clause.claim)]
            if unknown and not self.lead and " if there is none" in clause.text and number in trial.ever:
                return clause  # what is looked up has a value for unknown keys
            if unknown and number in trial.ever and clause.claim.fallback and c.falls_back_on(clause.claim, unknown):
                return clause
            if number not in trial.visited or number in usual or not clause.claim.conditional:
                continue
            if not places & clause.named:
                continue
            ends = isinstance(clause.claim, (c.Returns, c.Raises))
            fit = score(self.asked, clause) + len(places & clause.stems) + 0.5 * ends
            if best is None or fit > best[0]:
                best = (fit, -place, clause)
        return best[2] if best is not None else None
