# SPDX-License-Identifier: GPL-3.0-or-later
"""A signal to nobody in particular is a failure of the test that sends it.

0 and -1 stand for everybody of the own group and of the computer. A test that killed "0", which is
how the kernel says that it does not know who, ended a whole run in CI without a word.
"""

import os
from collections.abc import Callable

_KILL = os.kill
_KILL_GROUP = os.killpg


def install() -> None:
    """From here on ``os.kill`` and ``os.killpg`` of this process refuse those."""
    os.kill = _refusing(_KILL, "kill")
    os.killpg = _refusing(_KILL_GROUP, "killpg")


def _refusing(send: Callable[[int, int], None], name: str) -> Callable[[int, int], None]:
    def refuse_or_send(who: int, number: int) -> None:
        if number and (who <= 0 or (name == "killpg" and who == os.getpgrp())):
            raise AssertionError(f"os.{name}({who}, {number}) would hit the tests themselves")
        send(who, number)

    return refuse_or_send
