# SPDX-License-Identifier: GPL-3.0-or-later
"""/proc/zoneinfo of old and new kernels."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.kernel_files import KernelFileError
from destutter.sampling.computer.zones import ZoneSampler, parse_zoneinfo
from tests.support.fake_root import FakeRoot, zone_text
from tests.support.measuring import parsed, read_once


def test_zones_of_all_nodes_are_read(tmp_path):
    """One instance per node and zone; a zone without pages is left out."""
    text = zone_text(0, "DMA") + zone_text(0, "Movable", managed=0) + zone_text(1, "Normal")
    sampler = ZoneSampler(FakeRoot(tmp_path, {"/proc/zoneinfo": text}).files)
    zones = read_once(sampler)["zone"]
    assert list(zones) == ["node0/DMA", "node1/Normal"]
    assert zones["node0/DMA"] == {
        "free": 500, "boost": 11, "min": 50, "low": 60, "high": 70, "promo": 80,
        "spanned": 4095, "present": 3998, "managed": 1000,
    }  # fmt: skip
    sampler.close()


def test_an_older_kernel_has_neither_boost_nor_promo():
    """Linux 5.15 prints fewer watermarks: those are None and the others are right."""
    _, values = parse_zoneinfo(zone_text(0, "Normal", boost=False).encode())
    assert values == (500, None, 50, 60, 70, None, 4095, 3998, 1000)


@pytest.mark.parametrize(
    ("change", "line", "reason"),
    [
        (("low ", "lower "), 2, "lacks a watermark"),
        (("pages free", "pages"), 1, "has no free pages"),
        (("min      50", "min      x"), 4, "not a whole number"),
        (("zone", "area"), 1, "does not name a zone"),
        (("Node", ""), None, "has no zone"),
    ],
)
def test_a_damaged_file_is_named_with_its_line(change, line, reason):
    """A broken zone raises with the line where it stands."""
    text = zone_text(0, "Normal").replace(*change)
    with pytest.raises(KernelFileError, match=reason) as info:
        parse_zoneinfo(text.encode())
    assert info.value.line == line


@given(st.integers(0, 500), st.binary(max_size=50))
def test_any_cut_gives_zones_or_an_error(cut, tail):
    """A file that is cut off or goes on as rubbish fails in no other way."""
    data = (zone_text(0, "DMA") + zone_text(0, "Normal")).encode()[:cut] + tail
    found = parsed(lambda: parse_zoneinfo(data), "/proc/zoneinfo")
    assert found is None or len(found[1]) == 9 * len(found[0])
