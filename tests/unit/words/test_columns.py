# SPDX-License-Identifier: GPL-3.0-or-later
"""Text in the columns of a terminal, where some signs are two wide."""

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.words.columns import columns, cut, to_left, to_right
from destutter.words.wrapping import wrapped

TEXTS = st.text(st.sampled_from("ab -,：，。（）「」中文设置％ é·"), max_size=80)
NARROW = st.text(st.sampled_from("abc -,.é–\N{NO-BREAK SPACE}\n"), max_size=200)
WIDTHS = st.integers(2, 40)


@pytest.mark.parametrize(
    ("text", "taken"), [("", 0), ("swap", 4), ("é – µ", 5), ("设置", 4), ("值：1", 5), ("ﾊﾝ", 2)]
)
def test_a_wide_sign_takes_two_columns(text, taken):
    """As Unicode's annex 11 says: W and F; ambiguous ones are narrow outside of old terminals."""
    assert columns(text) == taken


@given(TEXTS, WIDTHS)
def test_cells_have_their_width(text, width):
    """Whatever fits is filled up, on either side; what does not fit stays whole."""
    for cell in (to_left(text, width), to_right(text, width)):
        assert columns(cell) == max(width, columns(text))
        assert text in cell


@given(TEXTS, WIDTHS)
def test_what_is_cut_fits_and_loses_no_more_than_it_must(text, width):
    """The longest beginning with room for it."""
    kept = cut(text, width)
    assert text.startswith(kept)
    assert columns(kept) <= width
    assert kept == text or columns(text[: len(kept) + 1]) > width


@given(TEXTS, st.integers(0, 6), WIDTHS)
def test_lines_fit_and_nothing_is_lost(text, indent, width):
    """No line is wider than there is room for, and all signs are there in their order."""
    lines = wrapped(text, indent + width, " " * indent, " " * indent)
    assert all(columns(line) <= indent + width for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


@given(NARROW, WIDTHS)
def test_narrow_texts_are_wrapped_as_ever(text, width):
    """Line by line as textwrap does it."""
    assert wrapped(text, width, "", "") == textwrap.wrap(text, width)


def test_no_line_begins_with_a_mark():
    """Nor ends with an opening bracket; Chinese is broken between any other two signs."""
    text = "轮流在使用和不使用这些设置的情况下测量（并判断），辅助服务会询问密码。"
    for width in range(6, 40):
        lines = wrapped(text, width)
        assert not any(line.startswith(tuple("，。）")) or line.endswith("（") for line in lines)
        assert all(columns(line) >= width - 6 for line in lines[:-1])
