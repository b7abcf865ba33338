# SPDX-License-Identifier: GPL-3.0-or-later
"""What the game does, thread by thread, and what its groups allow it."""
