# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading the kernel: the samplers, the probes, and the child process that they run in."""
