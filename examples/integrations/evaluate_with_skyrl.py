"""SkyRL-gym: any agent in the text environment. Run: python evaluate_with_skyrl.py asker:9 TASKS"""

import sys
from typing import Any

import skyrl_gym

from colbench_gym.integrations.skyrl import register, skyrl_rows
from colbench_gym.policies import Policy, make_policy
from colbench_gym.scenario import open_scenario

register()
agent = make_policy(sys.argv[1])
assert isinstance(agent, Policy), "the oracle is told what is hidden: choose another agent"
for row in skyrl_rows(open_scenario("backend", tasks="generated:test"), int(sys.argv[2])):
    env: Any = skyrl_gym.make("colbench", env_config={"tasks": "generated:test"}, extras=row)
    messages, step = env.init(row["prompt"])[0], {"done": False}
    while not step["done"]:
        step = env.step(said := agent.act(messages))
        messages += [{"role": "assistant", "content": said}, *step["observations"]]
    print(row["task_id"], step["reward"], env.get_metrics())
