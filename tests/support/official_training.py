"""What the official training code does with exported rows: in our own words, and by a user's checkout of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

from support.official_code import write_files

_STUBS = {
    "fire.py": """
        import sys

        def read(text):
            for kind in (int, float):
                try:
                    return kind(text)
                except ValueError:
                    pass
            return text

        def Fire(main):
            plain, named, rest = [], {}, sys.argv[1:]
            while rest:
                word = rest.pop(0)
                if word.startswith("--"):
                    named[word[2:]] = read(rest.pop(0)) if rest and not rest[0].startswith("--") else True
                else:
                    plain.append(word)
            main(*plain, **named)
    """,
    "openai.py": "OpenAI = None\n",
    "datasets.py": "load_dataset = None\n",
    "huggingface_hub.py": "login = None\n",
    "tqdm.py": "def tqdm(items):\n    return items\n",
    "qwen_vl_utils.py": "process_vision_info = None\n",
    "transformers.py": """
        from types import SimpleNamespace as Object

        class AutoTokenizer:
            @staticmethod
            def from_pretrained(name):
                return Object(eos_token="<|im_end|>")

        AutoModelForSequenceClassification = None
    """,
    "vllm.py": """
        from types import SimpleNamespace as Object

        class SamplingParams:
            def __init__(self, n=1, prompt_logprobs=None, **_):
                self.n, self.prompt = n, prompt_logprobs is not None

        class LLM:
            def __init__(self, **_):
                pass

            def generate(self, prompts, params, use_tqdm):
                return [self.one(prompt, params) for prompt in prompts]

            def one(self, prompt, params):
                said = [Object(text=f"candidate {n}", logprobs=[{0: Object(logprob=-n / 8)}]) for n in range(params.n)]
                words = prompt.replace("<|im_end|>", " <|im_end|> ").split()
                read = [{0: Object(logprob=-len(word) / 4, decoded_token=word)} for word in words]
                return Object(outputs=said, prompt_logprobs=[None, *read])
    """,
}
# Every page is red, and a picture's features are its mean colour.
_PICTURES = {
    "transformers.py": """
        import numpy as np
        import torch

        class Inputs(dict):
            def to(self, device):
                return self

        class CLIPProcessor:
            @classmethod
            def from_pretrained(cls, name):
                return lambda images, **_: Inputs(x=[np.asarray(i.convert("RGB"), float).mean(axis=(0, 1)) + 1 for i in images])

        class CLIPModel:
            @classmethod
            def from_pretrained(cls, name):
                return cls()

            def to(self, device):
                return self

            def get_image_features(self, x):
                return torch.tensor(np.array(x))
    """,
    "torchvision/__init__.py": "",
    "torchvision/transforms/__init__.py": "functional = None\n",
    "selenium/__init__.py": "",
    "selenium/webdriver/__init__.py": """
        from PIL import Image

        class FirefoxOptions:
            def add_argument(self, text):
                pass

        class Firefox:
            def __init__(self, **_):
                pass

            def get(self, url):
                pass

            def quit(self):
                pass

            def get_full_page_screenshot_as_file(self, path):
                Image.new("RGB", (20, 10), "red").save(path)
    """,
    "selenium/webdriver/firefox/__init__.py": "",
    "selenium/webdriver/firefox/service.py": "class Service:\n    pass\n",
}
_LOCAL_LLM = """
    from types import SimpleNamespace as Object

    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    class SamplingParams:
        def __init__(self, **_):
            pass

    class LLM:
        def __init__(self, model, **_):
            self.model, self.tokenizer = AutoModelForCausalLM.from_pretrained(model), AutoTokenizer.from_pretrained(model)

        def generate(self, prompts, params, use_tqdm):
            return [self.read(self.tokenizer.encode(prompt, add_special_tokens=False)) for prompt in prompts]

        def read(self, ids):
            with torch.no_grad():
                logprobs = self.model(torch.tensor([ids])).logits[0].log_softmax(-1)
            known = [{i: Object(logprob=float(logprobs[at, i]), decoded_token=self.tokenizer.decode([i]))}
                     for at, i in enumerate(ids[1:])]
            return Object(prompt_logprobs=[None, *known])
"""
_DATA_SET = """
    import importlib.util, json, sys
    from pathlib import Path
    from types import ModuleType, SimpleNamespace as Object

    from tokenizers import Tokenizer  # noqa: F401  transformers is the real one here
    from transformers import PreTrainedTokenizerFast

    folder, model, template = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    package = ModuleType("fork")
    package.__path__ = [str(folder)]
    sys.modules["fork"] = package
    sys.modules["qwen_vl_utils"] = Object(process_vision_info=None)
    sys.modules["fork.utils"] = Object(exist_and_not_none=lambda d, k: d.get(k) is not None, zero_pad_sequences=None)
    spec = importlib.util.spec_from_file_location("fork.reward_dataset", folder / "reward_dataset.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    tokenizer = PreTrainedTokenizerFast.from_pretrained(model)
    rows = json.load(sys.stdin)

    class Rows:
        column_names = ["chosen", "rejected"]

        def map(self, function, **_):
            made = [function(row) for row in rows]
            return Kept(made)

    class Kept(list):
        def filter(self, wanted):
            return Kept(filter(wanted, self))

        def __getitem__(self, key):
            return [row[key] for row in self] if isinstance(key, str) else super().__getitem__(key)

    args = Object(prompt_key=None, chosen_key="chosen", rejected_key="rejected", apply_chat_template=False)
    data = module.RewardDataset(Rows(), tokenizer, 100_000, Object(args=args), is_dpo=True, response_template=template)
    json.dump([[item[at].flatten().tolist() for at in (0, 4, 2, 5)] for item in (data[n] for n in range(len(data)))],
              sys.stdout)
"""


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
    files = {**_STUBS, **({"vllm.py": _LOCAL_LLM} if local else {}), **(_PICTURES if pictures else {})}
    absent = ("transformers.py", "datasets.py", "huggingface_hub.py", "tqdm.py") if local else ()
    made = {name: textwrap.dedent(text) for name, text in files.items() if name not in absent}
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
        [sys.executable, "-c", textwrap.dedent(_DATA_SET), str(found.parent), str(model), response_template],
        input=json.dumps(pairs), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
