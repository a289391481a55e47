"""The numbers of the paper's tables and figures that runs stand beside."""

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


@dataclass(frozen=True)
class Ablation:
    """One row of Table 3: backend, in percent.

    Attributes:
        label: what a run of it is labelled with.
        method: in words.
        success: of the policy that was trained.
    """

    label: str
    method: str
    success: float


TABLE_3 = (  # arXiv 2503.15478, Table 3; its first row stands in Table 2 too
    Ablation("sweet", "SWEET-RL", 40.4),
    Ablation("no-privileged", "critic without training-time information", 31.2),
    Ablation("regression", "critic with a regression head", 36.2),
    Ablation("no-length-normalisation", "critic without length normalisation", 3.6),
)

# arXiv 2503.15478, Figure 3: best of N at each turn, judged by SWEET-RL's critic: (N, backend success in percent).
FIGURE_3_SWEET = (32, 44.3)
FIGURE_3_NOTE = (
    "arXiv 2503.15478, Figure 3: 44.3 % with SWEET-RL's critic at N = 32; without training-time information, an LLM as "
    "the judge and a value function end between 28.5 and 37.3 %"
)
