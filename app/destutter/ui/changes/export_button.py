# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes as files of other programs, written into a folder that the user picks."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QDateTime, QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QMenu, QPushButton, QWidget

from destutter.bridge.tuning_model import TuningModel
from destutter.core.system_error import system_reason
from destutter.core.whole_file import PROGRAM, USUAL, write_whole_file
from destutter.tuning.export_files import config_files, left_out
from destutter.tuning.export_script import SCRIPT_NAME, script
from destutter.tuning.exported import ExportedChange, NotExportableError
from destutter.ui.controls.banner import BannerText, Urgency
from destutter.ui.look.theme import Theme
from destutter.ui.pages.outcome_banners import dismiss
from destutter.ui.words.words import said, spoken

translate = QCoreApplication.translate

SCRIPT, FILES = "script", "files"


class ExportButton(QPushButton):
    """Asks for a kind and a folder. ``exported(BannerText)``: what was written, or why not."""

    exported = Signal(object)

    def __init__(self, theme: Theme, model: TuningModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setText(self.tr("Export…"))
        self._theme = theme
        self._model = model
        self._kind = SCRIPT
        self.menu_of_kinds = QMenu(self)
        self.menu_of_kinds.addAction(self.tr("Shell script with undo…"), self.ask_for_script)
        self.menu_of_kinds.addAction(self.tr("Files for sysctl.d and udev…"), self.ask_for_files)
        self.clicked.connect(self._open)
        self.dialog: QFileDialog | None = None
        theme.changed.connect(self._apply_theme)
        self._apply_theme()

    @Slot()
    def ask_for_script(self) -> None:
        self._ask(SCRIPT)

    @Slot()
    def ask_for_files(self) -> None:
        self._ask(FILES)

    def texts(self, kind: str) -> dict[str, str]:
        """The texts of a kind by file name; raises ``NotExportableError``."""
        written = QDateTime.currentDateTime().toString(Qt.DateFormat.ISODate)
        changes = _exported(self._model)
        if kind == SCRIPT:
            return {SCRIPT_NAME: script(changes, written)}
        return config_files(changes, written)

    @Slot()
    def _open(self) -> None:
        self.menu_of_kinds.popup(self.mapToGlobal(self.rect().bottomLeft()))

    def _ask(self, kind: str) -> None:
        self._kind = kind
        dialog = QFileDialog(self.window(), self.tr("Export into a folder"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.write_into)
        self.dialog = dialog
        dialog.open()

    @Slot(str)
    def write_into(self, folder: str) -> None:
        """Write the files of the kind that was asked for; files of that name are replaced."""
        try:
            texts = self.texts(self._kind)
            written = write_files(Path(folder), texts)
        except OSError as error:
            self.exported.emit(_failure(folder, said(system_reason(error))))
            return
        except NotExportableError as error:
            self.exported.emit(_failure(folder, said(error.statement)))
            return
        omitted = left_out(_exported(self._model)) if self._kind == FILES else []
        self.exported.emit(_success(folder, written, omitted))

    @Slot()
    def _apply_theme(self) -> None:
        sizes, tokens = self._theme.sizes, self._theme.tokens
        self.setIcon(self._theme.icons.icon("export", tokens.text, sizes.px(16), tokens.faint))
        self.setIconSize(QSize(sizes.px(16), sizes.px(16)))


def _exported(model: TuningModel) -> tuple[ExportedChange, ...]:
    """What Destutter changed and is still there."""
    identities = model.reading.identities
    return tuple(
        ExportedChange(each.id, each.device, each.value, each.origin, identities.get(each.key, ""))
        for each in model.journal_changes
        if each.change is not None and each.value is not None
    )


def write_files(folder: Path, texts: Mapping[str, str]) -> list[str]:
    """Write each text in one step, so that a full disk leaves no half file. Raises ``OSError``."""
    for name, text in texts.items():
        mode = PROGRAM if name == SCRIPT_NAME else USUAL
        write_whole_file(folder / name, text.encode(), mode)
    return list(texts)


def _success(folder: str, written: Sequence[str], omitted: Sequence[str]) -> BannerText:
    headline = translate("Export", "%n file(s) written", None, len(written))
    detail = translate("Export", "{files} in {folder}").format(
        files=spoken().listed(written), folder=folder
    )
    if not written:
        detail = translate("Export", "None of the changes fits into such a file.")
    if omitted:
        detail = translate("Export", "{written}. No file can set: {settings}.").format(
            written=detail, settings=spoken().listed(omitted)
        )
    close = dismiss()
    return BannerText("ok", "clear", headline, detail, Urgency.INFO, (close,))


def _failure(folder: str, reason: str) -> BannerText:
    headline = translate("Export", "Nothing was written")
    detail = translate("Export", "{folder}: {reason}").format(folder=folder, reason=reason)
    close = dismiss()
    return BannerText("bad", "causing", headline, detail, Urgency.FAILURE, (close,))
