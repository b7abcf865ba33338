# SPDX-License-Identifier: GPL-3.0-or-later
"""Other services on the bus: the power daemon that owns the profile, logind that knows sleep."""

import json
import subprocess
import sys

import pytest

from tests.support import scratch_tree, wire
from tests.support.bus_kit import eventually

TEMPLATES = {
    "power_profiles_daemon": "net.hadess.PowerProfiles",
    "upower_power_profiles_daemon": "org.freedesktop.UPower.PowerProfiles",
}
DRIVER = {"dest": "org.freedesktop.DBus", "iface": "org.freedesktop.DBus"}
PERFORMANCE = json.dumps({"changes": [{"id": "cpu.power_profile", "value": "performance"}]})


@pytest.fixture(params=sorted(TEMPLATES))
def power_daemon(request, quiet_bus):
    """Start a scripted power daemon before the helper; its name on the bus."""
    name = TEMPLATES[request.param]
    with subprocess.Popen(
        [sys.executable, "-m", "dbusmock", "--template", request.param],
        env={"DBUS_SYSTEM_BUS_ADDRESS": quiet_bus.address, "PATH": "/usr/bin:/bin"},
        stdout=subprocess.DEVNULL,
    ) as daemon:
        watcher = quiet_bus.client()
        eventually(lambda: watcher.call("NameHasOwner", "s", name, **DRIVER))
        quiet_bus.start_helper()
        quiet_bus.allow("apply")
        quiet_bus.allow("undo")
        yield name, daemon
        daemon.terminate()


def holds(client, name):
    place = {"dest": name, "path": "/" + name.replace(".", "/")}
    interface = "org.freedesktop.DBus.Properties"
    found = client.call("Get", "ss", name, "ActiveProfileHolds", iface=interface, **place)
    return [hold for hold in found if isinstance(hold, dict)]


def state_of(client):
    listed = json.loads(client.call("ListTunables"))["tunables"]
    (found,) = [entry for entry in listed if entry["id"] == "cpu.power_profile"]
    return found


def test_a_profile_is_held_for_the_trial(quiet_bus, power_daemon):
    """The daemon gets a hold with our name and a reason, and loses it with the trial."""
    name, _daemon = power_daemon
    client = quiet_bus.client()
    txid, _hold = client.call("BeginTrial", "sib", PERFORMANCE, 30, False)
    (hold,) = holds(client, name)
    assert hold["Profile"] == "performance"
    assert hold["ApplicationId"] == "io.github.destutter.Destutter"
    assert state_of(client)["current"] == "performance"
    client.call("Revert", "s", txid)
    assert holds(client, name) == []
    assert state_of(client)["current"] == "none"


def test_a_daemon_that_restarts_has_forgotten_our_hold(quiet_bus, power_daemon):
    """A lease of a daemon that is gone counts as not held, and its undo is no failure."""
    name, daemon = power_daemon
    client = quiet_bus.client()
    txid, _hold = client.call("BeginTrial", "sib", PERFORMANCE, 30, False)
    daemon.terminate()
    daemon.wait()
    eventually(lambda: not client.call("NameHasOwner", "s", name, **DRIVER))
    assert state_of(client)["current"] == "none"
    outcomes = wire.outcomes(client.call("Revert", "s", txid))
    assert outcomes == {"cpu.power_profile": "already"}


def test_without_a_daemon_there_is_no_profile_to_hold(bus):
    """The list says so in words, and a trial is refused before polkit is asked."""
    client = bus.client()
    assert state_of(client)["current"] is None
    assert "power_daemon" in state_of(client)["unavailable"]["id"]
    assert client.refusal("BeginTrial", "sib", PERFORMANCE, 30, False) == "Unsupported"
    assert bus.questions() == []


def test_f23_after_a_sleep_reset_values_are_set_again(quiet_bus):
    """logind says that a sleep is over: what the kernel has reset is set again and reported."""
    logind, client = quiet_bus.client(), quiet_bus.client()
    logind.ask("own", name="org.freedesktop.login1")
    quiet_bus.start_helper()
    quiet_bus.allow("apply")
    txid, _hold = client.call("BeginTrial", "sib", wire.swappiness(10), 30, False)
    client.call("Keep", "ssb", txid, "restart", False)
    (quiet_bus.root / "proc/sys/vm/swappiness").write_text("60\n")
    place = {"path": "/org/freedesktop/login1", "iface": "org.freedesktop.login1.Manager"}
    logind.ask("emit", member="PrepareForSleep", sig="b", args=[False], **place)
    eventually(lambda: scratch_tree.value(quiet_bus.root, "vm/swappiness") == "10")


def _program(bus, name, *changes):
    """Make the helper's program anew with lines before its start; its own one as well."""
    sound, bus.program = bus.program, bus.program.with_name(name)
    text = sound.read_text()
    bus.program.write_text(text.replace("sys.exit(", "\n".join([*changes, "sys.exit("])))
    return sound


def test_f21_a_wall_clock_that_jumps_moves_no_deadline(quiet_bus):
    """A day forth or back at every look: the trial ends when it should, only dates are wrong."""
    bus = quiet_bus
    jumping = "lambda *_: real(clock() + next(days) * 86400)"
    lines = ["import itertools, time", "days, clock = itertools.cycle((-1, 1)), time.time"]
    _program(bus, "jumping", *lines, "real = time.gmtime", f"time.gmtime = {jumping}")
    bus.start_helper()
    bus.allow("apply")
    client = bus.client()
    client.call("BeginTrial", "sib", wire.swappiness(10), 5, False)
    assert 3 <= json.loads(client.call("GetState"))["seconds_left"] <= 5
    reason, report = eventually(lambda: client.signals("TrialEnded"))[0]
    assert reason == "deadline"
    assert wire.outcomes(report) == {"vm.swappiness": "restored"}
    lines = [json.loads(line)["time"][:10] for line in client.call("GetReport").splitlines()]
    assert len(set(lines)) == 2


def test_f22_a_jump_of_the_clock_that_counts_sleep_ends_the_trial_at_once(quiet_bus, tmp_path):
    """An hour passes between two looks, as in a sleep that logind told nobody of."""
    bus, slept = quiet_bus, tmp_path / "slept"
    later = f"lambda clock: real(clock) + os.path.exists({str(slept)!r}) * 3600 * 10**9"
    lines = ["import os, time", "real = time.clock_gettime_ns"]
    _program(bus, "sleeping", *lines, f"time.clock_gettime_ns = {later}")
    bus.start_helper()
    bus.allow("apply")
    client = bus.client()
    client.call("BeginTrial", "sib", wire.swappiness(10), 120, False)
    assert scratch_tree.value(bus.root, "vm/swappiness") == "10"
    slept.touch()
    assert eventually(lambda: client.signals("TrialEnded"))[0][0] == "deadline"
    assert scratch_tree.value(bus.root, "vm/swappiness") == "60"


@pytest.mark.parametrize(("method", "ending"), [("forget", "leave"), ("resume", "sleep")])
def test_f29_a_fault_in_the_helper_ends_it_aloud_and_the_next_one_recovers(
    quiet_bus, method, ending
):
    """A mistake of ours in the handler of a signal: the guardian still takes the trial back."""
    bus = quiet_bus
    service = "from destutter_helper.service import Service"
    fault = f"Service.{method} = lambda self, *_: 1 // (self._engine.trial is None) - 1"
    sound = _program(bus, f"faulty-{method}", service, fault)
    logind, client = bus.client(), bus.client()
    logind.ask("own", name="org.freedesktop.login1")
    bus.start_helper()
    bus.allow("apply")
    client.call("BeginTrial", "sib", wire.swappiness(10), 30, False)
    place = {"path": "/org/freedesktop/login1", "iface": "org.freedesktop.login1.Manager"}
    if ending == "sleep":
        logind.ask("emit", member="PrepareForSleep", sig="b", args=[False], **place)
    else:
        client.close()
    assert bus.helper.wait(10) == 1
    assert "crash: ZeroDivisionError at" in bus.log()
    eventually(lambda: scratch_tree.value(bus.root, "vm/swappiness") == "60")
    bus.program = sound
    bus.start_helper()
    assert json.loads(bus.client().call("GetState"))["state"] == "idle"


def test_somebody_else_cannot_play_logind(quiet_bus):
    """The signal counts only from the owner of logind's name."""
    logind, forger = quiet_bus.client(), quiet_bus.client()
    logind.ask("own", name="org.freedesktop.login1")
    quiet_bus.start_helper()
    quiet_bus.allow("apply")
    txid, _hold = forger.call("BeginTrial", "sib", wire.swappiness(10), 30, False)
    forger.call("Keep", "ssb", txid, "restart", False)
    (quiet_bus.root / "proc/sys/vm/swappiness").write_text("60\n")
    place = {"path": "/org/freedesktop/login1", "iface": "org.freedesktop.login1.Manager"}
    forger.ask("emit", member="PrepareForSleep", sig="b", args=[False], **place)
    forger.call("GetState")
    assert scratch_tree.value(quiet_bus.root, "vm/swappiness") == "60"


def test_f23_drift_is_announced(quiet_bus):
    """A value that somebody else changed during the sleep is left alone and announced."""
    logind, client = quiet_bus.client(), quiet_bus.client()
    logind.ask("own", name="org.freedesktop.login1")
    quiet_bus.start_helper()
    quiet_bus.allow("apply")
    txid, _hold = client.call("BeginTrial", "sib", wire.swappiness(10), 30, False)
    client.call("Keep", "ssb", txid, "restart", False)
    (quiet_bus.root / "proc/sys/vm/swappiness").write_text("77\n")
    place = {"path": "/org/freedesktop/login1", "iface": "org.freedesktop.login1.Manager"}
    logind.ask("emit", member="PrepareForSleep", sig="b", args=[False], **place)
    (report,) = eventually(lambda: client.signals("Drift"))[0]
    assert wire.outcomes(report) == {"vm.swappiness": "foreign"}
    assert scratch_tree.value(quiet_bus.root, "vm/swappiness") == "77"
