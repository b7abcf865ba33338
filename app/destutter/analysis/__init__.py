# SPDX-License-Identifier: GPL-3.0-or-later
"""What sessions, comparisons and changes say, for window and terminal alike. No Qt."""
