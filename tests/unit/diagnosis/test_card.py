# SPDX-License-Identifier: GPL-3.0-or-later
"""What a graphics card did within a stutter, and when it is the reason."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.metrics import Metrics
from destutter.core.statement import Statement
from destutter.diagnosis.blame.blame import Blame, Certainty, WhereTimeWent, blames
from destutter.diagnosis.blame.card_blame import (
    SATURATED,
    SHARED,
    by_card,
    is_shared,
    others_on_card,
)
from destutter.diagnosis.blame.nearest_cause import nearest_cause
from destutter.diagnosis.causes.coverage import Coverage
from destutter.diagnosis.circumstances.circumstances import Circumstances
from destutter.diagnosis.finding import Confidence, Group, Spike
from destutter.diagnosis.findings.explained import Explained
from destutter.diagnosis.history.card_log import CardLog, CardWork
from destutter.diagnosis.verdict.cleared_groups import quiet_groups, raised
from tests.truth.judge import judgement_of

MS = 1_000_000
SECOND = 1_000 * MS
SESSIONS = Path(__file__).parents[2] / "data/sessions"
CARD = "0 NVIDIA GeForce RTX 4070"


def _read(end_ms, *busy_pct, length_ms=200.0, users=None):
    """A reading: the newest stretch first, which ends then."""
    names = [f"{CARD}/{place}" for place in range(len(busy_pct))]
    ends = [(end_ms - place * length_ms) / 1e3 for place in range(len(busy_pct))]
    instanced = {
        "gpu_stretch.busy_pct": dict(zip(names, busy_pct, strict=True)),
        "gpu_stretch.end_s": dict(zip(names, ends, strict=True)),
        "gpu_stretch.length_ms": dict.fromkeys(names, length_ms),
    }
    if users is not None:
        instanced["gpu_process.used_pct"] = users
    return Metrics(round(end_ms * MS) + 50 * MS, 0.1, {}, instanced)


def _log(*readings, usual=21):
    """A log that knows four seconds of an even game before."""
    log = CardLog()
    for second in range(1, 5):
        log.accept_metrics(_read(1000 * second, *[usual] * 7))
    for reading in readings:
        log.accept_metrics(reading)
    return log


def _spike(start_ms, end_ms):
    return Spike(round(end_ms * MS), float(end_ms - start_ms), "frame")


def _work(log, spike, pid="12"):
    return log.work(spike, pid, SECOND)


def test_a_long_piece_of_work_is_told_from_the_frames_beside_it():
    """41, 99 and 44 % of three fifths of a second, which usually have 21: 311 ms of work."""
    log = _log(_read(5000, 21, 44, 99, 41, 21))
    found = _work(log, _spike(4349, 4660))
    assert found is not None
    assert (found.card, found.usual) == (CARD, 0.21)
    assert found.ms == pytest.approx(309, abs=3)


def test_a_card_that_waited_did_not_work():
    """The game computed, and the card had less than ever."""
    found = _work(_log(_read(5000, 21, 5, 0, 3, 21)), _spike(4349, 4660))
    assert found is not None
    assert found.ms == 0.0


def test_a_short_stutter_beside_uneven_frames_proves_nothing():
    """What a game with 40 to 80 % has by chance beside 60 ms is not taken for them."""
    log = CardLog()
    for second in range(1, 5):
        log.accept_metrics(_read(1000 * second, 60, 80, 40, 70, 50))
    log.accept_metrics(_read(5000, 60, 80, 40, 70, 50))
    found = _work(log, _spike(4650, 4710))
    assert found is not None
    assert by_card(Circumstances(60.0, card=found)) is None


@pytest.mark.parametrize(
    "readings",
    [
        pytest.param((), id="not read yet"),
        pytest.param((_read(4400, 21, 21),), id="ends before"),
        pytest.param((_read(5000, 21, 44),), id="begins after"),
    ],
)
def test_what_is_not_counted_in_full_is_not_known(readings):
    """Neither blamed nor cleared."""
    assert _work(_log(*readings), _spike(4349, 4660)) is None


def test_few_stretches_are_not_usual():
    """Of a second nobody knows what a game does anyhow."""
    log = CardLog()
    log.accept_metrics(_read(1000, 99, 99, 99, 21, 21))
    assert _work(log, _spike(500, 900)) is None


def test_a_stretch_counts_once():
    """Each reading has some of those of the one before, with stamps that are a little off."""
    log = _log(_read(5000, 21, 44, 99, 41, 21), _read(5203, 21, 21, 44, 99, 41))
    found = _work(log, _spike(4349, 4660))
    assert found is not None
    assert found.ms == pytest.approx(309, abs=3)


def test_who_used_the_card_besides_the_game():
    """In that second; the game itself and other times are left out."""
    log = _log(
        _read(5000, 99, 99, 99, 99, 21, users={"12 game": 30.0, "14 a": 20.0, "15 b": 45.0}),
        _read(9000, 99, 99, users={"16 late": 90.0}),
    )
    found = _work(log, _spike(4349, 4660))
    assert found is not None
    assert found.others == (("15 b", 45.0), ("14 a", 20.0))


PERCENT = st.integers(0, 100)


@given(
    busy=st.lists(st.lists(PERCENT, min_size=1, max_size=8), max_size=12),
    start_ms=st.integers(0, 12_000),
    length_ms=st.integers(1, 2000),
)
def test_a_card_never_works_longer_than_the_stutter(busy, start_ms, length_ms):
    """Whatever the driver counts, in whatever order."""
    log = CardLog()
    for second, stretches in enumerate(busy, 1):
        log.accept_metrics(_read(1000 * second, *stretches))
    found = _work(log, _spike(start_ms, start_ms + length_ms))
    if found is not None:
        assert 0.0 <= found.ms <= length_ms
        assert 0.0 <= found.usual <= 1.0


def _met(share, usual=0.21, others=(), **more):
    return Circumstances(200.0, card=CardWork(CARD, 200.0 * share, usual, others), **more)


def test_a_main_thread_that_waits_in_a_futex_waits_for_the_card_that_works():
    """The driver's own thread wakes it up; that the card did not work says it was another."""
    waits = {"looks": 3, "asleep": {"futex": 3}, "handed_on": 3}
    assert blames(_met(0.95, **waits)) == (Blame(WhereTimeWent.GPU, Certainty.SEEN, 190.0),)
    (other,) = blames(_met(0.2, **waits))
    assert other.where is WhereTimeWent.HANDED_ON
    assert nearest_cause(blames(_met(0.95, **waits))[0], _met(0.95)) == SATURATED


def test_a_main_thread_that_spins_for_the_card_is_told_from_one_that_computes():
    """A card that always works draws beside whatever else the game does."""
    ran = {"runner": ("", 195.0), "looks": 0}
    drawn, own = blames(_met(0.95, **ran))
    assert (drawn.where, own.where) == (WhereTimeWent.GPU, WhereTimeWent.OWN_WORK)
    assert blames(_met(0.95, usual=0.9, **ran))[0].where is WhereTimeWent.OWN_WORK
    assert blames(_met(0.1, **ran))[0].where is WhereTimeWent.OWN_WORK


def test_what_the_game_was_measured_to_wait_for_comes_first():
    """A card that has been given all its frames draws on while the game waits for its drive."""
    met = _met(0.95, own_ms={"io": 190.0}, lost_ms={"io": 190.0})
    assert blames(met)[0].where is WhereTimeWent.STORAGE


def test_a_card_that_worked_is_not_cleared():
    """From two fifths of the stutter on, whatever it is the reason of."""
    assert Group.GPU in raised(_met(0.5))
    assert Group.GPU not in raised(_met(0.3))


def test_a_compositor_is_not_accused():
    """Every game in a window shares its card with one."""
    assert others_on_card(_met(0.9, others=(("7 kwin", 12.0),))) == ()
    assert others_on_card(replace(_met(0.9), card=None)) == ()
    (named,) = others_on_card(_met(0.9, others=(("8 my trainer", 55.0), ("7 kwin", 12.0))))
    assert (named.comm, named.pid) == ("my trainer", 8)
    assert named.why == Statement("culprit.card", {"card_pct": 55.0})
    shared = _met(0.9, others=(("8 a", 55.0),))
    assert is_shared([shared, shared, _met(0.9)])
    assert not is_shared([shared, _met(0.9)])


@pytest.mark.parametrize("name", ["card_drawn", "card_spun_for"])
def test_frames_that_a_real_card_drew_for_long_are_the_cards(name):
    """An H100 drew one frame in 150 for 311 ms; the game slept in a futex, or spun."""
    told = judgement_of(SESSIONS / f"{name}.destutter").assessment
    first = told.findings[0]
    assert (first.cause, first.kind, first.confidence) == (SATURATED, "", Confidence.MEDIUM)
    assert (first.stutters_explained, first.stutters_total) == (7, 8)
    assert told.lost.parts["gpu"] >= 0.8 * sum(told.lost.parts.values())


def test_a_real_card_at_its_limit_is_not_blamed_for_the_games_own_work():
    """It usually worked for 84 % of the time, and had nothing to do while the game computed."""
    told = judgement_of(SESSIONS / "card_at_its_limit.destutter").assessment
    assert SATURATED not in {each.cause for each in told.findings}
    assert "gpu" in str(told.verdict.detail.values["quiet"])


def test_who_shares_a_real_card_is_named():
    """Six programs that computed on an H100 beside a game that drew."""
    told = judgement_of(SESSIONS / "card_shared.destutter").assessment
    first = told.findings[0]
    assert (first.cause, first.kind) == (SATURATED, SHARED)
    assert [each.comm for each in first.culprits] == ["trainer"]


def test_a_card_whose_work_nobody_counted_is_not_cleared():
    """Its load of a whole second says nothing of a stutter."""
    spike = _spike(4349, 4660)
    seen = Coverage()
    seen.accept_metrics(Metrics(1, 0.1, {}, {"gpu.busy_pct": {CARD: 21.0}}))
    counted = Explained(spike, _met(0.1, is_covered=True), ())
    assert quiet_groups(seen, [spike], [counted], ()) == [Group.GPU]
    unknown = Explained(spike, replace(counted.met, card=None), ())
    assert quiet_groups(seen, [spike], [unknown], ()) == []
