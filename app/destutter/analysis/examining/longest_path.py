# SPDX-License-Identifier: GPL-3.0-or-later
"""The longest sleep of the game's threads in an expert's trace, and its way through the kernel.

The kernel keeps few stacks, and none of what had begun before it was told to.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from destutter.core.traced import TracedSleep, TraceLook
from destutter_helper.api.call_path import UNNAMED

# What stands in front of each stack: the record itself, and what every sleep goes through.
_PLUMBING = ("trace_event_raw_event_", "__traceiter_", "__bpf_trace_", "perf_trace_")
_SLEEPING = frozenset({"__schedule", "schedule"})


@dataclass(frozen=True, slots=True)
class KnownPath:
    """A sleep, and the functions in which it was, the innermost first; none where the kernel did
    not have them any more."""

    sleep: TracedSleep
    functions: tuple[str, ...] = ()


_WORTH = 0.5  # of a sleep without a path
_MOST_MISSED = 8  # each question has the helper read some 500 KB, seconds on an emulated processor


class LongestPath:
    """Keeps the longest of which a path is known, or the longest; says which one to ask for."""

    def __init__(self) -> None:
        self.known: KnownPath | None = None
        self._missed = 0

    def wanted(self, looks: Iterable[TraceLook]) -> TracedSleep | None:
        """The longest of these, if it would tell more than what is known."""
        sleeps = (each for look in looks for each in look.deep_sleeps)
        longest = max(sleeps, key=lambda each: each.duration_ns, default=None)
        if longest is None or self.known is None:
            return longest
        is_settled = self.known.functions or self._missed >= _MOST_MISSED
        least_ns = self.known.sleep.duration_ns * (1.0 if is_settled else _WORTH)
        return longest if longest.duration_ns > least_ns else None

    def accept_path(self, sleep: TracedSleep, functions: Iterable[str]) -> None:
        """The answer for one, which may come late."""
        new, known = KnownPath(sleep, without_plumbing(functions)), self.known
        self._missed += not new.functions
        if known is None or _rank(new) > _rank(known):
            self.known = new


def _rank(path: KnownPath) -> tuple[bool, int]:
    return bool(path.functions), path.sleep.duration_ns


def without_plumbing(functions: Iterable[str]) -> tuple[str, ...]:
    """The way from where the thread waited outwards."""
    left = list(functions)
    while left and (left[0].startswith(_PLUMBING) or left[0] == UNNAMED):
        del left[0]
    while left and left[0] in _SLEEPING:
        del left[0]
    return tuple(left)
