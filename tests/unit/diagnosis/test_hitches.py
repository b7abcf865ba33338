# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames that are felt, and are no stutters."""

import pytest

from destutter.analysis.examining.pipeline import Pipeline
from destutter.core.sample import Frames
from destutter.diagnosis.assessor import Assessor
from destutter.diagnosis.finding import VerdictKind
from destutter.diagnosis.stutters.spikes import SpikeDetector
from destutter.words.renderer import english
from tests.support.engine_scenes import hitches
from tests.support.scripted_source import Script


def _seen(*lengths_ms, before_ms=16.67):
    detector, end_ns, ends, lengths = SpikeDetector(None), 0, [], []
    for length_ms in (*[before_ms] * 100, *lengths_ms):
        end_ns += int(length_ms * 1e6)
        ends.append(end_ns)
        lengths.append(int(length_ms * 1000))
    detector.accept_frames(Frames("mangohud", tuple(ends), tuple(lengths)))
    return detector


@pytest.mark.parametrize(
    ("before_ms", "length_ms", "count"),
    [
        (16.67, 26.7, 1),  # a lone wait of 10 ms at 60 fps
        (16.67, 23.0, 0),
        (9.0, 17.0, 1),  # 8 ms above 100 fps
        (8.0, 15.0, 0),
        (16.67, 80.0, 0),  # a stutter, which is counted as that
    ],
)
def test_a_lone_wait_is_a_hitch(before_ms, length_ms, count):
    """From 8 ms above the frames around it, half a refresh of 60 Hz."""
    detector = _seen(length_ms, *[before_ms] * 20, before_ms=before_ms)
    assert len(detector.hitches) == count


def test_the_excess_is_what_was_lost():
    """Not the whole frame, of which most is the game's usual work."""
    (hitch,) = _seen(30.0, *[16.67] * 20).hitches
    assert hitch.duration_ms == pytest.approx(13.3, abs=0.1)


def test_frames_in_a_row_are_one_hitch():
    """Those within a quarter of a second are felt as one."""
    assert len(_seen(30.0, 30.0, 16.67, 31.0, *[16.67] * 40, 30.0).hitches) == 2


def test_frames_beside_a_stutter_belong_to_it():
    """Just before it and just after it."""
    detector = _seen(30.0, 16.67, 120.0, 30.0, *[16.67] * 40)
    assert (len(detector.spikes), len(detector.hitches)) == (1, 0)


def test_a_rough_pace_is_no_hitch():
    """Frames of 10 and 25 ms in turn differ by 15 ms all the time."""
    assert _seen(*[10.0, 25.0] * 200, before_ms=17.5).hitches[1:] == ()


def test_hitches_are_explained_by_the_same_rules():
    """A drive that takes 25 ms at each of them is their cause; they are counted apart."""
    pipeline = Pipeline(Assessor())
    for message in hitches().script.messages:
        pipeline.accept_message(message)
    snapshot = pipeline.take_snapshot()
    assert snapshot is not None
    told = snapshot.assessment
    assert told.verdict.kind is VerdictKind.HITCHES
    assert not told.spikes
    assert len(told.hitches) == 16
    first = told.findings[0]
    assert (first.cause, first.stutters_explained) == ("slow_device", 0)
    assert first.hitches_explained >= 14
    assert "Slow drive" in english(told.verdict.detail)


def test_one_hitch_is_still_smooth():
    """A shader or a menu: every game has one."""
    script = Script(has_probe=False).run(10).frames(*[16.67] * 300, 29.0, *[16.67] * 290)
    pipeline = Pipeline(Assessor())
    for message in script.messages:
        pipeline.accept_message(message)
    snapshot = pipeline.take_snapshot()
    assert snapshot is not None
    told = snapshot.assessment
    assert (told.verdict.kind, len(told.hitches)) == (VerdictKind.SMOOTH, 1)
