"""ColBench as Gymnasium and PettingZoo environments.

Importing the package registers ``ColBench-Backend-v0`` and ``ColBench-Frontend-v0`` with Gymnasium,
``colbench/backend_v0`` and ``colbench/frontend_v0`` with PettingZoo; it prints nothing, starts nothing and loads none
of the optional packages.

>>> import gymnasium, colbench_gym
>>> env = gymnasium.make("ColBench-Backend-v0")
>>> observation, info = env.reset(seed=0)
>>> env.close()
"""

from colbench_gym.action import Action, parse_action
from colbench_gym.dialogue import Dialogue, Turn
from colbench_gym.envs.registration import register_envs
from colbench_gym.episode import Episode
from colbench_gym.errors import ColBenchError
from colbench_gym.graders import Grade, Grader
from colbench_gym.humans import HumanSimulator
from colbench_gym.policies import Policy
from colbench_gym.rendering import Renderer
from colbench_gym.rules import BACKEND, FRONTEND, Rules
from colbench_gym.sandboxes import Sandbox
from colbench_gym.tasks import BackendTask, FrontendTask, load_tasks
from colbench_gym.trajectory import Trajectory, read_trajectories, write_trajectories
from colbench_gym.version import __version__

register_envs()

__all__ = [
    "BACKEND",
    "FRONTEND",
    "Action",
    "BackendTask",
    "ColBenchError",
    "Dialogue",
    "Episode",
    "FrontendTask",
    "Grade",
    "Grader",
    "HumanSimulator",
    "Policy",
    "Renderer",
    "Rules",
    "Sandbox",
    "Trajectory",
    "Turn",
    "__version__",
    "load_tasks",
    "parse_action",
    "read_trajectories",
    "write_trajectories",
]
