# SPDX-License-Identifier: GPL-3.0-or-later
"""Block queues of real loop devices: schedulers, their knobs, media and kernel objects."""

import itertools
import os
from pathlib import Path

from destutter_helper.api.payload import UndoRequest
from destutter_helper.api.tunables import BY_ID
from tests.support.helper_moves import begin, keep, outcomes
from tests.support.real_kernel import Helper, LoopDevice, RealKernel

ALIASES = {"slice_idle"}  # the same value as slice_idle_us, in ms


def test_every_knob_of_every_scheduler_is_in_the_registry(
    kernel: RealKernel, loop: LoopDevice
) -> None:
    """What a change of scheduler destroys can all be recorded and restored."""
    for name in loop.schedulers():
        loop.set("scheduler", name)
        knobs = set(os.listdir(loop.queue / "iosched")) if name != "none" else set()
        for knob in knobs - ALIASES:
            assert BY_ID[f"block.iosched.{knob}"].scheduler == name
    loop.set("scheduler", "none")


def test_any_scheduler_to_any_other_and_back_is_exact(
    kernel: RealKernel, loop: LoopDevice, state: Path
) -> None:
    """The user's own nr_requests, throttling and knobs survive every round trip."""
    for old, new in itertools.permutations(loop.schedulers(), 2):
        loop.set("scheduler", old)
        _tune_by_hand(loop, old)
        before = kernel.dump()
        with Helper(state) as engine:
            txid = begin(engine, f"block.scheduler@{loop.name}={new}")
            assert f"[{new}]" in loop.get("scheduler")
            engine.revert(txid, "reverted")
        assert kernel.dump() == before, (old, new)
    loop.replug()


def _tune_by_hand(loop: LoopDevice, scheduler: str) -> None:
    loop.set("nr_requests", "100")
    loop.set("read_ahead_kb", "320")
    knobs = {
        "mq-deadline": {"async_depth": "20", "read_expire": "300", "front_merges": "0"},
        "kyber": {"read_lat_nsec": "3000000"},
        "bfq": {"low_latency": "0", "slice_idle_us": "5000", "timeout_sync": "100"},
    }
    for knob, value in knobs.get(scheduler, {}).items():
        loop.set(f"iosched/{knob}", value)


def test_stacked_schedulers_are_undone_to_the_first(
    kernel: RealKernel, loop: LoopDevice, state: Path
) -> None:
    """Three schedulers kept one after the other, one undo."""
    before = kernel.dump()
    with Helper(state) as engine:
        for name in [name for name in loop.schedulers() if name != "none"]:
            keep(engine, f"block.scheduler@{loop.name}={name}")
        engine.undo(UndoRequest())
    assert kernel.dump() == before


def test_writing_the_queue_depth_resets_the_depth_of_asynchronous_requests(
    kernel: RealKernel, loop: LoopDevice
) -> None:
    """Why nr_requests is written before the knobs: mq-deadline follows it."""
    loop.set("scheduler", "mq-deadline")
    loop.set("iosched/async_depth", "20")
    loop.set("nr_requests", "100")
    assert loop.get("iosched/async_depth") != "20"
    loop.set("scheduler", "none")


def test_f08_rounding_by_the_kernel_is_ours(
    kernel: RealKernel, loop: LoopDevice, state: Path
) -> None:
    """Milliseconds become jiffies and KiB pages; the trial is accepted and comes back exactly."""
    loop.set("scheduler", "mq-deadline")
    before = kernel.dump()
    with Helper(state) as engine:
        txid = begin(
            engine,
            f"block.iosched.read_expire@{loop.name}=77",
            f"block.read_ahead_kb@{loop.name}=513",
        )
        assert set(outcomes(engine.verify()).values()) == {"ok"}
        engine.revert(txid, "reverted")
    assert kernel.dump() == before
    loop.set("scheduler", "none")


def test_f05_a_device_that_left_is_gone_and_the_rest_is_restored(
    kernel: RealKernel, loop: LoopDevice, state: Path
) -> None:
    """The device is removed during a trial."""
    with Helper(state) as engine:
        txid = begin(engine, "vm.swappiness=11", f"block.scheduler@{loop.name}=mq-deadline")
        loop.remove()
        results = outcomes(engine.revert(txid, "reverted"))
        assert results == {"block.scheduler": "gone", "vm.swappiness": "restored"}
    loop.replug()


def test_f06_a_changed_medium_keeps_its_queue_and_our_values(
    kernel: RealKernel, loop: LoopDevice, state: Path
) -> None:
    """Detaching and attaching raises diskseq, yet the queue keeps our values."""
    before = kernel.dump()
    diskseq = Path(f"/sys/block/{loop.name}/diskseq")
    first = diskseq.read_text()
    with Helper(state) as engine:
        txid = begin(engine, f"block.scheduler@{loop.name}=mq-deadline")
        loop.detach()
        loop.attach()
        assert diskseq.read_text() != first
        assert "[mq-deadline]" in loop.get("scheduler")
        assert outcomes(engine.revert(txid, "reverted")) == {"block.scheduler": "restored"}
    assert kernel.dump() == before


def test_f06_a_new_kernel_object_starts_anew(
    kernel: RealKernel, loop: LoopDevice, state: Path
) -> None:
    """Removed and added again under the same name: fresh values, nothing of ours is written."""
    with Helper(state) as engine:
        txid = begin(engine, f"block.scheduler@{loop.name}=mq-deadline")
        loop.replug()
        loop.set("nr_requests", "99")
        assert outcomes(engine.revert(txid, "reverted")) == {"block.scheduler": "gone"}
    assert loop.get("nr_requests") == "99"
    loop.replug()
