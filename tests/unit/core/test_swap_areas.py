# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of swap areas."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.kernel_files import KernelFileError
from destutter.core.swap_areas import SWAPS, SwapArea, parse_swaps, read_swaps
from tests.support.fake_root import FakeRoot
from tests.support.measuring import parsed

HEADING = "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"


def test_areas_of_a_computer(tmp_path):
    """Escaped names are names again; a kernel without swap has no list."""
    text = HEADING + "/dev/zram0 partition 8 4 100\n/my\\040swap file 9 0 -2\n"
    root = FakeRoot(tmp_path, {SWAPS: text})
    zram, file = read_swaps(root.files)
    assert (zram.device, zram.is_zram) == ("zram0", True)
    assert file == SwapArea("/my swap", "file", 9, 0, -2)
    assert not file.is_zram
    root.remove(SWAPS)
    assert read_swaps(root.files) == []


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        ("rubbish\n", 1),
        (HEADING + "/dev/sda1 partition 5\n", 2),
        (HEADING + "/dev/sda1 partition much 0 5\n", 2),
    ],
)
def test_a_damaged_list_is_named_with_its_line(text, line):
    """A list that cannot be understood raises with its line."""
    with pytest.raises(KernelFileError) as info:
        parse_swaps(text.encode())
    assert info.value.line == line


@given(st.binary(max_size=80))
def test_any_bytes_give_areas_or_an_error(data):
    """No content makes the parsers fail in another way."""
    parsed(lambda: parse_swaps(data), SWAPS)
    parsed(lambda: parse_swaps(HEADING.encode() + data), SWAPS)
