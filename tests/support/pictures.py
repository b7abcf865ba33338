# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of windows as arrays, to be compared."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage

Pixels = NDArray[np.int16]

SEEN = 12
"""Of 255: rounding. A line in a wrong place makes 150, an area 35."""


def pixels(image: QImage) -> Pixels:
    """Rows, columns and the three colours."""
    plain = image.convertToFormat(QImage.Format.Format_RGB32)
    flat = np.frombuffer(plain.constBits(), np.uint8)
    return flat.reshape(plain.height(), plain.width(), 4)[:, :, :3].astype(np.int16)


def differing(one: Pixels, other: Pixels) -> int:
    """How many pixels differ by more than rounding."""
    return int((np.abs(one - other).max(axis=2) > SEEN).sum())
