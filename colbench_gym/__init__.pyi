"""Public names of the package, and where each is from: for type checkers, and for ``__init__.py``."""

from colbench_gym.action import Action as Action
from colbench_gym.action import parse_action as parse_action
from colbench_gym.dialogue import Dialogue as Dialogue
from colbench_gym.dialogue import Turn as Turn
from colbench_gym.envs.backend import BackendEnv as BackendEnv
from colbench_gym.envs.frontend import FrontendEnv as FrontendEnv
from colbench_gym.envs.registration import register_envs as register_envs
from colbench_gym.episode import Episode as Episode
from colbench_gym.errors import (
    AssetError as AssetError,
)
from colbench_gym.errors import (
    ChatError as ChatError,
)
from colbench_gym.errors import (
    ColBenchError as ColBenchError,
)
from colbench_gym.errors import (
    ConfigurationChangedError as ConfigurationChangedError,
)
from colbench_gym.errors import (
    GraderError as GraderError,
)
from colbench_gym.errors import (
    HumanError as HumanError,
)
from colbench_gym.errors import (
    InfrastructureError as InfrastructureError,
)
from colbench_gym.errors import (
    InputFileError as InputFileError,
)
from colbench_gym.errors import (
    MissingExtraError as MissingExtraError,
)
from colbench_gym.errors import (
    PolicyError as PolicyError,
)
from colbench_gym.errors import (
    RendererError as RendererError,
)
from colbench_gym.errors import (
    SandboxError as SandboxError,
)
from colbench_gym.errors import (
    SandboxUnavailableError as SandboxUnavailableError,
)
from colbench_gym.errors import (
    TaskError as TaskError,
)
from colbench_gym.errors import (
    UnknownNameError as UnknownNameError,
)
from colbench_gym.errors import (
    UnknownTaskError as UnknownTaskError,
)
from colbench_gym.errors import (
    UsageError as UsageError,
)
from colbench_gym.evaluation.run import EvalConfig as EvalConfig
from colbench_gym.evaluation.run import evaluate as evaluate
from colbench_gym.graders import Grade as Grade
from colbench_gym.graders import Grader as Grader
from colbench_gym.graders.rewards import Info as Info
from colbench_gym.humans import HumanSimulator as HumanSimulator
from colbench_gym.humans import make_human as make_human
from colbench_gym.policies import Policy as Policy
from colbench_gym.policies import make_policy as make_policy
from colbench_gym.rendering import Renderer as Renderer
from colbench_gym.rules import BACKEND as BACKEND
from colbench_gym.rules import FRONTEND as FRONTEND
from colbench_gym.rules import Rules as Rules
from colbench_gym.sandboxes import Sandbox as Sandbox
from colbench_gym.scenario import Scenario as Scenario
from colbench_gym.scenario import open_scenario as open_scenario
from colbench_gym.task_episode import TaskEpisode as TaskEpisode
from colbench_gym.tasks import (
    BackendTask as BackendTask,
)
from colbench_gym.tasks import (
    FrontendTask as FrontendTask,
)
from colbench_gym.tasks import (
    TaskSet as TaskSet,
)
from colbench_gym.tasks import (
    load_tasks as load_tasks,
)
from colbench_gym.trajectory import (
    Trajectory as Trajectory,
)
from colbench_gym.trajectory import (
    read_trajectories as read_trajectories,
)
from colbench_gym.trajectory import (
    write_trajectories as write_trajectories,
)
from colbench_gym.version import __version__ as __version__
