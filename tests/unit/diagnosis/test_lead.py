# SPDX-License-Identifier: GPL-3.0-or-later
"""A game whose frames another thread shows than its main one: what that one waits for counts."""

import pytest

from destutter.core.metrics import Metrics
from destutter.core.sample import Facts
from destutter.core.statement import Statement
from destutter.core.traced import (
    Awaited,
    MainTimes,
    SlowRequest,
    TracedSleep,
    TracedThread,
    TraceLook,
    followed,
    lead_in,
)
from destutter.diagnosis.blame.blame import blames
from destutter.diagnosis.blame.partner_blame import by_partner
from destutter.diagnosis.blame.stutter_answer import Blame, Certainty, WhereTimeWent
from destutter.diagnosis.circumstances.circumstances import Circumstances
from destutter.diagnosis.circumstances.main_work import MainWork
from destutter.diagnosis.circumstances.partners import Partner
from destutter.diagnosis.circumstances.span import StutterSpan
from destutter.diagnosis.circumstances.thread_times import longest
from destutter.diagnosis.circumstances.traced_waits import TracedWaits, TraceLog, WaitInside
from destutter.diagnosis.finding import Spike
from destutter.diagnosis.findings.explained import Explained
from destutter.diagnosis.history.tick_log import TickLog
from destutter.diagnosis.verdict.own_business import own_business
from destutter.words.language import ENGLISH
from destutter.words.renderer import renderer

MS = 1_000_000
MAIN, RENDER, READER = (
    TracedThread(7, "main", 7),
    TracedThread(8, "Render", 7),
    TracedThread(9, "Reader", 7),
)
STUTTER = Spike(3150 * MS, 150.0, "frame")


def read(thread, begin_ms=3002, ms=140):
    return SlowRequest("sda", "read", 8, 8, begin_ms * MS, None, ms * MS, None, thread, False)


def slept(*awaited):
    """The render thread sleeps all through the stutter, for these."""
    told = tuple(Awaited(each.tid, 3001 * MS, 3149 * MS) for each in awaited)
    return TracedSleep(RENDER, 3001 * MS, 148 * MS, awaited, told)


def traced(requests, sleeps=(), *, lead=8, since_ms=0):
    """What the trace has of the stutter in which these were."""
    log = TraceLog()
    log.accept_facts(Facts(0, followed(7)))
    log.accept_facts(Facts(since_ms * MS, followed(7, lead)))
    main = MainTimes.of(3000 * MS, [(0, 0, 0)] * 15)
    look = TraceLook(0, 3300 * MS, 0, 90, requests=requests, sleeps=sleeps, main=main)
    log.accept_look(look)
    found = log.within(STUTTER, "7")
    assert found is not None
    return found


def held_up(found):
    return [wait.thread.name for wait in found.waits]


def test_what_the_main_thread_reads_for_itself_holds_nobody_up():
    """The frames' thread waited for another one meanwhile: told as the drive's 12 times of 14."""
    found = traced((read(MAIN),), (slept(READER),))
    assert held_up(found) == []
    assert found.beside == {"request"}


def test_it_waits_for_the_main_thread_and_that_for_a_drive():
    """The chain goes on from the main thread; another reader is none of it."""
    assert held_up(traced((read(MAIN), read(READER)), (slept(MAIN),))) == ["main"]


def test_its_own_reading_counts_always_and_is_that_of_the_main_thread():
    """As the main thread's does where that shows the frames."""
    found = traced((read(RENDER),), (slept(READER),))
    assert held_up(found) == ["Render"]
    assert found.is_of_main(found.waits[0])
    main = traced((read(MAIN),), (slept(READER),), lead=None)
    assert held_up(main) == ["main"]
    assert main.is_of_main(main.waits[0])


def test_a_stutter_from_before_it_was_known_is_the_main_threads():
    """Of the first seconds of a recording, which are judged as they were."""
    assert held_up(traced((read(MAIN),), (slept(READER),), since_ms=3100)) == ["main"]
    assert held_up(traced((read(MAIN),), (slept(READER),), since_ms=2900)) == []


@pytest.mark.parametrize(("lead", "names"), [(None, ["Reader"]), (7, []), (8, [])])
def test_a_thread_that_is_sure_to_show_the_frames_may_sleep_in_each(lead, names):
    """At 30 Hz it does; of one that may only take in events nothing is known then."""
    log = TraceLog()
    log.accept_facts(Facts(0, followed(7, lead)))
    each = TracedThread(lead or 7, "frames", 7)
    usual = tuple(TracedSleep(each, at * MS, 25 * MS) for at in range(0, 3000, 33))
    sleeps = (*usual, TracedSleep(each, 3005 * MS, 140 * MS))
    main = MainTimes.of(3000 * MS, [(0, 0, 0)] * 15)
    look = TraceLook(0, 3300 * MS, 0, 90, requests=(read(READER),), sleeps=sleeps, main=main)
    log.accept_look(look)
    found = log.within(STUTTER, "7")
    assert found is not None
    assert held_up(found) == names


def ticks(**rows):
    """A second of ticks, in which each of these threads had so many ms/s."""
    log = TickLog()
    log.follow("7", 0)
    for at in range(1, 21):
        values = {"game.main_cpu_ms_per_s": 900.0}
        instanced = {"worker.cpu_ms_per_s": {name: float(rate) for name, rate in rows.items()}}
        log.accept_metrics(Metrics(at * 100 * MS, 0.1, values, instanced))
    return log


@pytest.mark.parametrize(
    ("lead", "rates", "most"),
    [
        ("", {"7 main": 900, "8 Render": 500}, ""),
        ("8 Render", {"7 main": 900, "8 Render": 500}, "7 main"),
        ("8 Render", {"7 main": 400, "8 Render": 500}, ""),
    ],
)
def test_which_thread_ran_most_is_told_of_the_one_that_shows_the_frames(lead, rates, most):
    """It has no name there, and the main one is a thread among others."""
    log = ticks(**rates)
    log.lead = lead
    spike = Spike(1150 * MS, 150.0, "frame")
    span = StutterSpan(log, spike, log.between(spike.start_ns, spike.monotonic_ns))
    assert longest(log, spike, span, "cpu_ms_per_s", None)[0] == most


def told_of(where, *leads):
    """The words for stutters that went so, and who showed the frames of each."""
    known = [
        Explained(STUTTER, Circumstances(150.0, lead=lead), (Blame(where, Certainty.SEEN, 140.0),))
        for lead in leads
    ]
    return own_business(known)


@pytest.mark.parametrize(
    ("language", "main", "other"),
    [
        (ENGLISH, "The game's main thread slept", "The game's render thread (RHIThread) slept"),
        ("de", "Der Hauptthread des Spiels", "Der Render-Thread (RHIThread) des Spiels"),
        ("zh_CN", "游戏的主线程", "游戏的渲染线程（RHIThread）"),
    ],
)
def test_a_verdict_says_which_thread_is_meant(language, main, other):
    """In each language; of most of the stutters, and the main thread where no other is known."""
    for leads, words in (
        (("", ""), main),
        (("RHIThread", "RHIThread", ""), other),
        (("RHIThread", "", ""), main),
    ):
        told, values = told_of(WhereTimeWent.TIMER, *leads)
        text = renderer(language).text(Statement(f"verdict.{told}.detail", values))
        assert text.startswith(words)


@pytest.mark.parametrize(("lead", "thread"), [("RHIThread", "RHIThread"), ("", "main")])
def test_who_computed_is_named(lead, thread):
    """By the name of the thread that shows the frames; the main one is called that."""
    _, values = told_of(WhereTimeWent.OWN_WORK, lead)
    assert values["thread"] == thread


@pytest.mark.parametrize(("label", "tid"), [("8 Render", 8), ("", None), ("x", None)])
def test_the_fact_names_it_by_number(label, tid):
    """And by its name behind that, which may be anything."""
    assert lead_in(label) == tid


@pytest.mark.parametrize(
    ("awaited", "partner"),
    [(frozenset({7}), ""), (frozenset({9}), "70 hog"), (frozenset(), "70 hog")],
)
def test_a_main_thread_without_a_core_is_no_wait_for_who_had_it(awaited, partner):
    """A hog that shares a page with the game was "what it waited for", 8 times of 10: the main
    thread stood behind it for half of the stutter, and the one that shows the frames behind that.
    """
    hog = Partner(70, "hog", looks=2, of_looks=2, delay_ms=100.0, run_ms=40.0)
    wait = WaitInside(MAIN, "core", 0, 75 * MS)
    waits = TracedWaits(
        frozenset({"core"}), (wait,), awaited=awaited, lead=8, main=MainWork(2.0, 0.0, 0.0, 148.0)
    )
    met = Circumstances(
        150.0, looks=2, handed_on=2, asleep={"futex": 2}, partners=(hog,), traced=waits
    )
    first = blames(met)[0]
    assert (first.where, first.partner) == (WhereTimeWent.CPU, partner)
    assert (first.certainty is Certainty.MEASURED) == (not partner)


@pytest.mark.parametrize(
    ("programs", "is_told"), [({7}, False), ({7, 70}, True), ({70}, True), (set(), True)]
)
def test_a_partner_that_did_not_wake_it_was_not_waited_for(programs, is_told):
    """By the kernel's word, where that told who did."""
    hog = Partner(70, "hog", looks=2, of_looks=2, delay_ms=100.0, run_ms=40.0)
    waits = TracedWaits(
        frozenset({"core"}), (), main=MainWork(2.0, 0.0, 0.0, 148.0), programs=frozenset(programs)
    )
    met = Circumstances(
        150.0, looks=2, handed_on=2, asleep={"futex": 2}, partners=(hog,), traced=waits
    )
    assert (by_partner(met) is not None) is is_told
