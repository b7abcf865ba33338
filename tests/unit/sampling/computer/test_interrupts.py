# SPDX-License-Identifier: GPL-3.0-or-later
"""Interrupts, softirqs and the receive backlog."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.kernel_files import KernelFileError
from destutter.sampling.computer.interrupts import (
    INTERRUPTS,
    SOFTIRQS,
    SOFTNET,
    InterruptSampler,
    SoftirqSampler,
    SoftnetSampler,
    parse_interrupt,
    parse_softirqs,
    parse_softnet,
)
from destutter.sampling.files.cpus import ONLINE, parse_ranges
from tests.support.fake_root import FakeRoot, interrupts_table
from tests.support.measuring import parsed, read_once

ROWS = (
    "  0:   8   0  IO-APIC   2-edge      timer",
    "  9:   1   4  IR-IO-APIC   9-fasteoi   acpi",
    " 36:   0 152643 PCI-MSIX-0000:00:02.0   1-edge      virtio1-req.0",
    " 40:   0   0 PCI-MSI 5-edge  never",
    " 41:   2   3  GICv3  27 Level     arch_timer",
    " 42:   1   1  i801_smbus",
    "TLB: 4871 5149   TLB shootdowns",
    "ERR:   7",
    "MIS:   0",
)


@pytest.fixture
def root(tmp_path):
    """A tree with two CPUs and some interrupts."""
    return FakeRoot(tmp_path, {INTERRUPTS: interrupts_table(("CPU0", "CPU1"), ROWS)})


@pytest.fixture
def sampler(root):
    """The sampler of the tree."""
    made = InterruptSampler(root.files)
    yield made
    made.close()


def test_interrupts_are_summed_both_ways(sampler):
    """Per line with its device, and per CPU; lines that never fired are left out."""
    found = read_once(sampler)
    assert {name: row["count"] for name, row in found["interrupt"].items()} == {
        "0 timer": 8,
        "9 acpi": 5,
        "36 virtio1-req.0": 152643,
        "41 arch_timer": 5,
        "42": 2,
        "TLB": 10020,
        "ERR": 7,
    }
    sums = [row["count"] for row in found["cpu_interrupt"].values()]
    assert sums == [8 + 1 + 2 + 1 + 4871, 4 + 152643 + 3 + 1 + 5149]


def test_an_empty_line_in_the_middle_is_nothing(root, sampler):
    """A table of a real computer had one before the interrupts of virtual machines."""
    table = interrupts_table(("CPU0",), ["NMI: 4", "MIS: 0", "", "PIN: 3 Posted-interrupt"])
    root.put(INTERRUPTS, table)
    found = read_once(sampler)["interrupt"]
    assert {name: row["count"] for name, row in found.items()} == {"NMI": 4, "PIN": 3}


def test_only_what_changed_is_counted_again(root, sampler):
    """After some rows changed, the sums are those of the whole table."""
    read_once(sampler)
    rows = [row.replace("4871", "4880").replace("152643", "152700") for row in ROWS]
    root.put(INTERRUPTS, interrupts_table(("CPU0", "CPU1"), rows))
    again = read_once(sampler)
    fresh_sampler = InterruptSampler(root.files)
    assert again == read_once(fresh_sampler)
    fresh_sampler.close()


@given(st.lists(st.lists(st.integers(0, 5), min_size=3, max_size=3), min_size=2, max_size=6))
def test_updates_never_drift(tmp_path_factory, tables):
    """However rows change from reading to reading, the sums equal those of a new start."""
    root = FakeRoot(tmp_path_factory.getbasetemp() / "drift")
    kept = InterruptSampler(root.files)
    for counts in tables:
        pairs = enumerate(itertools.pairwise(counts))
        rows = [f"{line}: {a} {b}  IO-APIC 1-edge x" for line, (a, b) in pairs]
        root.put(INTERRUPTS, interrupts_table(("CPU0", "CPU1"), rows))
        new = InterruptSampler(root.files)
        assert read_once(kept) == read_once(new)
        new.close()
    kept.close()


def test_a_cpu_that_is_switched_off_goes(root, sampler):
    """CPU hotplug changes the heading, and the table is learnt again."""
    read_once(sampler)
    root.put(INTERRUPTS, interrupts_table(("CPU0",), ["TLB: 5 TLB shootdowns"]))
    assert read_once(sampler)["cpu_interrupt"] == {"cpu0": {"count": 5}}


def test_many_cpus(tmp_path):
    """A table of 256 CPUs is read with one sum per CPU."""
    cpus = [f"CPU{number}" for number in range(256)]
    rows = [f"LOC: {' '.join(map(str, range(256)))}  Local timer interrupts", "ERR: 3"]
    sampler = InterruptSampler(
        FakeRoot(tmp_path, {INTERRUPTS: interrupts_table(cpus, rows)}).files
    )
    found = read_once(sampler)
    assert [row["count"] for row in found["cpu_interrupt"].values()] == list(range(256))
    assert found["interrupt"]["LOC"]["count"] == sum(range(256))
    sampler.close()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", None),
        ("nothing\n", 1),
        ("CPU0 CPU1\nno label\n", 2),
        ("CPU0 CPU1\nNMI: 1 2\nTLB: x y z\n", 3),
    ],
)
def test_a_damaged_table_is_named_with_its_line(root, sampler, text, line):
    """A table that cannot be understood raises with its line, and is read again afterwards."""
    root.put(INTERRUPTS, text)
    with pytest.raises(KernelFileError) as info:
        sampler.read()
    assert (info.value.path, info.value.line) == (INTERRUPTS, line)
    root.put(INTERRUPTS, interrupts_table(("CPU0",), ["NMI: 4"]))
    assert read_once(sampler)["interrupt"]["NMI"]["count"] == 4


@given(st.binary(max_size=80), st.integers(1, 4))
def test_any_row_gives_counts_or_an_error(row, cpu_count):
    """No row makes the parser fail in another way."""
    found = parsed(lambda: parse_interrupt(2, row, cpu_count), INTERRUPTS)
    assert found is None or found.total == sum(found.counts)


def test_softirqs_of_the_cpus_that_are_on(tmp_path):
    """Possible CPUs that are off are left out; a kind that does not exist is None."""
    root = FakeRoot(
        tmp_path,
        {
            SOFTIRQS: "      CPU0 CPU1 CPU2\n   HI: 1 2 3\nTIMER: 4 5 6\n  NEW: 7 8 9\n",
            ONLINE: "0,2\n",
        },
    )
    sampler = SoftirqSampler(root.files)
    found = read_once(sampler)["softirq"]
    assert list(found) == ["cpu0", "cpu2"]
    assert (found["cpu2"]["hi"], found["cpu2"]["timer"], found["cpu2"]["rcu"]) == (3, 6, None)
    root.put(ONLINE, "0-2\n")
    assert list(read_once(sampler)["softirq"]) == ["cpu0", "cpu1", "cpu2"]
    sampler.close()


@given(st.binary(max_size=80))
def test_any_softirqs_give_a_table_or_an_error(data):
    """No content makes the parser fail in another way."""
    parsed(lambda: parse_softirqs(data), SOFTIRQS)
    parsed(lambda: parse_softirqs(b"CPU0 CPU1\n" + data), SOFTIRQS)


def test_softnet_knows_its_cpu(tmp_path):
    """The CPU is a column since Linux 5.10, and the number of the line before."""
    new = "0000000f 00000001 0000000a " + "00000000 " * 9 + "00000005 0 0\n"
    sampler = SoftnetSampler(FakeRoot(tmp_path, {SOFTNET: new}).files)
    row = {"processed": 15, "dropped": 1, "squeezed": 10}
    assert read_once(sampler)["softnet"] == {"cpu5": row}
    sampler.close()
    assert parse_softnet(b"1 2 3 0 0 0 0 0 0 0 0\n1 2 3 0\n")[0] == ("cpu0", "cpu1")


@given(st.binary(max_size=80), st.sampled_from([b"", b"1 2 3\n"]))
def test_any_softnet_gives_rows_or_an_error(data, start):
    """No content makes the parser fail in another way."""
    found = parsed(lambda: parse_softnet(start + data), SOFTNET)
    assert found is None or len(found[1]) == 3 * len(found[0])


def test_ranges_of_cpus():
    """Lists of ranges as the kernel writes them."""
    assert parse_ranges("/p", b"0-2,5\n") == [0, 1, 2, 5]
    assert parse_ranges("/p", b"\n") == []


@given(st.binary(max_size=20) | st.from_regex(rb"[0-9,-]{0,12}", fullmatch=True))
def test_any_ranges_give_numbers_or_an_error(data):
    """No content makes the parser fail in another way, or take for ever."""
    parsed(lambda: parse_ranges("/p", data), "/p")
