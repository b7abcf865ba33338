# SPDX-License-Identifier: GPL-3.0-or-later
"""What the log has of memory around one stutter: what was freed, thrown out, taken, swapped."""

import itertools
from collections.abc import Sequence

from destutter.diagnosis.finding import Spike
from destutter.diagnosis.history.tick_log import LATE_NS, Tick, TickLog
from destutter.diagnosis.history.window import SECOND_NS

_READ_AGAIN_NS = 2_000_000_000  # by then a game has most of what it works with again


def limit_nearby(log: TickLog, spike: Spike) -> float:
    """How often a second the game's group reached its memory limit, around a stutter.

    What the limit threw out comes back later, and the group is asked once a second.
    """
    ticks = log.between(spike.start_ns - _READ_AGAIN_NS, spike.monotonic_ns + SECOND_NS)
    return max((tick.values.get("cgroup.limit_events_per_s", 0.0) for tick in ticks), default=0.0)


def own_swapped(log: TickLog, spike: Spike) -> float | None:
    """How far the game's swap moved around a stutter; None where it was not read.

    It is a level, read once a second: the reading before the stutter and the one after it count.
    """
    ticks = log.between(spike.start_ns - SECOND_NS, spike.monotonic_ns + SECOND_NS + LATE_NS)
    found = [tick.values["game.swap_bytes"] for tick in ticks if "game.swap_bytes" in tick.values]
    return max(found) - min(found) if found else None


def freed(log: TickLog, spike: Spike) -> float:
    """Pages that anybody had to free up to a stutter: none while there are enough."""
    ticks = log.between(spike.start_ns - _READ_AGAIN_NS, spike.monotonic_ns + LATE_NS)
    return sum(
        tick.values.get(metric, 0.0) * tick.length_s
        for tick in ticks
        for metric in ("memory.direct_reclaim_per_s", "memory.kswapd_reclaim_per_s")
    )


def taken(log: TickLog, ticks: Sequence[Tick]) -> float:
    """What the game's memory grew by, from tick to tick, whatever it gave back meanwhile."""
    before = log.between(ticks[0].start_ns - LATE_NS, ticks[0].start_ns)
    found = [
        tick.values["game.rss_bytes"]
        for tick in (*before, *ticks)
        if "game.rss_bytes" in tick.values
    ]
    return sum(max(now - then, 0.0) for then, now in itertools.pairwise(found))


def was_dropped(log: TickLog, spike: Spike) -> bool:
    """Whether the page cache had been emptied shortly before, which is counted once a second."""
    ticks = log.between(spike.start_ns - _READ_AGAIN_NS, spike.monotonic_ns + SECOND_NS)
    return any(tick.values.get("memory.drop_caches_per_s") for tick in ticks)
