# SPDX-License-Identifier: GPL-3.0-or-later
"""How long each busy real-time thread ran, at every tick.

A task under SCHED_FIFO that computes for half a second every two seconds is a quarter of a core
in a look of three seconds, and everything in the half second that a game stood still.
"""

from collections.abc import Sequence

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.core.sample import RawValue
from destutter.sampling.files.kept_file import KeptFile
from destutter.sampling.files.measurement import Measurement
from destutter.sampling.files.process_files import PROC, parse_task_schedstat

KEPT_LOOKS = 20  # a minute at rest, twenty seconds while the game is held up again and again
MOST = 8  # each is a file at every tick; who keeps cores is among the busiest


class RealtimeThreads:
    """The busiest real-time threads of programs, as the last looks at them all found them.

    One that rests now is kept for some looks. After a hold-up two follow each other by a second;
    a task that computed every two seconds was dropped by the second of them each time, so that
    its next half second stood in no tick.
    """

    def __init__(self) -> None:
        self.labels: tuple[str, ...] = ()
        self._kept: dict[str, tuple[int, int]] = {}

    def note(self, used: Sequence[tuple[str, int]]) -> None:
        """Take in what each thread ("PID/TID NAME") used since the look before."""
        kept = {}
        for label, now in used:
            most, rested = self._kept.get(label, (0, KEPT_LOOKS))
            if now > 0:
                kept[label] = (max(most, now), 0)
            elif rested < KEPT_LOOKS:
                kept[label] = (most, rested + 1)
        busiest = sorted(kept, key=lambda label: kept[label], reverse=True)[:MOST]
        self._kept = {label: kept[label] for label in busiest}
        labels = tuple(sorted(busiest))
        if labels != self.labels:
            self.labels = labels


class RealtimeRunSampler:
    """The schedstat of those threads."""

    sources = ("realtime_run",)

    def __init__(self, files: KernelFiles, threads: RealtimeThreads) -> None:
        self._files = files
        self._threads = threads
        self._labels: tuple[str, ...] = ()
        self._kept: list[tuple[str, KeptFile]] = []
        self._instances: tuple[str, ...] = ()

    def read(self) -> Sequence[Measurement]:
        """Nanoseconds on a core per thread; nothing while no real-time thread is busy."""
        if self._threads.labels is not self._labels:
            self._follow(self._threads.labels)
        names: list[str] = []
        values: list[RawValue] = []
        for label, file in self._kept:
            run_ns = _run_ns(file)
            if run_ns is not None:
                names.append(label)
                values.append(run_ns)
        if not names:
            return ()
        if tuple(names) != self._instances:
            self._instances = tuple(names)
        return (Measurement("realtime_run", self._instances, tuple(values)),)

    def close(self) -> None:
        for _, file in self._kept:
            file.close()
        self._kept, self._labels = [], ()

    def _follow(self, labels: tuple[str, ...]) -> None:
        old = dict(self._kept)
        self._kept = []
        for label in labels:
            pid, _, tid = label.partition(" ")[0].partition("/")
            path = f"{PROC}/{pid}/task/{tid}/schedstat"
            kept = old.pop(label) if label in old else KeptFile(self._files, path)
            self._kept.append((label, kept))
        for file in old.values():
            file.close()
        self._labels = labels


def _run_ns(file: KeptFile) -> RawValue:
    try:
        data = file.find()
    except KernelFileError:
        # One thread that cannot be read must not hide the others.
        return None
    return parse_task_schedstat(file.path, data)[0] if data else None
