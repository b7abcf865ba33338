# SPDX-License-Identifier: GPL-3.0-or-later
"""One test per fault that a simulated computer can have; the numbers are those of SECURITY.md."""

import contextlib
import errno
import json
from pathlib import Path

import pytest

from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import UndoRequest
from destutter_helper.api.setting_files import SYSCTL_FILE, UDEV_FILE
from destutter_helper.engine import Engine, open_engine
from destutter_helper.journal import JOURNAL, read
from tests.support import helper_tree
from tests.support.faulty_kernel import NS_PER_S, Computer, Queue
from tests.support.helper_moves import begin, change_set, keep, outcomes

SDA = "/sys/block/sda/queue/"
FIVE = (
    "vm.swappiness=10",
    "vm.dirty_bytes=268435456",
    "thp.enabled=never",
    "block.scheduler@sda=bfq",
    "nvme.latency_tolerance@nvme0=0",
)


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EIO, errno.EROFS])
def test_f02_without_a_durable_intent_nothing_is_written(
    engine: Engine, computer: Computer, error: int
) -> None:
    """A full, failing or read-only disk: JournalUnavailable, and not one write to the kernel."""
    computer.disk.fail_from, computer.disk.error = 1, error
    with pytest.raises(HelperError) as caught:
        begin(engine, *FIVE)
    assert caught.value.name == "JournalUnavailable"
    assert not computer.kernel.writes
    computer.disk.fail_from = 0
    begin(engine, *FIVE)


def test_f03_when_the_outcome_cannot_be_saved_the_set_is_rolled_back(
    engine: Engine, computer: Computer
) -> None:
    """The intent allows it; the next start finds everything in place already."""
    before = computer.kernel.dump()
    computer.disk.fail_from = 2
    with pytest.raises(HelperError) as caught:
        begin(engine, *FIVE)
    assert caught.value.name == "JournalUnavailable"
    assert computer.kernel.dump() == before
    computer.disk.fail_from = 0
    computer.kernel.writes.clear()
    again = computer.start()
    assert set(outcomes(again.recover()).values()) <= {"already"}
    assert not computer.kernel.writes
    assert again.state().state == "idle"


def test_f03_an_undo_does_not_depend_on_the_disk(engine: Engine, computer: Computer) -> None:
    """Going back works with a full disk; what could not be saved is in the notices."""
    before = computer.kernel.dump()
    keep(engine, *FIVE)
    computer.disk.fail_from = 1
    computer.disk.replaces = 0
    engine.undo(UndoRequest())
    assert computer.kernel.dump() == before
    assert any("journal cannot be written" in str(notice) for notice in engine.state().notices)


def test_f04_without_a_state_directory_only_always_is_refused(computer: Computer) -> None:
    """A system with a read-only /var: trials and keeping until the restart still work."""
    computer.is_persistent = False
    engine = computer.start()
    txid = begin(engine, "vm.swappiness=10")
    with pytest.raises(HelperError, match="state directory") as caught:
        engine.keep(txid, "always")
    assert caught.value.name == "Unsupported"
    assert engine.trial is not None
    engine.keep(txid, "restart")
    assert not read(computer.disk.files[JOURNAL]).profile


def test_f04_nothing_is_made_in_etc(tmp_path: Path) -> None:
    """All files of ours are below /var/lib and /run."""
    root = helper_tree.build(tmp_path)
    before = set(root.rglob("*"))
    (root / "run/udev").mkdir()
    engine = open_engine(helper_tree.ScratchTree(str(root)), log=lambda _text: None)
    keep(engine, "vm.swappiness=10", "block.read_ahead_kb@sda=512", until="always")
    engine.close()
    made = {path.relative_to(root).parts[0] for path in root.rglob("*") if path not in before}
    assert made == {"var", "run"}


def test_f05_a_vanished_device_is_gone_and_the_rest_is_restored(
    engine: Engine, computer: Computer
) -> None:
    """A drive that leaves during a trial does not keep the others from being restored."""
    txid = begin(engine, *FIVE)
    computer.kernel.unplug("block/sda")
    results = outcomes(engine.revert(txid, "reverted"))
    assert results["block.scheduler"] == "gone"
    assert results["vm.swappiness"] == results["nvme.latency_tolerance"] == "restored"
    assert engine.state().state == "idle"


def test_f05_a_device_that_vanishes_while_writing_takes_the_set_back(
    engine: Engine, computer: Computer
) -> None:
    """The write fails, the set is rolled back, and the error names the drive."""
    before = computer.kernel.dump()
    computer.kernel.refused[SDA + "scheduler"] = errno.ENODEV
    with pytest.raises(HelperError, match=r"block\.scheduler on sda"):
        begin(engine, *FIVE)
    assert computer.kernel.dump() == before


def test_f06_a_replugged_device_starts_anew(engine: Engine, computer: Computer) -> None:
    """The same drive as a new kernel object has fresh values: nothing of ours is put into it."""
    txid = begin(engine, "block.scheduler@sda=bfq")
    computer.kernel.unplug("block/sda")
    computer.kernel.plug("block/sda")
    computer.kernel.queues["sda"] = Queue(scheduler="kyber", nr_requests=99)
    assert outcomes(engine.revert(txid, "reverted")) == {"block.scheduler": "gone"}
    assert computer.kernel.queues["sda"].scheduler == "kyber"


def test_f06_a_changed_medium_keeps_the_queue(engine: Engine, computer: Computer) -> None:
    """A card reader or loop device without medium still has our value, so it is restored."""
    before = computer.kernel.dump()
    txid = begin(engine, "block.scheduler@sda=bfq")
    computer.kernel.texts["/sys/block/sda/size"] = "0"
    engine.revert(txid, "reverted")
    assert computer.kernel.dump() == before


@pytest.mark.parametrize("number", range(1, 6))
@pytest.mark.parametrize("error", [errno.EINVAL, errno.EBUSY, errno.EPERM, errno.EIO])
def test_f07_one_refused_value_takes_the_whole_set_back(
    engine: Engine, computer: Computer, number: int, error: int
) -> None:
    """Whichever write the kernel refuses, everything is as before and the error names it."""
    before = computer.kernel.dump()
    paths = [
        SDA + "scheduler",
        "/sys/kernel/mm/transparent_hugepage/enabled",
        "/proc/sys/vm/swappiness",
        "/proc/sys/vm/dirty_bytes",
        "/sys/class/nvme/nvme0/power/pm_qos_latency_tolerance_us",
    ]
    computer.kernel.refused[paths[number - 1]] = error
    with pytest.raises(HelperError, match="the kernel does not take") as caught:
        begin(engine, *FIVE)
    assert caught.value.name == "Refused"
    assert caught.value.id
    assert computer.kernel.dump() == before
    assert engine.state().state == "idle"


def test_f07_a_rollback_that_fails_too_says_what_is_left(
    engine: Engine, computer: Computer
) -> None:
    """From some write on nothing works: the error names what could not be taken back."""
    computer.kernel.refuse_writes_from = 3
    with pytest.raises(HelperError, match="Not everything could be taken back") as caught:
        begin(engine, *FIVE)
    assert "block.scheduler" in str(caught.value)
    assert engine.state().state == "conflict"
    computer.kernel.refuse_writes_from = 0
    before = Computer().kernel.dump()
    engine.undo(UndoRequest())
    assert computer.kernel.dump() == before


def test_f08_a_value_that_the_kernel_clamps_is_refused(engine: Engine, computer: Computer) -> None:
    """What is read back is not what was asked for: the set is taken back and the value named."""
    before = computer.kernel.dump()
    resize = Queue.write

    def clamp(self: Queue, attribute: str, text: str) -> None:
        resize(self, attribute, "16" if (attribute, text) == ("nr_requests", "20") else text)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Queue, "write", clamp)
        with pytest.raises(HelperError, match="made 16 of 20"):
            begin(engine, "vm.swappiness=10", "block.nr_requests@sda=20")
    assert computer.kernel.dump() == before


def test_f08_rounding_is_accepted_and_remembered(engine: Engine, computer: Computer) -> None:
    """500 ms stay 500, 77 become 80: what was read back is ours, and is not foreign later."""
    txid = begin(engine, "block.iosched.read_expire@sda=77", "block.read_ahead_kb@sda=513")
    assert outcomes(engine.verify()) == {
        "block.iosched.read_expire": "ok",
        "block.read_ahead_kb": "ok",
    }
    engine.revert(txid, "reverted")
    assert computer.kernel.queues["sda"].iosched["read_expire"] == 500
    assert computer.kernel.queues["sda"].read_ahead_kb == 128


FOREIGN = [
    ("vm.swappiness=10", "/proc/sys/vm/swappiness", "37"),
    ("vm.dirty_bytes=268435456", "/proc/sys/vm/dirty_ratio", "9"),
    ("thp.enabled=never", "/sys/kernel/mm/transparent_hugepage/enabled", "always"),
    ("block.scheduler@sda=bfq", SDA + "scheduler", "kyber"),
    ("block.wbt_lat_usec@sda=0", SDA + "wbt_lat_usec", "1234"),
    ("block.read_ahead_kb@sda=512", SDA + "read_ahead_kb", "64"),
    (
        "nvme.latency_tolerance@nvme0=0",
        "/sys/class/nvme/nvme0/power/pm_qos_latency_tolerance_us",
        "auto",
    ),
    (
        "sata.link_power@host0=max_performance",
        "/sys/class/scsi_host/host0/link_power_management_policy",
        "min_power",
    ),
]


@pytest.mark.parametrize(("change", "path", "value"), FOREIGN)
def test_f10_a_foreign_value_is_left_alone_and_reported(
    engine: Engine, computer: Computer, change: str, path: str, value: str
) -> None:
    """Undo does not touch what somebody else set; force does, and accept forgets it."""
    stock = computer.kernel.dump()
    keep(engine, change)
    computer.kernel.set(path, value)
    theirs = computer.kernel.dump()
    id_ = change.partition("=")[0]
    assert "foreign" in outcomes(engine.undo(UndoRequest())).values()
    assert computer.kernel.dump() == theirs
    assert engine.state().state == "conflict"
    assert "foreign" in outcomes(engine.undo(UndoRequest())).values()
    restarted = computer.start()
    restarted.recover()
    assert restarted.state().conflicts == engine.state().conflicts
    restarted.undo(UndoRequest((id_,), force=(id_,)))
    assert computer.kernel.dump() == stock
    assert restarted.state().state == "idle"


def test_f10_throttling_is_never_restored_under_another_scheduler(
    engine: Engine, computer: Computer
) -> None:
    """A value read under mq-deadline means something else under bfq: only force writes it."""
    keep(engine, "block.wbt_lat_usec@sda=0")
    computer.kernel.set(SDA + "scheduler", "bfq")
    assert outcomes(engine.undo(UndoRequest())) == {"block.wbt_lat_usec": "foreign"}
    assert computer.kernel.queues["sda"].scheduler == "bfq"
    request = UndoRequest(force=("block.wbt_lat_usec",))
    assert outcomes(engine.undo(request)) == {"block.wbt_lat_usec": "restored"}
    assert computer.kernel.queues["sda"].scheduler == "bfq"
    assert computer.kernel.queues["sda"].wbt == 75000


def test_f10_a_foreign_value_can_be_accepted(engine: Engine, computer: Computer) -> None:
    """The user says that the other program is right: the conflict is gone, the value stays."""
    keep(engine, "vm.swappiness=10")
    computer.kernel.set("/proc/sys/vm/swappiness", "37")
    engine.undo(UndoRequest())
    assert outcomes(engine.undo(UndoRequest(ids=(), accept=("vm.swappiness",)))) == {
        "vm.swappiness": "accepted"
    }
    assert engine.state().state == "idle"
    assert computer.kernel.vm["swappiness"] == 37


def test_f10_a_later_trial_takes_a_foreign_value_as_the_new_origin(
    engine: Engine, computer: Computer
) -> None:
    """What an administrator set since is the original from then on, and the preview says so."""
    keep(engine, "vm.swappiness=10")
    computer.kernel.set("/proc/sys/vm/swappiness", "37")
    notes = engine.preview(change_set("vm.swappiness=5")).notes
    assert [str(note) for note in notes] == [
        "somebody else changed vm.swappiness since; its value of now counts as the original"
    ]
    keep(engine, "vm.swappiness=5")
    engine.undo(UndoRequest())
    assert computer.kernel.vm["swappiness"] == 37


def test_f10_a_partly_foreign_queue_is_not_built_upon(engine: Engine, computer: Computer) -> None:
    """With a foreign value in a queue of ours neither origin would be right: undo it first."""
    stock = computer.kernel.dump()
    keep(engine, "block.scheduler@sda=kyber")
    computer.kernel.set(SDA + "nr_requests", "12")
    with pytest.raises(HelperError, match="undo what is kept") as caught:
        begin(engine, "block.scheduler@sda=bfq")
    assert caught.value.name == "Conflict"
    engine.undo(UndoRequest(force=("block.nr_requests",)))
    assert computer.kernel.dump() == stock


def test_f10_a_foreign_scheduler_is_the_new_origin_of_its_queue(
    engine: Engine, computer: Computer
) -> None:
    """Somebody chose another scheduler: a later trial goes back to that one, with its values."""
    keep(engine, "block.scheduler@sda=kyber")
    computer.kernel.set(SDA + "scheduler", "bfq")
    theirs = computer.kernel.dump()
    keep(engine, "block.scheduler@sda=none")
    engine.undo(UndoRequest())
    assert computer.kernel.dump() == theirs


def test_f11_our_value_that_comes_back_is_reported(engine: Engine, computer: Computer) -> None:
    """A game mode saved our value as the original and restores it after our undo."""
    keep(engine, "vm.swappiness=10")
    saved_by_game_mode = str(computer.kernel.vm["swappiness"])
    engine.undo(UndoRequest())
    assert engine.verify() == ()
    computer.kernel.set("/proc/sys/vm/swappiness", saved_by_game_mode)
    (result,) = engine.verify()
    assert (result.outcome, result.value, result.origin) == ("resurrected", "10", "60")
    restarted = computer.start()
    assert outcomes(restarted.verify()) == {"vm.swappiness": "resurrected"}
    keep(restarted, "vm.swappiness=60")
    assert outcomes(restarted.verify()) == {"vm.swappiness": "ok"}


def test_f12_a_rule_that_udev_applies_again_is_answered_by_ours(
    engine: Engine, computer: Computer
) -> None:
    """While a scheduler is kept, a rule of ours sets it at every change of the drive."""
    keep(engine, "block.scheduler@sda=bfq")
    (rule,) = computer.udev.files[UDEV_FILE].decode().splitlines()[1:]
    assert rule == (
        'ACTION=="add|change", SUBSYSTEM=="block", ENV{DEVTYPE}=="disk", '
        'ATTRS{wwid}=="naa.5002538e40a1b2c3", ATTR{queue/scheduler}="bfq"'
    )
    engine.undo(UndoRequest())
    assert UDEV_FILE not in computer.udev.files


def test_f12_drift_is_reported(engine: Engine, computer: Computer) -> None:
    """A distribution's rule set the scheduler back: Verify says so."""
    keep(engine, "block.scheduler@sda=bfq")
    computer.kernel.set(SDA + "scheduler", "mq-deadline")
    assert outcomes(engine.verify())["block.scheduler"] == "reset"


def test_f13_kept_values_are_in_a_file_that_sorts_last(engine: Engine, computer: Computer) -> None:
    """A tool that applies all sysctl.d files again ends with our values."""
    keep(engine, "vm.swappiness=10", "vm.page-cluster=0", "kernel.split_lock_mitigate=0")
    assert computer.sysctl.files[SYSCTL_FILE].decode().splitlines()[1:] == [
        "vm.swappiness = 10",
        "vm.page-cluster = 0",
        "kernel.split_lock_mitigate = 0",
    ]
    assert sorted([SYSCTL_FILE, "99-sysctl.conf", "99-destutter.conf"])[-1] == SYSCTL_FILE
    engine.undo(UndoRequest(("vm.swappiness",)))
    assert "swappiness" not in computer.sysctl.files[SYSCTL_FILE].decode()


def test_f13_a_trial_leaves_no_file(engine: Engine, computer: Computer) -> None:
    """Nothing persistent, not even for this boot, exists before Keep."""
    begin(engine, *FIVE)
    assert not computer.sysctl.files
    assert not computer.udev.files


def test_f15_keep_is_old_or_new_never_mixed(engine: Engine, computer: Computer) -> None:
    """A profile is replaced as a whole; a failed write leaves the old one and the trial."""
    keep(engine, "vm.swappiness=10", until="always")
    old = read(computer.disk.files[JOURNAL]).profile
    txid = begin(engine, "vm.swappiness=5", "vm.page-cluster=0")
    computer.disk.fail_from, computer.disk.replaces = 1, 0
    with pytest.raises(HelperError) as caught:
        engine.keep(txid, "always")
    assert caught.value.name == "JournalUnavailable"
    assert read(computer.disk.files[JOURNAL]).profile == old
    assert engine.trial is not None
    computer.disk.fail_from = 0
    engine.keep(txid, "always")
    assert {one.id for one in engine.state().kept_always} == {"vm.swappiness", "vm.page-cluster"}


def test_f16_fifty_trials_at_once_are_one(engine: Engine) -> None:
    """One is accepted, 49 are told who was first."""
    busy = 0
    for _ in range(50):
        try:
            begin(engine, "vm.swappiness=10")
        except HelperError as error:
            busy += error.name == "Busy"
    assert busy == 49


def test_f16_a_second_helper_does_not_start(tmp_path: Path) -> None:
    """The lock lets one process at the settings, also one started by hand."""
    root = str(helper_tree.build(tmp_path))
    first = open_engine(helper_tree.ScratchTree(root), log=lambda _text: None)
    tree = helper_tree.ScratchTree(root)
    with contextlib.closing(tree), pytest.raises(HelperError) as caught:
        open_engine(tree, log=lambda _text: None)
    assert caught.value.name == "Busy"
    first.close()
    open_engine(helper_tree.ScratchTree(root), log=lambda _text: None).close()


def test_f17_a_gone_owner_ends_the_trial(engine: Engine, computer: Computer) -> None:
    """The layer above reports that the owner left: everything is taken back at once."""
    before = computer.kernel.dump()
    engine.revert(begin(engine, *FIVE), "owner-gone")
    assert computer.kernel.dump() == before
    assert {one["event"] for one in engine.stores.history()} == {"trial", "owner-gone"}


def test_f18_a_new_helper_ends_the_trial_of_a_killed_one(
    engine: Engine, computer: Computer
) -> None:
    """The hold of its owner ended with the killed helper; what became of it is told again."""
    before = computer.kernel.dump()
    begin(engine, *FIVE, "cpu.dma_latency=20")
    restarted = computer.start()
    assert computer.kernel.dma_latency_us() == []
    results = outcomes(restarted.recover())
    assert set(results.values()) == {"restored", "already"}
    assert results["cpu.dma_latency"] == "already"
    assert restarted.trial is None
    assert computer.kernel.dump() == before
    begin(restarted, "vm.swappiness=10")
    assert outcomes(restarted.recover()) == results
    assert restarted.trial is not None


def test_f19_recovery_needs_neither_bus_nor_polkit(tmp_path: Path) -> None:
    """What the recovery unit runs is the engine alone, on files."""
    root = helper_tree.build(tmp_path)
    swappiness = root / "proc/sys/vm/swappiness"
    first = open_engine(helper_tree.ScratchTree(str(root)), log=lambda _text: None)
    begin(first, "vm.swappiness=10")
    first.close()
    assert swappiness.read_text().strip() == "10"
    second = open_engine(helper_tree.ScratchTree(str(root)), log=lambda _text: None)
    second.recover()
    second.undo(UndoRequest())
    second.close()
    assert swappiness.read_text().strip() == "60"


def test_f20_a_silent_client_is_overruled_by_the_deadline(
    engine: Engine, computer: Computer
) -> None:
    """The countdown runs in the helper: a frozen screen needs nobody's click."""
    before = computer.kernel.dump()
    begin(engine, *FIVE, seconds=5)
    computer.kernel.now_ns += 5 * NS_PER_S
    engine.expire()
    assert computer.kernel.dump() == before


def test_f23_a_value_that_the_kernel_reset_is_written_again(
    engine: Engine, computer: Computer
) -> None:
    """After a resume: back at the original means the kernel did it; anything else is foreign."""
    keep(engine, "nvme.latency_tolerance@nvme0=0", "vm.swappiness=10")
    computer.kernel.nvme["nvme0"] = "100000"
    computer.kernel.set("/proc/sys/vm/swappiness", "37")
    results = outcomes(engine.verify(reapply=True))
    assert results == {"nvme.latency_tolerance": "ok", "vm.swappiness": "foreign"}
    assert computer.kernel.nvme["nvme0"] == "0"
    assert computer.kernel.vm["swappiness"] == 37


def test_f23_what_an_undo_left_to_others_is_not_written_again(
    engine: Engine, computer: Computer
) -> None:
    """Undone by us, changed by somebody else, set back by him: a resume leaves it so."""
    keep(engine, "vm.swappiness=10")
    computer.kernel.set("/proc/sys/vm/swappiness", "37")
    engine.undo(UndoRequest())
    computer.kernel.set("/proc/sys/vm/swappiness", "60")
    engine.verify(reapply=True)
    assert computer.kernel.vm["swappiness"] == 60


def test_f23_a_set_that_was_cut_off_before_its_first_write_is_not_written_later(
    computer: Computer,
) -> None:
    """Killed after the intent, changed by somebody else: nothing of ours is there to set again."""
    killed = computer.start()
    killed.recover()
    computer.run(lambda: begin(killed, "vm.swappiness=10"), crash_at=3)
    computer.kernel.set("/proc/sys/vm/swappiness", "37")
    engine = computer.start()
    engine.recover()
    assert [one.id for one in engine.state().conflicts] == ["vm.swappiness"]
    computer.kernel.set("/proc/sys/vm/swappiness", "60")
    engine.verify(reapply=True)
    assert computer.kernel.vm["swappiness"] == 60


def test_f26_stopping_the_helper_changes_nothing(engine: Engine, computer: Computer) -> None:
    """An update restarts the helper: kept values stay, and the new one can undo them."""
    before = computer.kernel.dump()
    keep(engine, *FIVE)
    during = computer.kernel.dump()
    engine.close()
    updated = computer.start()
    updated.recover()
    assert computer.kernel.dump() == during
    updated.undo(UndoRequest())
    assert computer.kernel.dump() == before


def test_f27_undo_of_everything_leaves_no_file_that_a_start_would_read(
    engine: Engine, computer: Computer
) -> None:
    """What package removal runs: values back, no profile, no rule, no sysctl file."""
    before = computer.kernel.dump()
    keep(engine, *FIVE, until="always")
    engine.undo(UndoRequest())
    assert computer.kernel.dump() == before
    assert not read(computer.disk.files[JOURNAL]).profile
    assert not computer.sysctl.files
    assert not computer.udev.files
    computer.power_cut()
    computer.start().boot()
    assert computer.kernel.dump() == before


def test_f29_a_killed_helper_lets_the_processor_sleep(engine: Engine, computer: Computer) -> None:
    """A held descriptor ends with the process; a new helper takes a kept one again."""
    keep(engine, "cpu.dma_latency=20")
    computer.kernel.kill_process()
    assert computer.kernel.dma_latency_us() == []
    computer.start().recover()
    assert computer.kernel.dma_latency_us() == [20]


def test_f32_each_processor_has_its_own_before_value(engine: Engine, computer: Computer) -> None:
    """Values that differ per CPU come back as they were; a CPU that left is gone, not an error."""
    computer.kernel.policies[22] = (1, 3)
    txid = begin(engine, "softirq.policy=fifo:9")
    assert computer.kernel.policies == {14: (1, 9), 22: (1, 9)}
    engine.revert(txid, "reverted")
    assert computer.kernel.policies == {14: (0, 0), 22: (1, 3)}
    txid = begin(engine, "softirq.policy=fifo:9")
    del computer.kernel.policies[22]
    results = engine.revert(txid, "reverted")
    assert {(one.device, one.outcome) for one in results} == {
        ("cpu0", "restored"),
        ("cpu1", "gone"),
    }


def test_f33_what_stays_until_the_restart_is_listed(engine: Engine) -> None:
    """Hidden state of the kernel that no write can restore is said, before and after."""
    changes = ("vm.min_free_kbytes=99999", "block.wbt_lat_usec@sda=0")
    assert len(engine.preview(change_set(*changes)).residue) == 2
    keep(engine, *changes)
    assert len(engine.state().residue) == 2


def test_f34_a_read_only_kernel_tree_is_unsupported(engine: Engine, computer: Computer) -> None:
    """In a container: refused when looking, nothing journaled."""
    computer.kernel.read_only = True
    with pytest.raises(HelperError, match="Read-only file system") as caught:
        begin(engine, "vm.swappiness=10")
    assert caught.value.name == "Unsupported"
    assert not computer.disk.files


def test_the_log_is_json_without_control_characters(engine: Engine, computer: Computer) -> None:
    """History holds registry names and the kernel's values only."""
    keep(engine, *FIVE)
    for entry in engine.stores.history():
        assert entry["id"]
        assert json.dumps(entry).isascii()
    assert all(line.isprintable() for line in computer.log)
