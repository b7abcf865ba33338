# SPDX-License-Identifier: GPL-3.0-or-later
"""What did not work with the files of the library, as notices."""

from pathlib import Path

from PySide6.QtCore import QCoreApplication

from destutter.bridge.session_library import Attempt, LibraryFailure
from destutter.core.statement import Statement
from destutter.ui.controls.notices import Notice
from destutter.ui.words.words import said_line

translate = QCoreApplication.translate

DELETED, RECORDING_FAILED, SAVED, COPIED = "deleted", "recording", "saved", "copied"
UNREADABLE = "unreadable"


def failure_notice(failure: LibraryFailure) -> Notice:
    """One line about something that did not work."""
    texts = {
        Attempt.LIST: translate("Sessions", "The folder of recordings cannot be read"),
        Attempt.IMPORT: translate("Sessions", "{name} was not imported"),
        Attempt.RENAME: translate("Sessions", "{name} was not renamed"),
        Attempt.COMMENT: translate("Sessions", "The comment on {name} was not kept"),
        Attempt.DELETE: translate("Sessions", "{name} was not deleted"),
        Attempt.RESTORE: translate("Sessions", "{name} was not brought back"),
    }
    text = texts[failure.attempt].format(name=failure.name)
    return Notice(f"{failure.attempt}:{failure.name}", "bad", text, said_line(failure.reason))


def deleted_notice(name: str) -> Notice:
    """What was deleted, and that it can be brought back."""
    return Notice(
        DELETED,
        "info",
        translate("Sessions", "“{name}” was deleted").format(name=name),
        action=translate("Sessions", "Undo"),
    )


def recording_failed_notice(reason: Statement) -> Notice:
    """A recording ended by itself, for example on a full disk."""
    return Notice(
        RECORDING_FAILED,
        "bad",
        translate("Sessions", "The recording ended by itself"),
        said_line(reason),
    )


def unreadable_notice(name: str, reason: Statement) -> Notice:
    """A recording that was chosen and cannot be read."""
    return Notice(
        UNREADABLE,
        "bad",
        translate("Sessions", "{name} cannot be read").format(name=name),
        said_line(reason),
    )


def saved_notice(path: Path) -> Notice:
    """A report or picture was written."""
    text = translate("Sessions", "Saved as {name}").format(name=path.name)
    folder = translate("Sessions", "in {folder}").format(folder=path.parent)
    return Notice(SAVED, "ok", text, folder, translate("Sessions", "Open folder"))


def not_saved_notice(name: str, reason: Statement) -> Notice:
    return Notice(
        SAVED,
        "bad",
        translate("Sessions", "{name} was not saved").format(name=name),
        said_line(reason),
    )


def copied_notice() -> Notice:
    return Notice(COPIED, "ok", translate("Sessions", "The report is in the clipboard"))
