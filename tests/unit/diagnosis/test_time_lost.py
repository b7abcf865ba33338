# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the milliseconds of stutters went: each once, and all of them together the whole."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.traced import CORE, RECLAIM, REQUEST, TracedThread
from destutter.diagnosis.blame.stutter_answer import Blame, Certainty, WhereTimeWent
from destutter.diagnosis.circumstances.circumstances import Circumstances
from destutter.diagnosis.circumstances.traced_waits import TracedWaits, WaitInside
from destutter.diagnosis.finding import Group, Spike
from destutter.diagnosis.findings.explained import Explained
from destutter.diagnosis.findings.time_lost import TimeLostTally, told_as_lost
from destutter.diagnosis.lost_time import TimeLost
from destutter.words.renderer import english
from tests.support.engine_scenes import assessed
from tests.unit.diagnosis.test_traced import (
    MAIN,
    SHORT_OF_MEMORY,
    SLOW_DRIVE,
    STREAMER,
    behind,
    read,
    reclaim,
    scene,
)

MS = 1_000_000
HOG = TracedThread(90, "hog", 90)
THREADS = st.sampled_from([MAIN, STREAMER])


def lost_in(*arguments, **more) -> TimeLost:
    """Of a scene with six stutters of 200 ms, of which a usual frame takes 16.67."""
    found: TimeLost = assessed(scene(*arguments, **more)).lost
    assert found.total_ms == pytest.approx(1200 - 6 * 16.67)
    assert sum(found.parts.values()) == pytest.approx(1200 - 6 * 16.67)
    return found


def test_what_the_kernel_told_counts_to_the_millisecond() -> None:
    """169 ms of 200 six times, and it is said that it was told."""
    lost = lost_in(SHORT_OF_MEMORY, [reclaim(STREAMER, 169)])
    assert lost.parts["memory"] == pytest.approx(6 * 169)
    assert lost.traced_ms == pytest.approx(6 * 169)
    said = told_as_lost(lost)
    assert said is not None
    text = english(said).replace("\N{NO-BREAK SPACE}", " ")
    assert text.startswith("1,100 ms were lost in stutters: 1,014 ms waiting for memory")
    assert text.endswith("The system itself told 1,014 ms of the waiting.")


def test_waits_at_the_same_time_count_once() -> None:
    """170 ms for a drive, within them 100 for memory, and 20 for a core behind that."""
    lost = lost_in({}, [read(STREAMER, 170), reclaim(MAIN, 100), behind(MAIN, HOG, 10, 20)])
    assert lost.parts["storage"] == pytest.approx(6 * 170)
    assert lost.parts.get("memory", 0.0) == pytest.approx(0.0)
    assert lost.traced_ms == pytest.approx(6 * 170)


def test_without_a_trace_counters_tell_it() -> None:
    """What they measured of the game, and nothing is said of the kernel's word."""
    lost = lost_in(SLOW_DRIVE, seen=("io",), is_traced=False)
    assert lost.parts["storage"] > 600
    assert not lost.traced_ms


def test_what_nobody_knows_is_not_known() -> None:
    """No part is invented, and no sentence is made of it."""
    spike = Spike(1000 * MS, 200.0, "frame")
    lost = TimeLostTally().of([spike], [])
    assert lost == TimeLost(200.0, {"unknown": 200.0})
    assert told_as_lost(lost) is None
    assert told_as_lost(TimeLost()) is None


def test_what_only_the_probe_felt_is_no_time_of_the_game() -> None:
    """One of 20.2 ms of the processor's read "1.2 ms of the game's own work and 19 not known"."""
    spike = Spike(1000 * MS, 20.2, "wakeup")
    met = Circumstances(20.2, runner=("autosave", 1.2))
    lost = TimeLostTally().of([spike], [Explained(spike, met, ())])
    assert lost == TimeLost(20.2, {"unknown": 20.2})


def test_frames_that_are_felt_as_one_stutter_count_in_full() -> None:
    """Divided as the longest of them: it speaks for all."""
    spike = Spike(1000 * MS, 200.0, "frame", more_ms=600.0)
    sure = Blame(WhereTimeWent.STORAGE, Certainty.SEEN, 150.0)
    lost = TimeLostTally().of([spike], [Explained(spike, Circumstances(200.0), (sure,))])
    assert lost == TimeLost(800.0, {"storage": 600.0, "unknown": 200.0}, more_ms=600.0)
    told = told_as_lost(lost)
    assert told is not None
    assert "in stutters of several long frames each" in english(told)


def test_a_stutter_that_is_explained_anew_is_added_up_anew() -> None:
    """Its answer may come a second later, and its frames may go on; one that is gone is gone."""
    tally = TimeLostTally()
    spike = Spike(1000 * MS, 200.0, "frame")
    assert tally.of([spike], []).parts == {"unknown": 200.0}
    sure = Blame(WhereTimeWent.STORAGE, Certainty.SEEN, 150.0)
    answer = Explained(spike, Circumstances(200.0), (sure,))
    assert tally.of([spike], [answer]).parts == {"storage": 150.0, "unknown": 50.0}
    longer = Spike(1000 * MS, 200.0, "frame", more_ms=200.0)
    assert tally.of([longer], [answer]).parts == {"storage": 300.0, "unknown": 100.0}
    assert tally.of([], []) == TimeLost()


def test_a_guess_is_no_part() -> None:
    """What only may have been is left in the dark."""
    spike = Spike(1000 * MS, 200.0, "frame")
    guess = Blame(WhereTimeWent.STORAGE, Certainty.POSSIBLE, 190.0)
    lost = TimeLostTally().of([spike], [Explained(spike, Circumstances(200.0), (guess,))])
    assert lost.parts == {"unknown": 200.0}


def test_what_is_told_as_a_guess_is_no_part() -> None:
    """One look is no measure: "Possibly: Slow drive" stood beside so many ms of drives. What was
    measured is one, and so is what the answer is now.
    """
    tally = TimeLostTally()
    spike = Spike(1000 * MS, 200.0, "frame", cause="slow_device", group=Group.STORAGE)
    seen, measured = (
        Blame(WhereTimeWent.STORAGE, how, 190.0) for how in (Certainty.SEEN, Certainty.MEASURED)
    )
    answer = Explained(spike, Circumstances(200.0), (seen,))
    assert tally.of([spike], [answer]).parts == {"storage": 190.0, "unknown": 10.0}
    guess = replace(spike, is_guess=True)
    assert tally.of([guess], [answer]).parts == {"unknown": 200.0}
    answer.blames = (measured,)
    assert tally.of([guess], [answer]).parts == {"storage": 190.0, "unknown": 10.0}
    answer.blames = ()
    assert tally.of([guess], [answer]).parts == {"unknown": 200.0}


@given(
    duration_ms=st.integers(50, 2000),
    blames=st.lists(
        st.builds(
            Blame, st.sampled_from(WhereTimeWent), st.sampled_from(Certainty), st.floats(0, 5000)
        ),
        max_size=4,
    ),
    waits=st.none()
    | st.lists(
        st.builds(
            lambda thread, kind, begin, length: WaitInside(
                thread, kind, begin * MS, (begin + length) * MS
            ),
            THREADS,
            st.sampled_from([RECLAIM, REQUEST, CORE]),
            st.integers(-200, 2200),
            st.integers(0, 1000),
        ),
        max_size=6,
    ),
    ran_ms=st.floats(0, 5000),
)
def test_the_parts_are_the_whole(duration_ms, blames, waits, ran_ms) -> None:
    """Whatever was measured, however much of it at once, also beyond the stutter."""
    spike = Spike(duration_ms * MS, float(duration_ms), "frame")
    traced = None if waits is None else TracedWaits(frozenset([RECLAIM]), tuple(waits))
    met = Circumstances(float(duration_ms), traced=traced, runner=("", ran_ms))
    lost = TimeLostTally().of([spike, spike], [Explained(spike, met, tuple(blames))])
    assert sum(lost.parts.values()) == pytest.approx(2 * duration_ms)
    assert all(each >= 0 for each in lost.parts.values())
    assert lost.traced_ms <= 2 * duration_ms * (1 + 1e-9)
