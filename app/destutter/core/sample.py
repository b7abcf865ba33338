# SPDX-License-Identifier: GPL-3.0-or-later
"""What is measured, piped, recorded and replayed: raw values, each with its own time.

A stream is a sequence of messages. ``Layout`` says which values a source delivers and in what
order, ``Sample`` carries the readings of one tick, and the rest are events. Rates and averages
are not in the stream: ``destutter.core.metrics`` derives them, so that an old recording gains
from a better formula.

On a pipe every message is one line of JSON (``encode`` / ``decode``). All times are nanoseconds
of CLOCK_MONOTONIC.
"""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from destutter.core.statement import TOLD, Statement, plain_statement, read_statement, told
from destutter.core.traced import KIND, TraceLineError, TraceLook, look_body, read_look

RawValue = int | None

_LARGEST_PAGE = 1 << 30
_LARGEST = 1 << 61
"""Times and lengths of a message stay below: 73 years of nanoseconds, and sums fit 64 bits."""


class SampleError(Exception):
    """A line or block that is not a message of this program."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Which values a source delivers from now on, in order.

    A scalar source (``instances`` is None) delivers one value per field. An instanced source
    delivers all fields of the first instance, then all of the second, and so on. A new layout of
    the same source replaces the old one: a disk came or went, a CPU was switched off.
    """

    source: str
    fields: tuple[str, ...]
    instances: tuple[str, ...] | None = None

    @property
    def width(self) -> int:
        """How many values one reading has."""
        return len(self.fields) * (1 if self.instances is None else len(self.instances))


class Reading(NamedTuple):
    """The raw values of one source at one moment; None where the kernel offers no value."""

    source: str
    monotonic_ns: int
    values: tuple[RawValue, ...]


@dataclass(frozen=True, slots=True)
class Sample:
    """One tick of a sampler or probe.

    ``suspended_ns`` is how long the computer has slept since boot (CLOCK_BOOTTIME minus
    CLOCK_MONOTONIC); ``collect_us`` what this tick cost, ``late_us`` how late it began.
    ``is_after_loss`` says that samples before it are lost; only a replay says it, of a recording
    that is damaged.
    """

    monotonic_ns: int
    suspended_ns: int
    collect_us: int
    late_us: int
    readings: tuple[Reading, ...]
    is_after_loss: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Frames:
    """Frame times from the game: the moment each frame ended and how long it took."""

    origin: str
    monotonic_ns: tuple[int, ...]
    frame_us: tuple[int, ...]


PAUSED_FACT = "frames.paused"
"""The fact that the game says itself that it is paused: it draws, and nobody plays."""


@dataclass(frozen=True, slots=True)
class Facts:
    """Things with a name rather than a number: clock source, governors, the watched game.

    Sent whole at the start and again, changed keys only, when something changed. An empty
    string means that the fact does not hold any more.
    """

    monotonic_ns: int
    facts: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Marker:
    """A moment that somebody named: "mark", "applied vm.swappiness=10"."""

    monotonic_ns: int
    text: str


@dataclass(frozen=True, slots=True)
class Trouble:
    """A source that cannot deliver, and why. Without a reason: it delivers again."""

    monotonic_ns: int
    source: str
    reason: Statement | None = None


@dataclass(frozen=True, slots=True)
class Header:
    """What a stream is about: the machine, the rates and the wall clock of its start.

    ``wall_time`` is seconds since 1970 at ``monotonic_ns``; it is only for showing a date.
    """

    monotonic_ns: int
    wall_time: float
    interval_ms: int
    machine: Mapping[str, Any] = field(default_factory=dict)
    tunables: Mapping[str, str] = field(default_factory=dict)

    @property
    def page_bytes(self) -> int:
        """The page size of the machine that was measured; 4096 where it does not say."""
        value = self.machine.get("page_bytes")
        return value if type(value) is int and 0 < value <= _LARGEST_PAGE else 4096


Message = Layout | Sample | Frames | Facts | Marker | Trouble | Header | TraceLook


def encode(message: Message) -> str:
    """One line of JSON without the newline."""
    return _sample_line(message) if isinstance(message, Sample) else _to_json(_body(message))


def _sample_line(sample: Sample) -> str:
    """The line of a sample, which is written ten times a second: a list of whole numbers is the
    same in Python and in JSON but for None, and Python writes it in half the time.
    """
    t = sample.monotonic_ns
    readings = ",".join([
        f"[{_quoted(r.source)},{r.monotonic_ns - t},{str(list(r.values)).replace('None', 'null')}]"
        for r in sample.readings
    ])  # fmt: skip
    return f'["s",{t},{sample.suspended_ns},{sample.collect_us},{sample.late_us},[{readings}]]'


@lru_cache(256)
def _quoted(source: str) -> str:
    return _to_json(source)


def _body(message: Layout | Frames | Facts | Marker | Trouble | Header | TraceLook) -> list[Any]:
    match message:
        case Layout(source, fields, instances):
            return ["l", source, fields, instances]
        case Frames(origin, times, lengths):
            return ["r", origin, times, lengths]
        case Facts(t, facts):
            return ["f", t, dict(facts)]
        case Marker(t, text):
            return ["m", t, text]
        case Trouble(t, source, Statement() as reason) if reason.id != TOLD:
            return ["T", t, source, plain_statement(reason)]
        case Trouble(t, source, reason):
            # The very text: written in words it would lose its line breaks.
            return [
                "t",
                t,
                source,
                "" if reason is None else str(reason.values.get("text", reason)),
            ]
        case Header(t, wall, interval, machine, tunables):
            return ["h", t, wall, interval, dict(machine), dict(tunables)]
        case TraceLook():
            return look_body(message)


def decode(line: str | bytes) -> Message:
    """The message in a line.

    Raises ``SampleError`` for anything that ``encode`` does not produce.
    """
    try:
        body = _from_json(line if isinstance(line, str) else line.decode())
        decoder: Callable[[list[Any]], Message] = _DECODERS[body[0]]
        return decoder(body)
    except SampleError:
        raise
    except (*_BAD_BODY, RecursionError) as error:
        shown = ascii(line[:60])
        raise SampleError(f"not a message: {shown} ({error})") from None


def _decode_sample(body: list[Any]) -> Sample:
    _, t, suspended, collect, late, readings = body
    _need_ints(t, suspended, collect, late)
    return Sample(
        t,
        suspended,
        collect,
        late,
        tuple(Reading(_text(s), t + _whole(offset), _values(v)) for s, offset, v in readings),
    )


def _decode_layout(body: list[Any]) -> Layout:
    _, source, fields, instances = body
    return Layout(_text(source), _texts(fields), None if instances is None else _texts(instances))


def _decode_frames(body: list[Any]) -> Frames:
    _, origin, times, lengths = body
    _need_ints(*times, *lengths)
    if len(times) != len(lengths):
        raise SampleError("as many times as frames are needed")
    return Frames(_text(origin), tuple(times), tuple(lengths))


def _decode_facts(body: list[Any]) -> Facts:
    _, t, facts = body
    return Facts(_whole(t), {_text(k): _text(v) for k, v in facts.items()})


def _decode_marker(body: list[Any]) -> Marker:
    _, t, text = body
    return Marker(_whole(t), _text(text))


def _decode_trouble(body: list[Any]) -> Trouble:
    _, t, source, reason = body
    return Trouble(_whole(t), _text(source), told(reason) if _text(reason) else None)


def _decode_said_trouble(body: list[Any]) -> Trouble:
    _, t, source, reason = body
    statement = read_statement(reason)
    if statement is None:
        raise SampleError("a trouble without a reason")
    return Trouble(_whole(t), _text(source), statement)


def _decode_header(body: list[Any]) -> Header:
    _, t, wall, interval, machine, tunables = body
    if type(wall) not in (int, float) or not isinstance(machine, dict):
        raise SampleError("a header without a clock or a machine")
    return Header(
        _whole(t),
        float(wall),
        _whole(interval),
        machine,
        {_text(k): _text(v) for k, v in tunables.items()},
    )


_DECODERS: dict[str, Callable[[list[Any]], Message]] = {
    "s": _decode_sample,
    "l": _decode_layout,
    "r": _decode_frames,
    "f": _decode_facts,
    "m": _decode_marker,
    "t": _decode_trouble,
    "T": _decode_said_trouble,
    "h": _decode_header,
    KIND: read_look,
}
_BAD_BODY = (ValueError, KeyError, IndexError, TypeError, TraceLineError)


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise SampleError(f"{text[:40]} is not a number")
    return value


# Made once: json.dumps and json.loads build a new one at each call with these options.
_to_json = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode
_from_json = json.JSONDecoder(parse_float=_finite, parse_constant=_finite).decode


def _whole(value: Any) -> int:
    if type(value) is not int or not -_LARGEST < value < _LARGEST:
        raise SampleError(f"{ascii(value)[:40]} is not a whole number of a usual size")
    return value


def _need_ints(*values: Any) -> None:
    for value in values:
        _whole(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise SampleError(f"{ascii(value)[:40]} is not a text")
    return value


def _texts(values: Any) -> tuple[str, ...]:
    if not isinstance(values, list):
        raise SampleError("a list of names is needed")
    return tuple(_text(value) for value in values)


def _values(values: Any) -> tuple[RawValue, ...]:
    if not isinstance(values, list) or not {type(v) for v in values} <= {int, type(None)}:
        raise SampleError("a reading is a list of whole numbers")
    return tuple(values)
