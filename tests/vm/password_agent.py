# SPDX-License-Identifier: GPL-3.0-or-later
"""The password dialog of a desktop, without a picture: answers for the session it runs in.

    password_agent.py PASSWORD FILE     the text of each dialog is a line of the file

As a desktop's own it is polkit's agent for the whole session, so that it also answers for programs
in a sandbox, which have none. The password goes through PAM.
"""

import os
import sys
from collections.abc import Callable
from typing import Any

import dbus
import dbus.mainloop.glib
import dbus.service
import gi

gi.require_version("Polkit", "1.0")
gi.require_version("PolkitAgent", "1.0")
from gi.repository import GLib, Polkit, PolkitAgent  # noqa: E402

AUTHORITY = "org.freedesktop.PolicyKit1"
PLACE = "/agent"
BEGIN = "sssa{ss}sa(sa{sv})"


class Agent(dbus.service.Object):
    """Gives the password whenever polkit asks for one."""

    def __init__(self, bus: Any, password: str, file: str) -> None:
        super().__init__(bus, PLACE)
        self._password = password
        self._file = file
        self._sessions: dict[str, Any] = {}

    @dbus.service.method(
        f"{AUTHORITY}.AuthenticationAgent", in_signature=BEGIN, async_callbacks=("done", "fail")
    )
    def BeginAuthentication(
        self,
        _action: str,
        message: str,
        _icon: str,
        _details: Any,
        cookie: str,
        identities: Any,
        done: Callable[[], None],
        fail: Callable[[Exception], None],
    ) -> None:
        """Show a dialog; polkit learns from its own helper how it ended."""
        with open(self._file, "a", encoding="utf-8") as told:
            told.write(f"{message}\n")
        uids = [int(details["uid"]) for kind, details in identities if kind == "unix-user"]
        uid = os.getuid() if os.getuid() in uids else uids[0]
        session = PolkitAgent.Session.new(Polkit.UnixUser.new(uid), cookie)
        session.connect("request", lambda asking, _text, _echo: asking.response(self._password))
        session.connect("completed", lambda _session, _is_gained: done())
        self._sessions[cookie] = session
        session.initiate()

    @dbus.service.method(f"{AUTHORITY}.AuthenticationAgent", in_signature="s")
    def CancelAuthentication(self, cookie: str) -> None:
        """Close the dialog."""
        self._sessions.pop(cookie).cancel()


def main(password: str, file: str) -> None:
    """Answer until the session ends."""
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    bus = dbus.SystemBus()
    agent = Agent(bus, password, file)
    subject = ("unix-session", dbus.Dictionary({"session-id": os.environ["XDG_SESSION_ID"]}))
    authority = bus.get_object(AUTHORITY, f"/{AUTHORITY.replace('.', '/')}/Authority")
    authority.RegisterAuthenticationAgent(
        subject, "C.UTF-8", PLACE, dbus_interface=f"{AUTHORITY}.Authority"
    )
    with open(file, "w", encoding="utf-8"):
        pass
    GLib.MainLoop().run()
    del agent


if __name__ == "__main__":
    main(*sys.argv[1:])
