# SPDX-License-Identifier: GPL-3.0-or-later
"""/proc/vmstat, /proc/meminfo and /proc/stat, of several kernels and damaged."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.catalog import SOURCES
from destutter.core.kernel_files import KernelFileError
from destutter.sampling.computer.procfs import (
    CpuSampler,
    MeminfoSampler,
    StatSampler,
    VmstatSampler,
    parse_cpus,
    parse_stat,
)
from destutter.sampling.files.measurement import AbsentError
from destutter.sampling.files.named_values import NamedValues
from tests.support.fake_root import FakeRoot, proc_stat
from tests.support.measuring import parsed, read_once


@pytest.fixture
def root(tmp_path):
    """An empty tree."""
    return FakeRoot(tmp_path)


def test_names_that_a_kernel_lacks_are_none(root):
    """An older kernel without allocstall_device has None there, and the values beside it."""
    root.put("/proc/vmstat", "nr_free_pages 100\nallocstall_normal 7\nunknown_name 3\n")
    sampler = VmstatSampler(root.files)
    values = read_once(sampler)["vmstat"][""]
    assert (values["nr_free_pages"], values["allocstall_normal"]) == (100, 7)
    assert values["allocstall_device"] is None
    assert sum(value is not None for value in values.values()) == 2
    sampler.close()


def test_every_name_of_the_catalog_is_found(root):
    """With all names present, in any order and among others, each value is its own."""
    names = SOURCES["vmstat"].fields
    lines = [f"{name} {number}" for number, name in reversed(list(enumerate(names)))]
    root.put("/proc/vmstat", "\n".join(["nr_first 9", *lines, "nr_last 9"]))
    sampler = VmstatSampler(root.files)
    assert list(read_once(sampler)["vmstat"][""].values()) == list(range(len(names)))
    sampler.close()


def test_another_order_is_learnt_again(root):
    """Names that changed places between two reads are not misread."""
    sampler = VmstatSampler(root.files)
    root.put("/proc/vmstat", "nr_dirty 1\nnr_writeback 2\n")
    read_once(sampler)
    root.put("/proc/vmstat", "nr_writeback 5\nnr_dirty 6\n")
    values = read_once(sampler)["vmstat"][""]
    assert (values["nr_dirty"], values["nr_writeback"]) == (6, 5)
    sampler.close()


def test_meminfo_is_in_kib(root):
    """Lines with and without a unit are read; the names carry a colon."""
    root.put("/proc/meminfo", "MemTotal: 24682416 kB\nHugePages_Total: 0\nSwapFree: 12 kB\n")
    sampler = MeminfoSampler(root.files)
    values = read_once(sampler)["meminfo"][""]
    assert (values["MemTotal"], values["SwapFree"], values["Zswap"]) == (24682416, 12, None)
    sampler.close()


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", None, "is empty"),
        ("nr_other 5\n", None, "has none of the expected names"),
        ("nr_free_pages 5\nnr_dirty\n", 2, "has a name without a value"),
        ("nr_free_pages 5\nnr_dirty many\n", 2, "not a whole number"),
    ],
)
def test_a_damaged_file_is_named_with_its_line(root, text, line, reason):
    """A file that cannot be understood raises with path, line and what is wrong."""
    root.put("/proc/vmstat", text)
    sampler = VmstatSampler(root.files)
    with pytest.raises(KernelFileError, match=reason) as info:
        sampler.read()
    assert (info.value.path, info.value.line) == ("/proc/vmstat", line)
    sampler.close()


def test_a_missing_file_is_absent(root):
    """Without the file the sampler says in words what is missing."""
    with pytest.raises(AbsentError, match="/proc/vmstat"):
        VmstatSampler(root.files).read()


@given(
    st.lists(st.tuples(st.text("ab_", min_size=1, max_size=3), st.integers(0, 2**64)), min_size=1)
)
def test_named_values_agree_with_a_dictionary(pairs):
    """For any file of names and numbers, the values are those of the first line of each name."""
    wanted = ("a", "b", "ab", "_", "aaa")
    first: dict[str, int] = {}
    for name, value in pairs:
        first.setdefault(name, value)
    data = "".join(f"{name} {value}\n" for name, value in pairs).encode()
    values = NamedValues("/proc/x", wanted)
    if first.keys().isdisjoint(wanted):
        with pytest.raises(KernelFileError):
            values.parse(data)
    else:
        assert values.parse(data) == tuple(first.get(name) for name in wanted)
        assert values.parse(data) == tuple(first.get(name) for name in wanted)


@given(st.binary(max_size=300))
def test_named_values_never_fail_otherwise(data):
    """Any bytes give values or a KernelFileError."""
    values = NamedValues("/proc/x", ("a", "b"))
    parsed(lambda: values.parse(b"a 1\n" + data), "/proc/x")


def test_stat_sums_and_counts(root):
    """The first line, the first number of intr and the short lines behind it are read."""
    root.put("/proc/stat", proc_stat(interrupts=661029))
    sampler = StatSampler(root.files)
    values = read_once(sampler)["stat"][""]
    assert (values["user"], values["steal"], values["guest_nice"]) == (1, 8, 10)
    assert (values["interrupts"], values["context_switches"]) == (661029, 900)
    assert (values["forks"], values["procs_running"], values["procs_blocked"]) == (70, 2, 1)
    sampler.close()


def test_stat_of_another_order_is_found_by_name():
    """Lines behind intr in another order, or missing, are found by name or None."""
    text = "cpu  1 2 3 4\nintr 5\nprocs_running 3\nctxt 9\n"
    assert parse_stat(text.encode())[-4:] == (9, None, 3, None)
    assert parse_stat(text.encode())[4:10] == (None,) * 6


def test_a_cpu_that_is_switched_off_goes(root):
    """CPU hotplug: the instances follow the lines that are there."""
    sampler = CpuSampler(root.files)
    root.put("/proc/stat", proc_stat(("cpu0", "cpu1", "cpu2")))
    assert list(read_once(sampler)["cpu"]) == ["cpu0", "cpu1", "cpu2"]
    root.put("/proc/stat", proc_stat(("cpu0", "cpu2")))
    assert list(read_once(sampler)["cpu"]) == ["cpu0", "cpu2"]
    sampler.close()


def test_instances_stay_the_same_object(root):
    """While the CPUs stay, the same tuple is handed out, so that comparing costs nothing."""
    sampler = CpuSampler(root.files)
    root.put("/proc/stat", proc_stat())
    assert sampler.read()[0].instances is sampler.read()[0].instances
    sampler.close()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        ("intr 5\n", 1),
        ("cpu  1 2\nctxt 5\n", None),
        ("cpu  1 x\nintr 5\n", 1),
        ("cpu  1 2\ncpu0 1 2\nintr \nctxt 1\n", 3),
        ("cpu  1 2\nintr 5\nctxt many\n", 3),
    ],
)
def test_a_damaged_stat_is_named_with_its_line(text, line):
    """A broken /proc/stat raises with the line that is wrong."""
    with pytest.raises(KernelFileError) as info:
        parse_stat(text.encode())
    assert (info.value.path, info.value.line) == ("/proc/stat", line)


def test_a_stat_that_ends_anywhere_is_read_or_refused():
    """Behind a name as well: fresh examples found that once, and the fixed ones never had."""
    data = proc_stat().encode()
    for end in range(len(data)):
        values = parsed(partial(parse_stat, data[:end]), "/proc/stat")
        assert values is None or len(values) == len(SOURCES["stat"].fields)


@given(st.binary(max_size=300), st.booleans())
def test_stat_never_fails_otherwise(data, begins_well):
    """Any bytes give values of the right width or a KernelFileError."""
    whole = (b"cpu  1 2 3\n" if begins_well else b"") + data
    values = parsed(lambda: parse_stat(whole), "/proc/stat")
    assert values is None or len(values) == len(SOURCES["stat"].fields)
    cpus = parsed(lambda: parse_cpus(whole), "/proc/stat")
    assert cpus is None or len(cpus[1]) == len(cpus[0]) * len(SOURCES["cpu"].fields)
