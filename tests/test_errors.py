"""The exception tree: as drawn, and with messages that help."""

import inspect

import pytest
from support.tables import values

from colbench_gym import errors

CLASSES = {name: cls for name, cls in inspect.getmembers(errors, inspect.isclass) if cls.__module__ == errors.__name__}


def test_every_class_is_in_the_drawing():
    assert errors.__doc__ is not None
    assert [name for name in CLASSES if name not in errors.__doc__] == []


def test_the_two_branches_do_not_meet():
    for name, cls in CLASSES.items():
        assert issubclass(cls, errors.ColBenchError), name
        assert not (issubclass(cls, errors.UsageError) and issubclass(cls, errors.InfrastructureError)), name


@pytest.mark.parametrize(("name", "base"), values(__file__, "errors_who_is_caught_by_what.txt", {"errors": errors}))
def test_who_is_caught_by_what(name, base):
    assert issubclass(CLASSES[name], base)


def test_an_unknown_name_lists_the_known_and_the_nearest():
    error = errors.UnknownNameError.among("sandbox", "proces", ("unsafe", "process", "docker"))
    assert str(error) == "unknown sandbox 'proces'; expected one of: docker, process, unsafe. Did you mean 'process'?"
    assert "Did you mean" not in str(errors.UnknownNameError.among("sandbox", "zzz", ("process",)))


def test_a_missing_extra_names_the_pip_line():
    error = errors.MissingExtraError.of("openai", "llm", "the human 'openai:…'")
    assert 'pip install "colbench-gym[llm]"' in str(error)
    assert "'openai'" in str(error)
