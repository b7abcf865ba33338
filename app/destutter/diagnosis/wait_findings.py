# SPDX-License-Identifier: GPL-3.0-or-later
"""From what the game waited for within its stutters to findings, where no rule has spoken.

Rules have thresholds by the second, and know a cause by what it does to the whole computer. A wait
of the game that reaches none of them is a wait all the same: it is told under the nearest cause,
with the drive or the program beside it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from destutter.diagnosis.blame import AT_LIMIT_PER_S, GROUP_OF, Blame, Certainty, Where
from destutter.diagnosis.cause import CauseSpec, Signal
from destutter.diagnosis.circumstances import Circumstances
from destutter.diagnosis.correlator import Match
from destutter.diagnosis.finding import (
    BUSY,
    Confidence,
    Culprit,
    Evidence,
    Finding,
    Spike,
    Statement,
)
from destutter.diagnosis.rules_cpu import OWN_LIMIT
from destutter.diagnosis.rules_gpu import is_compiler
from destutter.diagnosis.witnesses import Witness

ASLEEP = ("nvme_power_state", "link_power")
"""Causes that make a drive slow after each rest, and are known after a few of them."""

_DROPPED = "dropped_caches"
_BEHIND = (Where.STORAGE, Where.MEMORY)
_TIMES = 10.0
_OTHER_BYTES_PER_S = 8 * 1024.0 * 1024.0
_SOME_SWAP_INS = 5.0
_LIMIT_HITS_PER_S = 5.0
_GOOD_PART = 0.3
_LITTLE = 0.5  # of a wait: a drive that worked longer was slow as well
_SLOW_REQUEST_MS = 25.0  # a hard disk that is awake turns and seeks in 8 to 15 ms
_ENOUGH = 2
_FEW = 3
_MOST_CULPRITS = 3
_MOST_EVIDENCE = 4


@dataclass
class Explained:
    """One stutter with what it met: kept while the stutter is, for the log forgets sooner."""

    spike: Spike
    met: Circumstances
    blames: tuple[Blame, ...]
    culprits: dict[str, tuple[Culprit, ...]] = field(default_factory=dict)
    asleep: str = ""
    """The cause that makes its drive slow after each rest; empty where none is known."""

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
        behind = next((each for each in self.blames if each.where in _BEHIND), None)
        return behind or self.limit_part

    @property
    def limit_part(self) -> Blame | None:
        """What the game's own limit for the processor withheld of a stutter that it filled more
        with its own work.
        """
        if self.first is None or self.first.where is not Where.OWN_WORK or not self.met.held_ms:
            return None
        return next((each for each in self.blames if each.where is Where.CPU), None)

    @property
    def told_cause(self) -> str | None:
        """The nearest cause of what is told of this stutter, be it only beside."""
        return self.cause or self._cause_of(self.beside)

    def _cause_of(self, blame: Blame | None) -> str | None:
        cause = None if blame is None else nearest_cause(blame, self.met)
        return self.asleep if cause == "slow_device" and self.asleep else cause


def nearest_cause(blame: Blame, met: Circumstances) -> str | None:
    """The cause that comes nearest to a wait; None for what is no cause of the computer's."""
    if blame.where is Where.STORAGE:
        return _of_storage(met)
    if blame.where is Where.MEMORY:
        return _of_memory(met)
    if blame.where in (Where.OWN_WORK, Where.OWN_CROWD) and is_compiler(blame.thread):
        return "shader_compilation"
    return _of_cpu(met) if blame.where is Where.CPU else None


def _of_storage(met: Circumstances) -> str:
    if _is_swap(met):
        return "swap_thrash"
    if met.limit_hits >= AT_LIMIT_PER_S and met.faults:
        return "memcg_reclaim"  # what its own limit dropped has to come again
    if met.seen.get("dirty", 0) > max(met.seen.get("io", 0), met.seen.get("journal", 0)):
        return "dirty_throttling"
    others = met.drive_bytes - met.own_bytes
    seconds = max(met.duration_ms / 1e3, 0.1)
    if others >= max(_TIMES * met.own_bytes, _OTHER_BYTES_PER_S * seconds):
        return "io_unfairness"
    is_reading = not (met.is_write or met.seen.get("journal") or met.seen.get("dirty"))
    if met.dropped and is_reading:
        return _DROPPED
    if met.seen.get("journal", 0) > met.seen.get("io", 0) and not commits_slowly(met):
        return "filesystem_commit"
    return "slow_device"


def commits_slowly(met: Circumstances) -> bool:
    """Whether a commit took long because the drive did for each of its few requests.

    Otherwise it took long because there was much to write, or others had as much.
    """
    return met.request_ms >= _SLOW_REQUEST_MS


def _of_memory(met: Circumstances) -> str:
    if _is_swap(met):
        return "swap_thrash"
    if met.limit_hits >= _LIMIT_HITS_PER_S and met.allocstalls < met.limit_hits:
        return "memcg_reclaim"
    if met.compactions and met.compactions >= met.allocstalls:
        return "compaction_stall"
    if met.allocstalls or met.reclaimed:
        return "direct_reclaim"
    # Neither freed by the game nor brought back from swap: what was dropped had to come again.
    return "slow_device" if met.faults else "kswapd_overwhelmed"


def _is_swap(met: Circumstances) -> bool:
    return met.swap_ins >= _SOME_SWAP_INS and met.faults > 0


def _of_cpu(met: Circumstances) -> str:
    if met.share(met.realtime[1]) >= _GOOD_PART:
        return "rt_runaway"
    is_by_host = met.share(met.steal_ms) >= _GOOD_PART
    return "cpu_steal" if is_by_host else "run_queue_delay"


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
    measured = sum(_told(each).certainty is Certainty.MEASURED for each in sure)
    found = Match(
        explained=tuple(each.spike for each in group),
        moments=(),
        met=len(group),
        direct=measured,
        share=0.0,
        chance=1.0,
    )
    kind = _kind(group, sure, spec)
    finding = Finding(
        cause=spec.id,
        group=spec.group,
        confidence=_confidence(sure, total),
        stutters_explained=len(group),
        stutters_total=total,
        first_ns=min(each.spike.start_ns for each in group),
        last_ns=max(each.spike.monotonic_ns for each in group),
        evidence=_evidence(worst),
        culprits=() if kind == OWN_LIMIT else _culprits(group, spec.id),
        reasons=_reasons(group, sure, measured, total, spec),
        is_active=is_active(max(each.spike.monotonic_ns for each in group)),
        worst_ms=max(each.spike.duration_ms for each in group),
        kind=kind,
    )
    return finding, found


def _told(each: Explained) -> Blame:
    """What is told of a stutter that has an answer."""
    return each.beside or each.blames[0]


def _kind(group: Sequence[Explained], sure: Sequence[Explained], spec: CauseSpec) -> str:
    is_limited = _IS_LIMITED.get(spec.id)
    is_limit = is_limited is not None and all(map(is_limited, sure or group))
    return OWN_LIMIT if is_limit else "" if sure else BUSY


def _has_no_core(each: Explained) -> bool:
    """Whether the game's own limit held it back from a core."""
    return each.met.held_ms > 0.0


def _has_no_drive(each: Explained) -> bool:
    """Whether its own limit held its requests back: the drive never saw most of the wait.

    The kernel keeps what exceeds it before there is a request (block/blk-throttle.c).
    """
    worked_ms = max(each.met.drive_ms or 0.0, each.met.await_ms)
    return bool(each.met.io_limits) and worked_ms < _LITTLE * _told(each).ms


_IS_LIMITED: Mapping[str, Callable[[Explained], bool]] = {
    "run_queue_delay": _has_no_core,
    "slow_device": _has_no_drive,
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
    if spec.id == _DROPPED:
        return (Statement("reason.dropped", {"met": len(group), "total": total}),)
    if measured:
        return (Statement("reason.direct"), *part)
    if part and not sure:
        return part
    threads: dict[str, int] = {}
    for each in sure or group:
        if thread := _told(each).thread:
            name = thread.partition(" ")[2]
            threads[name] = threads.get(name, 0) + 1
    if not sure and not threads:
        values = {"met": len(group), "total": total, "busy": spec.group.value}
        # A group of its own would have told; nobody needs it where the wait was seen elsewhere.
        is_open = all(
            each.met.own_ms is None and each.blames[0].where is not Where.ELSEWHERE
            for each in group
        )
        told = "reason.busy" if is_open else "reason.met"
        return (Statement(told, values),)
    if not threads:
        return (Statement("reason.seen", {"met": len(sure), "total": total}),)
    thread = max(threads, key=lambda name: threads[name])
    values = {"thread": thread, "met": threads[thread], "total": total}
    return (Statement("reason.seen.thread", values),)


def limit_part(group: Sequence[Explained]) -> tuple[Statement, ...]:
    """That the game's own limit is only a part of the reason for some of these stutters."""
    parts = [each.limit_part for each in group if each.limit_part is not None]
    if not parts:
        return ()
    held_ms = max(each.ms for each in parts)
    values = {"met": len(parts), "total": len(group), "held_ms": held_ms}
    return (Statement("reason.limit_part", values),)


def _evidence(worst: Explained) -> tuple[Evidence, ...]:
    """What the game waited, and what the drive or the kernel did meanwhile, at the worst."""
    met, blame, at_ns = worst.met, _told(worst), worst.spike.monotonic_ns
    found: list[Evidence] = []

    def add(metric: str, unit: str, value: float, least: float, name: str | None = None) -> None:
        # What stayed below its own threshold does not speak for the finding.
        if value >= least:
            found.append(Evidence(metric, unit, value, least, at_ns, name))

    percent = 100.0 / met.duration_ms if met.duration_ms else 0.0
    resource = "io" if blame.where is Where.STORAGE else blame.where.value
    if blame.where is not Where.CPU:
        if met.own_ms is not None:
            own = met.own_ms.get(resource, 0.0) * percent
            add("game.pressure_some_pct", "%", own, 40.0, resource)
    else:
        delay = min(_per_second(met, met.delayed[1]), 1000.0)  # of one thread
        metric = "worker.run_delay_ms_per_s" if met.delayed[0] else "game.run_delay_ms_per_s"
        add(metric, "ms/s", delay, 400.0, met.delayed[0] or None)
        add(
            "realtime.run_ms_per_s",
            "ms/s",
            _per_second(met, met.realtime[1]),
            300.0,
            met.realtime[0] or None,
        )
    if blame.where is Where.STORAGE:
        metric = "disk.write_await_ms" if met.is_write else "disk.read_await_ms"
        add(metric, "ms", met.await_ms, 20.0, met.drive or None)
        add("game.major_faults_per_s", "/s", _per_second(met, met.faults), 20.0)
    if blame.where is Where.MEMORY:
        add("memory.allocstall_per_s", "/s", _per_second(met, met.allocstalls), 5.0)
        add("cgroup.limit_events_per_s", "/s", met.limit_hits, 5.0)
        add("memory.compact_stall_per_s", "/s", _per_second(met, met.compactions), 1.0)
    add("pressure.some_pct", "%", met.lost_ms.get(resource, 0.0) * percent, 40.0, resource)
    if blame.thread and met.waiters.get(blame.thread):
        add("thread.waiting", "", 1.0, 1.0, blame.thread)
    return tuple(found[:_MOST_EVIDENCE])


def _per_second(met: Circumstances, count: float) -> float:
    return count / met.duration_ms * 1e3 if met.duration_ms else 0.0


def _culprits(group: Sequence[Explained], cause: str) -> tuple[Culprit, ...]:
    named: dict[str, tuple[int, Culprit]] = {}
    for each in group:
        for culprit in each.culprits.get(cause, ()):
            key = culprit.comm
            count, first = named.get(key, (0, culprit))
            named[key] = (count + 1, first)
    ranked = sorted(named.values(), key=lambda pair: -pair[0])
    return tuple(culprit for _, culprit in ranked[:_MOST_CULPRITS])


def name_culprits(
    each: Explained, specs: Mapping[str, CauseSpec], witness: Witness | None
) -> None:
    """Note who was busy at that time, for the causes that a stutter may have."""
    for blame in each.blames:
        cause = nearest_cause(blame, each.met)
        spec = None if cause is None else specs.get(cause)
        if spec is not None and spec.id == "shader_compilation":
            each.culprits[spec.id] = (_thread(blame),)
        if spec is not None and blame.where in GROUP_OF:
            subject = each.met.drive if blame.where is Where.STORAGE and each.met.drive else None
            signal = Signal(1.0, (), subject)
            # A drive that is known to fall asleep has that as its cause, and is the culprit.
            for asleep in ASLEEP if spec.id == "slow_device" else ():
                each.culprits[asleep] = specs[asleep].suspects(signal, witness)
            each.culprits[spec.id] = _realtime(spec, each.met) + spec.suspects(signal, witness)


def _realtime(spec: CauseSpec, met: Circumstances) -> tuple[Culprit, ...]:
    """The real-time thread that ran within the stutter: no look at processes is as exact."""
    label, ms = met.realtime
    if spec.id != "rt_runaway" or not label:
        return ()
    number, _, name = label.partition(" ")
    share = Statement("culprit.realtime.stutter", {"cpu_pct": 100.0 * met.share(ms)})
    return (Culprit("realtime", name, int(number.partition("/")[0]), share),)


def _thread(blame: Blame) -> Culprit:
    """The thread of the game that it is about."""
    number, _, name = blame.thread.partition(" ")
    return Culprit("thread", name, int(number))


def sure_spikes(explained: Iterable[Explained]) -> dict[int, Explained]:
    """The stutters of which it is known where their time went, by their end."""
    return {
        each.spike.monotonic_ns: each
        for each in explained
        if each.first is not None and each.first.certainty > Certainty.POSSIBLE
    }
