# SPDX-License-Identifier: GPL-3.0-or-later
"""What every test must leave behind: nothing. Registered by tests/conftest.py."""
