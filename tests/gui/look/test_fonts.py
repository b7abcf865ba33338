# SPDX-License-Identifier: GPL-3.0-or-later
"""Digits of one width, where PySide can ask a font for them."""

import PySide6
import pytest
from PySide6.QtGui import QFont

from destutter.ui.look.fonts import tabular


def _older_tag(*words: object) -> None:
    if words:
        raise TypeError("'PySide6.QtGui.QFont.Tag.__init__' called with wrong argument types")


@pytest.mark.usefixtures("qapp")
def test_font_stays_as_it_is_where_its_features_cannot_be_named(monkeypatch):
    """PySide 6.8, as Debian 13 has it, knows no tag by its name; the window opens all the same."""
    monkeypatch.setattr(QFont, "Tag", _older_tag)
    font = QFont("DejaVu Sans")
    assert tabular(font) is font


@pytest.mark.usefixtures("qapp")
def test_digits_are_asked_to_be_equally_wide():
    """Elsewhere the font is asked for its tabular figures; by the version, not by what fails."""
    font = tabular(QFont("DejaVu Sans"))
    tags = [tag.toString().toStdString() for tag in font.featureTags()]
    assert tags == ([] if PySide6.__version_info__[:2] == (6, 8) else ["tnum"])
