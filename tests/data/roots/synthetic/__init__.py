# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernel trees of computers that nobody here has; ``make_synthetic`` writes them as archives."""
