# SPDX-License-Identifier: GPL-3.0-or-later
"""Benchmarks: `make bench`. The protocol is in __main__.py."""
