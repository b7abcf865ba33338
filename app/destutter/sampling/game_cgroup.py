# SPDX-License-Identifier: GPL-3.0-or-later
"""The control group of the game: reclaim that only its own memory limit causes."""

from collections.abc import Sequence

from destutter.core.kernel_files import KernelFileDeniedError, KernelFiles
from destutter.core.sample import Value
from destutter.sampling.game import Watch
from destutter.sampling.kept import Kept
from destutter.sampling.measurement import AbsentError, Measurement, whole
from destutter.sampling.pressure import parse_pressure
from destutter.sampling.process_files import PROC

CGROUPS = "/sys/fs/cgroup"
_EVENTS = (b"high", b"max")
_STAT = (b"pgscan_direct", b"pgsteal_direct")
_NO_GROUP = "the game is in no control group of its own"


class GameCgroupSampler:
    """Limit hits, pages freed by those who asked for memory, and pressure, of one group.

    Reclaim that a memory limit causes is in no counter of the whole computer
    (Documentation/admin-guide/cgroup-v2.rst, memory.events, memory.stat, memory.pressure).
    """

    sources = ("game_cgroup",)

    def __init__(self, files: KernelFiles, watch: Watch) -> None:
        self._files = files
        self._watch = watch
        self._pid: int | None = None
        self._membership = Kept(files, "")
        self._group: str | None = None
        self._kept: dict[str, Kept] = {}

    def read(self) -> Sequence[Measurement]:
        """One value per field of the catalog; nothing while no game is watched.

        Raises ``AbsentError`` where there is no group with memory files.
        """
        pid = self._watch.pid
        if pid != self._pid:
            self.close()
            self._pid = pid
            self._membership = Kept(self._files, f"{PROC}/{pid}/cgroup")
        data = None if pid is None else self._membership.find()
        if data is None:
            return ()
        self._follow(unified_group(data))
        found = {name: self._find(file) for name, file in self._kept.items()}
        if not any(found.values()):
            raise AbsentError(_NO_GROUP)
        pressure = found["memory.pressure"]
        values: tuple[Value, ...] = (
            *self._named("memory.events", found["memory.events"], _EVENTS),
            *self._named("memory.stat", found["memory.stat"], _STAT),
            *(
                parse_pressure(self._kept["memory.pressure"].path, pressure)
                if pressure
                else (None, None)
            ),
        )
        return (Measurement("game_cgroup", None, values),)

    def close(self) -> None:
        """Give the descriptors back."""
        self._membership.close()
        self._close_group()
        self._pid = None

    def _follow(self, group: str | None) -> None:
        if group is None:
            raise AbsentError(_NO_GROUP)
        if group == self._group:
            return
        self._close_group()
        self._group = group
        for name in ("memory.events", "memory.stat", "memory.pressure"):
            self._kept[name] = Kept(self._files, f"{CGROUPS}{group}/{name}")

    def _close_group(self) -> None:
        for file in self._kept.values():
            file.close()
        self._kept = {}
        self._group = None

    def _named(self, name: str, data: bytes | None, wanted: tuple[bytes, ...]) -> list[Value]:
        return named_counts(self._kept[name].path, data or b"", wanted)

    @staticmethod
    def _find(file: Kept) -> bytes | None:
        try:
            return file.find()
        except KernelFileDeniedError:
            return None


def unified_group(data: bytes) -> str | None:
    """The path in the version 2 tree from /proc/PID/cgroup; None in the root or without one."""
    for line in data.split(b"\n"):
        if line.startswith(b"0::"):
            path = line[3:].decode("utf-8", "surrogateescape").rstrip("/")
            return path if path.startswith("/") and "/.." not in path else None
    return None


def named_counts(path: str, data: bytes, wanted: tuple[bytes, ...]) -> list[Value]:
    """The counts behind these names, None for one that is missing."""
    found: dict[bytes, int] = {}
    for number, line in enumerate(data.split(b"\n"), 1):
        name, _, count = line.partition(b" ")
        if name in wanted:
            found[name] = whole(path, number, count)
    return [found.get(name) for name in wanted]
