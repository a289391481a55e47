"""Three episodes at once, in each way that Gymnasium has, and ours."""

import gymnasium
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode


def make(env_id, mode, autoreset, **kwargs):
    """The three ways, by ``mode``: sync, async:CONTEXT, async:CONTEXT:pipes or ours."""
    name, *rest = mode.split(":")
    if name == "ours":
        return gymnasium.make_vec(env_id, 3, autoreset_mode=autoreset.value, max_turns=4, **kwargs)
    vector_kwargs = {"autoreset_mode": autoreset}
    if name == "async":
        vector_kwargs |= {"context": rest[0], "shared_memory": rest[1:] != ["pipes"]}
    return gymnasium.make_vec(env_id, 3, vectorization_mode=name, vector_kwargs=vector_kwargs, max_turns=4, **kwargs)


def play(env_id, talk, mode, autoreset, **kwargs):
    envs = make(env_id, mode, autoreset, **kwargs)
    try:
        seen = [envs.reset(seed=7)]
        for texts in talk:
            seen.append(envs.step(texts))
            ended = seen[-1][2]
            if autoreset is AutoresetMode.DISABLED and ended.any():
                seen.append(envs.reset(seed=[1, None, 3], options={"reset_mask": ended.copy()}))
        seen.append(envs.reset(seed=[5, 6, None]))
        seen.append(envs.step(talk[0]))
    finally:
        envs.close()
    return seen


def compare(env_id, talk, ways, autoreset, **kwargs):
    """Play three episodes in each way, where all must return the same."""
    ours = play(env_id, talk, "ours", autoreset, **kwargs)
    assert any(step[2].any() for step in ours if len(step) == 5)
    for way in ways:
        for at, (one, other) in enumerate(zip(ours, play(env_id, talk, way, autoreset, **kwargs), strict=True)):
            same = data_equivalence(one, other, exact=True)
            assert same, f"{way} differs at return value {at}: {other[-1]}; ours: {one[-1]}"
