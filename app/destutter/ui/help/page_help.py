# SPDX-License-Identifier: GPL-3.0-or-later
"""What a page tells, which program this is, and which keys there are."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from destutter.menu_entry import own_command
from destutter.ui.controls.own_keys import NamedKeys
from destutter.ui.controls.plain_label import plain_label
from destutter.ui.help.advice_view import Advice
from destutter.ui.look.theme import Theme
from destutter.ui.words.explanation_pages import PAGE_SECTIONS, Explanation
from destutter_helper.api.names import HELPER_VERSION

translate = QCoreApplication.translate

_MOST_KEYS = 3
_LICENSE_VERSION = 3
ISSUES = "https://github.com/destutter/destutter/issues"


def page_advice(page: Explanation) -> Advice:
    """What a page of the window tells, and what its figures mean."""
    parts = [
        " ".join(part.split())
        for section in PAGE_SECTIONS
        for part in page.section(section).split("\n\n")
    ]
    return Advice(page.title, tuple(parts))


def about_advice() -> Advice:
    """The version, which is the helper's as well; the licence; and how to report something."""
    return Advice(
        translate("Help", "About Destutter"),
        (
            translate("Help", "Version {version}").format(version=HELPER_VERSION),
            translate(
                "Help",
                "Free software under the GNU General Public License, version {version} or later. "
                "It comes without any warranty, and asks nothing from the internet.",
            ).format(version=_LICENSE_VERSION),
            translate(
                "Help",
                "To report something, pack what the kernel tells of this computer into a file, "
                "without the names of other programs, and attach it to your report:",
            ),
            f"$ {own_command()} capture --hide-names --out capture.tar.gz",
            f"$ {ISSUES}",
        ),
    )


def _written(keys: Sequence[str]) -> str:
    """Two or so as they are, of a whole row the first and the last."""
    is_row = len(keys) > _MOST_KEYS
    return f"{keys[0]} … {keys[-1]}" if is_row else ", ".join(keys)


class KeyList(QWidget):
    """Keys and what they do, in groups with a heading each."""

    def __init__(
        self,
        theme: Theme,
        groups: Sequence[tuple[str, Sequence[NamedKeys]]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        layout = QGridLayout(self)
        margin = theme.sizes.px(14)
        layout.setContentsMargins(margin, 4, margin, margin)
        layout.setHorizontalSpacing(margin)
        layout.setVerticalSpacing(theme.sizes.px(7))
        layout.setColumnStretch(1, 1)
        layout.setAlignment(Qt.AlignmentFlag.AlignTop)
        for heading, named in groups:
            if named:
                title = plain_label(heading, "small", self)
                layout.addWidget(title, layout.rowCount(), 0, 1, 2)
            for each in named:
                row = layout.rowCount()
                layout.addWidget(plain_label(_written(each.keys), "strong", self), row, 0)
                layout.addWidget(plain_label(each.text, "muted", self, wraps=True), row, 1)
