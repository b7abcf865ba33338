# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether those who have a trial or a trace are still there: heard, and asked for as well.

The bus drops NameOwnerChanged for a connection whose queue is full. With 18,000 calls of Undo in
it, which any user may send, a trial outlived its caller by two minutes.
"""

from typing import Any

from gi.repository import GLib

from destutter_helper import daemon

GONE, THERE, SILENT = ":1.7", ":1.8", ":1.9"


class Bus:
    """Answers at once who is there, and remembers which signals are listened to."""

    def __init__(self):
        self.signals = []

    def call_async(self, *call):
        *_bus, member, signature, (name,), on_answer, on_error = call
        assert (member, signature) == ("NameHasOwner", "s")
        if name == SILENT:
            on_error(None)
        else:
            on_answer(name == THERE)

    def add_signal_receiver(self, handler, signal, *_about, **_arguments):
        self.signals.append((signal, handler))


class Served:
    """What the service and the callers are told of those who left."""

    def __init__(self, owners=()):
        self.owners = set(owners)
        self.left = []

    def forget(self, name):
        self.left.append(name)


def settle():
    """What was put off is done."""
    while GLib.MainContext.default().iteration(False):
        pass


def test_owners_who_have_left_unheard_are_forgotten():
    """Asked again and again; who is there stays, and no answer is no news."""
    served: Any = Served({GONE, THERE, SILENT})
    assert daemon._ask_for_owners(Bus(), served) is True
    settle()
    assert served.left == [GONE]


def test_without_a_trial_or_a_trace_nobody_is_asked_for():
    """The bus is left alone."""
    served: Any = Served()
    assert daemon._ask_for_owners(None, served) is True
    settle()
    assert served.left == []


def test_who_leaves_is_told_to_all():
    """The name is forgotten as a caller and as an owner."""
    bus = Bus()
    served: Any = Served()
    callers: Any = Served()
    daemon._hear_leavers(bus, served, callers)
    ((signal, handler),) = bus.signals
    assert signal == "NameOwnerChanged"
    handler(GONE, GONE, "")
    settle()
    assert (served.left, callers.left) == ([GONE], [GONE])
