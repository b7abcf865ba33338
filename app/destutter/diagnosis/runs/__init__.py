# SPDX-License-Identifier: GPL-3.0-or-later
"""What whole runs say: their figures, their phases, and which of two is smoother."""
