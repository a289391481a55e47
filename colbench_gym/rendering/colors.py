"""Colour arithmetic: sRGB to CIELAB, and how alike two colours look."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Lab = npt.NDArray[np.float64]  # (..., 3): lightness 0 to 100, green to red, blue to yellow

COLOR_REACH = 60.0  # ours: so far apart in CIELAB, two colours have nothing in common (white and mid grey are 46 apart)
_TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])  # IEC 61966-2-1
_D65 = np.array([0.95047, 1.0, 1.08883])


def to_lab(srgb: npt.ArrayLike) -> Lab:
    """Return CIELAB (CIE 015) of sRGB colours under D65; the last axis holds red, green and blue, 0 to 255."""
    channels = np.asarray(srgb, dtype=float) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    xyz = linear @ _TO_XYZ.T / _D65
    f = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz / (3 * (6 / 29) ** 2) + 4 / 29)
    x, y, z = f[..., 0], f[..., 1], f[..., 2]
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)


def distance(colors: Lab, others: Lab) -> npt.NDArray[np.float64]:
    """Return how far colours are apart (CIE 1976)."""
    return np.asarray(np.linalg.norm(colors - others, axis=-1))


def likeness(colors: Lab, others: Lab) -> npt.NDArray[np.float64]:
    """Return 1 for equal colours, falling to 0 with their distance at :data:`COLOR_REACH`."""
    return np.asarray(np.maximum(0.0, 1 - distance(colors, others) / COLOR_REACH))
