# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines and rectangles in numpy's memory are drawn as a list of them would be."""

from operator import methodcaller

import numpy as np
import pytest
from PySide6.QtCore import QLineF, QRectF
from PySide6.QtGui import QImage, QPainter

from destutter.ui.plots.primitives import Primitives


def picture(draw):
    image = QImage(64, 48, QImage.Format.Format_RGB32)
    image.fill(0)
    painter = QPainter(image)
    painter.setPen("white")
    draw(painter)
    painter.end()
    return image


@pytest.mark.parametrize(("kind", "method"), [(QLineF, "drawLines"), (QRectF, "drawRects")])
def test_they_are_drawn_as_a_list_of_them(qapp, kind, method):
    """Pixel for pixel, also in memory that had more of them before."""
    rows = np.random.default_rng(5).uniform(0, 40, (9, 4))
    several = Primitives(kind)
    for count in (9, 3, 9):  # fewer first, then in memory that was used before
        several.resize(count)[:] = rows[:count]
        listed = [kind(*row) for row in rows[:count]]
        assert picture(methodcaller(method, *several.drawn())) == picture(
            methodcaller(method, listed)
        )
        assert len(several) == count


def test_none_are_nothing(qapp):
    """An empty lane paints nothing."""
    none = Primitives(QLineF)
    none.resize(0)
    assert picture(lambda one: one.drawLines(*none.drawn())) == picture(lambda one: None)
