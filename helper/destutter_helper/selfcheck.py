# SPDX-License-Identifier: GPL-3.0-or-later
"""Refuses to run code that somebody else than root could have changed.

Without pathlib, which costs 4 ms of a start, and with each folder looked at once in a pass: some
300 files of ten folders took 35 of 155 ms when each was followed up to / by itself.
"""

import importlib.util
import os
import stat
import sys
from collections.abc import Iterable, Iterator


class UntrustedError(Exception):
    """What is wrong with the files of this process, in one line."""


def check_own_code() -> None:
    """Raise UntrustedError unless all loaded code, and all places it may come from, are root's."""
    if not sys.flags.isolated:
        raise UntrustedError("the interpreter is not isolated: start destutter-helper itself")
    files = [
        getattr(module, name, None)
        for module in list(sys.modules.values())
        for name in ("__file__", "__cached__")
    ]
    for path in sys.path[1:]:
        # On Debian -I still looks there before /usr/lib: a file there would replace a module of
        # the system.
        if path.startswith("/usr/local/"):
            raise UntrustedError(f"{path} is on the search path of modules")
    check_owners([*filter(None, files), *sys.path])


def check_before_importing(own: str) -> None:
    """Raise UntrustedError unless what will be imported is root's, before it can do anything.

    That is all of our own code below the directory ``own``, and of the bus libraries, with what
    is compiled of it: Python runs a compiled file without a look at its owner.
    """
    places = [own, *sys.path]
    packages = [own]
    for name in ("dbus", "_dbus_bindings", "_dbus_glib_bindings", "gi"):
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.origin is not None:
            places.append(spec.origin)
            packages += spec.submodule_search_locations or ()
    check_owners([*places, *(file for package in packages for file in _all_below(package))])


def check_owners(paths: Iterable[str]) -> None:
    """Raise UntrustedError unless the files and all directories above are root's to write only.

    Links are followed, and the directories in which they lie are checked as well. What does not
    exist is passed over.
    """
    checked: set[str] = set()
    for path in sorted(set(paths)):
        if os.path.exists(path):
            _check_upwards(os.path.abspath(path), checked)


def _check_upwards(path: str, checked: set[str]) -> None:
    while path not in checked:
        checked.add(path)
        status = os.lstat(path)
        if status.st_uid != 0:
            raise UntrustedError(f"{path} does not belong to root")
        if stat.S_ISLNK(status.st_mode):
            _check_upwards(os.path.realpath(path), checked)
        elif status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            raise UntrustedError(f"{path} can be written by others than root")
        path = os.path.dirname(path)


def _all_below(folder: str) -> Iterator[str]:
    for place, folders, files in os.walk(folder):
        yield place
        yield from (os.path.join(place, name) for name in (*folders, *files))
