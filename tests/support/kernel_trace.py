# SPDX-License-Identifier: GPL-3.0-or-later
"""An instance of this computer's own tracefs, made and removed as the helper does it."""

import contextlib
import os
import re
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from destutter_helper.api.tracing import (
    CLOCK,
    DRIVES,
    FORMATS_VERSION,
    GAME,
    INSTANCES,
    WAITS,
    Event,
    Field,
    Formats,
    RingPage,
)
from tests.support.kernel_lock import alone_with_the_kernel

TRACEFS = Path("/sys/kernel/tracing")
EVENTS = {
    WAITS: (
        "vmscan/mm_vmscan_direct_reclaim_begin",
        "vmscan/mm_vmscan_direct_reclaim_end",
        "vmscan/mm_vmscan_memcg_reclaim_begin",
        "vmscan/mm_vmscan_memcg_reclaim_end",
        "vmscan/mm_vmscan_throttled",
        "compaction/mm_compaction_begin",
        "compaction/mm_compaction_end",
        "wbt/wbt_timer",
        "writeback/balance_dirty_pages",
        "jbd2/jbd2_run_stats",
        "btrfs/btrfs_transaction_commit",
        "printk/console",
        "oom/mark_victim",
    ),
    DRIVES: ("block/block_bio_queue", "block/block_rq_issue", "block/block_rq_complete"),
    GAME: ("sched/sched_waking", "sched/sched_switch"),
}
FILTERS = {
    "writeback/balance_dirty_pages": "pause > 0",
    "wbt/wbt_timer": "step > 0",
    "printk/console": 'msg ~ "*split lock detection*" || msg ~ "*bus_lock trap*"',
}
_BUFFER_KB = {WAITS: 512, DRIVES: 1024, GAME: 2048}
_FIELD = re.compile(
    r"\tfield:(?P<type>.+?) ?(?P<name>\w+)(?P<array>\[\d*\])?;"
    r"\toffset:(?P<offset>\d+);\tsize:(?P<size>\d+);\tsigned:(?P<signed>[01]);"
)


@dataclass(frozen=True)
class KernelTrace:
    """A trace that runs: its formats, and the descriptors in the order of the contract."""

    formats: Formats
    descriptors: Sequence[int]
    folders: Sequence[Path]


@contextlib.contextmanager
def mounted_tracefs() -> Iterator[Path]:
    """tracefs where it belongs; unmounted again by whoever mounted it."""
    if (TRACEFS / "events").is_dir():
        yield TRACEFS
        return
    subprocess.run(["mount", "-t", "tracefs", "nodev", TRACEFS], check=True)
    try:
        yield TRACEFS
    finally:
        # Whoever looks into it just then must not keep it mounted.
        subprocess.run(["umount", "--lazy", TRACEFS], check=True)


@contextlib.contextmanager
def kernel_trace(name: str, game: Sequence[int] | None = None) -> Iterator[KernelTrace]:
    """The trace of the whole computer, and with ``game`` that of these threads and ksoftirqd."""
    instances = INSTANCES if game is not None else INSTANCES[:-1]
    with alone_with_the_kernel(), mounted_tracefs() as root, contextlib.ExitStack() as back:
        folders = []
        for instance in instances:
            folder = root / "instances" / f"destutter-test-{name}-{instance}"
            back.callback(_remove, folder)
            _make(folder, instance, list(game or ()))
            folders.append(folder)
        cpus = sorted(int(each.name[3:]) for each in (folders[0] / "per_cpu").iterdir())
        files = [each / f"per_cpu/cpu{cpu}/trace_pipe_raw" for each in folders for cpu in cpus]
        descriptors = []
        for file in files:
            descriptors.append(os.open(file, os.O_RDONLY | os.O_NONBLOCK))
            back.callback(os.close, descriptors[-1])
        yield KernelTrace(formats_of(root, cpus, instances), descriptors, folders)


def formats_of(root: Path, cpus: Sequence[int], instances: Sequence[str]) -> Formats:
    """What the helper would say of this kernel."""
    events, missing = {}, []
    for instance in instances:
        for name in EVENTS[instance]:
            file = root / "events" / name / "format"
            if file.exists():
                events[name] = read_event(file.read_text())
            else:
                missing.append(name)
    return Formats(
        FORMATS_VERSION,
        tuple(cpus),
        tuple(instances),
        read_page((root / "events/header_page").read_text()),
        events,
        tuple(missing),
        round(time.clock_getres(6) * 1e9),  # CLOCK_MONOTONIC_COARSE: a tick
        CLOCK,
        time.clock_gettime_ns(time.CLOCK_BOOTTIME) + 3600 * 10**9,
    )


def read_event(text: str) -> Event:
    """The ``format`` file of an event."""
    number = next(int(line[4:]) for line in text.splitlines() if line.startswith("ID: "))
    return Event(number, tuple(_fields(text)))


def read_page(text: str) -> RingPage:
    """The file ``events/header_page``."""
    fields = {field.name: field for field in _fields(text)}
    stamp, commit, data = (fields[name] for name in ("timestamp", "commit", "data"))
    size = data.offset + data.size
    return RingPage(size, (stamp.offset, stamp.size), (commit.offset, commit.size), data.offset)


def _fields(text: str) -> Iterator[Field]:
    for found in _FIELD.finditer(text):
        yield Field(
            found["name"],
            found["type"] + (found["array"] or ""),
            int(found["offset"]),
            int(found["size"]),
            found["signed"] == "1",
        )


def _make(folder: Path, instance: str, tasks: list[int]) -> None:
    folder.mkdir()
    _write(folder / "trace_clock", CLOCK)
    _write(folder / "buffer_size_kb", str(_BUFFER_KB[instance]))
    _write(folder / "buffer_percent", "0")
    _write(folder / "options/overwrite", "1")
    _write(folder / "options/disable_on_free", "1")
    if instance == GAME:
        _write(folder / "options/event-fork", "1")
        _write(folder / "set_event_pid", " ".join(map(str, [*tasks, *_ksoftirqd()])))
    for name in EVENTS[instance]:
        if name in FILTERS and (folder / "events" / name).is_dir():
            _write(folder / "events" / name / "filter", FILTERS[name])
    for name in EVENTS[instance]:
        if (folder / "events" / name).is_dir():
            _write(folder / "events" / name / "enable", "1")


def _ksoftirqd() -> list[int]:
    names = Path("/proc").glob("[0-9]*/comm")
    return [int(each.parent.name) for each in names if each.read_text().startswith("ksoftirqd/")]


def _remove(folder: Path) -> None:
    if not folder.is_dir():
        return
    _write(folder / "events/enable", "0")
    give_up = time.monotonic() + 5
    while folder.exists():
        try:
            folder.rmdir()
        except OSError:  # a process that just ended had it open
            if time.monotonic() > give_up:
                raise
            time.sleep(0.01)


def _write(path: Path, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY)
    try:
        os.write(descriptor, f"{text}\n".encode())
    finally:
        os.close(descriptor)
