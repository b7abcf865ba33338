# SPDX-License-Identifier: GPL-3.0-or-later
"""Who had the core for which threads of the game waited."""

from collections.abc import Iterable, Mapping

from destutter.diagnosis.circumstances.traced_waits import WaitInside

_TURN_MS = 10.0  # a tick of a kernel with HZ=100, at which the scheduler takes a core away at last


def by_name(waits: Iterable[WaitInside]) -> Mapping[tuple[str, int | None, bool], float]:
    """Who stood before threads of the game, by name, process and real-time, and how long (ms).

    The kernel tells who ran last on the core. A real-time task had it all the while; of others
    that one may have been the last of many, so that no more than its own turn counts: behind a
    real-time task of 600 ms a program of 2 % of a core was the last, and "had" it for 1,383 ms.
    """
    found: dict[tuple[str, int | None, bool], float] = {}
    for each in waits:
        if each.behind is not None:
            key = each.behind.name, each.behind.pid, each.is_behind_realtime
            had_ms = each.ms if each.is_behind_realtime else min(each.ms, _TURN_MS)
            found[key] = found.get(key, 0.0) + had_ms
    return found
