# SPDX-License-Identifier: GPL-3.0-or-later
"""Where in the kernel's records the wanted fields lie, as this kernel says; nothing is assumed.

Kernels move fields and change their sizes (``rwbs`` of block events, all of reclaim in 7.2), so a
place comes only from the formats that the helper read. What does not fit together is refused:
a record read at the wrong place would be an invented measurement.
"""

import struct
import sys
from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from destutter.core.statement import Statement, StatementError
from destutter_helper.api.tracing import Event, Field, Formats, RingPage

Unpack = Callable[[bytes, int], tuple[Any, ...]]
"""The wanted fields of the record that begins at a place of a page."""

MOST_BYTES = 0xFFFFF
"""Of data in one page: the bits of its length (RB_MISSED_MASK and above are flags)."""

_WHOLES = {1: "b", 2: "h", 4: "i", 8: "q"}
_SMALLEST_RECORD = 8
_LOCATION = "__data_loc"


class TraceFormatError(StatementError):
    """The formats are not those of a kernel that this program can read."""


class RecordLayout(NamedTuple):
    """How many bytes a record must have at least, and what takes the fields out of it."""

    size: int
    unpack: Unpack


def check_page(page: RingPage) -> None:
    """Refuse a page whose parts do not fit. Raises ``TraceFormatError``.

    A header is a time stamp of 8 bytes and a length of the kernel's word size (struct
    buffer_data_page, kernel/trace/ring_buffer.c).
    """
    (stamp_at, stamp_size), (commit_at, commit_size) = page.timestamp, page.commit
    is_apart = stamp_at + stamp_size <= commit_at or commit_at + commit_size <= stamp_at
    has_room = page.data >= max(stamp_at + stamp_size, commit_at + commit_size)
    room = page.size - page.data
    if stamp_size != 8 or commit_size not in {4, 8} or not (is_apart and has_room):
        raise TraceFormatError(Statement("tracing.foreign_page"))
    if not _SMALLEST_RECORD <= room <= MOST_BYTES:
        raise TraceFormatError(Statement("tracing.foreign_page"))


def check_formats(formats: Formats) -> None:
    """Refuse what could only be misread. Raises ``TraceFormatError``."""
    if sys.byteorder != "little":
        # The bits of a record's head lie the other way round there, and nobody could try it.
        raise TraceFormatError(Statement("tracing.big_endian"))
    check_page(formats.page)
    ids = [event.id for event in formats.events.values()]
    if len(set(ids)) != len(ids):
        raise TraceFormatError(Statement("tracing.foreign_ids"))


def record_layout(name: str, event: Event, wanted: Sequence[str]) -> RecordLayout:
    """What reads these fields of an event, in this order whatever the kernel's is.

    Raises ``TraceFormatError`` when the event has not all of them, or in a form that is unknown.
    """
    fields = {field.name: field for field in event.fields}
    number = fields.get("common_type")
    # The reader of a page tells records apart by it, before it knows their event.
    if number is None or (number.offset, number.size) != (0, 2):
        raise _refused(name, "common_type")
    codes, at = ["<"], 0
    in_order = sorted(wanted, key=lambda each: fields[each].offset if each in fields else -1)
    for each in in_order:
        field = fields.get(each)
        if field is None or field.offset < at or (code := _code(field)) is None:
            raise _refused(name, each)
        codes.append(f"{field.offset - at}x{code}")
        at = field.offset + field.size
    unpack: Unpack = (packing := struct.Struct("".join(codes))).unpack_from
    if in_order != [*wanted]:
        pick = itemgetter(*(in_order.index(each) for each in wanted))
        plain = unpack

        def unpack(page: bytes, start: int) -> tuple[Any, ...]:
            return pick(plain(page, start))  # type: ignore[no-any-return]

    return RecordLayout(packing.size, unpack)


def text_at(page: bytes, start: int, location: int) -> str:
    """The text that a ``__data_loc`` field of the record at ``start`` points to.

    Its upper half is how many bytes, its lower half where, from the record's beginning.
    """
    begin = start + (location & 0xFFFF)
    return text_of_field(page[begin : begin + (location >> 16)])


def text_of_field(data: bytes) -> str:
    """The text of a field of characters, which ends at its first zero."""
    return data.partition(b"\0")[0].decode("utf-8", "replace")


def _code(field: Field) -> str | None:
    if field.type.startswith(_LOCATION):
        return "I" if field.size == 4 else None
    if "[" in field.type:
        return f"{field.size}s" if field.size else None
    code = _WHOLES.get(field.size)
    return code if code is None or field.signed else code.upper()


def _refused(name: str, field: str) -> TraceFormatError:
    return TraceFormatError(Statement("tracing.foreign_event", {"event": name, "field": field}))
