# SPDX-License-Identifier: GPL-3.0-or-later
"""Watermark arithmetic: the table of the study, the kernel's special zones, and its order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.tuning.watermarks import (
    MarksTotal,
    available_loss_bytes,
    needed_scale_factor,
    total_marks,
    zone_marks,
)

_MIB_PAGES = 256


def _desktop(gib: int) -> dict[str, int]:
    """DMA, DMA32 and Normal as on a desktop, 97.5 % of the nominal size managed."""
    whole = int(gib * 1024 * 0.975 * _MIB_PAGES)
    return {
        "node0/DMA": 4 * _MIB_PAGES,
        "node0/DMA32": 2900 * _MIB_PAGES,
        "node0/Normal": whole - 2904 * _MIB_PAGES,
    }


@pytest.mark.parametrize(
    ("gib", "min_free", "factor", "expected_mib"),
    [
        (32, 67584, 10, (66, 98, 130)),
        (96, 67584, 10, (66, 162, 258)),
        (96, 67584, 125, (66, 1264, 2462)),
        (96, 1048576, 500, (1024, 5816, 10609)),
        (128, 3145728, 125, (3072, 4669, 6267)),
    ],
)
def test_sums_of_the_study_are_reproduced(
    gib: int, min_free: int, factor: int, expected_mib: tuple[int, int, int]
) -> None:
    """Known settings on known machines, within the study's rounding to whole MB."""
    total = total_marks(zone_marks(_desktop(gib), min_free, factor))
    got = (total.min_bytes, total.low_bytes, total.high_bytes)
    for value, expected in zip(got, expected_mib, strict=True):
        assert value / 2**20 == pytest.approx(expected, abs=max(2, expected * 0.005))


def test_movable_zone_keeps_the_kernels_smallest_marks() -> None:
    """A movable zone takes no share of min_free_kbytes, but its gap comes from its size."""
    marks = zone_marks({"node0/Normal": 1_000_000, "node0/Movable": 2_000_000}, 67584, 10)
    assert marks["node0/Movable"].min == 128
    assert marks["node0/Movable"].low == 128 + max(16896 * 2_000_000 // 1_000_000 // 4, 2000)
    assert (
        zone_marks({"node0/Normal": 1000, "node0/Movable": 0}, 64, 10)["node0/Movable"].high == 32
    )


@given(
    st.lists(st.integers(0, 2**30), min_size=1, max_size=6),
    st.integers(0, 2**22),
    st.integers(1, 3000),
)
def test_marks_are_ordered_and_grow_with_the_factor(
    sizes: list[int], min_free: int, factor: int
) -> None:
    """min <= low <= high, and a larger factor never narrows the lead."""
    zones = {f"node{index}/Normal": size for index, size in enumerate(sizes)}
    marks = zone_marks(zones, min_free, factor)
    wider = zone_marks(zones, min_free, min(3000, factor * 2))
    for name, zone in marks.items():
        assert 0 <= zone.min <= zone.low <= zone.high
        assert zone.lead <= wider[name].lead
    assert sum(zone.min for zone in marks.values()) <= min_free // 4


def test_scale_factor_for_a_rate_of_allocation() -> None:
    """Two seconds at 300 MiB/s on 32 GB, and the limits of the kernel."""
    assert needed_scale_factor(32_000, 300, 2) == 188
    assert needed_scale_factor(1000, 300, 4) == 3000
    assert needed_scale_factor(1_000_000, 0, 2) == 1
    with pytest.raises(ValueError, match="positive"):
        needed_scale_factor(0, 300, 2)


def test_loss_of_available_memory_counts_high_and_half_of_low() -> None:
    """A large cache pays the whole growth of low, a small one at most half of itself."""
    before = MarksTotal(66, 162, 258)
    after = MarksTotal(1024, 5816, 10609)
    assert available_loss_bytes(before, after, 100_000) == (10609 - 258) + (5816 - 162)
    assert available_loss_bytes(before, after, 400) == (10609 - 258) + (200 - 162)
