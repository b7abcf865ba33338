# SPDX-License-Identifier: GPL-3.0-or-later
"""Which process is the game."""

from destutter.core.sample import RawValue


class WatchedProcess:
    """Which process is the game, shared by the samplers that look at it. None: none is.

    ``main_run_ns`` is how long its main thread has run and ``threads`` how many it has, as of this
    tick; None: not known. ``is_traced``: its main thread stands still because somebody traces it,
    ``is_blocked``: it sleeps and cannot be woken (state D).
    """

    def __init__(self, pid: int | None = None) -> None:
        self.pid = pid
        self.main_run_ns: RawValue = None
        self.threads: RawValue = None
        self.is_traced = self.is_blocked = False
