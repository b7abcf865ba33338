# SPDX-License-Identifier: GPL-3.0-or-later
"""Records that say everything by themselves: commits, writers held back, traps, who is killed."""

import re
from collections.abc import Iterator

from destutter.core.traced import OOM_KILL, SPLIT_LOCK, WBT, FilesystemCommit, TracedMoment
from destutter.sampling.tracing.formats import Unpack, text_at, text_of_field
from destutter.sampling.tracing.found import Found
from destutter.sampling.tracing.page_reader import Handle
from destutter.sampling.tracing.wanted import WantedEvent, shorten

_PHASES = ("dev", "locked", "flushing", "logging")
_TRAP = re.compile(r"#(?:AC|DB): (?P<name>.*)/(?P<tid>\d+) took a (?:split_lock|bus_lock) trap")
"""Of arch/x86/kernel/cpu/bus_lock.c; what follows is an address, which is not told on."""

_MOST_TRAPPED = 1024


class RareMoments:
    """``tick_ns`` is a jiffy, in which jbd2 counts."""

    def __init__(self, found: Found, tick_ns: int) -> None:
        self._found = found
        self._tick_ns = tick_ns

    def events(self) -> Iterator[WantedEvent]:
        """What may happen."""
        for name, fields, make in (
            ("jbd2/jbd2_run_stats", _PHASES, self._jbd2),
            ("btrfs/btrfs_transaction_commit", ("fsid",), self._btrfs),
            ("wbt/wbt_timer", ("name", "step"), self._wbt),
            ("printk/console", ("msg",), self._printk),
            # Linux 6.1 writes no name.
            ("oom/mark_victim", ("pid", "comm"), self._named_victim),
            ("oom/mark_victim", ("pid",), self._victim),
        ):
            yield WantedEvent(name, fields, make, is_whole=True)

    def forget(self) -> None:
        """Nothing is ever open here."""

    def limit(self) -> None:
        """Give up the oldest of too many threads that were caught."""
        shorten(self._found.trapped, _MOST_TRAPPED)

    def _jbd2(self, unpack: Unpack) -> Handle:
        found, tick_ns = self._found, self._tick_ns

        def handle(time_ns: int, page: bytes, at: int) -> None:
            device, *phases = unpack(page, at)
            drive = found.names.drive(device)
            times = (phase * tick_ns for phase in phases)
            found.commits.append(FilesystemCommit("ext4", drive, time_ns, *times))

        return handle

    def _btrfs(self, unpack: Unpack) -> Handle:
        found = self._found

        def handle(time_ns: int, page: bytes, at: int) -> None:
            (identity,) = unpack(page, at)
            drives = found.names.drives_of_btrfs(identity)
            found.commits.append(FilesystemCommit("btrfs", drives, time_ns))

        return handle

    def _wbt(self, unpack: Unpack) -> Handle:
        found = self._found

        def handle(time_ns: int, page: bytes, at: int) -> None:
            name, step = unpack(page, at)
            if step > 0:  # one step further back; the filter of the trace lets no others through
                drive = found.names.drive_of(text_of_field(name))
                found.moments.append(TracedMoment(WBT, time_ns, drive))

        return handle

    def _printk(self, unpack: Unpack) -> Handle:
        found = self._found

        def handle(time_ns: int, page: bytes, at: int) -> None:
            trap = _TRAP.search(text_at(page, at, unpack(page, at)[0]))
            if trap is not None:
                thread = found.names.thread(int(trap["tid"][:9]), trap["name"])
                found.trapped[thread.tid] = None
                found.moments.append(TracedMoment(SPLIT_LOCK, time_ns, thread=thread))

        return handle

    def _named_victim(self, unpack: Unpack) -> Handle:
        found = self._found

        def handle(time_ns: int, page: bytes, at: int) -> None:
            pid, location = unpack(page, at)
            victim = found.names.thread(pid, text_at(page, at, location))
            found.moments.append(TracedMoment(OOM_KILL, time_ns, thread=victim))

        return handle

    def _victim(self, unpack: Unpack) -> Handle:
        found = self._found

        def handle(time_ns: int, page: bytes, at: int) -> None:
            victim = found.names.thread(*unpack(page, at))
            found.moments.append(TracedMoment(OOM_KILL, time_ns, thread=victim))

        return handle
