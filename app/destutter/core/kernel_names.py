# SPDX-License-Identifier: GPL-3.0-or-later
"""How the kernel calls and numbers threads."""

_MAX_RT_PRIO = 100  # include/linux/sched/prio.h

COMM_LENGTH = 15
"""It keeps no more of a name (TASK_COMM_LEN less its end)."""

KTHREADD = 2
"""The process that starts the kernel's own threads (kthreadd), on every kernel the second."""

KSOFTIRQD = "ksoftirqd/"
"""Before the number of the CPU whose deferred interrupts the thread works off."""

RING = "iou-sqp-"
"""Before the number of the process for whose ring of requests (io_uring) the thread looks, if it
asked for one (``IORING_SETUP_SQPOLL``): what it reads is for whoever filled the ring."""

KWORKER = "kworker/"
"""What the names of the threads begin with that do the kernel's own work, as for a file system."""

PASSING = ("kworker/", "migration/", "rcu_", "rcuc/", "rcuog/", "stopper/", "watchdog/", "cpuhp/")
"""Beginnings of threads of the kernel that have a core for microseconds, at every switch of
others: they were the last on it, and held nobody up."""


def is_realtime(priority: int | None) -> bool:
    """Whether the kernel's priority is that of a real-time task: 0 to 99 (MAX_RT_PRIO), the most
    urgent 0."""
    return priority is not None and priority < _MAX_RT_PRIO
