# SPDX-License-Identifier: GPL-3.0-or-later
"""Swap areas and compressed memory."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.kernel_files import KernelFileError
from destutter.core.swap_areas import SWAPS
from destutter.sampling.computer.swap import SwapSampler, ZramSampler, parse_mm_stat
from destutter.sampling.files.measurement import AbsentError
from tests.support.fake_root import FakeRoot
from tests.support.measuring import parsed, read_once

HEADING = "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"


def test_areas_are_read(tmp_path):
    """Size and use in KiB and the priority; escaped names are names again."""
    text = HEADING + "/dev/zram0 partition 8388604 4517376 100\n/my\\040swap file 1024 0 -2\n"
    sampler = SwapSampler(FakeRoot(tmp_path, {SWAPS: text}).files)
    assert read_once(sampler)["swap"] == {
        "/dev/zram0": {"size_kib": 8388604, "used_kib": 4517376, "priority": 100},
        "/my swap": {"size_kib": 1024, "used_kib": 0, "priority": -2},
    }
    sampler.close()


def test_no_swap_is_a_reading(tmp_path):
    """An empty list says that there is no swap; a missing file that the kernel has none."""
    root = FakeRoot(tmp_path, {SWAPS: HEADING})
    sampler = SwapSampler(root.files)
    assert read_once(sampler)["swap"] == {}
    sampler.close()
    root.remove(SWAPS)
    with pytest.raises(AbsentError, match="no swap"):
        sampler.read()


@given(st.binary(max_size=80))
def test_any_bytes_give_sizes_or_an_error(data):
    """No content makes the parser fail in another way."""
    parsed(lambda: parse_mm_stat("/p", data), "/p")


def test_zram_devices_in_use(tmp_path):
    """Bytes before and after compression; a device that is not set up is left out."""
    root = FakeRoot(
        tmp_path,
        {
            "/sys/block/zram0/disksize": "1000000\n",
            "/sys/block/zram0/mm_stat": "  4096  120  8192  0  8192  0  0  0  0\n",
            "/sys/block/zram1/disksize": "0\n",
            "/sys/block/zram1/mm_stat": "0 0 0 0 0 0 0 0 0\n",
            "/sys/block/sda/size": "5\n",
        },
    )
    assert read_once(ZramSampler(root.files))["zram"] == {
        "zram0": {
            "original_bytes": 4096,
            "compressed_bytes": 120,
            "used_bytes": 8192,
            "limit_bytes": 0,
        }
    }


def test_a_short_mm_stat_is_an_error():
    """A file with too few columns raises."""
    with pytest.raises(KernelFileError, match="too few columns"):
        parse_mm_stat("/p", b"1 2 3\n")
