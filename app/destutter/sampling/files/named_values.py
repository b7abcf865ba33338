# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of "name value" lines, read in an order that is learnt once.

/proc/vmstat and /proc/meminfo keep their order for as long as the kernel runs, so a tick goes
through the file once. Another order, as in a tree that was exchanged, is learnt again instead of
being misread.
"""

from destutter.core.kernel_files import KernelFileError
from destutter.core.sample import RawValue
from destutter.core.statement import Statement
from destutter.sampling.files.measurement import Picker, picker, whole


class NamedValues:
    """The wanted values of one file, in the wanted order; None for names that it lacks.

    ``suffix`` stands behind each name, and ``unit`` behind each value.
    """

    def __init__(
        self, path: str, names: tuple[str, ...], suffix: bytes = b"", unit: bytes = b""
    ) -> None:
        self._path = path
        self._names = tuple(name.encode() + suffix for name in names)
        self._end = unit + b"\n"
        self._wanted: list[tuple[bytes, int]] = []
        self._arrange: Picker | None = None

    def parse(self, data: bytes) -> tuple[RawValue, ...]:
        """The values in ``data``; raises ``KernelFileError`` when a line is not name and value."""
        values = self._pick(data)
        if values is None:
            self._learn(data)
            values = self._pick(data)
        if values is None:
            raise self._blamed(data)
        return values if self._arrange is None else self._arrange((*values, None))

    def _pick(self, data: bytes) -> tuple[RawValue, ...] | None:
        """The values of the names that there are; None where they are not where they were.

        Each is looked for behind the one before. To split the file is as fast in a loop (9 us for
        190 lines of vmstat), but at ten ticks a second, with nothing in a cache, the many small
        objects cost a third more (107 and 79 us).
        """
        # Each name then stands behind a line break, and each value before one.
        text = b"\n%b\n" % data
        end, at, find = self._end, 0, text.find
        values = []
        for name, width in self._wanted:
            at = find(name, at)
            if at < 0:
                return None
            at += width
            try:
                values.append(int(text[at : find(end, at)]))
            except ValueError:
                return None
        return tuple(values) if values else None

    def _learn(self, data: bytes) -> None:
        """Find the lines of the wanted names."""
        self._wanted = []
        found: dict[bytes, int] = {}
        for index, line in enumerate(data.split(b"\n")):
            tokens = line.split()
            if len(tokens) == 1:
                raise KernelFileError(
                    self._path, index + 1, Statement("sampling.name_without_value")
                )
            if tokens:
                found.setdefault(tokens[0], index)
        present = sorted((name for name in self._names if name in found), key=found.__getitem__)
        if not present:
            reason = (
                Statement("sampling.no_expected_names") if found else Statement("sampling.empty")
            )
            raise KernelFileError(self._path, None, reason)
        order = {name: index for index, name in enumerate(present)}
        # The absent names take the None that is put behind the values.
        self._arrange = picker(order.get(name, len(present)) for name in self._names)
        self._wanted = [(b"\n" + name + b" ", len(name) + 2) for name in present]

    def _blamed(self, data: bytes) -> KernelFileError:
        """What is wrong with the first wanted line that is not a name and a number."""
        for number, line in enumerate(data.splitlines(), 1):
            tokens = line.split()
            if len(tokens) > 1 and tokens[0] in self._names:
                whole(self._path, number, tokens[1])
                if len(tokens) != 2 + bool(self._end.strip()):
                    return KernelFileError(self._path, number, Statement("sampling.uneven_words"))
        return KernelFileError(self._path, None, Statement("sampling.not_names_and_numbers"))


def named_counts(path: str, data: bytes, wanted: tuple[bytes, ...]) -> list[RawValue]:
    """The counts behind these names, None for one that is missing."""
    found: dict[bytes, int] = {}
    for number, line in enumerate(data.split(b"\n"), 1):
        name, _, count = line.partition(b" ")
        if name in wanted:
            found[name] = whole(path, number, count)
    return [found.get(name) for name in wanted]
