# SPDX-License-Identifier: GPL-3.0-or-later
"""What the kernel's event tracing showed: waits of single threads, and slow requests to drives.

The process that reads the trace (``destutter.sampling.tracing``) tells each look, at most four a
second, as a ``TraceLook``, which is a message of the stream (``destutter.core.sample``). What it
cannot measure is a ``Trouble`` of the source ``trace``. Times are nanoseconds of CLOCK_MONOTONIC,
as everywhere.
"""

import re
import string
import types
import typing
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any

from destutter.core.kernel_names import is_realtime

SOURCE = "trace"
"""The source of troubles of the trace."""

FOLLOWED = "trace.game"
"""The fact that names the process whose waits for a core are recorded, by its number."""

LEAD = "trace.lead"
"""The fact that names the thread of that process which shows its frames, by its number; empty
where that is not known. What is told of a main thread is of this one."""

MISSING = "trace.missing"
"""The fact that names the events that this kernel does not have, with commas between."""

RECLAIM, MEMCG_RECLAIM, COMPACTION = "reclaim", "memcg_reclaim", "compaction"
"""Kinds of waits: freeing memory itself, for all or within the limit of its group; making free
memory contiguous."""

THROTTLED, DIRTY_PAUSE, CORE = "throttled", "dirty_pause", "core"
"""Held back while others free memory; held back because too much waits to be written; waiting for
a core."""

GPU, INTERRUPT, FILE = "gpu", "interrupt", "file"
"""What an expert's trace adds up: waits for the graphics card, which are a kind of waits as well;
interrupts that stopped the game's threads; pages of files that those had to read."""

REQUEST = "request"
"""The kind of wait of who asked a drive for something."""

READ, WRITE, FLUSH, DISCARD, OTHER = "read", "write", "flush", "discard", "other"
"""Operations of requests."""

WBT, SPLIT_LOCK, OOM_KILL = "wbt", "split_lock", "oom_kill"
"""Kinds of moments: the kernel holds writers to a drive further back; a trap on a split lock, and
as a kind of waits the time for which the kernel puts the thread to sleep for it; somebody was
killed because memory had run out."""

LONG_WAIT_NS = 4_000_000
"""A quarter of a frame at 60 Hz: shorter waits are not told, but as one where they follow each
other at once."""

LONG_SLEEP_NS = 20_000_000
"""Shorter sleeps of a game's main thread are not told: this is two fifths of the shortest stutter,
and more than a frame at 60 Hz, in which it sleeps all the time."""

SLOW_REQUEST_NS = 5_000_000
"""Quicker requests are not told; the experiments count stalls from the same length on."""

MAIN_BIN_NS = 10_000_000
"""What the main thread of a game did is told of so long a time at once."""

MOST_BINS = 1000
"""In one look. Of a process that had no turn for longer what is older is not known."""

KIND = "k"
"""What the body of such a message begins with."""

_LARGEST = 1 << 61
_STEP_NS = 200_000
_DIGITS = string.digits + string.ascii_letters  # the first 51: 0 to 10 ms
_UNKNOWN = "---"
_BINS = re.compile(f"(?:[{_DIGITS[: MAIN_BIN_NS // _STEP_NS + 1]}]{{3}}|{_UNKNOWN})*")


class TraceLineError(Exception):
    """A body that is no look at the trace."""


@dataclass(frozen=True, slots=True)
class TracedThread:
    """A thread. ``pid`` is its process; None where that was gone when it was asked for.

    The name is empty where nothing told it.
    """

    tid: int
    name: str
    pid: int | None = None


@dataclass(frozen=True, slots=True)
class TracedWait:
    """A thread that did not get on. ``kind`` is one of those above.

    Short waits for memory that follow each other at once are one, as long as all of them together,
    from the beginning of the first.

    ``behind`` is who ran last on the core that it waited for, and ``behind_priority`` the kernel's
    priority of that. ``device`` is the drive that is written to too slowly.
    """

    thread: TracedThread
    kind: str
    begin_ns: int
    duration_ns: int
    device: str = ""
    behind: TracedThread | None = None
    behind_priority: int | None = None

    @property
    def is_behind_realtime(self) -> bool:
        return is_realtime(self.behind_priority)


@dataclass(frozen=True, slots=True)
class Awaited:
    """From when until when a sleep of the main thread was for this thread, at first or last hand.

    It ends when that one woke who slept for it: what it waits for later holds nobody up. Of that
    time it ran for ``ran_ns``, and could have run but had no core for ``ready_ns``, as far as that
    is known.
    """

    tid: int
    begin_ns: int
    end_ns: int
    ran_ns: int = 0
    ready_ns: int = 0


@dataclass(frozen=True, slots=True)
class SleepLook:
    """A look within a long sleep, until ``end_ns``: when somebody or its own timer woke it.

    Where a frame ended in it, the sleep until then was a wait by itself, as ``woken_by`` and
    ``awaited`` tell of it.
    """

    end_ns: int
    woken_by: tuple[TracedThread, ...] = ()
    awaited: tuple[Awaited, ...] = ()


@dataclass(frozen=True, slots=True)
class TracedSleep:
    """A long sleep of the main thread of the game, until somebody woke it; one with its looks.

    ``woken_by`` is who that was, then who woke that one from a sleep in which it was meanwhile,
    and so on. Where an interrupt did (of a timer, a drive, the network) it is who was done with
    its work for it just then, if that is known, else empty. ``awaited`` says for
    which of them it slept when; empty in recordings from before that was told. ``looks`` are in
    order of time.
    """

    thread: TracedThread
    begin_ns: int
    duration_ns: int
    woken_by: tuple[TracedThread, ...] = ()
    awaited: tuple[Awaited, ...] = ()
    looks: tuple[SleepLook, ...] = ()


@dataclass(frozen=True, slots=True)
class SlowRequest:
    """A request to a drive, from the moment somebody asked until the drive had done it.

    ``queue_ns`` is the time until the drive got it, None where that was not seen, and ``begin_ns``
    then when the drive got it. ``idle_ns`` is for how long the drive had had nothing to do, None
    where it was busy or nothing is known. What ``is_written_back`` was written by some program
    earlier: nobody knows by whom.
    """

    device: str
    operation: str
    sector: int
    sectors: int
    begin_ns: int
    queue_ns: int | None
    device_ns: int
    idle_ns: int | None
    thread: TracedThread | None
    is_written_back: bool

    @property
    def duration_ns(self) -> int:
        """From the asking to the end."""
        return (self.queue_ns or 0) + self.device_ns


@dataclass(frozen=True, slots=True)
class FilesystemCommit:
    """A file system that made durable what had changed.

    ``filesystem`` is "ext4" (all that use jbd2) or "btrfs". The phases of ext4 in the order in
    which they pass; None where the kernel does not time them, as in btrfs.
    """

    filesystem: str
    device: str
    end_ns: int
    locked_ns: int | None = None
    flushing_ns: int | None = None
    logging_ns: int | None = None


@dataclass(frozen=True, slots=True)
class TracedMoment:
    """Something that happened. ``kind`` is one of those above."""

    kind: str
    at_ns: int
    device: str = ""
    thread: TracedThread | None = None


@dataclass(frozen=True, slots=True)
class TracedTally:
    """How often something was that is too short to be told each time, and how long: in all, and
    the longest.

    ``kind`` is GPU (``name``: the thread and the driver), INTERRUPT (its handler) or FILE (where
    it lies; of a page that had to be read the kernel tells no length).
    """

    kind: str
    name: str
    count: int
    total_ns: int = 0
    longest_ns: int = 0


@dataclass(frozen=True, slots=True)
class MainTimes:
    """What the main thread of the followed game did in each ``MAIN_BIN_NS`` from ``begin_ns`` on.

    ``packed`` has three characters for each: how long it ran, was ready and had no core, and slept
    so that no signal wakes it; the rest of it was any other sleep. Rounded to 0.2 ms so that sums
    are right. Raises ``TraceLineError`` for any other text.
    """

    begin_ns: int
    packed: str

    def __post_init__(self) -> None:
        if not _BINS.fullmatch(self.packed):
            raise TraceLineError(f"{ascii(self.packed)[:40]} tells nothing of a main thread")

    @classmethod
    def of(cls, begin_ns: int, bins: Iterable["MainBin | None"]) -> "MainTimes":
        """Of these, in ns; None is not known."""
        rests = [0, 0, 0]
        told = (_UNKNOWN if one is None else _pack(one, rests) for one in bins)
        return cls(begin_ns, "".join(told))

    @property
    def end_ns(self) -> int:
        """Behind the last of them."""
        return self.begin_ns + len(self.packed) // 3 * MAIN_BIN_NS

    def bins(self) -> Iterator["MainBin | None"]:
        """One after the other, in ns."""
        for at in range(0, len(self.packed), 3):
            one = self.packed[at : at + 3]
            if one == _UNKNOWN:
                yield None
            else:
                yield _STEP_OF[one[0]], _STEP_OF[one[1]], _STEP_OF[one[2]]


@dataclass(frozen=True, slots=True)
class OwnCores:
    """How much of all cores the game's threads, and the programs that it started, had in each
    ``MAIN_BIN_NS`` from ``begin_ns`` on: one character each. Raises ``TraceLineError`` for any
    other text.
    """

    begin_ns: int
    packed: str

    def __post_init__(self) -> None:
        if not set(self.packed) <= _STEP_OF.keys():
            raise TraceLineError(f"{ascii(self.packed)[:40]} tells nothing of cores")

    @classmethod
    def of(cls, begin_ns: int, shares: Iterable[float]) -> "OwnCores":
        """Of these, from 0 to 1."""
        most = len(_STEP_OF) - 1
        return cls(begin_ns, "".join(_DIGITS[min(round(each * most), most)] for each in shares))

    def bins(self) -> Iterator[tuple[int, float]]:
        """When each of them began, and how much it was, from 0 to 1."""
        for at, digit in enumerate(self.packed):
            share = _STEP_OF[digit] / MAIN_BIN_NS
            yield self.begin_ns + at * MAIN_BIN_NS, share


MainBin: typing.TypeAlias = tuple[int, int, int]
"""How long a main thread ran, was ready, and slept deeply, in ns."""

_STEP_OF = {
    digit: step * _STEP_NS for step, digit in enumerate(_DIGITS[: MAIN_BIN_NS // _STEP_NS + 1])
}


def _pack(one: MainBin, rests: list[int]) -> str:
    """Three characters; what is rounded away is left in ``rests`` for the next."""
    told = ""
    for at, length_ns in enumerate(one):
        exact_ns = length_ns + rests[at]
        step = min((exact_ns + _STEP_NS // 2) // _STEP_NS, MAIN_BIN_NS // _STEP_NS)
        rests[at] = exact_ns - step * _STEP_NS
        told += _DIGITS[step]
    return told


@dataclass(frozen=True, slots=True)
class TraceLoss:
    """A time that was not measured in full. ``events`` is None where nobody counted them.

    ``instance`` is where (``destutter_helper.api.tracing.INSTANCES``): what the others recorded is
    whole. Empty in recordings from before there were several: nothing is.
    """

    begin_ns: int
    end_ns: int
    events: int | None
    instance: str = ""


@dataclass(frozen=True, slots=True)
class TraceLook:
    """One look at the trace: what ended since the one before.

    Waits and requests are those that took long, the longest where there are too many to tell, the
    followed game's before all others; ``untold`` is how many were left out, ``untold_requests``
    how many of them are requests, ``untold_other_requests`` and ``untold_other_waits`` how many
    are surely none of the game's.
    ``counts`` are of all: "events", "requests", and waits by kind. ``cpu_us`` is what the reading
    process has used since it began, ``suspended_ns`` how long the computer has slept since boot.
    ``deep_sleeps`` has, for an expert, the longest sleep of the game's threads that no signal
    ends, if there was one. ``short_ns`` is how long threads of the game waited in all that is too
    short to be told, by kind of wait, REQUEST among them; None where that was not added up.
    ``main`` is what the main thread did, ``own`` how much of the cores the game had; None where
    that is not known of any time.
    """

    begin_ns: int
    end_ns: int
    suspended_ns: int
    cpu_us: int
    untold: int = 0
    counts: Mapping[str, int] = field(default_factory=dict)
    waits: tuple[TracedWait, ...] = ()
    requests: tuple[SlowRequest, ...] = ()
    commits: tuple[FilesystemCommit, ...] = ()
    moments: tuple[TracedMoment, ...] = ()
    losses: tuple[TraceLoss, ...] = ()
    untold_requests: int = 0
    untold_other_requests: int = 0
    untold_other_waits: int = 0
    sleeps: tuple[TracedSleep, ...] = ()
    tallies: tuple[TracedTally, ...] = ()
    deep_sleeps: tuple[TracedSleep, ...] = ()
    short_ns: Mapping[str, int] | None = None
    main: MainTimes | None = None
    own: OwnCores | None = None

    @property
    def monotonic_ns(self) -> int:
        """When it was taken."""
        return self.end_ns


def followed(pid: int | None, lead: int | None = None) -> dict[str, str]:
    """The facts that the trace is of this process from now on, None of none, and which thread of
    it shows its frames, None where that is not known.
    """
    told = {FOLLOWED: pid, LEAD: lead}
    return {name: "" if number is None else str(number) for name, number in told.items()}


def lead_in(label: str) -> int | None:
    """The number of the thread that the fact ``game.lead`` names; None where it names none."""
    number = label.partition(" ")[0]
    return int(number) if number.isdecimal() else None


def look_body(look: TraceLook) -> list[Any]:
    return [KIND, *_plain(look)]


def read_look(body: list[Any]) -> TraceLook:
    """The look in the body of a message. Raises ``TraceLineError`` for anything that
    ``look_body`` does not produce."""
    look: TraceLook = _read_whole(TraceLook, body[1:])
    return look


_GROWN_BY = {TraceLook: 9, TraceLoss: 1, TracedSleep: 2, Awaited: 2}
"""How many of the last fields recordings of before do not have: as if nobody had given them."""


def _plain(value: Any) -> Any:
    """Values of dataclasses in the order of their fields: names would be most of a line."""
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if hasattr(value, "__dataclass_fields__"):
        return [_plain(getattr(value, name)) for name in value.__dataclass_fields__]
    return dict(value) if isinstance(value, Mapping) else value


@cache
def _types(kind: type[Any]) -> tuple[Any, ...]:
    hints = typing.get_type_hints(kind)
    return tuple(hints[each.name] for each in fields(kind))


def _read_whole(kind: Any, values: object) -> Any:
    wanted = _types(kind)
    least = len(wanted) - _GROWN_BY.get(kind, 0)
    if not isinstance(values, list) or not least <= len(values) <= len(wanted):
        raise TraceLineError(f"{kind.__name__} has {len(wanted)} values")
    return kind(*(_read(each, value) for each, value in zip(wanted, values, strict=False)))


def _read(kind: Any, value: object) -> Any:
    origin = typing.get_origin(kind)
    if origin is types.UnionType:
        return None if value is None else _read(typing.get_args(kind)[0], value)
    if origin is tuple and isinstance(value, list):
        return tuple(_read(typing.get_args(kind)[0], each) for each in value)
    if origin is Mapping and isinstance(value, dict):
        return {name: _read(int, each) for name, each in value.items()}
    if origin is None and hasattr(kind, "__dataclass_fields__"):
        return _read_whole(kind, value)
    is_fine = kind in (int, str, bool) and type(value) is kind
    if not is_fine or (type(value) is int and not -_LARGEST < value < _LARGEST):
        raise TraceLineError(f"{ascii(value)[:40]} is not what belongs there")
    return value
