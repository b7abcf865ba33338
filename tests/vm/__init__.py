# SPDX-License-Identifier: GPL-3.0-or-later
"""A booted Debian guest for what no container can show; needs root, debootstrap and QEMU."""
