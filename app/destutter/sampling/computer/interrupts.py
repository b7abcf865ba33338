# SPDX-License-Identifier: GPL-3.0-or-later
"""Interrupts, softirqs and the network's receive backlog, per line and per CPU."""

from collections.abc import Sequence
from operator import add, sub
from typing import NamedTuple

from destutter.core.catalog import SOURCES
from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.core.sample import RawValue
from destutter.core.statement import Statement
from destutter.sampling.files.cpus import OnlineCpus, parse_heading
from destutter.sampling.files.kept_file import KeptFile
from destutter.sampling.files.measurement import Measurement, text_of, wholes

INTERRUPTS = "/proc/interrupts"
SOFTIRQS = "/proc/softirqs"
SOFTNET = "/proc/net/softnet_stat"
_KINDS = SOURCES["softirq"].fields
_SOFTNET_CPU = 12  # column with the CPU's number, Linux 5.10 and newer


class _Line(NamedTuple):
    """One row of /proc/interrupts as it was read last."""

    data: bytes
    label: str
    counts: tuple[int, ...]
    total: int


class InterruptSampler:
    """/proc/interrupts, summed both ways. Lines that never fired are left out.

    The file grows with lines times CPUs, and most rows rest: a row whose bytes did not change is
    not parsed again.
    """

    sources = ("interrupt", "cpu_interrupt")

    def __init__(self, files: KernelFiles) -> None:
        self._file = KeptFile(files, INTERRUPTS)
        self._lines: list[_Line] = []
        self._heading = b""
        self._cpus: tuple[str, ...] = ()
        self._sums: list[int] = []
        self._fired: tuple[str, ...] = ()

    def read(self) -> Sequence[Measurement]:
        """Counts per line over all CPUs, and per CPU over all lines."""
        rows = [row for row in self._file.read().split(b"\n") if row]
        if not rows or rows[0] != self._heading or len(rows) != len(self._lines) + 1:
            self._learn(rows)
        else:
            self._update(rows)
        fired = [line for line in self._lines if line.total]
        labels = tuple(line.label for line in fired)
        if labels != self._fired:
            self._fired = labels
        totals: tuple[RawValue, ...] = tuple(line.total for line in fired)
        return (
            Measurement("interrupt", self._fired, totals),
            Measurement("cpu_interrupt", self._cpus, tuple(self._sums)),
        )

    def close(self) -> None:
        self._file.close()

    def _learn(self, rows: list[bytes]) -> None:
        if not rows:
            raise KernelFileError(INTERRUPTS, None, Statement("sampling.empty"))
        self._heading = b""
        cpus = parse_heading(INTERRUPTS, rows[0])
        self._lines = [
            parse_interrupt(number, row, len(cpus)) for number, row in enumerate(rows[1:], 2)
        ]
        self._cpus = cpus
        self._sums = [0] * len(cpus)
        for line in self._lines:
            self._add(line.counts)
        self._heading = rows[0]

    def _update(self, rows: list[bytes]) -> None:
        for index, line in enumerate(self._lines):
            row = rows[index + 1]
            if row != line.data:
                new = parse_interrupt(index + 2, row, len(self._cpus))
                self._lines[index] = new
                self._add(tuple(map(sub, _padded(new, self._cpus), _padded(line, self._cpus))))

    def _add(self, counts: tuple[int, ...]) -> None:
        # ERR and MIS are one number for the whole computer and belong to no CPU.
        if len(counts) == len(self._cpus):
            self._sums = list(map(add, self._sums, counts))


def _padded(line: _Line, cpus: tuple[str, ...]) -> tuple[int, ...]:
    return line.counts if len(line.counts) == len(cpus) else (0,) * len(cpus)


def parse_interrupt(number: int, row: bytes, cpu_count: int) -> _Line:
    """One row: its label, its count per CPU (or a single one) and their sum."""
    label, colon, rest = row.partition(b":")
    if not colon:
        raise KernelFileError(INTERRUPTS, number, Statement("sampling.no_label"))
    tokens = rest.split(None, cpu_count)
    counts = tokens[:cpu_count]
    if len(counts) < cpu_count or not counts[-1].isdigit():
        counts = counts[:1]
    numbers = wholes(INTERRUPTS, number, counts)
    description = tokens[cpu_count] if len(tokens) > cpu_count else b""
    return _Line(row, _label(text_of(label.strip()), description), numbers, sum(numbers))


def _label(label: str, description: bytes) -> str:
    """The number with the device behind it, or the short name of a row that has no number."""
    if not label.isdigit():
        return label
    words = text_of(description).split()
    for position, word in enumerate(words):
        # "IO-APIC 2-edge timer", "GICv3 27 Level arch_timer": the devices follow the trigger.
        if word in ("Level", "Edge") or word.endswith(("-edge", "-level", "-fasteoi")):
            return " ".join([label, *words[position + 1 :]])
    return label


class SoftirqSampler:
    """/proc/softirqs for the CPUs that are switched on."""

    sources = ("softirq",)

    def __init__(self, files: KernelFiles) -> None:
        self._file = KeptFile(files, SOFTIRQS)
        self._online = OnlineCpus(files)
        self._instances: tuple[str, ...] = ()

    def read(self) -> Sequence[Measurement]:
        """Counts per kind and CPU; None for a kind that the kernel does not have."""
        cpus, table = parse_softirqs(self._file.read())
        online = self._online.names()
        columns = [i for i, cpu in enumerate(cpus) if online is None or cpu in online]
        names = tuple(cpus[i] for i in columns)
        if names != self._instances:
            self._instances = names
        rows = [table.get(kind) for kind in _KINDS]
        values = tuple(None if row is None else row[i] for i in columns for row in rows)
        return (Measurement("softirq", self._instances, values),)

    def close(self) -> None:
        self._file.close()
        self._online.close()


def parse_softirqs(data: bytes) -> tuple[tuple[str, ...], dict[str, tuple[int, ...]]]:
    """The CPUs of the table, and the counts per CPU of each kind (lower-case name)."""
    lines = data.split(b"\n")
    cpus = parse_heading(SOFTIRQS, lines[0])
    table = {}
    for number, line in enumerate(lines[1:], 2):
        if not line.strip():
            continue
        label, _, rest = line.partition(b":")
        counts = wholes(SOFTIRQS, number, rest.split())
        if len(counts) != len(cpus):
            raise KernelFileError(SOFTIRQS, number, Statement("sampling.not_one_per_cpu"))
        table[text_of(label.strip()).lower()] = counts
    return cpus, table


class SoftnetSampler:
    """Packets that were dropped or left for later because a CPU could not keep up."""

    sources = ("softnet",)

    def __init__(self, files: KernelFiles) -> None:
        self._file = KeptFile(files, SOFTNET)
        self._instances: tuple[str, ...] = ()

    def read(self) -> Sequence[Measurement]:
        """Processed, dropped and squeezed per CPU."""
        names, values = parse_softnet(self._file.read())
        if names != self._instances:
            self._instances = names
        return (Measurement("softnet", self._instances, values),)

    def close(self) -> None:
        self._file.close()


def parse_softnet(data: bytes) -> tuple[tuple[str, ...], tuple[RawValue, ...]]:
    """Rows of hexadecimal columns; the CPU's number is one of them since Linux 5.10."""
    names: list[str] = []
    values: list[RawValue] = []
    for number, line in enumerate(data.split(b"\n"), 1):
        columns = line.split()
        if not columns:
            continue
        if len(columns) < 3:
            raise KernelFileError(SOFTNET, number, Statement("sampling.too_few_columns"))
        try:
            values.extend(int(column, 16) for column in columns[:3])
            cpu = int(columns[_SOFTNET_CPU], 16) if len(columns) > _SOFTNET_CPU else number - 1
        except ValueError:
            raise KernelFileError(SOFTNET, number, Statement("sampling.not_hexadecimal")) from None
        names.append(f"cpu{cpu}")
    if not names:
        raise KernelFileError(SOFTNET, None, Statement("sampling.empty"))
    return tuple(names), tuple(values)
