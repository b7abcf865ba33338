# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs what sets up the helper of the AppImage, while the window goes on."""

from PySide6.QtCore import QObject, QProcess, Signal, Slot

from destutter.helper_setup import INSTALL, HelperSetup, HelperSetupError

_DISMISSED = (126, 127)
"""Exit statuses of pkexec: the dialog was closed, or the password was wrong (pkexec(1))."""


class HelperInstallation(QObject):
    """``finished(str)`` once, with what went wrong in words, or nothing.

    The process lives as long as this object, and is not ended with it: root is at work, and half
    of it would be worse than either.
    """

    finished = Signal(str)

    def __init__(self, setup: HelperSetup, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._setup = setup
        self._process = QProcess(self)
        self._process.finished.connect(self._end)
        self._process.errorOccurred.connect(self._fail)

    @property
    def is_running(self) -> bool:
        """Whether somebody is asked for a password, or root is at work."""
        return self._process.state() != QProcess.ProcessState.NotRunning

    def start(self) -> None:
        """Ask for the rights of root, and install."""
        try:
            program, *arguments = self._setup.command(INSTALL)
        except HelperSetupError as error:
            self.finished.emit(str(error))
            return
        self._process.start(program, arguments)
        self._process.write(self._setup.archive)
        self._process.closeWriteChannel()

    @Slot(int, QProcess.ExitStatus)
    def _end(self, status: int, _how: QProcess.ExitStatus) -> None:
        said = bytes(self._process.readAllStandardError().data()).decode("utf-8", "replace")
        lines = said.strip().splitlines()
        if status == 0:
            self.finished.emit("")
        elif status in _DISMISSED:
            self.finished.emit("no right to do this, or a wrong password")
        else:
            self.finished.emit(lines[-1] if lines else f"exit status {status}")

    @Slot(QProcess.ProcessError)
    def _fail(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart:
            self.finished.emit(self._process.errorString())
