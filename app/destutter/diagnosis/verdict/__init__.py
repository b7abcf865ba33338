# SPDX-License-Identifier: GPL-3.0-or-later
"""The first sentence of all, what it clears, and the five tiles."""
