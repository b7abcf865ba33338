# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings and what became of them, as far as window and terminal say the same."""
