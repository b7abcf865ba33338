# SPDX-License-Identifier: GPL-3.0-or-later
"""How the kernel calls threads."""

COMM_LENGTH = 15
"""It keeps no more of a name (TASK_COMM_LEN less its end)."""

KSOFTIRQD = "ksoftirqd/"
"""Before the number of the CPU whose deferred interrupts the thread works off."""
