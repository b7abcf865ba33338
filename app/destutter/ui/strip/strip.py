# SPDX-License-Identifier: GPL-3.0-or-later
"""The compact strip: a small window for a second monitor, kept above others where that works.

On X11 it stays on top by the hint of the window manager, and comes back where it was. Wayland
gives a window no way to ask for either, so there the button is missing and the menu says what to
do instead.
"""

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QAction,
    QCloseEvent,
    QContextMenuEvent,
    QGuiApplication,
    QHideEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QRegion,
    QShowEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QVBoxLayout, QWidget

from destutter.analysis.examining.pipeline import Snapshot
from destutter.diagnosis.finding import RECENT_S, Spike
from destutter.menu_entry import own_command
from destutter.ui.controls.elided import ElidedLabel
from destutter.ui.controls.shortcuts import MARK
from destutter.ui.controls.sparkline import Sparkline
from destutter.ui.look.theme import Theme
from destutter.ui.look.tokens import CARD_RADIUS
from destutter.ui.strip.group_signs import GroupSigns
from destutter.ui.strip.strip_data import StripData
from destutter.ui.words.quantities import Quantities
from destutter.ui.words.words import Words

_WIDTH, _HEIGHT = 620, 64
_CORNER_PX = 16
# Once a second; a little less, for batches come every 250 ms and not to the millisecond.
_REPAINT_NS = 900_000_000


class Strip(QWidget):
    """Signals: ``window_requested()``, ``recording_toggled()``, ``marker_requested()``,
    ``quit_requested()``, ``pin_changed(bool)``, ``left(QPoint)`` with its place when it hides,
    ``closed()`` when the user has closed it.

    ``platform`` is Qt's name of the window system. ``place`` is where it was before; it counts
    only while there is a screen. At first it is in a corner, outside of ``beside`` where there is
    room: that is the place of the window.
    """

    window_requested = Signal()
    recording_toggled = Signal()
    marker_requested = Signal()
    quit_requested = Signal()
    pin_changed = Signal(bool)
    left = Signal(QPoint)
    closed = Signal()

    def __init__(
        self,
        theme: Theme,
        quantities: Quantities,
        *,
        is_pinned: bool = True,
        platform: str | None = None,
        place: QPoint | None = None,
        beside: QRect | None = None,
    ) -> None:
        super().__init__(None)
        self._theme = theme
        self._quantities = quantities
        self._words = Words(quantities)
        self.data = StripData()
        name = QGuiApplication.platformName() if platform is None else platform
        # Whether the window system lets a window choose its place and stay above others.
        self.can_pin = not name.startswith("wayland")
        self._is_covered = False
        self._is_recording = False
        self._press: QPoint | None = None
        self._painted_ns = 0
        self._set_flags(is_pinned=is_pinned and self.can_pin)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        # Closing the strip must never end the program.
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, on=False)
        self.setWindowTitle(self.tr("Destutter strip"))
        self.setAccessibleName(self.tr("Compact strip"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.value = ElidedLabel("–", "strip", self)
        self.what = ElidedLabel(self.tr("measuring"), "small", self)
        self.line = Sparkline(theme, self)
        self.signs = GroupSigns(theme, self._words, self)
        self.event_text = ElidedLabel("", "strong", self)
        self.event_note = ElidedLabel("", "small", self)
        self.pin = self._button("pin", self.tr("Keep on top"))
        self.pin.setCheckable(True)
        self.pin.setChecked(is_pinned and self.can_pin)
        self.pin.setVisible(self.can_pin)
        self.pin.toggled.connect(self._pin)
        self.close_button = self._button("close", self.tr("Close the strip"))
        self.close_button.clicked.connect(self.close)
        self._build()
        if self.can_pin:
            is_seen = place is not None and self._is_on_a_screen(place)
            self.move(place if place is not None and is_seen else self._corner(beside))
        theme.changed.connect(self._apply_theme)
        self._apply_theme()
        self._show_event()

    def _button(self, icon: str, name: str) -> QPushButton:
        button = QPushButton(self)
        button.setProperty("role", "flat")
        button.setProperty("sign", icon)
        button.setAccessibleName(name)
        button.setToolTip(name)
        return button

    def _build(self) -> None:
        sizes = self._theme.sizes
        self.setFixedSize(sizes.px(_WIDTH), sizes.px(_HEIGHT))
        if QGuiApplication.platformName() == "xcb":
            # An X server without a compositor shows what is translucent in black.
            ground = QPainterPath()
            ground.addRoundedRect(self.rect().toRectF(), CARD_RADIUS, CARD_RADIUS)
            self.setMask(QRegion(ground.toFillPolygon().toPolygon()))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(sizes.px(14), sizes.px(6), sizes.px(8), sizes.px(6))
        layout.setSpacing(sizes.px(12))
        layout.addLayout(self._texts((self.value, self.what), 92))
        self.line.setMinimumHeight(sizes.px(34))
        layout.addWidget(self.line, 5)
        layout.addWidget(self.signs)
        layout.addLayout(self._texts((self.event_text, self.event_note), 0), 6)
        buttons = QHBoxLayout()
        buttons.setSpacing(sizes.px(2))
        buttons.addWidget(self.pin)
        buttons.addWidget(self.close_button)
        layout.addLayout(buttons)

    def _texts(self, labels: tuple[ElidedLabel, ElidedLabel], width: int) -> QVBoxLayout:
        box = QVBoxLayout()
        box.setSpacing(0)
        box.addStretch(1)
        for label in labels:
            if width:
                label.setMinimumWidth(self._theme.sizes.px(width))
            box.addWidget(label)
        box.addStretch(1)
        return box

    # --- what it shows -----------------------------------------------------------------------

    @Slot(object)
    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Take in measurements; texts and line change once a second, and never while hidden."""
        self.data.accept_snapshot(snapshot)
        now_ns = snapshot.assessment.monotonic_ns
        if self._is_seen and now_ns - self._painted_ns >= _REPAINT_NS:
            self._painted_ns = now_ns
            self._show_all()

    def set_covered(self, *, is_covered: bool) -> None:
        """Whether a full-screen window lies above: nothing is drawn then."""
        if is_covered == self._is_covered:
            return
        self._is_covered = is_covered
        self.setUpdatesEnabled(not is_covered)
        if self._is_seen:
            self._show_all()

    @property
    def _is_seen(self) -> bool:
        if not self.isVisible() or self._is_covered:
            return False
        # On Wayland the window system alone knows, and tells by taking no pictures.
        return self.windowHandle().isExposed()

    def set_recording(self, *, is_recording: bool) -> None:
        """Whether a recording runs: the menu offers the other."""
        self._is_recording = is_recording

    def _show_all(self) -> None:
        now_ms = self.data.now_ms
        self.value.set_full_text("–" if now_ms is None else self._quantities.milliseconds(now_ms))
        what = self.tr("frame time") if self.data.has_frames else self.tr("wake-up delay")
        if now_ms is None:
            what = self.tr("not measured") if self.data.groups else self.tr("measuring")
        self.what.set_full_text(what)
        self.line.show_values(self.data.points, "frame")
        self.signs.show_groups(self.data.groups)
        self._show_event()

    def _show_event(self) -> None:
        event = self.data.event
        if event is None:
            is_known = bool(self.data.groups)
            self.event_text.set_full_text(self.tr("No stutter") if is_known else "–")
            note = self.tr("in the last {minutes} minutes").format(minutes=RECENT_S // 60)
            self.event_note.set_full_text(note if is_known else "")
            self._tone("")
            return
        self.event_text.set_full_text(self._event_name(event.spike))
        age = self.tr("{time} ago").format(time=self._quantities.span(event.age_s))
        count = self.tr("%n in {minutes} min", "stutters", event.recent_count)
        count = count.format(minutes=RECENT_S // 60)
        note = self.tr("{age} · {count}").format(age=age, count=count)
        self.event_note.set_full_text(note)
        self._tone("bad" if event.recent_count and event.is_of_game else "")

    def _event_name(self, spike: Spike) -> str:
        length = self._quantities.milliseconds(spike.duration_ms)
        if spike.group is None:
            return self.tr("Stutter, {length}").format(length=length)
        name = self._words.group(spike.group)
        return self.tr("{cause}, {length}").format(cause=name, length=length)

    def _tone(self, tone: str) -> None:
        color = getattr(self._theme.tokens, tone or "text")
        style = f"color: {color}"
        # The same again would cost as much as another one.
        if style != self.event_text.styleSheet():
            self.event_text.setStyleSheet(style)

    @Slot()
    def _apply_theme(self) -> None:
        tokens, sizes, icons = self._theme.tokens, self._theme.sizes, self._theme.icons
        size = sizes.px(17)
        for button in (self.pin, self.close_button):
            color = tokens.accent if button.isChecked() else tokens.muted
            button.setIcon(icons.icon(str(button.property("sign")), color, size))
            button.setIconSize(QSize(size, size))
        self._show_event()
        self.update()

    # --- window ------------------------------------------------------------------------------

    def _is_on_a_screen(self, place: QPoint) -> bool:
        """Whether somebody would see it there: a monitor may have gone since."""
        middle = place + self.rect().center()
        return any(each.availableGeometry().contains(middle) for each in QGuiApplication.screens())

    def _corner(self, beside: QRect | None) -> QPoint:
        """Where it is at first: at the bottom of the first screen, at its end, or in the next
        corner that the window leaves free."""
        margin = self._theme.sizes.px(_CORNER_PX)
        free = self.screen().availableGeometry().adjusted(margin, margin, -margin, -margin)
        right, bottom = free.right() - self.width(), free.bottom() - self.height()
        corners = [QPoint(x, y) for y in (bottom, free.top()) for x in (right, free.left())]
        if beside is None:
            return corners[0]
        seen = (each for each in corners if not beside.intersects(QRect(each, self.size())))
        return next(seen, corners[0])

    def _set_flags(self, *, is_pinned: bool) -> None:
        flags = Qt.WindowType.Tool | Qt.WindowType.FramelessWindowHint
        if is_pinned:
            flags |= Qt.WindowType.WindowStaysOnTopHint
        self.setWindowFlags(flags)

    @Slot(bool)
    def _pin(self, is_pinned: bool) -> None:  # noqa: FBT001  a Qt slot
        was_visible, place = self.isVisible(), self.pos()
        self._set_flags(is_pinned=is_pinned)
        self._apply_theme()
        if was_visible:
            # Changed flags hide a window.
            self.move(place)
            self.show()
        self.pin_changed.emit(is_pinned)

    def menu(self) -> QMenu:
        menu = QMenu(self)
        stop, start = self.tr("Stop recording"), self.tr("Record session")
        for text, signal in (
            (self.tr("Open Destutter"), self.window_requested),
            (stop if self._is_recording else start, self.recording_toggled),
            (self.tr("Mark this moment"), self.marker_requested),
        ):
            self._entry(menu, text).triggered.connect(signal)
        menu.addSeparator()
        if self.can_pin:
            pin = self._entry(menu, self.tr("Keep on top"))
            pin.setCheckable(True)
            pin.setChecked(self.pin.isChecked())
            pin.toggled.connect(self.pin.setChecked)
        else:
            note = self.tr(
                "Keep on top: right-click the window in the task bar, More Actions, "
                "Keep Above Others (KDE)"
            )
            self._entry(menu, note).setEnabled(False)
            command = f"{own_command()} --strip --xwayland"
            other = self.tr("Or begin with: {command}").format(command=command)
            self._entry(menu, other).setEnabled(False)
        self._entry(menu, self.tr("Close the strip")).triggered.connect(self.close)
        self._entry(menu, self.tr("Quit Destutter")).triggered.connect(self.quit_requested)
        return menu

    def _entry(self, menu: QMenu, text: str) -> QAction:
        action = QAction(text, menu)
        menu.addAction(action)
        return action

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The menu, by the mouse or by the Menu key."""
        menu = self.menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens the window, the key of markers marks, Esc closes."""
        signals = {
            Qt.Key.Key_Return: self.window_requested,
            Qt.Key.Key_Enter: self.window_requested,
        }
        signal = signals.get(Qt.Key(event.key()))
        if QKeySequence(event.keyCombination()) == QKeySequence(MARK):
            signal = self.marker_requested
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        elif signal is not None:
            signal.emit()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remember where a drag may begin."""
        is_left = event.button() == Qt.MouseButton.LeftButton
        self._press = event.globalPosition().toPoint() if is_left else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Hand the drag to the window system: a window on Wayland cannot move itself."""
        if self._press is None:
            return
        self._press = None
        handle = self.windowHandle()
        if handle is not None:
            handle.startSystemMove()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.window_requested.emit()

    def showEvent(self, event: QShowEvent) -> None:
        """Show what was measured meanwhile."""
        super().showEvent(event)
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self._show_all()

    def hideEvent(self, event: QHideEvent) -> None:
        """Tell where it was."""
        super().hideEvent(event)
        if self.can_pin:
            self.left.emit(self.pos())

    def closeEvent(self, event: QCloseEvent) -> None:
        """Tell that the user wants it no more."""
        super().closeEvent(event)
        self.closed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The rounded ground, and the ring of the focus."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        edge = "focus" if self.hasFocus() else "border_strong"
        painter.setPen(QPen(self._theme.color(edge), 1))
        painter.setBrush(self._theme.color("surface"))
        box = self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(box, CARD_RADIUS, CARD_RADIUS)
