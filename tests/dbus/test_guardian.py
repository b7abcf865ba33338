# SPDX-License-Identifier: GPL-3.0-or-later
"""The end of a trial does not depend on the part of the helper that speaks to others."""

import json
import os
import resource
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from destutter_helper.guardian import MOST_CPU_S
from tests.support import scratch_tree, wire
from tests.support.bus_kit import ERROR, eventually
from tests.support.private_bus import PrivateBus

DEADLINE_S = 30.0


@pytest.fixture
def granted(bus: PrivateBus) -> PrivateBus:
    """Return the bus with polkit granting trials."""
    bus.allow("apply")
    return bus


def swappiness(bus: PrivateBus) -> str:
    """Return the value that is on trial in these tests."""
    return scratch_tree.value(bus.root, "vm/swappiness")


def test_f44_a_service_that_hangs_does_not_delay_the_deadline(granted):
    """Stopped as by a disk, a flood or a debugger: the value is back while it still stands."""
    client = granted.client()
    client.call("BeginTrial", "sib", wire.swappiness(10), 5, False)
    granted.helper.send_signal(signal.SIGSTOP)
    eventually(lambda: swappiness(granted) == "60", DEADLINE_S)
    assert not client.signals("TrialEnded")
    granted.helper.send_signal(signal.SIGCONT)
    (reason, results) = eventually(lambda: client.signals("TrialEnded"))[0]
    assert reason == "deadline"
    assert wire.outcomes(results) == {"vm.swappiness": "restored"}


def test_f44_a_service_that_hangs_does_not_keep_the_hold(granted):
    """The owner closes its descriptor: the value is back, whatever the service does."""
    client = granted.client()
    _txid, hold = client.call("BeginTrial", "sib", wire.swappiness(10), 120, False)
    client.call("GetState")  # so that it has closed its copy of what it gave away
    granted.helper.send_signal(signal.SIGSTOP)
    client.ask("close", fd=hold["fd"])
    eventually(lambda: swappiness(granted) == "60")
    granted.helper.send_signal(signal.SIGCONT)
    assert eventually(lambda: client.signals("TrialEnded"))[0][0] == "hold-closed"


def test_f44_a_service_that_hangs_with_something_held_is_ended(granted):
    """What it holds (here the processor's wake-up delay) ends only with it: it is killed."""
    client = granted.client()
    changes = wire.changes(cpu__dma_latency=20, vm__swappiness=10)
    client.call("BeginTrial", "sib", changes, 5, False)
    granted.helper.send_signal(signal.SIGSTOP)
    assert granted.helper.wait(DEADLINE_S) == -signal.SIGKILL
    assert swappiness(granted) == "60"


def test_f44_a_hanging_service_takes_back_the_deadline_that_was_moved(granted):
    """Extend reaches the guardian: nothing ends at the first deadline."""
    client = granted.client()
    txid, _hold = client.call("BeginTrial", "sib", wire.swappiness(10), 5, False)
    client.call("Extend", "si", txid, 120)
    granted.helper.send_signal(signal.SIGSTOP)
    granted.helper.send_signal(signal.SIGCONT)
    client.call("Keep", "ssb", txid, "restart", False)
    os.kill(granted.guardian_pid(), signal.SIGTERM)
    client.call("GetState")
    assert swappiness(granted) == "10"


@pytest.mark.parametrize("member", ["Extend", "Keep"])
def test_f44_a_call_that_comes_too_late_meets_an_ended_trial(granted, member):
    """The owner's call waits in the queue of a service that hangs over the deadline."""
    client, other = granted.client(), granted.client()
    txid, _hold = client.call("BeginTrial", "sib", wire.swappiness(10), 5, False)
    granted.helper.send_signal(signal.SIGSTOP)
    arguments = ("si", txid, 60) if member == "Extend" else ("ssb", txid, "restart", False)
    number = client.begin(member, *arguments)
    eventually(lambda: swappiness(granted) == "60", DEADLINE_S)
    granted.helper.send_signal(signal.SIGCONT)
    assert client.wait(number)["error"] == ERROR + "NoSuchTransaction"
    assert [reason for reason, _ in eventually(lambda: other.signals("TrialEnded"))] == [
        "deadline"
    ]
    assert json.loads(other.call("GetState"))["state"] == "idle"


def test_a_keep_that_fails_leaves_the_trial_with_its_end(granted):
    """The guardian waits while a trial is kept; it would wait for good, and nothing end the trial.

    What is held cannot be kept for every start. The owner's hold ends the trial all the same.
    """
    granted.allow("persist")
    client = granted.client()
    changes = wire.changes(cpu__dma_latency=20, vm__swappiness=10)
    txid, hold = client.call("BeginTrial", "sib", changes, 120, False)
    assert client.refusal("Keep", "ssb", txid, "always", False) == "Unsupported"
    assert swappiness(granted) == "10"
    client.ask("close", fd=hold["fd"])
    assert eventually(lambda: client.signals("TrialEnded"))[0][0] == "hold-closed"
    assert swappiness(granted) == "60"


@pytest.mark.parametrize(
    "is_reverted", [False, True], ids=["f54 at the deadline", "f62 in the owner's revert"]
)
def test_f54_f62_a_drive_that_hangs_holds_up_no_other(granted, is_reverted):
    """Its file does not answer (a pipe that nobody writes to): all the others are back on time."""
    blocks = granted.root / "sys/devices/virtual/block"
    shutil.copytree(blocks / "sda", blocks / "sdb")
    (granted.root / "sys/block/sdb").symlink_to("../devices/virtual/block/sdb")
    (blocks / "sdb/wwid").write_text("naa.5002538e40a1b2c4")
    client = granted.client()
    names = ["sda", "sdb"]
    wanted = [{"id": "block.read_ahead_kb", "value": "512", "device": name} for name in names]
    wanted.append({"id": "kernel.split_lock_mitigate", "value": "0", "device": ""})
    txid, _hold = client.call("BeginTrial", "sib", json.dumps({"changes": wanted}), 5, False)
    hanging = blocks / "sda/queue/read_ahead_kb"
    hanging.unlink()
    os.mkfifo(hanging)
    if is_reverted:
        client.begin("Revert", "s", txid)
    healthy = blocks / "sdb/queue/read_ahead_kb"
    eventually(lambda: healthy.read_text().strip() == "128", DEADLINE_S)
    assert scratch_tree.value(granted.root, "kernel/split_lock_mitigate") == "1"
    granted.kill_all()


def test_f45_without_its_guardian_the_service_ends_the_trial_and_itself(granted):
    """No trial goes on that nobody watches; the exit status brings both back."""
    client = granted.client()
    client.call("BeginTrial", "sib", wire.swappiness(10), 120, False)
    os.kill(granted.guardian_pid(), signal.SIGKILL)
    assert granted.helper.wait(10) == 1
    assert swappiness(granted) == "60"
    assert "the guardian of the trial is gone" in granted.log()


def test_f44_the_guardian_is_told_to_stop_together_with_the_service(granted):
    """systemd sends SIGTERM to both: the trial goes back once, and is told once."""
    client = granted.client()
    client.call("BeginTrial", "sib", wire.swappiness(10), 120, False)
    os.kill(granted.guardian_pid(), signal.SIGTERM)
    granted.helper.terminate()
    assert granted.helper.wait(10) == 0
    assert [reason for reason, _text in client.signals("TrialEnded")] == ["shutdown"]
    assert swappiness(granted) == "60"


def test_f29_the_guardian_needs_no_memory_when_it_is_full(granted):
    """All of it is locked where the limits allow it, and it may do no more than the service."""
    place = Path(f"/proc/{granted.guardian_pid()}")
    status = dict(line.split(":\t", 1) for line in (place / "status").read_text().splitlines())
    locked, resident = (int(status[key].split()[0]) for key in ("VmLck", "VmRSS"))
    assert locked >= resident * 9 // 10 or os.geteuid() != 0
    assert status["Seccomp"] == "2"
    assert int(status["CapEff"], 16) & ~(1 << 23) == 0


def test_a44_the_guardian_runs_before_programs_that_only_compute(granted):
    """Hundreds of busy processes of a stranger have as many shares of a core; ours has none left.

    Only the guardian, and never for long: what it does takes milliseconds.
    """
    client = granted.client()
    client.call("BeginTrial", "sib", wire.swappiness(10), 120, False)
    guardian = granted.guardian_pid()
    policies = {pid: os.sched_getscheduler(pid) for pid in (guardian, granted.helper.pid)}
    if os.geteuid() == 0:  # elsewhere as far as the rights go
        assert policies == {guardian: os.SCHED_FIFO, granted.helper.pid: os.SCHED_OTHER}
    _soft, hard = resource.prlimit(guardian, resource.RLIMIT_RTTIME)
    assert hard == MOST_CPU_S * 1_000_000
    command = ["setsid", "sh", "-c", "while :; do :; done"]
    busy = [subprocess.Popen(command) for _ in range(20)]
    try:
        granted.helper.send_signal(signal.SIGKILL)
        eventually(lambda: swappiness(granted) == "60")
    finally:
        for process in busy:
            process.kill()
            process.wait()
