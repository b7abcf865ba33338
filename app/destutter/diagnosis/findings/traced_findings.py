# SPDX-License-Identifier: GPL-3.0-or-later
"""Findings that rest on waits that the kernel's trace told: whose, how long, behind whom.

The same for what a rule found and for what only the wait itself tells.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from destutter.core.kernel_names import PASSING
from destutter.core.statement import Statement, Value
from destutter.core.traced import (
    COMPACTION,
    CORE,
    DIRTY_PAUSE,
    MEMCG_RECLAIM,
    RECLAIM,
    REQUEST,
    SPLIT_LOCK,
    THROTTLED,
    WBT,
)
from destutter.diagnosis.blame.stutter_answer import Certainty
from destutter.diagnosis.blame.traced_blame import KINDS_OF
from destutter.diagnosis.cause_ids import FILESYSTEM_COMMIT, IO_UNFAIRNESS
from destutter.diagnosis.circumstances.stood_before import by_name
from destutter.diagnosis.circumstances.traced_waits import TracedWaits, WaitInside, longest
from destutter.diagnosis.finding import MOST_CULPRITS, Confidence, Culprit, Finding, Group, Spike
from destutter.diagnosis.findings.explained import Explained, main_thread
from destutter.diagnosis.findings.order import Matched

_GOOD_PART = 0.5  # of the longest wait of the game
_SEVERAL, _NEARLY_ALL = 3, 0.75  # stutters, and their share: choices
_SOFTIRQ = "softirq_starvation"
_REASONS = {
    RECLAIM: "reason.traced.reclaim",
    MEMCG_RECLAIM: "reason.traced.memcg_reclaim",
    COMPACTION: "reason.traced.compaction",
    THROTTLED: "reason.traced.throttled",
    DIRTY_PAUSE: "reason.traced.dirty_pause",
    REQUEST: "reason.traced.request",
    WBT: "reason.traced.wbt",
    CORE: "reason.traced.core",
    SPLIT_LOCK: "reason.traced.split_lock",
}


def with_traced(found: Matched, known: Sequence[Explained]) -> Matched:
    """The same, with what the kernel measured of it in the stutters that it explains."""
    finding, how = found
    times = {spike.monotonic_ns for spike in how.explained}
    traced = [
        _inside(each.met.traced, each)
        for each in known
        if each.spike.monotonic_ns in times and each.met.traced is not None
    ]
    if finding.cause == FILESYSTEM_COMMIT:
        return _with_commit(finding, traced), how
    worst = max(
        (wait for each in traced if (wait := longest(_of(finding.cause, each))) is not None),
        key=lambda wait: wait.ms,
        default=None,
    )
    if worst is None:
        return found
    is_softirq = finding.cause == _SOFTIRQ
    told = Statement(
        "reason.traced.softirq" if is_softirq else _REASONS[worst.kind],
        {
            "thread": worst.thread.name,
            "waited_ms": worst.ms,
            "met": sum(bool(_of(finding.cause, each)) for each in traced),
            "total": len(times),
        },
    )
    waits = [wait for each in traced for wait in _of(finding.cause, each)]
    drives = [each for each in finding.culprits if each.what == "device"]
    culprits: dict[str, Culprit] = {}
    # A way of its own in which it came about is nobody else's (finding.py, OWN_LIMIT).
    own = frozenset[str]().union(*(each.own_programs for each in known))
    others: tuple[Culprit, ...] = () if finding.kind else tuple(_before(waits, worst, own))
    if not finding.kind and finding.group is Group.STORAGE:
        others += tuple(_asked(traced, own, drives, _GOOD_PART * worst.ms))
    known_ones = {each.comm: each for each in finding.culprits}
    for culprit in (*drives, *others, *finding.culprits):
        culprits.setdefault(culprit.comm, _with_starter(culprit, known_ones.get(culprit.comm)))
    told_by = tuple(culprits.values())[:MOST_CULPRITS]
    reasons = (told, *_awaited(finding.cause, traced, main_thread(known)), *finding.reasons)
    return replace(finding, reasons=reasons, culprits=told_by), how


def sure_by_trace(found: Matched, known: Sequence[Explained]) -> Matched:
    """The same; without doubt where the kernel measured the wait itself in nearly all of its
    stutters, from several on.

    Another way to find a wait needs a rule that agrees, for a tick or a look may be of the frame
    beside. The trace has the very times: "measured in the kernel at 7 of 7" stood under "likely".
    That others kept a drive busy is no doubt only where it is known who.
    """
    finding, how = found
    if finding.confidence is not Confidence.MEDIUM:
        return found
    is_told = finding.cause != IO_UNFAIRNESS or any(
        each.what == "process" for each in finding.culprits
    )
    times = {spike.monotonic_ns for spike in how.explained}
    measured = sum(
        each.spike.monotonic_ns in times
        and each.met.main is not None
        and each.cause == finding.cause
        and each.first is not None
        and each.first.certainty is Certainty.MEASURED
        for each in known
    )
    if not is_told or measured < _SEVERAL or measured < _NEARLY_ALL * len(times):
        return found
    return replace(finding, confidence=Confidence.HIGH), how


def _inside(traced: TracedWaits, each: Explained) -> TracedWaits:
    """What of it lies within the stutter itself: it was looked for in the frames beside it too, as
    their times may be a little off, and 116 ms of a stutter of 60 would have been told.

    With that of the long frames which are felt as one with it.
    """

    def cut(waits: Sequence[WaitInside], spike: Spike) -> tuple[WaitInside, ...]:
        begin_ns, end_ns = spike.start_ns, spike.monotonic_ns
        return tuple(
            replace(each, begin_ns=max(each.begin_ns, begin_ns), end_ns=min(each.end_ns, end_ns))
            for each in waits
            if each.begin_ns < end_ns and each.end_ns > begin_ns
        )

    waits, softirqs = cut(traced.waits, each.spike), cut(traced.softirqs, each.spike)
    for spike, beside in each.others:
        waits += cut(beside.waits, spike)
        softirqs += cut(beside.softirqs, spike)
    return replace(traced, waits=waits, softirqs=softirqs)


def _awaited(
    cause: str, traced: Sequence[TracedWaits], main: Mapping[str, Value]
) -> Iterator[Statement]:
    """For which thread the main thread slept meanwhile, where another one waited."""
    names = [
        wait.thread.name
        for each in traced
        if (wait := longest(_of(cause, each))) is not None and wait.thread.tid in each.awaited
    ]
    if names:
        name, _ = Counter(names).most_common(1)[0]
        values: dict[str, Value] = {"thread": name, "met": len(names)}
        yield Statement("reason.traced.awaited", {**values, **main})


def _with_commit(finding: Finding, traced: Sequence[TracedWaits]) -> Finding:
    """What the kernel timed of the commits themselves; their waits are of the kernel's thread."""
    worst = max(
        (commit for each in traced for commit in each.commits),
        key=lambda commit: commit.took_ms,
        default=None,
    )
    if worst is None:
        return finding
    told = Statement(
        "reason.traced.commit",
        {
            "device": worst.device,
            "took_ms": worst.took_ms,
            "data_ms": worst.data_ms,
            "met": sum(bool(each.commits) for each in traced),
            "total": finding.stutters_explained,
        },
    )
    return replace(finding, reasons=(told, *finding.reasons))


def _with_starter(traced: Culprit, known: Culprit | None) -> Culprit:
    """With who starts it again and again, which no event tells: what is closed would come back."""
    return traced if known is None or traced.starter else replace(traced, starter=known.starter)


def _of(cause: str, traced: TracedWaits) -> Sequence[WaitInside]:
    """The waits that a cause makes: of the game's threads, or of those that finish interrupts."""
    return traced.softirqs if cause == _SOFTIRQ else traced.of(KINDS_OF.get(cause, ()))


def _drives(traced: TracedWaits) -> frozenset[str]:
    """For which the game waited longest in one stutter: the next one may be one of another."""
    held: Counter[str] = Counter()
    for wait in traced.of((REQUEST,)):
        held[wait.device] += wait.end_ns - wait.begin_ns
    most_ns = max(held.values(), default=0)
    return frozenset(drive for drive, ns in held.items() if ns >= _GOOD_PART * most_ns)


def _before(
    waits: Sequence[WaitInside], worst: WaitInside, own: AbstractSet[str]
) -> Iterator[Culprit]:
    """Who had the core, most of it first, but for programs that the game started (``own``), and
    threads of the kernel that only passed: "migration/1" did nothing to anybody.
    """
    game = worst.thread.pid
    before = by_name(waits)
    for name, pid, is_realtime in sorted(before, key=lambda key: -before[key]):
        if pid == game or name in own or name.startswith(PASSING):
            continue  # the game's own threads crowd each other, which is told elsewhere
        if not is_realtime and before[name, pid, is_realtime] < _GOOD_PART * worst.ms:
            continue  # one of many that took turns
        why = Statement("culprit.before", {"waited_ms": before[name, pid, is_realtime]})
        yield Culprit("realtime" if is_realtime else "process", name, pid, why)


def _asked(
    traced: Sequence[TracedWaits], own: AbstractSet[str], named: Sequence[Culprit], least_ms: float
) -> Iterator[Culprit]:
    """Who asked the drive for which the game waited in the same stutter, most of it first.

    Of the drives that the finding names, where it waited for one of those at all: who flooded
    another one stood beside 23 stutters of a slow drive, "asked the same drive meanwhile", for two
    of them. A program that the game started (``own``) asks for the game.
    """
    drives = [_drives(each) for each in traced]
    known = frozenset[str]().union(*drives)
    meant = known.intersection(each.comm for each in named) or known
    asked: dict[tuple[str, int | None, str], list[float]] = {}
    for each, waited_for in zip(traced, drives, strict=True):
        for request in each.others:
            thread, is_same = request.thread, request.device in waited_for & meant
            if thread is not None and is_same and thread.name not in own:
                key = thread.name, thread.pid, request.device
                asked.setdefault(key, []).append(request.duration_ns / 1e6)
    for (name, pid, device), lengths in sorted(asked.items(), key=lambda pair: -sum(pair[1])):
        if sum(lengths) < least_ms:
            break  # beside so little the drive is slow by itself
        values = {"count": len(lengths), "longest_ms": max(lengths)}
        why = Statement("culprit.requests", values)
        yield Culprit("process", name, pid, why, place=device)
