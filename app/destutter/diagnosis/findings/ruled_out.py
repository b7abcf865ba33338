# SPDX-License-Identifier: GPL-3.0-or-later
"""The stutters that a cause did not make, whatever it did at the time."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

from destutter.diagnosis.blame.blame import GROUP_OF, Certainty, WhereTimeWent
from destutter.diagnosis.blame.nearest_cause import (
    commits_slowly,
    is_short_everywhere,
    may_be_stolen,
)
from destutter.diagnosis.blame.traced_blame import is_refuted
from destutter.diagnosis.cause_ids import (
    CPU_STEAL,
    FILESYSTEM_COMMIT,
    IO_UNFAIRNESS,
    OWN_MEMORY,
    RUN_QUEUE_DELAY,
    SLOW_DEVICE,
    WAITS_FOR_CORE,
)
from destutter.diagnosis.causes.cause import CauseSpec
from destutter.diagnosis.circumstances.kernel_time import is_behind_reclaim
from destutter.diagnosis.finding import Group
from destutter.diagnosis.findings.explained import Explained
from destutter.diagnosis.findings.wait_findings import ASLEEP
from destutter.diagnosis.shares import A_GOOD_PART, CLEARLY_MOST

SLOW_DRIVES = (SLOW_DEVICE, *ASLEEP)


class RuledOut:
    """What is known of stutters that speaks against one cause.

    ``sure`` has the groups in which those may have their cause of which it is known where their
    time went, by their end.
    """

    def __init__(
        self,
        spec: CauseSpec,
        known: Sequence[Explained],
        sure: Mapping[int, AbstractSet[Group]],
    ) -> None:
        self._spec = spec
        self._known = known
        self._sure = sure

    def excused(self) -> frozenset[int]:
        """The stutters whose time is known to have gone elsewhere, by their end.

        Coincidence alone does not tie a cause to them: a copy that runs while the game's own
        thread computes has met the stutter and not made it. What makes work last longer, as a low
        clock or interrupts do, makes no wait that was measured for a drive, for memory or for the
        game's own limit; and a host that took less of a stutter than its reason did not make it.
        Nor does what no thread of the game waited for by the kernel's own word.
        """
        refuted = self._ends(each for each in self._known if is_refuted(self._spec.id, each.met))
        return self._elsewhere() | refuted

    def _elsewhere(self) -> frozenset[int]:
        spec = self._spec
        if spec.id == CPU_STEAL:
            return self._ends(
                each
                for each in self._known
                if each.met.is_covered and not may_be_stolen(each.first, each.met)
            )
        if spec.group in (Group.MEMORY, Group.STORAGE) or spec.id in WAITS_FOR_CORE:
            return frozenset(at for at, groups in self._sure.items() if spec.group not in groups)
        if spec.group in (Group.CPU, Group.POWER):
            return self._ends(each for each in self._known if _is_no_work(each))
        return frozenset()

    def denied(self) -> frozenset[int]:
        """The stutters, by their end, that not even a measured wait ties to this cause.

        A wait for a core held nobody up who mattered: the game's own threads crowd each other, or
        its main thread runs all the time while some helper stands in the queue; nor where nearly
        all of the time went into a drive or into memory, be it that of others who had the cores
        for it. A commit that was waited for is as slow as its drive, which is named instead. A
        group at its limit has to free memory that the whole computer lacks in any case. Who keeps
        a drive busy held nobody up whom the limit of its own group for that drive did. Nor do a
        drive and who had the cores make a stutter of which they have too small a part.
        """
        is_denied = _DENIALS.get(self._spec.id)
        denied = [] if is_denied is None else list(filter(is_denied, self._known))
        group = self._spec.group
        if group is Group.STORAGE or self._spec.id in (RUN_QUEUE_DELAY, "rt_runaway"):
            denied += [each for each in self._known if group in each.contradicted]
        return self._ends(denied)

    def drives(self) -> dict[int, frozenset[str]]:
        """The drives that the game waited for, by the end of the stutter, where that is known."""
        if self._spec.group is not Group.STORAGE:
            return {}
        told = ((each.spike.monotonic_ns, each.drives) for each in self._known)
        return {at: drives for at, drives in told if drives is not None}

    @staticmethod
    def _ends(stutters: Iterable[Explained]) -> frozenset[int]:
        return frozenset(each.spike.monotonic_ns for each in stutters)


def is_at_limit(each: Explained) -> bool:
    """Whether a limit of the game's group for a drive held it back for as long as it waited."""
    first = each.first
    is_of_drive = first is not None and first.where is WhereTimeWent.STORAGE
    return first is not None and is_of_drive and each.met.is_limited(first.ms)


def _is_no_work(each: Explained) -> bool:
    """Whether the game was measured to wait for what no slower processor makes longer."""
    first = each.first
    if first is None or first.certainty is not Certainty.MEASURED:
        return False
    is_limited = first.where is WhereTimeWent.CPU and each.met.held_ms >= first.ms
    return first.where in (WhereTimeWent.STORAGE, WhereTimeWent.MEMORY) or is_limited


def _needs_no_core(each: Explained) -> bool:
    """Whether no wait for a core can have been the reason, however long threads stood in queues.

    In a hitch of 35 ms a thread that always waits for 85 ms of each second did so for 3.
    """
    first = each.first
    if first is None:
        return False
    if first.where in (WhereTimeWent.OWN_WORK, WhereTimeWent.OWN_CROWD):
        return True
    if first.where is WhereTimeWent.MEMORY and is_behind_reclaim(each.met):
        return True
    if first.where is WhereTimeWent.CPU or first.certainty is Certainty.POSSIBLE:
        return False
    # Of a lock, a timer or an answer looks tell, and not each of them has to find it.
    least = CLEARLY_MOST if first.where in GROUP_OF else A_GOOD_PART
    is_filled = each.met.share(first.ms) >= least
    return is_filled and each.met.share(each.met.delayed[1]) < A_GOOD_PART


def _is_only_slow(each: Explained) -> bool:
    """Whether a commit that was waited for took long because its drive did."""
    return each.cause in SLOW_DRIVES and commits_slowly(each.met)


def _is_of_all(each: Explained) -> bool:
    return is_short_everywhere(each.met)


_DENIALS: Mapping[str, Callable[[Explained], bool]] = {
    IO_UNFAIRNESS: is_at_limit,
    OWN_MEMORY: _is_of_all,
    FILESYSTEM_COMMIT: _is_only_slow,
    RUN_QUEUE_DELAY: _needs_no_core,
}
