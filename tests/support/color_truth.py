"""Return whether a name fits a colour: by hue, lightness and strength with wide bounds, apart from the code that names it."""

import colorsys


def is_color(color, name):
    """Return whether a name fits a colour, by hue, lightness and saturation with wide bounds."""
    hue = 360 * colorsys.rgb_to_hls(*(channel / 255 for channel in color))[0]
    light = luma(color)
    strength = max(color) - min(color)
    *shade, base = name.split()
    if base == "white":
        return light > 0.93 and strength < 16
    if base == "black":
        return light < 0.15
    if base == "brown":
        return 12 <= hue <= 48 and light < 0.62
    if base == "grey":
        bounds = {
            "very pale": (0.9, 1.0), "pale": (0.77, 0.96), "light": (0.58, 0.86), "": (0.34, 0.71),
            "dark": (0.17, 0.53), "very dark": (0.01, 0.32),
        }  # fmt: skip
        low, high = bounds[" ".join(shade)]
        return low <= light <= high and strength < 70
    hues = {
        "red": (-28, 24), "orange": (12, 48), "yellow": (32, 96), "green": (58, 172), "teal": (150, 206), "blue": (186, 250),
        "indigo": (218, 266), "purple": (236, 312), "pink": (285, 358),
    }  # fmt: skip
    low, high = hues[base]
    bounds = {
        "very pale": (0.86, 1.0), "pale": (0.64, 0.97), "light": (0.52, 0.98), "": (0.19, 0.93),
        "dark": (0.17, 0.66), "very dark": (0.0, 0.42),
    }  # fmt: skip
    least, most = bounds[" ".join(shade)]
    return any(low <= hue + turn <= high for turn in (-360, 0)) and least <= light <= most and strength > 2


def luma(color):
    return sum(w * (channel / 255) ** 2.2 for w, channel in zip((0.2126, 0.7152, 0.0722), color, strict=True)) ** (
        1 / 2.2
    )


def colorfulness(color):
    return (max(color) - min(color)) / 255
