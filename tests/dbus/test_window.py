# SPDX-License-Identifier: GPL-3.0-or-later
"""The window by real clicks and keys: the installed helper, the real polkitd, the real kernel."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QLibraryInfo

from tests.support.bus_kit import CHECKOUT, BusKit, Peer, eventually
from tests.support.kernel_dump import kernel_dump
from tests.support.kit_init import USERS

_SWAPPINESS = Path("/proc/sys/vm/swappiness")
_SETTING = "vm.swappiness"
_WAIT_S = 100.0  # nice 19 beside a busy machine is slow; a test is as long as it takes


class Window:
    """A user in front of the window."""

    def __init__(
        self,
        kit: BusKit,
        user: str,
        module: str = "tests.support.window_peer",
        platform: Sequence[str] = ("QT_QPA_PLATFORM=offscreen",),
        words: Sequence[str] = (),
    ) -> None:
        """``words``: what stands behind the program on its command line."""
        uid = USERS[user]
        # A checkout may lie where other users may not look (root's home); reading it is all that
        # this capability allows, and nobody on the bus asks for it.
        reading = ["--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"]
        user_id = [f"--reuid={uid}", f"--regid={uid}", "--clear-groups"]
        # Qt looks for its plugins with access(2), which knows nothing of that capability.
        plugins = QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath)
        own = (f"PYTHONPATH={CHECKOUT}", f"QT_PLUGIN_PATH={plugins}")
        places = ["HOME=/nonexistent", *platform, *own]
        program = ["env", *places, sys.executable, "-m", module, *words]
        group = kit.session(user, "active")
        pid, ends = kit.spawn(["setpriv", *user_id, *reading, "--", *program], 0, group)
        self.peer = Peer(ends, lambda number: kit.kill(pid, number))
        self.peer.pid = pid
        kit.adopt(self.peer)
        self.until(lambda seen: seen["status"] == "ready" and seen["values"])

    def look(self) -> dict[str, Any]:
        """What is on the screen."""
        return self.peer.ask("look")

    def until(self, holds: Callable[[dict[str, Any]], Any], what: str = "look") -> dict[str, Any]:
        """Wait until the screen is like this, looked at with ``what``; what it showed then."""
        seen: dict[str, Any] = {}

        def look() -> bool:
            seen.update(self.peer.ask(what))
            return bool(holds(seen))

        try:
            eventually(look, _WAIT_S)
        except AssertionError:
            raise AssertionError(f"the window shows {seen}") from None
        return seen

    def click(self, words: str, *, begins: bool = False) -> None:
        """Click a button as soon as it can be clicked; ``begins``: more follows the words."""
        eventually(lambda: self.peer.ask("click", words=words, begins=begins)["clicked"], _WAIT_S)

    def type(self, value: str) -> None:
        """Type a new value of the swappiness."""
        assert self.peer.ask("type", key=_SETTING, value=value)["wish"] == value


def test_trial_counts_down_and_ends_by_itself(kit: BusKit) -> None:
    """A value is typed and tried; the banner counts the helper's seconds; then it is revoked."""
    before = kernel_dump()
    window = Window(kit, "alice")
    window.type("33")
    window.click("Try for 60 seconds")
    seen = window.until(lambda seen: "Reverting in" in seen["trial"])
    assert 50 <= seen["seconds_left"] <= 60
    assert _SWAPPINESS.read_text() == "33\n"
    window.until(lambda now: 0 < now["seconds_left"] < seen["seconds_left"])
    window.click("Revert now")
    window.until(lambda seen: not seen["trial"] and not seen["busy"])
    assert kernel_dump() == before


def test_expiry_is_told_without_a_click(kit: BusKit) -> None:
    """Nobody answers: the old value is back, and the page says that the trial ended."""
    before = kernel_dump()
    window = Window(kit, "alice")
    window.peer.ask("try_for", key=_SETTING, value="34", seconds=5)
    window.until(lambda seen: seen["trial"])
    window.until(lambda seen: "old values are back" in seen["banner"])
    assert kernel_dump() == before


def test_kept_value_is_undone_by_its_row_and_by_the_key(kit: BusKit) -> None:
    """Keep until restart; Undo in the row; apply again; Ctrl+Z: the kernel is as it was."""
    before = kernel_dump()
    window = Window(kit, "alice")
    window.type("35")
    window.click("Try for 60 seconds")
    window.click("Keep until restart")
    seen = window.until(lambda seen: seen["changed"] and not seen["trial"])
    assert seen["changed"] == {_SETTING: ["60", "35"]}
    window.peer.ask("show_changed")
    window.click("Undo How readily memory goes to swap")
    window.until(lambda seen: not seen["changed"] and not seen["busy"])
    assert kernel_dump() == before
    window.type("36")
    window.click("Apply")
    window.until(lambda seen: seen["changed"] and not seen["busy"])
    assert _SWAPPINESS.read_text() == "36\n"
    window.peer.ask("keys", keys="Ctrl+Z")
    window.until(lambda seen: not seen["changed"] and not seen["busy"])
    assert kernel_dump() == before


def test_undo_all_is_redone_and_undone(kit: BusKit) -> None:
    """Undo all changes, Redo in the banner, undo all again."""
    before = kernel_dump()
    window = Window(kit, "alice")
    window.type("37")
    window.click("Apply")
    window.until(lambda seen: seen["changed"] and not seen["busy"])
    window.click("Undo all changes")
    window.until(lambda seen: seen["banner"].startswith("Undid"))
    assert kernel_dump() == before
    window.click("Redo")
    window.until(lambda seen: seen["changed"] and not seen["busy"])
    assert _SWAPPINESS.read_text() == "37\n"
    window.click("Undo all changes")
    window.until(lambda seen: not seen["changed"] and not seen["busy"])
    assert kernel_dump() == before


def test_denied_account_is_told_on_the_page(kit: BusKit) -> None:
    """bob may not: nothing moves, the page says so, the buttons are back."""
    before = kernel_dump()
    window = Window(kit, "bob")
    window.type("38")
    window.click("Try for 60 seconds")
    seen = window.until(lambda seen: seen["banner"])
    assert seen["banner"] == "Not changed"
    assert seen["outcome"].startswith("denied")
    assert not seen["busy"]
    assert kernel_dump() == before


def test_account_without_an_agent_is_told_the_same(kit: BusKit) -> None:
    """dave needs a password and nothing can ask for it: not silence, but the page says so."""
    before = kernel_dump()
    window = Window(kit, "dave")
    window.type("39")
    window.click("Try for 60 seconds")
    window.until(lambda seen: seen["outcome"].startswith("denied") and seen["banner"])
    assert kernel_dump() == before


def test_closed_dialog_is_no_message(kit: BusKit) -> None:
    """dave closes the password dialog: the buttons are back and no banner blames anybody."""
    before = kernel_dump()
    window = Window(kit, "dave")
    kit.agent.ask("register", pid=window.peer.pid, mode="cancel")
    window.type("40")
    window.click("Try for 60 seconds")
    seen = window.until(lambda seen: seen["outcome"])
    assert seen["outcome"].startswith("cancelled")
    assert seen["banner"] == ""
    assert not seen["busy"]
    assert kernel_dump() == before


def test_helper_that_dies_in_a_call_is_told_and_everything_is_as_before(kit: BusKit) -> None:
    """Killed while the dialog is open: the page says so, and the next try works."""
    before = kernel_dump()
    window = Window(kit, "dave")
    kit.agent.ask("register", pid=window.peer.pid, mode="hang")
    window.type("41")
    window.click("Try for 60 seconds")
    eventually(lambda: any(each["open"] for each in kit.dialogs()))
    kit.kill_helper()
    seen = window.until(lambda seen: seen["outcome"] and not seen["busy"])
    assert seen["outcome"].startswith("lost")
    assert "helper" in seen["banner"].lower()
    assert kernel_dump() == before


def test_helper_that_dies_in_a_trial_takes_it_back(kit: BusKit) -> None:
    """Killed while a value is on trial: the window calls the successor, which restores it."""
    before = kernel_dump()
    window = Window(kit, "alice")
    window.type("42")
    window.click("Try for 60 seconds")
    window.until(lambda seen: seen["trial"])
    assert _SWAPPINESS.read_text() == "42\n"
    kit.kill_helper()
    window.until(lambda seen: not seen["trial"] and "old values are back" in seen["banner"])
    assert kernel_dump() == before


def test_window_that_is_killed_leaves_no_trial(kit: BusKit) -> None:
    """The window crashes: the trial ends at once, and a new window shows what happened."""
    before = kernel_dump()
    window = Window(kit, "alice")
    window.type("43")
    window.click("Try for 60 seconds")
    window.until(lambda seen: seen["trial"])
    window.peer.kill()
    eventually(lambda: _SWAPPINESS.read_text() == "60\n", _WAIT_S)
    assert kernel_dump() == before
    again = Window(kit, "alice")
    again.until(lambda seen: "undone automatically" in seen["banner"])
