# SPDX-License-Identifier: GPL-3.0-or-later
"""A drive that others fill is not slow, and one that only writes holds no reader up."""

import pytest

from destutter.diagnosis.circumstances.drive_load import slowest_drive
from destutter.diagnosis.finding import Confidence, Finding, Group, Spike
from destutter.diagnosis.findings.correlator import Match
from destutter.diagnosis.findings.shared_drives import shared_out
from destutter.diagnosis.history.tick_log import Tick

SECOND_NS = 1_000_000_000


def _found(cause, ends, confidence=Confidence.HIGH):
    finding = Finding(cause, Group.STORAGE, confidence, len(ends), 20, 0, 1, ())
    spikes = tuple(Spike(end, 100.0, "mangohud", end - 1) for end in ends)
    return finding, Match(spikes, (), len(ends), direct=0, share=0.1, chance=0.1)


@pytest.mark.parametrize("cause", ["io_unfairness", "filesystem_commit"])
def test_beside_others_that_filled_a_drive_it_is_a_guess_that_it_is_slow(cause):
    """Where they did in as many stutters as are left for the drive, and surely."""
    slow = _found("slow_device", [11, 12, 13])
    (_, (told, _)) = shared_out([_found(cause, [1, 2, 3]), slow], ())
    assert told.confidence is Confidence.LOW
    assert [each.id for each in told.reasons] == ["reason.beside"]
    for other in (_found(cause, [1, 2]), _found(cause, [1, 2, 3], Confidence.LOW)):
        (_, (told, _)) = shared_out([other, slow], ())
        assert told.confidence is Confidence.HIGH


def _tick(own, read, awaits):
    """A second in which the game reads and writes, and what each drive read and how slowly."""
    instanced = {
        "disk.reads_per_s": dict.fromkeys(read, 10.0),
        "disk.read_bytes_per_s": read,
        "disk.write_await_ms": awaits,
    }
    return Tick(0, SECOND_NS, dict(own), instanced)


def test_a_drive_that_reads_nothing_holds_no_reader_up():
    """A virtual machine's disk in a file is slower than the drive from which the game reads."""
    read, awaits = {"loop0": 0.0, "vda": 9e6}, {"loop0": 700.0, "vda": 100.0}
    reads = {"game.read_bytes_per_s": 5e6, "game.write_bytes_per_s": 0.0}
    assert slowest_drive([_tick(reads, read, awaits)])[0] == "vda"
    writes = {**reads, "game.write_bytes_per_s": 1e6}
    assert slowest_drive([_tick(writes, read, awaits)])[0] == "loop0"
    assert slowest_drive([_tick(reads, {"sda": 0.0}, {"sda": 40.0})])[0] == "sda"


def test_a_loop_drive_that_is_as_slow_as_the_one_below_is_a_mirror_of_it():
    """The drive below is the better name, unless the loop is much slower."""
    read = {"loop0": 1.0, "vda": 1.0}
    assert slowest_drive([_tick({}, read, {"loop0": 110.0, "vda": 100.0})])[0] == "vda"
    assert slowest_drive([_tick({}, read, {"loop0": 900.0, "vda": 100.0})])[0] == "loop0"


def test_what_a_game_read_came_from_the_drive_that_can_have_had_it():
    """Strangers filled two disks in files, as much as the game read from another at 0.1 ms."""
    own = {"game.read_bytes_per_s": 90e6}
    read = {"loop2": 3e6, "loop3": 100e6, "vda": 95e6}
    rates = {"loop2": 60.0, "loop3": 800.0, "vda": 7000.0}
    awaits = {"loop2": 10.0, "loop3": 58.0, "vda": 0.1}
    instanced = {
        "disk.reads_per_s": rates,
        "disk.read_bytes_per_s": read,
        "disk.read_await_ms": awaits,
    }
    ticks = [Tick(0, SECOND_NS, own, instanced)]
    assert slowest_drive(ticks) == ("vda", 0.1, False)
    little = [Tick(0, SECOND_NS, {"game.read_bytes_per_s": 5e6}, instanced)]
    assert slowest_drive(little)[0] == "loop3"
    # A drive that is as slow for the few requests of the game stays the one that it waits for.
    few = {**instanced, "disk.reads_per_s": {**rates, "loop3": 100.0}}
    assert slowest_drive([Tick(0, SECOND_NS, own, few)])[0] == "loop3"
