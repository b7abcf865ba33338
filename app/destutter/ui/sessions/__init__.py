# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of recordings: list, one session, two compared, report."""
