# SPDX-License-Identifier: GPL-3.0-or-later
"""Refuses to run code that somebody else than root could have changed."""

import importlib.util
import os
import stat
import sys
from pathlib import Path


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
    for path in sorted({*filter(None, files), *sys.path}):
        # On Debian -I still looks there before /usr/lib: a file there would replace a module of
        # the system.
        if path.startswith("/usr/local/") and path in sys.path[1:]:
            raise UntrustedError(f"{path} is on the search path of modules")
        if os.path.exists(path):
            check_owner(Path(path))


def check_before_importing(own: Path) -> None:
    """Raise UntrustedError unless what will be imported is root's, before it can do anything.

    That is all of our own code below the directory ``own``, and of the bus libraries, with what
    is compiled of it: Python runs a compiled file without a look at its owner.
    """
    places = [own, *map(Path, sys.path)]
    for name in ("dbus", "_dbus_bindings", "_dbus_glib_bindings", "gi"):
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.origin is not None:
            places.append(Path(spec.origin))
            places += map(Path, spec.submodule_search_locations or ())
    packages = [own, *(place for place in places if place.name in {"dbus", "gi"})]
    for path in sorted({*places, *(file for package in packages for file in package.rglob("*"))}):
        if os.path.exists(path):
            check_owner(path)


def check_owner(path: Path) -> None:
    """Raise UntrustedError unless the file and all directories above it are writable by root only.

    Links are followed, and the directories in which they lie are checked as well.
    """
    real = path.resolve()
    for name in {path, *path.parents, real, *real.parents}:
        status = os.lstat(name)
        if status.st_uid != 0:
            raise UntrustedError(f"{name} does not belong to root")
        if not stat.S_ISLNK(status.st_mode) and status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            raise UntrustedError(f"{name} can be written by others than root")
