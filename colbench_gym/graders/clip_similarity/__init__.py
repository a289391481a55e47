"""The paper's similarity of two pages: how close the CLIP embeddings of their pictures are."""

from __future__ import annotations

import io
import threading
from collections.abc import Sequence
from weakref import WeakValueDictionary

from colbench_gym.graders import Grade
from colbench_gym.graders.clip_similarity.embedding import ClipEmbedder
from colbench_gym.graders.wanted_page import wanted_page
from colbench_gym.rendering import Renderer
from colbench_gym.tasks import Task

PAPER_MODEL = "openai/clip-vit-base-patch32"  # arXiv 2503.15478, section 3.3 and released code
BLACK_SIZE = (224, 224)  # official protocol: the picture that stands for a page that is missing

_LOADED: WeakValueDictionary[tuple[str, str | None, int | None], ClipEmbedder] = WeakValueDictionary()
_LOADING = threading.Lock()


class ClipSimilarity:
    """A Grader: the cosine of the CLIP image embeddings of the two whole-page pictures. Thread-safe.

    As the released code does it: full-page pictures, the shorter side to 224 pixels (bicubic), the middle square cut
    out, the processor's mean and deviation, cosine of the projected image features, in 32 bits. So what lies outside
    the middle square of a long page counts for nothing, and unlike pages are far from 0: the measure's own limits.
    Two things differ. No page, or one that cannot be rendered, scores 0 unless ``missing_is_black``; the released code
    compares a black picture in its place. A cosine below 0 is 0.

    Graders of one process share the loaded model, its batches and its embeddings of pictures seen before.

    Args:
        renderer: turns pages into pictures; closed by who opened it.
        model: a folder, or a name on the hub.
        device: such as ``cpu`` or ``cuda``; None takes the fastest that there is.
        batch_size: pictures in one pass; by default 1 on the CPU, else 32.
        missing_is_black: a page that is missing is compared as a black picture.

    Raises:
        MissingExtraError: torch, transformers or Pillow is not installed.
        UsageError: there is no such model or device.
    """

    def __init__(
        self,
        renderer: Renderer,
        model: str = PAPER_MODEL,
        device: str | None = None,
        batch_size: int | None = None,
        *,
        missing_is_black: bool = False,
    ) -> None:
        self._renderer = renderer
        with _LOADING:
            embedder = _LOADED.get((model, device, batch_size))
            if embedder is None:
                embedder = _LOADED[model, device, batch_size] = ClipEmbedder.load(model, device, batch_size)
        self._embedder = embedder
        self._missing = _black_square() if missing_is_black else b""

    def __repr__(self) -> str:
        return f"ClipSimilarity({self.metric!r})"

    @property
    def metric(self) -> str:
        """Its name, such as ``clip-vit-base-patch32-1-`` and a digest; other weights have another one."""
        return self._embedder.name + ("+black" if self._missing else "")

    def grade(self, task: Task, answer: str) -> Grade:
        """Grade one page.

        Raises:
            TaskError: the task is of another track, or its reference cannot be rendered.
            GraderError: the browser or the model failed.
        """
        wanted = wanted_page(task, self._renderer)
        page = (self._renderer.render(answer).png if answer else b"") or self._missing
        return Grade(self.scores([(page, wanted.png)])[0], success=False, metric=self.metric)

    def scores(self, pairs: Sequence[tuple[bytes, bytes]]) -> list[float]:
        """Return one score in [0, 1] for each pair of PNG pictures; 0 where one of them is b"".

        Raises:
            GraderError: the model failed.
            UsageError: what is not empty is no picture.
        """
        there = [pair for pair in pairs if all(pair)]
        embeddings = iter(self._embedder.embed([png for pair in there for png in pair]))
        return [min(1.0, max(0.0, float(next(embeddings) @ next(embeddings)))) if all(pair) else 0.0 for pair in pairs]

    def close(self) -> None:
        """Do nothing: the model goes when its last grader does."""


def _black_square() -> bytes:
    from PIL import Image  # of the extra that the model needs

    picture = io.BytesIO()
    Image.new("RGB", BLACK_SIZE, "black").save(picture, "PNG")
    return picture.getvalue()
