# SPDX-License-Identifier: GPL-3.0-or-later
"""Memory counters and CPU times: /proc/vmstat, /proc/meminfo and /proc/stat."""

from collections.abc import Sequence

from destutter.core.catalog import SOURCES
from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.core.sample import RawValue
from destutter.core.statement import Statement
from destutter.sampling.files.kept_file import KeptFile
from destutter.sampling.files.measurement import Measurement, text_of, whole, wholes
from destutter.sampling.files.named_values import NamedValues
from destutter.sampling.files.thread_lists import ThreadLists

STAT = "/proc/stat"
_CPU_COLUMNS = len(SOURCES["cpu"].fields)
_FORKS = SOURCES["stat"].fields.index("forks")
_TAIL = [b"ctxt", b"btime", b"processes", b"procs_running", b"procs_blocked"]


class VmstatSampler:
    """Reclaim, compaction, swap and dirty pages: /proc/vmstat, as one of its two sources."""

    def __init__(self, files: KernelFiles, source: str = "vmstat") -> None:
        self.sources = (source,)
        self._source = source
        self._file = KeptFile(files, "/proc/vmstat")
        self._values = NamedValues(self._file.path, SOURCES[source].fields)

    def read(self) -> Sequence[Measurement]:
        """One value per field of the catalog."""
        return (Measurement(self._source, None, self._values.parse(self._file.read())),)

    def close(self) -> None:
        self._file.close()


class MeminfoSampler:
    """Sizes in KiB: /proc/meminfo."""

    sources = ("meminfo",)

    def __init__(self, files: KernelFiles) -> None:
        self._file = KeptFile(files, "/proc/meminfo")
        self._values = NamedValues(self._file.path, SOURCES["meminfo"].fields, b":", b" kB")

    def read(self) -> Sequence[Measurement]:
        """One value per field of the catalog."""
        return (Measurement("meminfo", None, self._values.parse(self._file.read())),)

    def close(self) -> None:
        self._file.close()


class StatSampler:
    """CPU time of all CPUs together, interrupts, context switches: /proc/stat."""

    sources = ("stat",)

    def __init__(self, files: KernelFiles, lists: ThreadLists | None = None) -> None:
        self._file = KeptFile(files, STAT)
        self._lists = ThreadLists(files) if lists is None else lists

    def read(self) -> Sequence[Measurement]:
        """One value per field of the catalog; times in clock ticks."""
        values = parse_stat(self._file.read())
        self._lists.forks = values[_FORKS]
        return (Measurement("stat", None, values),)

    def close(self) -> None:
        self._file.close()
        self._lists.forks = None


class CpuSampler:
    """CPU time of each CPU that is switched on: /proc/stat."""

    sources = ("cpu",)

    def __init__(self, files: KernelFiles) -> None:
        self._file = KeptFile(files, STAT)
        self._instances: tuple[str, ...] = ()

    def read(self) -> Sequence[Measurement]:
        """Clock ticks per CPU."""
        names, values = parse_cpus(self._file.read())
        if names != self._instances:
            self._instances = names
        return (Measurement("cpu", self._instances, values),)

    def close(self) -> None:
        self._file.close()


def parse_stat(data: bytes) -> tuple[RawValue, ...]:
    """The first line, the first number of "intr", and the short lines behind it.

    The line "intr" goes on with one number per interrupt line, hundreds on a large machine,
    which nobody here needs: it is not split.
    """
    interrupts = data.find(b"\nintr ") + 6
    first = data[: data.find(b"\n")].split()
    tail = data[data.find(b"\n", interrupts) :].split(None, 10)
    if (
        len(tail) < 10
        or tail[:10:2] != _TAIL
        or len(first) != 1 + _CPU_COLUMNS
        or first[0] != b"cpu"
    ):
        return _parse_odd_stat(data)
    try:
        return (
            *map(int, first[1:]),
            int(data[interrupts : data.find(b" ", interrupts)]),
            int(tail[1]),
            int(tail[5]),
            int(tail[7]),
            int(tail[9]),
        )
    except ValueError:
        return _parse_odd_stat(data)


def _parse_odd_stat(data: bytes) -> tuple[RawValue, ...]:
    """The same by names, for a file of another order or age; raises when it is damaged."""
    end = data.find(b"\n")
    first = data[:end].split()
    if end < 0 or not first or first[0] != b"cpu":
        raise KernelFileError(STAT, 1, Statement("sampling.no_line_of_all"))
    interrupts = data.find(b"\nintr ", end - 1)
    if interrupts < 0:
        raise KernelFileError(STAT, None, Statement("sampling.no_line_of_interrupts"))
    total = data[interrupts + 6 :].split(b"\n", 1)[0].split(None, 1)[:1]
    line = data.count(b"\n", 0, interrupts + 1) + 1
    return (
        *_cpu_values(1, first),
        whole(STAT, line, total[0] if total else b""),
        *(_named(data, name) for name in _TAIL if name != b"btime"),
    )


def _named(data: bytes, name: bytes) -> RawValue:
    """The number behind a name that stands at the start of a line; None without that line."""
    for number, line in enumerate(data.split(b"\n"), 1):
        tokens = line.split()
        if tokens and tokens[0] == name:
            return whole(STAT, number, tokens[1] if len(tokens) > 1 else b"")
    return None


def parse_cpus(data: bytes) -> tuple[tuple[str, ...], tuple[RawValue, ...]]:
    """Names and values of the lines "cpu0", "cpu1", ..., which follow the line of all CPUs."""
    names: list[str] = []
    values: list[RawValue] = []
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.startswith(b"cpu"):
            break
        tokens = line.split()
        if number > 1:
            names.append(text_of(tokens[0]))
            values.extend(_cpu_values(number, tokens))
    if not names:
        raise KernelFileError(STAT, 2, Statement("sampling.no_line_of_cpu"))
    return tuple(names), tuple(values)


def _cpu_values(number: int, tokens: list[bytes]) -> tuple[RawValue, ...]:
    values: tuple[RawValue, ...] = wholes(STAT, number, tokens[1 : 1 + _CPU_COLUMNS])
    missing = _CPU_COLUMNS - len(values)
    return values if not missing else (*values, *(None,) * missing)
