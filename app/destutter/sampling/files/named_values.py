# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of "name value" lines, read at positions that are learnt once.

/proc/vmstat and /proc/meminfo keep their order for as long as the kernel runs, so a tick takes
the lines at known places. Names are compared each time: another order, as in a tree that was
exchanged, is learnt again instead of being misread.
"""

from destutter.core.kernel_files import KernelFileError
from destutter.core.sample import Value
from destutter.core.statement import Statement
from destutter.sampling.files.measurement import Picker, picker, whole


class NamedValues:
    """The wanted values of one file, in the wanted order; None for names that it lacks."""

    def __init__(self, path: str, names: tuple[str, ...], suffix: str = "") -> None:
        self._path = path
        self._names = tuple((name + suffix).encode() for name in names)
        self._count = -1
        self._present: list[bytes] = []
        self._pick_lines = picker(())
        self._stride = 2
        self._width = 0
        self._arrange: Picker | None = None

    def parse(self, data: bytes) -> tuple[Value, ...]:
        """The values in ``data``; raises ``KernelFileError`` when a line is not name and value."""
        lines = data.split(b"\n")
        if len(lines) != self._count:
            self._learn(lines)
        # Only the wanted lines are taken apart: most of the cost is in making small objects.
        tokens = b" ".join(self._pick_lines(lines)).split()
        if len(tokens) != self._width or tokens[:: self._stride] != self._present:
            self._learn(lines)
            tokens = b" ".join(self._pick_lines(lines)).split()
        try:
            values: tuple[Value, ...] = tuple(map(int, tokens[1 :: self._stride]))
        except ValueError:
            self._blame(data)
            raise
        return values if self._arrange is None else self._arrange((*values, None))

    def _learn(self, lines: list[bytes]) -> None:
        """Find the lines of the wanted names."""
        self._count = -1
        found: dict[bytes, int] = {}
        for index, line in enumerate(lines):
            tokens = line.split()
            if len(tokens) == 1:
                raise KernelFileError(
                    self._path, index + 1, Statement("sampling.name_without_value")
                )
            if tokens:
                found.setdefault(tokens[0], index)
        present = [name for name in self._names if name in found]
        if not present:
            reason = (
                Statement("sampling.no_expected_names") if found else Statement("sampling.empty")
            )
            raise KernelFileError(self._path, None, reason)
        self._present = present
        self._pick_lines = picker(found[name] for name in present)
        self._stride = self._words(lines, [found[name] for name in present])
        self._width = self._stride * len(present)
        order = {name: index for index, name in enumerate(present)}
        lacks_some = len(present) < len(self._names)
        # The absent names take the None that is put behind the values.
        self._arrange = (
            picker(order.get(name, len(present)) for name in self._names) if lacks_some else None
        )
        self._count = len(lines)

    def _words(self, lines: list[bytes], wanted: list[int]) -> int:
        """How many words each wanted line has: a name, a value and perhaps a unit."""
        widths = {len(lines[index].split()): index for index in reversed(wanted)}
        if len(widths) > 1:
            line = max(widths.values()) + 1
            raise KernelFileError(self._path, line, Statement("sampling.uneven_words"))
        return widths.popitem()[0]

    def _blame(self, data: bytes) -> None:
        """Raise for the first wanted line whose value is not a number."""
        for number, line in enumerate(data.splitlines(), 1):
            tokens = line.split()
            if len(tokens) > 1 and tokens[0] in self._present:
                whole(self._path, number, tokens[1])
        raise KernelFileError(self._path, None, Statement("sampling.not_names_and_numbers"))


def named_counts(path: str, data: bytes, wanted: tuple[bytes, ...]) -> list[Value]:
    """The counts behind these names, None for one that is missing."""
    found: dict[bytes, int] = {}
    for number, line in enumerate(data.split(b"\n"), 1):
        name, _, count = line.partition(b" ")
        if name in wanted:
            found[name] = whole(path, number, count)
    return [found.get(name) for name in wanted]
