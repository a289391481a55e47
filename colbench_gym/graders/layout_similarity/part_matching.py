"""Agreement of the parts of two pages: the best pairing of their texts, and of everything else."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from colbench_gym.errors import MissingExtraError
from colbench_gym.rendering.colors import likeness, to_lab
from colbench_gym.rendering.layout import Color, Element, Layout, Rect, TextBlock

Matrix = npt.NDArray[np.float64]  # (parts of one page, parts of the other)
Places = npt.NDArray[np.intp]  # of paired parts, in reading order

LEAST_TEXT = 0.4  # ours: texts less alike than this are two texts, not one with a slip
UNLIKE_TEXT = 0.98  # ours: the most that texts which are not equal are alike
REACH_PX = 300.0  # ours: a part so far from its place, or so much larger, has lost most of what place or size count
TEXT_SHARES = {"place": 0.25, "size": 0.1, "color": 0.25, "background": 0.2, "font": 0.1, "align": 0.05, "bold": 0.05}
ORDER_SHARE = 0.3  # ours: what texts lose when their order is turned round
TEXT_ITSELF = 0.2  # ours: of a text's worth is its words, the rest how they stand
LETTER_AREA = 0.75  # ours: what a letter takes of the square of its font size, the space between lines included
ELEMENT_SHARES = {"place": 0.2, "size": 0.15, "color": 0.45, "border": 0.05, "radius": 0.05, "label": 0.1}  # ours


def texts_agreement(layout: Layout, other_layout: Layout) -> float:
    """Return the share, in [0, 1], of both pages' texts that stand on the other page too, and as they stand there."""
    matrix = _text_matrix(layout.texts, other_layout.texts)
    rows, columns, agreement = _agreement(matrix, _text_weights(layout.texts), _text_weights(other_layout.texts))
    return agreement * (1 - ORDER_SHARE * _turned_round(columns[matrix[rows, columns] > 0]))


def elements_agreement(layout: Layout, other_layout: Layout) -> float:
    """Return the same of boxes, pictures and controls."""
    matrix = _element_matrix(layout.elements, other_layout.elements)
    return _agreement(matrix, _element_weights(layout.elements), _element_weights(other_layout.elements))[2]


def _agreement(matrix: Matrix, weights: Matrix, others: Matrix) -> tuple[Places, Places, float]:
    """Return the best pairing, and Dice's coefficient with partial agreement: what pairs share, against all there is.

    A pair counts what the smaller of both counts, so that nothing is gained by making a part larger than it should be.
    """
    if not len(weights) or not len(others):
        return np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp), 0.0
    try:
        from scipy.optimize import linear_sum_assignment
    except ImportError as e:
        raise MissingExtraError.of("scipy", "render", "the similarity 'layout'") from e
    shared = 2 * matrix * np.minimum(weights[:, None], others[None, :])
    rows, columns = linear_sum_assignment(shared, maximize=True)
    return rows, columns, float(np.sort(shared[rows, columns]).sum() / (weights.sum() + others.sum()))


def _turned_round(places: Places) -> float:
    """Return the share of pairs of texts that stand in another order on the other page (Kendall 1938)."""
    if len(places) < 2:
        return 0.0
    later = places[:, None] > places[None, :]
    return float(np.triu(later, 1).sum() / (len(places) * (len(places) - 1) / 2))


def _text_weights(texts: Sequence[TextBlock]) -> Matrix:
    """Return what texts count: the square root of their area, so that a heading counts and a paragraph is not all.

    Of the area that their letters take: the rectangle around words that stand far apart is larger.
    """
    letters = [LETTER_AREA * len(text.text) * text.font_px**2 for text in texts]
    areas = [text.rect.width * text.rect.height for text in texts]
    return np.sqrt(np.maximum(1.0, np.minimum(letters, areas)))


def _element_weights(elements: Sequence[Element]) -> Matrix:
    return np.sqrt([max(1.0, element.rect.width * element.rect.height) for element in elements])


def _text_matrix(texts: Sequence[TextBlock], others: Sequence[TextBlock]) -> Matrix:
    alike = text_likeness([text.text for text in texts], [text.text for text in others])
    alike = np.where(alike < LEAST_TEXT, 0.0, alike)
    parts = {
        "place": _place([text.rect for text in texts], [text.rect for text in others]),
        "size": _size([text.rect for text in texts], [text.rect for text in others]),
        "color": _colors([text.color for text in texts], [text.color for text in others]),
        "background": _colors([text.background for text in texts], [text.background for text in others]),
        "font": _ratio([text.font_px for text in texts], [text.font_px for text in others]),
        "align": _equal([text.align for text in texts], [text.align for text in others]),
        "bold": _equal([text.bold for text in texts], [text.bold for text in others]),
    }
    stands = sum(share * parts[name] for name, share in TEXT_SHARES.items())
    return np.asarray(alike * (TEXT_ITSELF + (1 - TEXT_ITSELF) * stands))


def _element_matrix(elements: Sequence[Element], others: Sequence[Element]) -> Matrix:
    kinds = _equal([element.kind for element in elements], [element.kind for element in others])
    parts = {
        "place": _place([element.rect for element in elements], [element.rect for element in others]),
        "size": _size([element.rect for element in elements], [element.rect for element in others]),
        "color": _colors([element.color for element in elements], [element.color for element in others]),
        "border": _equal([element.border for element in elements], [element.border for element in others]),
        "radius": np.exp(-_apart([e.radius_px for e in elements], [e.radius_px for e in others]) / 8.0),
        "label": text_likeness([_label(element) for element in elements], [_label(element) for element in others]),
    }
    stands = sum(share * parts[name] for name, share in ELEMENT_SHARES.items())
    near = np.sqrt(parts["place"] * parts["size"])  # a box elsewhere, of another size, is another box
    return np.asarray(kinds * near * stands)


def _label(element: Element) -> str:
    """Return the words on an element; the alternative text of a picture is not seen."""
    return "" if element.kind == "picture" else element.label


def text_likeness(texts: Sequence[str], others: Sequence[str]) -> Matrix:
    """Return how alike texts are, in [0, 1]: the cosine of their counts of letter pairs; 1.0 for equal ones only."""
    rows, columns = [_pairs(text) for text in texts], [_pairs(text) for text in others]
    common = set().union(*rows) & set().union(*columns)  # no others count, and a hostile page can have 100,000 of them
    index = {pair: column for column, pair in enumerate(sorted(common))}
    alike = (_vectors(rows, index) @ _vectors(columns, index).T).clip(0.0, UNLIKE_TEXT)
    return np.where(_equal(texts, others) == 1.0, 1.0, alike)


def _pairs(text: str) -> Counter[str]:
    padded = f" {text.casefold()} "
    return Counter(padded[start : start + 2] for start in range(len(padded) - 1))


def _vectors(counts: Sequence[Counter[str]], index: Mapping[str, int]) -> Matrix:
    vectors = np.zeros((len(counts), len(index)))
    for row, counted in zip(vectors, counts, strict=True):
        length = math.sqrt(sum(count * count for count in counted.values()))
        for pair in counted.keys() & index.keys():
            row[index[pair]] = counted[pair] / length
    return vectors


def _place(rects: Sequence[Rect], others: Sequence[Rect]) -> Matrix:
    """Return 1 at the same place, falling with the distance of the middles."""
    across = _apart([rect.x + rect.width / 2 for rect in rects], [rect.x + rect.width / 2 for rect in others])
    down = _apart([rect.y + rect.height / 2 for rect in rects], [rect.y + rect.height / 2 for rect in others])
    return np.asarray(np.exp(-np.hypot(across, down) / REACH_PX))


def _size(rects: Sequence[Rect], others: Sequence[Rect]) -> Matrix:
    across = _ratio([rect.width for rect in rects], [rect.width for rect in others])
    down = _ratio([rect.height for rect in rects], [rect.height for rect in others])
    return np.asarray(np.sqrt(across * down))


def _ratio(values: Sequence[float], others: Sequence[float]) -> Matrix:
    down, across = np.maximum(1.0, values)[:, None], np.maximum(1.0, others)[None, :]
    return np.asarray(np.minimum(down, across) / np.maximum(down, across))


def _apart(values: Sequence[float], others: Sequence[float]) -> Matrix:
    down, across = np.asarray(values, dtype=float), np.asarray(others, dtype=float)
    return np.asarray(np.abs(down[:, None] - across[None, :]))


def _equal(values: Sequence[object], others: Sequence[object]) -> Matrix:
    numbers: dict[object, int] = {}
    down = np.array([numbers.setdefault(value, len(numbers)) for value in values], dtype=int)
    across = np.array([numbers.setdefault(value, len(numbers)) for value in others], dtype=int)
    return np.asarray(down[:, None] == across[None, :], dtype=float)


def _colors(colors: Sequence[Color], others: Sequence[Color]) -> Matrix:
    """Return how alike the colours look."""
    down, across = (to_lab(np.asarray(side, dtype=float).reshape(-1, 3)) for side in (colors, others))
    return likeness(down[:, None, :], across[None, :, :])
