# SPDX-License-Identifier: GPL-3.0-or-later
"""Which stutters a cause explains."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.statement import Statement
from destutter.diagnosis.causes.cause import Signal
from destutter.diagnosis.causes.detector import CauseDetector, Moment
from destutter.diagnosis.causes.registry import CAUSE_BY_ID
from destutter.diagnosis.chance import binomial_tail
from destutter.diagnosis.finding import Confidence, Culprit, Evidence, Spike
from destutter.diagnosis.findings.correlator import Known, find, how_sure, match
from destutter.diagnosis.history.window import Second, Window
from destutter.diagnosis.history.witnesses import Witnesses

SECOND_NS = 1_000_000_000


def _moments(*seconds, is_entered=True, **signal):
    return [
        Moment(at * SECOND_NS, (at + 1) * SECOND_NS, Signal(2.0, (), **signal), is_entered)
        for at in seconds
    ]


def _spikes(*ends_s, duration_ms=100.0, origin="mangohud"):
    return [Spike(int(end * SECOND_NS), duration_ms, origin) for end in ends_s]


def test_two_of_three_fall_together():
    """Spikes inside the active seconds are explained, the third is not."""
    found = match(_spikes(10.5, 40.5, 70.5), _moments(10, 40), Known(120.0))
    assert [spike.monotonic_ns // SECOND_NS for spike in found.explained] == [10, 40]
    assert found.chance < 0.01


def test_a_cause_that_is_always_there_explains_nothing():
    """Active in every second: it meets every stutter, as it would any other."""
    found = match(_spikes(10.5, 40.5, 70.5), _moments(*range(120)), Known(120.0))
    assert found.met == 3
    assert found.explained == ()
    assert found.share == 1.0


@pytest.mark.parametrize(
    ("there", "reasons"),
    [((10, 40, 70), ["reason.timing", "reason.direct"]), (range(120), ["reason.direct"])],
)
def test_a_measured_wait_that_is_always_there_does_not_point_at_the_times(there, reasons):
    """As many would meet it by chance: only that the wait was measured speaks for it."""
    detector = CauseDetector(CAUSE_BY_ID["run_queue_delay"], None)
    detector._moments.extend(_moments(*there, stall_ms=900.0))
    found = find(detector, _spikes(10.5, 40.5, 70.5), Known(120.0))
    assert found is not None
    assert found[0].stutters_explained == 3
    assert [each.id for each in found[0].reasons] == reasons


def _figure(second, value):
    return Evidence("game.run_delay_ms_per_s", "ms/s", value, 50.0, second * SECOND_NS)


@pytest.mark.parametrize(("of_longest", "told"), [(619.0, 619.0), (20.0, 1000.0)])
def test_the_figure_is_of_the_longest_stutter_where_it_speaks_for_that(of_longest, told):
    """The card tells that stutter first; below its limit a figure proves nothing."""
    detector = CauseDetector(CAUSE_BY_ID["run_queue_delay"], None)
    for at, strength, value in ((10, 20.0, 1000.0), (40, 12.0, of_longest)):
        signal = Signal(strength, (_figure(at, value),), stall_ms=900.0)
        detector._moments.append(Moment(at * SECOND_NS, (at + 1) * SECOND_NS, signal, True))
    spikes = [*_spikes(10.5), *_spikes(40.5, duration_ms=380.0)]
    found = find(detector, spikes, Known(120.0))
    assert found is not None
    assert [each.value for each in found[0].evidence] == [told]


def _weak_and_strong(weak, strong):
    moments = _moments(*weak) + [
        Moment(at * SECOND_NS, (at + 1) * SECOND_NS, Signal(9.0, ()), True) for at in strong
    ]
    return sorted(moments, key=lambda moment: moment.start_ns)


def test_stutters_at_the_strongest_seconds_stand_out_of_a_lasting_signal():
    """It is there half of the time, and they come only where it is four times as strong."""
    strong = (5, 15, 25, 35)
    moments = _weak_and_strong([at for at in range(60) if at not in strong], strong)
    found = match(_spikes(5.5, 15.5, 25.5, 35.5), moments, Known(60.0))
    assert len(found.explained) == 4
    assert found.chance < 0.01


def test_stutters_at_any_strength_do_not_stand_out_of_a_lasting_signal():
    """One of them at a weak second: the mark lies there, and nothing stands out."""
    strong = (5, 15, 25, 35)
    moments = _weak_and_strong([at for at in range(60) if at not in strong], strong)
    assert match(_spikes(5.5, 15.5, 25.5, 45.5), moments, Known(60.0)).explained == ()


def test_three_stutters_are_too_few_for_a_mark():
    """Any three lie somewhere near the top."""
    strong = (5, 15, 25)
    moments = _weak_and_strong([at for at in range(60) if at not in strong], strong)
    assert match(_spikes(5.5, 15.5, 25.5), moments, Known(60.0)).explained == ()


def test_a_wait_that_was_measured_needs_no_comparison():
    """The game itself waited 80 of the 100 ms: explained, though the cause is always there."""
    moments = _moments(*range(120), stall_ms=80.0)
    found = match(_spikes(10.5, 40.5), moments, Known(120.0))
    assert len(found.explained) == 2
    assert found.is_direct


def test_a_wait_much_shorter_than_the_stutter_is_no_proof():
    """Waiting 20 ms does not explain 300 ms."""
    moments = _moments(*range(120), stall_ms=20.0)
    assert match(_spikes(10.5, duration_ms=300.0), moments, Known(120.0)).explained == ()


def test_short_waits_in_every_frame_are_no_stutter():
    """200 ms of a second, never more than 20 in a tick: slices at each wake-up, not a stutter."""
    spread = _moments(*range(120), stall_ms=200.0, stall_peak_ms=20.0)
    assert match(_spikes(10.5, 40.5), spread, Known(120.0)).explained == ()
    at_once = _moments(*range(120), stall_ms=200.0, stall_peak_ms=60.0)
    assert len(match(_spikes(10.5, 40.5), at_once, Known(120.0)).explained) == 2


def test_a_wait_that_fills_several_ticks_is_measured():
    """Of a long stutter no tick needs to show more than half of its own length."""
    moments = _moments(*range(120), stall_ms=700.0, stall_peak_ms=55.0)
    assert len(match(_spikes(10.5, duration_ms=900.0), moments, Known(120.0)).explained) == 1


def test_only_the_ticks_of_the_stutter_itself_count():
    """Of 300 ms the game waited 20; that it waited 200 just before does not explain them."""
    before = tuple((10_000_000_000 + at * 100_000_000, 70.0) for at in (1, 2, 3))
    during = tuple((10_000_000_000 + at * 100_000_000, 7.0) for at in (5, 6, 7))
    spikes = _spikes(10.7, duration_ms=300.0)
    stopped = _moments(*range(120), stall_ms=230.0, stalls=before + during)
    assert match(spikes, stopped, Known(120.0)).explained == ()
    waited = _moments(*range(120), stall_ms=230.0, stalls=((10_750_000_000, 290.0),))
    assert len(match(spikes, waited, Known(120.0)).explained) == 1


def _waits_each_second(seconds):
    return [
        moment
        for at in seconds
        for moment in _moments(at, stalls=((at * SECOND_NS + 450_000_000, 90.0),))
    ]


@pytest.mark.parametrize(("felt_at", "explains"), [((10.5, 40.5, 70.5), 0), (range(5, 90), 3)])
def test_a_wait_that_elsewhere_makes_no_frame_late_made_none_late(felt_at, explains):
    """A thread that loads ahead waits as long in each second: three of them say nothing."""
    felt = _spikes(*(at if isinstance(at, float) else at + 0.5 for at in felt_at))
    spikes = _spikes(10.5, 40.5, 70.5)
    known = Known(100.0, felt=felt)
    assert len(match(spikes, _waits_each_second(range(100)), known).explained) == explains


def test_a_wait_that_an_engine_hid_twice_still_made_the_others_late():
    """It loads a little ahead: two of five waits are hidden."""
    spikes = _spikes(10.5, 40.5, 70.5)
    known = Known(100.0, felt=spikes)
    excused = frozenset(spike.monotonic_ns for spike in spikes)
    waits = _waits_each_second((10, 20, 40, 60, 70))
    assert len(match(spikes, waits, known).explained) == 3
    assert len(match(spikes, waits, Known(100.0, excused, felt=spikes)).explained) == 3


def test_waits_while_the_game_loads_are_not_held_against_later_ones():
    """Before the first frame that could be late nothing can be felt."""
    spikes = _spikes(80.5, 90.5)
    known = Known(100.0, felt=spikes)
    waits = _waits_each_second((*range(60), 80, 90))
    found = match(spikes, waits, known)
    assert found.direct == 2


def test_late_wake_ups_in_a_crowd_are_the_crowds():
    """The signal is what spikes of this origin measure."""
    moments = _moments(*range(120), proves_origin="wakeup")
    assert len(match(_spikes(10.5, origin="wakeup"), moments, Known(120.0)).explained) == 1
    assert match(_spikes(10.5), moments, Known(120.0)).explained == ()


def test_seconds_that_never_became_a_cause_explain_nothing_but_count_as_time():
    """Noise below the hysteresis is not blamed, yet it speaks against the cause."""
    moments = _moments(10, is_entered=False)
    found = match(_spikes(10.5), moments, Known(100.0))
    assert found.explained == ()
    assert found.share > 0.0


@pytest.mark.parametrize(
    ("end_s", "duration_ms", "meets"),
    [(10.05, 100.0, True), (9.9, 100.0, True), (9.8, 100.0, False), (11.2, 100.0, False)],
)
def test_edges_allow_for_the_tick_in_which_counters_are_read(end_s, duration_ms, meets):
    """Up to 150 ms before the second counts, because counters are read that much later."""
    spikes = _spikes(end_s, duration_ms=duration_ms)
    assert bool(match(spikes, _moments(10), Known(120.0)).met) is meets


def test_no_stutters_no_match():
    """Without stutters nothing is explained."""
    found = match([], _moments(1, 2, 3), Known(60.0))
    assert (found.met, found.explained, found.share) == (0, (), 0.0)


@given(st.integers(0, 60), st.integers(0, 60), st.floats(0.0, 1.0))
def test_binomial_tail_is_the_sum_of_the_exact_terms(at_least, of, probability):
    """The chance of so many hits agrees with the textbook sum."""
    exact = sum(
        math.comb(of, hits) * probability**hits * (1 - probability) ** (of - hits)
        for hits in range(at_least, of + 1)
    )
    assert binomial_tail(at_least, of, probability) == pytest.approx(exact, abs=1e-9)


@given(
    st.lists(st.floats(0, 200), max_size=30),
    st.lists(st.integers(0, 200), max_size=60, unique=True),
    st.floats(0.1, 5000.0),
)
def test_never_more_explained_than_there_are(ends, seconds, duration_ms):
    """Explained is part of met, met is part of all, and shares are shares."""
    spikes = _spikes(*sorted(ends), duration_ms=duration_ms)
    found = match(spikes, _moments(*sorted(seconds)), Known(200.0))
    assert len(found.explained) <= found.met <= len(spikes)
    assert 0.0 <= found.share <= 1.0
    assert 0.0 <= found.chance <= 1.0


@pytest.mark.parametrize(("waits", "confidence"), [(4, Confidence.MEDIUM), (10, Confidence.HIGH)])
def test_waits_in_a_few_of_many_stutters_leave_a_doubt(waits, confidence):
    """Of 20, where the cause is strong and there all the time."""
    detector = CauseDetector(replace(CAUSE_BY_ID["run_queue_delay"], alarm=2.0), None)
    ends = [6.0 * number + 0.5 for number in range(20)]
    felt = {int(end) for end in ends[:waits]}
    for at in range(120):
        detector._moments += _moments(at, stall_ms=80.0 if at in felt else 1.0)
    found = find(detector, _spikes(*ends), Known(120.0))
    assert found is not None
    assert (found[0].stutters_explained, found[0].confidence) == (waits, confidence)


@pytest.mark.parametrize(
    ("met", "alarm", "confidence"),
    [
        (1, 10.0, Confidence.LOW),
        (1, 2.0, Confidence.MEDIUM),
        (2, 10.0, Confidence.MEDIUM),
        (2, 2.0, Confidence.HIGH),
    ],
)
def test_one_stutter_that_met_one_rare_second_is_a_coincidence(met, alarm, confidence):
    """However rare that second is in ten minutes: by one meeting nobody is told to be sure."""
    at = [100 * number for number in range(1, met + 1)]
    moments = _moments(*at)
    found = match(_spikes(*(second + 0.5 for second in at)), moments, Known(600.0))
    assert found.chance < 0.01
    spec = replace(CAUSE_BY_ID["irq_storm"], alarm=alarm)
    assert how_sure(spec, found, moments[0], met) is confidence


def test_who_only_started_programs_is_named_behind_who_was_measured():
    """Though it was seen at the worst moment: else the wrong program is told to be closed."""
    seen = {
        "make": Culprit("process", "make", 7, Statement("culprit.started")),
        "miner": Culprit("process", "miner", 8, Statement("culprit.cpu", {"cpu_pct": 90.0})),
    }
    signals = {100: Signal(9.0, (), "make"), 200: Signal(6.0, (), "miner")}
    script = iter(signals.values())
    spec = replace(
        CAUSE_BY_ID["irq_storm"],
        rule=lambda _window, _limits: next(script),
        suspects=lambda signal, _look: (seen[str(signal.subject)],),
        watches=(),
    )
    detector = CauseDetector(spec, None)
    for at in signals:
        second = Second(at * SECOND_NS, (at + 1) * SECOND_NS)
        detector.accept_second(Window(()), second, Witnesses())
    found = find(detector, _spikes(100.5, 200.5), Known(600.0))
    assert found is not None
    assert [each.comm for each in found[0].culprits] == ["miner", "make"]
