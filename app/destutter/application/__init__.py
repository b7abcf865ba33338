# SPDX-License-Identifier: GPL-3.0-or-later
"""Composition of the window: builds the objects and connects them, one module per concern."""
