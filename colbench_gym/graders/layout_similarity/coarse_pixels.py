"""Likeness of two pictures of pages from afar, as far as there is anything on them."""

from __future__ import annotations

import io

import numpy as np
import numpy.typing as npt

from colbench_gym.errors import MissingExtraError
from colbench_gym.rendering.colors import COLOR_REACH, Lab, distance, to_lab

Pixels = npt.NDArray[np.uint8]  # (rows, columns, 3)
Picture = npt.NDArray[np.float64]  # (rows, columns, 3), 0 is white and 1 is none of that colour

BIN = 20.0  # ours: of CIELAB, in each direction
BINS = 14  # of 20 each: -128 to 128 and both ends
_SHIFT = np.array([0.0, 128.0, 128.0])  # to colours that begin at 0
CELL_PX = 16  # ours: a picture is looked at in cells of so many pixels each way

_WHITE = to_lab([255.0, 255.0, 255.0])


def read_png(png: bytes) -> Pixels:
    """Return the pixels of a picture.

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
    """Return the picture in cells of :data:`CELL_PX` pixels, each its mean; as it differs from white."""
    rows, columns = (np.arange(0, size, CELL_PX) for size in pixels.shape[:2])
    cells = np.add.reduceat(np.add.reduceat(255 - pixels, rows, axis=0, dtype=np.int64), columns, axis=1)
    sizes = np.outer(np.diff([*rows, pixels.shape[0]]), np.diff([*columns, pixels.shape[1]]))
    return np.asarray(cells / (255.0 * sizes[:, :, None]))


def pixels_agreement(picture: Picture, other_picture: Picture) -> float:
    """Return the share, in [0, 1], of what stands out on either picture that has the same colour on both.

    Each cell counts as much as it differs from white on the picture where it differs more, and agrees as far as the two
    colours are nearer to each other than this one is to white: a white picture has nothing in common with any other.
    """
    rows, columns = max(picture.shape[0], other_picture.shape[0]), max(picture.shape[1], other_picture.shape[1])
    whole, other_whole = _filled(picture, rows, columns), _filled(other_picture, rows, columns)
    from_white = np.maximum(distance(whole, _WHITE), distance(other_whole, _WHITE))
    reach = np.clip(from_white, 1e-9, COLOR_REACH)
    agree = np.maximum(0.0, 1 - distance(whole, other_whole) / reach)
    counts = _weight(from_white)
    total = float(counts.sum())
    return 1.0 if total == 0 else float((counts * agree).sum() / total)


def colors_agreement(picture: Picture, other_picture: Picture) -> float:
    """Return the share, in [0, 1], of the colours of both pictures that both have, wherever they are.

    Dice's coefficient of two histograms of CIELAB colours, each cell counted as much as it differs from white and
    shared between the bins around it.
    """
    histogram, other_histogram = _histogram(picture), _histogram(other_picture)
    total = float(histogram.sum() + other_histogram.sum())
    return 1.0 if total == 0 else float(2 * np.minimum(histogram, other_histogram).sum() / total)


def _filled(picture: Picture, rows: int, columns: int) -> Lab:
    """Return the picture as CIELAB colours, filled up with white."""
    whole = np.full((rows, columns, 3), 255.0)
    whole[: picture.shape[0], : picture.shape[1]] = 255 * (1 - picture)
    return to_lab(whole)


def _weight(from_white: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return how much cells count, squared so that a pale ground of the whole page is not half of what counts."""
    return np.asarray(np.minimum(1.0, from_white / COLOR_REACH) ** 2)


def _histogram(picture: Picture) -> npt.NDArray[np.float64]:
    colors = to_lab(255 * (1 - picture)).reshape(-1, 3)
    counts = _weight(distance(colors, _WHITE))
    places = np.clip((colors + _SHIFT) / BIN, 0.0, BINS - 1.001)
    low = places.astype(int)
    above = places - low
    histogram = np.zeros((BINS, BINS, BINS))
    for corner in np.ndindex(2, 2, 2):
        share = np.where(corner, above, 1 - above).prod(axis=1)
        np.add.at(histogram, tuple((low + corner).T), counts * share)
    return histogram
