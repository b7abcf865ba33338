# SPDX-License-Identifier: GPL-3.0-or-later
"""What the window says: numbers, names and sentences in the user's language."""
