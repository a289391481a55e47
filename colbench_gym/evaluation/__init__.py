"""Play, grade and compare: many dialogues at once, a run on disk, metrics, tables."""
