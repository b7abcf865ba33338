# SPDX-License-Identifier: GPL-3.0-or-later
"""The words for where stutters went that have no cause of the computer's."""

from collections import Counter, defaultdict
from collections.abc import Sequence

from destutter.core.statement import Value
from destutter.diagnosis.blame.blame import GROUP_OF, Blame, WhereTimeWent
from destutter.diagnosis.circumstances.kernel_time import kernel_ms
from destutter.diagnosis.finding import Group
from destutter.diagnosis.findings.explained import Explained, main_thread
from destutter.diagnosis.findings.partner_findings import (
    ANSWERED,
    WATCHED,
    WORKER_ANSWERED,
    told_of_partner,
)
from destutter.diagnosis.findings.time_lost import spike_weight_ms
from destutter.diagnosis.verdict.holders import kept_by

LEAST_KNOWN = 3
"""One in so many has to be known to speak of all of them."""

OWN_BUSINESS = {
    WhereTimeWent.OWN_WORK: "own_work",
    WhereTimeWent.STOPPED: "stopped",
    WhereTimeWent.MAPS: "maps",
    WhereTimeWent.SOCKET: "socket",
    WhereTimeWent.PIPE: "pipe",
    WhereTimeWent.GPU: "gpu",
    WhereTimeWent.OWN_CROWD: "own_crowd",
    WhereTimeWent.TIMER: "timer",
    WhereTimeWent.HANDED_ON: "handed_on",
    WhereTimeWent.ELSEWHERE: "elsewhere",
    WhereTimeWent.HELD: "held_back",
    WhereTimeWent.FROZEN: "frozen",
    WhereTimeWent.PARTNER_STOPPED: "partner_stopped",
    WhereTimeWent.PARTNER_WORK: "partner_work",
    WhereTimeWent.PARTNER_HELD: "partner_held",
}
"""Where the time of a stutter can go without a cause of the computer's, and the words for it."""

BESIDE = frozenset(
    {"own_work", "socket", "pipe", "worker_socket", "worker_pipe"}
    | {ANSWERED, WATCHED, WORKER_ANSWERED}
)
"""What has other words where something else may stand behind it."""

_HELD_BY_FILE = tuple(
    f"{place}_{how}"
    for place in ("elsewhere", "worker_elsewhere")
    for how in ("locks", "locks_untold", "serves", "serves_untold")
)
"""Waits for whoever has a file's lock, or answers for its file system."""

_CHILDREN = tuple(
    f"{place}_child{untold}"
    for place in ("elsewhere", "worker_elsewhere")
    for untold in ("", "_untold")
)
"""Waits for a program that the game has started."""

_STOPPED = ("stopped", "stopped_traces", "stopped_traces_untold")
"""The game stood still because somebody else wanted it to."""

UNSEEN = "unseen"
OPEN = (UNSEEN, OWN_BUSINESS[WhereTimeWent.HANDED_ON], "handed_on_alone", "handed_on_shared")
"""Whoever the main thread waited for may have waited for anything: a guess is the best answer."""

HEADLINES = {
    **dict.fromkeys(("own_work", "own_work_limit", "own_work_brief", "own_crowd"), "own"),
    "own_work.busy": "own",  # it ran all the while; what it may have asked for stands below
    "own_kernel_fresh": "own",
    **dict.fromkeys(("timer", "worker_timer"), "slept"),
    **dict.fromkeys(("own_kernel_faults", "own_kernel_calls"), "kernel"),
    **dict.fromkeys(("socket", "worker_socket", "pipe", "worker_pipe"), "program"),
    **dict.fromkeys((ANSWERED, WATCHED, WORKER_ANSWERED), "program"),
    **dict.fromkeys(("maps", "maps_own", "maps_reads"), "map"),
    **dict.fromkeys(("elsewhere", "worker_elsewhere"), "held"),
    **dict.fromkeys(_HELD_BY_FILE, "held"),
    **dict.fromkeys(("gpu", "worker_gpu"), "card"),
    **dict.fromkeys(("held_back", "worker_held_back"), "above"),
    **dict.fromkeys(("frozen", "worker_frozen"), "frozen"),
    **dict.fromkeys(("partner_stopped", "partner_work", "partner_held"), "partner"),
    **dict.fromkeys(_CHILDREN, "partner"),
    **dict.fromkeys(_STOPPED, "stopped"),
}
"""What the headline says where the line below it says where the time went."""


def own_business(known: Sequence[Explained]) -> tuple[str, dict[str, Value]]:
    """The words for where most of the lost time went by the game's own doing; else not seen."""
    told, values = _own_business(known)
    return told, values | main_thread(known)


def _own_business(known: Sequence[Explained]) -> tuple[str, dict[str, Value]]:
    own = [
        (each.first, each)
        for each in known
        if each.first is not None and each.first.where in OWN_BUSINESS
    ]
    where = _where_most(own, known)
    if where is None:
        return UNSEEN, {}
    count = sum(blame.where is where for blame, _ in own)
    values: dict[str, Value] = {}
    told = OWN_BUSINESS[where]
    workers = Counter(
        blame.thread for blame, _ in own if blame.where is where and blame.is_awaited
    )
    if where is not WhereTimeWent.OWN_WORK and 2 * workers.total() > count:
        told = f"worker_{told}"
        values["thread"] = workers.most_common(1)[0][0].partition(" ")[2]
    of_partner = told_of_partner(where, own)
    if of_partner is not None:
        return of_partner
    how, holder = kept_by(where, [each.met for blame, each in own if blame.where is where])
    if how:
        told += f"_{how}" if holder else f"_{how}_untold"
        values |= {"holder": holder} if holder else {}
    if where is WhereTimeWent.OWN_CROWD:
        values["cores"] = max(each.met.cores for blame, each in own if blame.where is where)
    precisely = {WhereTimeWent.OWN_WORK: _by_kernel, WhereTimeWent.MAPS: _by_map}.get(where)
    if precisely is not None and not how and (found := precisely(own)) is not None:
        return found
    if where is WhereTimeWent.OWN_WORK:
        mine = [pair for pair in own if pair[0].where is where]
        brief = [pair for pair in mine if pair[0].is_brief]
        is_brief = 2 * len(brief) > count
        parts = [pair for pair in mine if pair[1].limit_part is not None]
        is_limited = 2 * len(parts) >= count
        told_of = brief if is_brief else parts if is_limited else mine
        blame, each = max(told_of, key=lambda pair: pair[0].ms)
        # Without a name it is the main thread.
        values = {"run_ms": blame.ms, "of_ms": each.spike.duration_ms}
        if blame.is_brief:
            return "own_work_brief", values
        values["thread"] = blame.thread.partition(" ")[2] or each.met.lead or "main"
        if is_limited:
            return "own_work_limit", {**values, "held_ms": each.met.held_ms}
    return told, values


def _where_most(
    own: Sequence[tuple[Blame, Explained]], known: Sequence[Explained]
) -> WhereTimeWent | None:
    """Where most of the lost time went of which anything is known; None for too little of all."""
    weights: defaultdict[WhereTimeWent, float] = defaultdict(float)
    for blame, each in own:
        weights[blame.where] += spike_weight_ms(each.spike)
    where, weight = max(weights.items(), key=lambda item: item[1], default=(None, 0.0))
    # Nobody looks at a game's threads while nobody waits, so of some nothing is known.
    answered = sum(spike_weight_ms(each.spike) for each in known if each.first is not None)
    whole = sum(spike_weight_ms(each.spike) for each in known)
    return None if 2 * weight < answered or LEAST_KNOWN * weight < whole else where


def _by_map(
    own: Sequence[tuple[Blame, Explained]],
) -> tuple[str, dict[str, Value]] | None:
    """The words for waits for the memory map while a thread of the game's own took memory or gave
    it back, for which the kernel locks the map (mmap_lock); None where none did in most of them.
    """
    mine = [each for blame, each in own if blame.where is WhereTimeWent.MAPS]
    threads = Counter(
        blame.thread.partition(" ")[2]
        for each in mine
        for blame in each.blames
        if blame.where is WhereTimeWent.OWN_WORK and blame.kernel is not None and blame.thread
    )
    is_own = 2 * threads.total() > len(mine)
    return ("maps_own", {"thread": threads.most_common(1)[0][0]}) if is_own else None


def _by_kernel(
    own: Sequence[tuple[Blame, Explained]],
) -> tuple[str, dict[str, Value]] | None:
    """The words for own work that was mostly the kernel's; None where the game computed."""
    mine = [pair for pair in own if pair[0].where is WhereTimeWent.OWN_WORK]
    counts = Counter(blame.kernel for blame, _ in mine if blame.kernel is not None)
    if 2 * counts.total() <= len(mine):
        return None
    kind = counts.most_common(1)[0][0]
    alike = (pair for pair in mine if pair[0].kernel is kind)
    _, each = max(alike, key=lambda pair: pair[0].ms)
    of_ms = each.spike.duration_ms
    return f"own_kernel_{kind}", {"kernel_ms": kernel_ms(each.met), "of_ms": of_ms}


def group_behind(known: Sequence[Explained], told: str) -> Group | None:
    """What was busy in most of the stutters that went into the game's own business so told."""
    place = told.removeprefix("worker_")
    places = ("socket", "pipe") if place in (ANSWERED, WATCHED) else (place,)
    own = [each for each in known if each.first and OWN_BUSINESS.get(each.first.where) in places]
    # What the trace told of the frames beside is no guess at what the main thread did in this one.
    behind = (each.beside for each in own)
    groups = Counter(GROUP_OF[one.where] for one in behind if one is not None and not one.kind)
    group, count = max(groups.items(), key=lambda item: item[1], default=(None, 0))
    return group if told in BESIDE and 2 * count >= len(own) else None
