# SPDX-License-Identifier: GPL-3.0-or-later
"""What diagnosis remembers of the stream, in constant memory."""
