# SPDX-License-Identifier: GPL-3.0-or-later
"""Values as people type them, and as the page has written them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.ui.changes.typed_value import typed_value
from destutter_helper.api.tunables import BY_ID

_WRITTEN = {
    "bytes": lambda value: f"{value} B",
    "KiB": lambda value: f"{value}\N{NO-BREAK SPACE}kB",
    "1/10000": lambda value: f"{value / 100:.2f}\N{NO-BREAK SPACE}%",
    "cs": lambda value: f"{value / 100:.2f} s",
    "ms": lambda value: f"{value}ms",
    "µs": lambda value: f"{value} µs",
    "ns": lambda value: f"{value} ns",
    "%": lambda value: f"{value} %",
}
_NUMBERS = sorted(id_ for id_, one in BY_ID.items() if one.unit in _WRITTEN)


@pytest.mark.parametrize(
    ("tunable", "typed", "value"),
    [
        ("vm.dirty_bytes", "256 MB", "268435456"),
        ("vm.dirty_bytes", "256MiB", "268435456"),
        ("vm.dirty_bytes", "1,5 gb", "1610612736"),
        ("vm.dirty_bytes", "268435456", "268435456"),
        ("vm.watermark_scale_factor", "0.71 %", "71"),
        ("vm.watermark_scale_factor", "0,71%", "71"),
        ("vm.watermark_scale_factor", "71", "71"),
        ("vm.min_free_kbytes", "66 MB", "67584"),
        ("vm.dirty_expire_centisecs", "30 s", "3000"),
        ("block.wbt_lat_usec", "75 ms", "75000"),
        ("block.wbt_lat_usec", "75 μs", "75"),
    ],
)
def test_values_as_the_page_writes_them(tunable: str, typed: str, value: str) -> None:
    """ "256 MB" was refused beside "Accepted here: 32 MB to 4.7 GB"."""
    assert typed_value(tunable, typed) == value


@pytest.mark.parametrize(
    ("tunable", "typed"),
    [
        ("vm.dirty_bytes", "a lot"),
        ("vm.dirty_bytes", "1,023 MB"),
        ("vm.dirty_bytes", "1.023 MB"),
        ("vm.dirty_bytes", "5 %"),
        ("vm.dirty_bytes", "-5 MB"),
        ("vm.dirty_bytes", ""),
        ("vm.swappiness", "10 MB"),
        ("block.scheduler", "bfq"),
        ("thp.enabled", "10 s"),
        ("nobody.knows", "10 s"),
    ],
)
def test_what_has_no_such_unit_is_left_for_whoever_judges_it(tunable: str, typed: str) -> None:
    """Nothing is guessed."""
    assert typed_value(tunable, f" {typed} ") == typed


@given(st.sampled_from(_NUMBERS), st.integers(0, 10**9))
def test_every_number_comes_back(tunable: str, value: int) -> None:
    """Written with its unit, and without."""
    assert typed_value(tunable, _WRITTEN[BY_ID[tunable].unit](value)) == str(value)
    assert typed_value(tunable, str(value)) == str(value)


@given(st.sampled_from(sorted(BY_ID)), st.text(max_size=30))
def test_no_text_breaks_it(tunable: str, text: str) -> None:
    """Whatever is typed."""
    assert isinstance(typed_value(tunable, text), str)
