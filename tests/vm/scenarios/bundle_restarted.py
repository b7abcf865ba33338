# SPDX-License-Identifier: GPL-3.0-or-later
"""The AppImage's helper after a real restart: still there, brought up to date, and gone again."""

import json
from pathlib import Path

from tests.vm.bundle import (
    IMAGE,
    OPT,
    OURS,
    STOCK,
    SWAPPINESS,
    doctor,
    layout,
    set_up_version,
    what_is_ours,
)
from tests.vm.installed import call, check_success, run, shown
from tests.vm.player import bring_to_front, log_in, with_password

OLDER, NEWER = "0.0.9", "9.0.0"
UPPER = Path("/var/lib/overlays/etc/upper")


def scenario_the_start_has_set_what_is_kept() -> None:
    """the bundle's own boot unit set the value, and nothing on this system failed for it"""
    check_success("destutter-boot.service")
    assert shown("ActiveState", "destutter-boot.service") == "active"
    assert shown("FragmentPath", "destutter-boot.service").startswith("/etc/systemd/system/")
    assert SWAPPINESS.read_text().strip() == OURS
    state = json.loads(call("GetState"))
    assert state["state"] == "kept", state
    assert [each["origin"] for each in state["changed"]] == [STOCK], state
    assert shown("ActiveState", "destutter-confirm.timer") in {"active", "inactive"}
    failed = run("systemctl", "list-units", "--failed", "--plain", "--no-legend")
    assert "destutter" not in failed, failed


def scenario_an_update_of_the_system_kept_our_files_only() -> None:
    """where the system was updated, its /etc has what our list names, and what it had itself"""
    if "updated" not in layout():
        return
    left = [path.relative_to(UPPER) for path in UPPER.rglob("*") if not path.is_dir()]
    ours = [path for path in left if "destutter" in path.name]
    assert len(ours) >= len(list(Path("packaging/system/systemd").glob("*.service"))), ours
    listed = Path("/etc/atomic-update.conf.d/destutter.conf").read_text()
    assert "destutter-confirm.timer" in listed


def scenario_the_user_finds_it_ready() -> None:
    """doctor finds every link, and the helper that answers is the AppImage's"""
    log_in()
    bring_to_front("tty1")
    told = doctor()
    assert "Fails at" not in told, told


def scenario_an_older_helper_is_brought_up_to_date() -> None:
    """a helper of an older AppImage with a kept value: doctor says so, and the update keeps it"""
    set_up_version(OLDER)
    run("systemctl", "stop", "destutter-helper.service")
    assert f"version {OLDER}" in doctor()
    said = with_password(str(IMAGE), "update-helper")
    assert said.status == 0, said.text
    assert SWAPPINESS.read_text().strip() == OURS
    assert json.loads(call("GetState"))["state"] == "kept"
    told = doctor()
    assert f"version {OLDER}" not in told, told
    assert "Fails at" not in told, told


def scenario_removal_takes_everything_back() -> None:
    """uninstall-helper: the value from before, and no file, unit or folder of ours"""
    said = with_password(str(IMAGE), "uninstall-helper")
    assert said.status == 0, said.text
    assert SWAPPINESS.read_text().strip() == STOCK
    assert not OPT.exists(), sorted(OPT.rglob("*"))
    assert not what_is_ours(), what_is_ours()
    assert "destutter" not in run("systemctl", "list-unit-files", "--no-legend", "--no-pager")
    assert "destutter" not in run("pkaction")
