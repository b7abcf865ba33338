# SPDX-License-Identifier: GPL-3.0-or-later
"""What every test must leave behind: nothing. Registered by tests/conftest.py."""

RED = 8
"""Exit status of a session that a guard turned red, whatever its tests said: not one of pytest's,
as .ci/check gives a failed test a second try, and a guard none."""
