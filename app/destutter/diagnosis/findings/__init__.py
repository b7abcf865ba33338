# SPDX-License-Identifier: GPL-3.0-or-later
"""From the answers for single stutters and the rules of causes to what is told."""
