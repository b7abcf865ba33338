# SPDX-License-Identifier: GPL-3.0-or-later
"""The promise of the program in one run: see it, know why, fix it, prove it, take it back.

The whole program on an X server, by clicks and keys; helper, polkitd and kernel are real. Only the
flights are made up, since their stutters would take the whole computer.
"""

import os
from pathlib import Path
from typing import Any

import pytest

from tests.dbus.test_window import Window
from tests.support.bus_kit import BusKit, eventually
from tests.support.kernel_dump import kernel_dump
from tests.support.kit_init import USERS
from tests.support.x_server import x_server

_SCALE = "vm.watermark_scale_factor"
_WAIT_S = 180.0


def _fly(window: Window, number: int) -> None:
    """Record a flight from its beginning to its end, on the Live page."""
    window.click("Live")
    window.click("Record session")
    eventually(lambda: window.peer.ask("live")["record"].startswith("Stop"), _WAIT_S)
    window.peer.ask("keys", keys="F8")
    eventually(lambda: window.peer.ask("live")["landings"] == number, _WAIT_S)
    window.click("Stop the recording")


def _keep(window: Window) -> dict[str, list[str]]:
    """Try the change, and keep it; on a busy machine the trial may end before the second click.

    Then the window says so and offers the trial again, as it does to a slow person.
    """

    def is_over(seen: dict[str, Any]) -> bool:
        window.peer.ask("click", words="Keep until restart")
        has_expired = seen["outcome"].startswith("ended")
        return not seen["trial"] and not seen["busy"] and (seen["changed"] or has_expired)

    while True:
        window.click("Try for 60 seconds")
        window.until(lambda seen: "Reverting in" in seen["trial"])
        if kept := window.until(is_over)["changed"]:
            return dict(kept)


@pytest.mark.long
@pytest.mark.timeout(900)
def test_from_a_stutter_to_its_proof_and_back(kit: BusKit, tmp_path: Path) -> None:
    """Stutter, cause, trial, keep, compare, undo all: the kernel is as it was."""
    before = kernel_dump()
    os.chown(tmp_path, USERS["alice"], -1)
    with x_server() as display:
        window = Window(
            kit,
            "alice",
            "tests.support.program_peer",
            (f"DISPLAY={display}", "QT_QPA_PLATFORM=xcb", f"TMPDIR={tmp_path}"),
        )
        _fly(window, 1)
        seen = window.peer.ask("live")
        assert "memory" in seen["headline"]
        assert seen["stutters"] > 20
        window.click("Show the cause")
        eventually(lambda: _SCALE in window.peer.ask("look_at_cause")["rows"], _WAIT_S)
        kept = _keep(window)
        assert kept[_SCALE][0] != kept[_SCALE][1]
        _fly(window, 2)
        window.click("Sessions")
        window.click("Compare the two newest")
        seen = window.until(lambda seen: seen["verdict"], "sessions")
        assert seen["verdict"].startswith("Smoother"), seen
        # The kernel counts parts in ten thousand.
        shares = [f"{int(each) / 100:g}\u00a0%" for each in kept[_SCALE]]
        assert ", ".join(["How early memory is freed", *shares]) in seen["differences"], seen
        window.click("Changes")
        window.click("Undo all changes")
        window.until(lambda seen: not seen["changed"] and not seen["busy"])
        assert kernel_dump() == before
