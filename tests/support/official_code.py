"""A checkout of released code: one of our own making, laid out like the official one, and what drives either of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap

BACKEND_HUMAN = "  Task: {problem_description}\nSecret {{braces}}: {hidden_information}\nSo far:\n{dialogue_history}\n"
FRONTEND_HUMAN = "  Look at both pictures. {literal} { braces stay\n"
AGENTS = {"backend": "\nAsk, then build.\n{dialogue_history}", "frontend": "Ask, then draw. {dialogue_history}\n"}

_BACKEND_MODULE = """
    class HumanInteractionEnv:
        def __init__(self, client, human_prompt, model_id, env_id=0, max_steps=10):
            self.client, self.human_prompt, self.model_id = client, human_prompt, model_id
            self.max_steps, self.limit = max_steps, 400

        def reset(self, problem_description, hidden_information):
            self.given = problem_description, hidden_information
            self.steps, self.done = 0, False
            self.said = [{"role": "user", "content": problem_description}]
            return list(self.said)

        def invoke_model(self, page=None):
            # {"role": "system", "content": "A line that nobody sends."}
            told = "".join(turn["role"] + ":" + turn["content"] + "\\n" * 4 for turn in self.said)
            text = self.human_prompt.format(
                problem_description=self.given[0], hidden_information=self.given[1], dialogue_history=told + "agent:"
            )
            return self.ask([{"role": "system", "content": "You play \\"somebody\\"."}, {"role": "user", "content": text}])

        def ask(self, messages):
            made = self.client.chat.completions.create(
                model=self.model_id, messages=messages, max_tokens=4096, temperature=0
            )
            return made.choices[0].message.content

        def step(self, response, prompt=None):
            self.steps += 1
            if "OUTPUT:" in response:
                response = response.split("OUTPUT:")[1]
            self.said.append({"role": "assistant", "content": response})
            self.done = "I WANT TO ANSWER:" in response or self.steps >= self.max_steps
            if not self.done:
                self.said.append({"role": "user", "content": self.invoke_model(self.page(response))[: self.limit]})
            return None if self.done else list(self.said), 0, self.done

        def page(self, response):
            return None
"""
_FRONTEND_MODULE = """
    from sweet_rl.utils.webpage_utils import extract_html_snippet, get_driver, render_full_html

    from .human_interaction_env import HumanInteractionEnv


    class HumanDesignInteractionEnv(HumanInteractionEnv):
        def __init__(self, client, human_prompt, model_id, env_id=0, max_steps=10, temp_path="."):
            super().__init__(client, human_prompt, model_id, env_id, max_steps)
            self.driver, self.folder, self.limit = get_driver(), temp_path, 1000

        def page(self, response):
            html = extract_html_snippet(response)[1]
            return None if html is None else self.picture(html)

        def picture(self, html):
            return render_full_html(self.driver, html, self.folder)

        def invoke_model(self, page=None):
            parts = [{"type": "text", "text": self.human_prompt}]
            if page is not None:
                parts.append({"type": "text", "text": 'What was "drawn":'})
                parts.append({"type": "image_url", "image_url": {"url": page}})
            else:
                parts.append({"type": "text", "text": "Nothing was drawn."})
            parts.append({"type": "text", "text": "What is wanted:"})
            parts.append({"type": "image_url", "image_url": {"url": self.picture(self.given[1])}})
            return self.ask([{"role": "user", "content": parts}])
"""
_PAGES_MODULE = """
    import base64
    import re
    from pathlib import Path

    from selenium import webdriver


    def get_driver():
        return webdriver.Firefox()


    def render_full_html(driver, html, folder):
        source, picture = Path(folder) / "page.html", Path(folder) / "page.png"
        source.write_text(html)
        driver.get("file://" + str(source))
        driver.get_full_page_screenshot_as_file(str(picture))
        return "data:image;base64," + base64.b64encode(picture.read_bytes()).decode()


    def extract_html_snippet(text):
        match = re.search("<html.*?</html>", text, re.DOTALL)
        return text, match and match.group(0)
"""
# In place of Selenium: the picture of a page is its source.
_SELENIUM = {
    "selenium/__init__.py": "",
    "selenium/webdriver/__init__.py": """
        class FirefoxOptions:
            def add_argument(self, text):
                pass

        class Firefox:
            def __init__(self, **_):
                pass

            def get(self, url):
                self.path = url.removeprefix("file://")

            def get_full_page_screenshot_as_file(self, path):
                with open(self.path, "rb") as page, open(path, "wb") as picture:
                    picture.write(page.read())
    """,
    "selenium/webdriver/firefox/__init__.py": "",
    "selenium/webdriver/firefox/service.py": "class Service:\n    pass\n",
}
_DRIVE = """
    import importlib, json, sys
    from types import SimpleNamespace as Object

    module, name, folder = sys.argv[1:]
    played = json.load(sys.stdin)

    class Client:
        def __init__(self):
            self.chat = Object(completions=self)
            self.requests, self.replies = [], []

        def create(self, messages, temperature, max_tokens, **_):
            self.requests.append({"messages": messages, "temperature": temperature, "max_tokens": max_tokens})
            return Object(choices=[Object(message=Object(content=self.replies.pop(0)))])

    client = Client()
    more = {"temp_path": folder} if "Design" in name else {}
    made = getattr(importlib.import_module(module), name)(client, played["human"], "m", **more)
    out = []
    for description, hidden, agent, human in played["dialogues"]:
        client.requests, client.replies = [], list(human)
        seen = [made.reset(description, hidden)]
        for message in agent:
            told, _, over = made.step(message)
            if over:
                break
            seen.append(told)
        out.append({"requests": client.requests, "seen": seen})
    json.dump(out, sys.stdout)
"""
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
        "sweet_rl/__init__.py": "",
        "sweet_rl/environments/__init__.py": "",
        "sweet_rl/environments/human_interaction_env.py": textwrap.dedent(_BACKEND_MODULE),
        "sweet_rl/environments/human_design_interaction_env.py": textwrap.dedent(_FRONTEND_MODULE),
        "sweet_rl/utils/__init__.py": "",
        "sweet_rl/utils/webpage_utils.py": textwrap.dedent(_PAGES_MODULE),
    }
    return write_files(folder, files)


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
    stubs = write_files(scratch / "stubs", {name: textwrap.dedent(text) for name, text in _SELENIUM.items()})
    module, name = _CLASSES[track]
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(_DRIVE), f"sweet_rl.environments.{module}", name, str(scratch)],
        input=json.dumps({"human": human, "dialogues": dialogues}),
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(stubs), str(checkout)])},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def official_pages(checkout, texts, scratch):
    """Return the page that a checkout takes from each text."""
    stubs = write_files(scratch / "stubs", {name: textwrap.dedent(text) for name, text in _SELENIUM.items()})
    done = subprocess.run(
        [sys.executable, "-c", "import json, sys; from sweet_rl.utils.webpage_utils import extract_html_snippet as page\n"
         "json.dump([page(text)[1] for text in json.load(sys.stdin)], sys.stdout)"],
        input=json.dumps(texts), env={**os.environ, "PYTHONPATH": os.pathsep.join([str(stubs), str(checkout)])},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return json.loads(done.stdout)
