# SPDX-License-Identifier: GPL-3.0-or-later
"""A stream of messages becomes snapshots, and at its end the summary of a session."""
