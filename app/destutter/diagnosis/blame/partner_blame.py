# SPDX-License-Identifier: GPL-3.0-or-later
"""The answer for a stutter in which the game waited for another process."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from destutter.diagnosis.blame.stutter_answer import Blame, Certainty, WhereTimeWent
from destutter.diagnosis.circumstances.circumstances import Circumstances
from destutter.diagnosis.circumstances.partners import Partner
from destutter.diagnosis.shares import A_GOOD_PART, BEYOND_USUAL, CLEARLY_MOST

MOSTLY_DELAYED = 0.5  # of a stutter in a run queue: with less something else made most of it
_ENDS = ("pipe", "socket")
# Whoever waits for events may wait for anybody at whose pipe or socket it looks: only who was
# measured to be kept or to compute is told.
_MAY_BE_AT_ENDS = (*_ENDS, "events")
_ENOUGH_LOOKS = 2  # one that finds a thread in storage may have met it by chance
_SELDOM = 0.1  # of all time


def by_partner(met: Circumstances) -> Blame | None:
    """What a partner did, where the main thread waited for such a one in most of the looks.

    To be asked only where nothing is known of the game's own threads. Where the kernel told who
    woke them it is one of those: a program that shared a page with the game, which it only ever
    woke itself, was "what the game waited for".
    """
    waited_for = _waited_for(met, _MAY_BE_AT_ENDS) or _kept_at_ends(met)
    woke = frozenset() if met.main is None or met.traced is None else met.traced.programs
    waited_for = [each for each in waited_for if not woke or each.pid in woke]
    found = [blame for partner in waited_for for blame in _answers(partner, met)]
    return max(
        found,
        key=lambda each: (each.where is WhereTimeWent.PARTNER_STOPPED, each.certainty, each.ms),
        default=None,
    )


def polls(met: Circumstances) -> bool:
    """Whether the main thread slept on a timer again and again, far more often than usual, as who
    looks for an answer in memory does.
    """
    return met.polls or (met.on_timer and not met.in_one_sleep)


def at_end(met: Circumstances) -> str:
    """The process that answers where the main thread sleeps, as "PID NAME"; empty for none.

    Of several, as where nobody tells at which pipe it sleeps, it may be any.
    """
    found = [each for each in _waited_for(met, _ENDS) if each.is_at_end and each.looks]
    return f"{found[0].pid} {found[0].name}" if len(found) == 1 else ""


def watched_end(met: Circumstances) -> str:
    """The only process at the ends at which a main thread that waits for events looks."""
    found = [each for each in _waited_for(met, ("events",)) if each.is_at_end and each.looks]
    return f"{found[0].pid} {found[0].name}" if len(found) == 1 else ""


def _waited_for(met: Circumstances, ends: Sequence[str]) -> list[Partner]:
    """The partners of the kind for which the main thread waited in most of the looks.

    ``ends`` are the places that count as those of pipes and sockets.
    """
    least = A_GOOD_PART * met.looks
    in_memory = met.handed_on >= least > 0 or polls(met)
    _, place, times = met.kept
    main_times = sum(met.asleep.get(each, 0) for each in ends)
    at_ends = max(main_times, times if place in _ENDS else 0) >= least > 0
    return [each for each in met.partners if (at_ends if each.is_at_end else in_memory)]


def _kept_at_ends(met: Circumstances) -> list[Partner]:
    """Those at the other end of some pipe or socket of the game that stood still through nearly
    all of the stutter, and seldom do otherwise.

    A main thread that waits for a job that waits for a second one, which asks a server, is found
    in a futex, and which of 200 threads sleeps in the socket no look tells. That the server waits
    for a drive in 8 of 8 looks, and in none while all is well, is no chance.
    """
    thread, place, _ = met.kept
    if (
        (thread and place != "timer")
        or met.handed_on < CLEARLY_MOST * met.looks
        or not met.handed_on
    ):
        return []
    return [each for each in met.partners if each.is_at_end and _stands_still(each)]


def _stands_still(partner: Partner) -> bool:
    least = max(_ENOUGH_LOOKS, CLEARLY_MOST * partner.of_looks)
    is_in_storage = partner.in_storage >= least and partner.storage_usual <= _SELDOM
    return is_in_storage or partner.stopped >= least


def with_partner(blame: Blame, met: Circumstances) -> Circumstances:
    """The same, where what the partner that was waited for moved is the game's own."""
    moved = [each.moved_bytes for each in met.partners if blame.partner.startswith(f"{each.pid} ")]
    if not (blame.partner and moved):
        return met
    return replace(met, own_bytes=met.own_bytes + moved[0], own_read=met.own_read + moved[0])


def _answers(partner: Partner, met: Circumstances) -> Iterator[Blame]:
    if 0 < partner.looks >= A_GOOD_PART * partner.of_looks:
        if partner.stopped >= CLEARLY_MOST * partner.stopped_of > 0 and partner.went_on:
            part_ms = met.duration_ms * partner.stopped / partner.stopped_of
            yield _blame(WhereTimeWent.PARTNER_STOPPED, Certainty.SEEN, part_ms, partner)
        storage_ms = met.duration_ms * partner.in_storage / partner.looks
        if met.share(storage_ms) >= CLEARLY_MOST:
            is_sure = partner.in_storage >= _ENOUGH_LOOKS and _is_beyond(
                met, storage_ms, partner.storage_usual
            )
            if met.can_be_drive(storage_ms):
                certainty = _certainty(is_sure=is_sure)
                yield _blame(WhereTimeWent.STORAGE, certainty, storage_ms, partner)
            elif is_sure:
                yield _blame(WhereTimeWent.PARTNER_HELD, Certainty.SEEN, storage_ms, partner)
    # What it computes before it waits for a core again belongs to the same wait.
    is_kept = met.share(partner.delay_ms + partner.run_ms) >= CLEARLY_MOST
    if met.share(partner.delay_ms) >= MOSTLY_DELAYED and is_kept:
        is_sure = _is_beyond(met, partner.delay_ms, partner.delay_usual)
        yield _blame(WhereTimeWent.CPU, _certainty(is_sure=is_sure), partner.delay_ms, partner)
    elif met.share(partner.run_ms) >= CLEARLY_MOST and _is_beyond(
        met, partner.run_ms, partner.run_usual
    ):
        yield _blame(WhereTimeWent.PARTNER_WORK, Certainty.SEEN, partner.run_ms, partner)


def _is_beyond(met: Circumstances, ms: float, usual: float) -> bool:
    return met.share(ms) - usual >= BEYOND_USUAL


def _certainty(*, is_sure: bool) -> Certainty:
    return Certainty.SEEN if is_sure else Certainty.POSSIBLE


def _blame(where: WhereTimeWent, certainty: Certainty, ms: float, partner: Partner) -> Blame:
    return Blame(where, certainty, ms, partner=f"{partner.pid} {partner.name}")
