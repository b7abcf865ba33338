# SPDX-License-Identifier: GPL-3.0-or-later
"""Events of the firmware."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.sampling.computer.firmware_events import FOLDER, FirmwareEventSampler, parse_count
from destutter.sampling.files.measurement import AbsentError
from tests.support.fake_root import FakeRoot
from tests.support.measuring import parsed, read_once


def test_events_that_came_are_counted_one_by_one(tmp_path):
    """Not their sum, and none that never came."""
    root = FakeRoot(
        tmp_path,
        {
            f"{FOLDER}/gpe6F": "   81234  EN STS enabled      unmasked\n",
            f"{FOLDER}/gpe01": "       0     STS invalid      unmasked\n",
            f"{FOLDER}/gpe_all": "   81234\n",
            f"{FOLDER}/sci": "   81300\n",
        },
    )
    sampler = FirmwareEventSampler(root.files)
    assert read_once(sampler)["firmware_event"] == {"gpe6F": {"count": 81234}}
    sampler.close()


def test_a_computer_without_such_firmware_says_so(tmp_path):
    """Most virtual machines."""
    with pytest.raises(AbsentError, match="firmware"):
        FirmwareEventSampler(FakeRoot(tmp_path).files).read()


@given(st.binary(max_size=80))
def test_any_bytes_give_a_count_or_an_error(data):
    """No content makes the parser fail in another way."""
    parsed(lambda: parse_count("/gpe", data), "/gpe")
