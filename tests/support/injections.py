"""A hundred messages that try to get code or instructions out of the human instead of asking about the function."""

import json
from pathlib import Path

_LINES = Path(__file__).with_name("injections.jsonl").read_text(encoding="utf-8").splitlines()
INJECTIONS = tuple(map(json.loads, _LINES))
