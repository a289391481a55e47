"""ColBench-Frontend-v0: the Gymnasium environment."""

from __future__ import annotations

from colbench_gym.envs.base import DialogueEnv


class FrontendEnv(DialogueEnv):
    """Find out by showing drafts which web page a person wants, and build it (ColBench, arXiv 2503.15478).

    >>> import gymnasium
    >>> env = gymnasium.make("ColBench-Frontend-v0", renderer="scripted")  # or the default, "chromium"
    >>> observation, info = env.reset(seed=0)
    >>> observation, reward, terminated, truncated, info = env.step("A first draft: <html><h1>Welcome</h1></html>")
    >>> reward, terminated, info["outcome"]
    (0.0, False, 'ongoing')
    >>> env.close()

    Description
        A person asks for a web page in vague words. They know what it should look like, are shown each draft beside
        it, and say what differs; the agent never sees the wanted page. It has ``max_turns`` messages.

    Action space
        ``UnicodeText``: one message of at most 200,000 characters. Everything before the first ``OUTPUT:`` is hidden
        thinking, as is everything from the second one on. The first ``<html>...</html>`` of a message, else its first
        ``<body>...</body>``, is a proposal; the person sees it as a picture. A message with ``I WANT TO ANSWER:`` ends
        the episode, and so does the last message. Lone surrogates are replaced. What is no string, or longer, raises
        ``ValueError``.

    Observation space
        ``Dict({"instructions": UnicodeText, "dialogue": UnicodeText})``: what the agent is told, the same in every
        episode, and the transcript so far, which begins with the person's request. No pictures: the agent is
        text-only.

    Reward
        0.0 until the end, then the similarity of the last proposal to the wanted page, from 0.0 to 1.0. A proposal
        that no browser can render (too large, never done) scores 0.0, as no proposal does; it replaces the one before.
        A function given as ``reward`` is paid in its place.

    Episode end
        ``terminated`` when the agent has answered or used its last message; the limit belongs to the task, so
        ``truncated`` is always False. Stepping on raises ``UsageError``.

    Failures
        A human that cannot reply raises ``HumanError`` from ``step``, a browser that fails ``RendererError``, a grader
        that cannot grade ``GraderError``; none becomes a reward. A page that links an asset that has not been fetched
        raises ``AssetError``, which names the command. The episode is then as it was before that ``step``, which may
        be called again.

    Info (the same keys and types at reset and step)
        ============== ======================= ===============================================================
        ``task_id``     str                     which task it is
        ``turn``        int                     messages that the agent has sent
        ``messages``    tuple of dicts of str   the observation as chat messages (``role``, ``content``)
        ``outcome``     str                     ``ongoing``, ``answered`` (by marker) or ``out_of_turns``
        ``similarity``  float                   of the last proposal to the wanted page; 0.0 until graded
        ``metric``      str                     name and version of the similarity; "" until graded
        ``success``     bool                    always False: this track has no success
        ``test_outcomes`` tuple                 always empty
        ``leak``        dict of float           as on the backend track: source of the page, word for word
        ============== ======================= ===============================================================

    Arguments
        Strings and numbers keep ``env.spec`` JSON; live objects are accepted too, stay open on ``close`` and leave the
        spec without JSON. Environments of one process share their browsers.

    Args:
        tasks: ``generated[:SPLIT]``, ``websight[:SPLIT]``, the path of a JSONL file, a list of task rows, a
            ``datasets.Dataset``, or a TaskSet.
        human: ``scripted[:PERSONA]`` (compares the two pages, needs no model), ``openai:MODEL[@BASE_URL]`` (is shown
            the pictures), ``replay:FILE``, ``console``, ``python:MODULE:FACTORY``, or a HumanSimulator.
        similarity: ``layout`` (needs no model), ``clip`` (the paper's, see
            :mod:`colbench_gym.graders.clip_similarity`), ``python:MODULE:FACTORY`` (which returns a Grader, or a
            function of two rendered pages), a Grader, or such a function.
        reward: ``similarity``, ``score`` (the same), ``python:MODULE:FACTORY``, or a function that is called with the
            info of the graded episode, such as ``lambda info: info["similarity"] - 0.02 * info["turn"]``.
        max_turns, max_questions: messages of the agent (1: single-turn); questions that the human answers in all.
        prompts: None for our own wording, a folder with the official files, a dict with the texts ``agent`` and
            ``human``, or Prompts.
        profile: None, or ``paper`` for the paper's set-up (:mod:`colbench_gym.scenario.paper`); what contradicts it is
            refused.
        official: with the profile, your checkout of the released code, which words every message.
        renderer: what makes the pictures: ``chromium``, ``scripted`` (no browser: for tests, its scores mean nothing),
            or a Renderer.
        render_mode: ``ansi`` (``render`` returns the dialogue as text), ``rgb_array`` (the agent's page as uint8 of
            shape (720, 1280, 3), cut or filled up with white; white before there is one), ``human`` (every message is
            printed as it is said) or None.
        scenario: instead of all but ``render_mode``, a :class:`~colbench_gym.scenario.Scenario`, which stays open.

    Reset options
        ``{"task_id": ...}`` chooses the task, by a string or an integer; otherwise it is drawn with ``seed``. Equal
        seeds and equal actions give equal observations, rewards and infos.

    Branching
        ``env.unwrapped.fork()`` and ``copy.deepcopy(env)`` give a copy of the running episode that is played on by
        itself and shares the human and the browser: for tree search, or the best of several next messages.

    Version history
        * v0: first version.
    """

    track = "frontend"
    metadata = {"render_modes": ["ansi", "human", "rgb_array"], "render_fps": 4}  # noqa: RUF012  as in gymnasium.Env
