# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes as people say them: when, by whom, for how long, from what to what."""

import os
import pwd

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale, Qt, QTimeZone
from PySide6.QtGui import QGuiApplication

from destutter.analysis.changes.tuning_state import (
    LASTS_ALWAYS,
    LASTS_RESTART,
    LASTS_TRIAL,
    JournalChange,
    RunningTrial,
)
from destutter.ui.words.quantities import Quantities
from destutter.ui.words.setting_words import SettingWords
from destutter_helper.api.tunables import BY_ID

translate = QCoreApplication.translate

_GAME_MAX = 15  # letters of a game's name where there is little room; a program's has no more
_LASTING_SIGNS = {LASTS_ALWAYS: ("lock", "ok"), LASTS_RESTART: ("measuring", "info")}


class ChangeWords:
    """Writes about changes for one locale. ``now`` is in seconds since 1970; None: the clock."""

    def __init__(
        self, quantities: Quantities, settings: SettingWords, now: float | None = None
    ) -> None:
        self.quantities = quantities
        self.settings = settings
        self._now = now

    @property
    def locale(self) -> QLocale:
        """The user's."""
        return self.quantities.locale

    def when(self, at: float | None) -> str:
        """Today 14:36, Yesterday 20:11, 12 Nov 2026; empty when it is not known."""
        if at is None:
            return ""
        moment = _moment(at)
        today = (_moment(self._now) if self._now else QDateTime.currentDateTime()).date()
        pattern = translate("Sessions", "HH:mm", "format of a time")
        time = self.locale.toString(moment.time(), pattern)
        days = moment.date().daysTo(today)
        if days == 0:
            return translate("Changes", "Today {time}").format(time=time)
        if days == 1:
            return translate("Changes", "Yesterday {time}").format(time=time)
        return self.date(at)

    def date(self, at: float) -> str:
        """The day alone."""
        pattern = translate("Changes", "d MMM yyyy", "pattern of a date, in the letters of Qt")
        return self.locale.toString(_moment(at).date(), pattern)

    def who(self, uid: int | None) -> str:
        """Whose hand it was, as far as the helper tells."""
        if uid is None:
            return translate("Changes", "Destutter")
        if uid == os.getuid():
            return translate("Changes", "You, with Destutter")
        try:
            name = pwd.getpwuid(uid).pw_name
        except KeyError:
            name = str(uid)
        return translate("Changes", "{user}, with Destutter").format(user=name)

    def lasts(self, change: JournalChange, trial: RunningTrial | None) -> tuple[str, str, str]:
        """Sign, tone and words of how long a change stays."""
        if change.is_drifted:
            return "watch", "warn", translate("Changes", "Changed since")
        if change.lasts == LASTS_TRIAL:
            if trial is None:
                return "measuring", "warn", translate("Changes", "Trial")
            if trial.game:
                text = translate("Changes", "While {game} runs").format(game=_short(trial.game))
                return "measuring", "info" if trial.is_kept else "warn", text
            left = self.quantities.span(trial.seconds_left)
            return "measuring", "warn", translate("Changes", "Trial, {time}").format(time=left)
        sign, tone = _LASTING_SIGNS.get(change.lasts, ("measuring", "none"))
        return sign, tone, self.lasting(change.lasts)

    def lasting(self, lasts: str) -> str:
        """How long a change stays that is not on trial."""
        return {
            LASTS_ALWAYS: translate("Changes", "Every start"),
            LASTS_RESTART: translate("Changes", "Until restart"),
        }.get(lasts, lasts)

    def value(self, id_: str, value: str | None) -> str:
        """A value; of the passive member of a pair the helper tells the active one."""
        if value is not None and "=" in value:
            other, _, text = value.partition("=")
            written = self.settings.value(other, text)
            is_share = other in BY_ID and BY_ID[other].unit == "%"
            if is_share and other != id_:
                return translate("Changes", "{share} of memory").format(share=written)
            return written
        return self.settings.value(id_, value)

    def key(self, change: JournalChange) -> str:
        """The kernel's name, and the device where it belongs to one."""
        return technical_name(change.id, change.device)

    def drift(self, change: JournalChange) -> str:
        """What an unexpected value means."""
        now = self.value(change.id, change.now)
        when = self.when(change.changed_at)
        if change.value is None:
            text = translate("Changes", "Now {now}. Something else changed it since.")
            return text.format(now=now)
        ours = self.value(change.id, change.value)
        if not when:
            text = translate(
                "Changes", "Now {now}; Destutter set {ours}. Something changed it since."
            )
            return text.format(now=now, ours=ours)
        text = translate(
            "Changes", "Now {now}; Destutter set {ours} ({when}). Something changed it since."
        )
        return text.format(now=now, ours=ours, when=when)


def _short(game: str) -> str:
    return game if len(game) <= _GAME_MAX else f"{game[: _GAME_MAX - 1]}…"


def left_to_right(text: str) -> str:
    """A path or a name of the kernel, also within a text that is written from right to left."""
    is_mirrored = QGuiApplication.layoutDirection() == Qt.LayoutDirection.RightToLeft
    start, end = "\N{LEFT-TO-RIGHT ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"
    return f"{start}{text}{end}" if is_mirrored else text


def technical_name(id_: str, device: str) -> str:
    """vm.swappiness, or nvme0n1 · queue/scheduler."""
    tunable = BY_ID.get(id_)
    attribute = tunable.path.partition("{device}/")[2] if tunable is not None else ""
    if not device:
        return id_
    return f"{device} · {attribute or id_}"


def _moment(at: float) -> QDateTime:
    return QDateTime.fromMSecsSinceEpoch(int(at * 1000), QTimeZone.systemTimeZone())
