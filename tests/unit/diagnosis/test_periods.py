# SPDX-License-Identifier: GPL-3.0-or-later
"""Stutters in a beat."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.diagnosis.finding import Spike
from destutter.diagnosis.stutters.periods import find_period, period_kind


def _spikes(times_s, origin="mangohud"):
    return [Spike(round(1e9 * (at + 0.06)), 60.0, origin) for at in times_s]


@pytest.mark.parametrize("period_s", [0.5, 1.0, 5.0, 10.0, 15.0, 30.0])
def test_a_beat_is_found_through_jitter_and_missing_beats(period_s):
    """One in seven does not happen, each is up to 20 ms off."""
    rng = random.Random(4)  # noqa: S311 - a fixed order, not a secret
    times = [n * period_s + rng.uniform(-0.02, 0.02) for n in range(40) if n % 7]
    found = find_period(_spikes(times))
    assert found is not None
    assert found.period_s == period_s


def test_stutters_at_random_have_no_beat():
    """Twenty runs of a hundred stutters whenever they like."""
    for seed in range(20):
        rng = random.Random(seed)  # noqa: S311 - a fixed order, not a secret
        times = sorted(rng.uniform(0, 600) for _ in range(100))
        assert find_period(_spikes(times)) is None


def test_a_few_stutters_have_no_beat():
    """Six in a row may be chance."""
    assert find_period(_spikes(range(0, 30, 5))) is None


def test_the_beat_of_the_probe_itself_is_none():
    """Without frame times a crowded second is one spike, which makes a beat of one second."""
    assert find_period(_spikes(range(60), "wakeup")) is None


def test_bursts_every_ten_to_fifteen_minutes_are_scenery():
    """A flight of 90 minutes with some long frames at each tile, at no exact beat."""
    tiles = [720 * n + 40 * (n % 3) for n in range(1, 9)]
    times = [tile + offset for tile in tiles for offset in (0.0, 0.9, 3.0)]
    found = find_period(_spikes(times))
    assert found is not None
    assert period_kind(found.period_s) == "scenery"
    assert (found.met, len(found.spikes)) == (7, 24)


@pytest.mark.parametrize("mean_s", [60, 300, 600, 720, 900, 1800])
def test_bursts_at_random_are_no_scenery(mean_s):
    """Two hundred flights of three hours at each rate."""
    for seed in range(200):
        rng = random.Random(seed)  # noqa: S311 - a fixed order, not a secret
        times, now = [], 0.0
        while (now := now + rng.expovariate(1 / mean_s)) < 10_800:
            times.append(now)
        found = find_period(_spikes(times))
        assert found is None or period_kind(found.period_s) != "scenery"


def test_periods_have_suspects():
    """Who is known for which period."""
    kinds = [period_kind(period) for period in (0.5, 1.0, 5.0, 10.0, 7.3)]
    assert kinds == ["overlay", "sensor", "writeback", "poller", "other"]


@given(st.lists(st.floats(0, 1e6), max_size=60))
def test_any_times_are_fine(times):
    """Never more explained than there are."""
    spikes = _spikes(sorted(times))
    found = find_period(spikes)
    assert found is None or len(found.spikes) <= len(spikes)


@pytest.mark.parametrize("period_s", [1.5, 1.7, 2.5])
def test_a_beat_of_its_own_is_not_told_as_a_shorter_one(period_s):
    """Each pause of 1.5 s is three times the half second of overlays as well."""
    found = find_period(_spikes([10.0 + turn * period_s for turn in range(18)]))
    assert found is not None
    assert found.period_s == pytest.approx(period_s)
    assert period_kind(found.period_s) == "other"
