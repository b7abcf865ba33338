# SPDX-License-Identifier: GPL-3.0-or-later
"""Thin lines have sharp edges whatever the scale of the screen."""

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QColor

from destutter.ui.plots.crisp import on_pixel, thin_pen


@given(
    st.floats(0, 4000), st.sampled_from([1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0]) | st.floats(1, 4)
)
def test_both_edges_lie_between_pixels_of_the_screen(position: float, ratio: float) -> None:
    """Middle plus and minus half the width are whole pixels, close to what was asked for."""
    width = thin_pen(QColor("red"), ratio).widthF()
    middle = on_pixel(position, ratio)
    for edge in (middle - width / 2, middle + width / 2):
        assert abs(edge * ratio - round(edge * ratio)) < 1e-6
    assert abs(middle - position) <= 1.0
    assert width * ratio >= 1 - 1e-9
