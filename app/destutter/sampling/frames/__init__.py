# SPDX-License-Identifier: GPL-3.0-or-later
"""Frame times: logs of other tools, and a simulator that tells them."""
