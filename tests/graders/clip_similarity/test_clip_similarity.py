"""The paper's similarity on a tiny CLIP model that is built, saved and loaded here: the real code, other weights."""

import io
import json
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from support.doubles import Closeable
from support.tiny_clip import save_model

from colbench_gym import BackendTask, FrontendTask, GraderError, TaskError, UsageError
from colbench_gym.rendering import RenderedPage

pytestmark = pytest.mark.train


@pytest.fixture(scope="module")
def model(one_thread, tmp_path_factory):
    pytest.importorskip("PIL", reason="pictures need Pillow: pip install 'colbench-gym[clip]'")
    return save_model(tmp_path_factory.mktemp("tiny-clip"))


def picture(seed, width=128, height=72):
    """A PNG of coloured boxes on a coloured page."""
    from PIL import Image, ImageDraw

    rng = np.random.default_rng(seed)
    image = Image.new("RGB", (width, height), tuple(rng.integers(0, 256, 3).tolist()))
    draw = ImageDraw.Draw(image)
    for _ in range(6):
        x, y = int(rng.integers(0, width)), int(rng.integers(0, height))
        draw.rectangle((x, y, x + 30, y + 20), fill=tuple(rng.integers(0, 256, 3).tolist()))
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


class PictureBook(Closeable):
    """A Renderer double: the page ``<html>7</html>`` looks like picture 7."""

    versions: Mapping[str, str] = {}

    def render(self, html):
        text = html.removeprefix("<html>").removesuffix("</html>")
        return RenderedPage("rendered", picture(int(text))) if text.isdigit() else RenderedPage("timed_out")


def page(number):
    return f"<html>{number}</html>"


@pytest.fixture
def clip(model):
    from colbench_gym.graders.clip_similarity import ClipSimilarity

    return ClipSimilarity(PictureBook(), model, device="cpu")


def test_it_is_a_grader_and_the_same_page_scores_one(clip):
    from colbench_gym.graders import Grader

    assert isinstance(clip, Grader)
    for seed in range(10):
        grade = clip.grade(FrontendTask("t", "d", page(seed)), page(seed))
        assert grade.score == pytest.approx(1.0, abs=1e-9)
        assert (grade.success, grade.test_outcomes, grade.metric) == (False, (), clip.metric)
    clip.close()
    clip.close()


def test_other_pages_score_less_and_both_ways_alike(clip):
    pairs = [(picture(a), picture(a + 1)) for a in range(20)]
    scores = clip.scores(pairs)
    assert all(0.0 <= score < 1.0 for score in scores)
    assert len(set(scores)) > 15  # a few are opposite, which is 0
    assert clip.scores([(b, a) for a, b in pairs]) == scores


def test_no_page_scores_zero_and_a_broken_reference_is_the_tasks_fault(clip):
    task = FrontendTask("t", "d", page(1))
    assert [clip.grade(task, answer).score for answer in ("", "<html>endless</html>")] == [0.0, 0.0]
    assert clip.scores([(b"", picture(1)), (picture(1), picture(1)), (picture(1), b"")]) == [0.0, pytest.approx(1), 0.0]
    assert clip.scores([]) == []
    with pytest.raises(TaskError, match=r"'t' cannot be rendered .timed_out."):
        clip.grade(FrontendTask("t", "d", "<html>endless</html>"), page(1))
    with pytest.raises(TaskError, match="expected a frontend task"):
        clip.grade(BackendTask("t", "d", "", (), (), ""), page(1))
    with pytest.raises(UsageError, match="no picture"):
        clip.scores([(b"not a picture", picture(1))])


def test_the_score_is_the_cosine_that_transformers_own_classes_give(clip, model):
    """An independent computation, by the classes that the released code uses."""
    import torch
    from PIL import Image
    from transformers import CLIPModel
    from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil

    pngs = [picture(seed, 128, 72 + 40 * seed) for seed in range(6)]
    whole, processor = CLIPModel.from_pretrained(model), CLIPImageProcessorPil.from_pretrained(model)
    pixels = processor(images=[Image.open(io.BytesIO(png)) for png in pngs], return_tensors="pt")
    with torch.no_grad():
        features = whole.get_image_features(**pixels).pooler_output
    features = features / features.norm(dim=-1, keepdim=True)
    expected = (features[:3] * features[3:]).sum(dim=-1).clamp(0, 1).tolist()
    assert clip.scores(list(zip(pngs[:3], pngs[3:], strict=True))) == pytest.approx(expected, abs=1e-5)


def test_batch_and_single_scoring_agree(model):
    from colbench_gym.graders.clip_similarity import ClipSimilarity

    pairs = [(picture(a), picture(a + 100, 90, 200)) for a in range(25)]
    single = ClipSimilarity(PictureBook(), model, "cpu", batch_size=1)
    alone = [single.scores([pair])[0] for pair in pairs]
    for batch_size in (2, 7, 64):
        batched = ClipSimilarity(PictureBook(), model, "cpu", batch_size)
        assert batched.scores(pairs) == pytest.approx(alone, abs=1e-5)
        assert batched.metric == single.metric


def test_a_score_does_not_depend_on_what_is_graded_with_it(model):
    """Threads share passes, and every pass has one shape: the bits are those of scoring alone."""
    from colbench_gym.graders.clip_similarity.embedding import ClipEmbedder

    pngs = [picture(seed) for seed in range(40)]
    alone = ClipEmbedder.load(model, "cpu", batch_size=4)
    expected = [alone.embed([png])[0] for png in pngs]
    assert alone.passes == 40
    together = ClipEmbedder.load(model, "cpu", batch_size=4)
    ready = threading.Barrier(8)

    def embed(first):
        ready.wait(30)
        return together.embed(pngs[first : first + 5])

    with ThreadPoolExecutor(8) as threads:
        got = [one for five in threads.map(embed, range(0, 40, 5)) for one in five]
    assert all(map(np.array_equal, got, expected))
    assert len(got) == 40
    assert 10 <= together.passes <= 16  # one for each of the eight threads' five pictures would have been two each


def test_many_threads_grade_at_once(model):
    from colbench_gym.graders.clip_similarity import ClipSimilarity

    tasks = [FrontendTask(str(at), "d", page(at % 5)) for at in range(30)]
    alone = ClipSimilarity(PictureBook(), model, "cpu", 8)
    expected = [alone.grade(task, page(at)) for at, task in enumerate(tasks)]
    del alone  # and with it what it remembers
    grader = ClipSimilarity(PictureBook(), model, "cpu", 8)
    with ThreadPoolExecutor(8) as pool:
        got = list(pool.map(lambda at: grader.grade(tasks[at], page(at)), range(30)))
    assert got == expected


def test_a_picture_is_embedded_once(clip, model):
    from colbench_gym.graders.clip_similarity import ClipSimilarity

    embedder = clip._embedder
    assert ClipSimilarity(PictureBook(), model, device="cpu")._embedder is embedder  # one model for the process
    before = embedder.passes
    reference = picture(1000)
    clip.scores([(picture(1001), reference), (picture(1002), reference)])
    clip.scores([(picture(1002), reference)])
    assert embedder.passes - before == 3


def test_other_weights_have_another_name_wherever_they_lie(model, tmp_path):
    import shutil

    from colbench_gym.graders.clip_similarity.loading import load_clip

    name = load_clip(model, "cpu").name
    assert name.startswith("clip-vit-32x2-patch8-1-")
    moved = shutil.copytree(model, tmp_path / "moved")
    assert load_clip(str(moved), "cpu").name == name
    others = [save_model(tmp_path / "other", seed=1), save_model(tmp_path / "heads", num_attention_heads=4)]
    prepared = shutil.copytree(model, tmp_path / "prepared")
    settings = prepared / "preprocessor_config.json"
    settings.write_text(json.dumps(json.loads(settings.read_text()) | {"do_center_crop": False}))
    names = {name, *(load_clip(str(folder), "cpu").name for folder in (*others, prepared))}
    assert len(names) == 4


def test_the_half_that_sees_is_enough(model, tmp_path):
    from transformers import AutoConfig, CLIPVisionModelWithProjection
    from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil

    from colbench_gym.graders.clip_similarity.loading import load_clip

    whole = AutoConfig.from_pretrained(model)
    whole.vision_config.projection_dim = whole.projection_dim
    CLIPVisionModelWithProjection.from_pretrained(model, config=whole.vision_config).save_pretrained(tmp_path)
    CLIPImageProcessorPil.from_pretrained(model).save_pretrained(tmp_path)
    assert load_clip(str(tmp_path), "cpu").name == load_clip(model, "cpu").name


def test_what_cannot_be_loaded_says_what_to_do(model, tmp_path, one_thread):
    import shutil

    from safetensors.torch import load_file, save_file

    from colbench_gym.graders.clip_similarity import ClipSimilarity

    with pytest.raises(UsageError, match=r"'nobody/nothing' cannot be loaded .* hf download"):
        ClipSimilarity(PictureBook(), "nobody/nothing")
    with pytest.raises(UsageError, match="no device 'cuda:99'"):
        ClipSimilarity(PictureBook(), model, device="cuda:99")
    unprepared = shutil.copytree(model, tmp_path / "unprepared")
    (unprepared / "preprocessor_config.json").unlink()
    with pytest.raises(UsageError, match=r"preprocessor_config\.json"):
        ClipSimilarity(PictureBook(), str(unprepared))
    partial = shutil.copytree(model, tmp_path / "partial")
    weights = load_file(partial / "model.safetensors")
    del weights["visual_projection.weight"]
    save_file(weights, partial / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(UsageError, match=r"no weights for 1 parts, 'visual_projection.weight'"):
        ClipSimilarity(PictureBook(), str(partial))
    other = tmp_path / "other"
    other.mkdir()
    (other / "config.json").write_text('{"model_type": "bert"}')
    with pytest.raises(UsageError, match=r"kind 'bert'; expected a CLIP model"):
        ClipSimilarity(PictureBook(), str(other))


def test_a_model_that_fails_is_nobodys_score(clip, model):
    from colbench_gym.graders.clip_similarity.embedding import ClipEmbedder
    from colbench_gym.graders.clip_similarity.loading import load_clip

    loaded = load_clip(model, "cpu")
    loaded.projection.weight.data.fill_(float("nan"))
    embedder = ClipEmbedder(loaded, batch_size=2)
    for _ in range(2):  # the embedder goes on after a failure
        with pytest.raises(GraderError, match=r"CLIP model failed .* .an embedding without a direction."):
            embedder.embed([picture(1), picture(2)])


def test_a_missing_page_may_be_compared_as_the_official_black_picture(clip, model):
    from PIL import Image

    from colbench_gym.graders.clip_similarity import ClipSimilarity

    out = io.BytesIO()
    Image.new("RGB", (224, 224)).save(out, "PNG")
    official = ClipSimilarity(PictureBook(), model, device="cpu", missing_is_black=True)
    scores = []
    for seed in range(8):
        task = FrontendTask("t", "d", page(seed))
        scores += clip.scores([(out.getvalue(), picture(seed))])
        assert official.grade(task, "").score == official.grade(task, "<html>slow</html>").score == scores[-1]
        assert official.grade(task, page(1)).score == clip.grade(task, page(1)).score
        assert clip.grade(task, "").score == 0.0
    assert max(scores) > 0
    assert official.metric == f"{clip.metric}+black"
