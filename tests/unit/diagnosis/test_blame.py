# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the time of one stutter went."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.diagnosis.blame.blame import Certainty, WhereTimeWent, blames
from destutter.diagnosis.blame.nearest_cause import nearest_cause
from destutter.diagnosis.circumstances.circumstances import Circumstances
from destutter.diagnosis.finding import Group
from destutter.diagnosis.verdict.cleared_groups import raised

LONG = Circumstances(200.0, is_covered=True)


def told(**values):
    """The first answer for a stutter of 200 ms: where, how sure, and the nearest cause."""
    met = replace(LONG, **values)
    found = blames(met)
    if not found:
        return None
    return found[0].where, found[0].certainty, nearest_cause(found[0], met)


@pytest.mark.parametrize(
    ("values", "answer"),
    [
        ({}, None),
        (
            {"looks": 2, "seen": {"io": 2}, "waiters": {"8 streamer": 2}},
            (WhereTimeWent.STORAGE, Certainty.SEEN, "slow_device"),
        ),
        (
            {"looks": 2, "seen": {"journal": 2}},
            (WhereTimeWent.STORAGE, Certainty.SEEN, "filesystem_commit"),
        ),
        (
            {"looks": 2, "seen": {"dirty": 2}},
            (WhereTimeWent.STORAGE, Certainty.SEEN, "dirty_throttling"),
        ),
        (
            {"looks": 2, "seen": {"io": 1}, "drive_bytes": 60e6, "own_bytes": 1e5},
            (WhereTimeWent.STORAGE, Certainty.SEEN, "io_unfairness"),
        ),
        ({"lost_ms": {"io": 190.0}}, (WhereTimeWent.STORAGE, Certainty.POSSIBLE, "slow_device")),
        ({"lost_ms": {"io": 190.0}, "looks": 2}, None),
        (
            {"lost_ms": {"io": 190.0}, "looks": 2, "faults": 40.0},
            (WhereTimeWent.STORAGE, Certainty.SEEN, "slow_device"),
        ),
        (
            {"lost_ms": {"io": 190.0}, "faults": 40.0, "swap_ins": 40.0},
            (WhereTimeWent.STORAGE, Certainty.POSSIBLE, "swap_thrash"),
        ),
        (
            {"own_ms": {"io": 150.0}, "own_usual": {"io": 0.02}},
            (WhereTimeWent.STORAGE, Certainty.MEASURED, "slow_device"),
        ),
        ({"own_ms": {"io": 1.0}, "lost_ms": {"io": 200.0}}, None),
        (
            {"lost_ms": {"memory": 180.0}, "system_ms": 150.0, "allocstalls": 30.0},
            (WhereTimeWent.MEMORY, Certainty.SEEN, "direct_reclaim"),
        ),
        (
            {"lost_ms": {"memory": 180.0}, "allocstalls": 30.0},
            (WhereTimeWent.MEMORY, Certainty.POSSIBLE, "direct_reclaim"),
        ),
        (
            {"limit_hits": 8000.0, "system_ms": 120.0, "runner": ("8 w", 190.0)},
            (WhereTimeWent.MEMORY, Certainty.SEEN, "memcg_reclaim"),
        ),
        (
            {"delayed": ("8 w", 150.0), "realtime": ("9/9 hog", 140.0)},
            (WhereTimeWent.CPU, Certainty.MEASURED, "rt_runaway"),
        ),
        ({"delayed": ("8 w", 150.0)}, (WhereTimeWent.CPU, Certainty.MEASURED, "run_queue_delay")),
        (
            {"delayed": ("8 w", 150.0), "steal_ms": 120.0},
            (WhereTimeWent.CPU, Certainty.MEASURED, "cpu_steal"),
        ),
        (
            {"wake_ms": 180.0, "lost_ms": {"cpu": 190.0}, "realtime": ("9/9 hog", 170.0)},
            (WhereTimeWent.CPU, Certainty.SEEN, "rt_runaway"),
        ),
        ({"wake_ms": 180.0}, None),
        ({"lost_ms": {"cpu": 190.0}}, None),
        ({"runner": ("8 worker", 190.0)}, (WhereTimeWent.OWN_WORK, Certainty.MEASURED, None)),
        (
            {"runner": ("8 worker", 190.0), "lost_ms": {"io": 200.0}},
            (WhereTimeWent.OWN_WORK, Certainty.MEASURED, None),
        ),
        (
            {"runner": ("8 worker", 190.0), "system_ms": 180.0},
            (WhereTimeWent.OWN_WORK, Certainty.MEASURED, None),
        ),
        ({"runner": ("8 worker", 190.0), "system_ms": 180.0, "compactions": 4.0}, None),
        ({"runner": ("8 worker", 190.0), "system_ms": 180.0, "swap_ins": 40.0}, None),
        (
            {"runner": ("", 180.0), "runner_usual": 0.9, "looks": 2, "seen": {"journal": 1}},
            (WhereTimeWent.STORAGE, Certainty.SEEN, "filesystem_commit"),
        ),
        (
            {"runner": ("", 180.0), "runner_usual": 0.3, "looks": 2, "seen": {"journal": 1}},
            (WhereTimeWent.OWN_WORK, Certainty.MEASURED, None),
        ),
        ({"stopped": 1, "lost_ms": {"io": 200.0}}, (WhereTimeWent.STOPPED, Certainty.SEEN, None)),
        ({"asleep": {"socket": 2}, "looks": 2}, (WhereTimeWent.SOCKET, Certainty.SEEN, None)),
        ({"looks": 2, "seen": {"maps": 1}}, (WhereTimeWent.MAPS, Certainty.SEEN, None)),
    ],
)
def test_the_first_answer(values, answer):
    """What the game itself was measured or seen to do comes before what the computer did."""
    assert told(**values) == answer


def test_a_thread_that_streams_all_the_time_holds_nobody_up():
    """Its group waits for drives in every tick: that it did so in a stutter too says little."""
    met = replace(LONG, own_ms={"io": 180.0}, own_usual={"io": 0.9})
    (blame,) = blames(met)
    assert blame.certainty is Certainty.POSSIBLE
    working = replace(met, runner=("8 worker", 190.0))
    assert [each.where for each in blames(working)] == [WhereTimeWent.OWN_WORK]


TIMES = st.floats(0.0, 400.0)
MET = st.builds(
    Circumstances,
    duration_ms=st.floats(50.0, 400.0),
    is_covered=st.just(value=True),
    lost_ms=st.fixed_dictionaries({"io": TIMES, "memory": TIMES, "cpu": TIMES}),
    own_ms=st.none() | st.fixed_dictionaries({"io": TIMES, "memory": TIMES, "cpu": TIMES}),
    looks=st.integers(0, 4),
    seen=st.dictionaries(st.sampled_from(("io", "memory", "dirty", "journal")), st.integers(0, 4)),
    delayed=st.tuples(st.just("8 w"), TIMES),
    runner=st.tuples(st.just("8 w"), TIMES),
    system_ms=TIMES,
    wake_ms=TIMES,
    allocstalls=st.floats(0, 100),
    faults=st.floats(0, 100),
    limit_hits=st.floats(0, 10_000),
)


@given(MET)
def test_what_is_blamed_was_raised(met):
    """No group that is blamed for a stutter may be told as quiet in it."""
    groups = {
        WhereTimeWent.MEMORY: Group.MEMORY,
        WhereTimeWent.STORAGE: Group.STORAGE,
        WhereTimeWent.CPU: Group.CPU,
    }
    blamed = {groups[each.where] for each in blames(met) if each.where in groups}
    assert blamed <= raised(met)


@given(MET)
def test_answers_are_never_longer_than_the_stutter(met):
    """Their times are parts of it, and possible ones come last."""
    found = blames(replace(met, lost_ms={}, own_ms=None, runner=("", 0), delayed=("", 0)))
    assert all(0.0 <= each.ms <= met.duration_ms for each in found)
    sure = [each.certainty is not Certainty.POSSIBLE for each in blames(met)]
    assert sure == sorted(sure, reverse=True)


def test_who_frees_memory_among_a_crowd_works_for_the_kernel():
    """It stood in line for 378 ms of 378, and what it had of a core went into freeing memory."""
    met = Circumstances(
        378.0,
        lost_ms={"memory": 378.0, "cpu": 378.0},
        looks=5,
        delayed=("", 378.0),
        system_ms=79.0,
        cpu_ms=65.0,
        allocstalls=455.0,
        cores=2,
        used_ms=700.0,
    )
    assert blames(met)[0].where is WhereTimeWent.MEMORY
    crowd = replace(met, system_ms=10.0)
    assert blames(crowd)[0].where is WhereTimeWent.CPU


def test_threads_that_translate_shaders_are_known_by_their_names():
    """They compute for the game, as any worker does, but it is known what."""
    met = Circumstances(350.0, looks=3, runner=("12 dxvk-shader-0", 300.0), runner_usual=0.1)
    assert nearest_cause(blames(met)[0], met) == "shader_compilation"
    other = replace(met, runner=("12 worker", 300.0))
    assert nearest_cause(blames(other)[0], other) is None


def test_what_the_games_own_limit_dropped_and_has_to_come_again_is_the_limits():
    """Threads wait for the drive that brings pages back while the group is at its limit."""
    met = Circumstances(
        300.0, looks=3, own_ms={"io": 250.0}, faults=40.0, limit_hits=5000.0, drive="vda",
        drive_ms=200.0, own_bytes=1e6,
    )  # fmt: skip
    assert nearest_cause(blames(met)[0], met) == "memcg_reclaim"
    beside = Circumstances(300.0, looks=3, own_ms={"io": 250.0}, limit_hits=5000.0, drive_ms=200.0)
    assert nearest_cause(blames(beside)[0], beside) == "slow_device"


@pytest.mark.parametrize(
    ("values", "is_own"),
    [
        ({}, True),
        ({"wake_ms": 4.0}, True),
        ({"wake_ms": 60.0}, False),
        ({"steal_ms": 33.0}, False),
    ],
)
def test_a_sleep_while_all_timers_were_late_is_not_the_games_own(values, is_own):
    """The wake-up probe overslept as long, or the host had the cores: nobody chose that."""
    asleep = Circumstances(100.0, looks=1, on_timer=True, in_one_sleep=True, is_covered=True)
    found = [each.where for each in blames(replace(asleep, **values))]
    assert (WhereTimeWent.TIMER in found) == is_own


@pytest.mark.parametrize(
    ("cpu_ms", "used_ms", "where"),
    [
        (428.0, 631.0, WhereTimeWent.CPU),
        (404.0, 548.0, WhereTimeWent.CPU),
        (467.0, 381.0, WhereTimeWent.OWN_CROWD),
        (400.0, 440.0, WhereTimeWent.OWN_CROWD),
    ],
)
def test_a_crowd_of_its_own_has_nearly_all_of_what_fits_into_the_stutter(cpu_ms, used_ms, where):
    """The ticks around it have more: make, with a session of its own, had one of both cores."""
    crowd = Circumstances(
        229.0, is_covered=True, cores=2, cpu_ms=cpu_ms, used_ms=used_ms, delayed=("", 228.9)
    )
    assert blames(crowd)[0].where is where


@pytest.mark.parametrize(
    ("delayed", "certainty"),
    [
        (("9 helper", 57.0), Certainty.POSSIBLE),
        (("9 helper", 90.0), Certainty.MEASURED),
        (("", 57.0), Certainty.MEASURED),
    ],
)
def test_a_worker_that_stood_in_line_for_a_part_held_nobody_up_for_sure(delayed, certainty):
    """Of many one always does; what the main thread lacked it lacked itself."""
    (answer,) = blames(Circumstances(140.0, is_covered=True, delayed=delayed))
    assert (answer.where, answer.certainty) == (WhereTimeWent.CPU, certainty)
