# SPDX-License-Identifier: GPL-3.0-or-later
"""What the computer does: memory, processors, interrupts, drives, sensors."""
