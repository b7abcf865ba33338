# SPDX-License-Identifier: GPL-3.0-or-later
"""Which version this is."""

from importlib.metadata import PackageNotFoundError, version


def program_version() -> str:
    """The version of the installed package; "(unknown version)" when run from elsewhere."""
    try:
        return version("destutter")
    except PackageNotFoundError:
        return "(unknown version)"
