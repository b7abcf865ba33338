# SPDX-License-Identifier: GPL-3.0-or-later
"""How a game comes to report its frame times, and the choice of the folder where they are."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QFileDialog, QPushButton, QVBoxLayout, QWidget

from destutter.bridge.followed_frames import FollowedFrames
from destutter.ui.controls.elided import WrappedLabel
from destutter.ui.help.connect_view import ConnectView, ReadGames, connect_title
from destutter.ui.look.theme import Theme
from destutter.ui.words.quantities import Quantities


class FramesView(QWidget):
    """What is chosen is in ``followed``. In a Flatpak the chooser of the folder is the portal's,
    which opens this one folder to the program, and for good.
    """

    def __init__(
        self,
        theme: Theme,
        quantities: Quantities,
        read_games: ReadGames,
        followed: FollowedFrames,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.title = connect_title()
        self._followed = followed
        self.connect_game = ConnectView(theme, quantities, read_games, followed, self)
        self.dialog: QFileDialog | None = None
        layout = QVBoxLayout(self)
        margin = theme.sizes.px(14)
        layout.setContentsMargins(margin, 4, margin, margin)
        layout.setSpacing(theme.sizes.px(9))
        layout.addWidget(self.connect_game)
        self.choose = QPushButton(self.tr("Use another log folder…"), self)
        self.choose.clicked.connect(self._browse)
        self.followed = WrappedLabel("small", self)
        self.leave = QPushButton(self.tr("Follow it no longer"), self)
        self.leave.clicked.connect(self._leave)
        for widget in (self.choose, self.followed, self.leave):
            layout.addWidget(widget)
        layout.addStretch(1)
        followed.changed.connect(self._show)
        self._show()

    @Slot()
    def _show(self) -> None:
        folder = self._followed.folder
        self.followed.set_full_text(self.tr("Followed: {folder}").format(folder=folder))
        for widget in (self.followed, self.leave):
            widget.setVisible(bool(folder))

    @Slot()
    def _browse(self) -> None:
        dialog = self.dialog = QFileDialog(self, self.tr("Folder of MangoHud's logs"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.use)
        dialog.open()

    @Slot(str)
    def use(self, folder: str) -> None:
        """Follow the newest log in this folder."""
        self._followed.follow(folder=folder)

    @Slot()
    def _leave(self) -> None:
        self._followed.follow()
