# SPDX-License-Identifier: GPL-3.0-or-later
"""What the game waited for within one stutter, or what it did, and how sure that is.

Three degrees. MEASURED: a counter of the game itself has the time (the pressure of its control
group, the run delay or the run time of one of its threads). SEEN: a look at its threads found one
of them blocked for it. POSSIBLE: somebody on this computer waited for it as long, and nothing
speaks against that it was the game. A main thread that sleeps in a futex waits for another thread
of the game, so what any of them waited for counts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from destutter.diagnosis.blame.card_blame import by_card, is_unusual
from destutter.diagnosis.blame.drive_waits import held, own_wait, seen_ms, storage, waiter
from destutter.diagnosis.blame.own_crowd import crowds_itself
from destutter.diagnosis.blame.own_work import are_timers_late, brief_work, own_sleep, own_work
from destutter.diagnosis.blame.partner_blame import at_end, by_partner, polls, watched_end
from destutter.diagnosis.blame.stutter_answer import GROUP_OF, Blame, Certainty, WhereTimeWent
from destutter.diagnosis.blame.traced_blame import REALTIME, by_trace, is_awaited, is_beside
from destutter.diagnosis.circumstances.circumstances import Circumstances
from destutter.diagnosis.circumstances.kernel_time import (
    frees_memory,
    is_behind_reclaim,
    paged_ms,
)
from destutter.diagnosis.shares import (
    A_GOOD_PART,
    BEYOND_USUAL,
    CLEARLY_MOST,
    SOME_BYTES,
)
from destutter.diagnosis.stutters.spikes import STUTTER_MS

__all__ = ["AT_LIMIT_PER_S", "GROUP_OF", "Blame", "Certainty", "WhereTimeWent", "blames"]

# A group at its limit reaches it 26,000 times a second and more; one near it now and then.
AT_LIMIT_PER_S = 100.0
_BY_LIMIT = 0.35  # of the stutter; else a game is in the kernel for 13 % at most (kernel_time.py)
_LIMIT_PART = 0.15  # a limit that withheld less, 7 ms of 50, is not worth a word
_SELDOM = 0.3  # of all time: a thread that streams waits for its drive in every frame
_ONE_WAIT = 0.4  # of the stutter, for a single request: a level that is unpacked reads many
_OWN_PART = 0.5  # of a drive's traffic: whoever has more fills its queue
_MANY_BYTES = 256 * 1024.0  # two pieces of 128 KiB, which is what the kernel reads ahead


_PLACES = {
    "running": WhereTimeWent.OWN_WORK,
    "timer": WhereTimeWent.TIMER,
    "socket": WhereTimeWent.SOCKET,
    "events": WhereTimeWent.SOCKET,
    "pipe": WhereTimeWent.PIPE,
    "gpu": WhereTimeWent.GPU,
    "server": WhereTimeWent.ELSEWHERE,
    "other": WhereTimeWent.ELSEWHERE,
}
"""Of what a worker was found doing that the main thread waited for."""

_SPUN_FOR = _PLACES.keys() - {"running", "other"}
_TICK_MS = 100.0  # of a shorter stutter the waits in its ticks may be those of frames beside it
_WORKS = 0.02  # of a core


def blames(met: Circumstances) -> tuple[Blame, ...]:
    """The answers for one stutter, the surest and longest first; nothing where nothing is known.

    What is only possible is left out where the game's own work was measured.
    """
    if met.stopped:
        return (Blame(WhereTimeWent.STOPPED, Certainty.SEEN, met.duration_ms),)
    found = [_as_far_as_known(each, met) for each in _waits(met)]
    own = own_sleep(met) or own_work(met) or brief_work(met)
    sure = sorted(
        (each for each in found if each.certainty > Certainty.POSSIBLE), key=lambda each: -each.ms
    )
    drawn = by_card(met)
    if drawn is not None and not sure and (own is None or is_unusual(met)):
        return (drawn, *(() if own is None else (own,)))
    if own is not None:
        spun = _spun_for(met, own)
        if spun is not None and not any(each.where is WhereTimeWent.STORAGE for each in sure):
            return (spun, own, *sure)
        if not sure:
            return (own,) if own.where is WhereTimeWent.TIMER else (own, *_polled(met))
        return (own, *sure) if _is_first(own, sure, met) else (*sure, own)
    if not sure:
        found = _behind(met, found)
        is_open = all(_is_open(each, met) for each in found)
        partner = by_partner(met)
        # A worker may sleep on a timer by chance; that a server stops with each freeze is none.
        is_stop = partner is not None and partner.where is WhereTimeWent.PARTNER_STOPPED
        is_stop = is_stop and all(each.where is WhereTimeWent.TIMER for each in found)
        partner = partner if is_open or is_stop else None
        if partner is not None and _is_known(partner):
            return (partner,)
        if not any(map(_is_known, found)):
            found = [*found, *(() if partner is None else (partner,))]
    if not found:
        found += _handed_on(met)
    return tuple(sorted(found, key=lambda each: (each.certainty == Certainty.POSSIBLE, -each.ms)))


def _is_known(answer: Blame) -> bool:
    return answer.certainty > Certainty.POSSIBLE


def _is_open(answer: Blame, met: Circumstances) -> bool:
    """Whether somebody else may stand behind an answer."""
    if answer.where is WhereTimeWent.TIMER:
        return polls(met)
    return not _is_known(answer) or answer.where in (WhereTimeWent.SOCKET, WhereTimeWent.PIPE)


def _is_first(own: Blame, sure: Sequence[Blame], met: Circumstances) -> bool:
    """Whether the game's own work made the frame late rather than a wait beside it.

    A main thread that spins until its workers are done runs all the time, and a worker that was
    found waiting is the reason. One that seldom runs as long makes the frame late itself, however
    long a helper that nobody waits for was held up meanwhile; but where a worker waited for a
    drive for as long, which it seldom does, that is no chance.
    """
    if met.held_ms > 0.0 and all(each.where is WhereTimeWent.CPU for each in sure):
        return met.share(met.held_ms) < A_GOOD_PART
    if own.is_brief:
        return not any(each.ms >= CLEARLY_MOST * own.ms for each in sure)
    is_usual = met.share(own.ms) - met.runner_usual < BEYOND_USUAL
    if own.thread and is_usual:
        # One that always computes as much makes no frame late.
        return not any(each.ms >= A_GOOD_PART * met.duration_ms for each in sure)
    if own.thread and own.kernel is None:
        # Both may fill the stutter to its end: then it is the work, which is out of the ordinary.
        return not any(each.ms > own.ms for each in sure)
    if own.thread:
        return not any(each.ms >= own.ms for each in sure)
    return not is_usual and not any(_holds_up(each, met) or _is_longer(each, own) for each in sure)


def _is_longer(wait: Blame, own: Blame) -> bool:
    """Whether the main thread stood longer in a run queue than it ran: it cannot do both at once.

    Of a short stutter its ticks have the work of other frames as well.
    """
    return wait.where is WhereTimeWent.CPU and not wait.thread and wait.ms > own.ms


def _as_far_as_known(wait: Blame, met: Circumstances) -> Blame:
    """A wait of another thread is only possible while the main thread waits for somebody else.

    Who is found in a socket or a pipe, and never waiting for another thread, waits for another
    program; a thread that reads ahead or saves meanwhile keeps nobody, be it held up as long.
    """
    answered = sum(met.asleep.get(place, 0) for place in ("socket", "pipe"))
    is_elsewhere = answered >= A_GOOD_PART * met.looks > 0 and not met.handed_on
    is_of_drive = wait.where in (WhereTimeWent.STORAGE, WhereTimeWent.HELD)
    return replace(wait, certainty=Certainty.POSSIBLE) if is_elsewhere and is_of_drive else wait


def _holds_up(wait: Blame, met: Circumstances) -> bool:
    """Whether a wait for a drive filled a stutter, and such waits are rare."""
    if wait.where is not WhereTimeWent.STORAGE:
        return False
    if wait.certainty is Certainty.MEASURED:
        is_rare = met.own_usual.get("io", 0.0) <= _SELDOM
        return is_rare and met.share(wait.ms) >= CLEARLY_MOST
    is_busy = met.share(met.drive_ms or 0.0) >= CLEARLY_MOST and met.drive_usual <= _SELDOM
    return is_busy and met.share(met.await_ms) >= _ONE_WAIT


def _polled(met: Circumstances) -> Iterator[Blame]:
    """What a thread may have looked for again and again: nobody sleeps that polls a ring, or the
    memory that it shares with a helper process, whose bytes are not the game's.

    It cannot be told from work that needs no drive, so it is only possible.
    """
    if met.share(met.drive_ms or 0.0) >= CLEARLY_MOST and met.drive_usual <= _SELDOM:
        yield Blame(WhereTimeWent.STORAGE, Certainty.POSSIBLE, met.drive_ms or 0.0)


def _behind(met: Circumstances, possible: Sequence[Blame]) -> list[Blame]:
    """What a main thread waited for that nobody was found blocked for, the nearest kind first.

    ``possible`` is what else was busy. It stays where the answer came from somebody who may have
    waited for that: not where a thread of the game slept on a timer, or ran.
    """
    asynchronous = _asynchronous(met)
    if asynchronous is not None:
        return [*possible, asynchronous]
    worker = _by_worker(met)
    if worker is not None:
        is_own = worker.where in (WhereTimeWent.TIMER, WhereTimeWent.OWN_WORK)
        return [worker, *(() if is_own else possible)]
    asleep = [*_asleep(met)]
    if not asleep and met.seen.get("other"):
        elsewhere = Blame(
            WhereTimeWent.ELSEWHERE, Certainty.SEEN, seen_ms(met, "other"), waiter(met)
        )
        return [*possible, elsewhere]
    # Few and small reads that are fetched later (libaio): who waits for them is not blocked.
    is_own = met.own_bytes >= max(SOME_BYTES, _OWN_PART * met.drive_bytes)
    is_told = any(each.where is WhereTimeWent.STORAGE for each in possible)
    looked_for = _polled(met) if (is_own or met.polls) and not is_told else ()
    return [*possible, *asleep, *looked_for]


def _by_worker(met: Circumstances) -> Blame | None:
    """The thread that the main thread waited for, where one was found as it never is else.

    One that runs is taken for the reason only while no core was short: it may have stood in a run
    queue, which looks the same.
    """
    thread, place, times = met.kept
    if not thread or times < A_GOOD_PART * met.looks or times < CLEARLY_MOST * met.handed_on:
        return None
    where = _PLACES[place]
    if where is WhereTimeWent.OWN_WORK and not _has_worked(met):
        return None
    if where is WhereTimeWent.TIMER and met.kept_naps:
        return None  # it looks for something again and again: another one keeps it
    part_ms = met.duration_ms * min(times / max(met.looks, 1), 1.0)
    who = at_end(met) if place in ("pipe", "socket") else ""
    return Blame(where, Certainty.SEEN, part_ms, thread, is_awaited=True, partner=who)


def _has_worked(met: Circumstances) -> bool:
    """Whether a worker that was found running can have run: the game had the time for it, and no
    core was short.

    A single look finds one that usually runs for a fifth of each frame at its work by chance.
    """
    is_short = met.share(met.lost_ms.get("cpu", 0.0)) >= A_GOOD_PART
    is_known = met.duration_ms >= STUTTER_MS and (met.cpu_ms > 0.0 or met.kernel_part < 1.0)
    return not is_short and (not is_known or met.share(met.cpu_ms) >= BEYOND_USUAL)


def _spun_for(met: Circumstances, own: Blame) -> Blame | None:
    """The worker that a main thread waits for without sleeping: it runs, and nothing comes of it.

    One that usually works in each frame and is where it never is keeps the frame.
    """
    if own.where is not WhereTimeWent.OWN_WORK or own.thread or own.is_brief:
        return None
    thread, place, times = met.kept
    if place not in _SPUN_FOR or met.kept_usual < _WORKS or times < CLEARLY_MOST * met.looks:
        return None
    part_ms = met.duration_ms * min(times / met.looks, 1.0)
    return Blame(_PLACES[place], Certainty.SEEN, part_ms, thread, is_awaited=True)


def _asynchronous(met: Circumstances) -> Blame | None:
    """Reads that are asked for and fetched later block no thread (io_uring, libaio).

    A drive that works all through the stutter, for the game more than for anybody else and more
    than it usually does, is what it waits for, as long as nothing else is known. One that waits
    behind a limit of the game's own hardly works; then the game asks for more than that allows.
    None of that where the trace has all requests, and that nobody waited for who made them.
    """
    if is_beside(met, WhereTimeWent.STORAGE):
        return None
    if met.drive_limit is not None and met.drive_limit.is_exceeded:
        return Blame(WhereTimeWent.STORAGE, Certainty.SEEN, met.duration_ms)
    is_busy = met.share(met.drive_ms or 0.0) >= CLEARLY_MOST
    is_own = met.own_beyond >= max(_MANY_BYTES, _OWN_PART * met.drive_beyond)
    # Beside a stranger who fills the queue it has little of the traffic: then it is the time that
    # a read takes, while its thread looks for it again and again. Who writes is held back by the
    # limits of unwritten data in naps as well.
    is_late = met.share(met.await_ms) >= _ONE_WAIT and met.drive_usual <= _SELDOM
    reads = met.own_read >= _MANY_BYTES and not met.is_write
    is_own = is_own or (met.polls and is_late and reads)
    return (
        Blame(WhereTimeWent.STORAGE, Certainty.SEEN, met.drive_ms or 0.0)
        if is_busy and is_own
        else None
    )


def _waits(met: Circumstances) -> Iterator[Blame]:
    memory = by_trace(met, WhereTimeWent.MEMORY, _memory(met))
    of_core = by_trace(met, WhereTimeWent.CPU, _wait_for_core(met))
    if of_core is not None and is_behind_reclaim(met):
        memory, of_core = _behind_reclaim(memory, of_core), None
    if memory is not None:
        yield memory
    if met.seen.get("frozen"):
        yield held(met, WhereTimeWent.FROZEN, seen_ms(met, "frozen"))
    of_drives = by_trace(met, WhereTimeWent.STORAGE, storage(met))
    if of_drives is not None:
        yield of_drives
    if of_core is not None:
        yield _of_core(of_core, met)
    if met.seen.get("maps"):
        yield Blame(WhereTimeWent.MAPS, Certainty.SEEN, seen_ms(met, "maps"), waiter(met))


def _behind_reclaim(memory: Blame | None, of_core: Blame) -> Blame:
    """The wait for a core as a wait for memory, beside what the game freed itself."""
    if memory is not None and memory.certainty is Certainty.MEASURED:
        return replace(memory, ms=max(memory.ms, of_core.ms))
    return Blame(WhereTimeWent.MEMORY, Certainty.SEEN, of_core.ms, of_core.thread)


def _of_core(wait: Blame, met: Circumstances) -> Blame:
    """The wait for a core as the game's own threads' doing, or as far as it can be the reason.

    Of many workers one stands in line for a good part of any stutter: the main thread may have
    slept meanwhile, and the 57 of 140 ms of a helper held nobody up. By the kernel's word it is
    known for whom it slept: a main thread behind a render thread was only possible, and the hog
    that shared a page with the game "what it waited for".
    """
    if wait.kind != REALTIME and crowds_itself(met):
        return replace(wait, where=WhereTimeWent.OWN_CROWD)
    is_part = bool(wait.thread) and not met.held_ms and met.share(wait.ms) < CLEARLY_MOST
    is_part = is_part and not (wait.kind and is_awaited(wait, met))
    is_part = is_part or (wait.thread == met.delayed[0] and not met.is_delay_dated)
    return replace(wait, certainty=Certainty.POSSIBLE) if is_part else wait


def _wait_for_core(met: Circumstances) -> Blame | None:
    thread, delay_ms = met.delayed
    is_limited = met.share(met.held_ms) >= _LIMIT_PART
    delay_ms = met.held_ms if is_limited else delay_ms
    # The probe asks for a core as the game's threads do: where it got none for as long, and all
    # that time somebody waited for one, so did they, though the one that did is not among those
    # that are read at every tick.
    crowded_ms = min(met.wake_ms, met.lost_ms.get("cpu", 0.0))
    # A tick has six frames, and 4 ms in run queues are spread over all of them: a worker that
    # computed for 60 of 65 ms had 36 ms of a main thread's waits beside it.
    least = A_GOOD_PART if met.duration_ms >= _TICK_MS else CLEARLY_MOST
    if is_limited or met.share(delay_ms) >= least:
        return Blame(WhereTimeWent.CPU, Certainty.MEASURED, delay_ms, thread)
    if met.share(crowded_ms) >= CLEARLY_MOST:
        return Blame(WhereTimeWent.CPU, Certainty.SEEN, crowded_ms)
    return None


def _memory(met: Circumstances) -> Blame | None:
    own = own_wait(met, WhereTimeWent.MEMORY, "memory")
    # Pressure counts the freeing alone (psi_memstall_enter in mm/memcontrol.c); a game at its
    # limit pays for each failed charge and fault besides, and is in the kernel all the while.
    is_at_limit = met.limit_hits >= AT_LIMIT_PER_S
    if own is None and is_at_limit and met.share(met.system_ms) >= _BY_LIMIT:
        return Blame(WhereTimeWent.MEMORY, Certainty.SEEN, min(met.system_ms, met.duration_ms))
    if own is None and (back_ms := paged_ms(met)):
        return Blame(WhereTimeWent.MEMORY, Certainty.SEEN, back_ms)  # no pressure counts it either
    if own is not None or met.own_ms is not None:
        return own
    if met.seen.get("memory"):
        return Blame(WhereTimeWent.MEMORY, Certainty.SEEN, seen_ms(met, "memory"), waiter(met))
    lost_ms = met.lost_ms.get("memory", 0.0)
    if met.share(lost_ms) < A_GOOD_PART:
        return None
    certainty = Certainty.SEEN if frees_memory(met, lost_ms) else Certainty.POSSIBLE
    return Blame(WhereTimeWent.MEMORY, certainty, lost_ms)


def _asleep(met: Circumstances) -> Iterator[Blame]:
    """Where the main thread slept, when nothing else is known of the time."""
    for place, where in (
        ("socket", WhereTimeWent.SOCKET),
        ("pipe", WhereTimeWent.PIPE),
        ("gpu", WhereTimeWent.GPU),
        ("server", WhereTimeWent.ELSEWHERE),
    ):
        if met.asleep.get(place):
            who = at_end(met) if place in ("socket", "pipe") else ""
            yield Blame(where, Certainty.SEEN, met.duration_ms, partner=who)
    watched = watched_end(met)
    if watched and met.asleep.get("events", 0) >= CLEARLY_MOST * met.looks:
        # Whoever keeps to its pace by poll and a time sleeps so as well: only most likely.
        yield Blame(WhereTimeWent.SOCKET, Certainty.POSSIBLE, met.duration_ms, partner=watched)
    # A lock of a file, a child: known places, and none in which an idle main thread sleeps.
    if met.looks and met.asleep.get("other", 0) >= CLEARLY_MOST * met.looks:
        yield Blame(WhereTimeWent.ELSEWHERE, Certainty.SEEN, met.duration_ms)
    # Whoever keeps to a pace sleeps on a timer in every frame: only where it is found nowhere else
    # within a frame that is late did that sleep make it so.
    if met.on_timer and not met.polls and not are_timers_late(met):
        yield Blame(WhereTimeWent.TIMER, Certainty.SEEN, met.duration_ms)


def _handed_on(met: Circumstances) -> Iterator[Blame]:
    """A main thread found in a futex waits for another thread of the game, or for a program that
    shares memory with it; last of all, since whatever else is known may be what that one did.
    """
    if met.looks and met.asleep.get("futex", 0) >= A_GOOD_PART * met.looks:
        yield Blame(WhereTimeWent.HANDED_ON, Certainty.SEEN, met.duration_ms)
