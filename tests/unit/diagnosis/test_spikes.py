# SPDX-License-Identifier: GPL-3.0-or-later
"""What counts as a stutter."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.metrics import Gap, Metrics
from destutter.core.sample import Frames
from destutter.diagnosis.stutters.frame_steps import RunningMedian
from destutter.diagnosis.stutters.spikes import RHYTHM_ORIGIN, SpikeDetector

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
    others = spikes[0].others
    assert sorted(each.duration_ms for each in others) == [60.0, 80.0, 90.0]
    assert all((each.more_ms, each.others) == (0.0, ()) for each in others)
    assert not any(each.start_ns < spikes[0].start_ns < each.monotonic_ns for each in others)


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


class _Paced:
    """Ticks of a game with 270 turns a second, in which the probe may speak as well."""

    def __init__(self):
        self.detector: Any = SpikeDetector(None)
        self.now_ns = 0

    def play(self, ticks, rate=270.0):
        for _ in range(ticks):
            self.now_ns += SECOND_NS // 10
            values = {"game.timeslices_per_s": rate}
            self.detector.accept_metrics(Metrics(self.now_ns, 0.1, values))
        return self

    def wake(self, late_ms, ago_ms=0.0):
        at_ns = self.now_ns - round(ago_ms * 1e6)
        self.detector.accept_metrics(Metrics(at_ns, 0.0, {"wakeup.worst_ms": late_ms}))
        return self

    @property
    def told(self):
        return [(each.origin, round(each.duration_ms)) for each in self.detector.spikes]


def test_without_frames_a_standstill_is_a_stutter():
    """It is told one tick after its end, and at its end."""
    game = _Paced().play(60).play(7, 0.0).play(2)
    (spike,) = game.detector.spikes
    assert (spike.origin, spike.monotonic_ns) == (RHYTHM_ORIGIN, 67 * SECOND_NS // 10)
    assert spike.duration_ms == pytest.approx(700.0)


@pytest.mark.parametrize("is_late", [False, True], ids=["before", "after"])
def test_late_wake_ups_of_a_standstill_are_no_stutters_of_their_own(is_late):
    """Whichever of both is told first, with a tick to spare; others stay, in order of time."""
    game = _Paced().play(50).wake(30.0).play(10).play(7, 0.0)
    if is_late:
        game.play(1).wake(90.0, ago_ms=70.0)
    else:
        game.wake(650.0).play(1).wake(40.0)
    game.play(20).wake(25.0)
    assert game.told == [("wakeup", 30), ("rhythm", 700), ("wakeup", 25)]
    ends = [each.monotonic_ns for each in game.detector.spikes]
    assert ends == sorted(ends)


def test_two_standstills_close_together_are_one_stutter():
    """A tick of play between them is not felt."""
    game = _Paced().play(60).play(3, 0.0).play(1).play(2, 0.0).play(5)
    assert game.told == [("rhythm", 300)]
    assert game.detector.spikes[0].more_ms == pytest.approx(200.0)
    assert _Paced().play(60).play(3, 0.0).play(5).play(2, 0.0).play(5).told == [
        ("rhythm", 300),
        ("rhythm", 200),
    ]


def test_frames_replace_the_pace():
    """From the first frame on they are dropped, and more come only when the frames have ended."""
    game = _Paced().play(60).play(3, 0.0).play(5)
    assert game.told == [("rhythm", 300)]
    game.detector.accept_frames(_frames([16.7] * 60, game.now_ns))
    assert game.told == []
    assert game.play(20).play(3, 0.0).play(5).told == []
    assert game.play(120).play(3, 0.0).play(5).told == [("rhythm", 300)]


def test_a_log_without_most_frames_does_not_replace_the_pace():
    """What both tell is one stutter, and its time counts once."""
    game = _Paced().play(60)
    game.detector.accept_frames(_sampled(60))
    game.play(3, 0.0)
    game.detector.accept_frames(Frames("mangohud", (game.now_ns,), (180_000,)))
    game.play(5)
    assert game.told == [("rhythm", 300)]
    assert game.detector.spikes[0].more_ms == 0.0


def test_a_standstill_right_after_a_suspend_is_none():
    """Everything is late for a moment then, a game too."""
    game = _Paced()
    slept = Metrics(SECOND_NS // 10, 0.1, {}, gap=Gap(0, SECOND_NS // 10, "suspend"))
    game.detector.accept_metrics(slept)
    game.now_ns = SECOND_NS // 10
    assert game.play(5).play(4, 0.0).play(60).told == []
    assert game.play(4, 0.0).play(2).told == [("rhythm", 400)]


def test_another_game_has_another_pace():
    """What is usual of the one before is nothing of it, and it has been measured since."""
    game = _Paced()
    assert not game.detector.has_measured_game
    game.play(60)
    assert game.detector.rhythm.usual_per_s == 270
    assert game.detector.has_measured_game
    game.detector.change_game()
    assert game.detector.rhythm is None
