# SPDX-License-Identifier: GPL-3.0-or-later
"""A second start: it hands over to the window that is open, and ends."""

from collections.abc import Mapping

from destutter.core.bus_caller import BusCallError
from destutter.core.running_instance import RunningInstance

_SAID = {
    "": "Destutter is open already; its window comes to the front.",
    "strip": "Destutter is open already; it shows its strip.",
    "record": "Destutter is open already; it begins to record.",
    "quit": "Destutter ends.",
}


def hand_over(environment: Mapping[str, str], action: str) -> str | None:
    """Let the open window do it; what to say, or None when there is none and we are the first.

    A window that does not answer is as good as none.
    """
    running = RunningInstance(environment)
    try:
        if not running.is_there:
            return "Destutter is not open." if action == "quit" else None
        if action:
            running.run_action(action)
        else:
            running.activate()
    except BusCallError:
        return None
    finally:
        running.close()
    return _SAID.get(action, _SAID[""])
