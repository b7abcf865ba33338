# SPDX-License-Identifier: GPL-3.0-or-later
"""Who is behind a connection to the bus: a program may have as many connections as it likes."""

import fcntl
import os
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from dbus import lowlevel

from destutter_lender.pace import Group, RefusedError

DRIVER = "org.freedesktop.DBus"
_DRIVER_PATH = "/org/freedesktop/DBus"
_KNOWN_MAX = 256  # then the one that asked longest ago is asked about anew
_WAITING_MAX = 64  # newcomers of whom the bus has not told yet
_CALLS_OF_ONE = 4  # of a newcomer; one that waits for its answers has one
_NS_GET_PARENT = 0xB702  # include/uapi/linux/nsfs.h
_RULE = f"type='signal',sender='{DRIVER}',member='NameOwnerChanged',arg0='%s'"


class BusCallers:
    """Knows the group of each connection that calls; the bus is asked once, and nobody waits.

    ``serve`` gets the calls of those who are known, ``refuse`` those for which there is no room,
    ``forget`` the name of a connection that has gone.
    """

    def __init__(
        self,
        connection: Any,
        *,
        serve: Callable[[Group, Any], None],
        refuse: Callable[[Any, RefusedError], None],
        forget: Callable[[str], None],
    ) -> None:
        self._connection = connection
        self._serve = serve
        self._refuse = refuse
        self._forget = forget
        self._known: OrderedDict[str, Group] = OrderedDict()
        self._waiting: dict[str, list[Any]] = {}

    def take(self, message: Any) -> None:
        """A call: served at once, or when the bus has told whose it is."""
        sender = str(message.get_sender())
        group = self._known.get(sender)
        if group is not None:
            self._known.move_to_end(sender)
            self._serve(group, message)
            return
        calls = self._waiting.get(sender, [])
        is_full = len(self._waiting) >= _WAITING_MAX and not calls
        if is_full or len(calls) >= _CALLS_OF_ONE:
            self._refuse(message, RefusedError("Busy", "too many callers at once"))
            return
        calls.append(message)
        if len(calls) == 1:
            self._waiting[sender] = calls
            self._ask(sender)

    def gone(self, sender: str) -> None:
        """The connection has left the bus."""
        self._waiting.pop(sender, None)
        if self._known.pop(sender, None):
            self._connection.remove_match_string_non_blocking(_RULE % sender)
        self._forget(sender)

    def _ask(self, sender: str) -> None:
        # The rule first: who goes before the second message is then told to have no process.
        self._connection.add_match_string_non_blocking(_RULE % sender)
        question = lowlevel.MethodCallMessage(
            DRIVER, _DRIVER_PATH, DRIVER, "GetConnectionUnixProcessID"
        )
        question.append(sender, signature="s")
        self._connection.send_message_with_reply(question, lambda told: self._learn(sender, told))

    def _learn(self, sender: str, told: Any) -> None:
        calls = self._waiting.pop(sender, None)
        if calls is None or told.get_type() != lowlevel.MESSAGE_TYPE_METHOD_RETURN:
            self._connection.remove_match_string_non_blocking(_RULE % sender)
            return
        group = group_of(int(told.get_args_list()[0]))
        self._known[sender] = group
        if len(self._known) > _KNOWN_MAX:
            self._drop_oldest()
        for message in calls:
            self._serve(group, message)

    def _drop_oldest(self) -> None:
        # Its rule stays while it may have a channel, which ends with it.
        self._known.popitem(last=False)


def group_of(pid: int) -> Group:
    """All processes of a sandbox are one: of the outermost user namespace below our own."""
    own = os.stat("/proc/self/ns/user")
    group = "process", pid
    try:
        namespace = os.open(f"/proc/{pid}/ns/user", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:  # it has gone, or is not to be looked at
        return group
    try:
        while (found := os.fstat(namespace)).st_ino != own.st_ino:
            group = "sandbox", found.st_ino
            outer = fcntl.ioctl(namespace, _NS_GET_PARENT)
            os.close(namespace)
            namespace = outer
    except OSError:  # what is outside of ours is not shown
        pass
    finally:
        os.close(namespace)
    return group
