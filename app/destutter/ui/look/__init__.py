# SPDX-License-Identifier: GPL-3.0-or-later
"""Colours, fonts, icons and sizes, dark and light."""
