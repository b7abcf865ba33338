# SPDX-License-Identifier: GPL-3.0-or-later
"""Loads GLib once: PyGObject of Debian 12 imports itself in a way that Python 3.11 warns about."""

import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore", ImportWarning)
    from gi.repository import GLib  # noqa: F401
