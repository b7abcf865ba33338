# SPDX-License-Identifier: GPL-3.0-or-later
"""Which sleep is asked for its call path, and what of the answer is shown."""

from destutter.analysis.examining.longest_path import LongestPath, without_plumbing
from destutter.core.traced import TracedSleep, TracedThread, TraceLook

MS = 1_000_000


def slept(length_ms: int) -> TracedSleep:
    return TracedSleep(TracedThread(7, "io", 5), 1, length_ms * MS)


def looks(*lengths_ms: int) -> list[TraceLook]:
    return [TraceLook(0, 1, 0, 0, deep_sleeps=(slept(each),)) for each in lengths_ms]


def test_only_a_longer_one_is_asked_for():
    """Each question takes the helper some milliseconds."""
    path = LongestPath()
    assert path.wanted([TraceLook(0, 1, 0, 0)]) is None
    assert path.wanted(looks(5, 30, 7)) == slept(30)
    path.accept_path(slept(30), ("vfs_read",))
    assert path.wanted(looks(30, 8)) is None
    assert path.wanted(looks(31)) == slept(31)


def test_a_late_answer_does_not_hide_a_longer_one():
    """Two may be under way."""
    path = LongestPath()
    path.accept_path(slept(40), ("a",))
    path.accept_path(slept(30), ("b",))
    assert path.known is not None
    assert path.known.functions == ("a",)


def test_a_shorter_one_with_a_path_says_more_than_a_longer_one_without():
    """The kernel had it no more, or not yet; very short ones are not asked for instead."""
    path = LongestPath()
    path.accept_path(slept(40), ())
    assert path.wanted(looks(20)) is None
    assert path.wanted(looks(21)) == slept(21)
    path.accept_path(slept(21), ("vfs_read",))
    assert path.wanted(looks(21)) is None
    path.accept_path(slept(50), ())
    assert path.known is not None
    assert path.known.functions == ("vfs_read",)
    path.accept_path(slept(51), ("vfs_write",))
    assert path.known.functions == ("vfs_write",)


def test_nobody_asks_for_ever():
    """Where the kernel never has one, only a longer one is worth a question."""
    path = LongestPath()
    path.accept_path(slept(40), ())
    for _ in range(7):
        assert path.wanted(looks(30)) is not None
        path.accept_path(slept(30), ())
    assert path.wanted(looks(30)) is None
    assert path.wanted(looks(41)) == slept(41)


def test_what_every_sleep_goes_through_is_left_out():
    """The record itself and the scheduler; of what lies behind, nothing."""
    functions = ["?", "trace_event_raw_event_sched_switch", "__traceiter_sched_switch"]
    functions += ["__schedule", "schedule", "io_schedule", "?", "schedule", "vfs_read"]
    assert without_plumbing(functions) == ("io_schedule", "?", "schedule", "vfs_read")
    assert without_plumbing(["schedule"]) == ()
