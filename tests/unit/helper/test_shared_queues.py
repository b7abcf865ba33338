# SPDX-License-Identifier: GPL-3.0-or-later
"""One queue, set by us and by somebody else: each setting of it is compared by itself."""

import pytest

from destutter_helper.api.names import ENDED_DEADLINE
from destutter_helper.api.payload import Result, UndoRequest
from destutter_helper.api.statement import Said
from destutter_helper.engine import Engine
from tests.support.faulty_kernel import NS_PER_S, Computer, Queue
from tests.support.helper_moves import begin, change_set, keep, outcomes

SDA = "/sys/block/sda/queue/"
NR, WBT, FIFO = "block.nr_requests", "block.wbt_lat_usec", "block.iosched.fifo_batch"
SCHEDULER = "block.scheduler"


@pytest.fixture
def computer() -> Computer:
    """A computer on which nothing was changed, with mq-deadline and 128 requests."""
    computer = Computer()
    computer.kernel.set(SDA + "nr_requests", "128")
    return computer


def deadline(engine: Engine, computer: Computer) -> dict[str, Result]:
    """What the end of the trial says of each setting."""
    computer.kernel.now_ns += 60 * NS_PER_S
    return {one.id: one for one in engine.expire() or ()}


def queue(computer: Computer) -> Queue:
    """The queue of sda."""
    return computer.kernel.queues["sda"]


@pytest.mark.parametrize(
    ("change", "path", "value"),
    [
        (f"{NR}@sda=64", "iosched/fifo_batch", "7"),
        (f"{NR}@sda=64", "wbt_lat_usec", "7777"),
        (f"{WBT}@sda=9000", "nr_requests", "77"),
        (f"{FIFO}@sda=4", "iosched/read_expire", "100"),
        (f"{SCHEDULER}@sda=kyber", "wbt_lat_usec", "7777"),
    ],
)
@pytest.mark.parametrize("how", ["deadline", "restart", "recover"])
def test_f47_what_others_set_in_the_same_queue_stays_and_ours_goes_back(
    engine: Engine, computer: Computer, change: str, path: str, value: str, how: str
) -> None:
    """The end of a trial, an undo and a new helper take back our setting, and nothing else."""
    stock = computer.kernel.dump()
    if how == "restart":
        keep(engine, change)
    else:
        begin(engine, change)
    computer.kernel.set(SDA + path, value)
    if how == "restart":
        results = engine.undo(UndoRequest())
    elif how == "deadline":
        results = tuple(deadline(engine, computer).values())
    else:
        engine = computer.start()
        results = engine.recover()
    assert outcomes(results) == {change.partition("@")[0]: "restored"}
    assert f"={value}, set by somebody else, stays" in results[0].note
    now = computer.kernel.dump()
    moved = {SDA + path} | ({SDA + "iosched/async_depth"} if path == "nr_requests" else set())
    assert {name for name in now if now[name] != stock.get(name)} == moved
    assert now[SDA + path] == value
    assert engine.state().state == "idle"


@pytest.mark.parametrize(
    ("scheduler", "path", "value"),
    [
        ("kyber", "nr_requests", "77"),
        ("bfq", "iosched/low_latency", "0"),
        ("none", "nr_requests", "12"),
    ],
)
@pytest.mark.parametrize("is_kept", [False, True], ids=["trial", "kept"])
def test_f47_what_a_scheduler_of_ours_takes_with_it_is_told(
    engine: Engine, computer: Computer, scheduler: str, path: str, value: str, is_kept: bool
) -> None:
    """The kernel forgets others' values with the scheduler: the origin is back, and it is said."""
    stock = computer.kernel.dump()
    txid = begin(engine, f"{SCHEDULER}@sda={scheduler}")
    if is_kept:
        engine.keep(txid, "restart")
    computer.kernel.set(SDA + path, value)
    if is_kept:
        (result,) = engine.undo(UndoRequest())
    else:
        (result,) = deadline(engine, computer).values()
    assert result.outcome == "restored"
    assert f"={value}, set by somebody else, went with it" in result.note
    assert "interrupted" not in result.note
    assert computer.kernel.dump() == stock
    assert engine.state().state == "idle"


def test_f47_force_overwrites_what_it_names_and_nothing_else(
    engine: Engine, computer: Computer
) -> None:
    """Neither a knob of somebody else's nor the scheduler that they chose is touched."""
    keep(engine, f"{NR}@sda=64")
    computer.kernel.set(SDA + "nr_requests", "99")
    computer.kernel.set(SDA + "iosched/fifo_batch", "7")
    assert outcomes(engine.undo(UndoRequest())) == {NR: "foreign"}
    (conflict,) = engine.state().conflicts
    assert conflict.note == "somebody else changed it to block.nr_requests=99"
    engine.undo(UndoRequest((NR,), force=(NR,)))
    assert (queue(computer).nr_requests, queue(computer).iosched["fifo_batch"]) == (128, 7)
    keep(engine, f"{NR}@sda=24")
    computer.kernel.set(SDA + "scheduler", "kyber")
    assert outcomes(engine.undo(UndoRequest())) == {NR: "foreign"}
    engine.undo(UndoRequest((NR,), force=(NR,)))
    assert (queue(computer).scheduler, queue(computer).nr_requests) == ("kyber", 128)


def test_f47_our_value_never_becomes_the_origin(engine: Engine, computer: Computer) -> None:
    """After others changed another part, a second trial and its undo still go back to 128."""
    keep(engine, f"{NR}@sda=64")
    computer.kernel.set(SDA + "iosched/fifo_batch", "7")
    keep(engine, f"{WBT}@sda=9000")
    keep(engine, f"{NR}@sda=32")
    assert {one.id: one.origin for one in engine.state().changed} == {NR: "128", WBT: "75000"}
    engine.undo(UndoRequest())
    assert (queue(computer).nr_requests, queue(computer).wbt) == (128, 75000)
    assert queue(computer).iosched["fifo_batch"] == 7


def test_f47_a_value_of_others_is_the_origin_of_what_is_kept_on_top(
    engine: Engine, computer: Computer
) -> None:
    """Their fifo_batch comes back, also after a change of scheduler, and our 64 goes."""
    keep(engine, f"{NR}@sda=64")
    computer.kernel.set(SDA + "iosched/fifo_batch", "7")
    keep(engine, f"{SCHEDULER}@sda=bfq")
    engine.undo(UndoRequest())
    assert queue(computer).scheduler == "mq-deadline"
    assert (queue(computer).nr_requests, queue(computer).iosched["fifo_batch"]) == (128, 7)


@pytest.mark.parametrize("scheduler", ["kyber", "bfq"])
def test_f47_what_is_kept_over_others_scheduler_goes_back_under_it(
    engine: Engine, computer: Computer, scheduler: str
) -> None:
    """The way back has no fifo_batch of the scheduler before: no file takes it, and undo fails."""
    keep(engine, f"{FIFO}@sda=4")
    computer.kernel.set(SDA + "scheduler", scheduler)
    theirs = computer.kernel.dump()
    keep(engine, f"{NR}@sda=32")
    assert outcomes(engine.undo(UndoRequest())) == {NR: "restored"}
    assert computer.kernel.dump() == theirs
    assert engine.state().state == "idle"


def test_f47_a_conflict_survives_a_trial_that_ends(engine: Engine, computer: Computer) -> None:
    """Only what is kept on top of somebody else's value makes it the original for good."""
    keep(engine, "vm.swappiness=10", f"{NR}@sda=64")
    computer.kernel.set("/proc/sys/vm/swappiness", "37")
    computer.kernel.set(SDA + "nr_requests", "99")
    engine.undo(UndoRequest())
    assert {one.id for one in engine.state().conflicts} == {"vm.swappiness", NR}
    for change in ("vm.swappiness=5", f"{NR}@sda=32"):
        engine.revert(begin(engine, change), "reverted")
    assert computer.kernel.vm["swappiness"] == 37
    assert queue(computer).nr_requests == 99
    assert {one.id: one.origin for one in engine.state().conflicts} == {
        "vm.swappiness": "60",
        NR: "128",
    }
    engine.undo(UndoRequest(force=("vm.swappiness", NR)))
    assert (computer.kernel.vm["swappiness"], queue(computer).nr_requests) == (60, 128)


def test_f48_an_undo_of_one_takes_back_one(engine: Engine, computer: Computer) -> None:
    """What was never changed is no reason to touch its neighbours, and they go one by one."""
    keep(engine, f"{NR}@sda=64", f"{WBT}@sda=9000", f"{FIFO}@sda=4")
    assert engine.undo(UndoRequest((f"{SCHEDULER}@sda",))) == ()
    assert engine.undo(UndoRequest(("block.iosched.read_expire@sda",))) == ()
    assert queue(computer).nr_requests == 64
    assert outcomes(engine.undo(UndoRequest((WBT,)))) == {WBT: "restored"}
    assert (queue(computer).nr_requests, queue(computer).wbt) == (64, 75000)
    assert outcomes(engine.undo(UndoRequest((FIFO,)))) == {FIFO: "restored"}
    assert {one.id for one in engine.state().changed} == {NR}
    engine = computer.start()
    engine.recover()
    assert outcomes(engine.undo(UndoRequest((NR,)))) == {NR: "restored"}
    assert queue(computer).nr_requests == 128
    assert engine.state().state == "idle"


def test_f48_what_the_kernel_ties_together_goes_together_and_is_told(
    engine: Engine, computer: Computer
) -> None:
    """A scheduler takes what was kept under it along: the values from before it mean nothing."""
    stock = computer.kernel.dump()
    keep(engine, f"{SCHEDULER}@sda=kyber", f"{NR}@sda=64", until="always")
    results = {one.id: one for one in engine.undo(UndoRequest((SCHEDULER,)))}
    assert {one.outcome for one in results.values()} == {"restored"}
    assert "the kernel ties it" in results[NR].note
    assert results[SCHEDULER].note == ""
    assert computer.kernel.dump() == stock
    assert not engine.state().kept_always


def test_f48_a_kept_value_is_set_again_under_the_next_scheduler(
    engine: Engine, computer: Computer
) -> None:
    """The kernel forgets it at the change; only a knob of the old scheduler is gone for good."""
    stock = computer.kernel.dump()
    keep(engine, f"{NR}@sda=24", f"{FIFO}@sda=4")
    notes = engine.preview(change_set(f"{SCHEDULER}@sda=none")).notes
    assert notes == (Said("helper.plan.ends", {"name": FIFO}),)
    txid = begin(engine, f"{SCHEDULER}@sda=none")
    assert outcomes(engine.keep(txid, "restart")) == {SCHEDULER: "changed"}
    assert queue(computer).nr_requests == 24
    assert {one.id: one.value for one in engine.state().changed} == {NR: "24", SCHEDULER: "none"}
    engine.undo(UndoRequest())
    assert computer.kernel.dump() == stock


def test_f47_the_preview_names_only_what_is_touched(engine: Engine, computer: Computer) -> None:
    """Somebody else's knob is no reason for a warning about our setting."""
    keep(engine, f"{NR}@sda=64")
    computer.kernel.set(SDA + "iosched/fifo_batch", "7")
    assert not engine.preview(change_set(f"{WBT}@sda=9000")).notes
    txid = begin(engine, f"{WBT}@sda=9000")
    assert outcomes(engine.revert(txid, ENDED_DEADLINE)) == {WBT: "restored"}
