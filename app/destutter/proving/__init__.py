# SPDX-License-Identifier: GPL-3.0-or-later
"""Short experiments: make a load, measure what it does, and judge one setting against another."""
