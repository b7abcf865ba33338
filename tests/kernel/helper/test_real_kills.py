# SPDX-License-Identifier: GPL-3.0-or-later
"""Real processes killed at every step of real changes: the kernel and the disk are the judges."""

import itertools
from collections.abc import Callable
from pathlib import Path

import pytest

from destutter_helper.api.payload import UndoRequest
from destutter_helper.engine import Engine
from tests.support.helper_moves import begin, keep
from tests.support.killed_helper import run_and_kill
from tests.support.real_kernel import Helper, LoopDevice, RealKernel

VM = Path("/proc/sys/vm")


def _changes(loop: LoopDevice) -> tuple[str, ...]:
    return (
        "vm.swappiness=11",
        "vm.dirty_bytes=268435456",
        "thp.enabled=never",
        f"block.scheduler@{loop.name}=mq-deadline",
        f"block.nr_requests@{loop.name}=64",
        "softirq.policy@cpu0=fifo:2",
    )


def _try(engine: Engine, loop: LoopDevice) -> None:
    begin(engine, *_changes(loop))


def _revert(engine: Engine, loop: LoopDevice) -> None:
    engine.revert(begin(engine, *_changes(loop)), "reverted")


def _undo(engine: Engine, loop: LoopDevice) -> None:
    keep(engine, *_changes(loop))
    engine.undo(UndoRequest())


def _recover(engine: Engine) -> None:
    engine.recover()


def _finish(state: Path) -> set[str]:
    """Recovers undisturbed, takes everything back, and returns the ids left as foreign."""
    with Helper(state) as engine:
        engine.recover()
        if engine.trial is not None:
            engine.revert(engine.trial.txid, "reverted")
        engine.undo(UndoRequest())
        foreign = {one.id for one in engine.state().conflicts}
        engine.undo(UndoRequest(ids=(), accept=tuple(foreign)))
    return foreign


@pytest.mark.parametrize("work", [_try, _revert, _undo])
def test_f01_killed_at_every_step_and_again_in_the_recovery(
    kernel: RealKernel, loop: LoopDevice, tmp_path: Path, work: Callable[..., None]
) -> None:
    """After any two kills every real value is the original."""
    before = kernel.dump()
    for first in itertools.count(1):
        state = tmp_path / f"{first}"
        is_finished = run_and_kill(state, first, lambda engine: work(engine, loop))
        run_and_kill(state, first * 3 % 17 + 1, _recover)
        assert _finish(state) == set()
        assert kernel.dump() == before, first
        if is_finished:
            break
    assert first >= 20


def test_f01_a_foreign_change_between_kill_and_recovery_is_reported(
    kernel: RealKernel, loop: LoopDevice, tmp_path: Path
) -> None:
    """Somebody else writes swappiness while no helper lives: his value stays and is named."""
    before = kernel.dump()
    swappiness = (VM / "swappiness").read_text()
    for first in itertools.count(1):
        state = tmp_path / f"{first}"
        is_finished = run_and_kill(state, first, lambda engine: _undo(engine, loop))
        was_ours = (VM / "swappiness").read_text().strip() == "11"
        (VM / "swappiness").write_text("37")
        run_and_kill(state, first * 5 % 19 + 1, _recover)
        foreign = _finish(state)
        assert (VM / "swappiness").read_text().strip() == "37"
        assert foreign <= {"vm.swappiness"}
        assert foreign or not was_ours, first
        (VM / "swappiness").write_text(swappiness)
        assert kernel.dump() == before, first
        if is_finished:
            break


def test_f15_a_profile_is_whole_after_a_kill_at_any_step(
    kernel: RealKernel, loop: LoopDevice, tmp_path: Path
) -> None:
    """What is kept for every start is the old or the new one, never mixed and never half."""
    before = kernel.dump()

    def keep_twice(engine: Engine) -> None:
        keep(engine, "vm.swappiness=11", until="always")
        keep(engine, "vm.page-cluster=1", "vm.swappiness=12", until="always")

    for first in itertools.count(1):
        state = tmp_path / f"{first}"
        is_finished = run_and_kill(state, first, keep_twice)
        with Helper(state) as engine:
            engine.recover()
            kept = {(one.id, one.value) for one in engine.state().kept_always}
            assert kept in (
                set(),
                {("vm.swappiness", "11")},
                {("vm.swappiness", "12"), ("vm.page-cluster", "1")},
            )
            engine.undo(UndoRequest())
            assert engine.state().kept_always == ()
        assert kernel.dump() == before, first
        if is_finished:
            break
