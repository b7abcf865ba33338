# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that measure what a game would feel: wake-ups, writes, bursts of memory."""
