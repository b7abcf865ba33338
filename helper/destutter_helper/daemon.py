# SPDX-License-Identifier: GPL-3.0-or-later
"""The helper on the bus: one connection, one loop, one thread."""

import contextlib
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dbus.bus import BusConnection
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

from destutter_helper.api.names import BUS_NAME, ENDED_SHUTDOWN, HOLDS_NAME
from destutter_helper.authority import Authority
from destutter_helper.callers import BUS, Callers
from destutter_helper.engine import Engine, make_engine
from destutter_helper.gate import DRIVER, LOGIND, Call, describe, drop_signals, gate
from destutter_helper.guardian import Guardian
from destutter_helper.journal import NS_PER_S
from destutter_helper.kernel_tree import KernelTree
from destutter_helper.log import Log
from destutter_helper.profiles import PowerProfileHold
from destutter_helper.readers import READERS
from destutter_helper.service import Service
from destutter_helper.stores import Stores
from destutter_helper.trace_grants import LOOK_S, Grants

# Where no user's session comes to confirm the start: else every server would lose what is kept
# after two starts.
BOOT_IS_GOOD_AFTER_S = 180
OWNERS_ASKED_EVERY_S = 2  # a trial is over within six seconds of its caller's end
IDLE_MS = 60_000  # nothing of root stays for nobody; who soon asks again still finds it
DO_NOT_QUEUE, PRIMARY_OWNER = 4, 1  # D-Bus specification, RequestName


def serve(
    tree: KernelTree,
    stores: Stores,
    guardian: Guardian,
    log: Log,
    *,
    address: str = "",
    idle_ms: int = IDLE_MS,
) -> int:
    """Serve until nobody needs us, the bus or the guardian ends or a signal comes.

    The exit status is 1 when it was not meant to end. On the system bus, unless tests give
    another address.
    """
    sys.excepthook = lambda _kind, error, _trace: _crash(log, error)
    with contextlib.ExitStack() as opened:
        # The bus's policy knows connections by their names, so each has its name at once. What
        # comes from now on waits in its queue until there is somebody to look at it (`_serve`).
        apart = opened.enter_context(_connection(address))
        apart.request_name(HOLDS_NAME)
        connection = opened.enter_context(_connection(address))
        if connection.request_name(BUS_NAME, DO_NOT_QUEUE) != PRIMARY_OWNER:
            log("another helper serves already")
            return 0
        apart.add_message_filter(drop_signals)
        holds = {"cpu.power_profile": PowerProfileHold(apart)}
        engine = opened.enter_context(
            contextlib.closing(make_engine(tree, stores, guardian, holds))
        )
        # In this order: what is kept is not set while the journal has something in flight
        # (reason_to_wait).
        engine.recover()
        engine.boot_first()
        grants = opened.enter_context(contextlib.closing(Grants(tree, log)))
        return _serve((connection, apart), engine, grants, idle_ms, log)


def _connection(address: str) -> contextlib.closing[Any]:
    """A connection of our own to the bus, to be closed."""
    connection = BusConnection(address or BusConnection.TYPE_SYSTEM, mainloop=DBusGMainLoop())
    # Else libdbus ends the process when the bus goes: the trial has to be taken back before, and
    # the status must tell systemd to start it again.
    connection.set_exit_on_disconnect(False)
    return contextlib.closing(connection)


def _serve(
    connections: tuple[Any, Any], engine: Engine, grants: Grants, idle_ms: int, log: Log
) -> int:
    connection = connections[0]
    ending = Ending()
    service = Service(connection, engine, grants, Authority(connection, log), log)
    callers = Callers(connection)
    idle = IdleExit(connection, lambda: service.is_needed or callers.is_asking, ending.loop.quit)

    def admit(call: Call) -> None:
        idle.was_used = True
        service.serve(call)

    connection.add_message_filter(gate(connection, callers, admit, log, {*READERS}))
    _listen(connection, service)
    for each in connections:
        _hear_leavers(each, service, callers)
    GLib.timeout_add_seconds(OWNERS_ASKED_EVERY_S, _ask_for_owners, connections[1], service)
    for each in connections:  # with the other one goes the power profile that is held
        each.call_on_disconnection(lambda _connection: ending.because("the bus is lost"))
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        GLib.unix_signal_add(GLib.PRIORITY_HIGH, number, ending.loop.quit)
    if engine.guardian is not None:
        _hear(engine.guardian, service, ending)
    _watch(grants)
    GLib.timeout_add(idle_ms, idle.look)
    up_s = engine.kernel.tree.boottime_ns() // NS_PER_S
    GLib.timeout_add_seconds(max(1, BOOT_IS_GOOD_AFTER_S - up_s), engine.confirm_boot)
    log(f"started pid={os.getpid()}")
    ending.loop.run()
    service.end_trial(ENDED_SHUTDOWN)
    for trouble in ending.troubles:
        log.alert(trouble)
    log("stopped")
    return int(bool(ending.troubles))


class Ending:
    """The loop, and why it had to end, if it was not meant to."""

    def __init__(self) -> None:
        self.loop = GLib.MainLoop()
        self.troubles: list[str] = []

    def because(self, trouble: str) -> None:
        """End with a status that makes systemd start the service again."""
        self.troubles.append(trouble)
        self.loop.quit()


def _hear_leavers(connection: Any, service: Service, callers: Callers) -> None:
    """Hear who leaves the bus, on both connections: the bus drops a signal for one whose queue is
    full, and with 18,000 calls of any user in it a trial outlived its caller by its two minutes.

    What a handler of a signal raises is lost in dbus-python; what GLib calls ends in `_crash`.
    """

    def on_left(name: Any, *_owners: Any) -> None:
        callers.forget(str(name))
        GLib.idle_add(service.forget, str(name), priority=GLib.PRIORITY_HIGH)

    connection.add_signal_receiver(on_left, "NameOwnerChanged", DRIVER, DRIVER, arg2="")


def _ask_for_owners(connection: Any, service: Service) -> bool:
    """Ask whether those are still there who have a trial or a trace, should a signal be lost.

    On the connection that has no callers, so that the answer does not wait behind theirs.
    """

    def ask(name: str) -> None:
        def on_answer(is_there: Any) -> None:
            if not is_there:
                GLib.idle_add(service.forget, name, priority=GLib.PRIORITY_HIGH)

        # No answer is no news: asked again in a moment.
        asked = "NameHasOwner", "s", (name,), on_answer, lambda _error: None
        connection.call_async(*BUS, *asked)

    for name in service.owners:
        ask(name)
    return True


def _listen(connection: Any, service: Service) -> None:
    """Hear when a sleep is over."""

    def on_sleep(is_beginning: Any) -> None:
        if not is_beginning:
            GLib.idle_add(service.resume, priority=GLib.PRIORITY_HIGH)

    connection.add_signal_receiver(on_sleep, "PrepareForSleep", f"{LOGIND}.Manager", LOGIND)


def _hear(guardian: Guardian, service: Service, ending: Ending) -> None:
    """Hear that the guardian took the trial back; without it no trial may go on."""

    def on_news(*_event: Any) -> bool:
        try:
            service.hear_guardian()
        except OSError as error:
            ending.because(str(error))
            return False
        return True

    news = GLib.IOCondition.IN | GLib.IOCondition.HUP
    GLib.io_add_watch(guardian.fileno(), GLib.PRIORITY_HIGH, news, on_news)


def _watch(grants: Grants) -> None:
    """Hear that somebody has let a trace go, and look at the time of all."""

    def on_closed(*_event: Any) -> bool:
        grants.hear()
        return True

    def on_time() -> bool:
        grants.look()
        return True

    GLib.io_add_watch(grants.fileno(), GLib.PRIORITY_DEFAULT, GLib.IOCondition.IN, on_closed)
    GLib.timeout_add_seconds(LOOK_S, on_time)


def _crash(log: Log, error: BaseException) -> None:
    """Die at once: the next start takes back what was on trial; going on might not."""
    log.alert(f"crash: {describe(error)}")
    os._exit(1)


@dataclass
class IdleExit:
    """Quits the loop after a while without work, and loses no call that is already on its way.

    The name is given back first. From then on the bus starts a new helper for new calls, and what
    it had sent to us before lies in our queue and is still answered.
    """

    connection: Any
    is_needed: Callable[[], bool]
    leave: Callable[[], None]
    was_used: bool = False

    def look(self) -> bool:
        """Leave after a whole period in which nothing was asked and nothing ran."""
        if not self.was_used and not self.is_needed() and not self._is_wanted_again():
            self.leave()
        self.was_used = False
        return True  # look again after the same time

    def _is_wanted_again(self) -> bool:
        """Give the name back, answer what came before, take it again if that began something."""
        self.connection.release_name(BUS_NAME)
        context = GLib.MainContext.default()
        while context.iteration(may_block=False):
            pass
        if not self.is_needed():
            return False
        return bool(self.connection.request_name(BUS_NAME, DO_NOT_QUEUE) == PRIMARY_OWNER)
