# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a recording that is played is of this computer, and else which settings it had."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from destutter.analysis.changes.recorded_settings import RecordedSettings, is_same_computer
from destutter.analysis.examining.pipeline import Snapshot
from destutter.tuning.presets import Preset


class Replayed:
    """Follows what is played. ``read_machine`` describes this computer, as a header does, and
    ``read_preset`` tells for what kind of game is advised.
    """

    def __init__(
        self, read_machine: Callable[[], Mapping[str, Any]], read_preset: Callable[[], Preset]
    ) -> None:
        self._read_machine = read_machine
        self._read_preset = read_preset
        self._settings = RecordedSettings()
        self._is_own: bool | None = None

    @property
    def settings(self) -> RecordedSettings | None:
        """The settings of the other computer; None: it is this one."""
        return None if self._is_own else self._settings

    def begin_anew(self) -> None:
        """Another recording, or the present, follows."""
        self._settings = RecordedSettings()
        self._is_own = None

    def accept_snapshot(self, snapshot: Snapshot) -> None:
        """Take in a snapshot of a recording."""
        if self._is_own is None and snapshot.header is not None:
            self._is_own = is_same_computer(snapshot.header.machine, self._read_machine())
        if not self._is_own:
            self._settings.accept_snapshot(snapshot, self._read_preset())
