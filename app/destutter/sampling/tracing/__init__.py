# SPDX-License-Identifier: GPL-3.0-or-later
"""What the kernel's event tracing records, read from its own pages and paired into waits."""
