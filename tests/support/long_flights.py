# SPDX-License-Identifier: GPL-3.0-or-later
"""Recordings of whole flights, made by hand: loading, then a flight with or without stutters.

Two samples a second, so that an hour takes a second to write.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from destutter.core.sample import Facts, Frames, Header, Layout, Message, Reading, Sample
from destutter.session.recorder import Recorder

HALF_S_NS = 500_000_000
PAGES_PER_KIB = 4

VMSTAT = (
    "allocstall_normal",
    "pgsteal_direct",
    "pgscan_direct",
    "pgsteal_kswapd",
    "pgscan_kswapd",
    "nr_dirty",
)
MEMINFO = ("MemTotal", "MemAvailable", "Cached", "Buffers", "AnonPages")
DISK = (
    "reads",
    "sectors_read",
    "read_ms",
    "writes",
    "sectors_written",
    "write_ms",
)
STOCK = {"vm.min_free_kbytes": "67584", "vm.watermark_scale_factor": "10", "vm.swappiness": "60"}
TUNED = STOCK | {"vm.min_free_kbytes": "1048576", "vm.watermark_scale_factor": "125"}
_WRITTEN: dict[object, bytes] = {}


@dataclass(frozen=True)
class Flight:
    """What a recording holds. ``stutters_per_min`` long frames, each with direct reclaim."""

    minutes: float
    stutters_per_min: float = 0.0
    game: str = "X-Plane 12"
    build: str = "12.1.4"
    kernel: str = "6.18.2"
    wall_time: float = 1_795_266_060.0
    seed: int = 1
    has_frames: bool = True


def write_flight(
    path: Path, flight: Flight, tunables: dict[str, str] = STOCK, fps: float = 58.0
) -> Path:
    """Write it, and return where it is; the same one is made once."""
    path.parent.mkdir(parents=True, exist_ok=True)
    key = flight, tuple(sorted(tunables.items())), fps
    if key not in _WRITTEN:
        _write(path, flight, tunables, fps)
        _WRITTEN[key] = path.read_bytes()
    path.write_bytes(_WRITTEN[key])
    return path


def _write(path: Path, flight: Flight, tunables: dict[str, str], fps: float) -> None:
    machine = {
        "page_bytes": 4096,
        "cpus": 16,
        "cpu_model": "Ryzen 7 7800X3D",
        "kernel": flight.kernel,
        "memory_kib": 32 << 20,
        "gpus": ["Radeon RX 7800 XT"],
        "distribution": "Debian 12",
    }
    with Recorder(path, Header(0, flight.wall_time, 500, machine, dict(tunables))) as recorder:
        for message in messages(flight, fps):
            recorder.accept_message(message)


def messages(flight: Flight, fps: float) -> Iterator[Message]:
    """The stream of a flight."""
    chance = random.Random(flight.seed)  # noqa: S311  nothing secret
    yield Layout("vmstat", VMSTAT)
    yield Layout("meminfo", MEMINFO)
    yield Layout("disk", DISK, ("nvme0n1",))
    yield Layout("wakeup", ("worst_us",))
    yield Facts(0, {"game.name": flight.game, "game.pid": "4711", "game.version": flight.build})
    counters = dict.fromkeys((*VMSTAT, *DISK), 0)
    for tick in range(int(flight.minutes * 120) + 1):
        at = tick * HALF_S_NS
        is_loading = tick < 400
        is_long = not is_loading and chance.random() < flight.stutters_per_min / 120
        if flight.has_frames and tick:
            yield _frames(at, fps, chance, chance.uniform(60, 214) if is_long else 0.0)
        _count(counters, chance, is_loading=is_loading, is_long=is_long)
        yield _sample(at, tick, counters, chance.uniform(120, 260))


def _frames(at: int, fps: float, chance: random.Random, long_ms: float) -> Frames:
    ends, lengths = [], []
    moment = at - HALF_S_NS
    if long_ms:
        moment += round(long_ms * 1e6)
        ends.append(moment)
        lengths.append(round(long_ms * 1000))
    while True:
        length_us = round(1e6 / fps * chance.gauss(1.0, 0.03))
        moment += length_us * 1000
        if moment > at:
            return Frames("mangohud", tuple(ends), tuple(lengths))
        ends.append(moment)
        lengths.append(length_us)


def _count(
    counters: dict[str, int], chance: random.Random, *, is_loading: bool, is_long: bool
) -> None:
    counters["pgsteal_kswapd"] += chance.randrange(300) if is_loading or is_long else 0
    counters["pgscan_kswapd"] = 2 * counters["pgsteal_kswapd"]
    if is_long:
        counters["pgsteal_direct"] += chance.randrange(8_000, 37_000)
        counters["allocstall_normal"] += chance.randrange(3, 40)
    counters["pgscan_direct"] = 2 * counters["pgsteal_direct"]
    counters["reads"] += 400 if is_loading else 20
    counters["sectors_read"] += 400_000 if is_loading else 4_000
    counters["read_ms"] += 120 if is_loading else 6
    counters["writes"] += 10
    counters["sectors_written"] += 800
    counters["write_ms"] += 400 if is_long else 20


def _sample(at: int, tick: int, counters: dict[str, int], wake_us: float) -> Sample:
    vmstat = tuple(10_000 if name == "nr_dirty" else counters[name] for name in VMSTAT)
    grown = min(tick, 400) * 20_000
    meminfo = (32 << 20, (30 << 20) - 2 * grown, grown, 10_000, (6 << 20) + grown)
    return Sample(
        at,
        0,
        50,
        0,
        (
            Reading("vmstat", at, vmstat),
            Reading("meminfo", at, meminfo),
            Reading("disk", at, tuple(counters[name] for name in DISK)),
            Reading("wakeup", at, (round(wake_us),)),
        ),
    )
