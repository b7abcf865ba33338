# SPDX-License-Identifier: GPL-3.0-or-later
"""The choice to be started with the desktop, and what the desktop knows of it."""

import logging
from collections.abc import Callable

from PySide6.QtCore import QObject, Slot

from destutter.autostart import Autostart, AutostartError
from destutter.bridge.kept_settings import KeptSettings
from destutter.settings import Settings

log = logging.getLogger("destutter.application")


class StartWithDesktop(QObject):
    """Keeps both alike.

    ``entry`` is None in a Flatpak, where ``ask`` puts the choice to the desktop, which keeps it.
    """

    def __init__(
        self,
        settings: KeptSettings,
        entry: Autostart | None,
        ask: Callable[[], object],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._settings = settings
        self._entry = entry
        self._ask = ask
        settings.changed.connect(self._settings_changed)

    def start(self) -> None:
        """What somebody switched in the desktop's own list meanwhile is what holds."""
        if self._entry is None:
            return
        try:
            self._entry.follow()
        except AutostartError as error:
            log.info("%s", error)
        self._settings.change(starts_with_desktop=self._entry.is_on)

    @Slot(object, object)
    def _settings_changed(self, before: Settings, now: Settings) -> None:
        if before.starts_with_desktop == now.starts_with_desktop:
            return
        if self._entry is None:
            self._ask()
        elif self._entry.is_on != now.starts_with_desktop:
            self._write(self._entry, is_wanted=now.starts_with_desktop)

    def _write(self, entry: Autostart, *, is_wanted: bool) -> None:
        try:
            if is_wanted:
                entry.put()
            else:
                entry.remove()
        except AutostartError as error:
            self._settings.failed.emit(error.statement)
            self._settings.change(starts_with_desktop=entry.is_on)
