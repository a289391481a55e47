"""No hostile answer succeeds, whatever sandbox it runs in and whoever runs that; and what they try is real."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from support.tables import values

from . import ATTACKS, arena
from .attack import Attack

CONFIGURATIONS = values(__file__, "corpus_configurations.txt", {"pytest": pytest})
TEETH = [attack for attack in ATTACKS if attack.teeth]


class Fights:
    """The arenas of this session, which run side by side: they mostly wait for attacks to be stopped."""

    def __init__(self, items: list[pytest.Item]) -> None:
        wanted: dict[tuple[str, str], list[str]] = {}
        for item in items:
            parameters = item.callspec.params if hasattr(item, "callspec") else {}
            if "attack" in parameters:
                key = parameters.get("kind", "unsafe"), parameters.get("user", "root")
                wanted.setdefault(key, []).append(parameters["attack"].id)
        self.pool = ThreadPoolExecutor(max_workers=len(wanted) or 1)
        self.running = {key: self.pool.submit(arena.run_caged, *key, ids) for key, ids in wanted.items()}

    def result(self, kind: str, user: str, attack: Attack) -> arena.Result:
        try:
            results, problem = self.running[kind, user].result()
        except LookupError as error:
            pytest.skip(str(error))
        assert attack.id in results, f"the arena ended early, after {list(results)[-1:]}: {problem}"
        return results[attack.id]


@pytest.fixture(scope="session")
def fights(request: pytest.FixtureRequest) -> Iterator[Fights]:
    fights = Fights(request.session.items)
    yield fights
    fights.pool.shutdown()


def test_corpus_is_large_and_says_what_it_tries():
    assert len(ATTACKS) >= 90
    assert len({attack.id for attack in ATTACKS}) == len(ATTACKS)
    assert len({attack.tries for attack in ATTACKS}) == len(ATTACKS)
    assert all(attack.tries.endswith(".") for attack in ATTACKS)


@pytest.mark.sampled(16)
@pytest.mark.timeout(600)  # the first one of a configuration waits for all
@pytest.mark.parametrize(("kind", "user"), CONFIGURATIONS)
@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.id)
def test_attack_fails(kind, user, attack, request, fights):
    if kind == "docker":
        request.getfixturevalue("docker_engine")
    result = fights.result(kind, user, attack)
    assert not result.problems, f"{attack.id} ({attack.tries}) {'; '.join(result.problems)}"


@pytest.mark.sampled(4)
@pytest.mark.timeout(600)
@pytest.mark.parametrize("attack", TEETH, ids=lambda attack: attack.id)
def test_attack_would_succeed_where_nothing_is_contained(attack, fights):
    result = fights.result("unsafe", "root", attack)
    assert result.gain or any("somebody talked" in problem for problem in result.problems), result.said
