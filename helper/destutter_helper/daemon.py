# SPDX-License-Identifier: GPL-3.0-or-later
"""The helper on the bus: one connection, one loop, one thread."""

import os
import signal
import sys
import time
from collections.abc import Callable
from typing import Any

from dbus.bus import BusConnection
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

from destutter_helper.api.names import BUS_NAME, ENDED_SHUTDOWN
from destutter_helper.authority import Authority
from destutter_helper.confine import confine
from destutter_helper.gate import Call, describe, gate
from destutter_helper.idle import DO_NOT_QUEUE, PRIMARY_OWNER, IdleExit
from destutter_helper.log import Log
from destutter_helper.profiles import PowerProfileHold
from destutter_helper.runs import open_when_free, recover
from destutter_helper.selfcheck import check_own_code
from destutter_helper.service import Service
from destutter_helper.transaction import Engine

DRIVER, LOGIND = "org.freedesktop.DBus", "org.freedesktop.login1"
BOOT_IS_GOOD_AFTER_S = 180


def serve(root: str, address: str, idle_ms: int, log: Log) -> int:
    """Serve until nobody needs us, the bus ends or a signal comes; the exit status."""
    if root == "/":
        check_own_code()
    sys.excepthook = lambda _kind, error, _trace: _crash(log, error)
    confine()
    connection = BusConnection(address or BusConnection.TYPE_SYSTEM, mainloop=DBusGMainLoop())
    connection.set_exit_on_disconnect(False)
    engine = open_when_free(root, log, {"cpu.power_profile": PowerProfileHold(connection)})
    try:
        recover(engine)
        return _serve(connection, engine, idle_ms, log)
    finally:
        engine.close()
        connection.close()


def _serve(connection: Any, engine: Engine, idle_ms: int, log: Log) -> int:
    loop = GLib.MainLoop()
    service = Service(connection, engine, Authority(connection, log), log)
    idle = IdleExit(connection, lambda: service.is_needed, loop.quit, idle_ms)

    def admit(call: Call) -> None:
        idle.was_used = True
        service.serve(call)

    def on_left(name: str, _old: str, _new: str) -> None:
        _or_crash(log, lambda: service.forget(str(name)))

    def on_sleep(is_beginning: bool) -> None:  # noqa: FBT001 (logind's signature)
        if not is_beginning:
            _or_crash(log, service.resume)

    connection.add_message_filter(gate(connection, admit, log))
    connection.add_signal_receiver(on_left, "NameOwnerChanged", DRIVER, DRIVER, arg2="")
    connection.add_signal_receiver(on_sleep, "PrepareForSleep", f"{LOGIND}.Manager", LOGIND)
    connection.call_on_disconnection(lambda _connection: loop.quit())
    for number in (signal.SIGTERM, signal.SIGINT):
        GLib.unix_signal_add(GLib.PRIORITY_HIGH, number, loop.quit)
    up_s = int(time.clock_gettime(time.CLOCK_BOOTTIME))
    GLib.timeout_add_seconds(max(1, BOOT_IS_GOOD_AFTER_S - up_s), engine.confirm_boot)
    if connection.request_name(BUS_NAME, DO_NOT_QUEUE) != PRIMARY_OWNER:
        log("another helper serves already")
        return 0
    log(f"started pid={os.getpid()}")
    loop.run()
    service.end_trial(ENDED_SHUTDOWN)
    log("stopped")
    return 0


def _or_crash(log: Log, work: Callable[[], None]) -> None:
    """Run work that dbus-python would otherwise let fail in silence."""
    try:
        work()
    except Exception as error:  # noqa: BLE001 (whatever it is, the next start recovers)
        _crash(log, error)


def _crash(log: Log, error: BaseException) -> None:
    """Die at once: the next start takes back what was on trial; going on might not."""
    log.alert(f"crash: {describe(error)}")
    os._exit(1)
