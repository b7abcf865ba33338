# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of every state of the window: `python -m tests.screenshots`."""
