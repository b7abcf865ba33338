# SPDX-License-Identifier: GPL-3.0-or-later
"""Commits of file systems within one stutter, by the kernel's trace."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from destutter.core.traced import (
    LONG_WAIT_NS,
    FilesystemCommit,
    TracedSleep,
    TracedThread,
    TraceLook,
)

_JBD2 = "jbd2/"
_MOST_NAME = 15  # of a thread (TASK_COMM_LEN in include/linux/sched.h)


@dataclass(frozen=True, slots=True)
class CommitInside:
    """A commit of a file system: of its ``took_ms`` lay ``inside_ms`` within a stutter, and
    ``data_ms`` of it went into data that had to be on the drive first.
    """

    device: str
    took_ms: float
    inside_ms: float
    data_ms: float


def commits_inside(
    looks: Iterable[TraceLook], begin_ns: int, end_ns: int
) -> Iterator[CommitInside]:
    """Those of which a good part lies within that time."""
    for each in (commit for look in looks for commit in look.commits):
        length_ns = _length_ns(each)
        inside_ns = min(each.end_ns, end_ns) - max(each.end_ns - length_ns, begin_ns)
        if inside_ns >= LONG_WAIT_NS:
            data_ms = (each.flushing_ns or 0) / 1e6
            yield CommitInside(each.device, length_ns / 1e6, inside_ns / 1e6, data_ms)


def awaited_commits(
    looks: Iterable[TraceLook], sleeps: Iterable[TracedSleep]
) -> Iterator[tuple[TracedThread, str, int, int]]:
    """The kernel's threads that commit and ended one of these sleeps, at first or last hand, each
    with its drive, from when until when it was at it.

    Of its requests the flushes have nobody who asked: of a save of 474 ms 104 were known.
    """
    threads = {each for sleep in sleeps for each in sleep.woken_by if each.name.startswith(_JBD2)}
    for commit in (one for look in looks for one in look.commits) if threads else ():
        begin_ns = commit.end_ns - (commit.flushing_ns or 0) - (commit.logging_ns or 0)
        called = f"{_JBD2}{commit.device}-"[:_MOST_NAME]
        for thread in threads:
            if thread.name.startswith(called):
                yield thread, commit.device, begin_ns, commit.end_ns


def _length_ns(commit: FilesystemCommit) -> int:
    """How long nobody could change what it made durable, or had to wait for its end."""
    phases = (commit.locked_ns, commit.flushing_ns, commit.logging_ns)
    return sum(each for each in phases if each is not None)
