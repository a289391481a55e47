"""Contracts of ColBench-BackendMenu-v0 and ColBench-FrontendMenu-v0."""

from __future__ import annotations

from colbench_gym.envs.menu.env import MenuEnv


class BackendMenuEnv(MenuEnv):
    """Find out which questions are worth asking about a Python function; an action is a number.

    >>> import gymnasium
    >>> env = gymnasium.make("ColBench-BackendMenu-v0", tasks="generated:train:easy")
    >>> observation, info = env.reset(seed=0)
    >>> observation, reward, terminated, truncated, info = env.step(0)  # answer at once
    >>> terminated, info["turn"]
    (True, 0)
    >>> env.close()

    Description
        The tasks, the human and the grader are those of ``ColBench-Backend-v0``. What can be asked is read from the
        request with the public grammar of the generated tasks: matters that it does not tell, such as ``ties``. The
        answer is composed from what was told: a matter of which nothing was told is left out, or drawn (always alike)
        where no program does without it. What is left to learn is which matters to ask about.

    Action space
        ``Discrete``: 0 answers; each other action asks about one matter, the same in every task (``env.unwrapped.keys``
        names them). A question that the mask excludes, because it is not of this request or was asked already, is
        wasted: nothing is said, and it counts. With the last question the answer is due and is given in the same step.

    Observation space
        ``observation="vector"``: ``Box(0, 1, float32)``: 512 hash buckets of the words of the request; for each matter
        whether it is unknown, told, waved off (asked, and no alternative was told; none of the three when it is not of
        this request); the share of the questions that was used. ``"text"``: the dialogue and the messages that can be
        said, as ``UnicodeText``.

    Reward
        At the end as in ``ColBench-Backend-v0`` (``success`` or ``pass_rate``, or a function of its info), less
        ``question_cost`` for each question, in its step.

    Episode end
        ``terminated`` with the answer; ``truncated`` is always False. Stepping on raises ``UsageError``.

    The human
        hears the request and one question at a time, as if it were the first: a reply does not depend on what was asked
        before, and keeping it changes nothing.

    Failures
        As in ``ColBench-Backend-v0``: ``HumanError`` and ``GraderError`` from ``step``, which may be called again.

    Info (the same keys and types at reset and step)
        ``task_id`` str, ``turn`` int (questions used), ``outcome`` str (``ongoing``, ``answered``), ``success`` bool,
        ``pass_rate`` float (0.0 until graded), ``action_mask`` int8 array (1: wastes nothing).

    Args:
        questions: budget of an episode, 5 by default.
        question_cost: taken off the reward for each question; 0.0 by default.
        observation: ``vector`` (default) or ``text``.
        keep_replies: keep replies by (task, question) and grades by (task, answer); True by default.
        pool: tasks are drawn from the first ones of the set, 1000 by default; 0 draws from all of them.
        tasks: ``generated[:SPLIT[:LEVEL]]``, or generated tasks from elsewhere.
        human, sandbox, grading, reward, prompts: as in :class:`~colbench_gym.envs.backend.BackendEnv`.
        render_mode: ``ansi`` (``render`` returns the dialogue), ``rgb_array`` (a picture of the state), ``human`` (what
            is said is printed) or None.

    Reset options
        ``{"task_id": ...}`` chooses the task, also one outside of the pool; otherwise it is drawn with ``seed``.

    Version history
        * v0: first version.
    """

    track = "backend"


class FrontendMenuEnv(MenuEnv):
    """Find out what to ask about a web page, and when to show a draft; an action is a number.

    Description
        As :class:`BackendMenuEnv`, with the tasks, the human and the grader of ``ColBench-Frontend-v0``. The answer is
        the page of the public grammar that agrees best with the request and with what was told.

    Action space
        ``Discrete``: 0 answers, with the page so far; ``draft`` shows it, and the human says what differs; each other
        action asks about one aspect of the page, such as ``footer``, after which the page is revised.

    Observation space, episode end, failures and arguments
        As in :class:`BackendMenuEnv`; words of a told aspect stand in the request. A draft can be shown again.

    Reward
        At the end the similarity to the wanted page, less ``question_cost`` for each question.

    Info
        As in :class:`BackendMenuEnv`, with ``similarity`` in place of ``pass_rate``; ``success`` is always False.

    Args:
        similarity, renderer, human, reward: as in :class:`~colbench_gym.envs.frontend.FrontendEnv`; all others as in
            :class:`BackendMenuEnv`.

    Version history
        * v0: first version.
    """

    track = "frontend"
