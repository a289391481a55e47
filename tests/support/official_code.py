"""A checkout of released code: one of our own making, laid out like the official one, and what drives either of them."""

import json
import os
import subprocess
import sys
from pathlib import Path

BACKEND_HUMAN = "  Task: {problem_description}\nSecret {{braces}}: {hidden_information}\nSo far:\n{dialogue_history}\n"
FRONTEND_HUMAN = "  Look at both pictures. {literal} { braces stay\n"
AGENTS = {"backend": "\nAsk, then build.\n{dialogue_history}", "frontend": "Ask, then draw. {dialogue_history}\n"}

_FILES = Path(__file__).with_name("official_checkout")  # .txt, so that nobody takes them for code of ours
_CLASSES = {
    "backend": ("human_interaction_env", "HumanInteractionEnv"),
    "frontend": ("human_design_interaction_env", "HumanDesignInteractionEnv"),
}


def write_checkout(folder):
    """Write a checkout in our own words, and return it."""
    files = {
        "prompts/llm_agent_code_prompt.txt": AGENTS["backend"],
        "prompts/human_simulator_code_prompt.txt": BACKEND_HUMAN,
        "prompts/llm_agent_html_prompt.txt": AGENTS["frontend"],
        "prompts/human_simulator_html_prompt.txt": FRONTEND_HUMAN,
        **_tree("checkout"),
    }
    return write_files(folder, files)


def _tree(name):
    """The files of a folder of ours, by their paths."""
    root = _FILES / name
    found = sorted(path for path in root.rglob("*.txt"))
    return {str(path.relative_to(root)).removesuffix(".txt"): path.read_text(encoding="utf-8") for path in found}


def write_files(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def drive(checkout, track, human, dialogues, scratch):
    """Play dialogues in the environment of a checkout: the requests of each, and what the agent saw before each turn.

    Each dialogue is (description, hidden, agent's messages, human's replies). The picture of a page is its source.
    """
    stubs = write_files(scratch / "stubs", _tree("stubs"))
    module, name = _CLASSES[track]
    done = subprocess.run(
        [sys.executable, "-c", (_FILES / "drive.py.txt").read_text(encoding="utf-8"), f"sweet_rl.environments.{module}", name, str(scratch)],
        input=json.dumps({"human": human, "dialogues": dialogues}),
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(stubs), str(checkout)])},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def official_pages(checkout, texts, scratch):
    """Return the page that a checkout takes from each text."""
    stubs = write_files(scratch / "stubs", _tree("stubs"))
    done = subprocess.run(
        [sys.executable, "-c", "import json, sys; from sweet_rl.utils.webpage_utils import extract_html_snippet as page\n"
         "json.dump([page(text)[1] for text in json.load(sys.stdin)], sys.stdout)"],
        input=json.dumps(texts), env={**os.environ, "PYTHONPATH": os.pathsep.join([str(stubs), str(checkout)])},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return json.loads(done.stdout)
