# SPDX-License-Identifier: GPL-3.0-or-later
"""Graphics cards of every maker, and what one program does on them."""
