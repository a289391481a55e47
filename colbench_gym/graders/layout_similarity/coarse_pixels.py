"""How alike two pictures of pages are from afar, as far as there is anything on them."""

from __future__ import annotations

import io

import numpy as np
import numpy.typing as npt

from colbench_gym.errors import MissingExtraError

Pixels = npt.NDArray[np.uint8]  # (rows, columns, 3)
Picture = npt.NDArray[np.float64]  # (rows, columns, 3), 0 is white and 1 is none of that colour

CELL_PX = 16  # ours: a picture is looked at in cells of so many pixels each way


def read_png(png: bytes) -> Pixels:
    """The pixels of a picture.

    Raises:
        MissingExtraError: Pillow is not installed.
    """
    try:
        from PIL import Image
    except ImportError as e:
        raise MissingExtraError.of("pillow", "render", "comparing pictures of pages") from e
    with Image.open(io.BytesIO(png)) as image:
        return np.asarray(image.convert("RGB"))


def coarse(pixels: Pixels) -> Picture:
    """The picture in cells of :data:`CELL_PX` pixels, each its mean; as it differs from white."""
    rows, columns = (np.arange(0, size, CELL_PX) for size in pixels.shape[:2])
    cells = np.add.reduceat(np.add.reduceat(255 - pixels, rows, axis=0, dtype=np.int64), columns, axis=1)
    sizes = np.outer(np.diff([*rows, pixels.shape[0]]), np.diff([*columns, pixels.shape[1]]))
    return np.asarray(cells / (255.0 * sizes[:, :, None]))


def pixels_agreement(one: Picture, other: Picture) -> float:
    """The share, in [0, 1], of what differs from white on either picture that both have in common.

    1 - |a - b| / (|a| + |b|), with a and b as they differ from white (Bray and Curtis 1957): a white picture has
    nothing in common with any other one.
    """
    rows, columns = max(one.shape[0], other.shape[0]), max(one.shape[1], other.shape[1])
    both = [np.zeros((rows, columns, 3)) for _ in range(2)]
    for whole, part in zip(both, (one, other), strict=True):
        whole[: part.shape[0], : part.shape[1]] = part
    ink = both[0].sum() + both[1].sum()
    return 1.0 if ink == 0 else float(1.0 - np.abs(both[0] - both[1]).sum() / ink)
