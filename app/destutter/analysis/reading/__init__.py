# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of sessions: found, read in a child process, and taken in from elsewhere."""
