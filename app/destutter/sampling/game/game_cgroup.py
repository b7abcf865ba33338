# SPDX-License-Identifier: GPL-3.0-or-later
"""The control group of the game: what its own limits cost it, and what its members waited for."""

import itertools
from collections.abc import Sequence

from destutter.core.kernel_files import KernelFiles
from destutter.core.sample import RawValue
from destutter.core.statement import Statement
from destutter.sampling.computer.pressure import parse_pressure
from destutter.sampling.files.kept_file import KeptFile
from destutter.sampling.files.measurement import AbsentError, Measurement, whole
from destutter.sampling.files.named_values import named_counts
from destutter.sampling.files.process_files import PROC
from destutter.sampling.game.drive_limits import IO_MAX, VERSION_1, DriveNames, drive_limits
from destutter.sampling.game.groups_above import CountAbove
from destutter.sampling.game.watched_process import WatchedProcess

CGROUPS = "/sys/fs/cgroup"
_UNIFIED_BESIDE = f"{CGROUPS}/unified"
_RESOURCES = ("cpu", "memory", "io")
_EVENTS = (b"high", b"max")
_STAT = (b"pgscan_direct", b"pgsteal_direct")
_INHERITED = (IO_MAX,)
_NO_GROUP = Statement("sampling.no_group")


class Groups:
    """Where the groups of the game are: read again when its membership changes.

    ``find`` maps "memory.events" and the like to its content. Version 2 has one tree, at
    /sys/fs/cgroup or beside trees of version 1 in "unified"; of version 1 only the trees of
    memory, cpu and blkio are looked at (Documentation/admin-guide/cgroup-v1).
    """

    def __init__(self, files: KernelFiles, watch: WatchedProcess, names: tuple[str, ...]) -> None:
        self._files = files
        self._watch = watch
        self._names = names
        self._pid: int | None = None
        self._membership = KeptFile(files, "")
        self._data: bytes | None = None
        self._kept: dict[str, KeptFile] = {}

    def find(self) -> dict[str, bytes]:
        """The contents of the files that exist; nothing while no game is watched.

        Raises ``AbsentError`` where the game is in no group of its own.
        """
        pid = self._watch.pid
        if pid != self._pid:
            self.close()
            self._pid = pid
            self._membership = KeptFile(self._files, f"{PROC}/{pid}/cgroup")
        data = None if pid is None else self._membership.find()
        if data is None:
            return {}
        if data != self._data:
            self._follow(data)
        found = {
            name: content for name, file in self._kept.items() if (content := file.find_if_shown())
        }
        if not found:
            raise AbsentError(_NO_GROUP)
        return found

    def path(self, name: str) -> str:
        """Where the file of that name lies."""
        return self._kept[name].path

    @property
    def membership(self) -> bytes | None:
        """What /proc/PID/cgroup said last; None before."""
        return self._data

    def above(self, tree: str) -> list[str]:
        """The folders of the groups above the game's own, below the root; "" is version 2."""
        folder = None if self._data is None else self._base(self._data, tree)
        if folder is None:
            return []
        root = self._root(tree)
        names = folder.removeprefix(root).split("/")
        return [root + "/".join(names[:count]) for count in range(len(names) - 1, 1, -1)]

    def close(self) -> None:
        self._membership.close()
        self._close_group()
        self._pid = None

    def _follow(self, data: bytes) -> None:
        self._close_group()
        self._data = data
        for name in self._names:
            tree, _, file = name.rpartition(":")
            base = self._base(data, tree)
            if base is not None:
                self._kept[name] = KeptFile(self._files, f"{base}/{file}")
            if base is not None and name in _INHERITED:
                self._keep_above(name, base)

    def _keep_above(self, name: str, base: str) -> None:
        """The file of the groups above as well, under its name and how far above."""
        for depth in itertools.count(1):
            base = base.rpartition("/")[0]
            if base in (CGROUPS, _UNIFIED_BESIDE) or not base.startswith(CGROUPS):
                return
            self._kept[f"{name}^{depth}"] = KeptFile(self._files, f"{base}/{name}")

    def _base(self, data: bytes, tree: str) -> str | None:
        group = group_of(data, tree) if tree else unified_group(data)
        return None if group is None else f"{self._root(tree)}{group}"

    def _root(self, tree: str) -> str:
        if tree:
            return f"{CGROUPS}/{tree}"
        return _UNIFIED_BESIDE if self._files.exists(_UNIFIED_BESIDE) else CGROUPS

    def _close_group(self) -> None:
        for file in self._kept.values():
            file.close()
        self._kept = {}
        self._data = None


class GameCgroupSampler:
    """Limit hits, pages freed by those who asked for memory, pressure, and CPU time withheld.

    Limits of the groups above it, as of a user's slice or a container, hold for the game as well.

    Reclaim that a memory limit causes is in no counter of the whole computer
    (Documentation/admin-guide/cgroup-v2.rst, memory.events, memory.stat, memory.pressure,
    cpu.stat, io.max). Version 1 counts each miss of its one limit (memory.failcnt).
    """

    sources = ("game_cgroup", "drive_limit")

    def __init__(self, files: KernelFiles, watch: WatchedProcess) -> None:
        self._names = DriveNames(files)
        self._groups = Groups(
            files,
            watch,
            (
                "memory.events",
                "memory.stat",
                "memory.pressure",
                "cpu.stat",
                "memory:memory.failcnt",
                "cpu:cpu.stat",
                IO_MAX,
                *VERSION_1,
            ),
        )
        self._membership: bytes | None = None
        self._above = {
            ("", "cpu"): CountAbove(files, "cpu.stat", (b"throttled_usec",), "cpu.max"),
            ("cpu", "cpu"): CountAbove(files, "cpu.stat", (b"throttled_time",)),
            ("", "memory"): CountAbove(files, "memory.events.local", _EVENTS),
            ("memory", "memory"): CountAbove(files, "memory.failcnt"),
        }

    def read(self) -> Sequence[Measurement]:
        """One value per field of the catalog; nothing while no game is watched.

        Raises ``AbsentError`` where there is no group with such files.
        """
        found = self._groups.find()
        if not found:
            return ()
        self._follow_above()
        high, most = self._named(found, "memory.events", _EVENTS)
        failures = found.get("memory:memory.failcnt")
        if most is None and failures is not None:
            most = whole(self._groups.path("memory:memory.failcnt"), 1, failures.strip())
        above = (self._above[tree, "memory"].read() for tree in ("", "memory"))
        most = _sum(most, *above)
        pressure = found.get("memory.pressure")
        limits = drive_limits(found)
        values: tuple[RawValue, ...] = (
            high,
            most,
            *self._named(found, "memory.stat", _STAT),
            *(
                parse_pressure(self._groups.path("memory.pressure"), pressure)
                if pressure
                else (None, None)
            ),
            self._withheld_us(found),
            len(limits),
        )
        measured = Measurement("game_cgroup", None, values)
        if not limits:
            return (measured,)
        names = tuple(map(self._names.of, limits))
        rows = tuple(value for row in limits.values() for value in row)
        return (measured, Measurement("drive_limit", names, rows))

    def close(self) -> None:
        self._groups.close()
        self._membership = None
        for counts in self._above.values():
            counts.close()

    def _follow_above(self) -> None:
        if self._groups.membership == self._membership:
            return
        self._membership = self._groups.membership
        for (tree, _), counts in self._above.items():
            counts.follow(self._groups.above(tree))

    def _withheld_us(self, found: dict[str, bytes]) -> RawValue:
        (new,) = self._named(found, "cpu.stat", (b"throttled_usec",))
        (old,) = self._named(found, "cpu:cpu.stat", (b"throttled_time",))
        # Version 1 counts nanoseconds. A group below a limit need not count anything itself:
        # systemd gives the controller to those groups alone that ask for it.
        above = (self._above["", "cpu"].read(), _microseconds(self._above["cpu", "cpu"].read()))
        return _sum(new if new is not None else _microseconds(old), *above)

    def _named(
        self, found: dict[str, bytes], name: str, wanted: tuple[bytes, ...]
    ) -> list[RawValue]:
        if name not in found:
            return [None] * len(wanted)
        return named_counts(self._groups.path(name), found[name], wanted)


class GamePressureSampler:
    """Stall of the game's own group, per resource (Documentation/accounting/psi.rst).

    Desktops start each program in a group of its own, so this is what the game itself waited for.
    """

    sources = ("game_pressure",)

    def __init__(self, files: KernelFiles, watch: WatchedProcess) -> None:
        self._names = {f"{resource}.pressure": resource for resource in _RESOURCES}
        self._groups = Groups(files, watch, tuple(self._names))
        self._instances: tuple[str, ...] = ()

    def read(self) -> Sequence[Measurement]:
        """Microseconds of stall, some and full, per resource; nothing without a game.

        Raises ``AbsentError`` where the game has no group of its own.
        """
        found = self._groups.find()
        if not found:
            return ()
        names = tuple(self._names[name] for name in found)
        if names != self._instances:
            self._instances = names
        values: list[RawValue] = []
        for name, data in found.items():
            values += parse_pressure(self._groups.path(name), data)
        return (Measurement("game_pressure", self._instances, tuple(values)),)

    def close(self) -> None:
        self._groups.close()


def _microseconds(value_ns: RawValue) -> RawValue:
    return None if value_ns is None else value_ns // 1000


def _sum(*counts: RawValue) -> RawValue:
    """Of what is known; None where nothing is."""
    known = [count for count in counts if count is not None]
    return sum(known) if known else None


def unified_group(data: bytes) -> str | None:
    """The path in the version 2 tree from /proc/PID/cgroup; None in the root or without one."""
    return _group(data, b"0::")


def group_of(data: bytes, controller: str) -> str | None:
    """The path in a version 1 tree; None in its root or without one."""
    for line in data.split(b"\n"):
        number, _, rest = line.partition(b":")
        names, _, _path = rest.partition(b":")
        if controller.encode() in names.split(b","):
            return _group(data, number + b":" + names + b":")
    return None


def memory_group(data: bytes) -> str | None:
    """The path of the group whose memory limit holds; None where it is the root."""
    is_version_1 = any(b"memory" in line.split(b":")[1].split(b",") for line in _lines(data))
    return group_of(data, "memory") if is_version_1 else unified_group(data)


def _lines(data: bytes) -> list[bytes]:
    return [line for line in data.split(b"\n") if line.count(b":") >= 2]


def _group(data: bytes, start: bytes) -> str | None:
    for line in data.split(b"\n"):
        if line.startswith(start):
            path = line[len(start) :].decode("utf-8", "surrogateescape").rstrip("/")
            return path if path.startswith("/") and "/.." not in path else None
    return None
