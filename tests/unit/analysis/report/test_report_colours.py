# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports have the colours of the window, whose contrast is checked."""

import re
from dataclasses import astuple

import pytest

from destutter.analysis.report.style import STYLE
from destutter.ui.look.tokens import DARK, LIGHT

_LIGHT_BLOCK, _DARK_BLOCK = re.findall(r":root \{(.*?)\}", STYLE, re.DOTALL)


@pytest.mark.parametrize(("block", "tokens"), [(_LIGHT_BLOCK, LIGHT), (_DARK_BLOCK, DARK)])
def test_colours_of_a_report_are_those_of_the_window(block, tokens):
    """Every one is a token of that theme; the bands are a veil of black or white."""
    colours = dict(re.findall(r"--(\w+): (#[0-9A-F]{6,8})", block))
    veil = colours.pop("band")
    assert veil[:7] in ("#000000", "#FFFFFF")
    assert [name for name, value in colours.items() if value not in astuple(tokens)] == []
