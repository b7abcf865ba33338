# SPDX-License-Identifier: GPL-3.0-or-later
"""What a verdict says of the stutters that its cause does not explain, and how many they are."""

from destutter.diagnosis.finding import VerdictKind
from tests.support.engine_scenes import ONE_SLOW_READ, SOURCES, WORKING, assessed, begin, see

# Beside a drive that never rests, which would be a reason of its own.
_WORKING = {**WORKING, "disk:sda.reads": 60, "disk:sda.read_ms": 12, "disk:sda.io_ms": 12}
_FOR_CORE = {
    "game.run_ns": 0,
    "game.run_delay_ns": 9.5e8,
    "busy_thread:7 main.run_delay_ns": 9.5e8,
    "pressure:cpu.some_us": 9.8e5,
    "stat.procs_running": 6,
}
_NOTHING: dict[str, float] = {}
NO_CORE = (), _FOR_CORE
DRIVE = ("io",), ONE_SLOW_READ
PROGRAM = ("main_socket",), _NOTHING
SLEPT = ("main_futex", "worker_timer"), _NOTHING
UNKNOWN = ("main_futex",), _NOTHING


def _rest(*others):
    """What is said beside four waits for a core, which are the headline."""
    script = begin(SOURCES)
    for seen, trouble in (NO_CORE, *others, *[NO_CORE] * 3):
        for _ in range(5):
            script.run(1, _WORKING).frames(*[16.67] * 60)
        see(script, seen)
        script.run(0.4, trouble).frames(400.0)
        see(script, ())
        script.run(0.6, _WORKING).frames(*[16.67] * 36)
    verdict = assessed(script.run(3, _WORKING).frames(*[16.67] * 180)).verdict
    assert verdict.kind is VerdictKind.STUTTER
    assert verdict.finding.cause == "run_queue_delay"
    assert verdict.detail.values["explained"] == 4
    assert verdict.detail.values["total"] == 4 + len(others)
    return verdict.rest.id.removeprefix("verdict.rest."), verdict.rest.values


def test_as_many_as_the_second_cause_explains():
    """Of four others three were the drive's: 3 others, not 4."""
    assert _rest(DRIVE, PROGRAM, DRIVE, DRIVE) == ("cause", {"count": 3, "cause": "slow_device"})


def test_as_many_as_went_there():
    """Of four others three waited for a program, and one for a worker that slept: 3, not 4."""
    assert _rest(PROGRAM, SLEPT, PROGRAM, PROGRAM) == ("program", {"count": 3})


def test_what_only_may_have_been_is_told_as_that():
    """The list of stutters says "Possibly: Slow drive" of it, not that nothing could be seen."""
    assert _rest(DRIVE) == ("possible", {"count": 1, "cause": "slow_device"})


def test_all_where_nothing_is_known():
    """Nobody knows of any of them what it was."""
    assert _rest(UNKNOWN, UNKNOWN, UNKNOWN) == ("unseen", {"count": 3})


def test_a_recording_may_end_with_a_stutter():
    """What comes behind one in a stream is waited for in vain then."""
    script = begin(SOURCES)
    for _ in range(2):
        script.run(5, WORKING).frames(*[16.67] * 300)
        see(script, ("io",))
        script.run(0.4, ONE_SLOW_READ).frames(400.0)
        see(script, ())
    told = assessed(script, is_whole=True)
    assert [each.cause for each in told.spikes] == ["slow_device"] * 2
