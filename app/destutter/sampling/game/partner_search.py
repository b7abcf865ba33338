# SPDX-License-Identifier: GPL-3.0-or-later
"""Which other processes have something in common with the game: memory, pipes or sockets.

This is dear (1.7 ms for a game of 3,000 mappings, 100 ms for 200 processes of 1,000 each, measured
on Linux 6.18), so it is asked once in half a minute and only while a game waits so, in pieces of
10 ms of which each second has one.
"""

import time
from collections import Counter
from collections.abc import Callable, Hashable
from typing import Protocol

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.sampling.files.measurement import text_of
from destutter.sampling.files.process_files import PROC, list_pids, read_if_shown, status_value

MOST_PARTNERS = 3  # each costs a tick 44 us (four threads, partners.py)

_AT_ONCE_NS = 10_000_000  # of this thread's time in one piece; the next follows a second later
# Nearly every program shares memory with these: they count only where nobody else does.
_SERVERS = (
    "Xorg", "Xwayland", "gnome-shell", "kwin_wayland", "kwin_x11", "plasmashell", "mutter", "sway",
    "weston", "Hyprland", "labwc", "wayfire", "pipewire", "pulseaudio", "wireplumber",
    "dbus-broker", "dbus-daemon",
)  # fmt: skip


class Bond(Protocol):
    """What a process may have in common with others."""

    @property
    def wanted(self) -> frozenset[Hashable]:
        """What the game has."""
        ...

    def of(self, pid: int) -> frozenset[Hashable]:
        """What another process has; empty where nobody may look."""
        ...


class PartnerSearch:
    """One search for the processes that have something in common with a game, in pieces.

    ``cost_clock`` gives the nanoseconds that this thread has worked. ``is_over`` once all
    processes have been looked at; ``partners`` are those found so far, the likeliest first.
    """

    def __init__(
        self,
        files: KernelFiles,
        pid: int,
        bond: Bond,
        cost_clock: Callable[[], int] = time.thread_time_ns,
    ) -> None:
        self._files = files
        self._pid = pid
        self._clock = cost_clock
        self._bond = bond
        self._members: dict[Hashable, list[int]] = {tie: [] for tie in bond.wanted}
        # Who belongs together was mostly started together.
        near = sorted(list_pids(files), key=lambda each: abs(each - pid)) if bond.wanted else []
        self._left = [each for each in reversed(near) if each != pid]

    @property
    def is_over(self) -> bool:
        """Whether nobody is left to be looked at."""
        return not self._left

    def go_on(self) -> None:
        """Look at the next processes, for as long as one piece may take."""
        end_ns = self._clock() + _AT_ONCE_NS
        while self._left and self._clock() < end_ns:
            pid = self._left.pop()
            for tie in self._bond.wanted & self._bond.of(pid):
                self._members[tie].append(pid)

    @property
    def partners(self) -> tuple[int, ...]:
        """At most ``MOST_PARTNERS``: those of what the fewest share come first, then those that
        have most of it (wineserver has three pipes of each thread, a launcher one of all).
        """
        few: dict[int, int] = {}
        ties: Counter[int] = Counter()
        for members in self._members.values():
            ties.update(members)
            for pid in members:
                few[pid] = min(few.get(pid, len(members)), len(members))
        if not few:
            return ()
        owner = self._user(self._pid)
        order = sorted(few, key=lambda pid: (few[pid], -ties[pid]))
        ranked = [pid for pid in order if self._user(pid) == owner]
        private = [pid for pid in ranked if not self._name(pid).startswith(_SERVERS)]
        return tuple((private or ranked)[:MOST_PARTNERS])

    def _user(self, pid: int) -> int | None:
        path = f"{PROC}/{pid}/status"
        try:
            return status_value(path, read_if_shown(self._files, path), b"Uid")
        except KernelFileError:
            return None

    def _name(self, pid: int) -> str:
        return text_of(read_if_shown(self._files, f"{PROC}/{pid}/comm").strip())
