# SPDX-License-Identifier: GPL-3.0-or-later
"""A second start: it hands over to the window that is open, and ends."""

from collections.abc import Mapping

from destutter.autostart import HIDDEN
from destutter.core.bus_caller import BusCallError
from destutter.core.running_instance import RunningInstance
from destutter.core.statement import Statement, StatementError

_SAID = {
    "": Statement("command.window.front"),
    "strip": Statement("command.window.strip"),
    HIDDEN: Statement("command.window.hidden"),
    "record": Statement("command.window.record"),
    "quit": Statement("command.window.quit"),
}


def hand_over(environment: Mapping[str, str], action: str) -> Statement | None:
    """Let the open window do it; what to say, or None when there is none and we are the first.

    A window that does not answer is as good as none, but for one that is to end: whoever asks for
    that wants no window. Raises ``StatementError`` then.
    """
    running = RunningInstance(environment)
    try:
        if not running.is_there:
            return Statement("command.window.not_open") if action == "quit" else None
        if action == HIDDEN:
            pass  # whoever has opened the window keeps it
        elif action:
            running.run_action(action)
        else:
            running.activate()
    except BusCallError as error:
        if action == "quit":
            raise StatementError(Statement("command.window.no_answer")) from error
        return None
    finally:
        running.close()
    return _SAID.get(action, _SAID[""])
