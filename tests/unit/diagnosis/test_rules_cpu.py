# SPDX-License-Identifier: GPL-3.0-or-later
"""Waiting for a core."""

import pytest

from destutter.diagnosis.causes.registry import CAUSE_BY_ID
from tests.support.windows import window_of

SPEC = CAUSE_BY_ID["run_queue_delay"]
FOUR_CORES = {"core.busy_pct": {f"cpu{number}": 50.0 for number in range(4)}}


def _signal(given):
    return SPEC.rule(window_of({**FOUR_CORES, **given}), SPEC.limits)


def _game(delay_ms, cpu_ms=400.0):
    return {"game.run_delay_ms_per_s": delay_ms, "game.main_cpu_ms_per_s": cpu_ms}


@pytest.mark.parametrize(("delay_ms", "holds"), [(49.0, False), (51.0, True), (300.0, True)])
def test_the_games_main_thread_may_wait_five_percent_of_the_time(delay_ms, holds):
    """Above 50 ms in a second it counts."""
    signal = _signal(_game(delay_ms))
    assert signal is not None
    assert (signal.strength >= 1.0) is holds
    assert signal.stall_ms == pytest.approx(delay_ms)


def test_a_busy_thread_that_waits_more_than_the_main_thread_is_named():
    """The render thread waits, the main thread does not."""
    signal = _signal(
        {
            **_game(5.0),
            "thread.run_delay_ms_per_s": {"101 render": 200.0, "102 audio": 10.0},
            "thread.cpu_ms_per_s": {"101 render": 500.0, "102 audio": 300.0},
        }
    )
    assert signal is not None
    assert signal.subject == "101 render"
    assert signal.strength == pytest.approx(4.0)


def test_threads_that_hardly_run_wait_by_design():
    """A helper at low priority waits all day and harms nobody."""
    signal = _signal(
        {
            **_game(5.0),
            "thread.run_delay_ms_per_s": {"103 batch": 900.0},
            "thread.cpu_ms_per_s": {"103 batch": 20.0},
        }
    )
    assert signal is not None
    assert signal.strength < 1.0


def test_with_a_game_a_crowd_elsewhere_does_not_count():
    """Ten tasks want a core, but the game gets its own: no signal."""
    signal = _signal({**_game(1.0), "cpu.running": 10.0})
    assert signal is not None
    assert signal.strength < 1.0


@pytest.mark.parametrize(("running", "holds"), [(2.0, False), (5.0, False), (6.0, True)])
def test_without_a_game_more_tasks_than_cores_are_a_crowd(running, holds):
    """Four cores: four tasks beside the sampler fit, five do not."""
    signal = _signal({"cpu.running": running})
    assert signal is not None
    assert (signal.strength >= 1.0) is holds
    assert signal.proves_origin == "wakeup"


def test_time_that_the_host_took_is_not_blamed_on_other_programs():
    """In a guest with steal time a crowd is the host's doing."""
    signal = _signal({"cpu.running": 20.0, "cpu.steal_pct": 3.0})
    assert signal is not None
    assert signal.strength < 1.0


@pytest.mark.parametrize("given", [{"cpu.running": 20.0}, _game(300.0)])
def test_pressure_is_a_gate_for_cores(given):
    """Where PSI reports that nobody waited for a core, nobody did."""
    signal = _signal({**given, "pressure.some_pct": {"cpu": 0.2}})
    assert signal is not None
    assert signal.strength < 1.0


def test_not_measured_without_tasks_or_cores():
    """No counters, no signal."""
    assert SPEC.rule(window_of({"cpu.running": 9.0}), SPEC.limits) is None
    assert SPEC.rule(window_of(FOUR_CORES), SPEC.limits) is None
