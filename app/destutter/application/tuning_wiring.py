# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings and changes: the helper's client, the model that pages share, and what feeds it."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtDBus import QDBusConnection

from destutter.analysis.changes.busy_games import busy_games
from destutter.analysis.changes.tuning_state import GameProcess, read_tuning
from destutter.analysis.examining.pipeline import Snapshot
from destutter.bridge.helper_client import HelperClient
from destutter.bridge.system_bus import system_bus_anew
from destutter.bridge.tuning_model import TuningModel
from destutter.core.kernel_files import KernelFiles
from destutter.resource_folder import resource_folder

if TYPE_CHECKING:
    from destutter.tuning.presets import Preset

log = logging.getLogger("destutter.tuning")


class TuningWiring(QObject):
    """Owns the client and the model."""

    def __init__(
        self, bus: QDBusConnection, files: KernelFiles, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._files = files
        self.client = HelperClient(bus, self, system_bus_anew)
        self.model = TuningModel(self.client, partial(read_tuning, files), parent=self)

    def start(self, *, asks_helper: bool) -> None:
        """Read the kernel, and ask the helper of this computer if that is the one read."""
        self.model.refresh(asks_helper=asks_helper)

    @cached_property
    def presets(self) -> Mapping[str, Preset]:
        """What may be played, by id; what of it is damaged is left out."""
        # Read late: nobody needs them for the first picture.
        from destutter.tuning.presets import load_presets

        folder = resource_folder() / "presets"
        return load_presets(folder, lambda _id, error: log.warning("%s", error))

    def advise_for(self, workload: str) -> None:
        """Let advice follow what is played; an empty or unknown id stands for any game."""
        from destutter.tuning.presets import GENERAL

        self.model.set_preset(self.presets.get(workload, GENERAL))

    def follow_game(self, snapshot: Snapshot) -> None:
        """What is kept for a game is set when that runs, whatever the window shows."""
        games = self.model.games
        games.accept_game(GameProcess.from_facts(snapshot.facts))
        for metrics in snapshot.metrics:
            rows = metrics.instanced.get("process.cpu_pct")
            if rows and games.names:
                games.accept_beside(tuple(busy_games(self._files, tuple(rows), games.names)))

    def accept_snapshot(self, snapshot: Snapshot) -> None:
        """Advice follows what was measured last, and a trial may last as long as the game."""
        self.model.accept_game(GameProcess.from_facts(snapshot.facts))
        self.model.accept_metrics(snapshot.metrics)
        self.model.accept_findings(snapshot.assessment.findings)

    def stop(self) -> None:
        """Let go of a trial, and read no more."""
        self.model.stop()
