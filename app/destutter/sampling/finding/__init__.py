# SPDX-License-Identifier: GPL-3.0-or-later
"""Which game is watched, and what is known of it by name."""
