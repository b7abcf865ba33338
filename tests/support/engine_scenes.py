# SPDX-License-Identifier: GPL-3.0-or-later
"""Scripted games as engines make them: the main thread only waits for its workers.

All of it is test data. What looks at the threads find in a stutter is given by its fields.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from destutter.analysis.examining.pipeline import Pipeline
from destutter.diagnosis.assessor import Assessor
from destutter.words.renderer import english
from tests.support.scripted_source import INSTANCES, Script

SOURCES = (
    "vmstat", "meminfo", "stat", "pressure", "disk", "cpu", "game", "game_status", "game_wait",
    "blocked_thread", "unusual_thread", "busy_thread",
)  # fmt: skip
NAMES = {
    **INSTANCES,
    "blocked_thread": ("8 streamer",),
    "unusual_thread": ("8 streamer",),
    "thread": ("8 streamer",),
    "busy_thread": ("7 main", "8 streamer", "9 worker"),
    "game_pressure": ("cpu", "io", "memory"),
    "realtime_run": ("5/6 audio-server",),
    "holder": ("30 keeper", "0"),
    "process": ("70 vrcompositor", "90 encoder"),
    "partner": ("70/70 vrcompositor", "70/71 render"),
}
WORKING = {
    "game.run_ns": 3e8,
    "game.user_ticks": 60,
    "busy_thread:7 main.run_ns": 3e8,
    "busy_thread:9 worker.run_ns": 3e8,
}
WAITS_FOR_DRIVE = {
    "pressure:io.some_us": 1e6,
    "disk:sda.writes": 50,
    "disk:sda.write_ms": 10_000,
    "disk:sda.io_ms": 1000,
}
ONE_SLOW_READ = {
    "pressure:io.some_us": 9.8e5,
    "disk:sda.reads": 20,
    "disk:sda.read_ms": 5000,
    "disk:sda.io_ms": 980,
    "disk:sda.sectors_read": 800,
    "game_status.read_bytes": 400_000,
}
OWN_WORK = {"busy_thread:9 worker.run_ns": 1e9, "game.user_ticks": 100}
OWN_CROWD = {
    "stat.user": 390,
    "stat.idle": 10,
    "game.user_ticks": 390,
    "busy_thread:9 worker.run_ns": 3e8,
    "busy_thread:9 worker.run_delay_ns": 6e8,
    "pressure:cpu.some_us": 9e5,
}
BLOCKED = ("io", "memory", "dirty", "journal", "maps", "other", "frozen")
FOUND = ("running", "socket", "pipe", "events", "timer", "gpu", "server", "other")
PLACES = ("futex", "socket", "pipe", "events", "timer", "gpu", "other", "server")


@dataclass
class EngineScene:
    """A game of 60 frames a second that stands still now and then."""

    script: Script


def see(script: Script, kinds: Sequence[str]) -> None:
    """What the next looks at the threads find: kinds of waits, "stopped", "main_futex", ...

    "main_untimed" is a futex without a time of its own; "worker_timer" and the like are the
    streamer where it never is while all is well.
    """
    for name in ("stopped", *BLOCKED):
        script.set(f"game_wait.{name}", int(name in kinds))
    for place in PLACES:
        script.set(f"game_wait.main_{place}", int(f"main_{place}" in kinds))
    script.set("game_wait.main_untimed", int("main_untimed" in kinds))
    for found in FOUND:
        script.set(f"unusual_thread:8 streamer.{found}", int(f"worker_{found}" in kinds))
    for kind in BLOCKED:
        script.set(f"blocked_thread:8 streamer.{kind}", int(kind in kinds))


def begin(sources: Sequence[str] = SOURCES) -> Script:
    """A computer with the game on it."""
    script = Script(sources, NAMES, has_probe=False)
    script.fact(game__pid="7", game__name="Test Flight")
    if "game_wait" in sources:
        see(script, ())
    return script


def engine(
    trouble: Mapping[str, float],
    seen: Sequence[str] = (),
    *,
    times: int = 6,
    own_group: Mapping[str, float] | None = None,
    length_s: float = 0.4,
    more: Sequence[str] = (),
    working: Mapping[str, float] = WORKING,
    limits: Mapping[str, float] | None = None,
) -> EngineScene:
    """Six seconds each with a stutter; ``own_group`` gives it a control group of its own, ``more``
    are further sources, ``working`` is what it does while all is well, ``limits`` what its group
    is allowed all the time.
    """
    grouped = () if own_group is None else ("game_pressure",)
    script = begin((*SOURCES, *grouped, *more))
    for name, value in (limits or {}).items():
        script.set(f"game_cgroup.{name}", value)
    for _ in range(times):
        for _ in range(5):
            script.run(1, working).frames(*[16.67] * 60)
        see(script, seen)
        script.run(length_s, {**trouble, **(own_group or {})})
        script.frames(1000.0 * length_s)
        see(script, ())
        script.run(0.6, working).frames(*[16.67] * 36)
    script.run(3, working).frames(*[16.67] * 180)
    return EngineScene(script)


def cores_and_one_drive() -> EngineScene:
    """Five stutters waited for a core. In one a reader was found at a slow drive."""
    no_core = {
        "game.run_ns": 0,
        "game.run_delay_ns": 9.5e8,
        "busy_thread:7 main.run_delay_ns": 9.5e8,
        "pressure:cpu.some_us": 9.8e5,
        "stat.procs_running": 6,
    }
    script = begin(SOURCES)
    working = {**WORKING, "disk:sda.reads": 60, "disk:sda.read_ms": 12, "disk:sda.io_ms": 12}
    for number in range(6):
        script.run(5, working).frames(*[16.67] * 300)
        is_drive = number == 3
        see(script, ("io",) if is_drive else ())
        script.run(0.4, ONE_SLOW_READ if is_drive else no_core).frames(400.0)
        see(script, ())
        script.run(0.6, working).frames(*[16.67] * 36)
    script.run(3, working).frames(*[16.67] * 180)
    return EngineScene(script)


def busy_storage() -> EngineScene:
    """A drive is busy in each stutter, and what the game waits for nobody can see."""
    script = begin(tuple(name for name in SOURCES if "thread" not in name and name != "game_wait"))
    for _ in range(6):
        for _ in range(5):
            script.run(1, {"game.user_ticks": 60}).frames(*[16.67] * 60)
        script.run(0.4, WAITS_FOR_DRIVE).frames(400.0)
        script.run(0.6, {"game.user_ticks": 60}).frames(*[16.67] * 36)
    script.run(3).frames(*[16.67] * 180)
    return EngineScene(script)


def hitches() -> EngineScene:
    """Frames of 29 ms, no stutter, whenever a drive takes 25 ms."""
    script = Script(has_probe=False).fact(game__pid="7", game__name="Test Flight")
    slow = {"disk:sda.reads": 100, "disk:sda.read_ms": 2500, "pressure:io.some_us": 5e5}
    for _ in range(8):
        for _ in range(9):
            script.run(1, {"disk:sda.reads": 20, "disk:sda.read_ms": 4}).frames(*[16.67] * 60)
        for _ in range(2):
            script.run(1, slow).frames(*[16.67] * 20, 29.0, *[16.67] * 38)
    return EngineScene(script)


def passed_trouble() -> EngineScene:
    """Twelve stutters waited for a drive; since then the game itself took the time."""
    scene = engine(WAITS_FOR_DRIVE, ("io",), times=12)
    for _ in range(24):
        scene.script.run(5, WORKING).frames(*[16.67] * 300)
        scene.script.run(0.4, OWN_WORK).frames(400.0)
        scene.script.run(0.6, WORKING).frames(*[16.67] * 36)
    scene.script.run(3, WORKING).frames(*[16.67] * 180)
    return scene


def assessed(script: Script, *, is_whole: bool = False, is_played: bool = False) -> Any:
    """The ``Assessment`` at the end, whose detail has a text; ``is_whole``: as of a recording,
    ``is_played``: as of one that is played.

    Not typed: tests ask for what may be None, and fail where it is.
    """
    assessor = Assessor(None, None) if is_whole else Assessor(is_of_recording=is_played)
    pipeline = Pipeline(assessor)
    for message in script.messages:
        pipeline.accept_message(message)
    snapshot = pipeline.take_snapshot()
    assert snapshot is not None
    assert english(snapshot.assessment.verdict.detail)
    return snapshot.assessment
