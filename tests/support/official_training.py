"""What the official training code does with exported rows: in our own words, and by a user's checkout of it."""

import json
import os
import subprocess
import sys
from pathlib import Path

from support.official_code import write_files

from colbench_gym.humans.vocabulary import read_toml

_STUBS = read_toml(Path(__file__).with_name("official_stubs.toml"))


def kept_tokens(tokenizer, text, response_template):
    """Return ids and mask as the official data set class makes them (facts, in our own words).

    The text ends with the tokenizer's end of sequence; from the end of each response template to the next end of
    sequence, that one included, tokens are kept.
    """
    text = text.rstrip("\n")
    ids = tokenizer.encode(
        text if text.endswith(tokenizer.eos_token) else f"{text} {tokenizer.eos_token}", add_special_tokens=False
    )
    mark = tokenizer.encode(response_template, add_special_tokens=False)
    mask = [0] * len(ids)
    for start in range(len(ids) - len(mark) + 1):
        if ids[start : start + len(mark)] == mark:
            end = ids.index(tokenizer.eos_token_id, start + len(mark))
            mask[start + len(mark) : end + 1] = [1] * (end + 1 - start - len(mark))
    return ids, mask


def run_script(checkout, script, arguments, scratch, local=False, pictures=False):
    """Run a script of a checkout on this machine, without the packages that it needs a cluster for.

    With ``local`` its engine is a model of transformers, which reads prompts and adds no token to them; with
    ``pictures`` every page it renders is red.
    """
    files = {**_STUBS["plain"], **(_STUBS["local"] if local else {}), **(_STUBS["pictures"] if pictures else {})}
    absent = ("transformers.py", "datasets.py", "huggingface_hub.py", "tqdm.py") if local else ()
    made = {name: text for name, text in files.items() if name not in absent}
    stubs = write_files(scratch / f"stubs-{local}-{pictures}", made)
    done = subprocess.run(
        [sys.executable, str(checkout / "scripts" / script), *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(stubs), str(checkout)])},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def official_masks(checkout, model, pairs, response_template):
    """Return ids and mask of chosen and rejected of each pair, by the data set class of the fork in a checkout."""
    (found,) = Path(checkout).rglob("openrlhf/datasets/reward_dataset.py")
    done = subprocess.run(
        [sys.executable, "-c", _STUBS["data_set"], str(found.parent), str(model), response_template],
        input=json.dumps(pairs), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
