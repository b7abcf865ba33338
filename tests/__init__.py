# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of Destutter. A real package, so that no other `tests` on the path can stand in for it."""
