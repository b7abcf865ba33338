# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs in which nothing of the system is to blame: quiet ones, and decoys that look bad."""

import contextlib
import os
import signal
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager

from tests.truth.machine import (
    MIB,
    CannotBeMadeError,
    Stage,
    big_file,
    cgroup,
    inside,
    meminfo_mib,
    program,
    tell,
    write_setting,
    zram_swap,
)
from tests.truth.makes import WITH_WORKERS, Options
from tests.truth.scenario import Play, Scenario

_FIRST, _LAST = min(os.sched_getaffinity(0)), max(os.sched_getaffinity(0))
_ON_LAST = ("nice", "-n", "-20", "taskset", "-c", str(_LAST))
_ON_FIRST = ("taskset", "-c", str(_FIRST))


@contextlib.contextmanager
def quiet(_place: Stage) -> Iterator[Play]:
    """The victim alone."""
    yield Play()


@contextlib.contextmanager
def slow_game(_place: Stage) -> Iterator[Play]:
    """The victim computes for 150 ms every two seconds in its own main thread."""
    yield Play(victim={"heavy-every": 2, "heavy-ms": 150})


@contextlib.contextmanager
def big_copy(place: Stage) -> Iterator[Play]:
    """Much is copied, and nobody waits for it."""
    target = place.disk / "copy"
    copy = ["dd", "if=/dev/zero", f"of={target}", "bs=1M", "count=20000", "oflag=direct"]

    @contextlib.contextmanager
    def burst() -> Iterator[None]:
        with program([*_ON_FIRST, *copy, "status=none"]):
            yield
        target.unlink(missing_ok=True)

    yield Play(burst=burst, prefix=_ON_LAST)


@contextlib.contextmanager
def compile_elsewhere(place: Stage) -> Iterator[Play]:
    """A compiler keeps the other processor busy."""
    if _FIRST == _LAST:
        raise CannotBeMadeError("there is only one processor")
    source = place.disk / "big.c"
    functions = "".join(
        f"int f{n}(int x) {{ for (int i = 0; i < x; i++) x ^= i * {n}; return x; }}\n"
        for n in range(20_000)
    )
    source.write_text(functions)
    command = [*_ON_FIRST, "gcc", "-O2", "-c", "-o", "/dev/null", str(source)]
    try:
        yield Play(burst=lambda: program(command), prefix=_ON_LAST)
    finally:
        source.unlink()


@contextlib.contextmanager
def dozing_game(place: Stage) -> Iterator[Play]:
    """The game sleeps on a timer of its own now and then, beside a compiler."""
    with compile_elsewhere(place) as play:
        victim: Options = {"doze-every": 1.5, "doze-ms": 120}
        yield Play(burst=play.burst, victim=victim, prefix=play.prefix)


@contextlib.contextmanager
def dozing_worker(place: Stage) -> Iterator[Play]:
    """A worker sleeps on a timer now and then, and somebody else saves, which hurts nobody."""
    target = place.disk / "journal"
    write = ["dd", "if=/dev/zero", f"of={target}", "bs=64k", "count=100000", "oflag=dsync"]
    victim: Options = {
        "doze-every": 1.5,
        "doze-ms": 180,
        "dozing-streamer": 1,
        "ahead": 0,
        "need-every": 1,
    }

    @contextlib.contextmanager
    def burst() -> Iterator[None]:
        with program([*write, "status=none"]):
            yield
        target.unlink(missing_ok=True)

    yield Play(burst=burst, victim=victim)


@contextlib.contextmanager
def busy_lock_holder(place: Stage) -> Iterator[Play]:
    """A thread of the game computes for long while it has a lock that each frame needs.

    Beside it a crowd that yields to the game.
    """
    victim: Options = {"holder-every": 1.5, "holder-ms": 160, "ahead": 0, "need-every": 1}
    yield Play(burst=lambda: place.stall("spin", 2, name="encoder"), victim=victim)


@contextlib.contextmanager
def full_memory(place: Stage) -> Iterator[Play]:
    """Three quarters of memory are taken, and nobody asks for more."""
    total, available = meminfo_mib("MemTotal"), meminfo_mib("MemAvailable")
    amount = max(available - total // 4, 0)
    with place.stall("hold", amount):
        yield Play(prefix=_ON_LAST)


@contextlib.contextmanager
def slow_game_and_copy(place: Stage) -> Iterator[Play]:
    """A game that is slow by itself, while a copy runs that hurts nobody."""
    with big_copy(place) as play:
        victim: Options = {"heavy-every": 2, "heavy-ms": 150}
        yield Play(burst=play.burst, victim=victim, prefix=play.prefix)


@contextlib.contextmanager
def loading(place: Stage) -> Iterator[Play]:
    """A level is loaded: much is read from the page cache and from the drive, without a wait."""
    assets = big_file(place.disk / "assets", 256 * MIB)
    read = ["dd", f"if={assets}", "of=/dev/null", "bs=1M", "status=none"]
    victim: Options = {"assets": str(assets), "read-kib": 256}
    try:
        yield Play(burst=lambda: program([*_ON_FIRST, *read]), victim=victim, prefix=_ON_LAST)
    finally:
        assets.unlink()


@contextlib.contextmanager
def stopped(place: Stage) -> Iterator[Play]:
    """The game is stopped for a moment by a signal, as a debugger or a launcher does."""

    @contextlib.contextmanager
    def burst() -> Iterator[None]:
        os.kill(place.victim_pid, signal.SIGSTOP)
        time.sleep(0.3)
        os.kill(place.victim_pid, signal.SIGCONT)
        yield

    yield Play(burst=burst)


@contextlib.contextmanager
def frozen(_place: Stage) -> Iterator[Play]:
    """The game's control group is frozen for a moment, as what saves power does."""
    with cgroup("freezer", {}) as group:

        @contextlib.contextmanager
        def burst() -> Iterator[None]:
            write_setting(group / "freezer.state", "FROZEN")
            try:
                time.sleep(0.3)
            finally:
                write_setting(group / "freezer.state", "THAWED")
            yield

        yield Play(burst=burst, prefix=tuple(inside(group)))


@contextlib.contextmanager
def late_server(place: Stage) -> Iterator[Play]:
    """The game waits for a server, here on the same computer, which answers late in a burst."""
    path = place.memory / "server"
    with place.stall("answer", path, 120, name="login-server") as server:

        @contextlib.contextmanager
        def burst() -> Iterator[None]:
            tell(server, "1")
            try:
                yield
            finally:
                tell(server, "0")

        try:
            yield Play(burst=burst, victim={"server": str(path)})
        finally:
            path.unlink()


@contextlib.contextmanager
def watched_maps(place: Stage) -> Iterator[Play]:
    """A monitor reads the smaps of a game with 30,000 mappings, whose loader makes new ones.

    Who changes mappings waits until the reader has gone through one (fs/proc/task_mmu.c).
    """

    def watch() -> AbstractContextManager[object]:
        return place.stall("watch", place.victim_pid, 500, name="sysmonitor")

    yield Play(burst=watch, victim={"maps": 30_000, "remaps": 1200})


@contextlib.contextmanager
def stranger_swaps(place: Stage) -> Iterator[Play]:
    """Somebody else swaps in a group of its own, while the game is slow by itself."""
    limit = {"memory.limit_in_bytes": str(160 * MIB)}
    with zram_swap(1024 * MIB), cgroup("memory", limit) as group:
        prefix = [*inside(group), *_ON_FIRST]
        yield Play(
            burst=lambda: place.stall("burst", 280, 3, prefix=prefix, name="indexer"),
            victim={"heavy-every": 2, "heavy-ms": 150},
            prefix=_ON_LAST,
        )


@contextlib.contextmanager
def stranger_swaps_beside_loads(place: Stage) -> Iterator[Play]:
    """The same beside a game that takes new memory: its faults are as many as of one paged out."""
    with stranger_swaps(place) as play:
        victim: Options = {"load-every": 1.6, "load-mib": 600}
        yield Play(burst=play.burst, victim=victim, prefix=play.prefix)


_SLOW_BY_ITSELF = "the game's own thread computed: which one, and for how long"

QUIET = (
    Scenario("quiet", quiet, bursts=2, stutters=0),
    Scenario("slow_game", slow_game, expects=_SLOW_BY_ITSELF),
    Scenario("big_copy", big_copy, bursts=4, stutters=0),
    Scenario("compile_elsewhere", compile_elsewhere, bursts=4, stutters=0),
    Scenario("dozing_game", dozing_game, expects="the game slept on a timer of its own", bursts=5),
    Scenario(
        "dozing_worker",
        dozing_worker,
        expects="the thread that streams slept on a timer while the main thread waited for it",
        makes=WITH_WORKERS,
    ),
    Scenario(
        "busy_lock_holder",
        busy_lock_holder,
        expects="a thread of the game computed while the frame waited for its lock",
        innocents=frozenset({"encoder"}),
    ),
    Scenario("full_memory", full_memory, bursts=2, stutters=0),
    Scenario("slow_game_and_copy", slow_game_and_copy, expects=_SLOW_BY_ITSELF),
    Scenario("loading", loading, bursts=4, stutters=0),
    Scenario("stopped", stopped, expects="the game was stopped by a signal"),
    Scenario("frozen", frozen, expects="the game's group was frozen: it was stopped from outside"),
    Scenario(
        "late_server",
        late_server,
        expects="the game waited for login-server, at the other end of its socket",
    ),
    Scenario(
        "watched_maps",
        watched_maps,
        expects="the game waited for its own memory map, which a monitor was reading",
    ),
    Scenario("stranger_swaps", stranger_swaps, expects=_SLOW_BY_ITSELF),
    Scenario(
        "stranger_swaps_beside_loads",
        stranger_swaps_beside_loads,
        expects="the game took new memory; memory is not cleared",
    ),
)
