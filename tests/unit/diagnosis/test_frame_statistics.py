# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures of a run's frame times."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from destutter.diagnosis.runs.frame_statistics import (
    artefacts,
    frame_statistics,
    looks_generated,
    running_median,
    stutter_mask,
)


def test_even_run_has_equal_figures_and_no_stutter() -> None:
    """A thousand frames of 20 ms are 50 per second by every definition."""
    figures = frame_statistics(np.full(1000, 20.0))
    assert figures is not None
    assert figures.average_fps == pytest.approx(50)
    assert figures.low_1_percentile_fps == pytest.approx(50)
    assert figures.low_1_average_fps == pytest.approx(50)
    assert (figures.stutters, figures.hitch_ms) == (0, 0)


def test_the_two_definitions_of_one_percent_low_differ() -> None:
    """Half a percent of very long frames lowers the mean of the slowest, not the percentile."""
    frames = np.full(2000, 10.0)
    frames[500:510] = 200.0
    figures = frame_statistics(frames)
    assert figures is not None
    assert figures.low_1_percentile_fps == pytest.approx(100)
    assert figures.low_1_average_fps == pytest.approx(1000 / 105)
    assert figures.worst_ms == 200


def test_stutter_is_relative_to_the_frames_around_it() -> None:
    """40 ms is a stutter at 100 frames a second and an ordinary frame at 25."""
    frames = np.concatenate((np.full(500, 10.0), np.full(500, 40.0)))
    frames[100] = 40.0
    mask = stutter_mask(frames, running_median(frames))
    assert np.flatnonzero(mask).tolist() == [100]
    figures = frame_statistics(frames)
    assert figures is not None
    assert figures.hitch_ms == pytest.approx(30)


def test_very_short_frames_do_not_stutter_at_five_milliseconds() -> None:
    """2.5 times a frame of 2 ms is nothing that anybody feels."""
    frames = np.full(1000, 2.0)
    frames[500] = 6.0
    assert not stutter_mask(frames, running_median(frames)).any()


def test_generated_frames_are_recognised() -> None:
    """A short and a long time in turn is frame generation; noise and stutters are not."""
    generator = np.random.default_rng(1)
    pairs = np.tile((2.0, 14.0), 500) + generator.normal(0, 0.2, 1000)
    assert looks_generated(pairs)
    noisy = np.abs(generator.normal(16.0, 6.0, 1000)) + 0.1
    assert not looks_generated(noisy)
    assert not looks_generated(np.full(1000, 16.7))
    assert not looks_generated(np.tile((2.0, 14.0), 20))


def test_empty_run_has_no_figures() -> None:
    """Nothing measured is nothing said."""
    assert frame_statistics(np.array([])) is None


def test_running_median_of_a_long_run_is_the_same_in_pieces() -> None:
    """Working in pieces changes no value at their edges."""
    frames = np.random.default_rng(2).uniform(5, 50, 45_000)
    whole = running_median(frames)
    middle = [float(np.median(frames[at - 60 : at + 61])) for at in (19_999, 20_000, 40_000)]
    assert [whole[19_999], whole[20_000], whole[40_000]] == middle


@given(arrays.arrays(np.float64, st.integers(1, 400), elements=st.floats(0.01, 100_000, width=64)))
def test_figures_of_any_run_are_within_its_range(frames: np.ndarray) -> None:
    """No figure leaves the range of the frames, and stutters never outnumber them."""
    figures = frame_statistics(frames)
    assert figures is not None
    assert frames.min() <= figures.median_ms <= figures.p99_ms <= frames.max() + 1e-9
    assert figures.low_1_average_fps <= figures.average_fps * (1 + 1e-9)
    assert 0 <= figures.stutters <= figures.frames
    assert figures.hitch_ms >= 0


def test_running_median_of_hours_stays_close_to_the_exact_one() -> None:
    """Beyond some hours every sixteenth frame asks; what is usual changes slowly."""
    frames = np.concatenate((np.full(150_000, 16.0), np.full(150_000, 33.0)))
    usual = running_median(frames)
    assert usual.size == frames.size
    assert set(np.unique(usual)) == {16.0, 33.0}
    assert abs(int((usual == 16.0).sum()) - 150_000) <= 16


def test_what_comes_from_the_tool_is_told_apart_from_the_game() -> None:
    """Sampled logs, whole milliseconds and clocks that go backwards; an even log has nothing."""
    generator = np.random.default_rng(4)
    frames = generator.uniform(16, 17, 2000)
    ends = np.cumsum(frames) / 1000
    assert artefacts(frames, ends) == ()
    assert artefacts(frames, ends * 10) == ("sampled_log",)
    assert artefacts(np.round(generator.uniform(14, 19, 2000)), ends) == ("coarse_clock",)
    jumped = ends.copy()
    jumped[1000:] -= 5
    assert artefacts(frames, jumped) == ("clock_steps",)
    beats = np.arange(2000, dtype=np.float64)
    assert artefacts(np.tile((2.0, 14.0), 1000), beats * 0.008) == (
        "frame_generation",
        "coarse_clock",
    )
