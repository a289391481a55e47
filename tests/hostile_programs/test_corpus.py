"""No hostile answer succeeds, whatever sandbox it runs in and whoever runs that; and what they try is real."""

from __future__ import annotations

import pytest

from . import ATTACKS, arena

CONFIGURATIONS = [
    pytest.param("process", "root", id="process-as-root"),
    pytest.param("process", "ordinary", id="process-as-ordinary-user"),
    pytest.param("docker", "root", id="docker", marks=pytest.mark.docker),
]
TEETH = [attack for attack in ATTACKS if attack.teeth]
_fought: dict[tuple[str, str], dict[str, arena.Result]] = {}


def fight(request: pytest.FixtureRequest, kind: str, user: str, wanted: list[str]) -> dict[str, arena.Result]:
    """The results of all attacks that were selected, from one run of the arena."""
    if (kind, user) not in _fought:
        selected = {item.callspec.params["attack"].id for item in request.session.items if "attack" in _parameters(item)}
        try:
            results, problem = arena.run_caged(kind, user, [name for name in wanted if name in selected])
        except LookupError as error:
            pytest.skip(str(error))
        assert not problem, f"the arena ended early, after {list(results)[-1:]}: {problem}"
        _fought[kind, user] = results
    return _fought[kind, user]


def _parameters(item: pytest.Item) -> dict[str, object]:
    callspec = getattr(item, "callspec", None)
    return {} if callspec is None else callspec.params


def test_corpus_is_large_and_says_what_it_tries():
    assert len(ATTACKS) >= 90
    assert len({attack.id for attack in ATTACKS}) == len(ATTACKS)
    assert len({attack.tries for attack in ATTACKS}) == len(ATTACKS)
    assert all(attack.tries.endswith(".") for attack in ATTACKS)


@pytest.mark.timeout(600)  # the first one of a configuration waits for all
@pytest.mark.parametrize(("kind", "user"), CONFIGURATIONS)
@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.id)
def test_attack_fails(kind, user, attack, request):
    if kind == "docker":
        request.getfixturevalue("docker_engine")
    result = fight(request, kind, user, [each.id for each in ATTACKS])[attack.id]
    assert not result.problems, f"{attack.id} ({attack.tries}) {'; '.join(result.problems)}"


@pytest.mark.timeout(600)
@pytest.mark.parametrize("attack", TEETH, ids=lambda attack: attack.id)
def test_attack_would_succeed_where_nothing_is_contained(attack, request):
    result = fight(request, "unsafe", "root", [each.id for each in TEETH])[attack.id]
    assert result.gain or any("somebody talked" in problem for problem in result.problems), result.said
