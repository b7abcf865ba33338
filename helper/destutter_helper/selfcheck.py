# SPDX-License-Identifier: GPL-3.0-or-later
"""Refuses to run code that somebody else than root could have changed.

Without pathlib, which costs 4 ms of a start, and with each folder looked at once in a pass: some
300 files of ten folders took 35 of 155 ms when each was followed up to / by itself.
"""

import importlib.util
import os
import stat
import sys
from collections.abc import Iterable


class UntrustedError(Exception):
    """What is wrong with the files of this process, in one line."""


def check_own_code() -> None:
    """Raise UntrustedError unless all loaded code, and all places it may come from, are root's."""
    if not sys.flags.isolated:
        raise UntrustedError("the interpreter is not isolated: start destutter-helper itself")
    # On Debian -I still looks there before /usr/lib: a file there would replace a module of the
    # system.
    if local := [path for path in sys.path[1:] if path.startswith("/usr/local/")]:
        raise UntrustedError(f"{local[0]} is on the search path of modules")
    loaded = [*sys.modules.values()]
    files = [getattr(each, name, "") for each in loaded for name in ("__file__", "__cached__")]
    check_owners([*filter(None, files), *sys.path])


def check_before_importing(own: str) -> None:
    """Raise UntrustedError unless what will be imported is root's, before it can do anything.

    That is all of our own code below the directory ``own``, and of the bus libraries, with what
    is compiled of it: Python runs a compiled file without a look at its owner.
    """
    bus = ("dbus", "_dbus_bindings", "_dbus_glib_bindings", "gi")
    specs = [spec for name in bus if (spec := importlib.util.find_spec(name))]
    folders = [own, *(place for spec in specs for place in spec.submodule_search_locations or ())]
    below = [each for folder in folders for each in os.walk(folder)]
    files = [os.path.join(at, name) for at, inner, names in below for name in (*inner, *names)]
    check_owners([*sys.path, *(spec.origin or "" for spec in specs), *folders, *files])


def check_owners(paths: Iterable[str]) -> None:
    """Raise UntrustedError unless the files and all directories above are root's to write only.

    Links are followed, and the directories in which they lie are checked as well. What does not
    exist is passed over.
    """
    checked: set[str] = set()
    # Not made shorter: what ".." means behind a link only the kernel knows.
    met = sorted(os.path.join(os.getcwd(), path) for path in paths if os.path.exists(path))
    for path in met:  # which grows by what each leads to
        if path in checked:
            continue
        checked.add(path)
        status = os.lstat(path)
        if status.st_uid != 0:
            raise UntrustedError(f"{path} does not belong to root")
        if stat.S_ISLNK(status.st_mode):
            met.append(os.path.realpath(path))
        elif status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            raise UntrustedError(f"{path} can be written by others than root")
        met.append(os.path.dirname(path))
