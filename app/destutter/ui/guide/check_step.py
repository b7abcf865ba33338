# SPDX-License-Identifier: GPL-3.0-or-later
"""Step 2: what can be measured and changed here."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from destutter.analysis.examining.pipeline import Snapshot
from destutter.bridge.helper_client import Availability, HelperStatus
from destutter.ui.guide.advice_page import AdviceStack
from destutter.ui.guide.checks import HELPER, Check, CheckState, Seen, checks
from destutter.ui.guide.guide_row import GuideRow
from destutter.ui.guide.step import GuideMemory, GuideTools, Step
from destutter.ui.help.advice_view import AdviceView
from destutter.ui.help.connect_view import ConnectView, connect_title
from destutter.ui.help.helper_view import HelperView, make_helper_view
from destutter.ui.pages.said_alike import about_helper

_LOOKS = {
    CheckState.READY: ("clear", "ok"),
    CheckState.ABSENT: ("not-measured", "none"),
    CheckState.FIXABLE: ("watch", "warn"),
    CheckState.WAITING: ("measuring", "none"),
}


class CheckStep(Step):
    """A line per source; advice takes the place of the lines while it is read."""

    def __init__(
        self, tools: GuideTools, memory: GuideMemory, parent: QWidget | None = None
    ) -> None:
        super().__init__(tools, memory, parent)
        self._seen = Seen()
        self._helper = HelperStatus(Availability.UNKNOWN)
        self._checks: tuple[Check, ...] = ()
        self.rows: dict[str, GuideRow] = {}
        self._opened = ""
        self.connecting: ConnectView | None = None
        self.helper: HelperView | None = None
        self._list = QWidget(self)
        self._lines = QVBoxLayout(self._list)
        self._lines.setContentsMargins(0, 0, 0, 0)
        self._lines.setSpacing(0)
        self._lines.addStretch(1)
        self._stack = AdviceStack(self)
        self._stack.closed.connect(self._close_advice)
        self._stack.addWidget(self._list)
        self.body.addWidget(self._stack)
        self._show_checks()

    @property
    def heading(self) -> str:
        return self.tr("What can be measured here")

    @property
    def sentence(self) -> str:
        """How much of it is there."""
        if not self._seen.snapshots:
            return self.tr("The first result takes a few seconds.")
        known = [each for each in self._checks if each.state is not CheckState.WAITING]
        ready = sum(each.state is CheckState.READY for each in known)
        text = self.tr("{ready} of {count} are ready. You can go on without the others.")
        if ready == len(known):
            text = self.tr("All {count} are ready.")
        number = self.tools.quantities.number
        return text.format(ready=number(ready), count=number(len(known)))

    @property
    def is_reading_advice(self) -> bool:
        """Whether advice is shown instead of the lines."""
        return self._stack.is_reading

    def entered(self) -> None:
        """The lines, not what was read before."""
        self._forget_advice()

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Note what is measured; the lines are drawn while somebody looks."""
        self._seen.accept_snapshot(snapshot)
        if self.connecting is not None:
            self.connecting.show_snapshot(snapshot)
        if self.isVisible():
            self._show_checks()

    def showEvent(self, event: QShowEvent) -> None:
        """What came before somebody looked."""
        super().showEvent(event)
        self._show_checks()

    def show_helper(self, status: HelperStatus) -> None:
        self._helper = status
        self._show_checks()

    def begin_anew(self) -> None:
        self._seen = Seen()
        self._show_checks()

    def _show_checks(self) -> None:
        found = checks(self._seen, self._helper)
        if found == self._checks:
            return
        before, self._checks = self._check(self._opened), found
        if list(self.rows) != [each.id for each in found]:
            self._forget_rows()
        for at, each in enumerate(found):
            self._show_check(at, each)
        self._renew_advice(before)
        self.changed.emit()

    def _check(self, id_: str) -> Check | None:
        return next((each for each in self._checks if each.id == id_), None)

    def _renew_advice(self, before: Check | None) -> None:
        """Who does what is advised while it is read sees that it is done: "the helper is not
        installed" stood there until it was closed."""
        now = self._check(self._opened)
        if not self.is_reading_advice or before is None or before.advice is None or now == before:
            return
        if self.helper is not None and not self.helper.is_outdated(self._helper):
            return  # what it did itself stands in it
        if now is not None and now.advice is not None:
            self._open_advice(now.id)
        else:
            self._close_advice()

    def _forget_rows(self) -> None:
        for row in self.rows.values():
            row.hide()
            self._lines.removeWidget(row)
            row.deleteLater()
        self.rows.clear()

    def _show_check(self, at: int, check: Check) -> None:
        row = self.rows.get(check.id)
        if row is None:
            row = GuideRow(self.tools.theme, is_first=at == 0, parent=self._list)
            row.clicked.connect(lambda id_=check.id: self._open_advice(id_))
            self.rows[check.id] = row
            self._lines.insertWidget(at, row)
        icon, tone = _LOOKS[check.state]
        row.show_texts(icon, tone, check.title, check.detail)
        states = {
            CheckState.READY: self.tr("Ready"),
            CheckState.ABSENT: self.tr("Not here"),
            CheckState.FIXABLE: "",
            CheckState.WAITING: "",
        }
        row.show_word(states[check.state])
        is_fixable = check.advice is not None or check.connects
        # What setting up means there, and whether it would help here, says that page.
        is_helper = check.id == HELPER
        words = about_helper() if is_helper else self.tr("Set up…")
        row.show_button(words if is_fixable else "")
        name = words if is_helper else self.tr("Set up: {what}").format(what=check.title)
        row.button.setAccessibleName(name)

    def _open_advice(self, id_: str) -> None:
        check = self._check(id_)
        if check is None or not (check.connects or check.advice):
            return
        self._forget_advice()
        self._opened = id_
        theme, quantities = self.tools.theme, self.tools.quantities
        content: QWidget
        if check.advice is None:
            tools = self.tools
            self.connecting = ConnectView(theme, quantities, tools.read_games, tools.followed)
            title, content = connect_title(), self.connecting
        elif id_ == HELPER:
            self.helper = make_helper_view(theme, self._helper, has_margin=False)
            if self.tools.tuning is not None:
                self.helper.done.connect(self.tools.tuning.refresh)
            title, content = self.helper.title, self.helper
        else:
            title = check.advice.title
            content = AdviceView(theme, check.advice, has_margin=False)
        self._stack.open(title, content, self.tr("Back to the list"))

    @Slot()
    def _close_advice(self) -> None:
        self._forget_advice()
        rows = (self.rows.get(self._opened), *self.rows.values())
        buttons = (each.button for each in rows if each is not None)
        # What is ready now has no button, and the focus went to the side of the window.
        button = next((each for each in buttons if not each.isHidden()), None)
        if button is not None and self.isVisible():
            button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _forget_advice(self) -> None:
        self.connecting = self.helper = None
        self._stack.forget()
