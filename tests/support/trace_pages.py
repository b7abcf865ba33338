# SPDX-License-Identifier: GPL-3.0-or-later
"""Takes apart what one read of a ring gives, as far as tests ask: which events, which numbers."""

import struct
from collections.abc import Iterator
from typing import NamedTuple

from destutter_helper.api.tracing import Event, Formats

_PADDING, _TIME_EXTEND, _TIME_STAMP = 29, 30, 31  # enum ring_buffer_type in linux/ring_buffer.h


class Record(NamedTuple):
    """One event: its name, and its fields that are whole numbers."""

    name: str
    numbers: dict[str, int]


def records(page: bytes, formats: Formats) -> list[Record]:
    """The events of a page that the formats name."""
    names = {event.id: name for name, event in formats.events.items()}
    found = []
    for body in _bodies(page, formats):
        name = names.get(int.from_bytes(body[:2], "little"))
        if name is not None:
            found.append(Record(name, _numbers(body, formats.events[name])))
    return found


def _numbers(body: bytes, event: Event) -> dict[str, int]:
    return {
        field.name: int.from_bytes(
            body[field.offset : field.offset + field.size], "little", signed=field.signed
        )
        for field in event.fields
        if field.size in {1, 2, 4, 8} and "[" not in field.type
    }


def _bodies(page: bytes, formats: Formats) -> Iterator[bytes]:
    start, size = formats.page.commit
    end = formats.page.data + (int.from_bytes(page[start : start + size], "little") & 0xFFFFF)
    at = formats.page.data
    while at < end:
        (head,) = struct.unpack_from("<I", page, at)
        kind, at = head & 31, at + 4
        if kind in {_TIME_EXTEND, _TIME_STAMP}:
            at += 4
            continue
        length = kind * 4
        if kind in {0, _PADDING}:
            length = struct.unpack_from("<I", page, at)[0]
            if kind == _PADDING and not head >> 5:
                return  # nothing more on this page
            at, length = (at + 4, length - 4) if kind == 0 else (at, length)
        if kind != _PADDING:
            yield page[at : at + length]
        at += (length + 3) & ~3
