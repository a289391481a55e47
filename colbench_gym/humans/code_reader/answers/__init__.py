"""Answers to single questions: the responders in the order in which they are asked; the first that knows answers."""

from __future__ import annotations

from colbench_gym.humans.code_reader.answers import (
    alternatives,
    describing,
    matching,
    open_ended,
    supposed,
    telling,
    trial,
)
from colbench_gym.humans.code_reader.answers.asked import UNKNOWN, Asked, Responder
from colbench_gym.humans.code_reader.judging import agreement, criteria, formulas, influence, properties, texts
from colbench_gym.humans.replies import Part
from colbench_gym.rules import BACKEND

_RESPONDERS: tuple[Responder, ...] = (
    open_ended.more,
    open_ended.entirely_vague,
    telling.decision,
    alternatives.scale,
    describing.arguments_first,
    alternatives.forms,
    formulas.formula,
    influence.influence,
    texts.edge_of_text,
    texts.fate_of_sign,
    criteria.criteria,
    trial.case,
    telling.limits_of,
    telling.default,
    influence.equal_shares,
    trial.proposal,
    properties.planned_property,
    telling.plan,
    supposed.example,
    open_ended.unit,
    open_ended.meta,
    telling.unused,
    telling.given,
    telling.letter_case,
    supposed.ties,
    agreement.agreement,
    trial.trial,
    telling.boundary,
    supposed.nothing_left,
    telling.outcomes,
    telling.allowed,
    telling.fallback,
    describing.result_first,
    alternatives.other_label,
    alternatives.combined,
    alternatives.confirmed,
    alternatives.quantity,
    telling.trait,
    alternatives.proposal,
    alternatives.either,
    open_ended.open_choice,
    describing.result,
    describing.arguments,
    open_ended.vague,
    matching.foreign_proposal,
    matching.about,
    matching.core_answer,
)


def answer(asked: Asked) -> list[Part]:
    """Answer one question with at most one matter: the answer first, then one reason."""
    for respond in _RESPONDERS:
        try:
            told = respond(asked)
        except OverflowError:  # a number of the question or reference is beyond what can be reckoned with
            continue
        parts = [part for part in told if part.text and len(part.text) <= BACKEND.human_chars]
        authored = respond is telling.decision
        if parts and (authored or not any(asked.said.says_code(part.text) for part in parts)):
            return parts
    return [asked.part(UNKNOWN, kind="unknown")]
