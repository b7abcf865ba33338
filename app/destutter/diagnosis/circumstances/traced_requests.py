# SPDX-License-Identifier: GPL-3.0-or-later
"""When a traced request was asked for and answered, by whom, and whether it was held back."""

from collections.abc import Callable, Iterable, Iterator

from destutter.core.traced import WRITE, SlowRequest, TracedThread, TraceLook

_HELD_PART = 0.5  # of a write: one that the drive itself took longer for was not held back


def was_held(request: SlowRequest) -> bool:
    """Whether a write waited mostly before the drive got it."""
    queue_ns = request.queue_ns or 0
    return request.operation == WRITE and queue_ns >= _HELD_PART * request.duration_ns


def times(request: SlowRequest) -> tuple[int, int]:
    """From the asking to the end, in nanoseconds of the one clock."""
    return request.begin_ns, request.begin_ns + request.duration_ns


def _overlaps(request: SlowRequest, begin_ns: int, end_ns: int) -> bool:
    first_ns, last_ns = times(request)
    return last_ns > begin_ns and first_ns < end_ns


def _is_of_another(request: SlowRequest, is_mine: Callable[[TracedThread], bool]) -> bool:
    thread = request.thread
    is_known = thread is not None and thread.pid is not None and not request.is_written_back
    return is_known and thread is not None and not is_mine(thread)


def of_others(
    looks: Iterable[TraceLook],
    is_mine: Callable[[TracedThread], bool],
    begin_ns: int,
    end_ns: int,
) -> Iterator[SlowRequest]:
    """The requests of that time that are known to be of other programs."""
    for look in looks:
        for request in look.requests:
            if _is_of_another(request, is_mine) and _overlaps(request, begin_ns, end_ns):
                yield request
