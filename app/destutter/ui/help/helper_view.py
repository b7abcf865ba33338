# SPDX-License-Identifier: GPL-3.0-or-later
"""What the helper is for and how to get it; the AppImage sets its own up, and takes it away, by a
button."""

from dataclasses import replace

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from destutter.analysis.changes.helper_origin import Fit, Origin, fit_of, origin_of
from destutter.bridge.helper_client import Availability, HelperStatus
from destutter.bridge.helper_installation import HelperInstallation
from destutter.core.statement import Statement, told
from destutter.helper_setup import (
    INSTALL,
    UNINSTALL,
    HelperSetup,
    HelperSetupError,
    bundled_helper,
)
from destutter.resource_folder import ResourceError, resource_folder
from destutter.ui.controls.elided import WrappedLabel
from destutter.ui.help.advice_view import AdviceView, helper_advice, present_helper_advice
from destutter.ui.look.fonts import mono_font
from destutter.ui.look.theme import Theme
from destutter.ui.words.words import said


class HelperView(QWidget):
    """``done()`` when the helper of this AppImage is there, or is gone.

    ``status``: what is known of a helper; None for nothing yet. ``setup``: what to set up; None
    in a package or a checkout, where the words are enough.
    """

    done = Signal()

    def __init__(
        self,
        theme: Theme,
        status: HelperStatus | None,
        setup: HelperSetup | None,
        parent: QWidget | None = None,
        *,
        has_margin: bool = True,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._status = status
        self._tells_of_own = False  # from the click on, and for good once it is done
        self._verb = INSTALL
        self._margin = theme.sizes.px(14) if has_margin else 0
        is_there = status is not None and status.availability is Availability.READY
        if status is not None and is_there:
            advice = present_helper_advice(status.version, status.place)
            if origin_of(status.place) is not Origin.BUNDLE:
                setup = None
        else:
            reason = None if status is None else status.reason
            if status is not None and status.availability is Availability.NO_BUS:
                setup = None  # whatever is installed, nobody could call it
            advice = helper_advice(reason, is_bundled=setup is not None)
        self.title = advice.title
        self.buttons: dict[str, QPushButton] = {}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self._advice = AdviceView(theme, advice, self, has_margin=has_margin)
        layout.addWidget(self._advice)
        if setup is not None:
            is_older = status is not None and is_there and fit_of(status.version) is Fit.OLDER
            self._add_setup(setup, layout, is_there=is_there, is_older=is_older)
        layout.addStretch(1)

    def _add_setup(
        self, setup: HelperSetup, layout: QVBoxLayout, *, is_there: bool, is_older: bool
    ) -> None:
        self._installation = HelperInstallation(setup, self)
        self._installation.finished.connect(self._end)
        box = QVBoxLayout()
        box.setContentsMargins(self._margin, 0, self._margin, self._margin)
        box.setSpacing(self._theme.sizes.px(9))
        if not is_there:
            self._add_button(box, INSTALL, self.tr("Set up the helper"))
        elif is_older:
            self._add_button(box, INSTALL, self.tr("Bring the helper up to date"))
        if is_there:
            self._add_button(box, UNINSTALL, self.tr("Remove the helper"))
        self.outcome = WrappedLabel("small", self)
        self.outcome.hide()
        box.addWidget(self.outcome)
        if INSTALL in self.buttons:
            self._add_sum(box, setup)
        layout.addLayout(box)

    def _add_sum(self, box: QVBoxLayout, setup: HelperSetup) -> None:
        name = QLabel(self.tr("SHA-256 of what is installed:"), self)
        name.setProperty("role", "muted")
        self.sum = QLabel(" ".join(_in_pieces(setup.sha256)), self)
        self.sum.setFont(mono_font(self._theme.sizes.small))
        self.sum.setWordWrap(True)
        box.addWidget(name)
        box.addWidget(self.sum)

    def _add_button(self, box: QVBoxLayout, verb: str, words: str) -> None:
        button = self.buttons[verb] = QPushButton(words, self)
        button.clicked.connect(lambda: self._start(verb))
        box.addWidget(button)

    def is_outdated(self, status: HelperStatus) -> bool:
        """Whether another view has to tell this; not of what this one itself does."""
        if self._tells_of_own or self._status is None:
            return not self._tells_of_own
        return replace(status, is_busy=self._status.is_busy) != self._status

    def _start(self, verb: str) -> None:
        self._tells_of_own, self._verb = True, verb
        # Else Qt gives it to whatever comes next, which was "Help" at the window's side.
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        for button in self.buttons.values():
            button.setEnabled(False)
        text = self.tr(
            "Waiting for the password, then installing… The window that asks for it names "
            "/bin/sh, which installs it."
        )
        if verb == UNINSTALL:
            text = self.tr(
                "Waiting for the password, then taking back and removing… The window that asks "
                "for it names /bin/sh, which removes it."
            )
        self.outcome.set_full_text(text)
        self.outcome.show()
        self._installation.start(verb)

    @Slot(object)
    def _end(self, reason: Statement | None) -> None:
        self._tells_of_own = reason is None
        is_removal = self._verb == UNINSTALL
        for button in self.buttons.values():
            button.setEnabled(reason is not None)
        if reason is not None:
            text = self.tr("Not removed: {reason}") if is_removal else ""
            text = text or self.tr("Not set up: {reason}")
            self.outcome.set_full_text(text.format(reason=said(reason)))
            return
        installed = self.tr("The helper is set up. A button of Settings takes it away again.")
        removed = self.tr(
            "The helper is removed. Every change of it was taken back first. Your recordings and "
            "what you chose stay in ~/.local/share/destutter and ~/.config/destutter."
        )
        self.outcome.set_full_text(removed if is_removal else installed)
        # What was said of the computer before.
        self._advice.hide()
        for button in self.buttons.values():
            button.hide()
        self.done.emit()


def make_helper_view(
    theme: Theme,
    status: HelperStatus | None,
    parent: QWidget | None = None,
    *,
    has_margin: bool = True,
) -> HelperView:
    """The view for this program, wherever it runs from."""
    try:
        setup = bundled_helper(resource_folder())
    except HelperSetupError as error:
        setup, status = None, HelperStatus(Availability.BROKEN, error.statement)
    except ResourceError as error:
        setup, status = None, HelperStatus(Availability.BROKEN, told(str(error)))
    return HelperView(theme, status, setup, parent, has_margin=has_margin)


def _in_pieces(text: str) -> list[str]:
    """A sum in pieces of eight: without places to break, the panel would be as wide as it."""
    return [text[at : at + 8] for at in range(0, len(text), 8)]
