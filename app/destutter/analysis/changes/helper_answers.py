# SPDX-License-Identifier: GPL-3.0-or-later
"""How long the helper is waited for, and how a call of it ends that brings nothing.

Both of its clients know it from here: that of the window and the terminal (Qt's bus), and that of
traces (``core.bus_caller``).
"""

from collections.abc import Sequence
from contextlib import suppress

from destutter_helper.api import payload
from destutter_helper.api.names import HelperError
from destutter_helper.api.statement import TOLD, Said

START_S = 30  # the bus gives a service 25 s to start (service_start_timeout, dbus-daemon(1))
DIALOG_S = 330  # the helper itself gives up on a password dialog after five minutes

_ERROR = "org.freedesktop.DBus.Error."
NOT_THERE = frozenset(
    _ERROR + name for name in ("ServiceUnknown", "NameHasNoOwner", "Spawn.ServiceNotFound")
)
LOST = frozenset(_ERROR + name for name in ("NoReply", "Timeout", "TimedOut", "Disconnected"))
_UNKNOWN_METHOD = f"{_ERROR}UnknownMethod"
_NO_METHOD = "helper.request.no_method"


def refusal(values: Sequence[object]) -> Said:
    """Why the helper refused, out of the values of its error; one from before has English only."""
    english = str(values[0]) if values else ""
    with suppress(HelperError, IndexError):
        return payload.decode(Said, str(values[1]))
    return Said(TOLD, {"text": english})


def is_from_before(name: str, values: Sequence[object]) -> bool:
    """Whether an error tells of a helper from before this method, by the bus or by its gate."""
    return name == _UNKNOWN_METHOD or refusal(values).id == _NO_METHOD
