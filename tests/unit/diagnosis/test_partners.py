# SPDX-License-Identifier: GPL-3.0-or-later
"""A game that waits in shared memory for another process: what held that one up is told."""

from dataclasses import replace

import pytest

from destutter.core.catalog import SOURCES as SOURCE_FIELDS
from destutter.core.metrics import Metrics
from destutter.diagnosis.blame.blame import WhereTimeWent, blames
from destutter.diagnosis.blame.nearest_cause import nearest_cause
from destutter.diagnosis.blame.partner_blame import by_partner
from destutter.diagnosis.blame.stutter_answer import Blame, Certainty
from destutter.diagnosis.circumstances.circumstances import Circumstances, circumstances
from destutter.diagnosis.circumstances.drive_load import Load
from destutter.diagnosis.circumstances.naps import naps
from destutter.diagnosis.circumstances.partners import Partner
from destutter.diagnosis.finding import Confidence, Group, Spike
from destutter.diagnosis.history.tick_log import TickLog
from destutter.diagnosis.verdict.cleared_groups import raised
from destutter.words.renderer import english
from tests.support.engine_scenes import SOURCES, WAITS_FOR_DRIVE, WORKING, assessed, begin, see

FIRST, RENDER = "partner:70/70 vrcompositor", "partner:70/71 render"
ALONE = ("main_futex", "main_untimed")
COMPOSES = {f"{RENDER}.run_ns": 2e8}
DELAYED = {f"{RENDER}.run_delay_ns": 9e8, f"{RENDER}.run_ns": 3e7}
COMPUTES = {f"{RENDER}.run_ns": 1e9}


def _played(trouble, *, states=(), seen=ALONE, calm=COMPOSES, threads=1, used=None):
    """Six stutters in which the compositor has trouble.

    ``states`` are flags of its threads, ``used`` the microseconds a second that programs use.
    """
    script = begin((*SOURCES, "partner", *(("process",) if used else ())))
    for name, cpu_us in (used or {}).items():
        for field in SOURCE_FIELDS["process"].fields:
            script.set(f"process:{name}.{field}", 0)
        script.set(f"process:{name}.shares_cores", 1)
        script.set(f"process:{name}.cpu_us", cpu_us)
        script.set(f"process:{name}.interval_us", 1e6)
    flags = ("is_stopped", "in_storage", "is_blocked", "is_at_end", "is_asking", "is_napping")
    for slot in (FIRST, RENDER):
        for flag in flags:
            script.set(f"{slot}.{flag}", 0)
    script.set("game.threads", threads)
    working = {**WORKING, **calm}
    for _ in range(6):
        for _ in range(5):
            script.run(1, working).frames(*[16.67] * 60)
        see(script, seen)
        for state in states:
            script.set(state, 1)
        script.run(0.4, {"game.run_ns": 0, **trouble}).frames(400.0)
        see(script, ())
        for state in states:
            script.set(state, 0)
        script.run(0.6, working).frames(*[16.67] * 36)
    script.run(3, working).frames(*[16.67] * 180)
    return assessed(script)


def test_a_partner_that_was_stopped_is_told():
    """By name, with a headline of its own; and nothing is a cause of the computer's."""
    told = _played({}, states=(f"{FIRST}.is_stopped", f"{RENDER}.is_stopped"), calm={})
    assert told.verdict.detail.id.startswith("verdict.partner_stopped")
    assert told.verdict.headline.id == "verdict.partner.frames"
    words = "waited for vrcompositor, which shares memory with it and was stopped"
    assert words in english(told.verdict.detail)
    assert not told.findings


def test_a_partner_that_waited_for_a_core_is_told():
    """Medium at most, as the partner's wait; its own share of a core is no evidence."""
    told = _played(DELAYED)
    (finding,) = told.findings
    assert (finding.cause, finding.confidence) == ("run_queue_delay", Confidence.MEDIUM)
    assert finding.stutters_explained == 6
    assert [each.id for each in finding.reasons] == ["reason.partner.cpu"]
    shown = finding.evidence[0]
    assert (shown.metric, shown.instance) == ("partner.run_delay_ms_per_s", "70/71 render")
    assert "vrcompositor, for which Test Flight waited, waited" in english(told.verdict.detail)


def test_a_partner_that_computed_is_told():
    """The game itself in a wider sense: no cause, but who and how long."""
    told = _played(COMPUTES)
    assert told.verdict.detail.id.startswith("verdict.partner_work")
    words = "vrcompositor, which shares memory with it and computed for 400\xa0ms of 400\xa0ms"
    assert words in english(told.verdict.detail)
    assert not told.findings


def test_a_partner_that_waited_for_a_drive_is_told():
    """The cause of storage as for a thread of the game, medium at most."""
    told = _played(WAITS_FOR_DRIVE, states=(f"{RENDER}.in_storage",), calm={})
    finding = told.findings[0]
    assert finding.group is Group.STORAGE
    assert finding.confidence is Confidence.MEDIUM
    assert "reason.partner.io" in [each.id for each in finding.reasons]
    shown = finding.evidence[0]
    assert (shown.metric, shown.instance) == ("partner.in_storage", "70/71 render")


@pytest.mark.parametrize(
    ("seen", "told"),
    [(ALONE, "handed_on_shared"), (("main_futex",), "handed_on_alone")],
)
def test_a_wait_without_a_time_of_its_own_is_no_sleep(seen, told):
    """Where the kernel tells that the futex has none; that it ran out is not said then."""
    found = _played({}, seen=seen)
    assert found.verdict.detail.id.startswith(f"verdict.{told}")
    assert ("own time ran out" in english(found.verdict.detail)) is (told == "handed_on_alone")


def test_a_partner_that_always_computes_is_not_told():
    """What it does while all is well as well holds nobody up."""
    told = _played(COMPUTES, calm=COMPUTES)
    assert told.verdict.detail.id.startswith("verdict.handed_on")


def test_a_partner_that_always_waits_for_a_core_is_a_guess():
    """A background process of a low priority beside a compiler."""
    (finding,) = _played(DELAYED, calm=DELAYED).findings
    assert finding.confidence is Confidence.LOW


def test_a_partner_that_is_always_stopped_held_nobody_up():
    """It did not go on when the game did."""
    met = _met(Partner(70, "helper", 3, 3, stopped=3, stopped_of=3, went_on=False))
    assert by_partner(met) is None


def test_a_thread_of_the_game_that_explains_the_wait_comes_first():
    """Whatever a partner did meanwhile."""
    seen = (*ALONE, "worker_timer")
    assert _played(COMPUTES, seen=seen, threads=3).verdict.detail.values["thread"] == "streamer"
    blocked = _played({**DELAYED, **WAITS_FOR_DRIVE}, seen=(*ALONE, "io"), threads=3)
    assert blocked.findings[0].group is Group.STORAGE
    assert all("partner" not in each.id for each in blocked.findings[0].reasons)


def test_a_main_thread_that_waits_elsewhere_waits_for_no_partner():
    """One found on a socket has its answer."""
    told = _played(COMPUTES, seen=("main_socket",))
    assert told.verdict.detail.id.startswith("verdict.socket")


AT_END = (f"{FIRST}.is_at_end", f"{RENDER}.is_at_end")


@pytest.mark.parametrize("place", ["main_pipe", "main_socket"])
def test_whoever_answers_at_a_pipe_is_told_by_name(place):
    """Though nothing is known of what it did: who it is, is what a player needs."""
    told = _played({}, seen=(place,), states=AT_END)
    assert told.verdict.detail.id.startswith("verdict.answered")
    words = "waited for vrcompositor, which is joined to it by a pipe or socket"
    assert words in english(told.verdict.detail)
    assert "program" in told.verdict.headline.id


@pytest.mark.parametrize(
    ("flag", "words"),
    [
        (
            "is_asking",
            "vrcompositor (which itself waited for another program or the network)",
        ),
        ("is_napping", "vrcompositor (which itself slept on a timer), which is joined"),
    ],
)
def test_who_stands_between_is_told_to_have_waited_as_well(flag, words):
    """A bridge is as late as what it asks, and nobody's reason by itself."""
    told = _played({}, seen=("main_socket",), states=(*AT_END, f"{FIRST}.{flag}"))
    assert words in english(told.verdict.detail)


def test_a_server_that_was_held_up_is_told():
    """As wineserver is, by whom a game waits for each of its requests."""
    (finding,) = _played(DELAYED, seen=("main_pipe",), states=AT_END).findings
    assert (finding.cause, finding.confidence) == ("run_queue_delay", Confidence.MEDIUM)
    assert "joined to it by a pipe or socket and stood waiting" in english(finding.reasons[0])
    stopped = (f"{FIRST}.is_stopped", f"{RENDER}.is_stopped")
    told = _played({}, states=(*stopped, *AT_END), calm={}, seen=("main_socket",))
    assert told.verdict.detail.id.startswith("verdict.partner_stopped")
    assert "joined to it" in english(told.verdict.detail)


def test_whoever_waits_for_events_waits_for_one_that_was_measured():
    """Of all at whose ends it looks."""
    told = _played(COMPUTES, seen=("main_events",), states=AT_END)
    assert told.verdict.detail.id.startswith("verdict.partner_work")
    assert "vrcompositor, which is joined to it" in english(told.verdict.detail)


def test_the_only_one_at_the_ends_that_are_watched_is_most_likely_meant():
    """A game with one connection; of two nobody is named, and one in storage is no guess."""
    alone = Partner(70, "proxy", 3, 3, is_at_end=True)
    met = replace(_met(alone), asleep={"events": 3})
    (blame,) = blames(met)
    assert (blame.partner, blame.certainty) == ("70 proxy", Certainty.POSSIBLE)
    several = replace(met, partners=(alone, Partner(71, "steam", 3, 3, is_at_end=True)))
    assert not any(each.partner for each in blames(several))
    told = _played({}, seen=("main_events",), states=AT_END)
    assert "most likely of vrcompositor" in english(told.verdict.detail)


def test_a_worker_that_waits_at_a_pipe_is_told_with_who_answers():
    """As a render thread that hands its frames to a recorder."""
    met = replace(_met(Partner(70, "obs", 3, 3, is_at_end=True)), kept=("9 render", "pipe", 3))
    (blame,) = blames(met)
    assert (blame.where, blame.thread, blame.partner) == (WhereTimeWent.PIPE, "9 render", "70 obs")
    stopped = Partner(70, "obs", 3, 3, stopped=3, stopped_of=3, went_on=True, is_at_end=True)
    (blame,) = blames(replace(met, partners=(stopped,)))
    assert blame.where is WhereTimeWent.PARTNER_STOPPED


def test_of_several_at_the_ends_nobody_is_named():
    """Where the kernel does not tell at which pipe the game sleeps."""
    alike = [Partner(70 + each, "one", 3, 3, is_at_end=True) for each in range(2)]
    met = replace(_met(*alike, handed_on=0), asleep={"pipe": 3})
    assert [each.partner for each in blames(met)] == [""]
    assert [each.partner for each in blames(replace(met, partners=tuple(alike[:1])))] == ["70 one"]


def _met(*partners, looks=3, handed_on=3):
    """A stutter of 300 ms in which the main thread slept in a futex."""
    return Circumstances(
        300.0, is_covered=True, looks=looks, handed_on=handed_on, asleep={"futex": handed_on},
        partners=partners,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("partner", "where", "certainty"),
    [
        (
            Partner(7, "a", 3, 3, stopped=3, stopped_of=3, went_on=True),
            WhereTimeWent.PARTNER_STOPPED,
            2,
        ),
        (Partner(7, "a", 3, 3, delay_ms=250.0), WhereTimeWent.CPU, 2),
        (Partner(7, "a", 3, 3, delay_ms=160.0, run_ms=60.0), WhereTimeWent.CPU, 2),
        (Partner(7, "a", 3, 3, delay_ms=250.0, delay_usual=0.7), WhereTimeWent.CPU, 1),
        (Partner(7, "a", 3, 3, in_storage=3), WhereTimeWent.STORAGE, 2),
        (Partner(7, "a", 1, 3, in_storage=1), None, 0),
        (Partner(7, "a", 1, 1, in_storage=1), WhereTimeWent.STORAGE, 1),
        (Partner(7, "a", 3, 3, run_ms=250.0), WhereTimeWent.PARTNER_WORK, 2),
        (Partner(7, "a", 3, 3, run_ms=250.0, run_usual=0.7), None, 0),
        (Partner(7, "a", 3, 3, delay_ms=120.0), None, 0),
        (Partner(7, "a", 3, 3, stopped=1, stopped_of=3, went_on=True), None, 0),
    ],
)
def test_how_much_of_a_stutter_is_enough(partner, where, certainty):
    """Most of it, beyond what is usual; a single look in storage is a guess."""
    answer = by_partner(_met(partner))
    assert (answer and answer.where, answer.certainty if answer else 0) == (where, certainty)


def test_of_two_partners_the_stopped_one_is_told_and_then_the_longest_wait():
    """One answer: the game waited for one of them."""
    stopped = Partner(7, "a", 3, 3, stopped=2, stopped_of=3, went_on=True)
    delayed = Partner(8, "b", 3, 3, delay_ms=250.0)
    longer = Partner(9, "c", 3, 3, delay_ms=290.0)
    assert [each.partner for each in blames(_met(delayed, stopped))] == ["7 a"]
    assert [each.partner for each in blames(_met(delayed, longer))] == ["9 c"]


def test_a_guess_about_a_partner_stands_behind_what_else_is_possible():
    """And is no more than possible."""
    (answer,) = blames(_met(Partner(7, "a", 3, 3, delay_ms=250.0, delay_usual=0.7)))
    assert answer.certainty is Certainty.POSSIBLE


def test_a_group_that_held_a_partner_up_is_not_cleared():
    """Whether or not that is told."""
    assert Group.CPU in raised(_met(Partner(7, "a", 3, 3, delay_ms=60.0)))
    assert Group.STORAGE in raised(_met(Partner(7, "a", 3, 3, in_storage=1)))
    assert raised(_met(Partner(7, "a", 3, 3))) == frozenset()


def test_whoever_shares_memory_and_waited_is_not_accused():
    """The hog of the core is, though the compositor used more in the look."""
    told = _played(DELAYED, used={"70 vrcompositor": 6e5, "90 encoder": 5.5e5})
    assert [each.comm for each in told.findings[0].culprits] == ["encoder"]


def test_what_a_partner_reads_is_the_games_own():
    """It fills the drive for the game: nobody else is accused of that."""
    reads = Partner(70, "vrcompositor", moved_bytes=9e7)
    met = Circumstances(400.0, drive="sda", drive_bytes=1e8, partners=(reads,))
    waited = Blame(WhereTimeWent.STORAGE, Certainty.SEEN, 300.0, partner="70 vrcompositor")
    assert nearest_cause(waited, met) == "slow_device"
    assert nearest_cause(replace(waited, partner=""), met) == "io_unfairness"


def test_a_worker_that_looks_again_and_again_did_not_sleep_by_itself():
    """It naps on a timer until another program has answered in shared memory."""
    slept = replace(_met(), kept=("9 sim", "timer", 3))
    (blame,) = blames(slept)
    assert (blame.where, blame.thread) == (WhereTimeWent.TIMER, "9 sim")
    (blame,) = blames(replace(slept, kept_naps=True))
    assert blame.where is WhereTimeWent.HANDED_ON
    helper = Partner(70, "tracker", 3, 3, run_ms=290.0)
    (blame,) = blames(replace(slept, kept_naps=True, partners=(helper,)))
    assert (blame.where, blame.partner) == (WhereTimeWent.PARTNER_WORK, "70 tracker")


def test_a_server_that_stood_still_is_told_before_a_worker_that_slept_meanwhile():
    """A worker may sleep by chance; that a server stops with each freeze is none."""
    slept = replace(_met(), kept=("9 rpc", "timer", 3))
    stopped = Partner(70, "server", 3, 3, stopped=3, stopped_of=3, went_on=True, is_at_end=True)
    (blame,) = blames(replace(slept, partners=(stopped,)))
    assert (blame.where, blame.partner) == (WhereTimeWent.PARTNER_STOPPED, "70 server")
    asks = replace(slept, kept=("9 rpc", "gpu", 3), partners=(stopped,))
    assert blames(asks)[0].where is WhereTimeWent.GPU


@pytest.mark.parametrize(("rate", "is_napping"), [(150.0, False), (900.0, True)])
def test_naps_are_told_by_the_time_slices_of_that_second(rate, is_napping):
    """Of a thread of which little is known, beyond what three in each frame would have."""
    log = TickLog()
    rows = {"thread.timeslices_per_s": {"9 sim": rate}}
    log.accept_metrics(Metrics(3_000_000_000, 1.0, {}, rows))
    assert naps(log, Spike(2_900_000_000, 300.0, "mangohud"), "9 sim") is is_napping
    assert not naps(log, Spike(2_900_000_000, 300.0, "mangohud"), "8 streamer")


POLLS = Circumstances(
    400.0,
    is_covered=True,
    looks=4,
    asleep={"timer": 4},
    on_timer=True,
    partners=(Partner(70, "helper", looks=4, of_looks=4, stopped=4, stopped_of=4, went_on=True),),
)


def test_who_looks_for_an_answer_again_and_again_waits_for_a_partner():
    """Nobody is woken in memory that is polled: the main thread naps until the answer is there."""
    (answer, *_) = blames(POLLS)
    assert (answer.where, answer.partner) == (WhereTimeWent.PARTNER_STOPPED, "70 helper")


def test_who_slept_once_waited_for_nobody():
    """Though somebody who shares its memory was stopped meanwhile."""
    (answer,) = blames(replace(POLLS, in_one_sleep=True))
    assert answer.where is WhereTimeWent.TIMER


def test_a_partner_that_went_on_as_before_is_not_meant_by_who_polls():
    """It looks for something else, and nobody knows for what."""
    idle = Partner(70, "helper", looks=4, of_looks=4)
    assert all(not each.partner for each in blames(replace(POLLS, partners=(idle,))))


@pytest.mark.parametrize(("end_ms", "stopped", "of"), [(175, 1, 1), (210, 1, 2)])
def test_a_look_behind_a_stutter_is_no_witness_against_a_stop(end_ms, stopped, of):
    """One that goes on ends the stutter at once, and the next look finds it at work."""
    log = TickLog()
    for tick, is_stopped in enumerate((0.0, 1.0, 0.0), 1):
        rows = {"partner.stopped": {"70/70 assetd": is_stopped}}
        log.accept_metrics(Metrics(100_000_000 * tick, 0.1, {}, rows))
    spike = Spike(1_000_000 * end_ms + 100_000_000, float(end_ms), "frame")
    met = circumstances(log, replace(spike, duration_ms=155.0))
    (found,) = met.partners
    assert (found.stopped, found.stopped_of) == (stopped, of)


def test_a_partner_that_waited_for_drives_of_which_none_worked_was_held_back():
    """The limit of its own group for a drive keeps what it asks for before the drive has it."""
    helper = Partner(70, "assetd", 3, 3, in_storage=3)
    resting = Load(0.0, 0.0)
    (answer,) = blames(replace(_met(helper), loads={"sda": resting}))
    assert (answer.where, answer.partner) == (WhereTimeWent.PARTNER_HELD, "70 assetd")
    once = replace(helper, in_storage=2, looks=2, storage_usual=0.9)
    held = blames(replace(_met(once), loads={"sda": resting}))
    assert all(each.where is not WhereTimeWent.PARTNER_HELD for each in held)


def test_a_partner_that_was_held_back_is_told_by_name():
    """With nobody accused, and storage not cleared."""
    told = _played(
        {"pressure:io.some_us": 1e6},
        states=(f"{FIRST}.in_storage", f"{FIRST}.is_blocked"),
        calm={"disk:sda.reads": 10, "disk:sda.read_ms": 2, "disk:sda.io_ms": 2},
    )
    assert told.verdict.detail.id.startswith("verdict.partner_held")
    assert "vrcompositor" in english(told.verdict.detail)
    assert "storage" not in english(told.verdict.detail)


def _server(**more):
    """Behind a socket of the game's, in which no look found a thread."""
    known = {"looks": 3, "of_looks": 3, "is_at_end": True}
    return Partner(70, "wineserver64", **{**known, **more})


def test_a_server_that_stands_still_all_through_is_waited_for_through_any_job():
    """The job asks it that the main thread's job waits for: none of the two is known."""
    kept = _server(in_storage=3)
    (found,) = blames(_met(kept))
    assert (found.where, found.partner) == (WhereTimeWent.STORAGE, "70 wineserver64")
    (found,) = blames(_met(_server(stopped=3, stopped_of=3, went_on=True)))
    assert found.where is WhereTimeWent.PARTNER_STOPPED


@pytest.mark.parametrize(
    "met",
    [
        pytest.param(_met(_server(in_storage=3, storage_usual=0.3)), id="does so anyhow"),
        pytest.param(_met(_server(in_storage=1)), id="in one look"),
        pytest.param(_met(_server(in_storage=3), handed_on=1), id="main thread elsewhere"),
        pytest.param(replace(_met(_server(in_storage=3)), kept=("9 job", "running", 3)), id="job"),
    ],
)
def test_a_server_at_a_socket_is_not_waited_for_by_chance(met):
    """Each of these may be its own business."""
    assert by_partner(met) is None
