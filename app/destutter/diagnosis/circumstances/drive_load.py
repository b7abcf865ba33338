# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a drive can be what the game waited for: how many requests were in it, and how long.

Whoever waits for a drive has a request in it all the while, so that the mean number of requests
in a drive cannot be smaller than the share of time in which somebody waited for it (Little's
law). What a limit of a control group, iocost, a frozen file system or a lock holds back waits
above the drive: the kernel counts a request from its allocation on (blk_account_io_start in
block/blk-mq.c), which comes after those.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from destutter.core.traced import SLOW_REQUEST_NS
from destutter.diagnosis.finding import Spike
from destutter.diagnosis.history.drives import MIRROR, NO_DRIVES, on_held_drives
from destutter.diagnosis.history.tick_log import LATE_NS, Tick, TickLog
from destutter.diagnosis.history.window import SECOND_NS

# Of several hundred waits for a drive that were made, all have more than 0.9 requests per waiting
# thread in it; the rest is for ticks that reach beyond the stutter.
_ENOUGH_REQUESTS = 0.5
# Beside the game's own request stands another one at least half of the time. While none does, the
# drive has nothing else to do than the game's, whoever else uses it.
_OTHERS_TOO = 1.5
_SMALLEST_BYTES = 4096.0  # a page, or a block of a file system: the most requests for the bytes
_EXCEEDED = 1.5  # of what a limit allows
_AT_LIMIT = (0.7, 1.5)  # of a limit: its group gets a slice of 100 ms ahead, or lies behind by one
_BEGIN_NS = 30_000_000  # two frames: the log says when a frame ended, the read was in it
_NEAR_LIMIT = 0.5  # who used less of a limit was not held back by it
WRITTEN_BACK_S = 10  # 360 MB took 2 s after they were counted (own_written); larger saves longer
_STILL_DIRTY = 1.5  # times what was written: the rest still waits in memory
_TOLD_MS = SLOW_REQUEST_NS / 1e6
MOST = 0.6  # of what a drive moved; other programs had a fifth beside a save of 126 MB
MUCH_BYTES = 8 * 2.0**20  # what no log of a game writes within a stutter, nor a frame reads
_REQUESTS_OF_A_READER = 8.0  # at once; 1 to 4 were counted with the kernel's reading ahead
_WAYS = ("read", "write")
_WITHIN = 2  # ticks: of fewer the requests that lie across an end are too large a part

LIMITS: Mapping[str, tuple[str, str]] = {
    "cgroup.read_limit_bytes_per_s": ("disk.read_bytes_per_s", "game.read_bytes_per_s"),
    "cgroup.write_limit_bytes_per_s": ("disk.write_bytes_per_s", "game.write_bytes_per_s"),
    "cgroup.read_limit_per_s": ("disk.reads_per_s", ""),
    "cgroup.write_limit_per_s": ("disk.writes_per_s", ""),
}
"""The limits that a group may have, each with what it limits: of the drive, and of the game."""


@dataclass(frozen=True, slots=True)
class Load:
    """What one drive had to do within a stutter: requests in it on average, the longest mean time
    that they took in a tick, the bytes a second that it moved, and those that the game moved,
    whichever drive they were of.
    """

    requests: float
    await_ms: float
    bytes_per_s: float = 0.0
    own_bytes_per_s: float = 0.0

    def can_hold(self, share: float) -> bool:
        """Whether the game can have waited for it for that share of the stutter.

        Where nobody else's requests stood beside the game's, its own tell: so many as its bytes
        can be at most, each as long as the drive took.
        """
        if self.requests < _ENOUGH_REQUESTS * share:
            return False
        if self.has_others(share) or self.own_bytes_per_s < _SMALLEST_BYTES:
            return True
        most = self.own_bytes_per_s / _SMALLEST_BYTES * self.await_ms / 1e3
        return most >= _ENOUGH_REQUESTS * share

    def has_others(self, share: float) -> bool:
        """Whether somebody else's requests can have stood before the game's."""
        return self.requests >= _OTHERS_TOO * share


@dataclass(frozen=True, slots=True)
class DriveLimit:
    """A limit of the game's group for a drive. ``metric`` and ``value`` are empty and 0 where only
    that there is one was recorded. ``own_use`` is how much of it the game moved, ``use`` how much
    all that use the drive; ``asked`` is how much of it the game asked for from just before the
    stutter to just after it, less what other drives moved; ``first_ms`` how long the limit takes
    for what the game asked for as the stutter began.
    """

    drive: str = ""
    metric: str = ""
    value: float = 0.0
    own_use: float = 0.0
    use: float = 0.0
    asked: float = 0.0
    first_ms: float = 0.0

    @property
    def is_exceeded(self) -> bool:
        """Whether the game asked within the stutter for so much more than it allows that it waited
        for half as long: bytes are counted when they are asked for."""
        return self.own_use >= _EXCEEDED

    def holds(self, load: Load | None, share: float, waited_ms: float) -> bool:
        """Whether it held the game back for that share of the stutter on a drive with that load.

        The game moves just what it allows, or asked for more: the kernel counts its bytes before
        the limit holds them back, so that they may lie before the wait, and what a crowd did in
        the drive meanwhile says nothing. Or all move what it allows, and no crowd stands in the
        drive itself: then others of the group use it up. Or the drive never saw what was waited
        for.
        """
        if _is_at_limit(self.own_use) or self.asked >= _AT_LIMIT[0]:
            return True
        # A single read: it takes as long as the limit has it take, whoever is busy beside it.
        if _is_at_limit(self.first_ms / waited_ms if waited_ms else 0.0):
            return True
        if load is None:
            return False
        is_used_up = _is_at_limit(self.use) and not load.has_others(share)
        return is_used_up or not load.can_hold(share)


def _is_at_limit(use: float) -> bool:
    return _AT_LIMIT[0] <= use <= _AT_LIMIT[1]


def loads(spike: Spike, ticks: Sequence[Tick]) -> dict[str, Load]:
    """What each drive had to do, by name; only those whose requests were measured."""
    within, length_s = _within(spike, ticks)
    own = sum(_total(within, f"game.{way}_bytes_per_s") for way in _WAYS)
    names = {name for tick in ticks for name in tick.instanced.get("disk.reads_per_s", ())}
    found = {}
    for name in sorted(name for name in names if not name.startswith(NO_DRIVES)):
        requests = max(
            sum(max(_request_s(tick, name), _in_flight_s(tick, name)) for tick in within),
            _sum(within, "disk.queue_depth", name),
        )
        # A flush is in no count of what is in flight, and only known when it has ended.
        requests += sum(_time_s(tick, "flush", "flushes", name) for tick in ticks)
        if any(_is_measured(tick, name) for tick in within):
            await_ms = max(_await_ms(tick, name) for tick in ticks)
            moved = sum(_sum(within, f"disk.{way}_bytes_per_s", name) for way in _WAYS)
            found[name] = Load(requests / length_s, await_ms, moved / length_s, own / length_s)
    return found


def drive_limit(log: TickLog, spike: Spike, ticks: Sequence[Tick]) -> DriveLimit | None:
    """The limit of the game's group that was used up most; None where there was none, or where no
    drive moved enough for one.

    Limits are read once a second, so that one which comes and goes may have been seen last just
    before the stutter. What others of the group moved counts against it as well, so
    the drive's whole traffic decides whether it can have been used up.
    """
    seconds = log.between(spike.start_ns - SECOND_NS, spike.monotonic_ns + SECOND_NS)
    if not any(tick.values.get("cgroup.io_limits") for tick in seconds):
        return None
    within, length_s = _within(spike, ticks)
    span_s = sum(tick.length_s for tick in ticks)
    best: DriveLimit | None = None
    is_told = False
    for metric, (of_drive, of_game) in LIMITS.items():
        for drive, value in _lowest(seconds, metric).items():
            is_told = True
            own = _total(within, of_game) / length_s / value
            use = max(_sum(within, of_drive, drive) / length_s / value, own)
            if use >= max(_NEAR_LIMIT, best.use if best else 0.0):
                asked = _asked(ticks, drive, of_drive, of_game) / span_s / value
                begun = [tick for tick in ticks if _is_at_begin(tick, spike)]
                first_ms = _asked(begun, drive, of_drive, of_game) / value * 1e3
                best = DriveLimit(drive, metric, value, own, use, asked, first_ms)
    return best if is_told else DriveLimit()


def _is_at_begin(tick: Tick, spike: Spike) -> bool:
    """Whether a tick may have what was asked for as the stutter began: log and ticks differ by
    some milliseconds.
    """
    return tick.start_ns - _BEGIN_NS <= spike.start_ns <= tick.end_ns + _BEGIN_NS


def _asked(ticks: Sequence[Tick], drive: str, of_drive: str, of_game: str) -> float:
    """What the game asked of a drive at least, in bytes: other drives may have had the rest."""
    names = {name for tick in ticks for name in tick.instanced.get(of_drive, ())} - {drive}
    others = {name for name in names if not name.startswith((*NO_DRIVES, MIRROR))}
    return _total(ticks, of_game) - sum(_sum(ticks, of_drive, name) for name in others)


def _within(spike: Spike, ticks: Sequence[Tick]) -> tuple[Sequence[Tick], float]:
    """The ticks that lie within the stutter, and how long they are; of a short one all that it
    overlaps, as if all that they have were within it.
    """
    inner = [
        tick
        for tick in ticks
        if tick.start_ns >= spike.start_ns and tick.end_ns <= spike.monotonic_ns
    ]
    if len(inner) >= _WITHIN:
        return inner, sum(tick.length_s for tick in inner)
    return ticks, max(spike.duration_ms / 1e3, 1e-3)


def _lowest(ticks: Sequence[Tick], metric: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for tick in ticks:
        for drive, value in tick.instanced.get(metric, {}).items():
            if value > 0:
                found[drive] = min(value, found.get(drive, value))
    return found


def _total(ticks: Sequence[Tick], metric: str) -> float:
    return sum(tick.values.get(metric, 0.0) * tick.length_s for tick in ticks)


def _sum(ticks: Sequence[Tick], metric: str, name: str) -> float:
    return sum((tick.get((metric, name)) or 0.0) * tick.length_s for tick in ticks)


def _is_measured(tick: Tick, name: str) -> bool:
    return tick.get(("disk.busy_pct", name)) is not None


def _request_s(tick: Tick, name: str) -> float:
    """The time of all requests that ended in a tick, in seconds."""
    return _time_s(tick, "read", "reads", name) + _time_s(tick, "write", "writes", name)


def _time_s(tick: Tick, way: str, plural: str, name: str) -> float:
    count = tick.get((f"disk.{plural}_per_s", name)) or 0.0
    await_ms = tick.get((f"disk.{way}_await_ms", name)) or 0.0
    return count * tick.length_s * await_ms / 1e3


def _in_flight_s(tick: Tick, name: str) -> float:
    """The same as far as requests had no answer at its end: a drive that hangs ends none.

    Where others ended, how many were left at one moment says nothing of the whole tick, but that
    there was one. A drive is busy while it has any.
    """
    ways = ("disk.reads_in_flight", "disk.writes_in_flight")
    count = sum(tick.get((way, name)) or 0.0 for way in ways)
    if _has_ended(tick, name):
        return min(count, 1.0) * tick.length_s
    busy = (tick.get(("disk.busy_pct", name)) or 0.0) / 100.0
    return max(count, busy) * tick.length_s


def _has_ended(tick: Tick, name: str) -> bool:
    return any(tick.get((f"disk.{plural}_per_s", name)) for plural in ("reads", "writes"))


def _await_ms(tick: Tick, name: str) -> float:
    """The longest mean time of requests; of those without an answer so far the tick's length."""
    if not _has_ended(tick, name):
        return 1e3 * min(_in_flight_s(tick, name), tick.length_s)
    ways = ("read", "write", "flush")
    return max(tick.get((f"disk.{way}_await_ms", name)) or 0.0 for way in ways)


def own_written(log: TickLog, spike: Spike, drive: str) -> float:
    """The game's share, 0 to 1, of what a drive wrote in the seconds up to the end of a stutter.

    The kernel counts what a program writes when it makes a page dirty, and the drive has it when
    the page is written back: a save of 360 MB was counted in 0.2 s and kept the drive for two
    seconds after that, in which the game wrote nothing.
    """
    ticks = log.between(
        spike.monotonic_ns - WRITTEN_BACK_S * SECOND_NS, spike.monotonic_ns + LATE_NS
    )
    own = _total(ticks, "game.write_bytes_per_s")
    return own_share(own, _sum(ticks, "disk.write_bytes_per_s", drive))


def own_share(own: float, written: float) -> float:
    """The game's share of what was written. 0 where it wrote much more than the drive did: then
    that still waits, and what is written is somebody else's.
    """
    return min(own / written, 1.0) if 0.0 < own <= _STILL_DIRTY * written else 0.0


def _with_reads(ticks: Sequence[Tick], names: Sequence[str]) -> Sequence[str]:
    """Where the game reads and writes nothing, only drives that read; all where none is left.

    A virtual machine's disk in a file is a loop drive that only writes, slower than the drive
    below it, from which a game reads.
    """
    reads, written = (_total(ticks, f"game.{way}_bytes_per_s") for way in _WAYS)
    if written or reads < _SMALLEST_BYTES:
        return names
    return [name for name in names if _sum(ticks, "disk.read_bytes_per_s", name)] or names


def _with_own_reads(ticks: Sequence[Tick], names: Sequence[str]) -> Sequence[str]:
    """Where the game reads much, only drives that can have had it; all where none is left.

    Not one that read less meanwhile. Nor, beside another one, a drive in which the game's part
    would have stood in line dozens deep: a thread that reads has few requests at once, and a disk
    in a file that strangers filled was named, at 58 ms, for what came from a drive at 0.1 ms.
    """
    read = _total(ticks, "game.read_bytes_per_s")
    if read < MUCH_BYTES:
        return names
    moved = {name: _sum(ticks, "disk.read_bytes_per_s", name) for name in names}
    had = [name for name in names if moved[name] >= MOST * read]
    span_s = sum(tick.length_s for tick in ticks)
    waiting = {name: sum(_request_s(tick, name) for tick in ticks) / span_s for name in had}
    few = [
        name
        for name in had
        if waiting[name] * min(read / moved[name], 1.0) <= _REQUESTS_OF_A_READER
    ]
    return few or had or names


def slowest_drive(
    ticks: Sequence[Tick],
    awaited: frozenset[str] | None = None,
    held: frozenset[str] = frozenset(),
) -> tuple[str, float, bool]:
    """The drive with the longest wait for a request, that wait, and whether it was a write.

    Only such as can be what the game waited for: one of ``awaited``, where it is known for which
    it waited so long that it was told; else one of ``held``, which have its files.
    """
    worst = ("", 0.0, False)
    known = {name for tick in ticks for name in tick.instanced.get("disk.reads_per_s", ())}
    names = sorted(name for name in known if not name.startswith(NO_DRIVES))
    if awaited is not None:
        quick = [name for name in names if all(_await_ms(tick, name) < _TOLD_MS for tick in ticks)]
        names = [name for name in names if name in awaited] or quick or names
    else:
        read = _total(ticks, "game.read_bytes_per_s")
        moved = {name: _sum(ticks, "disk.read_bytes_per_s", name) for name in names}
        names = on_held_drives(names, held, read, moved)
    # A loop device is as slow as the drive below it, which is the better name: it comes last.
    names.sort(key=lambda name: name.startswith("loop"))
    names = list(_with_reads(ticks, names))
    for name in _with_own_reads(ticks, names) if awaited is None else names:
        read_ms, write_ms = (
            max((tick.get((metric, name)) or 0.0 for tick in ticks), default=0.0)
            for metric in ("disk.read_await_ms", "disk.write_await_ms")
        )
        await_ms = max(read_ms, write_ms)
        is_mirror = name.startswith("loop") and bool(worst[0])
        if await_ms > worst[1] * (2.0 if is_mirror else 1.0):
            worst = (name, await_ms, write_ms > read_ms)
    return worst
