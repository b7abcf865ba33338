# SPDX-License-Identifier: GPL-3.0-or-later
"""A drive that falls asleep is named whatever the pace of the reads, and no other drive is.

Each case is played on a simulated drive and judged as a recording is. A hundred seeds of each were
tried when the limits were chosen; here are a few, and at a desk some of the cases.
"""

import random
from collections.abc import Callable

import pytest

from destutter.diagnosis.finding import Confidence
from tests.support.sampled import sampled
from tests.support.sleeping_drive import (
    DRIVE,
    Burst,
    PowerState,
    ServiceTime,
    SimulatedDrive,
    Watched,
    play,
    quick,
)

SECONDS = 100.0
SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in (1, 2))]
SHALLOW = PowerState(0.1, 10.0)
LONG = PowerState(0.1, 60.0)
DEEP = PowerState(2.0, 45.0)
OWN_GROUP = Watched(group=True)
PILES_UP = Watched(after_ms=40.0)
"""A wait of 10 ms is no stutter by itself: here the frame has to load what it waited for."""

Reads = Callable[[random.Random], list[Burst]]


def _seeded(seed: str | int) -> random.Random:
    return random.Random(seed)  # noqa: S311  the same case each time


def _apart(low_s: float, high_s: float, *counts: int, is_queued: bool = True) -> Reads:
    def reads(rng: random.Random) -> list[Burst]:
        now_s, bursts = 3.0, []
        while now_s < SECONDS - 1.0:
            bursts.append(Burst(now_s, rng.choice(counts or (1,)), is_queued))
            now_s += rng.uniform(low_s, high_s)
        return bursts

    return reads


def _after_loading(then: Reads) -> Reads:
    """First four seconds in which the game reads all the time."""

    def reads(rng: random.Random) -> list[Burst]:
        now_s, bursts = 0.5, [each for each in then(rng) if each.at_s > 5.0]
        while now_s < 4.0:
            bursts.append(Burst(now_s, rng.randint(1, 4), is_queued=False))
            now_s += rng.uniform(0.005, 0.03)
        return bursts

    return reads


def _with_followers(low_s: float, high_s: float) -> Reads:
    """Now and then some reads right behind one that came after a rest."""

    def reads(rng: random.Random) -> list[Burst]:
        bursts = []
        for burst in _apart(low_s, high_s)(rng):
            now_s = burst.at_s
            bursts.append(burst)
            for _ in range(rng.randint(1, 4) if rng.random() < 0.3 else 0):
                now_s += rng.uniform(0.02, 0.09)
                bursts.append(Burst(now_s))
        return bursts

    return reads


def _beside_a_copy(then: Reads, on_s: float, of_s: float) -> Reads:
    """Somebody writes for a part of the time."""

    def reads(rng: random.Random) -> list[Burst]:
        now_s, bursts = 0.2, then(rng)
        while now_s < SECONDS:
            if now_s % of_s < on_s:
                write_ms = rng.uniform(5.0, 30.0)
                bursts.append(Burst(now_s, 0, is_games=False, write_ms=write_ms))
            now_s += rng.uniform(0.005, 0.02)
        return bursts

    return reads


def _all_the_time(rng: random.Random) -> list[Burst]:
    now_s, bursts = 0.2, []
    while now_s < SECONDS:
        bursts.append(Burst(now_s))
        now_s += rng.expovariate(30.0)
    return bursts


QUICKLY, OFTEN, SELDOM = (0.15, 0.4), (0.8, 1.6), (2.0, 5.0)

SLEEPERS: dict[str, tuple[tuple[PowerState, ...], Reads, Watched]] = {
    "150 to 400 ms apart, own group": ((LONG,), _apart(*QUICKLY), OWN_GROUP),
    "150 to 400 ms apart": ((LONG,), _apart(*QUICKLY), Watched()),
    "150 to 400 ms apart, after loading": ((LONG,), _after_loading(_apart(*QUICKLY)), Watched()),
    "a second apart": ((LONG,), _apart(*OFTEN), Watched()),
    "a second apart, 10 ms": ((SHALLOW,), _apart(*OFTEN), PILES_UP),
    "a second apart, nothing known of the game": ((LONG,), _apart(*OFTEN), Watched(bytes=False)),
    "seconds apart": ((LONG,), _apart(*SELDOM), OWN_GROUP),
    "seconds apart, 10 ms": ((SHALLOW,), _apart(*SELDOM), PILES_UP),
    "with followers": ((SHALLOW,), _with_followers(0.8, 2.0), PILES_UP),
    "8 at once": ((SHALLOW,), _apart(*OFTEN, 8), PILES_UP),
    "30 at once": ((LONG,), _apart(*SELDOM, 30), OWN_GROUP),
    "30 at once, often": ((LONG,), _apart(*OFTEN, 30), OWN_GROUP),
    "8 in turn": ((SHALLOW,), _after_loading(_apart(*OFTEN, 8, is_queued=False)), PILES_UP),
    "some in turn": ((SHALLOW,), _apart(0.5, 3.0, 1, 2, 4, 8, is_queued=False), PILES_UP),
    "two depths": ((SHALLOW, DEEP), _apart(0.3, 4.0), PILES_UP),
    "two depths, own group": ((SHALLOW, DEEP), _apart(0.3, 4.0), OWN_GROUP),
    "one that is entered late": ((DEEP,), _apart(0.3, 4.0), Watched()),
}

AT_A_DESK = (
    *("150 to 400 ms apart", "a second apart", "seconds apart, 10 ms", "30 at once"),
    *("some in turn", "two depths", "one that is entered late"),
)


def _spread_ms(rng: random.Random, _rest_s: float) -> float:
    """A hard disk: its controller, a seek, half a turn on average."""
    return 2.0 + rng.uniform(2.0, 12.0) + rng.uniform(0.0, 8.3)


def _seeks_ms(rng: random.Random, rest_s: float) -> float:
    """A hard disk of which the next sector comes at once."""
    return _spread_ms(rng, rest_s) if rest_s > 0.02 else rng.uniform(0.1, 0.5)


def _housekeeping_ms(rng: random.Random, rest_s: float) -> float:
    return rng.uniform(5.0, 50.0) if rng.random() < 0.12 else quick(rng, rest_s)


def _alike_at_random_ms(rng: random.Random, rest_s: float) -> float:
    return rng.gauss(12.0, 1.0) if rng.random() < 0.2 else quick(rng, rest_s)


def _network_ms(rng: random.Random, _rest_s: float) -> float:
    return rng.lognormvariate(2.3, 0.4)


def _always_12_ms(rng: random.Random, _rest_s: float) -> float:
    return rng.gauss(12.0, 0.4)


def _always_2_ms(rng: random.Random, _rest_s: float) -> float:
    return rng.gauss(2.0, 0.1)


DECOYS: dict[str, tuple[ServiceTime, Reads]] = {
    **{
        f"{service.__name__.strip('_')} {pace[0]} s apart": (service, _apart(*pace))
        for service in (_spread_ms, _housekeeping_ms, _alike_at_random_ms, _network_ms)
        for pace in (QUICKLY, OFTEN, SELDOM)
    },
    "hard disk with a cache": (_seeks_ms, _with_followers(*OFTEN)),
    "slow after loading": (_always_12_ms, _after_loading(_apart(*OFTEN))),
    "slow, with followers": (_always_12_ms, _with_followers(*OFTEN)),
    "slow, with followers, seldom": (_always_12_ms, _with_followers(*SELDOM)),
    "8 that take 2 ms each": (_always_2_ms, _apart(*OFTEN, 8, is_queued=False)),
    "beside a copy": (_network_ms, _beside_a_copy(_apart(*OFTEN), 9.0, 9.0)),
    "beside a copy that rests": (quick, _beside_a_copy(_apart(*OFTEN), 3.0, 6.0)),
    "busy": (_always_12_ms, _all_the_time),
}
DECOYS_AT_A_DESK = (
    *("spread_ms 2.0 s apart", "network_ms 0.8 s apart", "slow, with followers, seldom"),
    *("8 that take 2 ms each", "beside a copy that rests"),
)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("case", sampled(SLEEPERS, AT_A_DESK))
def test_a_drive_that_wakes_is_the_cause_of_most_stutters(case, seed):
    """Whatever the pace of the reads; and nothing else about that drive is told as sure."""
    states, reads, game = SLEEPERS[case]
    rng = _seeded(f"{case} {seed}")
    assessment = play(SimulatedDrive(states), reads(rng), SECONDS, seed, game)
    first, *others = assessment.findings
    assert first.cause == "nvme_power_state"
    assert first.confidence is not Confidence.LOW
    assert first.stutters_explained >= 0.75 * first.stutters_total >= 15
    assert [each.comm for each in first.culprits] == [DRIVE]
    waits_ms = [each.value for each in first.evidence]
    assert waits_ms == pytest.approx(sorted(state.exit_ms for state in states), rel=0.1, abs=1.0)
    assert not [
        each
        for each in others
        if each.group is first.group and each.confidence is not Confidence.LOW
    ]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    "game",
    [OWN_GROUP, pytest.param(PILES_UP, marks=pytest.mark.long)],
    ids=["group", "no group"],
)
@pytest.mark.parametrize("case", sampled(DECOYS, DECOYS_AT_A_DESK))
def test_no_other_slow_drive_is_said_to_sleep(case, game, seed):
    """Slow by itself, by its load, at random: at most a guess."""
    service_ms, reads = DECOYS[case]
    rng = _seeded(f"{case} {seed}")
    assessment = play(SimulatedDrive((), service_ms), reads(rng), SECONDS, seed, game)
    named = {each.cause: each.confidence for each in assessment.findings}
    assert named.get("nvme_power_state") in (None, Confidence.LOW)


@pytest.mark.parametrize("seed", sampled([6, 7, 8], [7]))
def test_reads_that_overlap_speak_against_a_sleep_too(seed):
    """A drive that was slow while the game loaded, with several reads at once all the time."""
    bursts = _after_loading(_apart(*OFTEN))(_seeded(f"slow after loading {seed}"))
    drive = SimulatedDrive((), _always_12_ms)
    assert play(drive, bursts, SECONDS, seed, PILES_UP).findings == ()


@pytest.mark.parametrize("seed", SEEDS)
def test_an_odd_read_does_not_silence_the_rule(seed):
    """One of 105 ms among some hundreds: housekeeping, and the drive sleeps all the same."""

    def odd_ms(rng: random.Random, rest_s: float) -> float:
        return 105.0 if rng.random() < 1 / 200 else quick(rng, rest_s)

    bursts = _apart(*OFTEN)(_seeded(seed))
    drive = SimulatedDrive((SHALLOW,), odd_ms)
    finding = play(drive, bursts, SECONDS, seed, PILES_UP).findings[0]
    assert finding.cause == "nvme_power_state"
    assert finding.stutters_explained >= 0.9 * finding.stutters_total


@pytest.mark.parametrize("jiffy_ms", sampled([1, 4, 10], [4]))
def test_the_kernels_clock_does_not_matter(jiffy_ms):
    """Busy time in steps of 1 to 10 ms: the waits of a burst come from whole milliseconds."""
    bursts = _apart(*OFTEN, 8)(_seeded(jiffy_ms))
    drive = SimulatedDrive((SHALLOW,), jiffy_ms=jiffy_ms)
    finding = play(drive, bursts, SECONDS, 1, PILES_UP).findings[0]
    assert (finding.cause, finding.confidence) == ("nvme_power_state", Confidence.HIGH)
