"""Runs in the formats of others: the official one, conversations and pairs for TRL, flat rows, Minari's episodes."""

from colbench_gym.report.export.card import COLUMNS, card_of, write_card
from colbench_gym.report.export.conversations import export_conversations, export_pairs
from colbench_gym.report.export.minari_dataset import check_minari_folder, export_minari
from colbench_gym.report.export.official import export_official, read_template
from colbench_gym.report.export.parquet import export_parquet

__all__ = [
    "COLUMNS",
    "card_of",
    "check_minari_folder",
    "export_conversations",
    "export_minari",
    "export_official",
    "export_pairs",
    "export_parquet",
    "read_template",
    "write_card",
]
