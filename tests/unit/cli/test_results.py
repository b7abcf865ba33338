# SPDX-License-Identifier: GPL-3.0-or-later
"""Results of changes in words."""

import pytest

from destutter.commands.results import describe_result
from destutter_helper.api.payload import Result

QUEUE = (
    "block.scheduler=mq-deadline block.nr_requests=64 block.iosched.fifo_batch=7 "
    "block.wbt_lat_usec=2000"
)
TIED = (
    "back to 128 (was 64 and 3 other settings that belong together with it after the "
    "interrupted change)"
)
NEXT_START = "is restored now, but the next start sets it again: no room"


def _result(outcome, value, note="", id_="block.nr_requests"):
    return Result(id_, "sda", outcome, value, "128", note)


@pytest.mark.parametrize(
    ("result", "told"),
    [
        (_result("changed", "64", "restart"), "128 -> 64, until the next restart"),
        (_result("already", "128", "always"), "already 128, at every start"),
        (_result("failed", "64", "no room"), "still 64: no room"),
        (
            Result("block.nr_requests", "sda", "changed", "64", None, "restart"),
            "absent -> 64, until the next restart",
        ),
        (_result("restored", None), "back to absent"),
        (_result("failed", None, NEXT_START), NEXT_START),
        (
            _result("gone", None, "the device left; it starts anew when it returns"),
            "the device is not there any more; it starts anew when it returns",
        ),
        (
            _result("restored", "128", f"was {QUEUE} after the interrupted change"),
            TIED,
        ),
    ],
)
def test_a_result_is_one_sentence(result, told):
    """Punctuated, without None, and without the list of what the kernel ties together."""
    assert describe_result(result) == f"block.nr_requests (sda): {told}"


def test_a_foreign_value_is_said_once():
    """Its own, or one of those that stand and fall with it."""
    own = describe_result(_result("foreign", "77", "somebody else changed it to vm.swappiness=77"))
    assert own.startswith("block.nr_requests (sda): left alone at 77: somebody else has set it ")
    tied = describe_result(_result("foreign", "64", f"somebody else changed it to {QUEUE}"))
    assert "somebody else has changed it, or what belongs to it" in tied
    assert "fifo_batch" not in tied


def test_what_the_kernel_made_of_a_wish_is_told():
    """Some values are rounded, to 0 as well."""
    told = describe_result(_result("changed", "0", "restart"), asked="3")
    assert told.endswith("128 -> 0, until the next restart (asked for 3: the kernel made 0 of it)")
    assert "asked" not in describe_result(_result("changed", "64"), asked="64")
