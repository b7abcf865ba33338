# SPDX-License-Identifier: GPL-3.0-or-later
"""What the game waited for within one stutter, and how sure that is."""
