# SPDX-License-Identifier: GPL-3.0-or-later
"""The window around the pages: navigation, banners, tray, closing."""
