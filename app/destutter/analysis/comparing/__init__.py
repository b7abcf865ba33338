# SPDX-License-Identifier: GPL-3.0-or-later
"""Two sessions, or several of each side, against each other."""
