# SPDX-License-Identifier: GPL-3.0-or-later
"""The desktop's dialog for files, beside the window and never in its way."""

from pathlib import Path

from PySide6.QtCore import QObject, QStandardPaths, Qt, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QWidget


class FileChoice(QObject):
    """Signals: ``opened(list)`` with paths to read, ``named(str, Path)`` with the kind of file
    that was asked for and where to write it."""

    opened = Signal(object)
    named = Signal(str, object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._widget = parent
        self._kind = ""
        self.dialog: QFileDialog | None = None

    def ask_for_files(self) -> None:
        dialog = self._make(self.tr("Import"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.setNameFilters(
            [
                self.tr("Recordings and frame-time logs (*.destutter *.csv *.json)"),
                self.tr("All files (*)"),
            ]
        )
        dialog.filesSelected.connect(self._selected)
        dialog.show()

    def ask_for_name(self, kind: str, ending: str, name: str) -> None:
        """Ask where to write a file; ``name`` is a proposal."""
        dialog = self._make(self.tr("Save the report"))
        self._kind = kind
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(ending)
        dialog.selectFile(f"{name}.{ending}")
        dialog.fileSelected.connect(self._named)
        dialog.show()

    def _make(self, title: str) -> QFileDialog:
        if self.dialog is not None:
            self.dialog.close()
        folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.HomeLocation)
        dialog = QFileDialog(self._widget, title, folder)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setModal(False)
        dialog.destroyed.connect(self._closed)
        self.dialog = dialog
        return dialog

    @Slot()
    def _closed(self) -> None:
        self.dialog = None

    @Slot(list)
    def _selected(self, files: list[str]) -> None:
        self.opened.emit([Path(file) for file in files])

    @Slot(str)
    def _named(self, file: str) -> None:
        self.named.emit(self._kind, Path(file))
