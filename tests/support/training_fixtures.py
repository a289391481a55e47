"""Fixtures of the training tests; they skip, visibly, where PyTorch or transformers is missing."""

import os
from pathlib import Path

import pytest
from support.tiny import make_model, make_tokenizer, offline_dialogues

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")


def pytest_collection_modifyitems(items):
    for item in items:
        if item.get_closest_marker("train"):
            item.add_marker(pytest.mark.filterwarnings("default::DeprecationWarning"))
            item.add_marker(pytest.mark.filterwarnings("default::FutureWarning"))


@pytest.fixture(autouse=True)
def training_is_possible(request):
    if request.node.get_closest_marker("train"):
        request.getfixturevalue("one_thread")


@pytest.fixture(scope="session")
def one_thread():
    torch = pytest.importorskip("torch", reason="training needs PyTorch: pip install 'colbench-gym[train]'")
    pytest.importorskip("transformers", reason="training needs transformers: pip install 'colbench-gym[train]'")
    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def servers_client(one_thread):
    pytest.importorskip("openai", reason="the server's client needs the llm extra: pip install 'colbench-gym[llm]'")


@pytest.fixture(scope="session")
def tokenizer(one_thread):
    return make_tokenizer()


@pytest.fixture(scope="session")
def tiny_model(one_thread, tokenizer, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("tiny-model")
    make_model(tokenizer).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def data(tmp_path_factory) -> Path:
    """A file of offline dialogues."""
    from colbench_gym.trajectory import write_trajectories

    file = tmp_path_factory.mktemp("data") / "offline.jsonl"
    write_trajectories(file, offline_dialogues(), official=True)
    return file
