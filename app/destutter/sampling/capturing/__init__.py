# SPDX-License-Identifier: GPL-3.0-or-later
"""A computer's kernel files as an archive."""
