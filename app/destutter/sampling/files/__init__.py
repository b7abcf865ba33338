# SPDX-License-Identifier: GPL-3.0-or-later
"""How the kernel's files are read: kept open, taken apart, told as measurements."""
