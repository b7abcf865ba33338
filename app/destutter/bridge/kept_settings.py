# SPDX-License-Identifier: GPL-3.0-or-later
"""The user's settings as pages share them: one value, changed in one place, kept in a file."""

import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from destutter.core.statement import Statement
from destutter.settings import Places, Settings, SettingsError, save_settings

log = logging.getLogger("destutter.settings")


class KeptSettings(QObject):
    """``changed(Settings, Settings)`` with the value before and now; ``failed(Statement)`` when
    the file could not be written: the choice holds until the program ends. ``problem``: what was
    wrong with the file at the start.
    """

    changed = Signal(object, object)
    failed = Signal(object)

    def __init__(
        self,
        places: Places,
        settings: Settings,
        parent: QObject | None = None,
        *,
        problem: Statement | None = None,
    ) -> None:
        super().__init__(parent)
        self.places = places
        self.problem = problem
        self.value = settings

    def change(self, **choices: Any) -> None:
        """Take these choices, by the names of the fields of ``Settings``."""
        before, now = self.value, replace(self.value, **choices)
        if now == before:
            return
        self.value = now
        try:
            save_settings(self.places.settings_file, now)
        except SettingsError as error:
            log.info("%s", error)
            self.failed.emit(error.statement)
        self.changed.emit(before, now)

    @property
    def sessions(self) -> Path:
        """The folder of recordings: the chosen one, or the usual one."""
        chosen = self.value.sessions_folder
        return Path(chosen) if chosen else self.places.sessions
