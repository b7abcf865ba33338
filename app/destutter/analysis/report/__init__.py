# SPDX-License-Identifier: GPL-3.0-or-later
"""Sessions and comparisons as documents that can be passed on: HTML and Markdown. No Qt."""
