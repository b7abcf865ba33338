# SPDX-License-Identifier: GPL-3.0-or-later
"""What a scenario is: a trouble made on purpose, and what has to be said about it."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field

from tests.truth.machine import Stage


def _nothing() -> AbstractContextManager[object]:
    return nullcontext()


@dataclass(frozen=True)
class Play:
    """How a trial goes on: the victim's command line, and what happens in each burst.

    ``prefix`` stands before the victim's command (nice, taskset, a cgroup).
    """

    burst: Callable[[], AbstractContextManager[object]] = _nothing
    victim: dict[str, str | int | float] = field(default_factory=dict)
    prefix: Sequence[str] = ("nice", "-n", "-20")


Prepare = Callable[[Stage], AbstractContextManager[Play]]


@dataclass(frozen=True)
class Scenario:
    """One trouble.

    ``causes`` are the ids of which any names it rightly; none for quiet runs and decoys.
    ``also`` are ids that come with it and are true as well. ``prepare`` sets the stage, and
    raises ``CannotBeMadeError`` where this computer cannot have it. ``bursts`` of ``burst_s``
    seconds follow each other with ``pause_s`` between, after a quiet beginning.
    """

    name: str
    prepare: Prepare
    causes: frozenset[str] = frozenset()
    also: frozenset[str] = frozenset()
    bursts: int = 4
    burst_s: float = 1.2
    pause_s: float = 1.6
    begin_s: float = 5.0

    @property
    def is_decoy(self) -> bool:
        """Whether nothing at all is to be found."""
        return not self.causes
