# SPDX-License-Identifier: GPL-3.0-or-later
"""Who calls, asked of the bus without waiting for it, and how much of our time each may take.

A blocking call would wait behind everything that strangers have sent to us, and libdbus looks
through all of it for the answer: 12.7 MB of tiny messages held up the helper for 32 s.
"""

import time
from collections.abc import Callable
from typing import Any

BUS = ("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")
WAITING_MAX = 64  # calls of one sender whose user is not known yet
# So nine tenths of the time stay for trials and undos, whoever asks for lists and previews without
# end.
BURST_S, SHARE = 2.0, 0.1  # seconds of work at once, and then a tenth of the time

Answer = Callable[[int | None], None]
"""Gets the user id, or None when the sender has left."""


class Callers:
    """The users behind the connections, each asked for once."""

    def __init__(self, connection: Any) -> None:
        """Ask the bus of this connection."""
        self._connection = connection
        self._uids: dict[str, int] = {}
        self._waiting: dict[str, list[Answer]] = {}
        self._spent: dict[int, tuple[float, float]] = {}  # by user: seconds owed, and when

    def identify(self, sender: str, then: Answer) -> bool:
        """Call ``then`` with the user behind a connection; False when too many wait for that.

        Calls of one sender keep their order.
        """
        if sender in self._uids:
            then(self._uids[sender])
            return True
        waiting = self._waiting.setdefault(sender, [])
        if len(waiting) >= WAITING_MAX:
            return False
        waiting.append(then)
        if len(waiting) == 1:
            self._connection.call_async(
                *BUS,
                "GetConnectionUnixUser",
                "s",
                (sender,),
                lambda uid: self._on_answer(sender, int(uid)),
                lambda _error: self._on_answer(sender, None),
            )
        return True

    @property
    def is_asking(self) -> bool:
        """Whether a call waits for the bus to say whose it is."""
        return bool(self._waiting)

    def forget(self, sender: str) -> None:
        """The connection has left the bus; its name is never given to another."""
        self._uids.pop(sender, None)
        self._on_answer(sender, None)

    def is_overdrawn(self, uid: int) -> bool:
        """Whether a user has had more than its share of our time."""
        return self._owed_s(uid) > BURST_S

    def charge(self, uid: int, seconds: float) -> None:
        """Note that we worked for a user for so long."""
        now = time.monotonic()
        self._spent = {one: at for one, at in self._spent.items() if self._owed_s(one) > 0}
        self._spent[uid] = self._owed_s(uid) + seconds, now

    def _owed_s(self, uid: int) -> float:
        owed, since = self._spent.get(uid, (0.0, 0.0))
        return max(owed - (time.monotonic() - since) * SHARE, 0.0)

    def _on_answer(self, sender: str, uid: int | None) -> None:
        waiting = self._waiting.pop(sender, None)
        if waiting is None:
            return  # it has left
        if uid is not None:
            self._uids[sender] = uid
        for then in waiting:
            then(uid)
