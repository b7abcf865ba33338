# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of "name value" lines, read at positions that are learnt once.

/proc/vmstat and /proc/meminfo keep their order for as long as the kernel runs, so a tick only
splits the file and takes the tokens at known places. Names are compared each time: another
order, as in a tree that was exchanged, is learnt again instead of being misread.
"""

from destutter.core.kernel_files import KernelFileError
from destutter.core.sample import Value
from destutter.sampling.measurement import picker, whole


class NamedValues:
    """The wanted values of one file, in the wanted order; None for names that it lacks."""

    def __init__(self, path: str, names: tuple[str, ...], suffix: str = "") -> None:
        self._path = path
        self._names = tuple((name + suffix).encode() for name in names)
        self._count = -1
        self._learn([], {})

    def parse(self, data: bytes) -> tuple[Value, ...]:
        """The values in ``data``; raises ``KernelFileError`` when a line is not name and value."""
        tokens = data.split()
        if len(tokens) != self._count or self._pick_names(tokens) != self._present:
            self._learn(tokens, self._positions(data))
        try:
            values: tuple[Value, ...] = tuple(map(int, self._pick_values(tokens)))
        except ValueError:
            self._blame(data)
            raise
        return values if self._arrange is None else self._arrange((*values, None))

    def _positions(self, data: bytes) -> dict[bytes, int]:
        """Where each name stands among the tokens of the file."""
        found: dict[bytes, int] = {}
        position = 0
        for number, line in enumerate(data.splitlines(), 1):
            tokens = line.split()
            if len(tokens) == 1:
                raise KernelFileError(self._path, number, "has a name without a value")
            if tokens:
                found.setdefault(tokens[0], position)
            position += len(tokens)
        if found.keys().isdisjoint(self._names):
            reason = "has none of the expected names" if found else "is empty"
            raise KernelFileError(self._path, None, reason)
        return found

    def _learn(self, tokens: list[bytes], positions: dict[bytes, int]) -> None:
        present = [name for name in self._names if name in positions]
        self._present = tuple(present)
        self._pick_names = picker(positions[name] for name in present)
        self._pick_values = picker(positions[name] + 1 for name in present)
        order = {name: index for index, name in enumerate(present)}
        lacks_some = len(present) < len(self._names)
        # The absent names take the None that is put behind the values.
        self._arrange = (
            picker(order.get(name, len(present)) for name in self._names) if lacks_some else None
        )
        self._count = len(tokens) if positions else -1

    def _blame(self, data: bytes) -> None:
        """Raise for the first wanted line whose value is not a number."""
        for number, line in enumerate(data.splitlines(), 1):
            tokens = line.split()
            if len(tokens) > 1 and tokens[0] in self._present:
                whole(self._path, number, tokens[1])
        raise KernelFileError(self._path, None, "is not made of names and numbers")
