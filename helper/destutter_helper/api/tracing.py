# SPDX-License-Identifier: GPL-3.0-or-later
"""What the helper lends of the kernel's event tracing: names, limits, and the JSON of both sides.

A grant is two to four private instances of tracefs, of which the caller gets the read-only
descriptors of ``per_cpu/cpuN/trace_pipe_raw``: those of ``waits`` by processor, then those of
``drives``, then those of ``game`` and of ``expert``. ``formats`` says how to read what comes out
of them, as of this kernel, for the caller cannot open tracefs. A helper may add keys to it; a
reader passes over those that it does not know.
"""

import dataclasses
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from destutter_helper.api import payload
from destutter_helper.api.names import REPLY_MAX_BYTES, REQUEST_MAX_BYTES, HelperError
from destutter_helper.api.statement import Said

ACTION_TRACE = "io.github.destutter.trace"
ACTION_TRACE_EXPERT = "io.github.destutter.trace-expert"

WAITS = "waits"  # of the whole computer: memory, writing back; rare events
# Requests of the whole computer. Apart, for a drive that is busy has 17,000 events a second and
# processor, which would push out what is rare and matters most then.
DRIVES = "drives"
GAME = "game"  # when the threads of the game and ksoftirqd become ready, and run
INSTANCES = (WAITS, DRIVES, GAME)
"""In the order in which their descriptors come."""

# Of the game's threads alone: interrupts that stop them, waits for the graphics card, pages of
# files that they wait for. Thousands a second where much is wrong, and so for a minute at most.
EXPERT = "expert"
EXPERT_MAX_S = 60

# Beside it, and never lent: its records hold true addresses. In which functions a thread of the
# game went to sleep is read out of its text by the helper (`call_path`).
PATHS = "paths"

FORMATS_VERSION = 1
CLOCK = "mono"  # the times of the events are those of CLOCK_MONOTONIC
GRANT_MAX_S = 4 * 3600
GRANTS_MAX = 2  # in all; one of each user
GRANTS_PER_MINUTE_MAX = 10  # of one user: to make one takes the helper some 50 ms
MOST_DESCRIPTORS = 16
"""In one answer of TraceFiles: with 17 in a message the bus disconnects its sender."""

MOST_PIDS = 1024  # that one SetTraceTasks may name
MOST_TASKS = 4096  # threads behind them
PID_MAX = 4 * 1024 * 1024  # PID_MAX_LIMIT in include/linux/threads.h
_MOST_CPUS, _MOST_EVENTS, _MOST_FIELDS = 8192, 64, 64
_PAGE_MAX_BYTES, _EVENT_ID_MAX = 1024 * 1024, 65535
_FIELD_MAX_BYTES = 4096
_TEXT_MAX = 200

_EVENT = re.compile(r"[a-z0-9_]{1,64}/[a-z0-9_]{1,64}")


@dataclass(frozen=True, slots=True)
class TraceOptions:
    """What BeginTrace takes: whether the instance for the game's threads is wanted too.

    ``expert`` wants that and one more, and ends after ``EXPERT_MAX_S``.
    """

    game: bool = False
    expert: bool = False

    @property
    def instances(self) -> tuple[str, ...]:
        """What is to be recorded, in the order in which the descriptors come."""
        if self.expert:
            return (*INSTANCES, EXPERT)
        return INSTANCES if self.game else INSTANCES[:-1]


@dataclass(frozen=True, slots=True)
class Field:
    """A field of an event, as its ``format`` file declares it: ``type`` in the words of C.

    A ``type`` that begins with ``__data_loc`` has 4 bytes here: where in the event the value
    begins (lower half) and its bytes (upper half). Of an array ``type`` has the length, as in
    ``char[16]``.
    """

    name: str
    type: str
    offset: int
    size: int
    signed: bool


@dataclass(frozen=True, slots=True)
class Event:
    """An event that is recorded: the number that its records begin with, and its fields."""

    id: int
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class RingPage:
    """What one read gives (``events/header_page``): bytes in all, then offsets and sizes."""

    size: int
    timestamp: tuple[int, ...]
    commit: tuple[int, ...]
    data: int


@dataclass(frozen=True, slots=True)
class Formats:
    """What BeginTrace answers.

    ``cpus``: those that may ever run here; the descriptor of one that has never run refuses with
    ENODEV until it does. ``missing``: events that this kernel does not have, or shows more of than
    may be seen. ``tick_ns`` is a jiffy, the unit of the times of jbd2. ``ends_at_ns``, of
    CLOCK_BOOTTIME: when the grant ends by itself.
    """

    version: int
    cpus: tuple[int, ...]
    instances: tuple[str, ...]
    page: RingPage
    events: Mapping[str, Event]
    missing: tuple[str, ...]
    tick_ns: int
    clock: str
    ends_at_ns: int


def encode_options(options: TraceOptions) -> str:
    """The ``options`` of BeginTrace; what is not wanted is left out, as an older helper may not
    know of it."""
    wanted = {name: True for name, value in dataclasses.asdict(options).items() if value}
    return json.dumps(wanted)


def decode_options(text: str) -> TraceOptions:
    """The same again; HelperError TooLarge or InvalidArgument when it is none."""
    return payload.decode(TraceOptions, text, max_bytes=REQUEST_MAX_BYTES)


def encode_pids(pids: tuple[int, ...]) -> str:
    """The ``pids`` of SetTraceTasks: a process or any of its threads stands for all of them."""
    return payload.encode(tuple(pids))


def decode_pids(text: str) -> tuple[int, ...]:
    """The same again, each number once; HelperError TooLarge or InvalidArgument if it is none."""
    value = payload.parse(text, max_bytes=REQUEST_MAX_BYTES)
    pids: tuple[int, ...] = payload.read_value(tuple[int, ...], value, "pids")
    if len(pids) > MOST_PIDS:
        raise _too_many("pids", len(pids), MOST_PIDS)
    for index, pid in enumerate(pids):
        _within(f"pids[{index}]", pid, 1, PID_MAX)
    return tuple(dict.fromkeys(pids))


def encode_formats(formats: Formats) -> str:
    """The ``formats`` that BeginTrace answers."""
    return payload.encode(formats)


def decode_formats(text: str) -> Formats:
    """The same again, with every number in its range; HelperError when it is none."""
    value = payload.parse(text, max_bytes=REPLY_MAX_BYTES)
    named = value.get("events") if isinstance(value, dict) else None
    if not isinstance(named, dict):
        raise _wrong("events", Said("helper.request.not_object"))
    events = {str(name): _read(Event, event, str(name)) for name, event in named.items()}
    head = _read(_Head, {key: one for key, one in value.items() if key != "events"}, "formats")
    own = {field.name: getattr(head, field.name) for field in dataclasses.fields(head)}
    formats = Formats(events=events, **own)
    _check(formats)
    return formats


@dataclass(frozen=True, slots=True)
class _Head:
    """All of ``Formats`` but its events, whose names are keys."""

    version: int
    cpus: tuple[int, ...]
    instances: tuple[str, ...]
    page: RingPage
    missing: tuple[str, ...]
    tick_ns: int
    clock: str
    ends_at_ns: int


def _read(kind: Any, value: object, where: str) -> Any:
    return payload.read_value(kind, value, ascii(where)[1:-1][:80], ignore_unknown=True)


def _check(formats: Formats) -> None:
    _within("version", formats.version, FORMATS_VERSION, FORMATS_VERSION)
    for name, texts in (
        ("instances", formats.instances),
        ("missing", formats.missing),
        ("events", tuple(formats.events)),
    ):
        if len(texts) > _MOST_EVENTS:
            raise _too_many(name, len(texts), _MOST_EVENTS)
    if formats.instances not in {INSTANCES[:-1], INSTANCES, (*INSTANCES, EXPERT)}:
        raise _malformed("instances", str(formats.instances))
    if formats.clock != CLOCK:
        raise _malformed("clock", formats.clock)
    if not 1 <= len(formats.cpus) <= _MOST_CPUS:
        raise _too_many("cpus", len(formats.cpus), _MOST_CPUS)
    for index, cpu in enumerate(formats.cpus):
        _within(f"cpus[{index}]", cpu, 0, _MOST_CPUS - 1)
    _within("tick_ns", formats.tick_ns, 1, 10**9)
    _within("ends_at_ns", formats.ends_at_ns, 0, 2**63 - 1)
    _check_page(formats.page)
    for name in (*formats.events, *formats.missing):
        if not _EVENT.fullmatch(name):
            raise _malformed("events", name)
    for name, event in formats.events.items():
        _check_event(name, event)


def _check_page(page: RingPage) -> None:
    _within("page.size", page.size, 16, _PAGE_MAX_BYTES)
    _within("page.data", page.data, 1, page.size)
    for name, place in (("page.timestamp", page.timestamp), ("page.commit", page.commit)):
        _within(f"{name}: numbers", len(place), 2, 2)
        _within(f"{name}: bytes", place[1], 4, 8)
        _within(name, place[0], 0, page.data - place[1])


def _check_event(name: str, event: Event) -> None:
    _within(f"{name}.id", event.id, 1, _EVENT_ID_MAX)
    if len(event.fields) > _MOST_FIELDS:
        raise _too_many(name, len(event.fields), _MOST_FIELDS)
    for field in event.fields:
        for text in (field.name, field.type):
            if not 1 <= len(text) <= _TEXT_MAX or not text.isprintable():
                raise _malformed(name, text)
        where = f"{name}.{field.name}"
        _within(f"{where}: offset", field.offset, 0, _FIELD_MAX_BYTES)
        _within(f"{where}: size", field.size, 0, _FIELD_MAX_BYTES)


def _within(where: str, number: int, low: int, high: int) -> None:
    if not low <= number <= high:
        raise _malformed(where, str(number))


def _malformed(where: str, text: str) -> HelperError:
    return _wrong(where, Said("helper.request.form", {"text": ascii(text)[:40]}))


def _too_many(where: str, count: int, most: int) -> HelperError:
    return _wrong(where, Said("helper.request.count", {"most": most, "count": count}))


def _wrong(where: str, reason: Said) -> HelperError:
    said = Said("helper.request.invalid", {"where": ascii(where)[1:-1][:80], "reason": reason})
    return HelperError("InvalidArgument", said)
