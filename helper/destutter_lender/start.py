# SPDX-License-Identifier: GPL-3.0-or-later
"""The lender's command line: none, for the bus starts it."""

import os
import resource
import sys
from contextlib import closing, suppress

from destutter_lender.only_one import OnlyOne, TakenError

_TAKEN = 3


def main(arguments: list[str]) -> int:
    """Serve the session bus; 0 done, 1 could not, 2 wrong usage, 3 another lender does."""
    if arguments:
        sys.stderr.write("destutter-lender: takes no arguments; the session bus starts it\n")
        return 2
    try:
        only_one = OnlyOne(os.environ)
    except TakenError:
        sys.stderr.write("destutter-lender: another one serves this bus\n")
        return _TAKEN
    _take_descriptors()
    import dbus

    from destutter_lender.daemon import serve
    from destutter_lender.files import Lender

    try:
        with closing(Lender(os.getuid())) as lender:
            return serve(lender, at_end=only_one.release)
    except dbus.DBusException as error:
        sys.stderr.write(f"destutter-lender: no session bus: {error.get_dbus_name()}\n")
        return 1


def _take_descriptors() -> None:
    """All that this process may have.

    A login gives 1,024. libdbus takes in what whole messages bring, 16 each, before anybody sees
    them, and leaves the bus when it has no more: five senders ended the lender within two seconds.
    """
    _now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
