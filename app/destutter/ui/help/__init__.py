# SPDX-License-Identifier: GPL-3.0-or-later
"""Paragraphs that help where something is missing: helper, frame times."""
