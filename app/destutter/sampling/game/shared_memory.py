# SPDX-License-Identifier: GPL-3.0-or-later
"""Which other processes have memory in common with the game, by the files that both may write.

A thread that sleeps in a futex with nobody of its own game awake waits for its own time, or for
another process that shares the memory in which the futex lies: the compositor of a headset,
wineserver, a helper of a browser. The kernel tells in /proc/PID/maps what a process has mapped,
with device and inode, so that the same memory is known again in another process.

This is dear (1.7 ms for a game of 3,000 mappings, 100 ms for 200 processes of 1,000 each, measured
on Linux 6.18), so it is asked once in half a minute and only while a game waits so, in pieces of
10 ms of which each second has one.
"""

import time
from collections.abc import Callable, Iterator

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.sampling.files.measurement import text_of
from destutter.sampling.files.process_files import PROC, list_pids, status_value

MOST_PARTNERS = 3

_WRITABLE = b" rw-s "
_AT_ONCE_NS = 10_000_000  # of this thread's time in one piece; the next follows a second later
# Buffers of graphics cards and sound, descriptors that all programs have in common, and caches
# that all programs of a user map: nobody waits in those for somebody else.
_IN_MEMORY = ("/dev/shm/", "/dev/zero")  # noqa: S108  names in a table of the kernel
_NO_MEETING = ("/dev/", "anon_inode:", "/dmabuf:", "/drm mm object", "/i915", "/[", "[")
_CACHES = ("/.cache/", "/var/cache/", "/dconf/", "mesa_shader_cache", "fontconfig")
# Nearly every program shares memory with these: they count only where nobody else does.
_SERVERS = (
    "Xorg", "Xwayland", "gnome-shell", "kwin_wayland", "kwin_x11", "plasmashell", "mutter", "sway",
    "weston", "Hyprland", "labwc", "wayfire", "pipewire", "pulseaudio", "wireplumber",
    "dbus-broker", "dbus-daemon",
)  # fmt: skip

Meeting = tuple[bytes, bytes]
"""A piece of shared memory: device and inode, as /proc/PID/maps has them."""


def meetings(maps: bytes) -> Iterator[Meeting]:
    """The shared writable memory of a process in which another one can wake it."""
    at = maps.find(_WRITABLE)
    while at >= 0:
        end = maps.find(b"\n", at)
        words = maps[at + len(_WRITABLE) : end if end >= 0 else None].split(None, 3)
        # offset device inode path
        if len(words) == 4 and _can_meet(text_of(words[3])):
            yield words[1], words[2]
        at = maps.find(_WRITABLE, at + 1)


def _can_meet(path: str) -> bool:
    if path.startswith(_IN_MEMORY):
        return True
    return not path.startswith(_NO_MEETING) and not any(part in path for part in _CACHES)


class PartnerSearch:
    """One search for the processes that share memory with a game, in pieces.

    ``cost_clock`` gives the nanoseconds that this thread has worked. ``is_over`` once all
    processes have been looked at; ``partners`` are those found so far, the likeliest first.
    """

    def __init__(
        self,
        files: KernelFiles,
        pid: int,
        cost_clock: Callable[[], int] = time.thread_time_ns,
    ) -> None:
        self._files = files
        self._pid = pid
        self._clock = cost_clock
        self._wanted = set(meetings(self._maps(pid)))
        self._members: dict[Meeting, list[int]] = {key: [] for key in self._wanted}
        # Who belongs together was mostly started together.
        near = sorted(list_pids(files), key=lambda each: abs(each - pid)) if self._wanted else []
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
            for key in self._wanted.intersection(meetings(self._maps(pid))):
                self._members[key].append(pid)

    @property
    def partners(self) -> tuple[int, ...]:
        """At most ``MOST_PARTNERS``: those of the memory that the fewest share come first."""
        few: dict[int, int] = {}
        for members in self._members.values():
            for pid in members:
                few[pid] = min(few.get(pid, len(members)), len(members))
        if not few:
            return ()
        owner = self._user(self._pid)
        ranked = [pid for pid in sorted(few, key=few.__getitem__) if self._user(pid) == owner]
        private = [pid for pid in ranked if not self._name(pid).startswith(_SERVERS)]
        return tuple((private or ranked)[:MOST_PARTNERS])

    def _user(self, pid: int) -> int | None:
        path = f"{PROC}/{pid}/status"
        try:
            return status_value(path, self._read(path), b"Uid")
        except KernelFileError:
            return None

    def _name(self, pid: int) -> str:
        return text_of(self._read(f"{PROC}/{pid}/comm").strip())

    def _maps(self, pid: int) -> bytes:
        return self._read(f"{PROC}/{pid}/maps")

    def _read(self, path: str) -> bytes:
        try:
            return self._files.read_bytes(path) or b""
        except KernelFileError:
            return b""  # somebody else's, which nobody may read: not known, and no failure
