# SPDX-License-Identifier: GPL-3.0-or-later
"""What the host of a virtual machine took, against what the game was measured to wait for."""

import pytest

from destutter.analysis.examining.pipeline import Pipeline
from destutter.diagnosis.assessor import Assessor
from destutter.diagnosis.finding import OWN_LIMIT, Confidence
from destutter.words.renderer import english
from tests.support.engine_scenes import NAMES, SOURCES, WORKING, see
from tests.support.scripted_source import Script

_FRAME = [16.67]
_FULL = {"stat.user": 390, "stat.idle": 10, "pressure:cpu.some_us": 1e6}
_ROBBED = {"stat.user": 80, "stat.steal": 20, "stat.idle": 300}


def _taken(share):
    """Rates of four processors that are all wanted, of which the host has a share."""
    return {"stat.user": 400 * (1 - share), "stat.steal": 400 * share, "stat.idle": 0}


def _played(late, *, before=None, beside=None, after=None, more=(), rest_s=4):
    """Six stutters of 100 ms in a game of 60 frames; other rates just before and behind them."""
    script = Script((*SOURCES, "game_cgroup", *more), {**NAMES, "interrupt": ("9",)})
    script.fact(game__pid="7", game__name="Test Flight")
    see(script, ())
    beside = {**WORKING, **(beside or {})}
    for _ in range(6):
        for _ in range(rest_s):
            script.run(1, WORKING).frames(*_FRAME * 60)
        script.run(0.5, beside).frames(*_FRAME * 30)
        script.run(0.3, {**beside, **(before or {})}).frames(*_FRAME * 18)
        script.run(0.1, late).frames(100.0)
        script.run(0.3, beside).frames(*_FRAME * 18)
        script.run(0.8, {**WORKING, **(after or {})}).frames(*_FRAME * 48)
    script.run(3, WORKING).frames(*_FRAME * 180)
    pipeline = Pipeline(Assessor())
    for message in script.messages:
        pipeline.accept_message(message)
    snapshot = pipeline.take_snapshot()
    assert snapshot is not None
    return {each.cause: each for each in snapshot.assessment.findings}


def _stood_in_line(delay_ms, **more):
    delay = {
        "game.run_delay_ns": delay_ms * 1e7,
        "busy_thread:7 main.run_delay_ns": delay_ms * 1e7,
    }
    return {
        "game.run_ns": 1e8,
        "game.user_ticks": 10,
        "pressure:cpu.some_us": 1e6,
        **delay,
        **more,
    }


def _ids(finding):
    return [each.id for each in finding.reasons]


def test_a_host_that_took_the_core_is_named():
    """Nobody stood in line before, and most of the wait was the host's: a share is told."""
    found = _played(_stood_in_line(90.0, **_taken(0.6)))
    assert next(iter(found)) == "cpu_steal"
    assert found["cpu_steal"].stutters_explained == 6
    assert found["run_queue_delay"].consequence_of == "cpu_steal"
    assert "reason.stolen" in _ids(found["cpu_steal"])
    assert "60" in english(found["cpu_steal"].reasons[-1])


def test_the_wait_for_the_host_is_never_called_measured():
    """What is measured of it is the run queue that it made longer."""
    found = _played(_stood_in_line(90.0, **_taken(0.6)))
    assert "reason.direct" not in _ids(found["cpu_steal"])
    assert "reason.direct" in _ids(found["run_queue_delay"])


@pytest.mark.parametrize("share", [0.1, 0.25, 0.4])
def test_a_host_that_took_the_smaller_part_of_a_wait_explains_nothing(share):
    """Other programs had the cores for the rest of it."""
    found = _played(_stood_in_line(90.0, **_taken(share)), beside=_ROBBED)
    assert next(iter(found)) == "run_queue_delay"
    assert found["run_queue_delay"].confidence is Confidence.HIGH
    assert found["cpu_steal"].stutters_explained == 0


@pytest.mark.parametrize("crowded", [True, False])
def test_a_host_that_takes_time_of_a_crowd_alone_is_a_consequence(crowded):
    """The virtual machine was full for 300 ms before the host began to hold it back."""
    late = _stood_in_line(95.0, **_taken(0.7))
    found = _played(late, before=_FULL if crowded else None)
    assert next(iter(found)) == ("run_queue_delay" if crowded else "cpu_steal")
    assert found["cpu_steal"].stutters_explained == (0 if crowded else 6)


def test_what_the_game_s_own_limit_withheld_is_not_the_host_s():
    """Its share of the processors would have been no use to a game that may not run."""
    late = {**_stood_in_line(90.0), "stat.user": 100, "stat.steal": 100, "stat.idle": 200}
    found = _played(late, beside=_ROBBED, after={"game_cgroup.throttled_us": 90e3 / 0.8})
    assert next(iter(found)) == "run_queue_delay"
    assert found["run_queue_delay"].kind == OWN_LIMIT
    assert found["cpu_steal"].stutters_explained == 0


@pytest.mark.parametrize("is_waiting", [True, False])
def test_interrupts_do_not_make_a_wait_for_a_drive(is_waiting):
    """They lengthen work: met by chance, they explain no wait that the game's own group has."""
    late = {
        "game.run_ns": 1e8,
        "pressure:io.some_us": 1e6,
        "game_pressure:io.some_us": 1e6 if is_waiting else 0,
        "disk:sda.reads": 50,
        "disk:sda.read_ms": 9_000,
        "disk:sda.io_ms": 1000,
    }
    storm = {"interrupt:9.count": 400_000}
    more = ("game_pressure", "interrupt")
    found = _played({**late, **storm}, before=storm, beside=storm, more=more, rest_s=12)
    assert found["irq_storm"].stutters_explained == (0 if is_waiting else 6)
