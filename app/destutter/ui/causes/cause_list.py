# SPDX-License-Identifier: GPL-3.0-or-later
"""The ranked findings: one card each at the side, or one menu where there is no room."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QHBoxLayout,
    QLabel,
    QMenu,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from destutter.diagnosis.finding import Finding
from destutter.diagnosis.wording import named_as
from destutter.ui.causes.finding_words import confidence_of, heading_of, mark_of
from destutter.ui.controls.chip import StateChip
from destutter.ui.controls.elided import ElidedLabel
from destutter.ui.controls.menu_button import MenuButton
from destutter.ui.controls.meter import ConfidenceMeter
from destutter.ui.controls.plain_label import plain_label
from destutter.ui.controls.tab_stop import one_tab_stop
from destutter.ui.look.theme import Theme
from destutter.ui.look.tokens import CARD_RADIUS
from destutter.ui.words.words import Words


class CauseCard(QAbstractButton):
    """One finding: name, mark, how many stutters, how sure."""

    def __init__(
        self,
        theme: Theme,
        words: Words,
        finding: Finding,
        parent: QWidget | None = None,
        *,
        has_game: bool,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._words = words
        self.finding = finding
        sizes = theme.sizes
        self.title = ElidedLabel("", "strong", self, most_lines=2)
        self.chip = StateChip(theme, self)
        self.share = ElidedLabel("", "small", self, most_lines=2)
        self.sure = QLabel(self)
        self.sure.setProperty("role", "caption")
        self.meter = ConfidenceMeter(theme, finding.confidence, "", self)
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 0, 0)
        head.addSpacing(sizes.px(24))
        head.addWidget(self.title, 1)
        middle = QHBoxLayout()
        middle.setSpacing(sizes.px(8))
        middle.addWidget(self.chip)
        middle.addWidget(self.share, 1)
        foot = QHBoxLayout()
        foot.setSpacing(sizes.px(8))
        foot.addWidget(self.sure)
        foot.addStretch(1)
        foot.addWidget(self.meter)
        self._box = QVBoxLayout(self)
        pad = sizes.px(12)
        self._box.setContentsMargins(pad, sizes.px(10), pad, sizes.px(10))
        self._box.setSpacing(sizes.px(7))
        for row in (head, middle, foot):
            self._box.addLayout(row)
        for child in self.findChildren(QWidget):
            child.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self._apply_theme)
        self.show_finding(finding, has_game=has_game)

    def show_finding(self, finding: Finding, *, has_game: bool) -> None:
        """Show what is new about the finding."""
        self.finding = finding
        name = self._words.cause(named_as(finding))
        mark = mark_of(finding, has_game=has_game)
        share = self._words.share(finding, has_game=has_game)
        sure = confidence_of(finding, self._words)
        self.title.set_full_text(name)
        self.chip.show_sign(mark.icon, mark.tone, mark.text)
        self.share.set_full_text(share)
        self.sure.setText(sure)
        self.meter.show_confidence(finding.confidence, sure)
        # How sure is a question only where something is explained.
        is_cause = finding.explains and not finding.consequence_of
        self.sure.setVisible(is_cause)
        self.meter.setVisible(is_cause)
        self.setAccessibleName(
            self.tr("{cause}: {mark}, {share}").format(cause=name, mark=mark.text, share=share)
        )
        self.setAccessibleDescription(sure if is_cause else "")
        self.setToolTip(name if self.title.is_cut else "")

    def sizeHint(self) -> QSize:
        """The height of its three lines."""
        return QSize(200, self._box.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the card and the icon of the group."""
        del event
        sizes, theme = self._theme.sizes, self._theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._edge())
        ground = "accent_soft" if self.isChecked() else "raised" if self.isDown() else "surface"
        painter.setBrush(theme.color(ground))
        box = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        painter.drawRoundedRect(box, CARD_RADIUS, CARD_RADIUS)
        size, pad = sizes.px(16), sizes.px(12)
        y = self.title.geometry().center().y() + 1 - size / 2
        is_mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        x = self.width() - pad - size if is_mirrored else pad
        group = self.finding.group.value
        color = getattr(theme.tokens, group)
        theme.icons.paint(painter, group, color, QPointF(x, y), size)

    def _edge(self) -> QPen:
        if self.hasFocus():
            return QPen(self._theme.color("focus"), 2)
        if self.isChecked():
            return QPen(self._theme.color("accent"), 1)
        return QPen(self._theme.color("border_strong" if self.underMouse() else "border"), 1)

    @Slot()
    def _apply_theme(self) -> None:
        self.chip.update()
        self.meter.update()
        self.update()


class CauseList(QScrollArea):
    """The cards from the most explaining finding down. ``chosen(str)`` with a cause's id."""

    chosen = Signal(str)

    def __init__(self, theme: Theme, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._words = words
        self._cards: dict[str, CauseCard] = {}
        self._wanted: tuple[str, ...] = ()
        self._group = QButtonGroup(self)
        self._group.buttonClicked.connect(self._clicked)
        inner = QWidget(self)
        inner.setObjectName("pageBody")
        self._box = QVBoxLayout(inner)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(theme.sizes.px(10))
        self.headings = {True: self._heading(inner), False: self._heading(inner)}
        self._box.addStretch(1)
        self.setWidget(inner)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFixedWidth(theme.sizes.px(304))
        self.setAccessibleName(self.tr("Causes, the most likely first"))

    @property
    def cards(self) -> dict[str, CauseCard]:
        """The cards by the id of their cause, in order."""
        return self._cards

    def show_findings(
        self, findings: Sequence[Finding], chosen: str, *, has_game: bool = True
    ) -> None:
        """Show these in this order, with one of them chosen."""
        wanted = {finding.cause: finding for finding in findings}
        for cause in [cause for cause in self._cards if cause not in wanted]:
            card = self._cards.pop(cause)
            self._group.removeButton(card)
            card.hide()
            card.deleteLater()
        for cause, finding in wanted.items():
            if cause in self._cards:
                self._cards[cause].show_finding(finding, has_game=has_game)
            else:
                self._add(finding, has_game=has_game)
        self._wanted = tuple(wanted)
        if not self.underMouse():
            self._rank()
        self._order()
        if chosen in self._cards:
            self._cards[chosen].setChecked(True)
        one_tab_stop(self._cards.values())

    def leaveEvent(self, event: QEvent) -> None:
        """Bring the cards into the order of now: below the pointer they keep theirs, and a click
        meets the one that was aimed at."""
        self._rank()
        self._order()
        super().leaveEvent(event)

    def _rank(self) -> None:
        self._cards = {cause: self._cards[cause] for cause in self._wanted}

    def _order(self) -> None:
        """The cards in their order, with a heading above each kind but the causes of now."""
        cards = self._cards.values()
        order: list[QWidget] = [card for card in cards if not heading_of(card.finding)]
        for is_beside, heading in sorted(self.headings.items()):
            below = [card for card in cards if heading_of(card.finding)]
            below = [card for card in below if card.finding.is_beside is is_beside]
            heading.setVisible(bool(below))
            if below:
                heading.setText(heading_of(below[0].finding))
            order += [heading, *below]
        for index, widget in enumerate(order):
            if self._box.indexOf(widget) != index:
                self._box.removeWidget(widget)
                self._box.insertWidget(index, widget)

    def _heading(self, inner: QWidget) -> QLabel:
        label = plain_label("", "small", inner, wraps=True)
        self._box.addWidget(label)
        return label

    def _add(self, finding: Finding, *, has_game: bool) -> None:
        inner = self.widget()
        card = CauseCard(self._theme, self._words, finding, inner, has_game=has_game)
        self._cards[finding.cause] = card
        self._group.addButton(card)
        self._box.insertWidget(self._box.count() - 1, card)

    @Slot(QAbstractButton)
    def _clicked(self, button: QAbstractButton) -> None:
        if isinstance(button, CauseCard):
            one_tab_stop(self._cards.values())
            self.chosen.emit(button.finding.cause)


class CauseMenu(MenuButton):
    """The same choice in one line. ``chosen(str)`` with a cause's id."""

    chosen = Signal(str)

    def __init__(self, theme: Theme, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._words = words
        self._findings: tuple[Finding, ...] = ()
        self._cause = ""
        self._has_game = True
        self._lines: list[tuple[str, str, str]] = []
        self.setProperty("role", "chip")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._menu = QMenu(self)
        self._menu.triggered.connect(self._triggered)
        self.setMenu(self._menu)
        theme.changed.connect(self._draw)

    def show_findings(
        self, findings: Sequence[Finding], chosen: str, *, has_game: bool = True
    ) -> None:
        """Offer these in this order."""
        state = (tuple(findings), chosen, has_game)
        if state == (self._findings, self._cause, self._has_game):
            return
        self._findings, self._cause, self._has_game = state
        lines = [(self._line(one), one.cause, heading_of(one)) for one in findings]
        # An open menu stays as it is, and so does one of which an entry was just chosen.
        if lines != self._lines and not self._menu.isVisible():
            self._lines = lines
            self._menu.clear()
            last = ""
            for line, cause, heading in lines:
                if heading != last:
                    self._menu.addSection(heading)
                last = heading
                self._menu.addAction(line).setData(cause)
        self._draw()

    def _line(self, finding: Finding) -> str:
        return self.tr("{cause} — {share}").format(
            cause=self._words.cause(named_as(finding)),
            share=self._words.share(finding, has_game=self._has_game),
        )

    @Slot(QAction)
    def _triggered(self, action: QAction) -> None:
        self.chosen.emit(str(action.data()))

    @Slot()
    def _draw(self) -> None:
        found = next((one for one in self._findings if one.cause == self._cause), None)
        if found is None:
            return
        sizes, number = self._theme.sizes, self._words.renderer.measures.number
        at = self._findings.index(found) + 1
        text = self.tr("{number} of {count}: {line}").format(
            number=number(at),
            count=number(len(self._findings)),
            line=self._line(found),
        )
        self.setText(text)
        self.setAccessibleName(self.tr("Cause {text}").format(text=text))
        self.setIconSize(QSize(sizes.px(16), sizes.px(16)))
        group = found.group.value
        color = getattr(self._theme.tokens, group)
        self.setIcon(self._theme.icons.icon(group, color, sizes.px(16)))
