# SPDX-License-Identifier: GPL-3.0-or-later
"""Which groups showed nothing within stutters, so that a verdict may clear them.

A group is cleared only by signals that were measured and stayed low in every one of the stutters;
that it can be read is no alibi, nor is a threshold that a rule's second did not reach.
"""

from collections.abc import Iterable, Sequence

from destutter.diagnosis.blame.card_blame import is_raised
from destutter.diagnosis.causes.coverage import Coverage
from destutter.diagnosis.circumstances.circumstances import Circumstances
from destutter.diagnosis.circumstances.kernel_time import is_by_faults, swaps
from destutter.diagnosis.finding import Finding, Group, Spike
from destutter.diagnosis.findings.explained import Explained
from destutter.diagnosis.shares import LIMIT_HITS_PER_S, SLOW_SSD_MS, SOME_SWAP_INS
from destutter.diagnosis.stutters.spikes import WAKEUP_ORIGIN

_LEAST_MS = 4.0  # a quarter of a frame at 60 Hz: less is no part of a stutter that is felt
_SHARE = 0.05  # of a long stutter less than that made nobody late
_CORE_MS = 8.0  # two time slices of the scheduler (kernel/sched/fair.c)
_CORE_SHARE = 0.1  # threads that take turns on a core lose some all the time
_CROWDED_SHARE = 0.5  # threads of a game wait for each other's cores all the time
_LATE_WAKE_MS = 10.0  # beyond all time slices; half of what counts as a stutter by itself
_SOURCES = (
    (Group.MEMORY, ("vmstat",)),
    (Group.STORAGE, ("disk",)),
    (Group.CPU, ("stat", "game")),
    (Group.GPU, ("gpu", "gpu_stretch")),
)


def raised(met: Circumstances) -> frozenset[Group]:
    """The groups of which a signal was raised within a stutter."""
    least_ms = max(_LEAST_MS, _SHARE * met.duration_ms)
    groups = set()
    if _is_memory(met, least_ms):
        groups.add(Group.MEMORY)
    if _is_storage(met, least_ms):
        groups.add(Group.STORAGE)
    if _is_cpu(met):
        groups.add(Group.CPU)
    if is_raised(met):
        groups.add(Group.GPU)
    return frozenset(groups)


def _is_memory(met: Circumstances, least_ms: float) -> bool:
    return (
        _lost(met, "memory") >= least_ms
        or bool(met.seen.get("memory"))
        or met.allocstalls > 0
        or met.compactions > 0
        or met.swap_ins >= SOME_SWAP_INS
        or is_by_faults(met)
        or swaps(met)
        or met.limit_hits >= LIMIT_HITS_PER_S
    )


def _is_storage(met: Circumstances, least_ms: float) -> bool:
    is_seen = any(met.seen.get(kind) for kind in ("io", "dirty", "journal", "frozen"))
    is_seen = is_seen or any(each.in_storage for each in met.partners)
    return _lost(met, "io") >= least_ms or is_seen or met.await_ms >= SLOW_SSD_MS


def _is_cpu(met: Circumstances) -> bool:
    return (
        max(met.delayed[1], *(each.delay_ms for each in met.partners), 0.0)
        >= max(_CORE_MS, _CORE_SHARE * met.duration_ms)
        or met.share(met.lost_ms.get("cpu", 0.0)) >= _CROWDED_SHARE
        or met.steal_ms >= _CORE_MS
        or met.realtime[1] >= _CORE_MS
        or met.withheld_ms > 0
        or met.wake_ms >= _LATE_WAKE_MS
    )


def _lost(met: Circumstances, resource: str) -> float:
    own = 0.0 if met.own_ms is None else met.own_ms.get(resource, 0.0)
    return max(own, met.lost_ms.get(resource, 0.0))


def quiet_groups(
    coverage: Coverage,
    spikes: Sequence[Spike],
    known: Iterable[Explained],
    findings: Iterable[Finding],
) -> list[Group]:
    """The groups that were measured and of which nothing was raised in any of the stutters.

    None at all while the circumstances of one of them are unknown. A group with a finding that
    met any of them is not quiet, whatever it explains.
    """
    explained = list(known)
    is_all_known = len(explained) == len(spikes) and all(each.met.is_covered for each in explained)
    if not is_all_known:
        return []
    loud = {group for each in explained for group in raised(each.met)}
    if any(spike.origin == WAKEUP_ORIGIN for spike in spikes):
        # A late wake-up is itself a wait for a core.
        loud.add(Group.CPU)
    if any(each.met.card is None for each in explained):
        # Read once a second a card's load says nothing of a stutter.
        loud.add(Group.GPU)
    loud |= {finding.group for finding in findings if _meets(finding, spikes)}
    return [
        group for group, sources in _SOURCES if group not in loud and coverage.is_seen(*sources)
    ]


def _meets(finding: Finding, spikes: Sequence[Spike]) -> bool:
    return any(
        finding.first_ns <= spike.monotonic_ns and spike.start_ns <= finding.last_ns
        for spike in spikes
    )
