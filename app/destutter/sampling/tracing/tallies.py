# SPDX-License-Identifier: GPL-3.0-or-later
"""What an expert asks for: interrupts that stop the game's threads, its waits for the graphics
card, and pages of files that it has to read. Most of it is short, and so it is added up.
"""

from collections.abc import Iterator

from destutter.core.traced import FILE, GPU, INTERRUPT, LONG_WAIT_NS
from destutter.sampling.tracing.formats import Unpack, text_at
from destutter.sampling.tracing.found import Found, FoundWait
from destutter.sampling.tracing.page_reader import Handle
from destutter.sampling.tracing.wanted import WantedEvent, shorten

_GPU_FIELDS = ("common_pid", "driver")
_MOST_OPEN = 4096


class GameTallies:
    """Pairs interrupts by their number and waits by their thread."""

    def __init__(self, found: Found) -> None:
        self._found = found
        self._interrupts: dict[int, tuple[int, str]] = {}
        self._waits: dict[int, tuple[int, str]] = {}

    def events(self) -> Iterator[WantedEvent]:
        """Begin and end of each, and the pages."""
        yield WantedEvent("irq/irq_handler_entry", ("irq", "name"), self._entry)
        yield WantedEvent("irq/irq_handler_exit", ("irq",), self._exit)
        yield WantedEvent("dma_fence/dma_fence_wait_start", _GPU_FIELDS, self._start)
        yield WantedEvent("dma_fence/dma_fence_wait_end", ("common_pid",), self._end)
        page = ("i_ino", "s_dev")
        yield WantedEvent("filemap/mm_filemap_fault", page, self._page, is_whole=True)

    def forget(self) -> None:
        """Records were lost: an end may belong to another beginning."""
        self._interrupts.clear()
        self._waits.clear()

    def limit(self) -> None:
        """Give up the oldest of too many."""
        shorten(self._interrupts, _MOST_OPEN)
        shorten(self._waits, _MOST_OPEN)

    def _entry(self, unpack: Unpack) -> Handle:
        begun = self._interrupts

        def handle(time_ns: int, page: bytes, at: int) -> None:
            number, name = unpack(page, at)
            begun[number] = time_ns, text_at(page, at, name)

        return handle

    def _exit(self, unpack: Unpack) -> Handle:
        begun, add = self._interrupts, self._found.add

        def handle(time_ns: int, page: bytes, at: int) -> None:
            (number,) = unpack(page, at)
            begin_ns, name = begun.pop(number, (time_ns, ""))
            if name:
                add((INTERRUPT, name, 0), time_ns - begin_ns)

        return handle

    def _start(self, unpack: Unpack) -> Handle:
        begun = self._waits

        def handle(time_ns: int, page: bytes, at: int) -> None:
            tid, driver = unpack(page, at)
            begun[tid] = time_ns, text_at(page, at, driver)

        return handle

    def _end(self, unpack: Unpack) -> Handle:
        begun, found = self._waits, self._found

        def handle(time_ns: int, page: bytes, at: int) -> None:
            (tid,) = unpack(page, at)
            begin_ns, driver = begun.pop(tid, (time_ns, ""))
            if not driver:
                return
            found.add((GPU, driver, tid), time_ns - begin_ns)
            if time_ns - begin_ns >= LONG_WAIT_NS:
                wait = FoundWait(time_ns - begin_ns, begin_ns, GPU, tid, device=driver)
                found.waits.append(wait)

        return handle

    def _page(self, unpack: Unpack) -> Handle:
        add = self._found.add

        def handle(_time_ns: int, page: bytes, at: int) -> None:
            inode, device = unpack(page, at)
            add((FILE, str(device), inode), 0)

        return handle
