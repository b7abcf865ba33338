# SPDX-License-Identifier: GPL-3.0-or-later
"""Colours of both themes: readable, and distinguishable with impaired colour vision."""

import pytest

from destutter.ui.look.tokens import DARK, LIGHT, Sizes, Tokens, high_contrast
from tests.support.colour_math import IMPAIRED, closest, contrast

THEMES = [DARK, LIGHT, high_contrast(DARK), high_contrast(LIGHT)]
IDS = ["dark", "light", "dark high contrast", "light high contrast"]

TEXT = [
    *((ink, ground) for ink in ("text", "muted", "faint") for ground in ("window", "surface")),
    *((ink, "sidebar") for ink in ("text", "muted", "faint")),
    *((ink, "raised") for ink in ("text", "muted")),
    *((ink, "sunken") for ink in ("text", "muted", "faint")),
    ("text", "accent_soft"),
    ("accent", "surface"),
    ("accent", "window"),
    ("on_accent", "accent_fill"),
    ("on_accent", "accent_hover"),
    ("on_flag", "flag"),
    ("warn", "surface"),
    *((state, f"{state}_soft") for state in ("ok", "warn", "bad", "info", "none")),
    *((ink, f"{state}_soft") for ink in ("text", "muted") for state in ("ok", "warn", "bad")),
]
LINES = [
    *((edge, "surface") for edge in ("border_strong", "focus", "accent_fill", "bad", "ok")),
    ("focus", "window"),
    ("focus", "sidebar"),
    ("border_strong", "window"),
    ("border_strong", "raised"),
    *(
        (line, "surface")
        for line in (
            "frame",
            "storage",
            "cpu",
            "gpu",
            "memory",
            "power",
            "write",
            "other",
            "other_write",
        )
    ),
]
TOGETHER = {
    "frame times": ("frame", "bad"),
    "disks": ("storage", "write", "other", "other_write"),
    "reclaim": ("memory", "frame"),
    "pressure": ("memory", "storage", "cpu"),
    "dirty pages": ("storage", "write"),
    "states": ("ok", "warn", "bad", "none"),
    "groups of causes": ("memory", "storage", "cpu", "gpu", "power"),
}


@pytest.mark.parametrize("tokens", THEMES, ids=IDS)
def test_text_is_readable(tokens: Tokens):
    """Every text has a contrast of 4.5:1 to each ground that it stands on."""
    weak = {
        pair: round(value, 2)
        for pair in TEXT
        if (value := contrast(getattr(tokens, pair[0]), getattr(tokens, pair[1]))) < 4.5
    }
    assert not weak


@pytest.mark.parametrize("tokens", THEMES, ids=IDS)
def test_lines_and_edges_can_be_seen(tokens: Tokens):
    """Lines of graphs, edges of controls and the focus ring have a contrast of 3:1."""
    weak = {
        pair: round(value, 2)
        for pair in LINES
        if (value := contrast(getattr(tokens, pair[0]), getattr(tokens, pair[1]))) < 3.0
    }
    assert not weak


@pytest.mark.parametrize("vision", [None, *IMPAIRED])
@pytest.mark.parametrize("what", TOGETHER)
@pytest.mark.parametrize("tokens", [DARK, LIGHT], ids=["dark", "light"])
def test_what_stands_together_can_be_told_apart(tokens: Tokens, what: str, vision: str | None):
    """Colours of one graph, of the states and of the groups are at least 10 apart (CIE 1976)."""
    colors = [getattr(tokens, name) for name in TOGETHER[what]]
    assert closest(colors, None if vision is None else IMPAIRED[vision]) >= 10.0


def test_themes_have_the_same_tokens():
    """Each token is a colour #RRGGBB in both themes."""
    for tokens in (DARK, LIGHT):
        for name in Tokens.__dataclass_fields__:
            value = getattr(tokens, name)
            if name not in ("name", "pen_extra_px"):
                assert len(value) == 7, name
                assert int(value[1:], 16) >= 0


def test_sizes_follow_the_body_text():
    """With text half as large again, controls and read-outs are half as large again, too."""
    plain, large = Sizes(), Sizes(19.5)
    assert large.control == round(plain.control * 1.5)
    assert large.gutter == round(plain.gutter * 1.5)
