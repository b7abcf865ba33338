# SPDX-License-Identifier: GPL-3.0-or-later
"""A recording of which a part is lost, or was never there, makes less be said and nothing else."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from destutter.analysis.examining.pipeline import Pipeline
from destutter.core.metric_table import METRICS
from destutter.core.metrics import DAMAGED, Deriver, Metrics
from destutter.core.sample import Frames, Layout, Reading, Sample
from destutter.diagnosis.assessor import Assessor
from destutter.diagnosis.circumstances.circumstances import Circumstances, circumstances
from destutter.diagnosis.circumstances.covered import covered_ms
from destutter.diagnosis.finding import Confidence, Spike, VerdictKind
from destutter.diagnosis.history.tick_log import Tick, TickLog
from destutter.session.replay import ReplaySource
from tests.support.sampled import sampled
from tests.truth.judge import judgement_of

SESSIONS = Path(__file__).parents[2] / "data/sessions"
MS = 1_000_000


def _with_hole(stem, folder, first, last):
    """A copy in which these hundredths of the bytes are zeros."""
    data = bytearray((SESSIONS / f"{stem}.destutter").read_bytes())
    start, end = (len(data) * each // 100 for each in (first, last))
    data[start:end] = bytes(end - start)
    path = folder / f"{stem}.destutter"
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    "stem",
    sampled(["jobs_compute", "streams_behind", "stopped", "saves_behind"], ["saves_behind"]),
)
def test_of_stutters_within_a_hole_nothing_is_said(stem, tmp_path):
    """Their frames may be there, in a later message; what was measured beside is not theirs."""
    path = _with_hole(stem, tmp_path, 35, 60)
    with_hole = ReplaySource(path)
    told = judgement_of(path).assessment
    gaps = with_hole.gaps
    with_hole.close()
    assert gaps
    inside = [
        spike
        for spike in told.spikes
        for gap in gaps
        if gap.start_ns <= spike.start_ns and spike.monotonic_ns <= gap.end_ns
    ]
    assert all(spike.cause is None or spike.is_guess for spike in inside)
    whole = judgement_of(SESSIONS / f"{stem}.destutter").assessment
    span_s, whole_s = (each.verdict.headline.values["span_s"] for each in (told, whole))
    assert isinstance(span_s, int)
    assert isinstance(whole_s, int)
    assert span_s < whole_s


@given(data=st.data())
@settings(max_examples=12, deadline=None)
def test_a_hole_accuses_nobody_new(data, tmp_path_factory):
    """What is said with medium confidence or more is said of the whole recording as well."""
    stem = data.draw(st.sampled_from(["jobs_compute", "streams_beside_nap", "loader_behind"]))
    first = data.draw(st.integers(15, 70))
    last = data.draw(st.integers(first + 5, 95))
    path = _with_hole(stem, tmp_path_factory.mktemp("hole"), first, last)
    truth = json.loads((SESSIONS / f"{stem}.json").read_text())
    told = judgement_of(path).assessment
    said = {
        each.cause
        for each in told.findings
        if each.stutters_explained and each.confidence is not Confidence.LOW
    }
    assert said <= {*truth["causes"], *truth["also"]}


def test_the_first_sample_behind_a_loss_has_no_rates():
    """Counters have what was lost, too."""
    deriver = Deriver(METRICS)
    deriver.accept_layout(Layout("load", ("some",)))
    deriver.derive(Sample(10**9, 0, 0, 0, (Reading("load", 10**9, (1,)),)))
    behind = Sample(9 * 10**9, 0, 0, 0, (Reading("load", 9 * 10**9, (2,)),), is_after_loss=True)
    metrics = deriver.derive(behind)
    assert metrics.gap is not None
    assert (metrics.gap.reason, metrics.gap.is_blind, metrics.elapsed_s) == (DAMAGED, True, 0.0)
    earlier = deriver.derive(Sample(2 * 10**9, 0, 0, 0, (Reading("load", 2 * 10**9, (2,)),)))
    assert earlier.gap is not None
    assert earlier.gap.reason == DAMAGED


@pytest.mark.parametrize(
    ("ticks", "covered"),
    [
        ([], 0.0),
        ([(0, 400)], 300.0),
        ([(0, 100), (100, 200), (200, 400)], 300.0),
        ([(0, 50), (900, 1000)], 50.0),
        ([(0, 50), (300, 500)], 250.0),
    ],
)
def test_how_much_of_a_stutter_was_measured(ticks, covered):
    """Of one from 100 to 400 ms; a clock may be off by a tick."""
    spike = Spike(400 * MS, 300.0, "mangohud")
    measured = [Tick(start * MS, end * MS) for start, end in ticks]
    assert covered_ms(spike, measured) == pytest.approx(covered)


@pytest.mark.parametrize("first_s", [0, 6, 9, 18])
def test_of_a_few_seconds_nothing_is_more_than_a_guess(first_s):
    """ "Too short to judge" stood above "Explains 2 of 2, medium"."""
    replay = ReplaySource(SESSIONS / "contended_reads_none.destutter")
    begin_ns = replay.header.monotonic_ns + first_s * 10**9
    assessor = Assessor(None, None)
    pipeline = Pipeline(assessor)
    for message in replay.messages():
        if isinstance(message, Sample | Frames):
            times = [message.monotonic_ns] if isinstance(message, Sample) else message.monotonic_ns
            if not all(begin_ns <= at < begin_ns + 7 * 10**9 for at in times):
                continue
        pipeline.accept_message(message)
    replay.close()
    told = assessor.assess()
    assert told.verdict.kind is VerdictKind.MEASURING
    assert all(each.confidence is Confidence.LOW for each in told.findings)


def test_what_lies_beside_a_hole_is_not_what_a_stutter_waited_for():
    """A stutter of 2.2 s of which 0.4 s were measured, with a drive that was waited for."""
    log = TickLog()
    waits = {"pressure.some_pct": {"io": 100.0}}
    for tick in (*range(1, 11), *range(31, 41)):
        log.accept_metrics(Metrics(tick * 100 * MS, 0.1, {}, waits))
    lost = Spike(3100 * MS, 2200.0, "mangohud")
    assert circumstances(log, lost) == Circumstances(2200.0)
    assert circumstances(log, Spike(900 * MS, 400.0, "mangohud")).lost_ms["io"] > 300.0


def _without(path, source):
    replay = ReplaySource(path)
    assessor = Assessor(None, None)
    pipeline = Pipeline(assessor)
    for message in replay.messages():
        if isinstance(message, Layout) and message.source == source:
            continue
        if isinstance(message, Sample):
            left = tuple(each for each in message.readings if each.source != source)
            pipeline.accept_message(replace(message, readings=left))
        else:
            pipeline.accept_message(message)
    replay.close()
    return assessor.assess()


def _sources(path):
    replay = ReplaySource(path)
    sources = {layout.source for layout in replay.layouts()}
    replay.close()
    return sorted(sources)


@pytest.mark.parametrize(
    "source",
    sampled(
        _sources(SESSIONS / "streams_beside_nap.destutter"), ["disk", "game", "pressure", "wakeup"]
    ),
)
def test_without_any_of_the_sources_there_is_an_answer(source):
    """A kernel or a sandbox may lack each of them."""
    told = _without(SESSIONS / "streams_beside_nap.destutter", source)
    assert told.verdict.kind is not VerdictKind.MEASURING


def test_no_drive_is_slow_that_was_not_measured():
    """The game was found waiting for one: that it was slow is a guess."""
    told = _without(SESSIONS / "loader_behind.destutter", "disk")
    of_drives = [each for each in told.findings if each.cause == "slow_device" and each.explains]
    assert of_drives
    assert all(each.confidence is Confidence.LOW for each in of_drives)
    assert all("reason.no_drive" in {why.id for why in each.reasons} for each in of_drives)
