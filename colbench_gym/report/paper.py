"""The numbers of the paper's Table 2 that runs stand beside."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PaperRow:
    """One row of Table 2, in percent.

    Attributes:
        method: as the paper names it.
        turns: 1 in the single-turn setting, else 10.
        tests_passed, success: backend.
        similarity, win_rate: frontend; the win rate is against GPT-4o in ten turns.
    """

    method: str
    turns: int
    tests_passed: float
    success: float
    similarity: float
    win_rate: float


TABLE_2 = (  # arXiv 2503.15478, Table 2
    PaperRow("Llama-3.1-8B-Instruct, single turn", 1, 11.8, 6.9, 63.1, 13.6),
    PaperRow("Llama-3.1-70B-Instruct, single turn", 1, 24.2, 14.8, 61.8, 13.2),
    PaperRow("o1-mini, single turn", 1, 22.4, 13.1, 70.2, 23.8),
    PaperRow("GPT-4o, single turn", 1, 27.6, 16.2, 68.6, 23.8),
    PaperRow("Llama-3.1-70B-Instruct", 10, 48.0, 35.0, 73.7, 39.8),
    PaperRow("o1-mini", 10, 43.2, 30.3, 77.5, 47.2),
    PaperRow("GPT-4o", 10, 54.6, 40.4, 78.1, 50.0),
    PaperRow("Llama-3.1-8B-Instruct", 10, 34.2, 22.4, 72.4, 33.8),
    PaperRow("Llama-3.1-8B, rejection fine-tuning", 10, 40.9, 28.2, 75.2, 38.6),
    PaperRow("Llama-3.1-8B, multi-turn DPO", 10, 48.0, 34.4, 76.9, 42.8),
    PaperRow("Llama-3.1-8B, SWEET-RL", 10, 56.8, 40.4, 77.7, 48.2),
)
