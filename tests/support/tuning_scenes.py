# SPDX-License-Identifier: GPL-3.0-or-later
"""A model of settings with a scripted helper: a computer, what was changed, and what was asked."""

import json
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtDBus import QDBusConnection, QDBusUnixFileDescriptor
from PySide6.QtWidgets import QApplication

from destutter.analysis.changes.tuning_state import GameProcess, TuningReading
from destutter.bridge.helper_client import Availability, HelperClient, HelperStatus
from destutter.bridge.owned_trial import OwnedTrial
from destutter.bridge.tuning_model import TuningModel
from destutter.core.statement import Statement
from destutter.tuning.current import CurrentValue
from destutter.tuning.defaults import KERNEL, UNKNOWN
from destutter.tuning.machine_profile import MachineProfile
from destutter.tuning.ownership import Ownership
from destutter_helper.api.names import HELPER_VERSION
from destutter_helper.api.payload import (
    ChangeSet,
    Controller,
    Controllers,
    GameSet,
    GameSets,
    Result,
    Results,
    State,
    UndoRequest,
)
from destutter_helper.api.statement import Said
from destutter_helper.api.tunables import BY_ID

IDLE = State("idle", 0, -1, "", (), (), (), (), ())
UID = 1000
PROFILE = MachineProfile(
    memory_kib=32 * 1024 * 1024,
    managed={"node0/DMA": 3_840, "node0/DMA32": 760_000, "node0/Normal": 7_400_000},
    cache_kib=9 * 1024 * 1024,
)
_VALUES = {
    "vm.min_free_kbytes": "67584",
    "vm.watermark_scale_factor": "10",
    "vm.watermark_boost_factor": "15000",
    "vm.swappiness": "150",
    "vm.page-cluster": "3",
    "vm.vfs_cache_pressure": "100",
    "vm.compaction_proactiveness": "20",
    "vm.max_map_count": "1048576",
    "vm.dirty_background_ratio": "10",
    "vm.dirty_ratio": "20",
    "vm.dirty_expire_centisecs": "3000",
    "vm.dirty_writeback_centisecs": "500",
    "thp.enabled": "always",
    "thp.defrag": "madvise",
    "thp.khugepaged_defrag": "1",
    "block.scheduler@nvme0n1": "none",
    "block.nr_requests@nvme0n1": "1023",
    "block.wbt_lat_usec@nvme0n1": "2000",
    "block.read_ahead_kb@nvme0n1": "128",
    "kernel.split_lock_mitigate": "1",
    "softirq.policy@cpu0": "other",
}
_ABSENT = {
    "vm.zone_reclaim_mode": Statement("tuning.absent.kernel"),
    "nvme.latency_tolerance@nvme0": Statement("tuning.absent.device"),
    "cpu.power_profile": Statement("tuning.absent.helper"),
}


def _by_file(place: str) -> Statement:
    return Statement("tuning.owner.file", {"place": place})


_OWNERS = {
    "vm.swappiness": _by_file("/usr/lib/sysctl.d/70-distribution.conf:12"),
    "vm.max_map_count": _by_file("/usr/lib/sysctl.d/10-map-count.conf:3"),
    "thp.enabled": UNKNOWN,
}


def reading(**changed: str) -> TuningReading:
    """The computer; ``changed`` are values by id with "__" for the point."""
    values = {**_VALUES, **{name.replace("__", "."): value for name, value in changed.items()}}
    found = {}
    for key in (*values, *_ABSENT):
        id_, _, device = key.partition("@")
        tunable = BY_ID[id_]
        found[key] = CurrentValue(
            id_, device, tunable.label, tunable.unit, values.get(key), _ABSENT.get(key)
        )
    owners = {
        key: Ownership(key, "", _OWNERS.get(key, KERNEL), key in _OWNERS)
        for key in values
        if "@" not in key
    }
    return TuningReading(found, owners, PROFILE)


def result(key: str, origin: str, value: str, until: str, outcome: str = "changed") -> Result:
    """One line of the helper."""
    id_, _, device = key.partition("@")
    return Result(id_, device, outcome, value, origin, until)


def failed(key: str, origin: str, value: str, note: Said) -> Result:
    """One line about what it could not take back."""
    id_, _, device = key.partition("@")
    return Result(id_, device, "failed", value, origin, notes=(note,))


def residue(*ids: str) -> tuple[Said, ...]:
    """What stays behind after an undo of these settings."""
    found = (BY_ID[id_].residue for id_ in ids)
    return tuple(one for one in found if one is not None)


class ScriptedHelper(HelperClient):
    """Is asked and answers what the test says; ``asked`` has the method and its arguments."""

    def __init__(
        self, availability: Availability = Availability.READY, reason: Statement | None = None
    ) -> None:
        super().__init__(QDBusConnection("nowhere"))
        self.asked: list[tuple[str, Any]] = []
        self._status = HelperStatus(availability, reason, version=HELPER_VERSION)
        self.now = IDLE
        self.drives: tuple[Controller, ...] = ()
        self.kept_for_games: tuple[GameSet, ...] = ()

    def refresh(self) -> None:
        """Nothing to find out."""
        self.status_changed.emit(self._status)
        if self._status.availability is Availability.READY:
            self.state_taken.emit(self.now)

    def set_status(self, availability: Availability, reason: Statement | None = None) -> None:
        """Be absent, broken, or ready from now on."""
        self._status = HelperStatus(availability, reason, version=HELPER_VERSION)
        self.refresh()

    def give_state(
        self,
        state: State,
        *,
        is_ours: bool = False,
        game: GameProcess | None = None,
        set_id: str = "",
    ) -> None:
        """Tell this state; a trial in it belongs to this program or to another."""
        self.now = state
        ours = OwnedTrial("tx", QDBusUnixFileDescriptor(), game, set_id)
        self._trial = ours if is_ours else None
        self.state_taken.emit(state)

    def give_history(self, lines: Sequence[dict[str, Any]]) -> None:
        """Tell this history."""
        self.answered.emit("GetReport", "".join(json.dumps(line) + "\n" for line in lines))

    def begin_trial(self, change_set: ChangeSet, seconds: int) -> None:
        """Only noted."""
        self.asked.append(("BeginTrial", (change_set.changes, seconds)))

    def bind(self, game: GameProcess) -> None:
        """Only noted."""
        self.asked.append(("Bind", game))

    def keep(self, until: str) -> None:
        """Only noted."""
        self.asked.append(("Keep", until))

    def revert(self) -> None:
        """Only noted."""
        self.asked.append(("Revert", None))

    def extend(self, seconds: int) -> None:
        """Only noted."""
        self.asked.append(("Extend", seconds))

    def undo(self, request: UndoRequest) -> None:
        """Only noted."""
        self.asked.append(("Undo", request))

    def report(self) -> None:
        """Nothing to tell."""

    def verify(self) -> None:
        """Nothing to tell."""

    def ask_state(self) -> None:
        """Nothing new."""

    def power_states(self) -> None:
        """Answer with the controllers of ``drives``, as a helper of today does."""
        self.asked.append(("GetPowerStates", None))
        self.answered.emit("GetPowerStates", Controllers(self.drives))

    def list_tunables(self) -> None:
        """Nothing to tell."""

    def list_for_games(self) -> None:
        """Answer with ``kept_for_games``."""
        self.answered.emit("ListForGames", GameSets(self.kept_for_games))

    def keep_for_game(self, game: str, change_set: ChangeSet) -> None:
        """Only noted."""
        self.asked.append(("KeepForGame", (game, change_set.changes)))

    def begin_for_game(self, set_id: str, game: GameProcess) -> None:
        """Only noted."""
        self.asked.append(("BeginForGame", (set_id, game)))

    def forget_for_game(self, set_id: str) -> None:
        """Only noted."""
        self.asked.append(("ForgetForGame", set_id))

    def finish(self, method: str, *results: Result) -> None:
        """Answer the last request with results, then tell the state."""
        self.answered.emit(method, Results(results))
        self.state_taken.emit(self.now)


class TuningScene:
    """A model and its scripted helper."""

    def __init__(
        self, helper: ScriptedHelper | None = None, given: TuningReading | None = None
    ) -> None:
        self.helper = helper or ScriptedHelper()
        self.reading = given or reading()
        self.model = TuningModel(self.helper, lambda: self.reading)
        self.model.refresh()

    def settle(self) -> None:
        """Wait until the model has what was read."""
        deadline = time.monotonic() + 10
        while self.model.reading != self.reading and time.monotonic() < deadline:
            QApplication.processEvents()

    def give(
        self,
        state: State,
        given: TuningReading,
        *,
        is_ours: bool = False,
        game: GameProcess | None = None,
        set_id: str = "",
    ) -> None:
        """Another state of helper and kernel."""
        self.reading = given
        self.helper.give_state(state, is_ours=is_ours, game=game, set_id=set_id)
        self.model.refresh()
        self.settle()

    def close(self) -> None:
        """Let go of everything."""
        self.model.stop()
        self.model.deleteLater()
        self.helper.deleteLater()


TRIAL_RESULTS = (
    result("vm.min_free_kbytes", "67584", "524288", "trial"),
    result("vm.watermark_scale_factor", "10", "125", "trial"),
)
KEPT_RESULTS = (
    result("vm.dirty_background_bytes", "vm.dirty_background_ratio=10", "268435456", "restart"),
    result("block.scheduler@nvme0n1", "none", "kyber", "always"),
)


def four_changes() -> tuple[State, TuningReading]:
    """Two settings on trial, one kept until the restart, one for every start."""
    state = replace(
        IDLE,
        state="trial",
        seconds_left=47,
        owner_uid=UID,
        owner_name=":1.42",
        changed=(*TRIAL_RESULTS, *KEPT_RESULTS),
        residue=residue("vm.min_free_kbytes"),
    )
    given = reading(vm__min_free_kbytes="524288", vm__watermark_scale_factor="125")
    scheduler = replace(given.values["block.scheduler@nvme0n1"], value="kyber")
    ratio = replace(given.values["vm.dirty_background_ratio"], value="0", is_active=False)
    tunable = BY_ID["vm.dirty_background_bytes"]
    amount = CurrentValue(tunable.id, "", tunable.label, tunable.unit, "268435456")
    values = {
        **given.values,
        "block.scheduler@nvme0n1": scheduler,
        "vm.dirty_background_ratio": ratio,
        "vm.dirty_background_bytes": amount,
    }
    return state, replace(given, values=values)


def kept_changes() -> tuple[State, TuningReading]:
    """The same without a trial: everything is kept."""
    state, given = four_changes()
    changed = tuple(
        replace(each, until="restart") if each.until == "trial" else each for each in state.changed
    )
    kept = replace(
        state, state="kept", seconds_left=0, owner_uid=-1, owner_name="", changed=changed
    )
    return kept, given


def drifted() -> tuple[State, TuningReading]:
    """Something else has changed one of the kept values."""
    state, given = kept_changes()
    values = dict(given.values)
    changed = replace(values["vm.watermark_scale_factor"], value="60")
    values["vm.watermark_scale_factor"] = changed
    return state, replace(given, values=values)


def history(now: float) -> list[dict[str, Any]]:
    """The helper's log of the four changes; ``now`` in seconds since 1970."""

    def line(event: str, each: Result, ago_s: float) -> dict[str, Any]:
        moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now - ago_s))
        return {
            "event": event,
            "id": each.id,
            "device": each.device,
            "outcome": each.outcome,
            "value": each.value,
            "origin": each.origin,
            "until": each.until,
            "notes": [],
            "uid": UID,
            "owner_name": ":1.42",
            "time": moment,
        }

    bytes_, scheduler = KEPT_RESULTS
    return [
        line("trial", scheduler, 9 * 86_400 + 60),
        line("keep", scheduler, 9 * 86_400),
        line("trial", bytes_, 66_000),
        line("keep", bytes_, 65_990),
        *(line("trial", each, 13) for each in TRIAL_RESULTS),
    ]
