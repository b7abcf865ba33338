# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages of a kernel's ring buffer, built record by record, and rings that are read like its."""

import fcntl
import os
import struct
from pathlib import Path
from typing import Any

from destutter.core.kernel_files import KernelFiles
from destutter.core.traced import TraceLook
from destutter.sampling.tracing.reader import TraceReader
from destutter_helper.api.trace_events import SETUPS
from destutter_helper.api.tracing import Event, Formats, RingPage, decode_formats

RECORDED = Path(__file__).parent.parent / "data" / "traces"
MISSED, MISSED_STORED = 1 << 31, 1 << 30
_LONGEST_DELTA = (1 << 27) - 1
_INTEGERS = {1: "b", 2: "h", 4: "i", 8: "q"}


def recorded_formats(kernel: str = "linux-6.18") -> Formats:
    """The formats of a kernel whose pages were recorded."""
    return decode_formats((RECORDED / kernel / "formats.json").read_text())


class PageBuilder:
    """One page; ``missed``: how many records were lost before it, None when nobody counted."""

    def __init__(self, layout: RingPage, begin_ns: int, missed: int | None = 0) -> None:
        self._layout = layout
        self._begin_ns = self._time_ns = begin_ns
        self._missed = missed
        self._data = bytearray()

    @property
    def room(self) -> int:
        """How many bytes still fit, less what a count of lost records takes."""
        return self._layout.size - self._layout.data - len(self._data) - 8

    def event(self, time_ns: int, record: bytes, *, is_long: bool = False) -> "PageBuilder":
        """A record, with a time extension where it needs one."""
        delta = time_ns - self._time_ns
        if delta > _LONGEST_DELTA:
            self._words(30 | (delta & _LONGEST_DELTA) << 5, delta >> 27)
            delta = 0
        self._time_ns = time_ns
        padded = record + bytes(-len(record) % 4)
        if is_long or len(padded) > 28 * 4:
            self._words(delta << 5, len(padded) + 4)
        else:
            self._words(len(padded) // 4 | delta << 5)
        self._data += padded
        return self

    def stamp(self, time_ns: int) -> "PageBuilder":
        """An absolute time."""
        self._words(31 | (time_ns & _LONGEST_DELTA) << 5, time_ns >> 27)
        self._time_ns = time_ns
        return self

    def taken_back(self, size: int) -> "PageBuilder":
        """A record that was taken back, with so many bytes of what it held, after 1 ns."""
        self._words(29 | 1 << 5, size + 4)
        self._data += bytes(size)
        self._time_ns += 1
        return self

    def bytes(self) -> bytes:
        """The page as a read gives it."""
        layout, flags = self._layout, 0
        behind = b""
        if self._missed is None:
            flags = MISSED
        elif self._missed:
            flags = MISSED | MISSED_STORED
            behind = self._missed.to_bytes(layout.commit[1], "little")
        page = bytearray(layout.size)
        struct.pack_into("<Q", page, layout.timestamp[0], self._begin_ns)
        struct.pack_into("<I", page, layout.commit[0], len(self._data) | flags)
        content = bytes(self._data) + behind
        page[layout.data : layout.data + len(content)] = content
        return bytes(page)

    def _words(self, *words: int) -> None:
        self._data += struct.pack(f"<{len(words)}I", *words)


def record_of(event: Event, **values: Any) -> bytes:
    """A record of an event with these values; what is not named is 0.

    A text for a ``__data_loc`` field goes behind the record's fields.
    """
    fields = {field.name: field for field in event.fields}
    record = bytearray(max(field.offset + field.size for field in event.fields))
    for name, value in {"common_type": event.id, **values}.items():
        field = fields[name]
        if field.type.startswith("__data_loc"):
            text = value.encode() + b"\0"
            struct.pack_into("<I", record, field.offset, len(record) | len(text) << 16)
            record += text
        elif isinstance(value, int):
            code = _INTEGERS[field.size]
            struct.pack_into(
                f"<{code if field.signed else code.upper()}", record, field.offset, value
            )
        else:
            data = value if isinstance(value, bytes) else value.encode()
            record[field.offset : field.offset + field.size] = data.ljust(field.size, b"\0")
    return bytes(record)


class TraceStage:
    """Two processors' rings that are pipes, and the reader in front of them. Times in ms."""

    def __init__(self, root: Path, formats: Formats | None = None) -> None:
        self.formats = formats or recorded_formats()
        self.now_ms = 0.0
        ends = [os.pipe() for _ in range(len(self.formats.cpus) * len(self.formats.instances))]
        self._reads = [read for read, _ in ends]
        self._writes = [write for _, write in ends]
        for write in self._writes:
            fcntl.fcntl(write, fcntl.F_SETPIPE_SZ, 1 << 20)
        self.reader = TraceReader(self.formats, self._reads, KernelFiles(root), self.clock)
        self._pages: dict[int, PageBuilder] = {}

    def clock(self) -> int:
        """CLOCK_MONOTONIC of this stage."""
        return ns(self.now_ms)

    def emit(self, ring: int, time_ms: float, event: str, **values: Any) -> None:
        """The kernel writes a record into a processor's ring of the instance that has it."""
        cpus = len(self.formats.cpus)
        instance = next(name for name, setup in SETUPS.items() if event in setup.events)
        ring = self.formats.instances.index(instance) * cpus + ring % cpus
        record = record_of(self.formats.events[event], **values)
        page = self._pages.get(ring)
        if page is None or page.room < len(record) + 16:
            self.put(ring)
            page = self._pages[ring] = PageBuilder(self.formats.page, ns(time_ms))
        page.event(ns(time_ms), record)

    def put(self, ring: int, page: bytes | None = None) -> None:
        """What was written into a ring so far can be read, and then this page."""
        written = self._pages.pop(ring, None)
        if written is not None:
            os.write(self._writes[ring], written.bytes())
        if page is not None:
            os.write(self._writes[ring], page)

    def look(self, now_ms: float) -> TraceLook:
        """Look at that time."""
        self.now_ms = now_ms
        for ring in tuple(self._pages):
            self.put(ring)
        self.reader.look()
        return self.reader.tell()

    def close(self) -> None:
        """Give the pipes back."""
        for descriptor in (*self._reads, *self._writes):
            os.close(descriptor)


def ns(time_ms: float) -> int:
    """Nanoseconds."""
    return round(time_ms * 1_000_000)
