# SPDX-License-Identifier: GPL-3.0-or-later
"""What a subject of the trace wants of the kernel's records."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

from destutter.sampling.tracing.formats import Unpack
from destutter.sampling.tracing.page_reader import Handle


class WantedEvent(NamedTuple):
    """An event, its fields in the order in which ``make`` takes them, and what looks at them.

    ``is_whole``: see ``pages.KnownEvent``. Where a kernel has an event in two forms, it is wanted
    twice, and the first form that fits is taken.
    """

    name: str
    fields: tuple[str, ...]
    make: Callable[[Unpack], Handle]
    is_whole: bool = False


class TraceSubject(Protocol):
    """Pairs the records of some events; what it finds goes into a ``Found``."""

    def events(self) -> Iterator[WantedEvent]:
        """What it needs."""

    def forget(self) -> None:
        """Records were lost: nothing that is open may be closed by what comes."""

    def limit(self) -> None:
        """Called once a look: nothing grows because an end never comes."""


def shorten(entries: dict[Any, Any], most: int) -> None:
    """Give up the oldest entries beyond so many."""
    while len(entries) > most:
        del entries[next(iter(entries))]
