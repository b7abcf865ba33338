# SPDX-License-Identifier: GPL-3.0-or-later
"""The installed helper under a running systemd: confined by its unit, restarted, followed."""

import json
import re
from pathlib import Path

import dbus

from tests.vm.installed import INSTALLER, UNIT, begin, call, check_success, run, shown, until

SWAPPINESS = Path("/proc/sys/vm/swappiness")
READ_AHEAD = Path("/sys/block/sda/queue/read_ahead_kb")
WANTED = (
    ("vm.swappiness", "", "10"),
    ("vm.dirty_bytes", "", str(64 << 20)),
    ("vm.min_free_kbytes", "", "32768"),
    ("thp.enabled", "", "never"),
    ("block.scheduler", "sda", "bfq"),
    ("block.read_ahead_kb", "sda", "512"),
    ("softirq.policy", "cpu0", "fifo:2"),
    ("cpu.dma_latency", "", "20"),
)
"""At least one setting of each kind: files below /proc and /sys, a thread, a descriptor."""


def scenario_the_installed_helper_answers() -> None:
    """installed by install-helper, the helper is started by systemd for the first call"""
    run("sh", INSTALLER, "install")
    assert json.loads(call("GetState"))["state"] == "idle"
    assert shown("ActiveState") == "active"
    assert shown("FragmentPath").endswith(f"/lib/systemd/system/{UNIT}")


def scenario_the_unit_confines_the_process() -> None:
    """no new privileges, a filter of system calls, one capability, a read-only file system"""
    status = Path(f"/proc/{shown('MainPID')}/status").read_text()
    assert re.search(r"NoNewPrivs:\s*1", status), status
    assert re.search(r"Seccomp:\s*2", status), status
    assert re.search(r"CapEff:\s*0000000000800000", status), status
    mounts = Path(f"/proc/{shown('MainPID')}/mountinfo").read_text()
    assert re.search(r" / / ro[ ,]", mounts), mounts


def scenario_every_kind_of_setting_passes_the_sandbox() -> None:
    """a trial of one setting of each kind succeeds inside the sandbox and comes back whole"""
    before = _values()
    txid, hold = begin(WANTED)
    during = _values()
    for name, device, value in WANTED:
        assert during[name, device] == value, (name, during[name, device])
    results = json.loads(call("Revert", txid))["results"]
    hold.take()
    assert {result["outcome"] for result in results} == {"restored"}, results
    assert _values() == before


def scenario_keeping_for_ever_writes_its_files() -> None:
    """the state directory and the volatile files below /run can be written by the unit"""
    txid, _hold = begin((("vm.swappiness", "", "10"), ("block.read_ahead_kb", "sda", "512")))
    call("Keep", txid, "always", dbus.Boolean(False))
    assert len(json.loads(call("GetState"))["kept_always"]) == 2
    assert "vm.swappiness = 10" in Path("/run/sysctl.d/99-zz-destutter.conf").read_text()
    assert 'read_ahead_kb}="512"' in Path("/run/udev/rules.d/99-zz-destutter.rules").read_text()


def scenario_f13_other_tools_set_our_value_again() -> None:
    """systemd-sysctl run by another package leaves the kept value, thanks to our file"""
    SWAPPINESS.write_text("33")
    run("/lib/systemd/systemd-sysctl")
    assert SWAPPINESS.read_text().strip() == "10"


def scenario_f12_a_change_event_sets_our_value_again() -> None:
    """a change event of the drive runs our volatile rule"""
    READ_AHEAD.write_text("64")

    def is_set_again() -> bool:
        # udevd looks for new rules every three seconds at most.
        run("udevadm", "trigger", "--action=change", "--settle", "/sys/block/sda")
        return READ_AHEAD.read_text().strip() == "512"

    until(is_set_again)


def scenario_units_of_start_and_sleep_work() -> None:
    """boot, resume, confirm and recovery units run inside their sandboxes without a failure"""
    run("systemctl", "stop", UNIT)
    for name in ("boot", "resume", "confirm", "recover"):
        run("systemctl", "start", f"destutter-{name}.service")
        check_success(f"destutter-{name}.service")
    assert SWAPPINESS.read_text().strip() == "10"


def scenario_undo_takes_everything_back() -> None:
    """undo of what was kept leaves the values of the distribution and no file of ours"""
    call("Undo", "{}")
    assert SWAPPINESS.read_text().strip() == "60"
    assert not Path("/run/sysctl.d/99-zz-destutter.conf").exists()
    assert not json.loads(call("GetState"))["kept_always"]


def scenario_f18_systemd_restarts_a_killed_helper_and_the_trial_ends() -> None:
    """kill -9 in a trial: without any call the value is back within moments"""
    _txid, _hold = begin((("vm.swappiness", "", "10"),))
    run("kill", "-9", shown("MainPID"))
    until(lambda: SWAPPINESS.read_text().strip() == "60")


def scenario_f19_recovery_follows_a_helper_that_cannot_start() -> None:
    """a helper that dies at every start is given up, and the recovery unit reverts its trial"""
    until(lambda: json.loads(call("GetState"))["state"] == "idle")
    _txid, _hold = begin((("vm.swappiness", "", "10"),))
    drop_in = Path(f"/run/systemd/system/{UNIT}.d/broken.conf")
    drop_in.parent.mkdir(parents=True)
    drop_in.write_text("[Service]\nExecStart=\nExecStart=/bin/false\n")
    run("systemctl", "daemon-reload")
    run("kill", "-9", shown("MainPID"))
    until(lambda: SWAPPINESS.read_text().strip() == "60")
    drop_in.unlink()
    run("systemctl", "daemon-reload")
    run("systemctl", "reset-failed", UNIT)


def scenario_f27_removal_leaves_a_stock_system() -> None:
    """install-helper uninstall takes kept values back and leaves no file and no failed unit"""
    txid, _hold = begin((("vm.swappiness", "", "10"),))
    call("Keep", txid, "always", dbus.Boolean(False))
    run("sh", INSTALLER, "uninstall")
    assert SWAPPINESS.read_text().strip() == "60"
    places = ("/usr/lib/systemd", "/usr/libexec", "/usr/share", "/var/lib", "/run/udev")
    left = run("find", *places, "-name", "*destutter*", "-not", "-path", "*guest-job*")
    assert not left, left
    assert "destutter" not in run("systemctl", "--failed", "--no-legend", "--plain")


def _values() -> dict[tuple[str, str], str]:
    """The values of all settings of WANTED by id and device."""
    listed = json.loads(call("ListTunables"))["tunables"]
    found = {(entry["id"], entry["device"]): entry["current"] for entry in listed}
    return {(name, device): found[name, device] for name, device, _value in WANTED}
