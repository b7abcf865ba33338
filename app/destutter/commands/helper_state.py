# SPDX-License-Identifier: GPL-3.0-or-later
"""What the root helper says of itself, asked only where it is installed."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from destutter.commands.helper_chain import find_activation
from destutter_helper.api.payload import Result

if TYPE_CHECKING:
    from destutter.commands.helper_session import HelperSession


@dataclass(frozen=True, slots=True)
class HelperAnswer:
    """Whether the helper can be used, in words, and what it changed by id and device."""

    is_ready: bool
    detail: str
    changed: Mapping[tuple[str, str], Result] = field(default_factory=dict)


def ask_helper(root: str) -> HelperAnswer:
    """Ask the helper of this computer; another tree than "/" has none."""
    if root != "/":
        return HelperAnswer(is_ready=False, detail="not asked: this is not the running computer")
    if find_activation() is None:
        return HelperAnswer(is_ready=False, detail="not installed; everything can be read without")
    return _ask()


def _ask() -> HelperAnswer:
    # Qt is only loaded where there is somebody to talk to.
    from PySide6.QtCore import QCoreApplication
    from PySide6.QtDBus import QDBusConnection

    from destutter.commands.helper_session import HelperSession
    from destutter_helper.api.names import HelperError

    application = QCoreApplication(sys.argv[:1])
    session = HelperSession(QDBusConnection.systemBus(), lambda: None)
    try:
        return answer_in(session)
    except HelperError as error:
        return HelperAnswer(is_ready=False, detail=str(error))
    finally:
        session.close()
        application.shutdown()


def answer_in(session: "HelperSession") -> HelperAnswer:
    """Ask in a conversation; raises ``HelperError`` when the helper cannot be used.

    That it is there is known before what it changed: both answers are waited for.
    """
    session.connect()
    state = session.ask(session.client.ask_state, "state")
    changed = {(result.id, result.device): result for result in getattr(state, "changed", ())}
    detail = f"ready, version {session.client.status.version}"
    return HelperAnswer(is_ready=True, detail=detail, changed=changed)
