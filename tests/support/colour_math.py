# SPDX-License-Identifier: GPL-3.0-or-later
"""Contrast of two colours, and their distance as people with impaired colour vision see them.

Contrast: WCAG 2.2, definition of relative luminance. Impaired vision: G. M. Machado et al., "A
Physiologically-based Model for Simulation of Color Vision Deficiency", 2009, severity 1.0, applied
to linear RGB. Distance: CIE 1976 in L*a*b* under D65; about 2.3 is just noticeable.
"""

import math
from collections.abc import Iterable
from itertools import combinations

Triple = tuple[float, float, float]
Matrix = tuple[Triple, Triple, Triple]

IMPAIRED: dict[str, Matrix] = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
_TO_XYZ: Matrix = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
_WHITE: Triple = (0.95047, 1.0, 1.08883)


def linear(color: str) -> Triple:
    """``#RRGGBB`` as linear RGB."""
    values = [int(color[index : index + 2], 16) / 255 for index in (1, 3, 5)]
    red, green, blue = (
        v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values
    )
    return red, green, blue


def contrast(one: str, other: str) -> float:
    """Contrast ratio, 1 to 21."""
    lights = []
    for color in (one, other):
        red, green, blue = linear(color)
        lights.append(0.2126 * red + 0.7152 * green + 0.0722 * blue)
    return (max(lights) + 0.05) / (min(lights) + 0.05)


def closest(colors: Iterable[str], matrix: Matrix | None) -> float:
    """The smallest distance of any two of these colours."""
    seen = [_lab(linear(color), matrix) for color in colors]
    return min(math.dist(one, other) for one, other in combinations(seen, 2))


def _times(matrix: Matrix, vector: Triple) -> Triple:
    red, green, blue = (
        sum(weight * value for weight, value in zip(row, vector, strict=True)) for row in matrix
    )
    return red, green, blue


def _lab(rgb: Triple, matrix: Matrix | None) -> Triple:
    if matrix is not None:
        red, green, blue = (min(1.0, max(0.0, value)) for value in _times(matrix, rgb))
        rgb = (red, green, blue)
    x, y, z = (value / white for value, white in zip(_times(_TO_XYZ, rgb), _WHITE, strict=True))
    fx, fy, fz = (_root(value) for value in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def _root(value: float) -> float:
    return value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116
