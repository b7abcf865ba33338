# SPDX-License-Identifier: GPL-3.0-or-later
"""The lender's command line: none, for the bus starts it."""

import os
import sys
from contextlib import closing

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
    import dbus

    from destutter_lender.daemon import serve
    from destutter_lender.files import Lender

    try:
        with closing(Lender(os.getuid())) as lender:
            return serve(lender, at_end=only_one.release)
    except dbus.DBusException as error:
        sys.stderr.write(f"destutter-lender: no session bus: {error.get_dbus_name()}\n")
        return 1
