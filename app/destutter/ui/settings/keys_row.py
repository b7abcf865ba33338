# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys that work while a game has the keyboard: whether, which, and what to do without."""

from PySide6.QtCore import QCoreApplication, QObject, Slot
from PySide6.QtWidgets import QLabel, QWidget

from destutter.bridge.global_keys import MARK, RECORD, GlobalKeys, KeysState
from destutter.bridge.kept_settings import KeptSettings
from destutter.menu_entry import own_command
from destutter.ui.controls.shortcuts import MARK as MARK_HERE
from destutter.ui.controls.shortcuts import RECORD as RECORD_HERE
from destutter.ui.controls.shortcuts import key_text
from destutter.ui.controls.tick_box import TickBox
from destutter.ui.look.theme import Theme

translate = QCoreApplication.translate

_MAY_BREAK = "\N{ZERO WIDTH SPACE}"


def key_words() -> dict[str, str]:
    """What the keys do, by id, for the desktop's own list of them."""
    return {
        MARK: translate("Keys", "Mark this moment in the recording"),
        RECORD: translate("Keys", "Record, or stop"),
    }


class KeysRow(QObject):
    """The box to tick and the note below its name, for a row of the settings."""

    def __init__(
        self, theme: Theme, settings: KeptSettings, keys: GlobalKeys, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._keys = keys
        self.name = self.tr("Keys while you play")
        self.note = QLabel("", parent)
        self.note.setProperty("role", "muted")
        self.note.setWordWrap(True)
        self.check = TickBox(theme, parent)
        self.check.setAccessibleName(self.name)
        self.check.setChecked(settings.value.has_global_keys)
        self.check.toggled.connect(lambda is_on: settings.change(has_global_keys=is_on))
        keys.changed.connect(self._show)
        keys.look()
        self._show()

    @Slot()
    def _show(self) -> None:
        state = self._keys.state
        self.check.setVisible(state is not KeysState.ABSENT)
        text = self._note(state)
        self.note.setText(text)
        self.check.setAccessibleDescription(text)

    def _note(self, state: KeysState) -> str:
        if state is KeysState.BOUND:
            text = self.tr(
                "Mark: {mark}. Record or stop: {record}. A game that takes the keyboard for "
                "itself gets them instead."
            )
            unset = self.tr("no key; choose one in the desktop's settings")
            keys = {id_: self._keys.keys.get(id_) or unset for id_ in (MARK, RECORD)}
            return text.format(**keys)
        if state is KeysState.ABSENT:
            text = self.tr(
                "This desktop passes no keys on to programs. In its keyboard settings, bind keys "
                "to the commands “{mark}” and “{record}”. {keys} work while this window has the "
                "keyboard."
            )
            here = f"{key_text(MARK_HERE)}, {key_text(RECORD_HERE)}"
            command = own_command().replace("/", f"/{_MAY_BREAK}")
            mark, record = f"{command} mark", f"{command} --record"
            return text.format(mark=mark, record=record, keys=here)
        return {
            KeysState.ASKING: self.tr("The desktop asks which keys."),
            KeysState.REFUSED: self.tr("The desktop did not grant any. Tick again to ask again."),
        }.get(state, self.tr("To mark a moment and to record. The desktop asks which keys."))
