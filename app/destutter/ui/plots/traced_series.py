# SPDX-License-Identifier: GPL-3.0-or-later
"""The longest wait of the game in one look at the kernel's trace, by what it was for. No Qt."""

from destutter.core.traced import CORE, DIRTY_PAUSE, TraceLook

MEMORY, STORAGE, CPU = "memory", "storage", "cpu"
_OF_KIND = {CORE: CPU, DIRTY_PAUSE: STORAGE}


def longest_ms(look: TraceLook, game_pid: str) -> dict[str, float]:
    """Milliseconds by group; 0 where no thread of the game waited for 4 ms and more."""
    longest = dict.fromkeys((MEMORY, STORAGE, CPU), 0.0)
    for wait in look.waits:
        if str(wait.thread.pid) == game_pid:
            group = _OF_KIND.get(wait.kind, MEMORY)
            longest[group] = max(longest[group], wait.duration_ns / 1e6)
    for request in look.requests:
        if request.thread is not None and str(request.thread.pid) == game_pid:
            longest[STORAGE] = max(longest[STORAGE], request.duration_ns / 1e6)
    return longest
