# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs what sets up the helper of the AppImage, or takes it away, while the window goes on."""

from functools import partial

from PySide6.QtCore import QObject, QProcess, Signal, Slot

from destutter.core.statement import Statement, told
from destutter.helper_setup import INSTALL, HelperSetup, HelperSetupError

_REFUSED = {126: Statement("setup.dismissed"), 127: Statement("setup.no_right")}
"""By exit status of pkexec: the dialog was closed, or there is no right (pkexec(1))."""

_at_work: set[QProcess] = set()
"""Until their ends: nobody but root may kill what root runs, and Qt would wait while it tries."""


class HelperInstallation(QObject):
    """``finished(Statement | None)`` at each end, with what went wrong.

    A panel that closes ends this, and not the process.
    """

    finished = Signal(object)

    def __init__(self, setup: HelperSetup, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._setup = setup
        self._process: QProcess | None = None

    def start(self, verb: str = INSTALL) -> None:
        """Ask for the rights of root, and do it: ``INSTALL`` or ``UNINSTALL``."""
        try:
            program, *arguments = self._setup.command(verb)
        except HelperSetupError as error:
            self.finished.emit(error.statement)
            return
        process = self._process = QProcess()
        process.finished.connect(self._end)
        process.finished.connect(partial(_let_go, process))
        _at_work.add(process)
        process.errorOccurred.connect(self._fail)
        process.start(program, arguments)
        process.write(self._setup.archive)
        process.closeWriteChannel()

    @Slot(int, QProcess.ExitStatus)
    def _end(self, status: int, _how: QProcess.ExitStatus) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        said = bytes(process.readAllStandardError().data()).decode("utf-8", "replace")
        lines = said.strip().splitlines()
        if status == 0:
            self.finished.emit(None)
        elif status in _REFUSED:
            self.finished.emit(_REFUSED[status])
        else:
            unsaid = Statement("setup.exit_status", {"status": status})
            self.finished.emit(told(lines[-1]) if lines else unsaid)

    @Slot(QProcess.ProcessError)
    def _fail(self, error: QProcess.ProcessError) -> None:
        process = self._process
        if error == QProcess.ProcessError.FailedToStart and process is not None:
            self._process = None
            self.finished.emit(told(process.errorString()))
            _let_go(process)


def _let_go(process: QProcess, *_how: object) -> None:
    _at_work.discard(process)
    process.deleteLater()
