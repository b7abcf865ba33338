# SPDX-License-Identifier: GPL-3.0-or-later
"""``destutter record --trace`` with what a confined helper lends, without a bus."""

import os
import sys

from destutter.__main__ import main as destutter
from destutter.analysis.changes.trace_grant import TraceGrantError
from destutter.commands import live_trace
from destutter.core.statement import told
from destutter_helper.api.tracing import encode_formats
from tests.support.trace_lender import TraceLender


class LentGrant:
    """Stands for `TraceGrant`."""

    is_over = False

    def __init__(self, *, game: bool) -> None:
        self._lender = TraceLender()
        self._id, self.formats, self._hold = self._lender.begin(os.getuid(), game=game)
        self.formats_text = encode_formats(self.formats)
        self.descriptors = tuple(self._lender.rings(self._id))
        assert len(self.descriptors) == len(self.formats.cpus) * len(self.formats.instances)

    def watch(self, pid: int) -> None:
        """Record the threads of a process."""
        answer = self._lender.ask("tasks", id=self._id, pids=[pid])
        if "error" in answer:
            raise TraceGrantError(told(answer["text"]))

    def close(self) -> None:
        """End it."""
        if self.descriptors:
            self.descriptors = ()
            self._lender.__exit__(None, None, None)


if __name__ == "__main__":
    vars(live_trace)["ask_for_trace"] = LentGrant
    sys.exit(destutter())
