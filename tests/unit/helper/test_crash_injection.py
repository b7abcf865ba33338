# SPDX-License-Identifier: GPL-3.0-or-later
"""Killed at every step, killed again in the recovery, with others changing values in between.

Every case ends with a helper that is allowed to work undisturbed. Then each setting must be what
it was before Destutter, or what somebody else set and the helper reported.
"""

import copy
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from destutter_helper.api.payload import Change, ChangeSet, Result, UndoRequest
from destutter_helper.api.tunables import BY_ID, TUNABLES
from destutter_helper.engine import Engine
from tests.support.faulty_kernel import Computer

SDA = "/sys/block/sda/queue/"
QUEUE_SET = ChangeSet(
    (
        Change("block.scheduler", "kyber", "sda"),
        Change("block.nr_requests", "64", "sda"),
        Change("vm.swappiness", "10"),
    )
)
MEMORY_SET = ChangeSet(
    (
        Change("thp.enabled", "never"),
        Change("vm.dirty_bytes", "268435456"),
        Change("cpu.dma_latency", "20"),
    )
)
SECOND_SET = ChangeSet(
    (
        Change("block.scheduler", "none", "sda"),
        Change("vm.swappiness", "5"),
        Change("vm.dirty_ratio", "7"),
    )
)
FOREIGN = (
    None,
    ("/proc/sys/vm/swappiness", "37"),
    ("/proc/sys/vm/dirty_bytes", "111111168"),
    ("/proc/sys/vm/min_free_kbytes", "99999"),
    ("/sys/kernel/mm/transparent_hugepage/enabled", "always"),
    (SDA + "scheduler", "bfq"),
    (SDA + "nr_requests", "20"),
    (SDA + "wbt_lat_usec", "4321"),
    (SDA + "read_ahead_kb", "512"),
)
MOVED_BY_THE_KERNEL = ("nr_requests", "wbt_lat_usec", "iosched/", "min_free_kbytes")
"""Of these nobody can tell, in the middle of an interrupted change, who moved them."""

KILLS_OF_EVERY_RECOVERY = 3
"""Of the later kills of a recovery every third one is tried with each foreign change."""


@dataclass(frozen=True)
class Scenario:
    """What is done undisturbed, and then what is killed."""

    name: str
    change_set: ChangeSet
    prepare: Callable[[Computer, ChangeSet], None]
    operate: Callable[[Engine, ChangeSet], object]


def _begin(engine: Engine, change_set: ChangeSet) -> str:
    trial = engine.begin_trial(change_set, owner_uid=1000, owner_name=":1.7", seconds=30)
    return trial.txid


def _keep(engine: Engine, change_set: ChangeSet, until: str) -> None:
    engine.keep(_begin(engine, change_set), until)


def _tune_by_hand(computer: Computer, _set: ChangeSet) -> None:
    """Values of the user's own, which a change of scheduler and of huge pages destroys."""
    computer.kernel.set(SDA + "nr_requests", "100")
    computer.kernel.set(SDA + "iosched/read_expire", "300")
    computer.kernel.set(SDA + "iosched/async_depth", "20")
    computer.kernel.set("/proc/sys/vm/min_free_kbytes", "20000")


def _tune_and_keep(until: str) -> Callable[[Computer, ChangeSet], None]:
    def prepare(computer: Computer, change_set: ChangeSet) -> None:
        _tune_by_hand(computer, change_set)
        engine = computer.start()
        engine.recover()
        _keep(engine, change_set, until)

    return prepare


def _try(engine: Engine, change_set: ChangeSet) -> None:
    _begin(engine, change_set)


def _try_and_revert(engine: Engine, change_set: ChangeSet) -> None:
    engine.revert(_begin(engine, change_set), "reverted")


def _try_and_keep(engine: Engine, change_set: ChangeSet) -> None:
    _keep(engine, change_set, "always")


def _undo(engine: Engine, _set: ChangeSet) -> None:
    engine.undo(UndoRequest())


def _undo_one(engine: Engine, change_set: ChangeSet) -> None:
    engine.undo(UndoRequest(ids=(change_set.changes[0].id,)))


def _try_another(engine: Engine, _set: ChangeSet) -> None:
    _begin(engine, SECOND_SET)


def _try_another_and_revert(engine: Engine, _set: ChangeSet) -> None:
    engine.revert(_begin(engine, SECOND_SET), "reverted")


SCENARIOS = [
    Scenario(f"{name} {set_name}", change_set, prepare, operate)
    for set_name, change_set in (("queue", QUEUE_SET), ("memory", MEMORY_SET))
    for name, prepare, operate in (
        ("try", _tune_by_hand, _try),
        ("revert", _tune_by_hand, _try_and_revert),
        ("keep", _tune_by_hand, _try_and_keep),
        ("undo", _tune_and_keep("restart"), _undo),
        ("undo one", _tune_and_keep("restart"), _undo_one),
        ("second trial", _tune_and_keep("restart"), _try_another),
        ("second revert", _tune_and_keep("restart"), _try_another_and_revert),
    )
    # A hold cannot be kept for every start.
    if (name, set_name) != ("keep", "memory")
]


def _cell(path: str) -> str:
    """What the kernel ties together: one foreign value keeps the others as they are."""
    if path.startswith(SDA) and not path.endswith("read_ahead_kb"):
        return "queue"
    return {one.path: one.cell for one in TUNABLES}.get(path, path)


class Case:
    """One computer on its way through kills and foreign changes, and what it must end with."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.computer = Computer()
        _tune_by_hand(self.computer, scenario.change_set)
        self.origin = self.computer.kernel.dump()
        scenario.prepare(self.computer, scenario.change_set)
        self.foreign: dict[str, str | None] = {}
        self.results: list[Result] = []

    def operate(self, crash_at: int) -> bool:
        """Runs what is to be killed; whether it came to its end."""
        engine = self.computer.start()
        engine.recover()
        is_finished = self.computer.run(
            lambda: self.scenario.operate(engine, self.scenario.change_set), crash_at
        )
        self.computer.kernel.kill_process()
        return is_finished

    def recover(self, crash_at: int = 0) -> bool:
        """Starts a new helper; whether its recovery came to its end."""

        def work() -> None:
            self.results += self.computer.start().recover()

        return self.computer.run(work, crash_at)

    def meddle(self, change: tuple[str, str] | None) -> None:
        """Somebody else writes a value; what the kernel moves with it is his doing, too."""
        if change is None:
            return
        before = self.computer.kernel.dump()
        self.computer.kernel.set(*change)
        now = self.computer.kernel.dump()
        changed = {
            path for path in before.keys() | now.keys() if before.get(path) != now.get(path)
        }
        self.foreign |= {path: now.get(path) for path in changed}

    def finish(self) -> list[str]:
        """Recovers, takes everything back, and returns what is wrong in the end."""
        engine = self.computer.start()
        self.results += engine.recover()
        if engine.trial is not None:
            self.results += engine.revert(engine.trial.txid, "reverted")
        self.results += engine.undo(UndoRequest())
        wrong = self._complaints(engine)
        names = tuple({one.id for one in engine.state().conflicts})
        engine.undo(UndoRequest(force=names))
        state = engine.state()
        if state.state != "idle":
            wrong.append(f"after force: {state}")
        return wrong

    def _complaints(self, engine: Engine) -> list[str]:
        now = self.computer.kernel.dump()
        conflicts = {BY_ID[one.id].cell for one in engine.state().conflicts}
        noted = {BY_ID[one.id].cell for one in self.results if one.note}
        foreign_cells = {_cell(path) for path in self.foreign}
        wrong = []
        for path in sorted(self.origin.keys() | now.keys()):
            old, new, cell = self.origin.get(path), now.get(path), _cell(path)
            if path in self.foreign and new == self.foreign[path]:
                continue
            if path in self.foreign and new == old:
                was_movable = any(word in path for word in MOVED_BY_THE_KERNEL)
                if cell not in conflicts | noted and not was_movable:
                    wrong.append(f"{path}: {self.foreign[path]} overwritten in silence")
            elif new != old and not (cell in foreign_cells and cell in conflicts):
                wrong.append(f"{path}: was {old}, is {new}")
        if conflicts and not self.foreign:
            wrong.append(f"a conflict with nobody: {engine.state().conflicts}")
        if self.computer.kernel.dma_latency_us():
            wrong.append("/dev/cpu_dma_latency is still held")
        return wrong


def _cases(scenario: Scenario) -> Iterator[tuple[str, Case]]:
    """Every first kill, with every foreign change, and kills of the recovery after that."""
    for first in itertools.count(1):
        killed = Case(scenario)
        is_finished = killed.operate(first)
        kills = range(1, _steps_of_recovery(killed) + 2)
        for number, change in enumerate(FOREIGN):
            later = kills[KILLS_OF_EVERY_RECOVERY + number % 3 :: 3 if change else 1]
            for second in (0, *kills[:KILLS_OF_EVERY_RECOVERY], *later):
                case = copy.deepcopy(killed)
                case.meddle(change)
                if second:
                    case.recover(second)
                    case.meddle(FOREIGN[(number + second) % len(FOREIGN)])
                yield f"{scenario.name}, kill {first}, foreign {number}, kill {second}", case
        if is_finished:
            return


def _steps_of_recovery(killed: Case) -> int:
    case = copy.deepcopy(killed)
    case.recover()
    case.computer.kernel.kill_process()
    return case.computer.last_steps


MINIMUM_OF_CASES = {
    "try queue": 500,
    "revert queue": 800,
    "keep queue": 560,
    "undo queue": 800,
    "undo one queue": 650,
    "second trial queue": 550,
    "second revert queue": 800,
    "try memory": 480,
    "revert memory": 750,
    "undo memory": 550,
    "undo one memory": 450,
    "second trial memory": 750,
    "second revert memory": 1650,
}
"""So that the ten thousand cases do not shrink unnoticed."""


@pytest.mark.long
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_f01_every_double_kill_ends_at_the_origin_or_in_a_report(scenario: Scenario) -> None:
    """After kills at any two steps every value is the original or reported as somebody else's."""
    count, wrong = 0, {}
    for name, case in _cases(scenario):
        count += 1
        if complaints := case.finish():
            wrong[name] = complaints
    assert not wrong, "\n".join(f"{name}: {text}" for name, text in list(wrong.items())[:20])
    assert count >= MINIMUM_OF_CASES[scenario.name]
    assert sum(MINIMUM_OF_CASES.values()) >= 9_000


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_f01_after_a_kill_the_set_is_all_new_or_all_old(scenario: Scenario) -> None:
    """One recovery after one kill leaves what was before, what is after, or the whole trial."""
    before, after = Case(scenario), Case(scenario)
    after.operate(0)
    dumps = (before.computer.kernel.dump(), after.computer.kernel.dump())
    for first in itertools.count(1):
        killed = Case(scenario)
        is_finished = killed.operate(first)
        engine = killed.computer.start()
        engine.recover()
        if engine.trial is not None:
            assert {one.outcome for one in engine.verify()} == {"ok"}, first
            engine.revert(engine.trial.txid, "reverted")
            assert killed.computer.kernel.dump() == dumps[0], first
        assert killed.computer.kernel.dump() in dumps, first
        killed.computer.kernel.kill_process()
        if is_finished:
            break


@pytest.mark.parametrize("loss", ["nothing", "old", "torn"])
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_f14_after_a_power_cut_the_next_start_is_stock_or_what_was_kept(
    scenario: Scenario, loss: str
) -> None:
    """A power cut at any step: at the next start nothing of ours, or the whole kept profile.

    What had not been flushed by then may be there, or as before, or an empty file.
    """
    stock = Computer().kernel.dump()
    kept = Case(scenario)
    _keep(kept.computer.start(), QUEUE_SET, "always")
    kept.computer.power_cut()
    kept.computer.start().boot()
    for first in itertools.count(1):
        case = Case(scenario)
        is_finished = case.operate(first)
        case.computer.power_cut(loss)
        engine = case.computer.start()
        engine.boot()
        assert engine.state().state in {"idle", "kept"}, first
        is_kept = bool(engine.state().kept_always)
        expected = kept.computer.kernel.dump() if is_kept else stock
        assert case.computer.kernel.dump() == expected, first
        engine.undo(UndoRequest())
        assert case.computer.kernel.dump() == stock, first
        if is_finished:
            assert is_kept == (scenario.name == "keep queue")
            break
