# SPDX-License-Identifier: GPL-3.0-or-later
"""Which version this is."""

from destutter_helper.api.names import HELPER_VERSION


def program_version() -> str:
    """The version of the program, which is released together with its helper."""
    return HELPER_VERSION
