# SPDX-License-Identifier: GPL-3.0-or-later
"""Which drive is named where the kernel's trace tells for which one the game waited.

The scenes are those of somebody whose game lay on one drive while a backup filled another: 36 of
36 stutters were told as "another program" on the other one.
"""

import pytest

from destutter.core.sample import Facts
from destutter.core.traced import SlowRequest, TracedThread, TraceLook
from destutter.diagnosis.circumstances.circumstances import Circumstances
from destutter.diagnosis.circumstances.drives_below import DrivesBelow
from destutter.diagnosis.circumstances.traced_waits import TracedWaits, TraceLog, WaitInside
from destutter.diagnosis.finding import Confidence, Culprit, Finding, Group, Spike
from destutter.diagnosis.findings.correlator import Match
from destutter.diagnosis.findings.explained import Explained
from destutter.diagnosis.findings.traced_findings import with_traced
from tests.support.engine_scenes import assessed
from tests.unit.diagnosis.test_traced import ELSE, MAIN, MS, STREAMER, scene

FLOODED = {
    "pressure:io.some_us": 9.8e5,
    "game_status.read_bytes": 400_000,
    "disk:nvme0n1.reads": 200,
    "disk:nvme0n1.read_ms": 13_000,
    "disk:nvme0n1.sectors_read": 400_000,
    "disk:nvme0n1.writes": 200,
    "disk:nvme0n1.write_ms": 13_000,
    "disk:nvme0n1.sectors_written": 400_000,
    "disk:nvme0n1.io_ms": 1000,
    "disk:sda.reads": 40,
    "disk:sda.read_ms": 820,
    "disk:sda.io_ms": 800,
    "disk:sda.sectors_read": 800,
}
"""Others move 200 MB a second on one drive, which takes 65 ms; the game reads from the other."""


def asked(thread, device, ms, begin_ms=10):
    """A read of so many milliseconds, so long after the stutter began."""
    return lambda at_ns: SlowRequest(
        *(device, "read", 8, 8, at_ns + begin_ms * MS, None, ms * MS, None, thread, False)
    )


def named(found):
    """The drives that findings name which explain a stutter, by cause."""
    return {
        each.cause: [culprit.comm for culprit in each.culprits if culprit.what == "device"]
        for each in found.findings
        if each.stutters_explained
    }


@pytest.mark.parametrize("thread", [MAIN, STREAMER])
def test_another_drive_is_not_named_however_full_it_is(thread):
    """170 ms of 200 for the game's own drive, by the kernel's word."""
    guessed = named(assessed(scene(FLOODED, seen=("io",), is_traced=False)))
    assert "nvme0n1" in guessed["io_unfairness"]
    told = assessed(scene(FLOODED, [asked(thread, "sda", 170)], seen=("io",)))
    assert named(told) == {"slow_device": ["sda"]}
    assert [each.cause for each in told.spikes] == ["slow_device"] * 6


def test_the_drive_for_which_it_waited_is_named_where_others_fill_it():
    """The same computer with the game on the drive that the backup fills."""
    told = assessed(scene(FLOODED, [asked(MAIN, "nvme0n1", 170)], seen=("io",)))
    assert named(told)["io_unfairness"] == ["nvme0n1"]


def test_what_lies_below_the_drive_may_be_named_too():
    """The game waits for a loop drive, whose file lies on the drive that others fill."""
    script = scene(FLOODED, [asked(MAIN, "loop0", 170)], seen=("io",))
    script.messages.insert(
        1, Facts(script.messages[0].monotonic_ns, {"disk.loop0.below": "nvme0n1"})
    )
    assert named(assessed(script))["io_unfairness"] == ["nvme0n1"]


def test_a_wait_knows_its_drives_and_what_they_lie_on():
    """Of those that nobody waited for none is told."""
    log = TraceLog()
    log.accept_facts(Facts(0, {"trace.game": "7", "disk.dm-0.below": "sda sdb"}))
    requests = tuple(each(1000 * MS) for each in (asked(MAIN, "dm-0", 80), asked(ELSE, "sdc", 80)))
    log.accept_look(TraceLook(0, 4000 * MS, 0, 1, requests=requests))
    traced = log.within(Spike(1100 * MS, 100.0, "frame"), "7")
    assert traced is not None
    assert traced.drives == {"dm-0", "sda", "sdb"}


def test_what_lies_on_what_is_known_as_it_is_told():
    """A drive that lies on none any more is told as empty."""
    below = DrivesBelow()
    below.accept_facts({"disk.loop0.below": "sda", "disk.sda.model": "Fast", "game.pid": "7"})
    assert below.with_below(["loop0", ""]) == {"loop0", "sda"}
    below.accept_facts({"disk.loop0.below": None})
    assert below.with_below(["loop0", "sdb"]) == {"loop0", "sdb"}


@pytest.mark.parametrize(("seen", "has_drive"), [(("io",), False), (("journal",), True)])
def test_a_slow_drive_of_which_the_game_asked_nothing_is_not_named(seen, has_drive):
    """Its requests take 65 ms, so that one of the game's would have been told; but who waits for a
    commit asks for none."""
    told = named(assessed(scene({**FLOODED, "disk:sda.read_ms": 40}, seen=seen)))
    assert any("nvme0n1" in drives for drives in told.values()) is has_drive


def test_who_asked_another_drive_did_not_ask_the_same():
    """It waited for one drive, and for 5 ms for the other, which a backup flooded."""
    spike = Spike(1000 * MS, 200.0, "frame")
    backup = TracedThread(90, "backup", 90)
    others = tuple(asked(backup, device, 180)(800 * MS) for device in ("sdb", "sdb"))
    waits = (
        WaitInside(STREAMER, "request", 810 * MS, 990 * MS, "sda"),
        WaitInside(STREAMER, "request", 990 * MS, 995 * MS, "sdb"),
    )
    met = Circumstances(200.0, traced=TracedWaits(frozenset({"request"}), waits, others))
    finding = Finding("slow_device", Group.STORAGE, Confidence.MEDIUM, 1, 1, 0, 1, evidence=())
    match = Match(explained=(spike,), moments=(), met=1, direct=0, share=0.0, chance=1.0)
    better, _ = with_traced((finding, match), [Explained(spike, met, ())])
    assert better.culprits == ()


FLOODER = TracedThread(91, "Flooder", 91)
AT_LOOP2 = WaitInside(STREAMER, "request", 810 * MS, 990 * MS, "loop2")
AT_LOOP3 = WaitInside(STREAMER, "request", 810 * MS, 990 * MS, "loop3")


def asked_meanwhile(cause, group, waits, device="loop3", **known):
    """Whom a finding of loop2 names beside somebody who asked a drive for 180 ms."""
    spike = Spike(1000 * MS, 200.0, "frame")
    others = (asked(FLOODER, device, 180)(800 * MS),)
    kinds = frozenset({"request", "core"})
    met = Circumstances(200.0, traced=TracedWaits(kinds, waits, others))
    finding = Finding(
        *(cause, group, Confidence.MEDIUM, 1, 1, 0, 1),
        evidence=(),
        culprits=(Culprit("device", "loop2"),) if group is Group.STORAGE else (),
    )
    match = Match(explained=(spike,), moments=(), met=1, direct=0, share=0.0, chance=1.0)
    better, _ = with_traced((finding, match), [Explained(spike, met, (), **known)])
    return [each.comm for each in better.culprits if each.what == "process"]


def test_who_flooded_another_drive_than_the_one_that_is_named():
    """In most stutters the game waited for loop2, in one for loop3, which somebody flooded."""
    both = (AT_LOOP2, AT_LOOP3)
    assert asked_meanwhile("slow_device", Group.STORAGE, both) == []
    assert asked_meanwhile("slow_device", Group.STORAGE, both, "loop2") == ["Flooder"]
    # What lies below the named drive has another name.
    assert asked_meanwhile("slow_device", Group.STORAGE, (AT_LOOP3,)) == ["Flooder"]


def test_who_asked_a_drive_did_not_take_the_core():
    """Beside a wait for a core one for the drive that somebody flooded."""
    waits = (WaitInside(MAIN, "core", 810 * MS, 990 * MS), AT_LOOP3)
    assert asked_meanwhile("run_queue_delay", Group.CPU, waits) == []


def test_what_the_game_started_asks_for_the_game():
    """A loader that the game runs as a program of its own is not to be closed."""
    own = {"own_programs": frozenset(["Flooder"])}
    assert asked_meanwhile("slow_device", Group.STORAGE, (AT_LOOP2,), "loop2", **own) == []
