# SPDX-License-Identifier: GPL-3.0-or-later
"""The banner for a drive that says of itself that it is failing, above every page."""

from PySide6.QtCore import QCoreApplication, QObject, Slot

from destutter.bridge.drive_watch import DriveWatch
from destutter.tuning.drive_health import Health
from destutter.ui.controls.banner import BannerAction, BannerText, Urgency
from destutter.ui.pages.outcome_banners import dismiss
from destutter.ui.pages.pages import SYSTEM
from destutter.ui.shell.main_window import MainWindow

translate = QCoreApplication.translate

_SHOW = "show"


class FailingDrives(QObject):
    """Shown until it is closed; another drive that fails brings it back.

    As urgent as a trial, beside which it stands: settings can be taken back, data cannot.
    """

    def __init__(
        self, window: MainWindow, watch: DriveWatch, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._watch = watch
        self._closed: set[str] = set()
        self.banner = window.banner_area.banner(Urgency.TRIAL)
        self.banner.action_clicked.connect(self._accept)
        watch.changed.connect(self._show)

    @Slot()
    def _show(self) -> None:
        failing = self._watch.failing
        self._closed &= failing.keys()
        told = {name: each for name, each in failing.items() if name not in self._closed}
        if told:
            self.banner.show_text(_text(*next(iter(told.items()))))
        self.banner.setVisible(bool(told))

    @Slot(str)
    def _accept(self, action: str) -> None:
        if action == _SHOW:
            self._window.show_page(SYSTEM)
        else:
            self._closed |= self._watch.failing.keys()
            self.banner.hide()


def _text(name: str, health: Health) -> BannerText:
    drive = name
    if health.model:
        drive = translate("Drives", "{model} ({name})").format(model=health.model, name=name)
    headline = translate("Drives", "Save your data: the drive {drive} is failing")
    detail = translate(
        "Drives",
        "It says so itself (SMART). Copy what matters to another drive first. No setting helps a "
        "failing drive.",
    )
    show = BannerAction(_SHOW, translate("Drives", "Show the drives"))
    actions = (show, dismiss())
    return BannerText(
        "bad", "causing", headline.format(drive=drive), detail, Urgency.TRIAL, actions
    )
