# SPDX-License-Identifier: GPL-3.0-or-later
"""The live stream while devices and programs come and go on the running kernel."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from destutter.core.sample import Facts, Layout, Sample, Trouble
from destutter.sampling.live import LiveSource
from destutter.sampling.programs import LiveOptions

CONTROL = Path("/sys/class/zram-control")


@pytest.fixture
def stream():
    """Starts live streams and ends them."""
    sources = []

    def started(**options):
        sources.append(LiveSource(LiveOptions(interval_ms=50, batch_ms=0, **options)))
        return sources[-1].messages()

    yield started
    for source in sources:
        source.close()


def until(messages, is_wanted):
    """The messages up to the one that is wanted, within some hundred samples."""
    seen = []
    samples = 0
    for message in messages:
        seen.append(message)
        samples += isinstance(message, Sample)
        if is_wanted(message):
            return seen
        if samples > 400:
            break
    pytest.fail(f"not seen in {samples} samples: {[m for m in seen if not isinstance(m, Sample)]}")


def disks(message):
    """The disks that a layout names; None for anything else."""
    is_disks = isinstance(message, Layout) and message.source == "disk"
    return (message.instances or ()) if is_disks else None


@pytest.fixture
def memory_disk():
    """A compressed disk in memory that is plugged in and out; its name."""
    number = (CONTROL / "hot_add").read_text().strip()
    name = f"zram{number}"
    Path("/sys/block", name, "disksize").write_text("16M")

    def unplug():
        if Path("/sys/block", name).exists():
            Path("/sys/block", name, "reset").write_text("1")
            (CONTROL / "hot_remove").write_text(number)

    yield name, unplug
    unplug()


def test_a_disk_is_plugged_in_and_out(stream, memory_disk):
    """A new disk appears with its first I/O and goes when it is unplugged; the others stay."""
    name, unplug = memory_disk
    messages = stream(is_searching=False)
    first = until(messages, lambda message: disks(message) is not None)
    before = set(disks(first[-1]) or ())
    assert name not in before
    with open(f"/dev/{name}", "wb") as device:
        device.write(os.urandom(1 << 20))
        os.fsync(device.fileno())
    plugged = until(messages, lambda message: name in (disks(message) or ()))
    assert before <= set(disks(plugged[-1]) or ())
    unplug()
    gone = until(messages, lambda message: disks(message) is not None)
    assert set(disks(gone[-1]) or ()) == before
    assert not [m for m in gone if isinstance(m, Trouble) and m.source == "disk"]


def test_a_game_that_is_killed_ends_only_itself(stream):
    """A watched program that dies is told as trouble and facts, and the samples go on."""
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) as program:
        messages = stream(pid=program.pid)
        until(messages, lambda m: isinstance(m, Layout) and m.source == "game")
        program.kill()
    told = until(messages, lambda m: isinstance(m, Facts) and m.facts.get("game.pid") == "")
    assert any(isinstance(m, Trouble) and m.source == "game" and m.reason for m in told)
    until(messages, lambda message: isinstance(message, Sample))
