# SPDX-License-Identifier: GPL-3.0-or-later
"""A finding in words: one writer for terminal, report and window."""

from dataclasses import replace

import pytest

from destutter.analysis.report.diagnosis_words import DiagnosisWords
from destutter.core.statement import Statement
from destutter.diagnosis.finding import BUSY, Confidence, Culprit, Evidence, Finding, Group
from destutter.words.measures import NBSP
from destutter.words.renderer import renderer

ENGLISH = DiagnosisWords(renderer())


@pytest.mark.parametrize(
    ("culprit", "text"),
    [
        (Culprit("process", "hog"), "hog"),
        (Culprit("process", "hog", 42), "hog (42)"),
        (
            Culprit("thread", "saver", 7, Statement("culprit.own_thread")),
            "saver (7), a thread of the game itself",
        ),
        (Culprit("device", "nvme0n1"), "device nvme0n1"),
        (Culprit("interrupt", "24"), "interrupt 24"),
    ],
)
def test_who_did_it(culprit, text):
    """Name and number, what it did, and of what is no program what it is."""
    assert ENGLISH.culprit(culprit) == text


def test_a_measurement_in_a_line():
    """What, on which drive, how much, and from where it counts."""
    evidence = Evidence("disk.read_await_ms", "ms", 41.0, 20.0, 0, "nvme0n1")
    told = f"Wait for a read, nvme0n1: 41{NBSP}ms, counts from 20{NBSP}ms"
    assert ENGLISH.evidence(evidence) == told


@pytest.mark.parametrize("metric", ["pressure.some_pct", "game.pressure_some_pct"])
def test_a_resource_is_named_as_the_graphs_name_it(metric):
    """The kernel's "io" is I/O for a reader, of the whole computer and of the game."""
    assert ENGLISH.metric(Evidence(metric, "%", 50.0, 10.0, 0, "io")).endswith("drives")


@pytest.mark.parametrize(
    ("counts", "kind", "share", "explains"),
    [
        ((1, 1, 0, 0), "", "1 of 1 stutter", "Explains 1 of 1 stutter. "),
        ((2, 3, 0, 4), "", "2 of 3 stutters", "Explains 2 of 3 stutters. "),
        ((2, 3, 1, 4), "", "2 of 3 stutters", "Explains 2 of 3 stutters and 1 of 4 hitches. "),
        ((0, 0, 1, 4), "", "1 of 4 hitches", "Explains 1 of 4 hitches. "),
        ((0, 3, 1, 4), "", "1 of 4 hitches", "Explains 1 of 4 hitches. "),
        ((2, 3, 0, 0), BUSY, "2 of 3 stutters", "Was busy at 2 of 3 stutters. "),
    ],
)
def test_what_it_explains(counts, kind, share, explains):
    """So many of so many, stutters before hitches."""
    met, total, hitches, all_hitches = counts
    finding = Finding(
        "swap_thrash",
        Group.MEMORY,
        Confidence.HIGH,
        met,
        total,
        60_000_000_000,
        3_723_000_000_000,
        (),
        kind=kind,
        hitches_explained=hitches,
        hitches_total=all_hitches,
    )
    assert ENGLISH.share(finding) == share
    assert ENGLISH.explains(finding).startswith(explains)
    nothing = replace(finding, stutters_explained=0, hitches_explained=0)
    assert ENGLISH.share(nothing) == "explains no stutter"
    open_ = replace(nothing, is_open=True)
    assert ENGLISH.share(open_) == "whether the game stuttered then is not measured"
    assert ENGLISH.seen(finding, 0) == "seen from 1:00 to 1:02:03"


@pytest.mark.parametrize(
    ("metric", "value", "text"),
    [
        ("game.run_delay_ms_per_s", 22_705.0, f"1,000{NBSP}ms/s"),
        ("worker.run_delay_ms_per_s", 340.0, f"340{NBSP}ms/s"),
        ("core.run_delay_ms_per_s", 22_705.0, f"22,705{NBSP}ms/s"),
    ],
)
def test_one_thread_waits_no_longer_than_time_passes(metric, value, text):
    """A wait that ended in this tick was of the seconds before it; many tasks wait together."""
    assert ENGLISH.value(Evidence(metric, "ms/s", value, 100.0, 1)) == text
