# SPDX-License-Identifier: GPL-3.0-or-later
"""Trials, keeping, and taking back, on a simulated computer."""

import errno

import pytest

from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import ChangeSet, UndoRequest, listing
from destutter_helper.api.tunables import BY_ID
from destutter_helper.engine import Engine
from destutter_helper.journal import JOURNAL
from tests.support.faulty_kernel import NS_PER_S, Computer
from tests.support.helper_moves import begin, change_set, keep, outcomes

SDA = "/sys/block/sda/queue/"


# -- trial ----------------------------------------------------------------------------------


def test_a_trial_changes_and_its_revert_restores(engine: Engine, computer: Computer) -> None:
    """Every value, also what the kernel moved, is as before after a revert."""
    before = computer.kernel.dump()
    txid = begin(
        engine,
        "vm.swappiness=10",
        "vm.dirty_bytes=268435456",
        "thp.enabled=never",
        "block.scheduler@sda=bfq",
        "block.nr_requests@sda=64",
        "block.iosched.low_latency@sda=0",
        "block.wbt_lat_usec@nvme0n1=0",
        "nvme.latency_tolerance@nvme0=0",
        "sata.link_power@host0=max_performance",
        "softirq.policy=fifo:5",
        "kernel.split_lock_mitigate=0",
        "cpu.dma_latency=20",
    )
    during = computer.kernel.dump()
    assert during["/proc/sys/vm/swappiness"] == "10"
    assert during["/proc/sys/vm/dirty_ratio"] == "0"
    assert during["/proc/14"] == during["/proc/22"] == "(1, 5)"
    assert computer.kernel.dma_latency_us() == [20]
    engine.revert(txid, "reverted")
    assert computer.kernel.dump() == before
    assert computer.kernel.dma_latency_us() == []
    assert engine.state().state == "idle"


def test_a_trial_says_what_it_did(engine: Engine) -> None:
    """The results name each wish with its value and the one from before Destutter."""
    begin(engine, "vm.swappiness=10", "vm.page-cluster=3")
    assert [
        (one["id"], one["outcome"], one["value"], one["origin"]) for one in engine.stores.history()
    ] == [
        ("vm.swappiness", "changed", "10", "60"),
        ("vm.page-cluster", "already", "3", "3"),
    ]
    assert engine.state().state == "trial"
    assert (engine.state().owner_uid, engine.state().seconds_left) == (1000, 30)


def test_the_before_values_are_durable_before_the_first_write(
    engine: Engine, computer: Computer
) -> None:
    """The journal on disk names the origin when the kernel is written for the first time."""
    seen = []
    write = computer.kernel.set

    def watch(path: str, text: str) -> None:
        seen.append(b'"origin":"vm.swappiness=60"' in computer.disk.files["journal.json"])
        write(path, text)

    computer.kernel.set = watch  # type: ignore[method-assign]
    begin(engine, "vm.swappiness=10")
    assert seen == [True]


def test_equal_values_are_not_written(engine: Engine, computer: Computer) -> None:
    """Writing the same scheduler or throttling again would have side effects."""
    begin(engine, "block.scheduler@sda=mq-deadline", "block.wbt_lat_usec@sda=75000")
    assert computer.kernel.writes == []
    assert not computer.kernel.queues["sda"].wbt_manual


def test_a40_a_second_trial_is_busy_and_says_how_long_but_not_whose(engine: Engine) -> None:
    """One trial at a time: the second is told for how long."""
    begin(engine, "vm.swappiness=10")
    with pytest.raises(HelperError, match="somebody has a trial for another 30 s") as caught:
        begin(engine, "vm.page-cluster=0")
    assert caught.value.name == "Busy"


@pytest.mark.parametrize("seconds", [-1, 0, 4, 121, 2**31])
def test_a_trial_has_bounds(engine: Engine, computer: Computer, seconds: int) -> None:
    """5 to 120 seconds, else nothing is changed."""
    with pytest.raises(HelperError, match="5 to 120"):
        begin(engine, "vm.swappiness=10", seconds=seconds)
    assert not computer.kernel.writes


def test_f21_the_deadline_is_on_the_boottime_clock(engine: Engine, computer: Computer) -> None:
    """A trial ends at its deadline, whatever the wall clock says, and not before."""
    begin(engine, "vm.swappiness=10", seconds=10)
    computer.kernel.now_ns += 10 * NS_PER_S - 1
    assert engine.expire() is None
    computer.kernel.now_ns += 1
    assert outcomes(engine.expire() or ()) == {"vm.swappiness": "restored"}
    assert engine.trial is None


def test_f22_an_overdue_trial_is_reverted_first_after_a_sleep(
    engine: Engine, computer: Computer
) -> None:
    """The clock counts sleep: on waking the trial is over."""
    begin(engine, "vm.swappiness=10")
    computer.kernel.now_ns += 3600 * NS_PER_S
    engine.expire()
    assert computer.kernel.vm["swappiness"] == 60


def test_extending_counts_from_now_and_ends_after_ten_minutes(
    engine: Engine, computer: Computer
) -> None:
    """A trial can go on, but not for ever."""
    txid = begin(engine, "vm.swappiness=10")
    computer.kernel.now_ns += 20 * NS_PER_S
    engine.extend(txid, 60)
    assert engine.state().seconds_left == 60
    for _ in range(20):
        engine.extend(txid, 120)
        computer.kernel.now_ns += 60 * NS_PER_S
        engine.expire()
        if engine.trial is None:
            break
    assert engine.trial is None
    assert computer.kernel.now_ns <= (1000 + 601 + 60) * NS_PER_S


def test_a_trial_for_a_game_can_go_on_for_twelve_hours_and_has_to_be_renewed(
    engine: Engine, computer: Computer
) -> None:
    """Two minutes at a time; whoever asks meanwhile hears why, and the next trial has ten minutes.

    The descriptor is the guardian's business, and these tests have none.
    """
    txid = begin(engine, "vm.swappiness=10")
    begun_ns = computer.kernel.now_ns
    engine.bind(txid, -1)
    assert engine.state().seconds_left == 120
    with pytest.raises(HelperError, match="as long as a game runs"):
        begin(engine, "vm.swappiness=20")
    while engine.trial is not None:
        engine.extend(txid, 120)
        engine.bind(txid, -1)  # nor does binding it again give it more
        computer.kernel.now_ns += 100 * NS_PER_S
        engine.expire()
    lasted_s = (computer.kernel.now_ns - begun_ns) // NS_PER_S
    assert 12 * 3600 <= lasted_s <= 12 * 3600 + 100
    other = begin(engine, "vm.swappiness=10")
    engine.extend(other, 120)
    computer.kernel.now_ns += 121 * NS_PER_S
    engine.expire()
    assert engine.trial is None
    with pytest.raises(HelperError):
        engine.bind(txid, -1)


@pytest.mark.parametrize("work", ["extend", "keep", "revert"])
def test_a_wrong_name_of_a_trial_is_refused(engine: Engine, work: str) -> None:
    """Without the random name of the running trial nothing happens to it."""
    begin(engine, "vm.swappiness=10")
    with pytest.raises(HelperError) as caught:
        {
            "extend": lambda: engine.extend("tx999", 30),
            "keep": lambda: engine.keep("tx999", "restart"),
            "revert": lambda: engine.revert("", "reverted"),
        }[work]()
    assert caught.value.name == "NoSuchTransaction"
    assert engine.trial is not None


# -- what is refused ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "name", "words"),
    [
        ("vm.page_cluster=0", "UnknownKey", "vm.page_cluster: is no setting"),
        ("kernel.core_pattern=x", "UnknownKey", "kernel.core_pattern"),
        ("vm.swappiness=201", "OutOfRange", "vm.swappiness: 201 is not a whole number from 0 to"),
        ("vm.swappiness=010", "OutOfRange", "010"),
        ("vm.swappiness=-1", "OutOfRange", "-1"),
        ("vm.dirty_bytes=8192", "OutOfRange", "33554432"),
        ("vm.min_free_kbytes=2000000", "OutOfRange", "vm.min_free_kbytes"),
        ("thp.enabled=sometimes", "OutOfRange", "always, madvise, never"),
        ("vm.swappiness@sda=10", "InvalidArgument", "belongs to no device"),
        ("block.scheduler=bfq", "InvalidArgument", "needs a device"),
        ("block.scheduler@sdz=bfq", "DeviceGone", "block.scheduler on sdz"),
        ("block.scheduler@sda=nonesuch", "OutOfRange", "must be one of"),
        ("block.iosched.low_latency@sda=0", "Unsupported", "I/O scheduler of the drive is bfq"),
        ("softirq.policy=fifo:99", "OutOfRange", "1 to 49"),
        ("softirq.policy=deadline:1", "OutOfRange", "other, fifo:N or rr:N"),
        ("softirq.policy@cpu9=fifo:1", "DeviceGone", "cpu9"),
        ("nvme.latency_tolerance@nvme0=any", "OutOfRange", "0 to 100000"),
        ("cpu.dma_latency=none", "OutOfRange", "none"),
        ("cpu.power_profile=performance", "Unsupported", "cannot hold"),
    ],
)
def test_a_wrong_entry_is_named_and_nothing_is_changed(
    engine: Engine, computer: Computer, change: str, name: str, words: str
) -> None:
    """The error says which entry and why, in a preview and in a trial alike."""
    changes = change_set("vm.vfs_cache_pressure=50", change)
    for work in (engine.preview, lambda one: begin_set(engine, one)):
        with pytest.raises(HelperError) as caught:
            work(changes)
        assert caught.value.name == name
        assert words in str(caught.value)
        assert caught.value.id == changes.changes[1].id
    assert not computer.kernel.writes
    assert "journal.json" not in computer.disk.files


def begin_set(engine: Engine, changes: ChangeSet) -> None:
    """Begins a trial with a made change set."""
    engine.begin_trial(changes, owner_uid=1, owner_name="", seconds=30)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (("vm.dirty_ratio=10", "vm.dirty_bytes=268435456"), "contradicts vm.dirty_ratio"),
        (("softirq.policy=fifo:1", "softirq.policy@cpu1=other"), "contradicts softirq.policy"),
    ],
)
def test_contradictions_in_a_set_are_refused(
    engine: Engine, changes: tuple[str, ...], words: str
) -> None:
    """Two wishes for one state have no order, so neither is done."""
    with pytest.raises(HelperError, match=words) as caught:
        begin(engine, *changes)
    assert caught.value.name == "InvalidArgument"


@pytest.mark.parametrize("changes", [("block.wbt_lat_usec@sda=0",), ()])
def test_throttling_is_not_written_under_bfq(
    engine: Engine, computer: Computer, changes: tuple[str, ...]
) -> None:
    """bfq switches it off by itself, and a written value would never be switched off again."""
    if changes:
        computer.kernel.set(SDA + "scheduler", "bfq")
    with pytest.raises(HelperError, match="bfq switches write-back throttling off"):
        begin(
            engine,
            "block.wbt_lat_usec@sda=1000",
            *([] if changes else ["block.scheduler@sda=bfq"]),
        )
    assert not computer.kernel.writes


def test_a_value_that_cannot_be_written_back_is_not_changed(
    engine: Engine, computer: Computer
) -> None:
    """keep_firmware_settings can be read but not written: a change could not be undone."""
    computer.kernel.sata["host0"] = "keep_firmware_settings"
    with pytest.raises(HelperError, match="could not be written back"):
        begin(engine, "sata.link_power@host0=max_performance")


def test_knobs_of_a_new_scheduler_can_be_set_with_it(engine: Engine, computer: Computer) -> None:
    """A set may switch the scheduler and tune it at once."""
    begin(engine, "block.iosched.low_latency@sda=0", "block.scheduler@sda=bfq")
    assert computer.kernel.queues["sda"].iosched["low_latency"] == 0


# -- preview --------------------------------------------------------------------------------


def test_a_preview_shows_order_side_effects_and_residue(engine: Engine) -> None:
    """People see what will be written, what moves with it, and what stays until the restart."""
    plan = engine.preview(
        change_set("vm.swappiness=10", "vm.min_free_kbytes=99999", "block.scheduler@sda=bfq")
    )
    assert [(step.id, step.device, step.current, step.value) for step in plan.steps] == [
        ("block.scheduler", "sda", "mq-deadline", "bfq"),
        ("vm.min_free_kbytes", "", "67584", "99999"),
        ("vm.swappiness", "", "60", "10"),
    ]
    assert "block.nr_requests" in str(plan.side_effects[0])
    assert "min_free_kbytes" in str(plan.residue[0])
    assert plan.summary == (
        "I/O scheduler of sda mq-deadline → bfq, reserved free memory 67584 → 99999, "
        "swappiness 60 → 10"
    )


def test_f13_a_preview_warns_of_sysctl_conf(engine: Engine, computer: Computer) -> None:
    """procps applies /etc/sysctl.conf after every other file, so it would win over ours."""
    computer.kernel.texts["/etc/sysctl.conf"] = "# x\nvm.swappiness = 63\n-vm/page-cluster=1\n"
    notes = engine.preview(change_set("vm.swappiness=10", "vm.page-cluster=0")).notes
    assert len(notes) == 2
    assert "vm.swappiness is also set in /etc/sysctl.conf" in str(notes[0])


def test_a_preview_writes_nothing(engine: Engine, computer: Computer) -> None:
    """Looking does not touch kernel or disk."""
    engine.preview(change_set("vm.swappiness=10"))
    assert not computer.kernel.writes
    assert not computer.disk.files


def test_a16_a_long_summary_says_what_kinds_of_settings_they_are(engine: Engine) -> None:
    """A dialog has little room: what does not fit is counted and named, as far as there is."""
    changes = [f"block.iosched.{name}@sda=1" for name in ("front_merges", "fifo_batch")]
    changes += [f"vm.dirty_{name}_centisecs=1000" for name in ("expire", "writeback")]
    changes += ["vm.swappiness=1", "vm.page-cluster=1", "vm.vfs_cache_pressure=50"]
    plan = engine.preview(change_set(*changes))
    assert plan.summary.startswith("7 kernel settings: mq-deadline front merges, ")
    assert "swappiness" in plan.summary
    assert len(plan.summary) <= 200
    assert listing(plan.steps).count(" → ") == 7
    devices = [f"block.{name}@sda=64" for name in ("nr_requests", "read_ahead_kb")]
    more = engine.preview(change_set(*changes, *devices, "thp.enabled=never", "thp.defrag=never"))
    assert more.summary.startswith("11 kernel settings: ")
    assert more.summary.endswith((", and more", "wait"))
    assert len(more.summary) <= 200


# -- keep and undo --------------------------------------------------------------------------


def test_kept_values_stay_and_undo_restores_the_origin(engine: Engine, computer: Computer) -> None:
    """Keep ends the trial; undo goes back to what was before Destutter."""
    before = computer.kernel.dump()
    keep(engine, "vm.swappiness=10", "block.scheduler@sda=kyber")
    computer.kernel.now_ns += 3600 * NS_PER_S
    assert engine.expire() is None
    assert computer.kernel.vm["swappiness"] == 10
    assert engine.state().state == "kept"
    assert {one.id for one in engine.state().changed} == {"vm.swappiness", "block.scheduler"}
    results = engine.undo(UndoRequest())
    assert outcomes(results) == {"vm.swappiness": "restored", "block.scheduler": "restored"}
    assert computer.kernel.dump() == before
    assert engine.state().state == "idle"


def test_a_trial_on_top_of_kept_values_keeps_their_origin(
    engine: Engine, computer: Computer
) -> None:
    """A revert goes to the kept value, an undo to the one from before Destutter."""
    keep(engine, "vm.swappiness=10")
    engine.revert(begin(engine, "vm.swappiness=5"), "reverted")
    assert computer.kernel.vm["swappiness"] == 10
    keep(engine, "vm.swappiness=5")
    assert engine.state().changed[0].origin == "60"
    engine.undo(UndoRequest())
    assert computer.kernel.vm["swappiness"] == 60


def test_the_second_member_of_a_pair_stacks_on_the_first(
    engine: Engine, computer: Computer
) -> None:
    """dirty_bytes and dirty_ratio are one state with one origin."""
    keep(engine, "vm.dirty_bytes=268435456")
    keep(engine, "vm.dirty_ratio=7")
    assert [one.id for one in engine.state().changed] == ["vm.dirty_ratio"]
    engine.undo(UndoRequest(("vm.dirty_bytes",)))
    assert (computer.kernel.vm["dirty_ratio"], computer.kernel.vm["dirty_bytes"]) == (20, 0)


def test_undo_of_one_leaves_the_others(engine: Engine, computer: Computer) -> None:
    """Named ids only are undone."""
    keep(engine, "vm.swappiness=10", "vm.page-cluster=0", "block.read_ahead_kb@sda=512")
    engine.undo(UndoRequest(("vm.swappiness", "block.read_ahead_kb@nvme0n1")))
    assert computer.kernel.vm["swappiness"] == 60
    assert computer.kernel.vm["page-cluster"] == 0
    assert computer.kernel.queues["sda"].read_ahead_kb == 512
    engine.undo(UndoRequest(("block.read_ahead_kb@sda",)))
    assert computer.kernel.queues["sda"].read_ahead_kb == 128


def test_undo_of_one_member_takes_the_whole_queue_back(engine: Engine, computer: Computer) -> None:
    """Going back to the old scheduler drops what was set under the new one: all or nothing."""
    before = computer.kernel.dump()
    keep(engine, "block.scheduler@sda=kyber", "block.nr_requests@sda=64", "vm.swappiness=10")
    engine.undo(UndoRequest(("block.nr_requests",)))
    computer.kernel.set("/proc/sys/vm/swappiness", "60")
    assert computer.kernel.dump() == before


def test_undo_of_an_unknown_id_is_refused(engine: Engine, computer: Computer) -> None:
    """A typo is no silent success."""
    keep(engine, "vm.swappiness=10")
    for request in (UndoRequest(("vm.page_cluster",)), UndoRequest(force=("x",))):
        with pytest.raises(HelperError) as caught:
            engine.undo(request)
        assert caught.value.name == "UnknownKey"
    assert computer.kernel.vm["swappiness"] == 10


def test_undo_of_everything_ends_a_trial_first(engine: Engine, computer: Computer) -> None:
    """Undo all leaves nothing of ours, also not what is on trial."""
    before = computer.kernel.dump()
    keep(engine, "vm.swappiness=10")
    begin(engine, "vm.swappiness=5", "thp.enabled=always")
    engine.undo(UndoRequest())
    assert computer.kernel.dump() == before
    assert engine.trial is None


def test_a_users_reserve_survives_huge_pages(engine: Engine, computer: Computer) -> None:
    """The kernel raises min_free_kbytes with huge pages; undo brings the user's own value back."""
    computer.kernel.set("/proc/sys/vm/min_free_kbytes", "20000")
    keep(engine, "thp.enabled=always")
    assert computer.kernel.vm["min_free_kbytes"] == 67584
    engine.undo(UndoRequest())
    assert computer.kernel.vm["min_free_kbytes"] == 20000


def test_huge_pages_and_the_reserve_are_taken_back_together(
    engine: Engine, computer: Computer
) -> None:
    """The kernel ties them, so an undo of one undoes the other, too, and says so."""
    keep(engine, "thp.enabled=never", "vm.min_free_kbytes=30000", "vm.swappiness=10")
    results = engine.undo(UndoRequest(("thp.enabled",)))
    assert outcomes(results) == {"thp.enabled": "restored", "vm.min_free_kbytes": "restored"}
    assert computer.kernel.thp["enabled"] == "madvise"
    assert computer.kernel.vm["min_free_kbytes"] == 67584
    assert computer.kernel.vm["swappiness"] == 10


def test_a_users_own_queue_values_survive_a_change_of_scheduler(
    engine: Engine, computer: Computer
) -> None:
    """nr_requests, async_depth and expiry times of the user's own come back with the scheduler."""
    for name, value in (
        ("nr_requests", "100"),
        ("iosched/async_depth", "20"),
        ("iosched/read_expire", "300"),
    ):
        computer.kernel.set(SDA + name, value)
    before = computer.kernel.dump()
    keep(engine, "block.scheduler@sda=bfq", "block.iosched.strict_guarantees@sda=1")
    keep(engine, "block.scheduler@sda=kyber")
    engine.undo(UndoRequest())
    assert computer.kernel.dump() == before


def test_the_queue_depth_is_written_before_the_depth_of_asynchronous_requests(
    engine: Engine, computer: Computer
) -> None:
    """mq-deadline sets async_depth from nr_requests at every write of it."""
    begin(engine, "block.iosched.async_depth@sda=30", "block.nr_requests@sda=32")
    assert computer.kernel.queues["sda"].iosched["async_depth"] == 30


def test_undo_after_undo_finds_nothing(engine: Engine) -> None:
    """Taking back twice is harmless."""
    keep(engine, "vm.swappiness=10")
    engine.undo(UndoRequest())
    assert engine.undo(UndoRequest()) == ()


def test_history_tells_what_was_done(engine: Engine, computer: Computer) -> None:
    """One line per value and event, for people, with who and what."""
    keep(engine, "vm.swappiness=10")
    engine.undo(UndoRequest())
    assert [one["event"] for one in engine.stores.history()] == ["trial", "keep", "undo"]
    assert engine.stores.history()[0]["uid"] == 1000
    assert any("id=vm.swappiness" in line for line in computer.log)


def test_a_line_that_a_full_disk_cut_off_costs_only_itself(
    engine: Engine, computer: Computer
) -> None:
    """The report is there for everybody, whatever the log file holds."""
    keep(engine, "vm.swappiness=10")
    computer.disk.files["history.jsonl"] += b'{"event": "tri\n5\n\xff\n[1]\n{}\n'
    assert [one.get("event") for one in engine.stores.history()] == ["trial", "keep", None]


# -- reading --------------------------------------------------------------------------------


def test_the_list_shows_values_ranges_and_what_is_missing(engine: Engine) -> None:
    """Every setting is listed, on every device, or with the reason why it is not there."""
    keep(engine, "vm.swappiness=10")
    listed = {(one.id, one.device): one for one in engine.list_tunables()}
    assert {id_ for id_, _ in listed} >= {one for one in BY_ID if not BY_ID[one].scheduler}
    swappiness = listed["vm.swappiness", ""]
    assert (swappiness.current, swappiness.origin, swappiness.keep) == ("10", "60", "restart")
    assert (swappiness.low, swappiness.high) == (0, 200)
    assert listed["block.iosched.read_expire", "sda"].current == "500"
    assert ("block.iosched.read_expire", "nvme0n1") not in listed
    assert listed["cpu.power_profile", ""].unavailable
    assert listed["cpu.power_profile", ""].current is None
    assert listed["vm.dirty_bytes", ""].current == "0"
    assert listed["vm.dirty_ratio", ""].current == "20"


def test_a_computer_without_such_devices_says_so(computer: Computer) -> None:
    """No NVMe drive: the setting is listed once, with the reason."""
    computer.kernel.unplug("nvme/nvme0")
    listed = {one.id: one for one in computer.start().list_tunables()}
    assert "no such device" in str(listed["nvme.latency_tolerance"].unavailable)


def test_verify_tells_who_is_still_there(engine: Engine, computer: Computer) -> None:
    """Values are ok, foreign, or reset to the original by somebody."""
    keep(engine, "vm.swappiness=10", "vm.page-cluster=0", "vm.vfs_cache_pressure=50")
    computer.kernel.set("/proc/sys/vm/page-cluster", "5")
    computer.kernel.set("/proc/sys/vm/vfs_cache_pressure", "100")
    assert outcomes(engine.verify()) == {
        "vm.swappiness": "ok",
        "vm.page-cluster": "foreign",
        "vm.vfs_cache_pressure": "reset",
    }


def test_the_process_may_leave_when_nothing_is_held(engine: Engine) -> None:
    """Kept sysctls need no process; a trial and a held descriptor do."""
    seen = [engine.is_idle]
    txid = begin(engine, "cpu.dma_latency=20")
    seen.append(engine.is_idle)
    engine.keep(txid, "restart")
    seen.append(engine.is_idle)
    engine.undo(UndoRequest())
    seen.append(engine.is_idle)
    assert seen == [True, False, False, True]


def test_a39_undo_in_a_loop_does_not_push_out_the_history(
    engine: Engine, computer: Computer
) -> None:
    """Two settings that others changed, undone in turn 400 times: each is told once."""
    keep(engine, "vm.swappiness=10", "vm.page-cluster=0")
    for name in ("swappiness", "page-cluster"):
        computer.kernel.set(f"/proc/sys/vm/{name}", "5")
    for _ in range(200):
        for id_ in ("vm.swappiness", "vm.page-cluster"):
            engine.undo(UndoRequest(ids=(id_,)))
    events = [one["event"] for one in engine.stores.history()]
    assert events == ["trial", "trial", "keep", "keep", "undo", "undo"]


def test_f40_an_undo_that_fails_again_and_again_costs_no_room(
    engine: Engine, computer: Computer
) -> None:
    """The kernel refuses each time: the journal is as long after 300 undos as after three."""
    keep(engine, "vm.swappiness=10")
    computer.kernel.refused["/proc/sys/vm/swappiness"] = errno.EIO
    lengths = []
    for _ in range(300):
        assert outcomes(engine.undo(UndoRequest())) == {"vm.swappiness": "failed"}
        lengths.append(len(computer.disk.files[JOURNAL]))
    assert lengths[-1] <= lengths[2] + 10  # the number of the generation has more digits
