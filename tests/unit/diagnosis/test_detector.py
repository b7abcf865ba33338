# SPDX-License-Identifier: GPL-3.0-or-later
"""Hysteresis: when a cause counts as there."""

from dataclasses import replace

import pytest

from destutter.core.metrics import Metrics
from destutter.diagnosis.causes.cause import IMMEDIATE, Signal, Span
from destutter.diagnosis.causes.detector import CauseDetector
from destutter.diagnosis.causes.registry import CAUSE_BY_ID
from destutter.diagnosis.finding import Culprit
from destutter.diagnosis.history.window import Second, Window
from destutter.diagnosis.history.witnesses import Witnesses

SECOND_NS = 1_000_000_000


class _Scripted:
    """A detector whose rule says what the test says."""

    def __init__(self, horizon_s=None, stalls=()):
        self.strength: float | None = 0.0
        self.witnesses = Witnesses()
        spec = replace(
            CAUSE_BY_ID["direct_reclaim"],
            rule=lambda _window, _limits: (
                None if self.strength is None else Signal(self.strength, (), stalls=stalls)
            ),
            suspects=lambda _signal, look: (
                () if look is None else (Culprit("process", look.processes[0].comm),)
            ),
            watches=(),
        )
        horizon_ns = None if horizon_s is None else horizon_s * SECOND_NS
        self.detector = CauseDetector(spec, horizon_ns)
        self.now = 0

    def feed(self, *strengths):
        for self.strength in strengths:
            second = Second(self.now * SECOND_NS, (self.now + 1) * SECOND_NS)
            self.now += 1
            self.detector.accept_second(Window(()), second, self.witnesses)
            self.detector.forget_before(second.end_ns)
        return self.detector


def test_a_rule_is_not_asked_about_what_was_never_measured():
    """Without any of its metrics there is nothing to say, and nothing to compute."""
    spec = replace(CAUSE_BY_ID["gpu_starvation"], rule=lambda _window, _limits: Signal(9.0, ()))
    detector = CauseDetector(spec, None)
    detector.accept_second(Window(()), Second(0, SECOND_NS), Witnesses())
    assert not detector.is_measured


@pytest.mark.parametrize(("waits_ms", "is_there"), [((20.0, 80.0), True), ((40.0, 40.0), False)])
def test_one_wait_as_long_as_a_stutter_is_enough(waits_ms, is_there):
    """A measured wait of the game is no noise; many short ones that add up may be."""
    detector = _Scripted(stalls=tuple(enumerate(waits_ms))).feed(0, 0, 1.5, 0, 0)
    assert [moment.is_entered for moment in detector.moments] == [is_there]


def test_one_second_is_not_enough():
    """A single second just over the threshold is noise."""
    detector = _Scripted().feed(0, 0, 1.5, 0, 0, 0)
    assert not detector.is_active
    assert [moment.is_entered for moment in detector.moments] == [False]


def test_two_of_three_seconds_enter_and_the_first_belongs_to_it():
    """On, off, on: the cause is there, since the first second."""
    detector = _Scripted().feed(0, 1.5, 0, 1.5)
    assert detector.is_active
    assert [moment.is_entered for moment in detector.moments] == [True, True]


def test_five_times_the_threshold_enters_at_once():
    """Nobody waits for a second second when the first is beyond doubt."""
    assert not _Scripted().feed(0, 4.9).is_active
    assert _Scripted().feed(0, 5.0).is_active


def test_ten_clean_seconds_leave():
    """Nine quiet seconds are a pause, ten are the end; an absent measurement is quiet too."""
    scripted = _Scripted()
    assert scripted.feed(6.0, *[0] * 8, None).is_active
    assert not scripted.feed(0).is_active
    assert scripted.detector.is_measured


def test_within_ten_seconds_one_second_belongs_to_it():
    """Once there, a single further second counts."""
    detector = _Scripted().feed(6.0, 0, 0, 0, 0, 1.2)
    assert [moment.is_entered for moment in detector.moments] == [True, True]


def test_a_cause_that_cannot_be_measured_never_is():
    """No signal at all is not a signal of zero."""
    assert not _Scripted().feed(None, None).is_measured


def test_moments_before_the_horizon_go():
    """Ten minutes are kept, or everything when the whole stream is judged."""
    assert len(_Scripted(600).feed(*[6.0] * 700).moments) == 601
    assert len(_Scripted().feed(*[6.0] * 700).moments) == 700


def _look(scripted, name, at_s):
    metrics = Metrics(at_s * SECOND_NS, 0.1, {}, {"process.cpu_pct": {f"7 {name}": 99.0}})
    scripted.witnesses.accept_metrics(metrics)


def test_culprits_are_those_of_the_look_that_covers_the_second_and_stay():
    """The look that ends after the second decides; later looks change nothing."""
    scripted = _Scripted()
    _look(scripted, "before", 0)
    detector = scripted.feed(6.0, 0)
    assert [each.comm for each in detector.moments[0].culprits] == ["before"]
    _look(scripted, "during", 3)
    detector = scripted.feed(0, 0)
    assert [each.comm for each in detector.moments[0].culprits] == ["during"]
    _look(scripted, "after", 5)
    detector = scripted.feed(0, 0)
    assert [each.comm for each in detector.moments[0].culprits] == ["during"]


def _spans(*ends_s, subject="nvme0n1", **flags):
    spans = tuple(Span(int((end - 0.1) * SECOND_NS), int(end * SECOND_NS), 60.0) for end in ends_s)
    return Signal(IMMEDIATE, (), subject, spans=spans, **flags)


def _told(*signals):
    """The ends of what counts as there after one signal a second."""
    left = list(signals)
    spec = replace(
        CAUSE_BY_ID["nvme_power_state"], rule=lambda _window, _limits: left.pop(0), watches=()
    )
    detector = CauseDetector(spec, None)
    for number in range(len(signals)):
        second = Second(number * SECOND_NS, (number + 1) * SECOND_NS)
        detector.accept_second(Window(()), second, Witnesses())
    assert all(moment.is_entered for moment in detector.moments)
    return detector


def test_spans_stand_for_the_second_and_for_what_was_before():
    """Each once, in order of time, with its own wait and its drive."""
    detector = _told(None, None, _spans(1.5, 2.5), _spans(0.5, 1.5, 2.5, 3.5))
    assert [moment.end_ns / SECOND_NS for moment in detector.moments] == [0.5, 1.5, 2.5, 3.5]
    assert all(
        moment.signal.stalls == ((moment.end_ns, 60.0),)
        and [each.comm for each in moment.culprits] == ["nvme0n1"]
        for moment in detector.moments
    )


NONE = Signal(0.0, (), "nvme0n1")
REFUTED = Signal(0.0, (), "nvme0n1", refutes=True)


@pytest.mark.parametrize(
    ("signals", "ends_s"),
    [
        ((_spans(0.5, is_provisional=True), NONE), [0.5]),
        ((_spans(0.5, is_provisional=True), REFUTED), []),
        ((_spans(0.5, is_provisional=True), _spans(0.5, 1.5), REFUTED), [0.5, 1.5]),
        ((_spans(0.5), _spans(1.5, is_provisional=True), REFUTED), [0.5]),
        ((_spans(0.5, is_provisional=True, subject="nvme1n1"), REFUTED), [0.5]),
        ((_spans(0.5, is_provisional=True), REFUTED, _spans(0.5, 2.5)), [0.5, 2.5]),
    ],
)
def test_what_is_provisional_may_be_taken_back_until_it_is_confirmed(signals, ends_s):
    """By a signal about the same drive; what was sure stays."""
    detector = _told(*signals)
    assert [moment.end_ns / SECOND_NS for moment in detector.moments] == ends_s


def test_a_second_has_the_culprit_of_the_look_with_most_of_it():
    """Not of the one that only began in its last tenth."""

    def look(at_s, name):
        used = {name: 50.0}
        rows = {"process.cpu_pct": used, "process.rss_bytes": used}
        return Metrics(int(at_s * SECOND_NS), 0.1, {}, rows)

    scripted = _Scripted()
    for at_s, name in ((0.5, "1 start"), (2.9, "2 hog"), (5.0, "3 quiet")):
        scripted.witnesses.accept_metrics(look(at_s, name))
    (moment,) = scripted.feed(0, 0, 1.5).moments
    assert [each.comm for each in moment.culprits] == ["hog"]
