# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages of the window: their ids, and how the sidebar shows them."""

from PySide6.QtCore import QCoreApplication

LIVE, CAUSES, CHANGES, SESSIONS = "live", "causes", "changes", "sessions"
GUIDE, SYSTEM, SETTINGS = "guide", "system", "settings"


def entries() -> dict[str, tuple[str, str]]:
    """Icon and name of the pages that follow each other in the sidebar; Settings stands apart."""
    return {
        LIVE: ("pulse", QCoreApplication.translate("Pages", "Live")),
        CAUSES: ("causes", QCoreApplication.translate("Pages", "Causes")),
        CHANGES: ("sliders", QCoreApplication.translate("Pages", "Changes")),
        SESSIONS: ("sessions", QCoreApplication.translate("Pages", "Sessions")),
        GUIDE: ("guide", QCoreApplication.translate("Pages", "Guide")),
        SYSTEM: ("computer", QCoreApplication.translate("Pages", "System")),
    }
