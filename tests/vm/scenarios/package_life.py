# SPDX-License-Identifier: GPL-3.0-or-later
"""The helper's package through its life: kept values among other tools, disks, dates, versions."""

import json
import os
import subprocess
import time
from pathlib import Path

import dbus

from tests.vm.inside import say
from tests.vm.installed import (
    NAME,
    OBJECT,
    UNIT,
    ask_host,
    begin,
    call,
    files_of_ours,
    install_helper,
    plug_nvme_in,
    run,
    scheduler_of,
    shown,
    until,
)

SWAPPINESS = Path("/proc/sys/vm/swappiness")
READ_AHEAD = Path("/sys/block/sda/queue/read_ahead_kb")
NVME = Path("/sys/block/nvme0n1")
NVME_SCHEDULER = NVME / "queue" / "scheduler"
DAY_S = 86_400
_ASKS = ("busctl", "--system", "--timeout=300", "call", NAME, OBJECT, NAME)


def scenario_kept_for_every_start() -> None:
    """the installed package keeps a memory setting and a drive's for every start"""
    install_helper()
    _keep([("vm.swappiness", "", "10"), ("block.read_ahead_kb", "sda", "512")])
    assert SWAPPINESS.read_text().strip() == "10"


def scenario_f13_sysctl_of_other_packages_leaves_it() -> None:
    """sysctl --system and systemd-sysctl set everything anew, and our value with it"""
    for command in (("sysctl", "--system"), ("/lib/systemd/systemd-sysctl",)):
        SWAPPINESS.write_text("33")
        run(*command)
        assert SWAPPINESS.read_text().strip() == "10", command


def scenario_f12_change_events_leave_it() -> None:
    """change events of every disk set the drive's value again"""

    def is_set_again() -> bool:
        READ_AHEAD.write_text("64")
        run("udevadm", "trigger", "--action=change", "--subsystem-match=block", "--settle")
        return READ_AHEAD.read_text().strip() == "512"

    until(is_set_again)


def scenario_f21_the_date_jumps() -> None:
    """a day forward and two back in a trial neither end it nor make it longer"""
    began = time.monotonic()
    txid, hold = begin([("vm.page-cluster", "", "0")], seconds=20)
    now = time.time()
    for jump in (DAY_S, -2 * DAY_S):
        time.clock_settime(time.CLOCK_REALTIME, now + jump)
        assert json.loads(call("GetState"))["state"] == "trial"
        assert Path("/proc/sys/vm/page-cluster").read_text().strip() == "0"
    until(lambda: Path("/proc/sys/vm/page-cluster").read_text().strip() == "3")
    took = time.monotonic() - began
    time.clock_settime(time.CLOCK_REALTIME, now + took)
    os.close(hold.take())
    assert txid
    assert took > 19, took
    say(f"# the trial of 20 s took {took:.0f} s by the clock that runs on")


def scenario_f05_a_drive_is_unplugged_in_a_trial() -> None:
    """the drive of a trial goes: the trial can be taken back, and what remains is stock"""
    original = scheduler_of(NVME_SCHEDULER)
    txid, hold = begin([("block.scheduler", "nvme0n1", "bfq"), ("vm.page-cluster", "", "0")])
    assert scheduler_of(NVME_SCHEDULER) == "bfq"
    ask_host({"execute": "device_del", "arguments": {"id": "hotnvme"}})
    until(lambda: not NVME.exists())
    results = json.loads(call("Revert", txid))["results"]
    os.close(hold.take())
    outcomes = {result["id"]: result["outcome"] for result in results}
    assert outcomes["block.scheduler"] == "gone", outcomes
    assert Path("/proc/sys/vm/page-cluster").read_text().strip() == "3"
    say(f"# the scheduler before was {original}")


def scenario_f06_a_drive_is_plugged_in_in_a_trial() -> None:
    """a drive that comes in a trial is as new, can be changed in the next one, and comes back"""
    txid, hold = begin([("vm.page-cluster", "", "0")])
    plug_nvme_in()
    until(NVME_SCHEDULER.exists)
    assert scheduler_of(NVME_SCHEDULER) != "bfq"
    call("Revert", txid)
    os.close(hold.take())
    original = scheduler_of(NVME_SCHEDULER)
    txid, hold = begin([("block.scheduler", "nvme0n1", "bfq")])
    assert scheduler_of(NVME_SCHEDULER) == "bfq"
    call("Revert", txid)
    os.close(hold.take())
    assert scheduler_of(NVME_SCHEDULER) == original


def scenario_f22_the_computer_sleeps_in_a_trial() -> None:
    """asleep for longer than the trial: it is over soon after waking up, the kept value stays"""
    if "mem" not in Path("/sys/power/state").read_text():
        raise AssertionError("this kernel cannot suspend to memory")
    _txid, hold = begin([("vm.page-cluster", "", "0")], seconds=10)
    run("rtcwake", "--mode", "mem", "--seconds", "15")
    until(lambda: Path("/proc/sys/vm/page-cluster").read_text().strip() == "3")
    os.close(hold.take())
    assert SWAPPINESS.read_text().strip() == "10"


def scenario_f26_an_upgrade_keeps_what_is_kept() -> None:
    """a newer package over a running helper with kept values: they stay, and can be undone"""
    assert json.loads(call("GetState"))["state"] == "kept"
    old = shown("MainPID")
    install_helper("packages/newer")
    assert SWAPPINESS.read_text().strip() == "10"
    state = json.loads(call("GetState"))
    assert state["state"] == "kept", state
    assert shown("MainPID") != old
    call("Undo", "{}")
    assert SWAPPINESS.read_text().strip() == "60"
    assert READ_AHEAD.read_text().strip() == "128"


def scenario_f26_an_upgrade_ends_a_trial() -> None:
    """a trial that runs while the package changes is taken back, as at every end of the helper"""
    _txid, hold = begin([("vm.swappiness", "", "10")])
    install_helper("packages/newer")
    assert SWAPPINESS.read_text().strip() == "60"
    os.close(hold.take())


def scenario_f77_a_call_meets_the_upgrade() -> None:
    """whoever was starting the helper as its package changed gets an answer, and so do others"""
    run("systemctl", "stop", UNIT)
    slow = Path(f"/run/systemd/system/{UNIT}.d/slow.conf")
    slow.parent.mkdir(parents=True)
    slow.write_text("[Service]\nExecStartPre=/bin/sleep 300\nTimeoutStartSec=infinity\n")
    run("systemctl", "daemon-reload")
    with subprocess.Popen([*_ASKS, "GetState"], stdout=subprocess.DEVNULL) as caller:
        until(lambda: shown("ActiveState") == "activating")
        slow.unlink()
        slow.parent.rmdir()
        began = time.monotonic()
        install_helper("packages/newer")
        installed = time.monotonic()
        try:
            assert caller.wait(timeout=60.0) == 0
        finally:
            caller.kill()
        took_s = time.monotonic() - installed
        say(f"# installed in {installed - began:.0f} s, answered {took_s:.0f} s later")
    assert json.loads(call("GetState"))["state"] == "idle"


def scenario_f27_removal_with_changes_live() -> None:
    """dpkg --remove takes back what is kept and what is on trial, and leaves no file or unit"""
    _keep([("vm.swappiness", "", "10"), ("block.read_ahead_kb", "sda", "512")])
    _txid, hold = begin([("vm.page-cluster", "", "0")])
    run("dpkg", "--remove", "destutter-helper")
    os.close(hold.take())
    assert SWAPPINESS.read_text().strip() == "60"
    assert READ_AHEAD.read_text().strip() == "128"
    assert Path("/proc/sys/vm/page-cluster").read_text().strip() == "3"
    elsewhere = ("/var/lib/dpkg", "/var/lib/destutter")
    left = [name for name in files_of_ours() if not name.startswith(elsewhere)]
    assert not left, left
    assert "destutter" not in run("systemctl", "--failed", "--no-legend", "--plain")
    assert "destutter" not in run("systemctl", "list-unit-files", "--no-legend", "--no-pager")


def scenario_purge_leaves_nothing() -> None:
    """dpkg --purge after a new installation with kept values leaves nothing at all"""
    install_helper()
    _keep([("vm.swappiness", "", "10")])
    run("dpkg", "--purge", "destutter-helper")
    assert SWAPPINESS.read_text().strip() == "60"
    assert not files_of_ours(), files_of_ours()


def _keep(wanted: list[tuple[str, str, str]]) -> None:
    txid, hold = begin(wanted)
    call("Keep", txid, "always", dbus.Boolean(False))
    os.close(hold.take())
