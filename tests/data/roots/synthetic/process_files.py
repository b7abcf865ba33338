# SPDX-License-Identifier: GPL-3.0-or-later
"""Processes below /proc: the fields of proc_pid_stat(5) and its neighbours.

GPU use of a process: Documentation/gpu/drm-usage-stats.rst.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tests.data.roots.synthetic.tree import Tree

PF_KTHREAD = 0x00200000
TICKS_PER_S = 100


@dataclass(frozen=True)
class Thread:
    """One thread, in clock ticks of user and system time and ns of waiting for a CPU."""

    tid: int
    name: str
    user_ticks: int = 12
    system_ticks: int = 4
    delay_ns: int = 31_000_000
    policy: int = 0
    rt_priority: int = 0
    processor: int = 0


@dataclass(frozen=True)
class Process:
    """One process; its first thread carries its number and name."""

    threads: tuple[Thread, ...]
    parent: int
    arguments: tuple[str, ...] = ()
    rss_pages: int = 0
    swap_kib: int = 0
    major_faults: int = 0
    nice: int = 0
    start_ticks: int = 4000
    read_bytes: int = 0
    write_bytes: int = 0
    graphics: Mapping[int, str] = field(default_factory=dict)
    """Text of /proc/PID/fdinfo/N by descriptor."""

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self.threads[0].tid

    @property
    def is_kernel(self) -> bool:
        """Whether it is a thread of the kernel, which has no command line."""
        return not self.arguments


def kernel_thread(tid: int, name: str, **more: int) -> Process:
    """A thread of the kernel."""
    return Process((Thread(tid, name, **more),), 0 if tid == 2 else 2, start_ticks=3)


def add_processes(tree: Tree, processes: Iterable[Process]) -> None:
    """All processes with their threads."""
    for process in processes:
        _add_process(tree, process)


def fdinfo(pairs: Mapping[str, str | int]) -> str:
    """/proc/PID/fdinfo/N of a graphics device: the general lines, then the driver's."""
    head = {"pos": 0, "flags": "02100002", "mnt_id": 28, "ino": 612}
    return "\n".join(f"{name}:\t{value}" for name, value in {**head, **pairs}.items())


def _add_process(tree: Tree, process: Process) -> None:
    base = f"/proc/{process.pid}"
    main = process.threads[0]
    total = Thread(
        main.tid,
        main.name,
        sum(thread.user_ticks for thread in process.threads),
        sum(thread.system_ticks for thread in process.threads),
        main.delay_ns,
        main.policy,
        main.rt_priority,
        main.processor,
    )
    tree.put(f"{base}/stat", _stat(process, total))
    tree.put(f"{base}/comm", main.name)
    tree.put(f"{base}/cmdline", b"".join(word.encode() + b"\0" for word in process.arguments))
    tree.put(f"{base}/status", _status(process))
    tree.put(f"{base}/schedstat", _schedstat(main))
    tree.put(f"{base}/io", _io(process))
    for thread in process.threads:
        task = f"{base}/task/{thread.tid}"
        tree.put(f"{task}/stat", _stat(process, thread))
        tree.put(f"{task}/comm", thread.name)
        tree.put(f"{task}/schedstat", _schedstat(thread))
    for descriptor, text in process.graphics.items():
        tree.put(f"{base}/fdinfo/{descriptor}", text)


def _stat(process: Process, thread: Thread) -> str:
    """The 52 fields in their order; those that nobody reads here are 0."""
    fields = dict.fromkeys(range(3, 53), 0)
    is_busy = thread.user_ticks > TICKS_PER_S * 60
    fields |= {
        4: process.parent,
        5: process.pid,
        6: process.pid,
        8: -1,
        9: PF_KTHREAD | 0x40 if process.is_kernel else 0x400000,
        10: 50 * thread.user_ticks,
        12: process.major_faults,
        14: thread.user_ticks,
        15: thread.system_ticks,
        18: -1 - thread.rt_priority if thread.rt_priority else 20 + process.nice,
        19: process.nice,
        20: len(process.threads),
        22: process.start_ticks,
        23: process.rss_pages * 4096 * 3,
        24: process.rss_pages,
        25: 2**64 - 1,
        38: 17,
        39: thread.processor,
        40: thread.rt_priority,
        41: thread.policy,
    }
    rest = " ".join(str(fields[number]) for number in range(4, 53))
    return f"{thread.tid} ({thread.name}) {'R' if is_busy else 'S'} {rest}"


def _status(process: Process) -> str:
    lines = [f"Name:\t{process.threads[0].name}", "Umask:\t0022", "State:\tS (sleeping)"]
    lines += [f"Tgid:\t{process.pid}", f"Pid:\t{process.pid}", f"PPid:\t{process.parent}"]
    user = 0 if process.is_kernel else 1000
    lines += [f"Uid:\t{user}\t{user}\t{user}\t{user}"]
    if not process.is_kernel:
        rss_kib = process.rss_pages * 4
        lines += [f"VmPeak:\t{rss_kib * 3:>8} kB", f"VmRSS:\t{rss_kib:>8} kB"]
        lines += [f"VmSwap:\t{process.swap_kib:>8} kB"]
    lines += [f"Threads:\t{len(process.threads)}"]
    lines += ["voluntary_ctxt_switches:\t812345", "nonvoluntary_ctxt_switches:\t23456"]
    return "\n".join(lines)


def _schedstat(thread: Thread) -> str:
    run_ns = (thread.user_ticks + thread.system_ticks) * (10**9 // TICKS_PER_S)
    return f"{run_ns} {thread.delay_ns} {run_ns // 400_000}"


def _io(process: Process) -> str:
    values = {
        "rchar": process.read_bytes * 2,
        "wchar": process.write_bytes * 2,
        "syscr": process.read_bytes // 65536,
        "syscw": process.write_bytes // 65536,
        "read_bytes": process.read_bytes,
        "write_bytes": process.write_bytes,
        "cancelled_write_bytes": 0,
    }
    return "\n".join(f"{name}: {value}" for name, value in values.items())
