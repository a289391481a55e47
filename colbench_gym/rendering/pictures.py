"""A rendered page's PNG as an array of a fixed shape."""

from __future__ import annotations

import io

import numpy as np
import numpy.typing as npt

from colbench_gym.errors import MissingExtraError

_WHITE = 255


def as_array(png: bytes, shape: tuple[int, int, int]) -> npt.NDArray[np.uint8]:
    """Return the picture, cut or filled up with white at its bottom and its right; all white for b"".

    Args:
        png: a picture, or b"" for none.
        shape: rows, columns and 3 for red, green and blue.

    Raises:
        MissingExtraError: Pillow is not installed.
    """
    array = np.full(shape, _WHITE, dtype=np.uint8)
    if png:
        try:
            from PIL import Image
        except ImportError as e:
            raise MissingExtraError.of("pillow", "render", "a page as an array") from e
        with Image.open(io.BytesIO(png)) as image:
            picture = np.asarray(image.convert("RGB"))[: shape[0], : shape[1]]
        array[: picture.shape[0], : picture.shape[1]] = picture
    return array
