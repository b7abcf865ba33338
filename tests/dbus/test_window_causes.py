# SPDX-License-Identifier: GPL-3.0-or-later
"""From a stutter to its cause, the fix and back: real clicks, helper, polkitd and kernel."""

from pathlib import Path

from tests.dbus.test_window import Window
from tests.support.bus_kit import BusKit, eventually
from tests.support.kernel_dump import kernel_dump

_SCALE = "vm.watermark_scale_factor"
_FILE = Path("/proc/sys/vm/watermark_scale_factor")


def _show_cause(window: Window) -> str:
    """From the live page to the cause; the words of the button that applies."""
    assert "freed memory" in window.peer.ask("stutter")["detail"]
    window.click("Show the cause")
    eventually(lambda: _SCALE in window.peer.ask("look_at_cause")["rows"], 30.0)
    seen = window.peer.ask("look_at_cause")
    assert seen["page"] == "causes"
    assert seen["title"] == "Waiting for free memory"
    return str(seen["apply"])


def test_cause_is_fixed_and_the_fix_undone(kit: BusKit) -> None:
    """Show the cause, apply what is ticked, undo in the row: the kernel is as it was."""
    before, old = kernel_dump(), _FILE.read_text()
    window = Window(kit, "alice")
    window.click(_show_cause(window))
    window.until(lambda seen: seen["changed"] and not seen["busy"] and not seen["trial"])
    assert _FILE.read_text() != old
    assert window.peer.ask("look_at_cause")["rows"][_SCALE] == "applied"
    window.click("Undo: How early memory is freed")
    window.until(lambda seen: _SCALE not in seen["changed"] and not seen["busy"])
    assert _FILE.read_text() == old
    while window.look()["changed"]:
        window.peer.ask("keys", keys="Ctrl+Z")
        window.until(lambda seen: not seen["busy"])
    assert kernel_dump() == before


def test_trial_of_a_cause_is_kept_for_sixty_seconds_only(kit: BusKit) -> None:
    """Try from the cause: its rows are on trial, and reverting gives them back."""
    before = kernel_dump()
    window = Window(kit, "alice")
    _show_cause(window)
    window.click("Try for 60 seconds")
    window.until(lambda seen: seen["trial"])
    assert window.peer.ask("look_at_cause")["rows"][_SCALE] == "on_trial"
    window.click("Revert now")
    window.until(lambda seen: not seen["trial"] and not seen["busy"])
    assert kernel_dump() == before


def test_denied_on_the_page_of_causes(kit: BusKit) -> None:
    """bob may not: the page says so, offers the commands, and nothing moves."""
    before = kernel_dump()
    window = Window(kit, "bob")
    window.click(_show_cause(window))
    window.until(lambda seen: seen["outcome"].startswith("denied"))
    assert window.peer.ask("look_at_cause")["banner"] == "Not changed"
    assert kernel_dump() == before
