"""ColBench-Backend-v0: the Gymnasium environment."""

from __future__ import annotations

from colbench_gym.envs.base import DialogueEnv


class BackendEnv(DialogueEnv):
    """Find out by asking which Python function a person wants, then write it (ColBench, arXiv 2503.15478).

    >>> import gymnasium
    >>> env = gymnasium.make("ColBench-Backend-v0")
    >>> observation, info = env.reset(seed=0)
    >>> observation, reward, terminated, truncated, info = env.step("What should happen with an empty list?")
    >>> reward, terminated, info["outcome"]
    (0.0, False, 'ongoing')
    >>> env.close()

    Description
        A person asks for a Python function in vague words. They know the reference solution and answer questions about
        it; the agent sees neither the reference nor the ten hidden tests. It has ``max_turns`` messages.

    Action space
        ``UnicodeText``: one message of at most 200,000 characters. Everything before the first ``OUTPUT:`` is hidden
        thinking, as is everything from the second one on. A message with ``I WANT TO ANSWER:`` ends the episode; the
        answer is what stands between the first and the second of these markers, with or without a code fence. The
        last message is the answer whatever it says. Lone surrogates are replaced. What is no string, or longer, raises
        ``ValueError``.

    Observation space
        ``Dict({"instructions": UnicodeText, "dialogue": UnicodeText})``: what the agent is told, the same in every
        episode, and the transcript so far, which begins with the person's request. (``AsyncVectorEnv`` reserves 11 MB
        of shared memory for each environment, as a dialogue may be that long; ``gymnasium.make_vec`` without a mode
        needs none.)

    Reward
        0.0 until the end, then by ``reward``: ``"success"`` 1.0 if all tests pass, else 0.0; ``"pass_rate"`` (or
        ``"score"``) the fraction of tests that pass; a function of the info whatever it returns.

    Episode end
        ``terminated`` when the agent has answered or used its last message; the limit belongs to the task, so
        ``truncated`` is always False. Stepping on raises ``UsageError``.

    Failures
        A human that cannot reply raises ``HumanError`` from ``step``, a grader that cannot grade ``GraderError``;
        neither becomes a reward. The episode is then as it was before that ``step``, which may be called again.

    Info (the same keys and types at reset and step)
        ============== ======================= ===============================================================
        ``task_id``     str                     which task it is
        ``turn``        int                     messages that the agent has sent
        ``messages``    tuple of dicts of str   the observation as chat messages (``role``, ``content``)
        ``outcome``     str                     ``ongoing``, ``answered`` (by marker) or ``out_of_turns``
        ``success``     bool                    all tests passed; False until graded
        ``pass_rate``   float                   fraction of tests passed; 0.0 until graded
        ``test_outcomes`` tuple of str          ``passed``, ``wrong``, ``raised``, ``timed_out``, ``killed`` or
                                                ``unserialisable`` for each test; empty until graded
        ``leak``        dict of float           what the replies so far gave away (:mod:`colbench_gym.humans.leaks`)
        ============== ======================= ===============================================================

    Arguments
        Strings and numbers keep ``env.spec`` JSON; live objects are accepted too, stay open on ``close`` and leave the
        spec without JSON.

    Args:
        tasks: ``generated[:SPLIT]``, ``official[:SPLIT]``, the path of a JSONL file, a list of task rows, a
            ``datasets.Dataset``, or a TaskSet.
        human: ``scripted[:PERSONA]``, ``openai:MODEL[@BASE_URL]``, ``replay:FILE``, ``console``,
            ``python:MODULE:FACTORY``, or a HumanSimulator.
        sandbox: where answers run: ``process``, ``docker``, ``unsafe`` (contains nothing), or a Sandbox.
        grading: ``strict``, ``paper`` (bug-compatible with the official grader), ``python:MODULE:FACTORY``, or a
            Grader.
        reward: ``success``, ``pass_rate``, ``score``, ``python:MODULE:FACTORY``, or a function that is called with the
            info of the graded episode, such as ``lambda info: info["success"] - 0.02 * info["turn"]``.
        max_turns, max_questions: messages of the agent (1: single-turn); questions that the human answers in all.
        prompts: None for our own wording, a folder with the official files, a dict with the texts ``agent`` and
            ``human``, or Prompts.
        profile: None, or ``paper`` for the paper's set-up (:mod:`colbench_gym.scenario.paper`); what contradicts it is
            refused.
        official: with the profile, your checkout of the released code, which words every message.
        render_mode: ``ansi`` (``render`` returns the dialogue as text), ``rgb_array`` (its end as a picture, uint8 of
            shape (720, 1280, 3); needs Pillow), ``human`` (every message is printed as it is said) or None.
        scenario: instead of all but ``render_mode``, a :class:`~colbench_gym.scenario.Scenario`, which stays open.

    Reset options
        ``{"task_id": ...}`` chooses the task, by a string or an integer; otherwise it is drawn with ``seed``. Equal
        seeds and equal actions give equal observations, rewards and infos.

    Branching
        ``env.unwrapped.fork()`` and ``copy.deepcopy(env)`` give a copy of the running episode that is played on by
        itself and shares the human and the sandbox: for tree search, or the best of several next messages.

    Version history
        * v0: first version.
    """

    track = "backend"
    metadata = {"render_modes": ["ansi", "human", "rgb_array"], "render_fps": 4}  # noqa: RUF012  as in gymnasium.Env
