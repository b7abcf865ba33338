# SPDX-License-Identifier: GPL-3.0-or-later
"""What the helper and the application share: names, the list of tunables, the wire format.

Standard library only, so that the application may import it without the helper's dependencies.
"""
