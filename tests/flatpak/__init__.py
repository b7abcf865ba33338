# SPDX-License-Identifier: GPL-3.0-or-later
"""The Flatpak in a real sandbox, for an ordinary user; needs root for its stand-in runtime."""
