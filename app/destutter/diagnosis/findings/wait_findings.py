# SPDX-License-Identifier: GPL-3.0-or-later
"""From what the game waited for within its stutters to findings, where no rule has spoken.

Rules have thresholds by the second, and know a cause by what it does to the whole computer. A wait
of the game that reaches none of them is a wait all the same: it is told under the nearest cause,
with the drive or the program beside it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from destutter.core.statement import Statement
from destutter.diagnosis.blame.blame import GROUP_OF, Blame, Certainty, WhereTimeWent
from destutter.diagnosis.blame.card_blame import SATURATED, SHARED, is_shared, others_on_card
from destutter.diagnosis.blame.nearest_cause import DROPPED, is_swap, nearest_cause
from destutter.diagnosis.cause_ids import CPU_STEAL, RUN_QUEUE_DELAY, SLOW_DEVICE, SWAP_THRASH
from destutter.diagnosis.causes.cause import CauseSpec, Signal
from destutter.diagnosis.circumstances.circumstances import Circumstances
from destutter.diagnosis.circumstances.kernel_time import (
    EVICTED,
    PAGED,
    is_behind_reclaim,
    paged_ms,
)
from destutter.diagnosis.finding import (
    BUSY,
    MOST_CULPRITS,
    OWN_LIMIT,
    Confidence,
    Culprit,
    Finding,
    Group,
    at_its_worst,
    weighty,
)
from destutter.diagnosis.findings.correlator import Match
from destutter.diagnosis.findings.explained import Explained
from destutter.diagnosis.findings.wait_evidence import evidence
from destutter.diagnosis.history.witnesses import Witness

ASLEEP = ("nvme_power_state", "link_power")
"""Causes that make a drive slow after each rest, and are known after a few of them."""

_ENOUGH = 2  # a single measured wait may be chance
_FEW = 3  # of so few stutters one measured wait is a good part
_GOOD_PART = 1 / 3  # of the stutters must be known: what is read once a second may be missed
_AS_OFTEN = 2  # a starter counts that was there at half as many stutters as who was measured


def findings(
    explained: Sequence[Explained],
    total: int,
    specs: Mapping[str, CauseSpec],
    is_active: Callable[[int], bool],
) -> list[tuple[Finding, Match]]:
    """One finding per cause that was the first answer of any stutter, or stands beside it.

    ``total`` is the number of stutters that there are; ``is_active`` tells whether something that
    ended then counts as being there still.
    """
    by_cause: dict[str, list[Explained]] = {}
    for each in explained:
        if each.told_cause is not None and each.told_cause in specs:
            by_cause.setdefault(each.told_cause, []).append(each)
    return [_finding(specs[cause], group, total, is_active) for cause, group in by_cause.items()]


def _finding(
    spec: CauseSpec,
    group: Sequence[Explained],
    total: int,
    is_active: Callable[[int], bool],
) -> tuple[Finding, Match]:
    sure = [
        each
        for each in group
        if each.first and not each.beside and each.first.certainty > Certainty.POSSIBLE
    ]
    worst = max(sure or group, key=lambda each: _told(each).ms)
    # What is measured of a wait for the host is the run queue that it made longer.
    is_own = spec.id != CPU_STEAL
    # What stands beside another reason is measured where the trace told it of the next frame.
    measured = sum(
        is_own and _told(each).certainty is Certainty.MEASURED
        for each in group
        if each.beside is None or each.beside.kind
    )
    kind = _kind(group, sure, spec)
    found = Match(
        explained=tuple(each.spike for each in group),
        moments=(),
        met=len(group),
        direct=measured,
        share=0.0,
        chance=1.0,
    )
    finding = Finding(
        cause=spec.id,
        group=spec.group,
        confidence=_confidence(sure, total),
        stutters_explained=len(group),
        stutters_total=total,
        first_ns=min(each.spike.start_ns for each in group),
        last_ns=max(each.spike.monotonic_ns for each in group),
        evidence=evidence(worst.spike, worst.met, _told(worst)),
        culprits=(
            _limited_drive(sure or group) if kind == OWN_LIMIT else culprits_of(group, spec.id)
        ),
        reasons=(
            _paged(sure, total) if kind == PAGED else _reasons(group, sure, measured, total, spec)
        ),
        is_active=is_active(max(each.spike.monotonic_ns for each in group)),
        worst_ms=max(each.spike.duration_ms for each in group),
        kind=kind,
    )
    return finding, found


def _told(each: Explained) -> Blame:
    """What is told of a stutter that has an answer."""
    return each.beside or each.blames[0]


def _kind(group: Sequence[Explained], sure: Sequence[Explained], spec: CauseSpec) -> str:
    if spec.id == SWAP_THRASH and sure and all(map(_is_unread, sure)):
        return PAGED
    if spec.id == DROPPED and _are_most(lambda each: not each.met.dropped, sure):
        return EVICTED
    if spec.id == SATURATED and is_shared([each.met for each in group]):
        return SHARED
    is_limited = _IS_LIMITED.get(spec.id)
    is_limit = is_limited is not None and _are_most(is_limited, sure or group)
    return OWN_LIMIT if is_limit else "" if sure else BUSY


def _are_most(is_so: Callable[[Explained], bool | None], group: Sequence[Explained]) -> bool:
    """Whether it is so of most of which it is known, if that is of a good part.

    A limit that is set and taken away again is read once a second, and may be missed.
    """
    known = [told for each in group if (told := is_so(each)) is not None]
    return 2 * sum(known) > len(known) >= _GOOD_PART * len(group)


def _is_unread(each: Explained) -> bool:
    """Whether its memory came back without a wait that anything counts."""
    return paged_ms(each.met) > 0.0 and not is_swap(each.met)


def _has_no_core(each: Explained) -> bool:
    """Whether the game's own limit held it back from a core."""
    return each.met.held_ms > 0.0


def _has_no_drive(each: Explained) -> bool | None:
    """Whether its own limit held its requests back: the drive never saw most of the wait.

    None where none was seen meanwhile. The kernel keeps what exceeds it before there is a request
    (block/blk-throttle.c).
    """
    return None if each.met.drive_limit is None else each.met.is_limited(_told(each).ms)


_IS_LIMITED: Mapping[str, Callable[[Explained], bool | None]] = {
    RUN_QUEUE_DELAY: _has_no_core,
    SLOW_DEVICE: _has_no_drive,
}


def _confidence(sure: Sequence[Explained], total: int) -> Confidence:
    """One wait among many stutters is told, but proves little; what was only busy never does."""
    is_enough = len(sure) >= _ENOUGH or (bool(sure) and total <= _FEW)
    return Confidence.MEDIUM if is_enough else Confidence.LOW


def _reasons(
    group: Sequence[Explained],
    sure: Sequence[Explained],
    measured: int,
    total: int,
    spec: CauseSpec,
) -> tuple[Statement, ...]:
    part = limit_part(group)
    if spec.id == SLOW_DEVICE and _kind(group, sure, spec) == OWN_LIMIT:
        part = (Statement("reason.drive_limit"),)
    if spec.id == DROPPED:
        told = "reason.evicted" if _kind(group, sure, spec) == EVICTED else "reason.dropped"
        return (Statement(told, {"met": len(group), "total": total}),)
    if spec.id == SATURATED:
        return _drawn(group, total)
    if measured:
        return (Statement("reason.direct"), *part)
    if spec.id == CPU_STEAL:
        share = max(each.met.share(each.met.steal_ms) for each in group)
        return (Statement("reason.stolen", {"share_pct": 100.0 * share}),)
    if part and not sure:
        return part
    return (*_seen(group, sure, total, spec), *part)


def _seen(
    group: Sequence[Explained], sure: Sequence[Explained], total: int, spec: CauseSpec
) -> tuple[Statement, ...]:
    """Which looks speak for it: at whose threads, or at a group that was busy meanwhile."""
    behind = [each for each in sure if is_behind_reclaim(each.met)]
    if spec.group is Group.MEMORY and 2 * len(behind) > len(sure):
        return (Statement("reason.behind_reclaim", {"met": len(behind), "total": total}),)
    threads: dict[str, int] = {}
    for each in sure or group:
        if thread := _told(each).thread:
            name = thread.partition(" ")[2]
            threads[name] = threads.get(name, 0) + 1
    if not sure and not threads:
        values = {"met": len(group), "total": total, "busy": spec.group.value}
        # A group of its own would have told; nobody needs it where the wait was seen elsewhere.
        is_open = all(
            each.met.own_ms is None and each.blames[0].where is not WhereTimeWent.ELSEWHERE
            for each in group
        )
        told = "reason.busy" if is_open else "reason.met"
        return (Statement(told, values),)
    if not threads:
        return (Statement("reason.seen", {"met": len(sure), "total": total}),)
    thread = max(threads, key=lambda name: threads[name])
    values = {"thread": thread, "met": threads[thread], "total": total}
    return (Statement("reason.seen.thread", values),)


def _drawn(group: Sequence[Explained], total: int) -> tuple[Statement, ...]:
    """How long the card worked in the stutter in which it worked longest, and what is usual."""
    most = max(group, key=lambda each: each.met.card.ms if each.met.card else 0.0)
    card = most.met.card
    if card is None:
        return ()
    values = {
        "met": len(group),
        "total": total,
        "card_ms": card.ms,
        "of_ms": most.spike.duration_ms,
        "usual_pct": 100.0 * card.usual,
    }
    return (Statement("reason.drawn", values),)


def _paged(sure: Sequence[Explained], total: int) -> tuple[Statement, ...]:
    """How long the kernel brought memory of the game back, and for how many of the stutters."""
    kernel_ms = max(paged_ms(each.met) for each in sure)
    values = {"met": len(sure), "total": total, "kernel_ms": kernel_ms}
    return (Statement("reason.paged", values),)


def limit_part(group: Sequence[Explained]) -> tuple[Statement, ...]:
    """That the game's own limit is only a part of the reason for some of these stutters."""
    parts = [each.limit_part for each in group if each.limit_part is not None]
    if not parts:
        return ()
    held_ms = max(each.ms for each in parts)
    values = {"met": len(parts), "total": len(group), "held_ms": held_ms}
    return (Statement("reason.limit_part", values),)


def _limited_drive(group: Sequence[Explained]) -> tuple[Culprit, ...]:
    """The drive that the group's limit is for, where that was recorded."""
    limits = (each.met.drive_limit for each in group)
    drive = next((limit.drive for limit in limits if limit is not None and limit.drive), "")
    return (Culprit("device", drive),) if drive else ()


def culprits_of(group: Sequence[Explained], cause: str) -> tuple[Culprit, ...]:
    """Who was busy at these stutters, of the programs that the cause asks for, most first."""
    told: dict[str, list[Culprit]] = {}
    for each in group:
        for culprit in each.culprits.get(cause, ()):
            told.setdefault(culprit.comm, []).append(culprit)
    named = _not_by_chance([(len(seen), at_its_worst(seen)) for seen in told.values()])
    measured = max((count for count, each in named if not each.only_started), default=0)
    # Who started something at one of seven stutters, as another program worked at all of them, is
    # somebody else's shell.
    seen = [pair for pair in named if not pair[1].only_started or pair[0] * _AS_OFTEN >= measured]
    ranked = sorted(seen, key=lambda pair: (pair[1].only_started, -pair[0]))
    return weighty(culprit for _, culprit in ranked)[:MOST_CULPRITS]


def _not_by_chance(named: Sequence[tuple[int, Culprit]]) -> list[tuple[int, Culprit]]:
    """Without programs that were seen at one stutter, where another one came with several."""
    most = max((count for count, each in named if each.what == "process"), default=0)
    return [
        (count, each)
        for count, each in named
        if each.what != "process" or count >= _ENOUGH or most <= _ENOUGH
    ]


def name_culprits(
    each: Explained, specs: Mapping[str, CauseSpec], witness: Witness | None, game_pid: str
) -> None:
    """Note who was busy at that time, for the causes that a stutter may have."""
    running = () if witness is None else witness.processes
    each.own_programs = frozenset(process.comm for process in running if process.is_game)
    for blame in each.blames:
        cause = nearest_cause(blame, each.met)
        spec = None if cause is None else specs.get(cause)
        if spec is not None and spec.id == "shader_compilation":
            each.culprits[spec.id] = (_thread(blame),)
        if spec is not None and spec.id == SATURATED:
            each.culprits[spec.id] = others_on_card(each.met)
        elif spec is not None and blame.where in GROUP_OF:
            subject = (
                each.met.drive if blame.where is WhereTimeWent.STORAGE and each.met.drive else None
            )
            # Memory goes to swap by itself where some had to be freed; else somebody sent it.
            kind = PAGED if spec.id == SWAP_THRASH and not each.met.freed else ""
            signal = Signal(1.0, (), subject, kind=kind)
            # A drive that is known to fall asleep has that as its cause, and is the culprit.
            for asleep in ASLEEP if spec.id == SLOW_DEVICE else ():
                each.culprits[asleep] = specs[asleep].suspects(signal, witness)
            suspects = spec.suspects(signal, _without_partner(witness, blame))
            if spec.id == SLOW_DEVICE and not each.met.has_strangers:
                suspects = tuple(one for one in suspects if one.what == "device")
            each.culprits[spec.id] = _realtime(spec, each.met, game_pid) + suspects


def _without_partner(witness: Witness | None, blame: Blame) -> Witness | None:
    """The same look without the process for which the game waited: it did not hold itself up."""
    if witness is None or not blame.partner:
        return witness
    pid = int(blame.partner.partition(" ")[0])
    others = tuple(each for each in witness.processes if each.pid != pid)
    return replace(witness, processes=others)


def _realtime(spec: CauseSpec, met: Circumstances, game_pid: str) -> tuple[Culprit, ...]:
    """The real-time thread that ran within the stutter: no look at processes is as exact."""
    label, ms = met.realtime
    if spec.id != "rt_runaway" or not label:
        return ()
    number, _, name = label.partition(" ")
    pid = number.partition("/")[0]
    is_own = pid == game_pid
    share = Statement(
        "culprit.realtime.stutter.own" if is_own else "culprit.realtime.stutter",
        {"cpu_pct": 100.0 * met.share(ms)},
    )
    return (Culprit("realtime", name, int(pid), share),)


def _thread(blame: Blame) -> Culprit:
    """The thread of the game that it is about."""
    number, _, name = blame.thread.partition(" ")
    return Culprit("thread", name, int(number), Statement("culprit.own_thread"))


def sure_spikes(explained: Iterable[Explained]) -> dict[int, Explained]:
    """The stutters of which it is known where their time went, by their end."""
    return {
        each.spike.monotonic_ns: each
        for each in explained
        if each.first is not None and each.first.certainty > Certainty.POSSIBLE
    }
