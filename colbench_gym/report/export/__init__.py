"""Runs in the formats of others: the official one, conversations and pairs for TRL, flat rows."""

from colbench_gym.report.export.conversations import export_conversations, export_pairs
from colbench_gym.report.export.official import export_official
from colbench_gym.report.export.parquet import export_parquet

__all__ = ["export_conversations", "export_official", "export_pairs", "export_parquet"]
