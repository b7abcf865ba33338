# SPDX-License-Identifier: GPL-3.0-or-later
"""The look in use: dark or light, by choice or as the desktop has it."""

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QColor, QFont
from PySide6.QtWidgets import QApplication

from destutter.ui.look.desktop_scheme import DesktopScheme, Scheme
from destutter.ui.look.fonts import body_font, body_sizes, sized
from destutter.ui.look.icons import Icons
from destutter.ui.look.stylesheet import palette, stylesheet
from destutter.ui.look.tokens import DARK, LIGHT, Sizes, Tokens, high_contrast

CHOICES = ("auto", "light", "dark")


class Theme(QObject):
    """The tokens that hold now, applied to the application. ``changed`` after each change.

    Where neither the choice nor the desktop says anything, the window is light, as it is where the
    portal says that there is no preference: a portal answers at one start and not at the next, and
    the window changed with it.
    """

    changed = Signal()

    def __init__(
        self,
        app: QApplication,
        desktop: DesktopScheme,
        icons: Icons,
        choice: str = "auto",
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._app = app
        self._desktop = desktop
        self._choice = choice if choice in CHOICES else "auto"
        self.icons = icons
        icons.ratio = app.devicePixelRatio()
        self.sizes: Sizes = body_sizes(app.font(), app.primaryScreen().logicalDotsPerInch())
        self.font: QFont = body_font(app.font(), self.sizes)
        app.setStyle("Fusion")
        app.setFont(self.font)
        self._colors: dict[tuple[str, int], QColor] = {}
        self._fonts: dict[tuple[int, int], QFont] = {}
        self.tokens = self._wanted()
        self._apply()
        desktop.changed.connect(self._follow)

    @property
    def choice(self) -> str:
        """ "auto", "light" or "dark"."""
        return self._choice

    def choose(self, choice: str) -> None:
        """Use this theme from now on; raises ``ValueError`` for an unknown name."""
        if choice not in CHOICES:
            raise ValueError(f"{choice!r} is none of {', '.join(CHOICES)}")
        self._choice = choice
        self._follow()

    def color(self, name: str, alpha: int = 255) -> QColor:
        """A token as a colour to paint with. It is shared: take a copy to change it."""
        made = self._colors.get((name, alpha))
        if made is None:
            made = self._colors[name, alpha] = QColor(getattr(self.tokens, name))
            made.setAlpha(alpha)
        return made

    def sized(self, pixels: int, weight: int = 400) -> QFont:
        """The font of the window in another size and weight. It is shared, too."""
        made = self._fonts.get((pixels, weight))
        if made is None:
            made = self._fonts[pixels, weight] = sized(self.font, pixels, weight)
        return made

    @Slot()
    def _follow(self) -> None:
        wanted = self._wanted()
        if wanted != self.tokens:
            self.tokens = wanted
            self._apply()
            self.changed.emit()

    def _wanted(self) -> Tokens:
        scheme = self._desktop.scheme if self._choice == "auto" else Scheme(self._choice)
        tokens = DARK if scheme is Scheme.DARK else LIGHT
        return high_contrast(tokens) if self._desktop.is_high_contrast else tokens

    def _apply(self) -> None:
        self._colors.clear()
        self._app.setPalette(palette(self.tokens))
        self._app.setStyleSheet(stylesheet(self.tokens, self.sizes))
