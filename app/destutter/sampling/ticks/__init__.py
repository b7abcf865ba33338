# SPDX-License-Identifier: GPL-3.0-or-later
"""One sampler under way, in the tick or beside it."""
