"""Let a model play on a served environment: `play.py http://127.0.0.1:8000 MODEL`; openenv.yaml names the app."""

import sys

import openai
from openenv.core import GenericEnvClient

url, model = sys.argv[1:]
with GenericEnvClient(base_url=url).sync() as env, openai.OpenAI() as client:
    result = env.reset(seed=0)
    while not result.done:
        said = client.chat.completions.create(model=model, messages=result.observation["messages"])
        result = env.step({"message": said.choices[0].message.content})
print(f"reward {result.reward:.2f}")
