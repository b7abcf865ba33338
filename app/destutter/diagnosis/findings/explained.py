# SPDX-License-Identifier: GPL-3.0-or-later
"""One stutter with everything that is known of it: the value that all of this room says."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from destutter.core.statement import Value
from destutter.core.traced import REQUEST
from destutter.diagnosis.blame.nearest_cause import nearest_cause
from destutter.diagnosis.blame.stutter_answer import GROUP_OF, Blame, Certainty, WhereTimeWent
from destutter.diagnosis.cause_ids import SLOW_DEVICE
from destutter.diagnosis.circumstances.circumstances import Circumstances
from destutter.diagnosis.circumstances.traced_waits import TracedWaits
from destutter.diagnosis.finding import Culprit, Group, Spike

_BEHIND = (WhereTimeWent.STORAGE, WhereTimeWent.MEMORY)


@dataclass
class Explained:
    """One stutter with what it met: kept while the stutter is, for the log forgets sooner.

    ``others`` are its other long frames, as far as the kernel's trace has each in full.
    ``asleep`` and ``doubted`` are written by each round of ``Explanations.together``; what is
    asked before it (``denied``) has those of the round before, a second ago.
    """

    spike: Spike
    met: Circumstances
    blames: tuple[Blame, ...]
    culprits: dict[str, tuple[Culprit, ...]] = field(default_factory=dict)
    own_programs: frozenset[str] = frozenset()
    """The names of the processes that ran at the time and are the game's own."""
    asleep: str = ""
    """The cause that makes its drive slow after each rest; empty where none is known."""
    doubted: frozenset[Group] = frozenset()
    """The groups of those findings which are guesses because of what else was met in it."""
    others: tuple[tuple[Spike, TracedWaits], ...] = ()
    contradicted: frozenset[Group] = frozenset()
    """The groups that had too little of it to be its cause, by its parts (stutter_parts.py)."""
    parts: Mapping[str, float] = field(default_factory=dict)
    """How its longest frame is divided, in ms, where the trace has the main thread; else empty."""

    @property
    def first(self) -> Blame | None:
        """The surest and longest answer."""
        return self.blames[0] if self.blames else None

    @property
    def cause(self) -> str | None:
        """The nearest cause of the first answer; None where the game itself is it."""
        return self._cause_of(self.first)

    @property
    def beside(self) -> Blame | None:
        """What the game may have waited for behind its own business, which is the first answer.

        A thread that ran may have asked for its reads again and again, and the program that it
        waited for may have waited for a drive.
        """
        if self.first is None or self.cause is not None:
            return None
        behind = next((each for each in self.blames if self._may_be_behind(each)), None)
        return behind or self.limit_part

    @property
    def limit_part(self) -> Blame | None:
        """What the game's own limit for the processor withheld of a stutter that it filled more
        with its own work.
        """
        if (
            self.first is None
            or self.first.where is not WhereTimeWent.OWN_WORK
            or not self.met.held_ms
        ):
            return None
        return next((each for each in self.blames if each.where is WhereTimeWent.CPU), None)

    @property
    def told_cause(self) -> str | None:
        """The nearest cause of what is told of this stutter, be it only beside."""
        return self.cause or self._cause_of(self.beside)

    @property
    def drives(self) -> frozenset[str] | None:
        """Those that threads of the game waited for; None where they may be others as well."""
        beside = frozenset[str]().union(*(waits.drives for _, waits in self.others))
        return (self.met.awaited or frozenset()) | beside if beside else self.met.awaited

    @property
    def held_by(self) -> str:
        """The drive that held the main thread up longest, by the kernel's word; empty where that
        tells of none.
        """
        held: Counter[str] = Counter()
        for spike, waits in ((self.spike, self.met.traced), *self.others):
            for wait in () if waits is None else waits.of((REQUEST,)):
                first_ns = max(wait.begin_ns, spike.start_ns)
                held[wait.device] += max(min(wait.end_ns, spike.monotonic_ns) - first_ns, 0)
        return max(held, key=lambda drive: held[drive], default="")

    def waited_ms(self, group: Group) -> float:
        """How long of its longest frame was a wait of a group, by its parts, or else as long as
        was measured or seen; 0 where nobody knows.
        """
        if self.parts:
            return self.parts.get(group.value, 0.0)
        told = (
            each.ms
            for each in self.blames
            if GROUP_OF.get(each.where) is group and each.certainty > Certainty.POSSIBLE
        )
        # What a frame takes anyhow was no wait: of 123 ms 17 were the frame.
        return min(max(told, default=0.0), self.spike.duration_ms - self.spike.usual_ms)

    def is_contradicted(self, blame: Blame) -> bool:
        """Whether an answer is of a group that had too little of the stutter."""
        return GROUP_OF.get(blame.where) in self.contradicted

    def _may_be_behind(self, blame: Blame) -> bool:
        return blame.where in _BEHIND and not self.is_contradicted(blame)

    def _cause_of(self, blame: Blame | None) -> str | None:
        if blame is None or self.is_contradicted(blame):
            return None
        cause = nearest_cause(blame, self.met)
        return self.asleep if cause == SLOW_DEVICE and self.asleep else cause


def main_thread(known: Iterable[Explained]) -> dict[str, Value]:
    """What texts call the main thread, where another one showed the frames of most of them."""
    names = Counter(each.met.lead for each in known)
    name = max(names, key=lambda name: names[name], default="")
    return {"main_thread": name} if name else {}
