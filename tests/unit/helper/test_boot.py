# SPDX-License-Identifier: GPL-3.0-or-later
"""What is kept is set at every start, unless a start did not come up with it."""

import copy
import itertools
from dataclasses import replace

import pytest

from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import UndoRequest
from destutter_helper.api.setting_files import UDEV_FILE
from destutter_helper.engine import Engine
from destutter_helper.journal import JOURNAL, PREVIOUS, Document, read, unseal
from tests.support.faulty_kernel import Computer, Queue
from tests.support.helper_moves import begin, keep, outcomes

SET = (
    "vm.swappiness=10",
    "vm.dirty_bytes=268435456",
    "block.scheduler@sda=bfq",
    "softirq.policy=rr:2",
)


@pytest.fixture
def computer() -> Computer:
    """A computer with a set that is kept for every start."""
    computer = Computer()
    keep(computer.start(), *SET, until="always")
    return computer


def start(computer: Computer) -> Engine:
    """The computer starts and the boot unit runs; then the service takes over."""
    computer.power_cut()
    boot = computer.start()
    boot.boot()
    boot.close()
    engine = computer.start()
    engine.recover()
    return engine


def test_what_is_kept_is_set_at_the_next_start(computer: Computer) -> None:
    """Values are there after the boot unit, with this boot's own values as origins."""
    computer.power_cut()
    computer.kernel.set("/proc/sys/vm/swappiness", "33")
    computer.start().boot()
    engine = computer.start()
    engine.recover()
    assert computer.kernel.vm["swappiness"] == 10
    assert computer.kernel.queues["sda"].scheduler == "bfq"
    assert computer.kernel.policies[14] == (2, 2)
    assert computer.sysctl.files
    assert computer.udev.files
    engine.undo(UndoRequest())
    assert computer.kernel.vm["swappiness"] == 33
    assert computer.kernel.queues["sda"].scheduler == "mq-deadline"


def test_without_the_boot_unit_the_start_is_stock(computer: Computer) -> None:
    """Nothing but our own unit reads what is kept: without it the computer is as delivered."""
    computer.power_cut()
    stock = Computer().kernel.dump()
    engine = computer.start()
    engine.recover()
    assert computer.kernel.dump() == stock
    assert engine.state().state == "idle"
    assert len(engine.state().kept_always) == 5


def test_the_boot_unit_may_run_twice(computer: Computer) -> None:
    """A second run in the same boot changes nothing and counts nothing."""
    start(computer)
    dump = computer.kernel.dump()
    journal = computer.disk.files[JOURNAL]
    computer.start().boot()
    assert computer.kernel.dump() == dump
    assert computer.disk.files[JOURNAL] == journal


def test_f19_two_starts_that_nobody_confirmed_suspend_the_profile(computer: Computer) -> None:
    """A profile with which the computer did not come up twice is left out, and that is said."""
    stock = Computer().kernel.dump()
    for _ in range(2):
        start(computer)
        assert computer.kernel.vm["swappiness"] == 10
    for _ in range(2):
        suspended = start(computer)
        assert computer.kernel.dump() == stock
        assert any("last two starts" in str(notice) for notice in suspended.state().notices)
        suspended.confirm_boot()
    keep(start(computer), "vm.page-cluster=0", until="always")
    start(computer)
    assert computer.kernel.vm["swappiness"] == 10
    assert computer.kernel.vm["page-cluster"] == 0


def test_a_confirmed_start_does_not_count(computer: Computer) -> None:
    """A session that talks to the helper, or three minutes of running, clear the count."""
    for _ in range(5):
        start(computer).confirm_boot()
        assert computer.kernel.vm["swappiness"] == 10


def test_the_start_is_counted_before_the_first_write(computer: Computer) -> None:
    """A start that hangs at the first write is one that nobody confirmed."""
    computer.power_cut()
    seen = []
    write = computer.kernel.set

    def watch(path: str, text: str) -> None:
        seen.append(unseal(computer.disk.files[JOURNAL], Document).is_start_counted)
        write(path, text)

    computer.kernel.set = watch  # type: ignore[method-assign]
    computer.start().boot()
    assert seen
    assert all(seen)


def test_a_start_that_cannot_be_counted_sets_nothing(computer: Computer) -> None:
    """If the count cannot be written, nothing is set."""
    computer.power_cut()
    computer.disk.fail_from, computer.disk.replaces = 1, 0
    with pytest.raises(HelperError, match="journal cannot be written"):
        computer.start().boot()
    assert computer.kernel.vm["swappiness"] == 60


def test_a_word_on_the_kernel_command_line_switches_it_off(computer: Computer) -> None:
    """destutter=off in the boot menu: the start is stock, whatever is kept."""
    computer.kernel.texts["/proc/cmdline"] = "quiet destutter=off splash"
    engine = start(computer)
    assert computer.kernel.dump() == Computer().kernel.dump()
    assert any("destutter=off" in str(notice) for notice in engine.state().notices)


def test_a_missing_drive_is_left_out(computer: Computer) -> None:
    """What is kept for a drive that is not there today does not keep the rest from being set."""
    computer.power_cut()
    computer.kernel.unplug("block/sda")
    results = outcomes(computer.start().boot())
    assert results["block.scheduler"] == "gone"
    assert computer.kernel.vm["swappiness"] == 10


def test_a_drive_is_found_by_its_identity(computer: Computer) -> None:
    """The drive has another name today, and another drive has its name: the right one is set."""
    computer.power_cut()
    kernel = computer.kernel
    kernel.queues["sdb"], kernel.identities["block/sdb"] = (
        kernel.queues["sda"],
        kernel.identities["block/sda"],
    )
    kernel.queues["sda"] = type(kernel.queues["sda"])()
    kernel.identities["block/sda"] = ("naa.another", "ANOTHER")
    kernel.plug("block/sdb")
    computer.start().boot()
    assert kernel.queues["sdb"].scheduler == "bfq"
    assert kernel.queues["sda"].scheduler == "none"


def test_f69_another_name_today_is_no_other_value(computer: Computer) -> None:
    """On a disk that cannot be written the drive stands under its old name, and is kept."""
    computer.power_cut()
    kernel = computer.kernel
    kernel.queues["sdb"] = kernel.queues.pop("sda")
    kernel.identities["block/sdb"] = kernel.identities.pop("block/sda")
    kernel.unplug("block/sda")
    kernel.plug("block/sdb")
    engine = computer.start()
    engine.stores = replace(engine.stores, is_persistent=False, disk=computer.disk)
    engine.rename_kept()
    assert "sdb" in {one.device for one in engine.state().kept_always}
    assert engine.comes_back() == []


def test_f69_what_is_kept_for_a_drive_that_is_away_is_not_another_ones(computer: Computer) -> None:
    """Another drive has its name: it is told and undone under a name of its own."""
    computer.power_cut()
    kernel = computer.kernel
    own = kernel.identities["block/sda"]
    kernel.identities["block/sda"] = ("naa.another", "ANOTHER")
    engine = computer.start()
    engine.boot()

    def names() -> set[str]:
        return {one.device for one in engine.state().kept_always if one.id == "block.scheduler"}

    assert names() == {"sda-away"}
    assert not outcomes(engine.undo(UndoRequest(("block.scheduler@sda",))))
    assert names() == {"sda-away"}
    computer.power_cut()
    kernel.identities["block/sda"] = own
    engine = computer.start()
    engine.boot()
    assert names() == {"sda"}
    assert kernel.queues["sda"].scheduler == "bfq"


def test_a_value_that_no_longer_fits_is_left_out_and_named(computer: Computer) -> None:
    """Less memory than when it was kept: that value is left out, the rest is set."""
    computer.power_cut()
    computer.kernel.texts["/proc/meminfo"] = "MemTotal:       1000000 kB"
    results = computer.start().boot()
    left_out = [one for one in results if one.outcome == "failed"]
    assert [one.id for one in left_out] == ["vm.dirty_bytes"]
    assert "33554432" in left_out[0].note
    assert computer.kernel.vm["swappiness"] == 10


def test_a_refused_value_at_the_start_leaves_the_start_stock(computer: Computer) -> None:
    """Whole set or nothing also at the start."""
    computer.power_cut()
    computer.kernel.refused["/proc/sys/vm/swappiness"] = 22
    engine = computer.start()
    with pytest.raises(HelperError, match=r"vm\.swappiness"):
        engine.boot()
    assert computer.kernel.dump() == Computer().kernel.dump()
    assert not computer.udev.files


def test_undo_of_one_takes_it_out_of_the_profile(computer: Computer) -> None:
    """What was undone is not set at the next start; the rest is."""
    engine = start(computer)
    engine.undo(UndoRequest(("vm.swappiness",)))
    start(computer)
    assert computer.kernel.vm["swappiness"] == 60
    assert computer.kernel.vm["dirty_bytes"] == 268435456


def test_a_value_that_udev_set_at_a_late_drive_is_said(computer: Computer) -> None:
    """Our rule set a drive that came after the boot unit; nobody knows what was there before."""
    computer.power_cut()
    computer.kernel.unplug("block/sda")
    engine = computer.start()
    engine.boot()
    computer.kernel.plug("block/sda")
    computer.kernel.set("/sys/block/sda/queue/scheduler", "bfq")
    results = {one.id: one for one in engine.undo(UndoRequest())}
    assert results["block.scheduler"].outcome == "until-restart"
    assert not read(computer.disk.files[JOURNAL]).profile


def test_f06_a_late_drive_has_its_rule(computer: Computer) -> None:
    """udev is told what is kept for a drive that is not there yet, until it is taken back."""
    computer.power_cut()
    computer.kernel.unplug("block/sda")
    engine = computer.start()
    engine.boot()
    assert b'ATTR{queue/scheduler}="bfq"' in computer.udev.files[UDEV_FILE]
    keep(engine, "vm.page-cluster=0")
    assert b'ATTR{queue/scheduler}="bfq"' in computer.udev.files[UDEV_FILE]
    engine.undo(UndoRequest())
    assert UDEV_FILE not in computer.udev.files


def test_f06_the_rule_stays_when_the_drive_has_come(computer: Computer) -> None:
    """Other rules of udev run again at every change of the drive; ours has to follow them."""
    computer.power_cut()
    computer.kernel.unplug("block/sda")
    engine = computer.start()
    engine.boot()
    computer.kernel.plug("block/sda")
    computer.kernel.set("/sys/block/sda/queue/scheduler", "bfq")
    keep(engine, "vm.page-cluster=0")
    assert b'ATTR{queue/scheduler}="bfq"' in computer.udev.files[UDEV_FILE]


def test_f06_no_rule_for_a_late_drive_where_the_start_sets_nothing(computer: Computer) -> None:
    """destutter=off holds for a drive that comes later, too."""
    computer.power_cut()
    computer.kernel.texts["/proc/cmdline"] = "quiet destutter=off splash"
    computer.kernel.unplug("block/sda")
    engine = computer.start()
    engine.boot()
    keep(engine, "vm.page-cluster=0")
    assert UDEV_FILE not in computer.udev.files


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("cpu.dma_latency=20", "as long as it is held"),
        ("block.scheduler@nvme0n1=kyber", "no serial number"),
    ],
)
def test_what_cannot_be_kept_for_every_start_is_refused(change: str, words: str) -> None:
    """A hold, or a drive that nobody could recognise: the trial goes on."""
    computer = Computer()
    computer.kernel.identities["block/nvme0n1"] = ("", "")
    engine = computer.start()
    txid = begin(engine, change)
    with pytest.raises(HelperError, match=words) as caught:
        engine.keep(txid, "always")
    assert caught.value.name == "Unsupported"
    assert engine.trial is not None
    engine.keep(txid, "restart")


def test_keeping_again_replaces_only_what_is_named(computer: Computer) -> None:
    """Two sets kept one after the other are one profile."""
    engine = computer.start()
    engine.recover()
    keep(engine, "vm.dirty_ratio=7", "vm.page-cluster=0", until="always")
    kept = {(one.id, one.value) for one in engine.state().kept_always}
    assert ("vm.dirty_ratio", "7") in kept
    assert ("vm.swappiness", "10") in kept
    assert all(id_ != "vm.dirty_bytes" for id_, _ in kept)


def test_a_kept_value_tried_until_the_restart_comes_back_at_the_start(computer: Computer) -> None:
    """keep restart on top of keep always: the profile still has the old value."""
    engine = computer.start()
    engine.recover()
    keep(engine, "vm.swappiness=5")
    assert computer.kernel.vm["swappiness"] == 5
    start(computer)
    assert computer.kernel.vm["swappiness"] == 10


def test_when_nothing_is_kept_the_boot_unit_tidies_up(computer: Computer) -> None:
    """Its condition is the journal: without anything kept, one start later it need not run."""
    computer.start().undo(UndoRequest())
    computer.power_cut()
    computer.start().boot()
    assert not computer.disk.files.keys() & {JOURNAL, PREVIOUS}
    assert computer.kernel.dump() == Computer().kernel.dump()


def test_a_power_cut_while_the_boot_unit_tidies_up_is_no_damage(computer: Computer) -> None:
    """The generation before, alone, would be taken for what is left of a damaged journal."""
    computer.start().undo(UndoRequest())
    computer.power_cut()
    for step in itertools.count(1):
        cut = copy.deepcopy(computer)
        is_finished = cut.run(cut.start().boot, step)
        cut.power_cut()
        engine = cut.start()
        engine.boot()
        assert engine.state().notices == (), step
        if is_finished:
            break


DRIVES = [f"sd{letter}" for letter in "bcdefghi"]
KNOBS = dict.fromkeys(("fifo_batch", "front_merges", "writes_starved"), 1)
KNOBS |= {"read_expire": 10, "write_expire": 10}


def _restart_with_drives(computer: Computer) -> Engine:
    computer.power_cut()
    for name in DRIVES:
        computer.kernel.queues[name] = Queue()
        computer.kernel.identities[f"block/{name}"] = (f"naa.{name}", name)
        computer.kernel.plug(f"block/{name}")
    return computer.start()


def test_more_can_be_kept_than_one_set_may_have(computer: Computer) -> None:
    """Many drives, or many processors: what several trials kept is set as a whole."""
    engine = _restart_with_drives(computer)
    for half in (DRIVES[:4], DRIVES[4:]):
        changes = [f"block.read_ahead_kb@{name}=512" for name in half]
        changes += [f"block.scheduler@{name}=mq-deadline" for name in half]
        changes += [f"block.iosched.{k}@{name}={v}" for name in half for k, v in KNOBS.items()]
        changes += [f"block.nr_requests@{name}=64" for name in half]
        keep(engine, *changes, until="always")
    kept = len(engine.state().kept_always)
    assert kept > 64
    results = _restart_with_drives(computer).boot()
    assert [one.outcome for one in results] == ["ok"] * kept
    assert {computer.kernel.queues[name].read_ahead_kb for name in DRIVES} == {512}
