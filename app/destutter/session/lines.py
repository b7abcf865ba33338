# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages as lines of a recording: as on a pipe, but frames take a third of the room.

A frame ends about its own length after the one before. So instead of its time only the rest is
kept, mostly 0: ``["R", origin, first time, [rests in ns], [lengths in µs]]``.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise

from destutter.core.sample import Frames, Message, Sample, SampleError, Trouble, decode, encode
from destutter.core.statement import TOLD, told

_FRAMES = '["R"'
_LARGEST_COUNT = 1 << 100


def to_lines(message: Message) -> list[str]:
    """The lines of one message, without their ends.

    A trouble has its reason in English first, for the readers of older versions, which pass over
    the line of the statement.
    """
    if isinstance(message, Trouble) and message.reason and message.reason.id != TOLD:
        in_english = replace(message, reason=told(str(message.reason)))
        return [encode(in_english), encode(message)]
    return [_to_line(message)]


def _to_line(message: Message) -> str:
    if not isinstance(message, Frames) or not message.monotonic_ns:
        return encode(message)
    steps = zip(pairwise(message.monotonic_ns), message.frame_us[1:], strict=True)
    rests = [after - before - 1000 * frame_us for (before, after), frame_us in steps]
    body = ["R", message.origin, message.monotonic_ns[0], rests, message.frame_us]
    return json.dumps(body, separators=(",", ":"))


def from_line(line: str) -> Message:
    """The message in a line. Raises ``SampleError`` for one that this version does not know."""
    if not line.startswith(_FRAMES):
        return _of_usual_size(decode(line))
    try:
        _, origin, time_ns, rests, lengths = json.loads(line)
        if {type(number) for number in (time_ns, *rests, *lengths)} != {int}:
            raise SampleError("frames have whole numbers")
        times = [time_ns]
        for rest, frame_us in zip(rests, lengths[1:], strict=True):
            times.append(times[-1] + 1000 * frame_us + rest)
        # Through the usual door, which checks every part.
        return decode(json.dumps(["r", origin, times, lengths]))
    except (ValueError, TypeError, RecursionError) as error:
        raise SampleError(f"not frames: {error}") from None


def _of_usual_size(message: Message) -> Message:
    """A sample whose numbers can be counted with; no kernel has others, but a file may."""
    if isinstance(message, Sample):
        for reading in message.readings:
            if any(abs(value) > _LARGEST_COUNT for value in reading.values if value):
                raise SampleError("a number that nothing counts to")
    return message


def known_messages(lines: Iterable[str]) -> Iterator[Message]:
    """The messages in the lines, without those that a newer version added to the format."""
    for line in lines:
        try:
            message = from_line(line)
        except SampleError:
            continue
        yield message
