# SPDX-License-Identifier: GPL-3.0-or-later
"""What a page is to the window: its place, its notices, the banners above it."""
