# SPDX-License-Identifier: GPL-3.0-or-later
"""What counts as a stutter."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.metrics import Gap, Metrics
from destutter.core.sample import Frames
from destutter.diagnosis.frame_steps import RunningMedian
from destutter.diagnosis.spikes import SpikeDetector

SECOND_NS = 1_000_000_000


def _frames(lengths_ms, start_ns=0):
    ends, now = [], start_ns
    for length in lengths_ms:
        now += round(length * 1e6)
        ends.append(now)
    return Frames("mangohud", tuple(ends), tuple(round(each * 1000) for each in lengths_ms))


def _spikes(lengths_ms):
    detector = SpikeDetector(None)
    detector.accept_frames(_frames(lengths_ms))
    return detector.spikes


@pytest.mark.parametrize(
    ("usual_ms", "long_ms", "is_stutter"),
    [
        (16.7, 120.0, True),
        (16.7, 51.0, True),
        (16.7, 49.0, False),
        (6.9, 25.0, False),
        (6.9, 60.0, True),
        (33.3, 60.0, False),
        (33.3, 90.0, True),
        (66.0, 70.0, False),
    ],
)
def test_a_stutter_is_long_in_itself_and_against_the_running_median(usual_ms, long_ms, is_stutter):
    """More than 2.5 times the median and more than three refreshes of 16.7 ms."""
    spikes = _spikes([usual_ms] * 60 + [long_ms] + [usual_ms] * 60)
    assert [spike.duration_ms for spike in spikes] == ([long_ms] if is_stutter else [])


def test_the_first_frames_are_judged_together():
    """Without thirty frames there is no usual frame time to compare with; then there is."""
    assert _spikes([10.0] * 20 + [400.0] + [10.0] * 8) == ()
    (spike,) = _spikes([10.0] * 20 + [400.0] + [10.0] * 9)
    assert (spike.duration_ms, spike.monotonic_ns) == (400.0, 600 * SECOND_NS // 1000)
    assert [each.duration_ms for each in _spikes([60.0] * 9 + [10.0] * 21)] == [60.0]
    assert _spikes([60.0] * 16 + [10.0] * 14) == ()


def test_the_first_frames_after_a_suspend_are_no_stutters():
    """Everything is late for a moment then, also where nothing was measured before."""
    detector = SpikeDetector(None)
    slept = Metrics(SECOND_NS // 10, 0.1, {}, gap=Gap(0, SECOND_NS // 10, "suspend"))
    detector.accept_metrics(slept)
    ends = tuple((each + 11) * SECOND_NS // 100 for each in range(40))
    lengths = tuple(400_000 if each == 3 else 10_000 for each in range(40))
    detector.accept_frames(Frames("mangohud", ends, lengths))
    assert detector.spikes == ()


def test_long_frames_close_together_are_one_stutter():
    """Four long frames in a row are felt once; the longest speaks for them."""
    spikes = _spikes([16.7] * 60 + [80.0, 16.7, 200.0, 60.0, 90.0] + [16.7] * 60)
    assert [(spike.duration_ms, spike.more_ms) for spike in spikes] == [(200.0, 230.0)]


def test_a_long_row_of_stutters_counts_once_a_second():
    """Stuttering for five seconds is not one stutter."""
    spikes = _spikes([16.7] * 300 + [100.0, 16.7] * 43)
    assert 4 <= len(spikes) <= 6


def _metrics(at_ns, late_ms, gap=None):
    return Metrics(at_ns, 0.1, {"wakeup.worst_ms": late_ms}, {}, gap)


def test_without_frames_late_wake_ups_count_from_20_ms():
    """A wake-up of 19.9 ms is not worth a word, one of 20 ms is a hiccup."""
    detector = SpikeDetector(None)
    detector.accept_metrics(_metrics(1 * SECOND_NS, 19.9))
    detector.accept_metrics(_metrics(3 * SECOND_NS, 20.0))
    assert [(spike.monotonic_ns, spike.origin) for spike in detector.spikes] == [
        (3 * SECOND_NS, "wakeup")
    ]


def test_frames_replace_the_probe():
    """From the first frame on only frames count, until they stop for ten seconds."""
    detector = SpikeDetector(None)
    detector.accept_metrics(_metrics(1 * SECOND_NS, 90.0))
    detector.accept_frames(_frames([16.7] * 60, 2 * SECOND_NS))
    detector.accept_metrics(_metrics(4 * SECOND_NS, 90.0))
    assert detector.spikes == ()
    detector.accept_metrics(_metrics(20 * SECOND_NS, 90.0))
    assert len(detector.spikes) == 1


def _sampled(count, start_ns=0, every_ms=100, length_ms=16.7):
    """A log that holds one frame in so many milliseconds."""
    ends = [start_ns + number * every_ms * 1_000_000 for number in range(1, count + 1)]
    return Frames("mangohud", tuple(ends), (round(1000 * length_ms),) * count)


@pytest.mark.parametrize(("every_ms", "are_sampled"), [(17, False), (25, False), (100, True)])
def test_a_log_without_most_frames_does_not_replace_the_probe(every_ms, are_sampled):
    """MangoHud's log_interval above 0: a stutter is hardly ever among the frames that are left."""
    detector = SpikeDetector(None)
    detector.accept_frames(_sampled(60, 2 * SECOND_NS, every_ms))
    now_ns = 2 * SECOND_NS + 60 * every_ms * 1_000_000
    assert detector.are_sampled is are_sampled
    assert detector.sees_frames(now_ns) is not are_sampled
    detector.accept_metrics(_metrics(now_ns, 90.0))
    assert [spike.origin for spike in detector.spikes] == ["wakeup"] * are_sampled


def test_a_stutter_that_log_and_probe_see_counts_once():
    """The longer one speaks for both."""
    detector = SpikeDetector(None)
    detector.accept_frames(_sampled(60))
    end_ns = 7 * SECOND_NS
    detector.accept_metrics(_metrics(end_ns - 5_000_000, 150.0))
    detector.accept_frames(Frames("mangohud", (end_ns,), (180_000,)))
    assert [(each.origin, each.duration_ms) for each in detector.spikes] == [("mangohud", 180.0)]


def test_pauses_of_a_log_are_no_missing_frames():
    """Logging that is switched off and on again leaves gaps between whole pieces."""
    detector = SpikeDetector(None)
    for piece in range(6):
        detector.accept_frames(_frames([16.7] * 20, piece * 5 * SECOND_NS))
    assert not detector.are_sampled


def test_nothing_counts_right_after_a_sleep_of_the_computer():
    """Waking up from suspend is late by nature."""
    detector = SpikeDetector(None)
    gap = Gap(0, 10 * SECOND_NS, "suspend")
    detector.accept_metrics(Metrics(10 * SECOND_NS, 0.1, {}, {}, gap))
    detector.accept_metrics(_metrics(11 * SECOND_NS, 500.0))
    detector.accept_metrics(_metrics(13 * SECOND_NS, 500.0))
    assert [spike.monotonic_ns for spike in detector.spikes] == [13 * SECOND_NS]


def test_spikes_older_than_the_horizon_are_forgotten():
    """Memory stays constant: what lies before the horizon goes."""
    detector = SpikeDetector(600 * SECOND_NS)
    for minute in range(15):
        detector.accept_metrics(_metrics((1 + 60 * minute) * SECOND_NS, 50.0))
    detector.forget_before((1 + 60 * 14) * SECOND_NS)
    assert len(detector.spikes) == 11


def test_a_spike_knows_when_it_began():
    """Its end minus its length."""
    detector = SpikeDetector(None)
    detector.accept_metrics(_metrics(5 * SECOND_NS, 250.0))
    assert detector.spikes[0].start_ns == 4_750_000_000


@given(st.lists(st.integers(1, 10_000_000), min_size=1, max_size=400))
def test_running_median_is_the_median_of_the_last_values(values):
    """Whatever comes in, the median is that of the last 50."""
    median = RunningMedian(50)
    for value in values:
        median.add(value)
    kept = sorted(values[-50:])
    assert median.value == kept[len(kept) // 2]
    assert len(median) == len(kept)
