# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys that work on every page: one table, for the window and for the texts that name them."""

from PySide6.QtGui import QKeySequence

RECORD, MARK, QUIT = "Ctrl+R", "F8", "Ctrl+Q"
ROW_UP, ROW_DOWN = "Alt+Up", "Alt+Down"
EXPLAIN, LIST_KEYS = "F1", "Ctrl+/"
NTH_PAGE = "Alt+{number}"


def key_text(keys: str) -> str:
    """The keys as this desktop's language writes them: "Strg+R" in German."""
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
