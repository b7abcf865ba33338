# SPDX-License-Identifier: GPL-3.0-or-later
"""The makes of victim: who waits in the game, and whether the game has a control group of its own.

Games differ in both, and a rule that leans on either is right in one make only: the main thread of
today's engines waits in a futex for workers, whatever those wait for; desktops with systemd start
each program in a group of version 2, whose pressure is the game's alone, others do not.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass

Options = Mapping[str, str | int | float]

_STYLES = (
    ("GameThread", "AsyncLoading", "TaskGraph"),
    ("UnityMain", "Loading.Preload", "Job.Worker"),
    ("EngineMain", "io-stream", "sim"),
    ("Main", "ResourceLoader", "Physics"),
    ("flightsim", "scenery", "flightmodel"),
)
_RATES_HZ = (50, 60, 75, 90)
_PIECES = ("read-kib", "write-kib")


@dataclass(frozen=True)
class Make:
    """One make. ``program`` is the victim's; with ``has_workers`` its main thread only waits."""

    name: str
    program: str
    has_workers: bool
    has_group: bool


MAKES = tuple(
    Make(f"{waits}-{group}", program, waits == "workers", group == "group")
    for waits, program in (("main", "victim"), ("workers", "engine"))
    for group in ("group", "bare")
)
MAKE_BY_NAME = {make.name: make for make in MAKES}
WITHOUT_WORKERS = tuple(make for make in MAKES if not make.has_workers)
WITH_WORKERS = tuple(make for make in MAKES if make.has_workers)


def seed_of(*words: object) -> int:
    """The seed of one trial: the same words give the same game."""
    return _chance("/".join(map(str, words))).randrange(1 << 31)


def options_of(make: Make, told: Options, seed: int) -> dict[str, str | int | float]:
    """The victim's options: a game by chance, and what the scenario tells it.

    Rate and work stay as they are where the scenario tells the work of a frame, because its
    amounts are tuned to that. Pieces that are read and written are once or twice as large.
    """
    chance = _chance(str(seed))
    options: dict[str, str | int | float] = {"names": ",".join(names_of(seed))}
    rate_hz = chance.choice(_RATES_HZ)
    share = chance.uniform(0.15, 0.4)
    alloc_kib = chance.choice((64, 128, 256, 512))
    if "work-ms" not in told:
        options |= {"hz": rate_hz, "work-ms": round(1000 / rate_hz * share, 2)}
    options["alloc-kib"] = alloc_kib
    workers: Options = {
        "helpers": chance.choice((5, 12, 30, 80, 200)),
        "ahead": chance.choice((0, 0, 1, 2)),
        "need-every": chance.choice((1, 1, 2, 4)),
        "heavy-streamer": chance.choice((0, 1)),
        "presenter": chance.choice((0, 1)),
    }
    if make.has_workers:
        options |= workers
    larger = chance.choice((1, 2))
    pieces = {name: larger * int(told[name]) for name in _PIECES if name in told}
    return {**options, **told, **pieces}


def names_of(seed: int) -> tuple[str, str, str, str]:
    """Names of the main thread, the streamer, the simulation and the helpers."""
    main, streamer, simulation = _chance(f"names {seed}").choice(_STYLES)
    return main, streamer, simulation, "helper"


def slow_thread(make: Make, options: Options) -> str:
    """The name of the thread that computes too long now and then; empty where none does."""
    if "heavy-every" not in options:
        return ""
    main, streamer, simulation, _helper = str(options["names"]).split(",")
    if not make.has_workers:
        return main
    return streamer if options["heavy-streamer"] else simulation


def _chance(words: str) -> random.Random:
    return random.Random(words)  # noqa: S311  games, no secrets
