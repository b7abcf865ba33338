# SPDX-License-Identifier: GPL-3.0-or-later
"""The Changes page, its view of all settings, and the banner of a trial."""
