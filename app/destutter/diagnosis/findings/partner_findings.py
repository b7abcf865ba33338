# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said of stutters in which a process was held up for which the game waited.

Such a process is a victim as the game is: it is named as the one that was waited for, and never
as the one that did it. That it was the game's reason is seen and not measured, so that no finding
that rests mostly on it is more than likely.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from destutter.core.metric_table import METRIC_BY_ID
from destutter.core.statement import Statement, Value
from destutter.diagnosis.blame.blame import Blame, Certainty, WhereTimeWent
from destutter.diagnosis.blame.partner_blame import MOSTLY_DELAYED
from destutter.diagnosis.circumstances.circumstances import Circumstances
from destutter.diagnosis.circumstances.thread_looks import UNTIMED
from destutter.diagnosis.finding import Confidence, Evidence, Finding, Group
from destutter.diagnosis.findings.explained import Explained
from destutter.diagnosis.findings.order import Matched
from destutter.diagnosis.findings.wait_evidence import PART_MS_PER_S
from destutter.diagnosis.shares import A_GOOD_PART, BEYOND_USUAL

_DELAY, _STORAGE = "partner.run_delay_ms_per_s", "partner.in_storage"
_SEEN = "reason.seen"
_PARTNERS_OWN = (
    WhereTimeWent.PARTNER_STOPPED,
    WhereTimeWent.PARTNER_WORK,
    WhereTimeWent.PARTNER_HELD,
)
_BEHIND = {WhereTimeWent.CPU: "reason.partner.cpu", WhereTimeWent.STORAGE: "reason.partner.io"}
ANSWERED = "answered"
WORKER_ANSWERED = f"worker_{ANSWERED}"
WATCHED = "watched"


def with_partners(found: Matched, known: Sequence[Explained]) -> Matched:
    """The same, where partners of the game were what it waited for in some of its stutters."""
    finding, how = found
    times = {spike.monotonic_ns for spike in how.explained}
    mine = [each for each in known if each.spike.monotonic_ns in times]
    pids = {partner for each in mine for partner in _victims(each)}
    culprits = tuple(each for each in finding.culprits if each.pid not in pids)
    met = _held_up(finding, mine)
    if not met:
        return (replace(finding, culprits=culprits), how) if pids else found
    worst = max(met, key=lambda each: each.blames[0].ms)
    told = Statement(
        _BEHIND[worst.blames[0].where],
        {
            "partner": named(worst.blames[0]),
            "bond": _bond(worst.blames[0], worst.met),
            "met": len(met),
            "total": len(times),
        },
    )
    # What was found of the game itself was the partner's, where nothing else is left.
    is_all = len(met) == len(times)
    reasons = tuple(each for each in finding.reasons if not (is_all and each.id == _SEEN))
    is_likely = 2 * len(met) > len(times) and finding.confidence is Confidence.HIGH
    return (
        replace(
            finding,
            culprits=culprits,
            reasons=(told, *reasons),
            evidence=(*_evidence(worst), *finding.evidence),
            confidence=Confidence.MEDIUM if is_likely else finding.confidence,
        ),
        how,
    )


def who(finding: Finding, known: Sequence[Explained], game: str) -> Value:
    """Who waited, for the sentence about a finding: the game, or a partner for which it waited."""
    met = _held_up(finding, known)
    if 2 * len(met) <= sum(_is_of(each, finding) for each in known):
        return game
    ((partner, _),) = Counter(named(each.blames[0]) for each in met).most_common(1)
    return Statement("verdict.partner", {"partner": partner, "who": game})


def told_of_partner(
    where: WhereTimeWent, own: Sequence[tuple[Blame, Explained]]
) -> tuple[str, dict[str, Value]] | None:
    """The words for stutters in which a partner stood still or computed, or was waited for at a
    pipe or socket, or nobody could be seen for whom the game's only thread waited; None for all
    others.
    """
    mine = [pair for pair in own if pair[0].where is where]
    answered = Counter(named(blame) for blame, _ in mine if blame.partner)
    if where in (WhereTimeWent.SOCKET, WhereTimeWent.PIPE) and 2 * answered.total() > len(mine):
        values: dict[str, Value] = {"partner": _with_its_wait(answered.most_common(1)[0][0], mine)}
        guesses = sum(blame.certainty is Certainty.POSSIBLE for blame, _ in mine)
        if 2 * guesses > len(mine):
            return WATCHED, values
        workers = Counter(blame.thread.partition(" ")[2] for blame, _ in mine if blame.is_awaited)
        if 2 * workers.total() <= len(mine):
            return ANSWERED, values
        return WORKER_ANSWERED, {**values, "thread": workers.most_common(1)[0][0]}
    if where in _PARTNERS_OWN:
        ((name, _),) = Counter(named(blame) for blame, _ in mine).most_common(1)
        alike = [pair for pair in mine if named(pair[0]) == name]
        blame, each = max(alike, key=lambda pair: pair[0].ms)
        values = {"partner": name, "bond": _bond(blame, each.met)}
        if where is WhereTimeWent.PARTNER_WORK:
            values |= {"run_ms": blame.ms, "of_ms": each.spike.duration_ms}
        return where.value, values
    is_alone = where is WhereTimeWent.HANDED_ON and all(each.met.threads == 1 for _, each in own)
    if not is_alone:
        return None
    untimed = sum(_is_untimed(each.met) for _, each in mine)
    return ("handed_on_shared" if 2 * untimed > len(mine) else "handed_on_alone"), {}


def _with_its_wait(name: str, mine: Sequence[tuple[Blame, Explained]]) -> Value:
    """The name of a process, with what it waited for itself in most of these stutters.

    Between a game and the network there may be a bridge that is as late as what it asks; whoever
    sleeps for an answer while the game waits for its own does not wait for the game.
    """
    met = [
        one
        for blame, each in mine
        if named(blame) == name
        for one in each.met.partners
        # Of a server with several threads the first waits for whoever calls, while others work.
        if str(one.pid) == blame.partner.partition(" ")[0]
        and each.met.share(one.run_ms) < BEYOND_USUAL
    ]
    for id_, looks in (
        ("verdict.partner.asks", [one.asking >= A_GOOD_PART * one.looks > 0 for one in met]),
        ("verdict.partner.naps", [one.napping >= A_GOOD_PART * one.looks > 0 for one in met]),
    ):
        if 2 * sum(looks) > len(met):
            return Statement(id_, {"partner": name})
    return name


def named(blame: Blame) -> str:
    """The name of the process for which the game waited."""
    return blame.partner.partition(" ")[2]


def _bond(blame: Blame, met: Circumstances) -> Statement:
    """What joins the game to the process for which it waited."""
    pid = blame.partner.partition(" ")[0]
    is_at_end = any(each.is_at_end for each in met.partners if str(each.pid) == pid)
    return Statement("verdict.bond.end" if is_at_end else "verdict.bond.memory")


def _is_untimed(met: Circumstances) -> bool:
    """Whether all looks found a futex that has no time of its own."""
    return met.asleep.get(UNTIMED, 0) >= met.asleep.get("futex", 0) > 0


def _held_up(finding: Finding, known: Sequence[Explained]) -> list[Explained]:
    return [
        each
        for each in known
        if each.first is not None
        and each.first.partner
        and each.first.where in _BEHIND
        and _is_of(each, finding)
    ]


def _is_of(each: Explained, finding: Finding) -> bool:
    """Whether a stutter's answer is that of a finding, be the drive told under another cause."""
    is_storage = each.first is not None and each.first.where is WhereTimeWent.STORAGE
    return each.cause == finding.cause or (is_storage and finding.group is Group.STORAGE)


def _victims(each: Explained) -> set[int]:
    """The partners that were waited for, or waited longer for a core than they had one."""
    waited = {int(blame.partner.partition(" ")[0]) for blame in each.blames if blame.partner}
    delayed = {
        one.pid
        for one in each.met.partners
        if one.delay_ms > one.run_ms and each.met.share(one.delay_ms) >= MOSTLY_DELAYED
    }
    return waited | delayed


def _evidence(worst: Explained) -> tuple[Evidence, ...]:
    blame, at_ns = worst.blames[0], worst.spike.monotonic_ns
    number = blame.partner.partition(" ")[0]
    partner = next(each for each in worst.met.partners if str(each.pid) == number)
    if blame.where is WhereTimeWent.CPU:
        delay = min(1e3 * worst.met.share(blame.ms), 1e3)
        unit = METRIC_BY_ID[_DELAY].unit
        return (Evidence(_DELAY, unit, delay, PART_MS_PER_S, at_ns, partner.delayed),)
    return (Evidence(_STORAGE, "", 1.0, 1.0, at_ns, partner.sleeper),)
