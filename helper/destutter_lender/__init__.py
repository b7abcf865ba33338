# SPDX-License-Identifier: GPL-3.0-or-later
"""Lends a window in a sandbox files of its user's processes. Never runs as root's service."""
