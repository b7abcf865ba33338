# SPDX-License-Identifier: GPL-3.0-or-later
"""What the processes do for which a game waits in shared memory, and when they are looked at."""

import pytest

from destutter.core.catalog import SOURCES
from destutter.sampling.game.game_threads import AloneWait, GameThreads
from destutter.sampling.game.partners import PartnerFinder, PartnerSampler, PartnerWatch
from destutter.sampling.game.system_calls import SystemCalls, untimed
from destutter.sampling.game.watched_process import WatchedProcess
from tests.support.fake_root import FakeRoot, process_stat
from tests.unit.sampling.game.game_kernel import PID as LOOKED_AT
from tests.unit.sampling.game.game_kernel import WORKER, GameKernel, seen

GAME, COMPOSITOR = 100, 101
SECOND_NS = 1_000_000_000
MEMORY = "7f00-7f10 rw-s 00000000 00:1c 7          /memfd:vr (deleted)\n"
UNTIMED = "202 0x7f0 0x0 0x5 0x0 0x0 0x0 0x7ffc 0x7f1\n"
TIMED = "202 0x7f0 0x89 0x5 0x7ffd 0x0 0xffffffff 0x7ffc 0x7f1\n"


class Pair:
    """A game and a compositor with two threads, whose clock and looks the test moves."""

    def __init__(self, folder):
        self.root = FakeRoot(folder)
        self.now_ns = 100 * SECOND_NS
        self.game_threads = GameThreads()
        self.game_threads.begin(GAME)
        self.watch = PartnerWatch()
        self.game = WatchedProcess(GAME)
        for pid in (GAME, COMPOSITOR):
            self.root.put(f"/proc/{pid}/maps", MEMORY)
            self.root.put(f"/proc/{pid}/status", "Name:\tx\nUid:\t1000\t1000\n")
            self.root.put(f"/proc/{pid}/comm", "x\n")
        self.put(COMPOSITOR, "vrcompositor")
        self.put(110, "render")
        self.finder = PartnerFinder(self.root.files, self.game, self.watch, self._clock)
        self.sampler = PartnerSampler(self.watch, self.game_threads, self._clock)

    def put(self, tid, name, *, state="S", run_ns=0, delay_ns=0, place="futex_wait_queue"):
        """What a thread of the compositor does now."""
        base = f"/proc/{COMPOSITOR}/task/{tid}"
        self.root.put(f"{base}/stat", process_stat(tid, name, state=state))
        self.root.put(f"{base}/schedstat", f"{run_ns} {delay_ns} 3\n")
        self.root.put(f"{base}/wchan", place)

    def wait(self, times=2, end=""):
        """The main thread is found waiting for nobody of its own, again and again."""
        for _ in range(times):
            self.now_ns += SECOND_NS
            self.game_threads.waits_alone = AloneWait(not end, frozenset({end} - {""}))
            self.sampler.read()

    def rows(self):
        """What a tick tells of each thread, by field."""
        fields = SOURCES["partner"].fields
        told = self.sampler.read()
        if not told:
            return {}
        (measured,) = told
        values = zip(*[iter(measured.values)] * len(fields), strict=True)
        return {
            name: dict(zip(fields, row, strict=True))
            for name, row in zip(measured.instances or (), values, strict=True)
        }

    def _clock(self):
        return self.now_ns


@pytest.fixture
def pair(tmp_path):
    """A game that shares memory with a compositor."""
    made = Pair(tmp_path)
    yield made
    made.sampler.close()


def test_nobody_is_looked_for_while_nothing_waits(pair):
    """Neither without a wait nor after a single one."""
    pair.finder.look()
    pair.wait(times=1)
    pair.finder.look()
    assert (pair.watch.threads, pair.rows()) == ((), {})


def test_two_waits_soon_after_each_other_ask_for_a_search_at_once(pair):
    """Once: what goes on waiting is searched for already."""
    pair.wait()
    assert (pair.watch.take_new(), pair.watch.take_new()) == (True, False)
    pair.wait()
    assert not pair.watch.take_new()


def test_who_answers_through_a_pipe_is_found_by_it(pair):
    """Whatever memory others share with the game: it is not that in which it waits."""
    pair.wait(end="pipe:[9] read")
    for pid, links in (
        (GAME, ("pipe:[9]", "pipe:[8]")),
        (110, ("pipe:[8]",)),
        (120, ("pipe:[9]",)),
    ):
        pair.root.put(f"/proc/{pid}/stat", process_stat(pid, "x"))
        pair.root.put(f"/proc/{pid}/status", "Name:\tx\nUid:\t1000\t1000\n")
        pair.root.put(f"/proc/{pid}/comm", "x\n")
        pair.root.put(f"/proc/{pid}/task/{pid}/stat", process_stat(pid, "server"))
        folder = pair.root.folder / f"proc/{pid}/fd"
        folder.mkdir(parents=True)
        for number, link in enumerate(links):
            (folder / str(number)).symlink_to(link)
    pair.finder.look()
    assert [each.name for each in pair.watch.threads] == ["120/120 server"]
    assert pair.watch.ends == {"pipe:[9] read"}


def test_another_kind_of_wait_asks_for_another_search(pair):
    """A game that waited in memory, and waits at a socket now."""
    pair.wait()
    pair.finder.look()
    assert pair.watch.threads
    pair.wait(end="socket:[5]")
    assert pair.watch.take_new()
    pair.finder.look()
    assert not pair.watch.threads


def test_waits_far_apart_ask_for_nothing(pair):
    """One look alone may be of a frame that waits as all of them do."""
    pair.wait(times=1)
    pair.now_ns += 10 * SECOND_NS
    pair.wait(times=1)
    assert not pair.watch.is_wanted(pair.now_ns)


def test_the_threads_of_a_partner_are_told_by_tick(pair):
    """Times and states; what it moved stands with its first thread."""
    pair.root.put(
        f"/proc/{COMPOSITOR}/io",
        "rchar: 1\nwchar: 1\nsyscr: 1\nsyscw: 1\nread_bytes: 40\nwrite_bytes: 8\n"
        "cancelled_write_bytes: 0\n",
    )
    pair.wait()
    pair.finder.look()
    pair.put(110, "render", state="D", run_ns=5, delay_ns=9, place="folio_wait_bit_common")
    rows = pair.rows()
    assert rows["101/110 render"] == {
        "run_ns": 5, "run_delay_ns": 9, "is_stopped": 0, "in_storage": 1, "is_blocked": 0,
        "read_bytes": None, "write_bytes": None, "is_at_end": 0, "is_asking": 0, "is_napping": 0,
    }  # fmt: skip
    first = rows["101/101 vrcompositor"]
    assert (first["read_bytes"], first["write_bytes"], first["is_stopped"]) == (40, 8, 0)


@pytest.mark.parametrize(
    ("state", "place", "field"),
    [
        ("T", "do_signal_stop", "is_stopped"),
        ("t", "ptrace_stop", "is_stopped"),
        ("S", "do_freezer_trap", "is_stopped"),
        ("D", "jbd2_log_wait_commit", "in_storage"),
        ("D", "synchronize_rcu", "is_blocked"),
        ("S", "futex_wait_queue", ""),
        ("R", "", ""),
    ],
)
def test_what_a_thread_is_kept_by(pair, state, place, field):
    """Stopped by a signal, a tracer or its group; asleep in storage; or for something else."""
    pair.wait()
    pair.finder.look()
    pair.put(COMPOSITOR, "vrcompositor", state=state, place=place)
    row = pair.rows()["101/101 vrcompositor"]
    assert [name for name in ("is_stopped", "in_storage", "is_blocked") if row[name]] == (
        [field] if field else []
    )


def test_partners_are_left_half_a_minute_after_the_last_wait(pair):
    """And told again with the next one."""
    pair.wait()
    pair.finder.look()
    assert pair.rows()
    pair.now_ns += 31 * SECOND_NS
    assert pair.rows() == {}


def test_an_old_list_is_made_anew(pair):
    """A partner that was started later is found then, and not before."""
    pair.wait()
    pair.finder.look()
    found = pair.watch.threads
    for _ in range(10):
        pair.wait()
        pair.finder.look()
    assert pair.watch.threads is found
    pair.now_ns += 15 * SECOND_NS
    pair.wait()
    pair.finder.look()
    assert pair.watch.threads is not found
    pair.rows()
    assert not pair.watch.left


def test_another_game_has_other_partners(pair):
    """Those of before are let go at once."""
    pair.wait()
    pair.finder.look()
    pair.game.pid = 200
    pair.finder.look()
    assert pair.watch.threads == ()


def test_a_partner_that_ended_is_told_no_more(pair):
    """The others are."""
    pair.wait()
    pair.finder.look()
    pair.root.put(f"/proc/{COMPOSITOR}/task/110/stat", "")
    assert [*pair.rows()] == ["101/101 vrcompositor"]


def test_of_many_threads_the_first_and_the_busiest_are_followed(pair):
    """Four in all: each costs in every tick."""
    for tid in range(110, 150):
        pair.put(tid, f"t{tid}", run_ns=tid)
    pair.wait()
    pair.finder.look()
    tids = {name.partition("/")[2].partition(" ")[0] for name in pair.rows()}
    assert tids == {"101", "149", "148", "147"}


def test_a_partner_that_waits_for_a_core_has_all_processes_looked_at(pair):
    """As when the game itself does: who did it may be gone at the next look."""
    pair.wait()
    pair.finder.look()
    pair.rows()
    assert not pair.game_threads.take_hold_up()
    pair.put(110, "render", delay_ns=40_000_000)
    pair.rows()
    assert pair.game_threads.take_hold_up()


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (UNTIMED, 1),
        (TIMED, 0),
        ("449 0x1 0x2 0x0 0x0 0x0 0x0 0x7ffc 0x7f1", 1),
        ("455 0x1 0x2 0x0 0x0 0x77 0x0 0x7ffc 0x7f1", 0),
        ("16 0x1 0x2 0x0 0x0 0x0 0x0 0x7ffc 0x7f1", None),
        ("running", None),
        ("", None),
    ],
)
def test_a_futex_has_a_time_of_its_own_or_none(line, told):
    """By the pointer among the arguments of the call; an ioctl, as of ntsync, has none to read."""
    assert untimed(line.encode()) == told


def test_a_thread_of_somebody_else_tells_nothing(tmp_path):
    """The file is not there, as where nobody may read it: not known."""
    assert SystemCalls(FakeRoot(tmp_path).files).is_untimed(7, 7) is None


@pytest.mark.parametrize(
    ("state", "place", "is_alone"),
    [("S", "futex_wait_queue", True), ("R", "0", False), ("D", "io_schedule", False)],
)
def test_a_main_thread_waits_alone_while_nobody_of_its_own_is_awake(
    tmp_path, state, place, is_alone
):
    """A thread that runs or is blocked may be the one that it waits for."""
    kernel = GameKernel(tmp_path)
    kernel.settle()
    assert kernel.game_threads.take_wait() is None
    kernel.put(WORKER, "streamer", state, place)
    kernel.root.put(f"/proc/{LOOKED_AT}/task/{LOOKED_AT}/syscall", UNTIMED)
    told = seen(kernel.tick(run_ms=0))
    kernel.sampler.close()
    assert told["main_untimed"] == 1
    assert (kernel.game_threads.take_wait() is not None) is is_alone
