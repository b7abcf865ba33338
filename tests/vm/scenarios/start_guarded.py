# SPDX-License-Identifier: GPL-3.0-or-later
"""A boot of `restarts` after two that nobody confirmed: the kept values are left out."""

import json
from pathlib import Path

from tests.vm.installed import call, check_success, run

SWAPPINESS = Path("/proc/sys/vm/swappiness")


def scenario_f19_two_unconfirmed_starts_suspend_what_is_kept() -> None:
    """the third start is stock, says why, and undo clears the matter"""
    check_success("destutter-boot.service")
    assert SWAPPINESS.read_text().strip() == "60"
    state = json.loads(call("GetState"))
    assert state["notices"], state
    call("Undo", "{}")
    assert json.loads(call("GetState"))["kept_always"] == []


def scenario_undo_from_a_text_console() -> None:
    """--undo-all --no-dbus works with the bus unreachable"""
    run("systemctl", "stop", "destutter-helper.service")
    run("systemctl", "stop", "dbus.socket", "dbus.service")
    run("/usr/libexec/destutter/destutter-helper", "--undo-all", "--no-dbus")
