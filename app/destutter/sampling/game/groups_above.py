# SPDX-License-Identifier: GPL-3.0-or-later
"""What limits of the groups above the game's own cost it: of a slice, a session, a container.

A limit holds for everything below it, and what it withheld is counted where it is set alone
(``throttled_usec`` of cpu.stat, memory.events.local; of version 1 cpu.stat and memory.failcnt).
Inside a sandbox they are not known: the lender lends the files of the game's own group alone.
"""

from collections.abc import Sequence

from destutter.core.kernel_files import KernelFiles
from destutter.sampling.files.kept_file import KeptFile
from destutter.sampling.files.named_values import named_counts

_UNLIMITED = (b"", b"max", b"-1")


class CountAbove:
    """The growth of some counts in all groups above, since each of them was first read.

    ``limit`` names the file that says whether there is a limit at all: adding up what cpu.stat of
    version 2 tells costs time in each group below (``cgroup_rstat_flush``), so that it is read of
    groups with a limit, once more when that is lifted, and once at first: a limit that comes and
    goes within two readings has withheld what the count has grown by. Without it the counts are
    always read.
    """

    def __init__(
        self, files: KernelFiles, file: str, names: Sequence[bytes] = (), limit: str = ""
    ) -> None:
        self._files = files
        self._file = file
        self._names = tuple(names)
        self._limit = limit
        self._groups: list[tuple[KeptFile | None, KeptFile]] = []
        self._last: dict[str, int] = {}
        self._limited: set[str] = set()
        self._grown = 0

    def follow(self, folders: Sequence[str]) -> None:
        """Read these groups from now on."""
        self.close()
        self._groups = [
            (
                KeptFile(self._files, f"{folder}/{self._limit}") if self._limit else None,
                KeptFile(self._files, f"{folder}/{self._file}"),
            )
            for folder in folders
        ]

    def read(self) -> int | None:
        """How much the counts have grown, of all groups together; None where none has any."""
        for limit, counts in self._groups:
            path = counts.path
            is_limited = limit is None or _is_limited(limit.find_if_shown())
            is_wanted = is_limited or path in self._limited or path not in self._last
            data = counts.find_if_shown() if is_wanted else None
            (self._limited.add if is_limited else self._limited.discard)(path)
            if data is None:
                continue
            total = self._total(path, data)
            self._grown += max(total - self._last.get(path, total), 0)
            self._last[path] = total
        return self._grown if self._last else None

    def close(self) -> None:
        for pair in self._groups:
            for file in pair:
                if file is not None:
                    file.close()
        self._groups = []
        self._last = {}
        self._limited = set()

    def _total(self, path: str, data: bytes) -> int:
        lines = data if self._names else b"count " + data
        counts = named_counts(path, lines, self._names or (b"count",))
        return sum(count for count in counts if isinstance(count, int))


def _is_limited(data: bytes | None) -> bool:
    """Whether "max 100000", "50000 100000" or "-1" is a limit."""
    return data is not None and (data.split() or [b""])[0] not in _UNLIMITED
