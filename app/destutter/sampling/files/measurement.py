# SPDX-License-Identifier: GPL-3.0-or-later
"""What one sampler delivers at one moment, and how it says that it cannot."""

from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import Any, NamedTuple, Protocol

from destutter.core.kernel_files import KernelFileError
from destutter.core.sample import RawValue
from destutter.core.statement import Statement, StatementError


class Measurement(NamedTuple):
    """The values of one source as the catalog orders them.

    ``instances`` is None for a scalar source. A sampler hands out the same tuple again while
    the instances stay, so that the caller may compare by identity first.
    """

    source: str
    instances: tuple[str, ...] | None
    values: tuple[RawValue, ...]


class AbsentError(StatementError):
    """This computer does not offer what the sampler reads; the statement says what and why."""


class SourceSampler(Protocol):
    """Reads one or a few sources that come from the same files."""

    @property
    def sources(self) -> tuple[str, ...]:
        """Names of the catalog."""
        ...

    def read(self) -> Sequence[Measurement]:
        """The present values; nothing at all while there is nothing to measure.

        Raises ``AbsentError`` when the kernel lacks the feature, ``KernelFileError`` when a file
        is there and cannot be read or understood.
        """
        ...

    def close(self) -> None:
        """Give back what is held open. The sampler may be read again afterwards."""
        ...


Picker = Callable[[Sequence[Any]], tuple[Any, ...]]


def picker(positions: Iterable[int]) -> Picker:
    """A function that takes the items at these positions out of a sequence, as a tuple."""
    wanted = tuple(positions)
    if len(wanted) > 1:
        return itemgetter(*wanted)
    if wanted:
        position = wanted[0]
        return lambda items: (items[position],)
    return lambda _: ()


def whole(path: str, line: int | None, token: bytes) -> int:
    """The whole number in a token; raises ``KernelFileError`` with this path and line."""
    try:
        return int(token)
    except ValueError:
        shown = ascii(token[:40].decode("utf-8", "replace"))
        raise KernelFileError(path, line, Statement("core.not_whole", {"text": shown})) from None


def wholes(path: str, line: int | None, tokens: Iterable[bytes]) -> tuple[int, ...]:
    """The whole numbers in tokens; raises ``KernelFileError`` with this path and line."""
    items = tuple(tokens)
    try:
        return tuple(map(int, items))
    except ValueError:
        return tuple(whole(path, line, item) for item in items)


def text_of(data: bytes) -> str:
    """Bytes of the kernel as text; a name may hold anything but a line break."""
    return data.decode("utf-8", "replace")
