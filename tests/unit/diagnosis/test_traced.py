# SPDX-License-Identifier: GPL-3.0-or-later
"""What the kernel's trace tells of a stutter, against what its counters only make likely."""

import itertools

import pytest

from destutter.core.sample import Facts
from destutter.core.statement import Statement
from destutter.core.traced import (
    FilesystemCommit,
    SlowRequest,
    TracedMoment,
    TracedSleep,
    TracedThread,
    TracedWait,
    TraceLook,
    TraceLoss,
)
from destutter.diagnosis.circumstances.circumstances import Circumstances
from destutter.diagnosis.circumstances.traced_waits import (
    TracedWaits,
    TraceLog,
    WaitInside,
    longest,
    together_ms,
)
from destutter.diagnosis.finding import Confidence, Culprit, Finding, Group, Spike
from destutter.diagnosis.findings.correlator import Match
from destutter.diagnosis.findings.explained import Explained
from destutter.diagnosis.findings.traced_findings import with_traced
from destutter.diagnosis.history.tick_log import TickLog
from destutter.words.renderer import english
from tests.support.engine_scenes import WORKING, assessed, begin, see
from tests.unit.session.streams import record, replayed

MS = 1_000_000
FRAMES = [16.67]
MAIN, STREAMER, ELSE = (
    TracedThread(7, "main", 7),
    TracedThread(8, "Streamer", 7),
    TracedThread(90, "backup", 90),
)
SHORT_OF_MEMORY = {
    "vmstat.allocstall_normal": 400.0,
    "vmstat.pgsteal_direct": 20_000.0,
    "pressure:memory.some_us": 9e5,
}
BUSY_DRIVE = {"disk:sda.reads": 20, "disk:sda.read_ms": 60, "disk:sda.io_ms": 50}
SLOW_DRIVE = {
    "pressure:io.some_us": 9.8e5,
    "disk:sda.reads": 20,
    "disk:sda.read_ms": 5000,
    "disk:sda.io_ms": 980,
    "disk:sda.sectors_read": 800,
}
CROWDED = {
    "stat.user": 390,
    "stat.idle": 10,
    "pressure:cpu.some_us": 1e6,
    "game.run_delay_ns": 9e8,
    "busy_thread:7 main.run_delay_ns": 9e8,
}


def reclaim(thread, ms, begin_ms=20):
    """A wait of a thread that begins so long after the stutter does."""
    return lambda at_ns: TracedWait(thread, "reclaim", at_ns + begin_ms * MS, ms * MS)


def held_write(thread, ms, *, queue_part=0.9, step_ms=-300, device="sda"):
    """A write that waited so much of its time before the drive got it, behind a step of WBT."""

    def request(at_ns):
        length = ms * MS
        queue = int(queue_part * length)
        return SlowRequest(
            "sda",
            "write",
            8,
            8,
            at_ns + 10 * MS,
            queue,
            length - queue,
            None,
            thread,
            is_written_back=False,
        )

    return request, lambda at_ns: TracedMoment("wbt", at_ns + step_ms * MS, device)


def commit(ms, begin_ms=10, data_part=0.9):
    """A commit of ext4 that begins so long after the stutter does."""

    def made(at_ns):
        data = int(data_part * ms * MS)
        end_ns = at_ns + (begin_ms + ms) * MS
        return FilesystemCommit("ext4", "sda", end_ns, MS, data, ms * MS - data - MS)

    return made


def behind(thread, other, priority, ms, begin_ms=10):
    """A wait for a core on which somebody else ran last."""
    return lambda at_ns: TracedWait(
        thread, "core", at_ns + begin_ms * MS, ms * MS, behind=other, behind_priority=priority
    )


def read(thread, ms):
    """A request to the slow drive."""
    return lambda at_ns: SlowRequest(
        "sda", "read", 8, 8, at_ns + 10 * MS, None, ms * MS, None, thread, is_written_back=False
    )


def played(*arguments, **more):
    """The findings of a scene, by cause."""
    return {each.cause: each for each in assessed(scene(*arguments, **more)).findings}


def scene(trouble, found=(), *, seen=(), is_traced=True, lost=False, missing=""):
    """Six stutters of 200 ms; what is found in each by a trace that runs all the time, or not.

    ``seen`` is what looks at the threads find besides.
    """
    script = begin()
    if is_traced:
        script.fact(trace__game="7", **({"trace__missing": missing} if missing else {}))
    looked = script.now_ns
    for _ in range(6):
        for _ in range(5):
            script.run(1, {**WORKING, **BUSY_DRIVE}).frames(*FRAMES * 60)
        at_ns = script.now_ns
        see(script, seen)
        script.run(0.2, trouble).frames(200.0)
        see(script, ())
        script.run(0.8, {**WORKING, **BUSY_DRIVE}).frames(*FRAMES * 48)
        if is_traced:
            told = [each(at_ns) for each in found]
            script.messages.append(
                TraceLook(
                    *(looked, script.now_ns, 0, 90),
                    waits=tuple(each for each in told if isinstance(each, TracedWait)),
                    requests=tuple(each for each in told if isinstance(each, SlowRequest)),
                    moments=tuple(each for each in told if isinstance(each, TracedMoment)),
                    commits=tuple(each for each in told if isinstance(each, FilesystemCommit)),
                    losses=(TraceLoss(at_ns, at_ns + MS, None),) if lost else (),
                    sleeps=tuple(each for each in told if isinstance(each, TracedSleep)),
                )
            )
            looked = script.now_ns
    script.run(3, {**WORKING, **BUSY_DRIVE}).frames(*FRAMES * 180)
    return script


def test_the_last_look_of_a_game_that_has_ended_is_of_its_stutters():
    """It comes behind the word that the game is gone; its stutters of the last two seconds were
    guessed at."""
    script = scene(SHORT_OF_MEMORY, [reclaim(STREAMER, 169)])
    last = max(at for at, each in enumerate(script.messages) if isinstance(each, TraceLook))
    (look,) = script.messages[last : last + 1]
    del script.messages[last]
    script.fact(game__pid="", trace__game="").messages.append(look)
    lost = assessed(script, is_whole=True).lost
    assert lost.traced_ms == pytest.approx(6 * 169)
    assert lost.of_each[-1].traced_ms == pytest.approx(169)


def test_what_happens_behind_the_game_is_none_of_its_stutters():
    """A late wake-up of the computer is not asked for the threads of who has gone."""
    log = TickLog()
    log.follow("7", 0)
    log.follow("", 5_000 * MS)
    assert log.game_at(Spike(4_900 * MS, 100.0, "frames")) == "7"
    assert log.game_at(Spike(5_100 * MS, 60.0, "wakeup")) == ""
    log.follow("8", 6_000 * MS)
    assert log.game_at(Spike(6_500 * MS, 60.0, "frames")) == "8"


def told(finding):
    """The reasons of a finding in English."""
    return [english(each).replace("\N{NO-BREAK SPACE}", " ") for each in finding.reasons]


def test_a_thread_that_freed_memory_is_named_with_its_time():
    """169 ms of 200, by the kernel's own word."""
    finding = played(SHORT_OF_MEMORY, [reclaim(STREAMER, 169)])["direct_reclaim"]
    assert finding.stutters_explained == 6
    assert finding.confidence is Confidence.HIGH
    assert told(finding)[0] == (
        "Measured in the kernel: Streamer waited 169 ms for free memory; such waits were at 6 of 6"
    )


def test_a_wait_that_no_counter_shows_is_a_finding_too():
    """The trace alone is enough."""
    finding = played({}, [reclaim(STREAMER, 169)])["direct_reclaim"]
    assert finding.stutters_explained == 6
    assert finding.confidence is Confidence.MEDIUM


@pytest.mark.parametrize("found", [[], [reclaim(ELSE, 169)], [reclaim(STREAMER, 3)]])
def test_counters_without_a_wait_of_the_game_are_no_reason(found):
    """Nobody waited, somebody else did, or for too short a time."""
    assert played(SHORT_OF_MEMORY, is_traced=False)["direct_reclaim"].stutters_explained == 6
    findings = played(SHORT_OF_MEMORY, found)
    assert findings["direct_reclaim"].stutters_explained == 0


def test_a_commit_that_a_thread_was_found_waiting_for_is_measured():
    """How long it took, and how much of that for data; one that was short made nobody late."""
    before = played({}, seen=("journal",))["filesystem_commit"]
    finding = played({}, [commit(170)], seen=("journal",))["filesystem_commit"]
    timed, measured, *_ = told(finding)
    assert timed == (
        "Measured in the kernel: a commit on sda took 170 ms, 153 ms of that for data that had to"
        " be written first; such commits were at 6 of 6"
    )
    assert measured == "A wait of the game itself was measured"
    assert told(before)[0].startswith("At 6 of 6 its thread streamer was seen waiting for it,")
    short = played({}, [commit(20)], seen=("journal",))["filesystem_commit"]
    assert "A wait of the game itself was measured" not in told(short)


def test_a_commit_for_which_nobody_was_found_waiting_is_no_reason():
    """It goes on beside games all the time."""
    assert "filesystem_commit" not in played({}, [commit(170)])


@pytest.mark.parametrize(
    "more", [{"lost": True}, {"missing": "vmscan/mm_vmscan_direct_reclaim_begin,jbd2/x"}]
)
def test_what_was_not_measured_in_full_is_judged_as_before(more):
    """Where events were lost, or where this kernel does not tell of these at all."""
    before = played(SHORT_OF_MEMORY, is_traced=False)
    after = played(SHORT_OF_MEMORY, **more)
    assert after["direct_reclaim"] == before["direct_reclaim"]


def test_a_recording_is_judged_as_what_was_live(tmp_path):
    """The same findings in the same words."""
    script = scene(SHORT_OF_MEMORY, [reclaim(STREAMER, 169), read(ELSE, 90)])
    live = assessed(script).findings
    path = tmp_path / "a.destutter"
    header, *messages = script.messages
    record(path, messages, header)
    script.messages = replayed(path)
    assert assessed(script).findings == live
    assert any("Streamer" in text for each in live for text in told(each))


def test_a_slow_drive_that_the_game_asked_for_nothing_is_no_reason():
    """With a request of its own it is, and who else asked it is named."""
    assert played(SLOW_DRIVE, is_traced=False)["slow_device"].stutters_explained == 6
    assert played(SLOW_DRIVE)["slow_device"].stutters_explained == 0
    found = [read(STREAMER, 180), read(ELSE, 150)]
    finding = played(SLOW_DRIVE, found, seen=("io",))["slow_device"]
    assert finding.stutters_explained == 6
    assert told(finding)[0].startswith("Measured in the kernel: Streamer waited 180 ms for the")
    assert ("process", "backup", 90) in [(e.what, e.comm, e.pid) for e in finding.culprits]


def test_who_had_the_core_is_named():
    """A real-time program, by its name; without one it is a wait for a core."""
    found = [behind(MAIN, TracedThread(55, "rt-hog", 50), 49, 180)]
    finding = played(CROWDED, found)["rt_runaway"]
    assert finding.stutters_explained == 6
    assert finding.culprits[0].what == "realtime"
    assert (finding.culprits[0].comm, finding.culprits[0].pid) == ("rt-hog", 50)
    turns = [behind(MAIN, ELSE, 120, 9, begin_ms=10 * each) for each in range(1, 19)]
    ordinary = played(CROWDED, turns)["run_queue_delay"]
    assert ordinary.culprits[0].comm == "backup"
    assert told(ordinary)[0].startswith("Measured in the kernel: main waited")


def test_who_only_ran_last_on_a_core_is_not_named():
    """Behind it stood whoever had the core for the 180 ms, which looks at processes may know."""
    finding = played(CROWDED, [behind(MAIN, ELSE, 120, 180)])["run_queue_delay"]
    assert told(finding)[0].startswith("Measured in the kernel: main waited 180 ms for a core")
    assert "backup" not in [each.comm for each in finding.culprits]


def test_waits_within_each_other_count_once():
    """A thread that is held back while it frees memory waits once; the longest thread speaks."""
    log = TraceLog()
    log.accept_look(
        TraceLook(
            *(0, 10**9, 0, 1),
            waits=(
                TracedWait(STREAMER, "reclaim", 400 * MS, 100 * MS),
                TracedWait(STREAMER, "throttled", 420 * MS, 50 * MS),
                TracedWait(MAIN, "reclaim", 400 * MS, 90 * MS),
            ),
        )
    )
    traced = log.within(Spike(600 * MS, 200.0, "mangohud"), "7")
    assert traced is not None
    assert together_ms(traced.of(("reclaim", "throttled"))) == 100.0
    worst = longest(traced.waits)
    assert worst is not None
    assert (worst.thread, worst.ms) == (STREAMER, 100.0)


@pytest.mark.parametrize(
    ("looks", "is_full"),
    [
        ([(0, 300), (300, 700)], True),
        ([(0, 450), (460, 700)], False),  # nobody looked for 10 ms
        ([(390, 700)], False),  # it began within the stutter
        ([(0, 590)], False),  # and has not come to its end
    ],
)
def test_a_stutter_is_measured_in_full_by_looks_that_follow_each_other(looks, is_full):
    """From before it to behind it."""
    log = TraceLog()
    for begin_ms, end_ms in looks:
        log.accept_look(TraceLook(begin_ms * MS, end_ms * MS, 0, 1))
    spike = Spike(600 * MS, 200.0, "mangohud")
    assert (log.within(spike, "7") is not None) == is_full
    assert log.is_behind(spike) == (looks[-1][1] < 600)
    assert log.within(spike, "") is None


MEMORY_KINDS = {"reclaim", "memcg_reclaim", "compaction", "throttled", "dirty_pause"}


@pytest.mark.parametrize(
    ("partly", "told_kinds"),
    [
        ({"losses": (TraceLoss(500 * MS, 510 * MS, 9, "drives"),)}, MEMORY_KINDS),
        ({"untold": 70, "untold_requests": 70}, MEMORY_KINDS),
        ({"losses": (TraceLoss(500 * MS, 510 * MS, None, "waits"),)}, {"request"}),
        ({"untold": 70, "untold_requests": 69}, None),
        (
            {"untold": 70, "untold_requests": 70, "untold_other_requests": 70},
            {"request", "wbt", *MEMORY_KINDS},
        ),
        ({"untold": 70, "untold_requests": 70, "untold_other_requests": 69}, MEMORY_KINDS),
        ({"untold": 70}, {"request"}),
        ({"untold": 70, "untold_other_waits": 70}, {"request", "wbt", *MEMORY_KINDS}),
        ({"losses": (TraceLoss(500 * MS, 510 * MS, 9),)}, None),
        ({"losses": (TraceLoss(900 * MS, 910 * MS, 9),)}, {"request", "wbt", *MEMORY_KINDS}),
    ],
)
def test_what_the_drives_lost_costs_no_wait_for_memory(partly, told_kinds):
    """Each is whole or not by itself; what recordings of before lost, nobody knows where."""
    log = TraceLog()
    waits = (TracedWait(STREAMER, "reclaim", 450 * MS, 100 * MS),)
    requests = (read(STREAMER, 60)(440 * MS),)
    log.accept_look(TraceLook(0, 10**9, 0, 1, waits=waits, requests=requests, **partly))
    traced = log.within(Spike(600 * MS, 200.0, "mangohud"), "7")
    if told_kinds is None:
        assert traced is None
        return
    assert traced is not None
    assert traced.told == told_kinds
    assert {each.kind for each in traced.waits} == told_kinds & {"reclaim", "request"}


def test_waits_for_a_core_are_told_of_the_game_that_was_named():
    """And of that only from then on."""
    log = TraceLog()
    log.accept_look(TraceLook(0, 10**9, 0, 1))
    spike = Spike(600 * MS, 200.0, "mangohud")
    for at_ms, pid in itertools.product((100, 500), ("7", "9", "")):
        log.accept_facts(Facts(at_ms * MS, {"trace.game": pid}))
        traced = log.within(spike, "7")
        assert traced is not None
        assert ("core" in traced.told) == (at_ms == 100 and pid == "7")


def test_a_write_that_the_kernel_held_back_is_no_slow_drive():
    """WBT alone: the drive took a tenth of the time, the queue before it the rest."""
    findings = played({}, held_write(STREAMER, 180))
    finding = findings["wbt_throttling"]
    assert finding.stutters_explained == 6
    assert finding.confidence is Confidence.MEDIUM
    assert "of Streamer was held back for 180 ms before the drive got it" in told(finding)[0]
    assert not any(findings[each].stutters_explained for each in findings.keys() - {finding.cause})


@pytest.mark.parametrize(
    "found",
    [
        held_write(STREAMER, 180, queue_part=0.2),
        held_write(STREAMER, 180, step_ms=-1500),
        held_write(STREAMER, 180, device="sdb"),
        held_write(STREAMER, 180)[:1],
        held_write(ELSE, 180),
    ],
)
def test_without_a_step_of_its_drive_nobody_was_held_back(found):
    """A slow drive, a step long before or on another drive, none at all, or another's write."""
    assert "wbt_throttling" not in played({}, found)


@pytest.mark.parametrize(
    ("more", "is_missing"),
    [({}, False), ({"missing": "wbt/wbt_timer"}, True), ({"is_traced": False}, True)],
)
def test_whether_it_can_be_seen_is_said(more, is_missing):
    """Only a trace tells it, and only of a kernel that has its event."""
    names = {each.what.id for each in assessed(scene({}, **more)).not_measured}
    assert ("cause.wbt_throttling" in names) == is_missing


def test_a_starved_softirq_names_who_had_its_core():
    """What finishes interrupts is no thread of the game, and waits all the same."""
    spike = Spike(1000 * MS, 200.0, "frame")
    daemon, hog = TracedThread(22, "ksoftirqd/1", 22), TracedThread(91, "hog", 91)
    wait = WaitInside(daemon, "core", 810 * MS, 960 * MS, behind=hog, behind_priority=10)
    met = Circumstances(200.0, traced=TracedWaits(frozenset({"core"}), softirqs=(wait,)))
    finding = Finding("softirq_starvation", Group.CPU, Confidence.MEDIUM, 1, 1, 0, 1, evidence=())
    match = Match(explained=(spike,), moments=(), met=1, direct=0, share=0.0, chance=1.0)
    better, _ = with_traced((finding, match), [Explained(spike, met, ())])
    assert "ksoftirqd/1, which finishes interrupts, waited 150 ms for a core" in told(better)[0]
    assert [(each.what, each.comm) for each in better.culprits] == [("realtime", "hog")]


@pytest.mark.parametrize(("name", "priority"), [("migration/1", 0), ("kworker/1:1H", 100)])
def test_a_thread_of_the_kernel_that_only_passed_is_nobody_who_did_it(name, priority):
    """It was the last on the core, for microseconds, and its name is nothing that ends."""
    turns = [
        behind(MAIN, TracedThread(23, name, 23), priority, 9, begin_ms=10 * each)
        for each in range(1, 19)
    ]
    finding = played(CROWDED, turns)["run_queue_delay"]
    assert name not in [each.comm for each in finding.culprits]


def test_who_starts_a_culprit_again_and_again_stays_known():
    """The trace knows who asked the drive, and the looks at processes who starts that."""
    spike = Spike(1000 * MS, 200.0, "frame")
    backup = TracedThread(90, "backup", 90)
    other = SlowRequest(
        "sda", "read", 8, 8, 810 * MS, None, 180 * MS, None, backup, is_written_back=False
    )
    wait = WaitInside(STREAMER, "request", 810 * MS, 990 * MS, "sda")
    met = Circumstances(200.0, traced=TracedWaits(frozenset({"request"}), (wait,), (other,)))
    known = Culprit("process", "backup", 90, Statement("culprit.read"), starter="timer (7)")
    finding = Finding(
        *("io_unfairness", Group.STORAGE, Confidence.MEDIUM, 1, 1, 0, 1), (), culprits=(known,)
    )
    match = Match(explained=(spike,), moments=(), met=1, direct=0, share=0.0, chance=1.0)
    better, _ = with_traced((finding, match), [Explained(spike, met, ())])
    (culprit,) = better.culprits
    assert culprit.why is not None
    assert (culprit.why.id, culprit.starter) == ("culprit.requests", "timer (7)")


def test_waits_of_softirqs_are_kept_apart_from_the_games():
    """Only where waits for a core are told at all."""
    log = TraceLog()
    daemon = TracedThread(22, "ksoftirqd/1", 22)
    waits = (TracedWait(daemon, "core", 500 * MS, 150 * MS), reclaim(STREAMER, 100)(500 * MS))
    log.accept_look(TraceLook(0, 2000 * MS, 0, 90, waits=waits))
    spike = Spike(700 * MS, 200.0, "frame")
    untold = log.within(spike, "7")
    assert untold is not None
    assert untold.softirqs == ()
    log.accept_facts(Facts(0, {"trace.game": "7"}))
    found = log.within(spike, "7")
    assert found is not None
    assert [each.thread.name for each in found.softirqs] == ["ksoftirqd/1"]
    assert [each.thread for each in found.waits] == [STREAMER]


def slept(ms, *woken_by, begin_ms=10):
    """The main thread sleeps until the first of these wakes it."""
    return lambda at_ns: TracedSleep(MAIN, at_ns + begin_ms * MS, ms * MS, woken_by)


AUDIO = TracedThread(9, "Audio", 7)


def test_a_wait_of_a_thread_that_nobody_waits_for_is_no_reason():
    """The main thread slept until Audio woke it; that the streamer freed memory held nobody up."""
    before = played(SHORT_OF_MEMORY, [reclaim(STREAMER, 169)])["direct_reclaim"]
    assert before.stutters_explained == 6
    found = [reclaim(STREAMER, 169), slept(185, AUDIO)]
    assert played(SHORT_OF_MEMORY, found)["direct_reclaim"].stutters_explained == 0


def test_a_sleep_that_an_interrupt_ends_is_for_nobody():
    """The game's own timer: a worker that freed memory meanwhile held nobody up."""
    found = [reclaim(STREAMER, 169), slept(185)]
    assert played(SHORT_OF_MEMORY, found)["direct_reclaim"].stutters_explained == 0


@pytest.mark.parametrize("woken_by", [(STREAMER,), (AUDIO, STREAMER)])
def test_a_worker_is_followed_to_the_main_thread_that_waits_for_it(woken_by):
    """At once or by way of another, and that is said."""
    found = [reclaim(STREAMER, 169), slept(185, *woken_by)]
    finding = played(SHORT_OF_MEMORY, found)["direct_reclaim"]
    assert finding.stutters_explained == 6
    assert told(finding)[1] == (
        "Measured in the kernel: the main thread slept at 6 of them until Streamer woke it"
    )


def test_another_program_that_the_main_thread_waits_for_counts_as_its_own():
    """The server of Wine freed memory meanwhile."""
    server = TracedThread(40, "wineserver", 40)
    assert "direct_reclaim" not in played({}, [reclaim(server, 169)])
    finding = played({}, [reclaim(server, 169), slept(185, server)])["direct_reclaim"]
    assert finding.stutters_explained == 6
    assert told(finding)[0].startswith("Measured in the kernel: wineserver waited 169 ms")


@pytest.mark.parametrize(
    "sleeps",
    [
        [slept(62, begin_ms=62 * at) for at in range(3)],  # it may have asked again and again
        [slept(40, AUDIO)],  # it slept for the lesser part of the wait
        [slept(185, AUDIO), *(slept(90, AUDIO, begin_ms=-100 * at) for at in range(1, 9))],
    ],
)
def test_what_the_main_thread_waits_for_may_be_unknown(sleeps):
    """Then every thread of the game counts; the last one sleeps so all the time."""
    found = [reclaim(STREAMER, 169), *sleeps]
    assert played(SHORT_OF_MEMORY, found)["direct_reclaim"].stutters_explained == 6


def split(thread, ms, begin_ms):
    """A sleep for a split lock."""
    return lambda at_ns: TracedWait(thread, "split_lock", at_ns + begin_ms * MS, ms * MS)


def test_split_locks_are_judged_by_the_sleeps_that_they_cost():
    """Ten of a stutter's 200 ms are none, fourteen times as many are."""
    finding = played({}, [split(MAIN, 11, 12 * each) for each in range(1, 15)])["split_lock"]
    assert finding.stutters_explained == 6
    assert told(finding)[0] == (
        "Measured in the kernel: main was put to sleep for 154 ms for a split lock;"
        " such waits were at 6 of 6"
    )
    assert "split_lock" not in played({}, [split(MAIN, 11, 20)])
    assert "split_lock" not in played({}, [split(ELSE, 11, 12 * each) for each in range(1, 15)])


@pytest.mark.parametrize(
    ("more", "is_missing"),
    [({}, False), ({"missing": "printk/console"}, True), ({"is_traced": False}, True)],
)
def test_whether_split_locks_can_be_seen_is_said(more, is_missing):
    """As of a kernel without a console."""
    names = {each.what.id for each in assessed(scene({}, **more)).not_measured}
    assert ("cause.split_lock" in names) == is_missing
