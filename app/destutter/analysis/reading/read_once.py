# SPDX-License-Identifier: GPL-3.0-or-later
"""What was read of recordings lately, for all who look at them.

The guide, the verdict above all pages and the page of sessions look at the same two files at the
end of a trial: each read both, 25 to 65 s of a computer whose memory was full, and the guide told
the verdict while the line above it said that it was being compared.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable

from destutter.analysis.examining.summary import SessionSummary
from destutter.analysis.reading.session_reader import Tell

_KEPT = 6  # two that are compared and the two before for each; going back reads no hour again
_LOOK_S = 0.1


class ReadOnce:
    """Each file is read by one at a time; whoever wants it meanwhile waits, and hears how far it
    is. Called from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: OrderedDict[Hashable, SessionSummary] = OrderedDict()
        self._shares: dict[Hashable, float] = {}

    def known(self, key: Hashable) -> SessionSummary | None:
        with self._lock:
            return self._known.get(key)

    def read(
        self,
        key: Hashable,
        read: Callable[[Tell], SessionSummary],
        tell: Tell,
        check: Callable[[], None],
    ) -> SessionSummary:
        """What is known under this key, or what ``read`` says. ``check`` raises where nobody wants
        it any more; when another one's reading failed it is read here."""
        while (share := self._begin(key)) is not None:
            found = self.known(key)
            if found is not None:
                return found
            check()
            tell(share)
            time.sleep(_LOOK_S)
        try:
            return self._read(key, read, tell)
        finally:
            with self._lock:
                del self._shares[key]

    def _begin(self, key: Hashable) -> float | None:
        """How much of it is read already, by another one or in all; None: it is ours to read."""
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
                return 1.0
            if key in self._shares:
                return self._shares[key]
            self._shares[key] = 0.0
            return None

    def _read(
        self, key: Hashable, read: Callable[[Tell], SessionSummary], tell: Tell
    ) -> SessionSummary:
        def note(share: float) -> None:
            self._shares[key] = share
            tell(share)

        found = read(note)
        with self._lock:
            self._known[key] = found
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)
        return found
