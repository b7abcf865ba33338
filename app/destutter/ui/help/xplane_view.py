# SPDX-License-Identifier: GPL-3.0-or-later
"""Connecting an X-Plane by its address, where it is not found by itself."""

from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from destutter.bridge.background import Background
from destutter.bridge.followed_frames import FollowedFrames
from destutter.core.statement import Statement
from destutter.sampling.frames.frame_feed import parse_address
from destutter.sampling.frames.xplane import DEFAULT_PORT, XPlaneError, address_of
from destutter.ui.controls.elided import WrappedLabel
from destutter.ui.controls.plain_label import plain_label
from destutter.ui.look.theme import Theme
from destutter.ui.words.words import said_sentence

_HERE = f"127.0.0.1:{DEFAULT_PORT}"


def _look_up(host: str, port: int) -> str | Statement:
    """The address in numbers, or why there is none. A network may take seconds for it."""
    try:
        return f"{address_of(host)}:{port}"
    except XPlaneError as error:
        return error.statement


class XPlaneView(QWidget):
    """A button, the line for the address behind it, and how to forget the one that is followed.

    ``connected()`` when an address was taken. What is remembered are numbers: a name that nobody
    knows at a later start must not keep the window from measuring.
    """

    connected = Signal()

    def __init__(
        self, theme: Theme, followed: FollowedFrames, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._followed = followed
        self._work: Background | None = None
        self.open_button = QPushButton(self.tr("Connect X-Plane…"), self)
        self.hint = plain_label(
            self.tr(
                "X-Plane on this computer is found by itself as soon as it runs. On another "
                "computer, or when it is not found, connect it by its address."
            ),
            "small",
            self,
            wraps=True,
        )
        self.form = QWidget(self)
        self.edit = QLineEdit(self.form)
        self.edit.setAccessibleName(self.tr("Address of X-Plane, HOST:PORT"))
        self.edit.setPlaceholderText(f"192.168.1.5:{DEFAULT_PORT}")
        self.connect_button = QPushButton(self.tr("Connect"), self.form)
        self.problem = WrappedLabel("bad", self)
        self.forget = QPushButton(self.tr("Forget this address"), self)
        self._build(theme)
        self.open_button.clicked.connect(self._open)
        self.edit.textEdited.connect(self._clear)
        self.edit.returnPressed.connect(self._connect)
        self.connect_button.clicked.connect(self._connect)
        self.forget.clicked.connect(self._forget)
        followed.changed.connect(self._show)
        self._show()

    def _build(self, theme: Theme) -> None:
        line = QHBoxLayout(self.form)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(theme.sizes.px(8))
        line.addWidget(self.edit, 1)
        line.addWidget(self.connect_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.sizes.px(9))
        leading = Qt.AlignmentFlag.AlignLeading
        layout.addWidget(self.hint)
        layout.addWidget(self.open_button, 0, leading)
        layout.addWidget(self.form)
        layout.addWidget(self.problem)
        layout.addWidget(self.forget, 0, leading)

    def note_running(self) -> None:
        """An X-Plane runs on this computer: most likely it is the one that is meant."""
        if not self.edit.text():
            self.edit.setText(_HERE)

    @Slot()
    def _show(self) -> None:
        is_followed = bool(self._followed.xplane)
        self.forget.setVisible(is_followed)
        for widget in (self.hint, self.open_button):
            widget.setVisible(not is_followed)
        self.form.hide()
        self._say("")

    @Slot()
    def _open(self) -> None:
        self.open_button.hide()
        self.form.show()
        self.edit.selectAll()
        self.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _clear(self) -> None:
        self._say("")

    def _say(self, problem: str) -> None:
        self.problem.set_full_text(problem)
        self.problem.setVisible(bool(problem))

    @Slot()
    def _connect(self) -> None:
        if not self.connect_button.isEnabled():
            return
        text = self.edit.text().strip()
        try:
            host, port = parse_address(text)
        except ValueError:
            example = self.edit.placeholderText()
            self._say(self.tr("An address is like {example}.").format(example=example))
            return
        self._say("")
        self.connect_button.setEnabled(False)
        self._work = Background(partial(_look_up, host, port), self)
        self._work.done.connect(self._accept)
        self._work.start()

    @Slot(object)
    def _accept(self, found: str | Statement) -> None:
        self.connect_button.setEnabled(True)
        if isinstance(found, Statement):
            self._say(said_sentence(found))
            return
        self.edit.setText(found)
        self._followed.follow(xplane=found)
        self.connected.emit()

    @Slot()
    def _forget(self) -> None:
        self._followed.follow()
        self.open_button.setFocus(Qt.FocusReason.OtherFocusReason)
