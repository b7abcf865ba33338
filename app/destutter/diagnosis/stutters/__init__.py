# SPDX-License-Identifier: GPL-3.0-or-later
"""When the game stuttered, from frames, from its pace or from late wake-ups."""
