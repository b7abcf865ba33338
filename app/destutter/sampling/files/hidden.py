# SPDX-License-Identifier: GPL-3.0-or-later
"""What stands in for a sampler that would only see this program itself, and take it for all."""

from collections.abc import Sequence

from destutter.core.statement import Statement
from destutter.sampling.files.measurement import AbsentError, Measurement

OF_OTHER_PROGRAMS = frozenset({"process", "realtime", "realtime_run", "kernel_thread"})
"""Samplers that look at everybody. Those of the game say nothing while none is watched."""

NEVER_LENT = frozenset({"partner"})
"""Samplers that need what no lender lends: what memory a program has mapped, and where."""


class HiddenSampler:
    """A source that the sandbox keeps out of sight."""

    def __init__(self, sources: tuple[str, ...], reason: Statement) -> None:
        self.sources = sources
        self._reason = reason

    def read(self) -> Sequence[Measurement]:
        """Raises ``AbsentError``, always."""
        raise AbsentError(self._reason)

    def close(self) -> None:
        """Nothing is open."""
