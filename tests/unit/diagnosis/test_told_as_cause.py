# SPDX-License-Identifier: GPL-3.0-or-later
"""What is told as the cause of stutters, and what only stands beside or below it."""

from dataclasses import replace
from unittest.mock import create_autospec

import pytest

from destutter.analysis.examining.measured_demand import MeasuredDemand
from destutter.diagnosis.blame.blame import Blame, Certainty, WhereTimeWent
from destutter.diagnosis.blame.nearest_cause import nearest_cause
from destutter.diagnosis.causes.cause import Signal
from destutter.diagnosis.causes.registry import CAUSE_BY_ID
from destutter.diagnosis.causes.suspects import who_wrote_to_the_disk
from destutter.diagnosis.circumstances.circumstances import Circumstances
from destutter.diagnosis.finding import Confidence, Finding, Group, Spike, TileState, VerdictKind
from destutter.diagnosis.findings.correlator import Match
from destutter.diagnosis.findings.order import ranked, with_consequences
from destutter.diagnosis.history.witnesses import Process, Witness, busiest
from destutter.diagnosis.verdict.verdict import _leading
from destutter.diagnosis.verdict.verdict_basis import VerdictBasis
from destutter.words.renderer import english
from tests.support.engine_scenes import WORKING, assessed, begin, busy_storage, engine, see

_SPIKES = [Spike(second * 10**9, 60.0, "mangohud") for second in range(1, 11)]
_STORAGE = Blame(WhereTimeWent.STORAGE, Certainty.SEEN, 60.0)
_COMMIT = Circumstances(59.0, seen={"journal": 2}, looks=2, drive="sda", is_write=True)
_READS = Circumstances(60.0, seen={"io": 1}, looks=1, drive="sda", await_ms=50.0)


def _found(cause, spikes, confidence=Confidence.HIGH):
    group = CAUSE_BY_ID[cause].group
    weight = len(spikes) / 10
    finding = Finding(cause, group, confidence, len(spikes), 10, 0, 1, (), weight=weight)
    how = Match(tuple(spikes), (), len(spikes), direct=0, share=0.1, chance=0.1)
    return finding, how


def _in_order(*found):
    told = with_consequences(ranked(found, CAUSE_BY_ID), CAUSE_BY_ID)
    return [(finding.cause, finding.consequence_of) for finding, _ in told]


def test_a_guess_is_never_the_headline():
    """It stands below as a possibility, with how to find out; its tile is worth a look only."""
    told = assessed(busy_storage().script)
    assert told.verdict.kind is VerdictKind.UNEXPLAINED
    assert told.verdict.headline.id == "verdict.unexplained.frames"
    assert told.verdict.finding.confidence is Confidence.LOW
    detail = english(told.verdict.detail)
    assert "Possible at 6 of 6" in detail
    assert "To check, " in detail
    (tile,) = [each for each in told.groups if each.group is Group.STORAGE]
    assert tile.state is TileState.WATCH


@pytest.mark.parametrize(
    ("of_cores", "of_drives", "confidence", "told"),
    [
        (12, 14, Confidence.MEDIUM, "slow_device"),
        (13, 13, Confidence.MEDIUM, "run_queue_delay"),
        (12, 14, Confidence.LOW, "run_queue_delay"),
    ],
)
def test_the_headline_is_the_sure_cause_of_most(of_cores, of_drives, confidence, told):
    """ "CPU, 12 of 26" stood above "14 others: slow drive"; a guess has no headline either way."""
    cores, _ = _found("run_queue_delay", _SPIKES)
    drives, _ = _found("slow_device", _SPIKES, confidence)
    explained = {"run_queue_delay": of_cores, "slow_device": of_drives}
    recent = [
        replace(_SPIKES[0], cause=cause)
        for cause, count in explained.items()
        for _ in range(count)
    ]
    basis = create_autospec(
        VerdictBasis, findings=(cores, drives), explained=explained, recent=recent
    )
    leading = _leading(basis)
    assert leading is not None
    assert leading.cause == told


@pytest.mark.parametrize(
    ("seen", "headline"),
    [("stopped", "stopped"), ("main_pipe", "program"), ("main_gpu", "card")],
)
def test_the_headline_says_no_less_than_the_line_below(seen, headline):
    """Where it is known what the game waited for, "no cause stands out" is not true."""
    told = assessed(engine({}, (seen,)).script)
    assert told.verdict.headline.id == f"verdict.{headline}.frames"
    assert "no cause" not in english(told.verdict.headline)


def test_a_consequence_stands_under_its_cause():
    """Interrupts between cores come with the freeing of memory, and one of them beside it."""
    shootdowns = _found("tlb_shootdowns", _SPIKES[:6], Confidence.MEDIUM)
    crowd = _found("run_queue_delay", _SPIKES[6:], Confidence.HIGH)
    reclaim = _found("direct_reclaim", _SPIKES[:5])
    assert _in_order(shootdowns, crowd, reclaim) == [
        ("direct_reclaim", ""),
        ("tlb_shootdowns", "direct_reclaim"),
        ("run_queue_delay", ""),
    ]


def test_nothing_is_a_consequence_of_a_guess_or_of_other_stutters():
    """Then it stands for itself, be it before a guess that would explain more stutters.

    Else what is known is told as a mere consequence of what may be, and no remedy is named.
    """
    shootdowns = _found("tlb_shootdowns", _SPIKES[:6], Confidence.MEDIUM)
    guess = _found("direct_reclaim", _SPIKES[:6], Confidence.LOW)
    assert ("tlb_shootdowns", "") in _in_order(shootdowns, guess)
    at_all = _found("direct_reclaim", _SPIKES, Confidence.LOW)
    assert _in_order(shootdowns, at_all) == [("tlb_shootdowns", ""), ("direct_reclaim", "")]
    elsewhere = _found("direct_reclaim", _SPIKES[4:])
    assert ("tlb_shootdowns", "") in _in_order(shootdowns, elsewhere)


def test_nothing_is_advised_against_what_explains_no_stutter():
    """It met hitches only, or came with another cause; without stutters hitches count."""

    met = Finding("compaction_stall", Group.MEMORY, Confidence.MEDIUM, 0, 6, 0, 1, ())

    def advised(**told):
        measured = MeasuredDemand().measured([replace(met, **told)])
        return "compaction_stall" in measured.causes

    assert advised(stutters_explained=5)
    assert not advised(hitches_explained=2, hitches_total=3)
    assert not advised(stutters_explained=5, consequence_of="direct_reclaim")
    assert advised(stutters_total=0, hitches_explained=2, hitches_total=3)


def test_a_commit_is_as_slow_as_its_drive():
    """Two requests in 59 ms are the drive's; 24 in 103 ms are somebody's who has much synced."""
    slow = replace(_COMMIT, request_ms=29.5, await_ms=37.0)
    assert nearest_cause(_STORAGE, slow) == "slow_device"
    queue = replace(_COMMIT, duration_ms=103.0, request_ms=4.3, await_ms=19.0)
    assert nearest_cause(_STORAGE, queue) == "filesystem_commit"


def test_a_drive_that_is_slow_to_write_a_log_is_named():
    """The main thread sleeps in the commit, and the drive works half a second for two writes."""
    script = begin()
    script.run(5, WORKING).frames(*[16.67] * 300)
    for _ in range(6):
        see(script, ("journal",))
        drive = {"disk:sda.writes": 4, "disk:sda.write_ms": 1200, "disk:sda.io_ms": 1000}
        waits = {"pressure:io.some_us": 1e6, **drive}
        script.run(0.6, waits).frames(600.0)
        see(script, ())
        script.run(3, WORKING).frames(*[16.67] * 180)
    told = assessed(script)
    assert told.verdict.finding.cause == "slow_device"
    assert told.verdict.detail.values["device"] == "sda"


def test_a_commit_names_its_drive():
    """Many small writes beside the game: the commit is the cause, and the drive has a name."""
    script = begin()
    script.run(5, WORKING).frames(*[16.67] * 300)
    for _ in range(6):
        see(script, ("journal",))
        drive = {"disk:sda.writes": 300, "disk:sda.write_ms": 5000, "disk:sda.io_ms": 1000}
        script.run(0.4, {"pressure:io.some_us": 1e6, **drive}).frames(400.0)
        see(script, ())
        script.run(3, WORKING).frames(*[16.67] * 180)
    told = assessed(script)
    assert told.verdict.finding.cause == "filesystem_commit"
    assert told.verdict.detail.values["device"] == "sda"


def test_who_has_little_written_down_again_and_again_makes_a_commit_long():
    """A data base writes 130 kB a second and syncs each; the kernel's workers write for others."""
    told = Witness(
        0, 2_300_000_000,
        (
            Process(7, "mysqld", write_bytes_per_s=130_000.0),
            Process(8, "kworker/u8:1", write_bytes_per_s=500_000.0),
            Process(9, "notes", write_bytes_per_s=4_000.0),
        ),
        (), {},
    )  # fmt: skip
    named = who_wrote_to_the_disk(Signal(1.0, (), "sda"), told)
    assert [each.comm for each in named] == ["sda", "mysqld"]


def test_beside_a_game_that_saves_much_nobody_is_accused_of_the_commit():
    """A file manager wrote 98 kB/s, the game 60 MB/s; who wrote a good part of that is named."""
    for written, named in ((98_000.0, ["sda"]), (40e6, ["sda", "find"])):
        look = Witness(
            0, 2_300_000_000, (Process(7, "find", write_bytes_per_s=written),), (), {},
            {"sda": 60e6},
        )  # fmt: skip
        found = who_wrote_to_the_disk(Signal(1.0, (), "sda"), look)
        assert [each.comm for each in found] == named


def test_what_was_thrown_away_and_has_to_be_read_again_is_told_as_that():
    """Reads after somebody emptied the page cache; a write is none of its doing."""
    assert nearest_cause(_STORAGE, _READS) == "slow_device"
    assert nearest_cause(_STORAGE, replace(_READS, dropped=True)) == "dropped_caches"
    assert nearest_cause(_STORAGE, replace(_COMMIT, dropped=True)) != "dropped_caches"


def test_programs_of_one_language_are_not_one_program():
    """Two scripts keep their numbers; the workers of an indexer are one program without one."""
    scripts = [Process(5, "python3", cpu_pct=40.0), Process(6, "python3", cpu_pct=50.0)]
    best = busiest(scripts, "cpu_pct", 5.0)
    assert best is not None
    assert (best.pid, best.cpu_pct) == (6, 50.0)
    workers = [Process(5, "indexer", cpu_pct=40.0), Process(6, "indexer", cpu_pct=50.0)]
    indexer = busiest(workers, "cpu_pct", 5.0)
    assert indexer is not None
    assert (indexer.pid, indexer.cpu_pct) == (None, 90.0)


def test_shaders_are_work_of_the_processor():
    """The game's own threads translate them."""
    assert CAUSE_BY_ID["shader_compilation"].group is Group.CPU
