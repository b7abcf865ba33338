# SPDX-License-Identifier: GPL-3.0-or-later
"""The busiest processes, real-time threads, and the table behind both."""

import os

import pytest

from destutter.core.kernel_files import KernelFiles
from destutter.sampling.game.watched_process import WatchedProcess
from destutter.sampling.processes.process_table import ProcessTable
from destutter.sampling.processes.processes import ProcessSampler, RealtimeSampler
from tests.support.fake_root import FakeRoot, process_stat
from tests.support.measuring import SteppedClock, read_once

IO = "rchar: 1\nwchar: 2\nsyscr: 3\nsyscw: 4\nread_bytes: {}\nwrite_bytes: {}\n"


class Computer:
    """A tree with processes, a clock, and the samplers on it."""

    def __init__(self, folder):
        self.root = FakeRoot(folder)
        self.clock = SteppedClock()
        self.table = ProcessTable(self.root.files, self.clock)
        self.watch = WatchedProcess()
        self.processes = ProcessSampler(self.root.files, self.table, self.watch, 100, 4096)
        self.realtime = RealtimeSampler(self.root.files, self.table, 100)

    def step(self, seconds=2.0):
        """Let time pass."""
        self.clock.advance(seconds)

    def top(self):
        """The busiest processes now."""
        return read_once(self.processes)["process"]

    def rt(self):
        """The real-time threads now; looks at the processes first, as the sampler does."""
        self.top()
        return read_once(self.realtime)["realtime"]


@pytest.fixture
def computer(tmp_path):
    """A computer without processes."""
    made = Computer(tmp_path)
    yield made
    made.processes.close()


def test_the_first_look_has_nothing_to_compare_with(computer):
    """Before a second look nobody is said to be busy."""
    computer.root.put_process(7, "hog", utime=500)
    assert computer.top() == {}


def test_what_the_game_started_is_its_own(computer):
    """Also through a shell; its launcher, and what that started beside it, are not."""
    computer.watch.pid = 20
    family = {10: ("steam", 1), 20: ("game", 10), 21: ("sh", 20), 22: ("fossilize", 21)}
    family[11] = ("overlay", 10)
    for pid, (name, parent) in family.items():
        computer.root.put_process(pid, name, ppid=parent)
    computer.top()
    computer.step()
    for pid, (name, parent) in family.items():
        computer.root.put_process(pid, name, ppid=parent, utime=100)
    told = {name: row["is_of_game"] for name, row in computer.top().items()}
    assert told == {"10 steam": 0, "11 overlay": 0, "20 game": 0, "21 sh": 1, "22 fossilize": 1}


def test_who_holds_much_memory_is_told_while_it_rests(computer):
    """One of 4 GB that took it an hour ago; not the game, and nobody who holds less than 1 GB."""
    computer.watch.pid = 20
    pages = {20: ("game", 2_000_000), 21: ("vm", 1_000_000), 22: ("mail", 300_000)}

    def put():
        for pid, (name, rss) in pages.items():
            computer.root.put_process(pid, name, rss=rss)

    def after_all_were_read():
        """Of those that rest each look reads a quarter."""
        put()
        for _ in range(3):
            computer.step()
            computer.top()
        computer.step()
        return computer.top()

    put()
    assert computer.top() == {}
    told = after_all_were_read()
    assert {name: row["rss_kib"] for name, row in told.items()} == {"21 vm": 4_000_000}
    assert told["21 vm"]["cpu_us"] == 0
    del pages[21]
    computer.root.remove("/proc/21")
    pages[22] = ("mail", 200_000)
    assert after_all_were_read() == {}


def test_a_process_that_came_since_the_last_look_did_all_of_it_since_then(computer):
    """Who floods the processors for a second and ends is gone before it was seen twice."""
    computer.top()
    computer.step()
    computer.root.put_process(8, "burst", utime=150, stime=10, majflt=2)
    computer.root.put("/proc/8/io", IO.format(7000, 90))
    values = computer.top()["8 burst"]
    assert (values["cpu_us"], values["major_faults"]) == (1_600_000, 2)
    assert (values["read_bytes"], values["write_bytes"]) == (7000, 90)
    assert values["interval_us"] == pytest.approx(2_000_000, rel=0.05)


def test_what_a_process_did_since_the_last_look(computer):
    """CPU time, faults, bytes, memory and scheduling of a process that was busy."""
    computer.root.put_process(7, "hog", utime=500, majflt=1)
    computer.root.put("/proc/7/io", IO.format(1000, 50))
    computer.top()
    computer.step()
    computer.root.put_process(7, "hog", utime=600, stime=20, majflt=4, rss=256, nice=-5)
    computer.top()
    computer.step(1)
    computer.root.put_process(7, "hog", utime=650, stime=50, majflt=4, rss=256, nice=-5)
    computer.root.put("/proc/7/io", IO.format(9000, 60))
    assert computer.top() == {
        "7 hog": {
            "interval_us": 1_000_000, "cpu_us": 800_000, "major_faults": 0, "blkio_us": None,
            "read_bytes": 8000, "write_bytes": 10, "rss_kib": 1024, "policy": 0,
            "rt_priority": 0, "nice": -5, "starttime_ticks": 0,
            "in_game_group": None, "system_us": 300_000, "children_us": 0,
            "same_name": 1, "same_name_cpu_us": 800_000, "is_of_game": None,
            "parent_pid": 1, "shares_cores": None,
        }
    }  # fmt: skip


def test_who_started_a_short_program_is_told_with_it(computer):
    """Though it rests, and what it did before is not told again; up to one that was there."""
    computer.root.put_process(7, "backup.sh", utime=5)
    computer.root.put_process(6, "bash", utime=9)
    computer.top()
    computer.step()
    computer.root.put_process(7, "backup.sh", utime=9, ppid=6)
    assert set(computer.top()) == {"7 backup.sh"}
    computer.step()
    computer.root.put_process(8, "sh", ppid=7)
    computer.root.put_process(9, "sha256sum", utime=80, ppid=8)
    told = computer.top()
    assert {name: row["parent_pid"] for name, row in told.items()} == {
        "7 backup.sh": 6, "8 sh": 7, "9 sha256sum": 8,
    }  # fmt: skip
    assert [told[name]["cpu_us"] for name in ("7 backup.sh", "8 sh")] == [0, 0]


def test_those_of_one_name_are_counted_with_those_that_are_not_told(computer):
    """Of thirty compilers the busiest are told one by one, and what all of them used together."""
    for number in range(100, 130):
        computer.root.put_process(number, "cc1")
    computer.root.put_process(7, "rests", utime=90)
    computer.top()
    computer.step()
    for number in range(100, 128):
        computer.root.put_process(number, "cc1", utime=14)
    told = computer.top()
    assert len(told) < 28
    assert {each["same_name"] for each in told.values()} == {28}
    assert {each["same_name_cpu_us"] for each in told.values()} == {28 * 140_000}


def test_what_an_ended_child_moved_is_not_its_parents(computer):
    """The kernel adds it to the parent that waited for it; the child is told with it."""
    computer.root.put_process(7, "launcher")
    computer.root.put("/proc/7/io", IO.format(0, 0))
    computer.root.put_process(9, "copy", ppid=7, utime=1)
    computer.root.put("/proc/9/io", IO.format(0, 0))
    computer.top()
    computer.step()
    for pid, name in ((7, "launcher"), (9, "copy")):
        computer.root.put_process(pid, name, ppid=7 if pid == 9 else 1, utime=5)
    computer.root.put("/proc/9/io", IO.format(1000, 500))
    assert computer.top()["9 copy"]["write_bytes"] is None
    computer.step(1)
    computer.root.remove("/proc/9")
    computer.root.put_process(7, "launcher", utime=6, cminflt=80)
    computer.root.put("/proc/7/io", IO.format(9000, 9500))
    told = computer.top()
    assert (told["9 copy"]["read_bytes"], told["9 copy"]["write_bytes"]) == (8000, 9000)
    assert told["9 copy"]["cpu_us"] == 0
    assert told["7 launcher"]["read_bytes"] is None
    computer.step(1)
    computer.root.put_process(7, "launcher", utime=7, cminflt=80)
    computer.root.put("/proc/7/io", IO.format(9100, 9500))
    told = computer.top()
    assert "9 copy" not in told
    assert told["7 launcher"]["read_bytes"] == 100


def test_a_child_that_was_seen_once_has_what_its_parent_is_charged_with(computer):
    """It was at rest when it was seen, half a second after it began; its parent never worked."""
    computer.root.put_process(7, "launcher")
    computer.root.put("/proc/7/io", IO.format(0, 0))
    told = [computer.top()]
    for _ in range(3):
        computer.step()
        computer.root.put_process(7, "launcher", utime=len(told))
        told.append(computer.top())
    computer.step()
    computer.root.put_process(9, "updater", ppid=7)
    computer.top()
    computer.step(2)
    computer.root.remove("/proc/9")
    computer.root.put_process(7, "launcher", utime=3, cminflt=80)
    computer.root.put("/proc/7/io", IO.format(0, 60_000_000))
    computer.table.is_thorough = True
    assert computer.top()["9 updater"]["write_bytes"] == 60_000_000


def test_bytes_of_a_child_that_nobody_saw_are_nobodys(computer):
    """It lived between two looks: its name is not known, and its parent did not move them."""
    computer.root.put_process(7, "shell", utime=1)
    computer.root.put("/proc/7/io", IO.format(0, 0))
    told = []
    for ticks, faults in ((1, 0), (2, 0), (3, 0), (4, 50)):
        computer.root.put_process(7, "shell", utime=ticks, cminflt=faults)
        told.append(computer.top().get("7 shell", {}).get("read_bytes"))
        computer.root.put("/proc/7/io", IO.format(100 * ticks, 0))
        computer.step(1)
    assert told == [None, None, 100, None]


def test_io_waits_need_accounting(computer):
    """I/O waits are told in microseconds while the kernel accounts for them."""
    computer.root.put("/proc/sys/kernel/task_delayacct", "1\n")
    computer.root.put_process(7, "hog")
    computer.top()
    computer.step()
    computer.root.put_process(7, "hog", utime=10, blkio=3)
    assert computer.top()["7 hog"]["blkio_us"] == 30_000


def test_the_most_active_by_each_measure_are_chosen(computer):
    """Eight by CPU time, four by faults, and whoever reclaims memory, in order of number."""
    for pid in range(10, 40):
        computer.root.put_process(pid, f"p{pid}")
    computer.root.put_process(5, "kswapd0")
    computer.top()
    computer.step()
    for pid in range(10, 40):
        computer.root.put_process(pid, f"p{pid}", utime=pid)
    computer.root.put_process(11, "p11", utime=11, majflt=9)
    computer.root.put_process(5, "kswapd0", stime=1)
    chosen = list(computer.top())
    assert chosen == ["5 kswapd0", "11 p11", *(f"{pid} p{pid}" for pid in range(32, 40))]


def test_a_process_that_ended_is_forgotten(computer):
    """A process that went, and another under the same number, are not compared."""
    computer.root.put_process(7, "old", utime=500, starttime=1)
    computer.top()
    computer.step()
    computer.root.put_process(7, "new", utime=900, starttime=2)
    assert computer.top() == {}
    computer.root.remove("/proc/7")
    computer.step()
    assert computer.top() == {}
    assert computer.table.known == {}


def test_processes_at_rest_take_turns(computer):
    """A process that rests is read now and then, and found when it begins to work."""
    computer.root.put_process(7, "sleeper")
    for _ in range(3):
        computer.top()
        computer.step()
    computer.root.put_process(7, "sleeper", utime=80)
    seen = []
    for _ in range(5):
        seen += computer.top()
        computer.step()
    assert seen == ["7 sleeper"]


def test_who_only_waits_for_a_drive_is_busy_too(computer):
    """It wrote 60 MB without a clock tick of processor time."""
    told = [computer.top()]
    for written in (0, 60_000_000):
        computer.step()
        computer.root.put_process(7, "updater", state="D")
        computer.root.put("/proc/7/io", IO.format(0, written))
        told.append(computer.top())
    assert told[-1]["7 updater"]["write_bytes"] == 60_000_000


def test_a_thorough_look_reads_those_at_rest_too(computer):
    """Who held the game up for half a second may have rested for minutes."""
    for pid in range(7, 12):
        computer.root.put_process(pid, f"p{pid}")
    for _ in range(7):
        computer.top()
        computer.step()
    for pid in range(7, 12):
        computer.root.put_process(pid, f"p{pid}", utime=80)
    computer.table.is_thorough = True
    assert len(computer.top()) == 5
    assert not computer.table.is_thorough


def test_a_damaged_process_does_not_hide_the_others(computer):
    """One line that cannot be read costs only its process."""
    computer.root.put_process(7, "hog")
    computer.root.put("/proc/8/stat", b"\xff\x00rubbish")
    computer.top()
    computer.step()
    computer.root.put_process(7, "hog", utime=5)
    assert list(computer.top()) == ["7 hog"]


def test_shares_of_a_cpu(computer):
    """The recent use of each process as a part of one CPU."""
    computer.root.put_process(7, "hog")
    computer.table.look()
    computer.step()
    computer.root.put_process(7, "hog", utime=150)
    computer.table.look()
    assert computer.table.cpu_shares(100) == {7: 0.75}


def test_a_realtime_thread_is_found_in_a_busy_program(computer):
    """A program with several threads is gone through when it was busy."""
    computer.root.put_process(7, "pipewire", threads=2)
    computer.root.put_thread(7, 7, "pipewire")
    base = "/proc/7/task/8"
    computer.root.put_thread(7, 8, "data-loop")
    computer.rt()
    computer.step()
    computer.root.put_process(7, "pipewire", threads=2, utime=5)
    rt = {"policy": 2, "rt_priority": 88, "processor": 1}
    computer.root.put(f"{base}/stat", process_stat(8, "data-loop", utime=3, **rt))
    computer.rt()
    computer.step(1)
    computer.root.put(f"{base}/stat", process_stat(8, "data-loop", utime=33, **rt))
    assert computer.rt() == {
        "7/8 data-loop": {**rt, "cpu_us": 300_000, "interval_us": 1_000_000},
    }


def test_a_few_milliseconds_are_no_share_of_a_core(computer):
    """The first look reads a thread twice: one tick of 10 ms in the 7 ms between was 140 %."""
    rt = {"policy": 1, "rt_priority": 50, "processor": 1}
    path = "/proc/7/task/7/stat"
    computer.root.put_process(7, "game", utime=500, **rt)
    computer.top()
    computer.step(0.007)
    computer.root.put(path, process_stat(7, "game", utime=501, **rt))
    assert read_once(computer.realtime)["realtime"] == {}
    computer.step(1)
    computer.root.put(path, process_stat(7, "game", utime=518, **rt))
    told = read_once(computer.realtime)["realtime"]["7/7 game"]
    assert (told["cpu_us"], told["interval_us"]) == (180_000, 1_007_000)


def test_no_thread_runs_for_longer_than_the_time_that_passed(computer):
    """What it used comes in whole clock ticks, of which one may belong to the look before."""
    rt = {"policy": 1, "rt_priority": 50, "processor": 1}
    path = "/proc/7/task/7/stat"
    computer.root.put_process(7, "hog", **rt)
    computer.root.put(path, process_stat(7, "hog", **rt))
    computer.rt()
    computer.step(0.995)
    computer.root.put(path, process_stat(7, "hog", utime=100, **rt))
    told = computer.rt()["7/7 hog"]
    assert (told["cpu_us"], told["interval_us"]) == (995_000, 995_000)


def test_a_realtime_program_made_for_one_burst_is_told_with_all_that_it_used(computer):
    """It has run when it is first seen, and before a second look it has ended."""
    computer.rt()
    computer.step()
    rt = {"policy": 1, "rt_priority": 50, "processor": 1}
    computer.root.put_process(9, "burst", utime=60, **rt)
    computer.root.put("/proc/9/task/9/stat", process_stat(9, "burst", utime=60, **rt))
    computer.root.put_process(10, "crew", threads=2, utime=70)
    computer.root.put_thread(10, 10, "crew")
    computer.root.put("/proc/10/task/11/stat", process_stat(11, "worker", utime=70, **rt))
    told = computer.rt()
    for name, used_us in (("9/9 burst", 600_000), ("10/11 worker", 700_000)):
        assert told[name] == {**rt, "cpu_us": used_us, "interval_us": 2_000_000}


def test_a_realtime_thread_new_in_an_old_program_is_told_with_all_that_it_used(computer):
    """The list of threads of the look before shows that it came since then."""
    rt = {"policy": 1, "rt_priority": 50, "processor": 1}
    computer.root.put_process(7, "server", threads=2)
    computer.root.put_thread(7, 7, "server")
    computer.rt()
    computer.step()
    computer.root.put_process(7, "server", threads=2, utime=5)
    computer.rt()
    computer.step()
    computer.root.put_process(7, "server", threads=2, utime=70)
    computer.root.put("/proc/7/task/12/stat", process_stat(12, "burst", utime=60, **rt))
    told = computer.rt()["7/12 burst"]
    assert told == {**rt, "cpu_us": 600_000, "interval_us": 2_000_000}


def test_realtime_threads_of_the_kernel_count_when_they_run(computer):
    """A kernel thread is named while it works, those of the scheduler itself never."""
    kernel = {"ppid": 2, "rss": 0, "policy": 1, "rt_priority": 50}
    for pid, name in ((20, "irq/36-virtio1"), (21, "migration/0")):
        computer.root.put_process(pid, name, **kernel)
    computer.rt()
    computer.step()
    assert computer.rt() == {}
    seen = []
    for _ in range(6):
        for pid, name in ((20, "irq/36-virtio1"), (21, "migration/0")):
            computer.root.put_process(pid, name, stime=40, **kernel)
        computer.step()
        seen += computer.rt()
    assert seen == ["20/20 irq/36-virtio1"]


def test_a_thread_that_gives_up_its_policy_goes(computer):
    """A thread that is no longer real-time is not told any more."""
    computer.root.put_process(7, "jack", policy=1, rt_priority=10)
    path = "/proc/7/task/7/stat"
    computer.root.put(path, process_stat(7, "jack", policy=1, rt_priority=10))
    computer.rt()
    computer.step()
    assert list(computer.rt()) == ["7/7 jack"]
    computer.root.put_process(7, "jack")
    computer.root.put(path, process_stat(7, "jack"))
    computer.step()
    assert computer.rt() == {}


class LiveFiles(KernelFiles):
    """A tree that passes for the running kernel's."""

    is_live = True

    def locate(self, path):
        """The place below the folder."""
        return self.root + path


@pytest.mark.parametrize(
    ("answer", "is_told"),
    [(0, False), (2, True), (2 | os.SCHED_RESET_ON_FORK, True), (None, True)],
)
def test_only_threads_that_the_kernel_calls_realtime_are_read(
    tmp_path, monkeypatch, answer, is_told
):
    """And those of which it will not say; a flag for the children of one changes nothing."""

    def policy(tid):
        assert tid in (7, 8)
        if answer is None:
            raise PermissionError
        return answer

    monkeypatch.setattr("destutter.sampling.processes.processes.os.sched_getscheduler", policy)
    root, clock = FakeRoot(tmp_path), SteppedClock()
    table = ProcessTable(LiveFiles(tmp_path), clock)
    realtime = RealtimeSampler(LiveFiles(tmp_path), table, 100)
    root.put_thread(7, 7, "pipewire")
    root.put("/proc/7/task/8/stat", process_stat(8, "data-loop", policy=2))
    told = {}
    for used in range(1, 4):
        root.put_process(7, "pipewire", threads=2, utime=used)
        clock.advance(1.0)
        table.look()
        told = read_once(realtime)["realtime"]
    assert list(told) == (["7/8 data-loop"] if is_told else [])


def test_this_computer_can_be_looked_at():
    """The running kernel's own processes are read, this one among them."""
    table = ProcessTable(KernelFiles(), SteppedClock())
    table.look()
    assert table.known[os.getpid()].stat.threads >= 1


def test_a_thread_that_only_writes_to_a_slow_drive_is_found_by_its_bytes(computer):
    """Its process waits for the keyboard, and uses less than a clock tick of a core."""
    computer.root.put_process(9, "updater", threads=2)
    computer.root.put("/proc/9/io", IO.format(0, 0))
    computer.top()
    told = []
    for looked, written in enumerate((4_000_000, 9_000_000, 15_000_000)):
        computer.step()
        computer.root.put("/proc/9/io", IO.format(0, written))
        # The last look is an ordinary one: who moved something is looked at again.
        computer.table.is_thorough = looked < 2
        told.append(computer.top().get("9 updater", {}).get("write_bytes"))
    assert told == [None, 5_000_000, 6_000_000]


@pytest.mark.parametrize(
    ("game", "others"),
    [
        (
            "0::/app.slice/game.scope\n",
            {"0::/app.slice/game.scope\n": 1, "0::/app.slice/game.scope/x\n": 1,
             "0::/app.slice/game.scope2\n": 0, "0::/\n": None},
        ),
        (
            "4:cpu,memory:/limited\n0::/game.scope\n",
            {"4:cpu,memory:/limited\n0::/other.scope\n": 1,
             "4:cpu,memory:/\n0::/game.scope\n": None, "torn\n": None},
        ),
        ("0::/\n", {"0::/\n": None, "0::/app.slice\n": None}),
    ],
)  # fmt: skip
def test_who_shares_the_memory_limit_of_the_game(computer, game, others):
    """Its own group and those below it; in version 1 the tree of memory decides."""
    pids = {text: pid for pid, text in enumerate(others, 20)}
    for pid, text in ((7, game), *((pid, text) for text, pid in pids.items())):
        computer.root.put_process(pid, "hog", utime=1)
        computer.root.put(f"/proc/{pid}/cgroup", text)
    computer.watch.pid = 7
    computer.top()
    computer.step()
    for pid in (7, *pids.values()):
        computer.root.put_process(pid, "hog", utime=9)
    told = computer.top()
    assert {text: told[f"{pid} hog"]["in_game_group"] for text, pid in pids.items()} == others
