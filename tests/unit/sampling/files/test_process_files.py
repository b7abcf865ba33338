# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of one process."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.kernel_files import KernelFileError
from destutter.sampling.files.process_files import (
    DelayAccounting,
    list_pids,
    list_threads,
    parse_game_stat,
    parse_process_io,
    parse_process_stat,
    parse_task_schedstat,
    parse_thread_stat,
    read_arguments,
    read_process_stat,
    status_value,
)
from tests.support.fake_root import FakeRoot, process_stat
from tests.support.measuring import parsed

STATUS = b"Name:\tVmSwap: 9\nState:\tS\nVmRSS:\t   9836 kB\nVmSwap:\t     12 kB\n"


def test_every_field_is_at_its_place():
    """The fields of proc_pid_stat(5) by their names."""
    line = process_stat(
        7, "game", state="R", ppid=3, minflt=10, cminflt=11, majflt=12, utime=14, stime=15,
        cutime=16, cstime=17, nice=-5, threads=20, starttime=22, rss=24, processor=39,
        rt_priority=40, policy=41,
        blkio=42,
    )  # fmt: skip
    stat = parse_process_stat("/p", line.encode())
    assert stat == ("game", "R", 3, 10, 11, 12, 14, 15, 16, 17, -5, 20, 22, 24, 39, 40, 41, 42)


@given(st.binary(max_size=15).filter(lambda name: b"\n" not in name))
def test_a_name_may_hold_anything(name):
    """Spaces, brackets and bytes that are no text in a name do not disturb the fields."""
    line = process_stat(7, "NAME", utime=14).encode().replace(b"NAME", name)
    stat = parse_process_stat("/p", line)
    assert (stat.name, stat.user_ticks) == (name.decode("utf-8", "replace"), 14)


@given(st.binary(max_size=15).filter(lambda name: b"\n" not in name))
def test_the_few_fields_of_a_tick_are_at_their_places(name):
    """The same ones as of a process, whatever the name holds."""
    line = process_stat(
        7, "NAME", state="R", minflt=10, majflt=12, utime=14, stime=15, threads=20, rss=24,
        processor=39,
    ).encode().replace(b"NAME", name)  # fmt: skip
    expected = (name.decode("utf-8", "replace"), (14, 15, 12, 39))
    assert parse_thread_stat("/p", line) == expected
    assert parse_game_stat("/p", line) == ("R", 10, 12, 14, 15, 20, 24)


def test_a_process_that_only_waits_to_be_reaped_has_ended():
    """A zombie has ended; one whose other threads still run has not."""
    zombie = process_stat(7, "x", state="Z").encode()
    leader = process_stat(7, "x", state="Z", threads=4).encode()
    for parse in (parse_process_stat, parse_game_stat):
        assert parse("/p", zombie).has_ended
        assert not parse("/p", leader).has_ended


@pytest.mark.parametrize("line", ["", "7 game S 1", "7 (game) S 1 2", "7 (game) S" + " x" * 45])
def test_a_damaged_line_is_an_error(line):
    """A line that is no process raises with its path."""
    for parse in (parse_process_stat, parse_game_stat, parse_thread_stat):
        with pytest.raises(KernelFileError, match="/proc/7/stat"):
            parse("/proc/7/stat", line.encode())


def test_counts_of_bytes_that_are_cut_off_are_an_error():
    """Behind the last name, or before its number: no place is read that is not there."""
    whole = b"rchar: 1\nwchar: 2\nsyscr: 3\nsyscw: 4\nread_bytes: 5\nwrite_bytes: 6\n"
    assert parse_process_io("/p", whole) == (5, 6)
    for end in range(len(whole) - 2):
        with pytest.raises(KernelFileError, match="/p"):
            parse_process_io("/p", whole[:end])


@given(st.binary(max_size=300))
def test_any_bytes_give_values_or_an_error(data):
    """No content makes one of the parsers fail in another way."""
    parsed(lambda: parse_process_stat("/p", b"7 (a) S " + data), "/p")
    parsed(lambda: parse_process_stat("/p", data), "/p")
    parsed(lambda: parse_game_stat("/p", b"7 (a) S " + data), "/p")
    parsed(lambda: parse_game_stat("/p", data), "/p")
    parsed(lambda: parse_thread_stat("/p", b"7 (a) S " + data), "/p")
    parsed(lambda: parse_thread_stat("/p", data), "/p")
    parsed(lambda: parse_task_schedstat("/p", data), "/p")
    parsed(lambda: parse_process_io("/p", data), "/p")
    parsed(lambda: parse_process_io("/p", b"\nread_bytes:" + data), "/p")
    parsed(lambda: status_value("/p", b"\nVmSwap:" + data, b"VmSwap"), "/p")


def test_status_is_read_by_the_line():
    """A value is found by its line, also when the name of the process looks like one."""
    assert status_value("/p", STATUS, b"VmSwap") == 12
    assert status_value("/p", STATUS, b"VmRSS") == 9836
    assert status_value("/p", STATUS, b"VmLck") is None
    with pytest.raises(KernelFileError, match="line 3"):
        status_value("/p", b"Name: x\nA: 1\nVmSwap:\n", b"VmSwap")


def test_io_is_what_devices_moved():
    """Bytes of devices, not of the page cache."""
    text = "rchar: 1\nwchar: 2\nsyscr: 3\nsyscw: 4\nread_bytes: 5\nwrite_bytes: 6\n"
    assert parse_process_io("/p", text.encode()) == (5, 6)


def test_processes_and_threads_are_listed_as_numbers(tmp_path):
    """Only folders that are numbers are processes; a process that is gone has no threads."""
    root = FakeRoot(tmp_path, {"/proc/meminfo": "", "/proc/sys/x": ""})
    root.put_process(20, "b")
    root.put_process(3, "a")
    root.put_thread(3, 30, "t")
    root.put("/proc/3/cmdline", b"/opt/game\0-fast\0")
    assert list_pids(root.files) == [3, 20]
    assert list_threads(root.files, 3) == [30]
    assert list_threads(root.files, 99) == []
    assert read_arguments(root.files, 3) == ["/opt/game", "-fast"]
    assert read_arguments(root.files, 20) == []
    assert read_process_stat(root.files, 99) is None


@pytest.mark.parametrize(("text", "expected"), [("1\n", True), ("0\n", False), (None, False)])
def test_delay_accounting_may_be_off(tmp_path, text, expected):
    """It is off by default, and missing in some kernels."""
    root = FakeRoot(tmp_path)
    if text is not None:
        root.put("/proc/sys/kernel/task_delayacct", text)
    accounting = DelayAccounting(root.files)
    assert accounting.is_on() is expected
    accounting.close()
