# SPDX-License-Identifier: GPL-3.0-or-later
"""The guide: five steps from a stutter to a fair verdict."""
