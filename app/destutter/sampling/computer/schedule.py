# SPDX-License-Identifier: GPL-3.0-or-later
"""Run-queue delay per CPU: /proc/schedstat (Documentation/scheduler/sched-stats.rst).

The lines of CPUs are the same in versions 15 (Linux 2.6.30), 16 (6.11) and 17 (6.15); what
changed are the lines of scheduling domains, which are not read here.
"""

from collections.abc import Sequence

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.core.sample import RawValue
from destutter.core.statement import Statement
from destutter.sampling.files.kept_file import KeptFile
from destutter.sampling.files.measurement import Measurement, text_of, whole, wholes

SCHEDSTAT = "/proc/schedstat"
_VERSIONS = (15, 16, 17)
_RUN_NS = 7  # then the delay in ns and the number of time slices


class RunqueueSampler:
    """Time that tasks ran and waited on each CPU, in nanoseconds."""

    sources = ("runqueue",)

    def __init__(self, files: KernelFiles) -> None:
        absent = Statement("sampling.no_schedstats")
        self._file = KeptFile(files, SCHEDSTAT, absent)
        self._instances: tuple[str, ...] = ()

    def read(self) -> Sequence[Measurement]:
        """Run time, delay and time slices per CPU."""
        names, values = parse_schedstat(self._file.read())
        if names != self._instances:
            self._instances = names
        return (Measurement("runqueue", self._instances, values),)

    def close(self) -> None:
        self._file.close()


def parse_schedstat(data: bytes) -> tuple[tuple[str, ...], tuple[RawValue, ...]]:
    """Names and values of the CPU lines; raises for a version that nobody looked at."""
    lines = data.split(b"\n")
    label, _, version = lines[0].partition(b" ")
    if label != b"version" or whole(SCHEDSTAT, 1, version) not in _VERSIONS:
        raise KernelFileError(SCHEDSTAT, 1, Statement("sampling.unknown_version"))
    names: list[str] = []
    values: list[RawValue] = []
    for number, line in enumerate(lines, 1):
        if not line.startswith(b"cpu"):
            continue
        tokens = line.split()
        if len(tokens) < _RUN_NS + 3:
            raise KernelFileError(SCHEDSTAT, number, Statement("sampling.too_few_columns"))
        names.append(text_of(tokens[0]))
        values.extend(wholes(SCHEDSTAT, number, tokens[_RUN_NS : _RUN_NS + 3]))
    if not names:
        raise KernelFileError(SCHEDSTAT, None, Statement("sampling.no_line_of_cpu"))
    return tuple(names), tuple(values)
