# SPDX-License-Identifier: GPL-3.0-or-later
"""Troubles with processors."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from tests.truth.machine import CannotBeMadeError, Stage, cgroup, inside, settings, tell
from tests.truth.makes import WITH_WORKERS, Options
from tests.truth.scenario import Play, Prepare, Scenario

_LAST = max(os.sched_getaffinity(0))
PINNED = ("taskset", "-c", str(_LAST))
_AUDIO = "audio-server"
_CROWD = "encoder"
_PACKER = "packer"
_CONVERTER = "converter"
_TALKER = "torrent"
_STALL = frozenset({"stall"})


@contextlib.contextmanager
def overload(place: Stage) -> Iterator[Play]:
    """Twelve busy threads for each processor, at the victim's own priority."""
    threads = 12 * len(os.sched_getaffinity(0))
    yield Play(burst=lambda: place.stall("spin", threads), prefix=())


@contextlib.contextmanager
def limited_group(place: Stage) -> Iterator[Play]:
    """The victim's own group may use a tenth of a processor in a burst, and needs three.

    What a container or a slice with CPUQuota= does; the processors are idle meanwhile.
    """
    with cgroup("cpu", {}) as group:
        quota = group / "cpu.cfs_quota_us"

        @contextlib.contextmanager
        def burst() -> Iterator[None]:
            quota.write_text("10000")
            try:
                yield
            finally:
                quota.write_text("-1")

        yield Play(burst=burst, prefix=inside(group), victim={"work-ms": 5})


@contextlib.contextmanager
def real_time_hog(place: Stage) -> Iterator[Play]:
    """A program under SCHED_FIFO computes now and then on the victim's processor."""
    if subprocess.run(["chrt", "-f", "1", "true"], check=False, capture_output=True).returncode:
        raise CannotBeMadeError("this group may not run anything under SCHED_FIFO")
    with place.stall("fifo", 50, prefix=PINNED) as hog:
        yield Play(burst=lambda: _busy(hog), prefix=PINNED)


@contextlib.contextmanager
def _busy(hog: subprocess.Popen[bytes]) -> Iterator[None]:
    tell(hog, "1")
    try:
        yield
    finally:
        tell(hog, "0")


@contextlib.contextmanager
def real_time_on_all(place: Stage) -> Iterator[Play]:
    """A program under SCHED_FIFO takes all processors for 0.6 s, every two seconds.

    Short of what the kernel lets real-time tasks take (sched_rt_runtime_us: 0.95 s in a second).
    """
    with place.stall("pulse", 600, name=_AUDIO) as hog:

        @contextlib.contextmanager
        def burst() -> Iterator[None]:
            tell(hog, "1")
            yield

        yield Play(burst=burst)


@contextlib.contextmanager
def low_priority_worker(place: Stage) -> Iterator[Play]:
    """A crowd of programs, and the worker for which the main thread waits yields to them all."""
    threads = len(os.sched_getaffinity(0))
    yield Play(
        burst=lambda: place.stall("spin", threads, name=_CROWD),
        victim={"sim-nice": 19, "work-ms": 5},
        prefix=(),
    )


@contextlib.contextmanager
def lock_holder(place: Stage) -> Iterator[Play]:
    """A thread of the game that yields to everybody has a lock that each frame needs for a moment.

    It computes for 3 ms within; a crowd keeps it from a processor for many times as long.
    """
    threads = 2 * len(os.sched_getaffinity(0))
    victim: Options = {
        "holder-every": 0.15,
        "holder-ms": 3,
        "holder-nice": 19,
        "ahead": 0,
        "need-every": 1,
    }
    yield Play(
        burst=lambda: place.stall("spin", threads, name=_CROWD),
        victim=victim,
        prefix=("nice", "-n", "-5"),
    )


@contextlib.contextmanager
def pinned_beside(place: Stage) -> Iterator[Play]:
    """Packers on the victim's processor, and a converter on all others that computes all along.

    It uses more than they do, and can take nothing from a victim that may not run there.
    """
    others = sorted(os.sched_getaffinity(0) - {_LAST})
    if not others:
        raise CannotBeMadeError("there is only one processor")
    elsewhere = ("taskset", "-c", ",".join(map(str, others)))
    with place.stall("spin", 3 * len(others), prefix=elsewhere, name=_CONVERTER):
        yield Play(
            burst=lambda: place.stall("spin", 16, prefix=PINNED, name=_PACKER), prefix=PINNED
        )


@contextlib.contextmanager
def packet_flood(place: Stage) -> Iterator[Play]:
    """Small datagrams from the other processors, whose receipt is the victim's processor's work.

    Receive packet steering sends it there, as a network card with one queue does
    (Documentation/networking/scaling.rst).
    """
    others = sorted(os.sched_getaffinity(0) - {_LAST})
    if not others:
        raise CannotBeMadeError("there is only one processor")
    senders = ("taskset", "-c", ",".join(map(str, others)))
    with settings({"/sys/class/net/lo/queues/rx-0/rps_cpus": f"{1 << _LAST:x}"}):
        yield Play(
            burst=lambda: place.stall("packets", 47_311, 2 * len(others), prefix=senders),
            victim={"work-ms": 10},
            prefix=PINNED,
        )


_NETWORK: Options = {"server": ":"}
"""Each frame waits for what the game sent itself through the network."""


@contextlib.contextmanager
def late_softirqs(place: Stage) -> Iterator[Play]:
    """What comes from the network is taken in on another processor, and a real-time task has it.

    Small datagrams give ksoftirqd there more than it does in passing; it cannot go before the
    task. Each interrupt does a part of it, so that the game feels what is dropped meanwhile and
    sent again 200 ms later. The game has processors of its own.
    """
    others = sorted(os.sched_getaffinity(0) - {_LAST})
    if not others:
        raise CannotBeMadeError("there is only one processor")
    elsewhere = ("taskset", "-c", ",".join(map(str, others)))
    steering = settings({"/sys/class/net/lo/queues/rx-0/rps_cpus": f"{1 << _LAST:x}"})
    with steering, place.stall("pulse", 250, prefix=PINNED, name=_AUDIO) as hog:

        @contextlib.contextmanager
        def burst() -> Iterator[None]:
            with place.stall("packets", 47_411, 1, prefix=elsewhere, name=_TALKER):
                for _ in range(3):
                    tell(hog, "1")
                    time.sleep(0.4)
                yield

        prefix = ("nice", "-n", "-20", *elsewhere)
        yield Play(burst=burst, victim=_NETWORK, prefix=prefix)


@contextlib.contextmanager
def late_softirqs_elsewhere(place: Stage) -> Iterator[Play]:
    """The same, and a game that waits for no network: it is slow by itself."""
    with late_softirqs(place) as play:
        victim: Options = {"heavy-every": 2, "heavy-ms": 150}
        yield Play(burst=play.burst, victim=victim, prefix=play.prefix)


@contextlib.contextmanager
def shaders(place: Stage) -> Iterator[Play]:
    """The victim comes to a new place: each of some frames waits for shaders of its own."""

    @contextlib.contextmanager
    def burst() -> Iterator[None]:
        os.kill(place.victim_pid, signal.SIGUSR1)
        yield

    yield Play(burst=burst, victim={"shaders": 150})


def deep_sleep(_place: Stage) -> AbstractContextManager[Play]:
    """Not made: a wake-up costs a fraction of a millisecond, and no long frame comes of it alone.

    What is said instead is how deep the processors here can sleep.
    """
    states = sorted(Path("/sys/devices/system/cpu/cpu0/cpuidle").glob("state*"))
    if not states:
        raise CannotBeMadeError("the processors here have no sleep states")
    name, latency_us = ((states[-1] / each).read_text().strip() for each in ("name", "latency"))
    raise CannotBeMadeError(f"the deepest sleep state here is {name}, {latency_us} us")


def _absent(path: str, what: str) -> Prepare:
    def prepare(_place: Stage) -> AbstractContextManager[Play]:
        state = "is there, but is not played yet" if Path(path).exists() else "is absent"
        raise CannotBeMadeError(f"{what}: {path} {state}")

    return prepare


CPU = (
    Scenario("run_queue_overload", overload, frozenset({"run_queue_delay"}), culprits=_STALL),
    Scenario("limited_group", limited_group, frozenset({"run_queue_delay"})),
    Scenario(
        "real_time_hog",
        real_time_hog,
        frozenset({"rt_runaway"}),
        also=frozenset({"run_queue_delay", "softirq_starvation", "kworker_starvation"}),
        culprits=_STALL,
        bursts=3,
        burst_s=2.2,
    ),
    Scenario(
        "real_time_on_all",
        real_time_on_all,
        frozenset({"rt_runaway"}),
        also=frozenset({"run_queue_delay", "softirq_starvation", "kworker_starvation"}),
        culprits=frozenset({_AUDIO}),
        bursts=7,
        burst_s=0.8,
        pause_s=1.2,
    ),
    Scenario(
        "low_priority_worker",
        low_priority_worker,
        frozenset({"run_queue_delay"}),
        culprits=frozenset({_CROWD}),
        makes=WITH_WORKERS,
    ),
    Scenario(
        "lock_holder",
        lock_holder,
        frozenset({"run_queue_delay"}),
        culprits=frozenset({_CROWD}),
    ),
    Scenario(
        "pinned_beside",
        pinned_beside,
        frozenset({"run_queue_delay"}),
        culprits=frozenset({_PACKER}),
        innocents=frozenset({_CONVERTER}),
    ),
    Scenario(
        "packet_flood",
        packet_flood,
        frozenset({"irq_storm"}),
        also=frozenset({"run_queue_delay", "softirq_starvation"}),
        burst_s=2.0,
    ),
    Scenario(
        "late_softirqs",
        late_softirqs,
        frozenset({"softirq_starvation", "rt_runaway"}),
        also=frozenset({"irq_storm", "kworker_starvation"}),
        culprits=frozenset({_AUDIO}),
        expects="ksoftirqd waited behind audio-server, and the game for the network",
    ),
    Scenario(
        "late_softirqs_elsewhere",
        late_softirqs_elsewhere,
        expects="the game's own thread computed: which one, and for how long",
        innocents=frozenset({_AUDIO, _TALKER}),
    ),
    Scenario(
        "shaders",
        shaders,
        frozenset({"shader_compilation"}),
        also=frozenset({"run_queue_delay"}),
        # Threads are looked at once a second: a stutter has to stand out of three seconds.
        bursts=4,
        burst_s=2.0,
        pause_s=5.5,
    ),
    Scenario(
        "deep_sleep",
        deep_sleep,
        frozenset({"deep_c_state"}),
    ),
    Scenario(
        "low_clock",
        _absent("/sys/devices/system/cpu/cpufreq/policy0", "control of the clock"),
        frozenset({"frequency_ramp"}),
    ),
)
