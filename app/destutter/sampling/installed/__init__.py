# SPDX-License-Identifier: GPL-3.0-or-later
"""Which games are installed, and whether MangoHud is; read from the launchers' own files."""
