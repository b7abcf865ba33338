# SPDX-License-Identifier: GPL-3.0-or-later
"""Thin lines have sharp edges whatever the scale of the screen."""

import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QColor

from destutter.ui.plots.crisp import on_pixel, thin_pen
from tests.support.sampled import sampled


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


_GAPS = """
from PySide6.QtWidgets import QApplication
from tests.support import live_scenes
from tests.support.causes_window import open_causes, settle
from tests.support.window_kit import make_theme
app = QApplication([])
window, scene = open_causes(app, make_theme(app, "light"), (1024, 740), live_scenes.stuttering)
window.show_page("live")
for height in range(740, 748):
    window.resize(1024, height)
    settle(app)
    image = window.grab().toImage()
    x = image.width() // 2
    column = (image.pixelColor(x, y).name() for y in range(image.height()))
    print(sum(name == "#000000" for name in column))
window.close()
scene.close()
"""


@pytest.mark.parametrize("scale", sampled(["1.25", "1.5", "1.75"], ["1.25"]))
def test_nothing_stays_unpainted_at_a_fractional_scale(scale: str) -> None:
    """Where a graph ends within a pixel of the screen, that pixel is painted, too."""
    environment = os.environ | {"QT_SCALE_FACTOR": scale, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, "-c", _GAPS],
        capture_output=True,
        text=True,
        env=environment,
        timeout=120,
        check=True,
    )
    assert done.stdout.split() == ["0"] * 8
