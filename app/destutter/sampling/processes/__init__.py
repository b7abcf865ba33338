# SPDX-License-Identifier: GPL-3.0-or-later
"""What all programs do, and which threads are real-time."""
