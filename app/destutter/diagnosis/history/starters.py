# SPDX-License-Identifier: GPL-3.0-or-later
"""Who starts a program again and again: closing one that ends by itself helps nobody.

A backup script runs a checksum program per file, a build a compiler per source, a launcher a
shader compiler per pipeline. Each of these is gone before a player could close it.
"""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

# Once is how every program begins, and twice in half a minute a user's own doing: a shell or a
# launcher is not to be closed for it.
_TIMES = 3
_MOST_KEPT = 512  # a build starts thousands; who starts them is known again two looks later
_START_ALL = ("systemd", "init")


class Starters:
    """Learns from look to look. Programs are named as the sampler does, "PID NAME"."""

    def __init__(self) -> None:
        self._times: dict[tuple[str, str], int] = {}
        self._of: dict[str, str] = {}

    def note(self, parents: Mapping[str, int], new: AbstractSet[str]) -> Mapping[str, str]:
        """Take in a look; by program the one that starts it again and again, as "NAME (PID)".

        ``parents`` are the numbers of those that started the programs of this look, ``new`` those
        of these that came since the last one.
        """
        if len(self._of) > _MOST_KEPT:
            self._times, self._of = {}, {}
        by_pid = {_split(name)[0]: name for name in parents}
        for name in new:
            starter = _above(name, parents, new, by_pid)
            if starter:
                self._of[name] = starter
        for key in {(_split(name)[1], self._of[name]) for name in new if name in self._of}:
            self._times[key] = self._times.get(key, 0) + 1
        return {
            name: self._of[name]
            for name in parents
            if self._times.get((_split(name)[1], self._of.get(name, "")), 0) >= _TIMES
        }


def _above(
    name: str, parents: Mapping[str, int], new: AbstractSet[str], by_pid: Mapping[str, str]
) -> str:
    """The first above it that was there before, or the last that is known; empty for none."""
    found = name
    for _ in parents:
        above = by_pid.get(str(parents[found]))
        if above is None or above == found:
            break
        found = above
        if above not in new:
            break
    pid, starter = _split(found)
    is_same = found == name or starter == _split(name)[1]
    return "" if is_same or starter.startswith(_START_ALL) else f"{starter} ({pid})"


def _split(name: str) -> tuple[str, str]:
    pid, _, comm = name.partition(" ")
    return pid, comm
