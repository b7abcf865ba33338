# SPDX-License-Identifier: GPL-3.0-or-later
"""Troubles of another process for which the game waits in shared memory or at a socket, as for a
headset's compositor: the game's own threads tell nothing then.
"""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Iterator

from tests.truth.machine import CannotBeMadeError, Stage, program, tell
from tests.truth.makes import WITHOUT_WORKERS
from tests.truth.scenario import Play, Scenario

_FIRST, _LAST = min(os.sched_getaffinity(0)), max(os.sched_getaffinity(0))
_ON_FIRST = ("taskset", "-c", str(_FIRST))
_ON_LAST = ("nice", "-n", "-20", "taskset", "-c", str(_LAST))
_USUAL_MS = 2
_HEAVY_MS = 150
_CROWD = "encoder"


@contextlib.contextmanager
def _compositor(place: Stage) -> Iterator[tuple[subprocess.Popen[bytes], Play]]:
    """A compositor on one processor, and a play whose victim waits for it on another."""
    if _FIRST == _LAST:
        raise CannotBeMadeError("there is only one processor")
    path = place.memory / "meeting"
    command = [*_ON_FIRST, str(place.tools / "compositor"), str(path), str(_USUAL_MS)]
    try:
        with program(command, is_announced=True) as compositor:
            yield compositor, Play(victim={"compositor": str(path)}, prefix=_ON_LAST)
    finally:
        path.unlink(missing_ok=True)


@contextlib.contextmanager
def compositor_starved(place: Stage) -> Iterator[Play]:
    """Twenty-four busy threads on the processor of the compositor; the victim's own is free."""
    with _compositor(place) as (_, play):
        yield Play(
            burst=lambda: place.stall("spin", 24, prefix=_ON_FIRST, name=_CROWD),
            victim=play.victim,
            prefix=play.prefix,
        )


@contextlib.contextmanager
def compositor_stopped(place: Stage) -> Iterator[Play]:
    """The compositor is stopped for a moment by a signal."""
    with _compositor(place) as (compositor, play):
        yield Play(burst=lambda: _stopped(compositor.pid), victim=play.victim, prefix=play.prefix)


@contextlib.contextmanager
def _stopped(pid: int) -> Iterator[None]:
    """A moment in which a process stands still."""
    os.kill(pid, signal.SIGSTOP)
    try:
        time.sleep(0.3)
    finally:
        os.kill(pid, signal.SIGCONT)
    yield


@contextlib.contextmanager
def server_stopped(place: Stage) -> Iterator[Play]:
    """The server that answers each frame of the game through a socket is stopped for a moment."""
    path = place.memory / "server"
    with place.stall("answer", path, 0, name="wineserver") as server:
        try:
            yield Play(burst=lambda: _stopped(server.pid), victim={"server": str(path)})
        finally:
            path.unlink()


@contextlib.contextmanager
def compositor_computing(place: Stage) -> Iterator[Play]:
    """The compositor has much to compute for each frame of a burst."""
    with _compositor(place) as (compositor, play):

        @contextlib.contextmanager
        def burst() -> Iterator[None]:
            tell(compositor, str(_HEAVY_MS))
            try:
                yield
            finally:
                tell(compositor, str(_USUAL_MS))

        yield Play(burst=burst, victim=play.victim, prefix=play.prefix)


PARTNERS = (
    Scenario(
        "compositor_starved",
        compositor_starved,
        frozenset({"run_queue_delay"}),
        culprits=frozenset({_CROWD}),
        expects="the game waited for compositor, which waited for a core",
        makes=WITHOUT_WORKERS,
    ),
    Scenario(
        "compositor_stopped",
        compositor_stopped,
        expects="the game waited for compositor, which was stopped from outside",
        makes=WITHOUT_WORKERS,
        bursts=7,
    ),
    Scenario(
        "server_stopped",
        server_stopped,
        expects="the game waited for wineserver, which was stopped from outside",
        makes=WITHOUT_WORKERS,
        bursts=7,
    ),
    Scenario(
        "compositor_computing",
        compositor_computing,
        expects="the game waited for compositor, which computed",
        makes=WITHOUT_WORKERS,
    ),
)
