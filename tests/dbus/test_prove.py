# SPDX-License-Identifier: GPL-3.0-or-later
"""``destutter prove --against`` as a user types it: the installed helper, the real kernel."""

import json

from tests.dbus.test_command_line import _run
from tests.support.bus_kit import BusKit
from tests.support.kernel_dump import kernel_dump

_SHORT = ("prove", "wakeup", "--seconds", "1", "--json", "--against")


def test_settings_hold_during_their_blocks_only(kit: BusKit) -> None:
    """Six pairs are measured, and after the last block every value is what it was.

    On a computer that is too busy the experiment refuses, and also leaves everything as it was.
    """
    before = kernel_dump()
    ran = _run(kit, "alice", *_SHORT, "vm.swappiness=33")
    assert kernel_dump() == before
    if ran.status == 0:
        told = json.loads(ran.out)
        assert len(told["present"]) == len(told["other"]) == 6
        assert told["judgements"]["worst_ms"]["verdict"]
    else:
        assert "too busy" in ran.err


def test_refusal_ends_the_experiment_in_one_line(kit: BusKit) -> None:
    """A value out of range and a user without rights: nothing was changed."""
    before = kernel_dump()
    for user, word in (("alice", "vm.swappiness=900"), ("bob", "vm.swappiness=33")):
        ran = _run(kit, user, *_SHORT, word)
        assert ran.status == 1
        assert len(ran.err.splitlines()) == 1
        assert kernel_dump() == before
