# SPDX-License-Identifier: GPL-3.0-or-later
"""What was measured within one stutter."""
