# SPDX-License-Identifier: GPL-3.0-or-later
"""What a scenario is: a trouble made on purpose, and what has to be said about it."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace

from tests.truth.machine import Stage
from tests.truth.makes import MAKES, Make, Options

ENOUGH_STUTTERS = 5
"""With fewer a trial is too easily right or wrong by chance."""

_STRONGER = 1.5


def _nothing() -> AbstractContextManager[object]:
    return nullcontext()


@dataclass(frozen=True)
class Play:
    """How a trial goes on: the victim's command line, and what happens in each burst.

    ``prefix`` stands before the victim's command (nice, taskset, a cgroup).
    """

    burst: Callable[[], AbstractContextManager[object]] = _nothing
    victim: Options = field(default_factory=dict)
    prefix: Sequence[str] = ("nice", "-n", "-20")


Prepare = Callable[[Stage], AbstractContextManager[Play]]


@dataclass(frozen=True)
class Scenario:
    """One trouble.

    ``causes`` are the ids of which any names it rightly; none for quiet runs and decoys, in which
    no cause may be claimed. ``also`` are ids that come with it and are true as well. ``culprits``
    are names of which one has to stand among the finding's, where a program did it, and
    ``innocents`` those of whom none may; ``expects`` says for people what the verdict should tell.
    ``stutters`` are those that a trial needs to say anything, 0 where none are made. ``prepare``
    sets the stage, and raises ``CannotBeMadeError`` where this computer cannot have it. ``bursts``
    of ``burst_s`` seconds follow each other with ``pause_s`` between, after a quiet beginning.
    """

    name: str
    prepare: Prepare
    causes: frozenset[str] = frozenset()
    also: frozenset[str] = frozenset()
    culprits: frozenset[str] = frozenset()
    innocents: frozenset[str] = frozenset()
    expects: str = ""
    makes: tuple[Make, ...] = MAKES
    stutters: int = ENOUGH_STUTTERS
    bursts: int = 6
    burst_s: float = 1.2
    pause_s: float = 1.4
    begin_s: float = 5.0

    @property
    def is_decoy(self) -> bool:
        """Whether nothing at all is to be found."""
        return not self.causes

    @property
    def length_s(self) -> float:
        """How long it plays."""
        return self.begin_s + self.bursts * (self.burst_s + self.pause_s)

    def stronger(self) -> "Scenario":
        """The same with more bursts, each longer."""
        bursts = round(self.bursts * _STRONGER)
        return replace(self, bursts=bursts, burst_s=self.burst_s * _STRONGER)
