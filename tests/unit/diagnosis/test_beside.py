# SPDX-License-Identifier: GPL-3.0-or-later
"""What fell together with stutters by chance, and what the game had written itself."""

from dataclasses import replace

import pytest

from destutter.core.statement import Statement
from destutter.diagnosis.blame.blame import Blame, Certainty, WhereTimeWent
from destutter.diagnosis.circumstances.circumstances import Circumstances
from destutter.diagnosis.circumstances.drive_load import Load
from destutter.diagnosis.finding import (
    OWN_READING,
    OWN_SAVING,
    Confidence,
    Culprit,
    Finding,
    Group,
    Spike,
    weighty,
)
from destutter.diagnosis.findings.beside import beside_measured
from destutter.diagnosis.findings.correlator import Match
from destutter.diagnosis.findings.explained import Explained
from destutter.diagnosis.findings.own_drive_work import with_own_work
from destutter.diagnosis.remedy import remedy
from destutter.diagnosis.verdict.verdict import _is_quick

SPIKES = tuple(Spike(end, 100.0, "mangohud") for end in (1, 2, 3))
MIB = 2.0**20
WAITED = Blame(WhereTimeWent.CPU, Certainty.MEASURED, 100.0)
BUSY = Blame(WhereTimeWent.STORAGE, Certainty.POSSIBLE, 100.0)


def _found(group=Group.STORAGE, cause="filesystem_commit", direct=0):
    finding = Finding(cause, group, Confidence.HIGH, 3, 3, 0, 1, (), (Culprit("device", "sda"),))
    return finding, Match(SPIKES, (), 3, direct=direct, share=0.1, chance=0.001)


def _known(*blames, **met):
    told = Circumstances(100.0, drive="sda", **met)
    return [Explained(spike, told, blames) for spike in SPIKES]


def test_a_drive_that_was_busy_beside_measured_waits_for_a_core_is_a_guess():
    """A program that writes at the same moments as others compute is not accused."""
    ((told, _),) = beside_measured([_found()], _known(WAITED, BUSY))
    assert told.confidence is Confidence.LOW
    why = Statement("reason.measured_elsewhere", {"met": 3, "cause": "run_queue_delay"})
    assert told.reasons == (why,)


@pytest.mark.parametrize(
    ("found", "known"),
    [
        (_found(direct=1), _known(WAITED, BUSY)),
        (_found(), _known(WAITED, replace(BUSY, certainty=Certainty.SEEN))),
        (_found(), _known(replace(WAITED, certainty=Certainty.SEEN))),
        (_found(), _known(WAITED)[:1]),
        (_found(Group.MEMORY, "direct_reclaim"), _known(WAITED)),
    ],
)
def test_what_the_game_was_found_waiting_for_stays(found, known):
    """And what no other measured wait explains, and what is no drive's."""
    ((told, _),) = beside_measured([found], known)
    assert told.confidence is Confidence.HIGH


@pytest.mark.parametrize("cause", ["filesystem_commit", "slow_device"])
def test_a_game_that_saves_much_is_told_as_that(cause):
    """With the thread that waits for it, nobody to close, and no setting first."""
    waits = Blame(WhereTimeWent.STORAGE, Certainty.SEEN, 100.0, "9 Autosave")
    known = _known(waits, own_written=0.9, drive_written=100 * MIB)
    told, _ = with_own_work(_found(cause=cause), known)
    assert (told.kind, told.told_as) == (OWN_SAVING, f"{cause}.saving")
    assert [(each.what, each.comm) for each in told.culprits] == [
        ("device", "sda"), ("thread", "Autosave"),
    ]  # fmt: skip
    assert remedy(told) == Statement("remedy.saving")


def test_a_game_that_reads_much_is_told_as_that_and_not_as_a_slow_drive():
    """240 MB in a quarter of a second, each request answered in 4 ms: an outsider's game."""
    waits = Blame(WhereTimeWent.STORAGE, Certainty.SEEN, 100.0, "9 main")
    met = {"own_read": 250 * MIB, "drive_bytes": 260 * MIB, "await_ms": 4.0}
    told, _ = with_own_work(_found(cause="slow_device"), _known(waits, **met))
    assert (told.kind, told.told_as) == (OWN_READING, "slow_device.reading")
    assert remedy(told) == Statement("remedy.reading")
    assert [each.id for each in told.reasons][-1] == "reason.own_reading"


@pytest.mark.parametrize(
    "met",
    [
        {"own_read": 100 * MIB, "drive_bytes": 260 * MIB, "await_ms": 4.0},
        {"own_read": 250 * MIB, "drive_bytes": 260 * MIB, "await_ms": 40.0},
        {"own_read": 4 * MIB, "drive_bytes": 4 * MIB, "await_ms": 4.0},
        {"own_read": 250 * MIB, "drive_bytes": 260 * MIB, "await_ms": 8.0, "is_write": True},
    ],
)
def test_beside_a_stranger_or_on_a_drive_that_is_late_it_is_not_its_own_reading(met):
    """Nor where it read little, or the slowest requests were slow writes."""
    found = _found(cause="slow_device")
    assert with_own_work(found, _known(BUSY, **met)) == found


@pytest.mark.parametrize(("await_ms", "is_named"), [(0.06, False), (40.0, True)])
def test_a_drive_that_was_quick_is_not_called_slow(await_ms, is_named):
    """ "While vda was slow to answer" stood beside "vda reads 61.7 us"."""
    finding, _ = _found(cause="slow_device")
    waits = Blame(WhereTimeWent.STORAGE, Certainty.SEEN, 100.0, "9 main")
    known = _known(waits, loads={"sda": Load(1.0, await_ms)}, looks=2)
    assert _is_quick("sda", finding, known) is not is_named


def test_a_commit_is_never_its_own_reading():
    """Who reads makes no journal wait."""
    met = {"own_read": 250 * MIB, "drive_bytes": 260 * MIB, "await_ms": 4.0}
    assert with_own_work(_found(), _known(BUSY, **met)) == _found()


@pytest.mark.parametrize(
    "met",
    [
        {"own_written": 0.3, "drive_written": 100 * MIB},
        {"own_written": 0.9, "drive_written": 1 * MIB},
    ],
)
def test_beside_other_writers_or_with_a_log_it_is_not_its_own_saving(met):
    """Whoever wrote the rest is the reason, or nobody wrote much."""
    assert with_own_work(_found(), _known(BUSY, **met)) == _found()


def test_what_somebody_did_on_another_drive_is_no_measure():
    """One of six stutters met a second drive, where a backup read twenty times as much."""
    slow, fast = Culprit("device", "loop1"), Culprit("device", "vda")
    writes, reads = (
        Culprit("process", name, 7, Statement(f"culprit.traffic.{way}", {"io_bytes_per_s": rate}))
        for name, way, rate in (("updater", "wrote", 19e6), ("backup", "read", 374e6))
    )
    updater, backup = replace(writes, place="loop1"), replace(reads, place="vda")
    assert weighty((slow, updater, backup, fast)) == (slow, updater, fast)
    assert weighty((slow, backup)) == (slow, backup)
    assert weighty((slow, replace(updater, place=""), replace(backup, place=""))) == (
        slow, replace(backup, place=""),
    )  # fmt: skip


def test_of_two_that_read_whoever_read_more_comes_first():
    """Whichever was in sight at the worst moment; the drive keeps its place."""
    drive = Culprit("device", "sda")
    little, much = (
        Culprit("process", name, 7, Statement("culprit.traffic.read", {"io_bytes_per_s": rate}))
        for name, rate in (("scanner", 147e6), ("dd", 909e6))
    )
    computes = Culprit("process", "cc1", 8, Statement("culprit.cpu", {"cpu_pct": 90.0}))
    assert weighty((drive, little, computes, much)) == (drive, much, computes, little)
