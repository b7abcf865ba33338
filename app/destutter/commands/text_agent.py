# SPDX-License-Identifier: GPL-3.0-or-later
"""polkit's agent in a terminal, which asks for a password there."""

import os
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any, Self

_POLL_S = 0.1
_AGENT_S = 5.0  # longer, and a polkit that hangs keeps the command for ever


class TextAgent:
    """polkit's own agent for the terminal, while there is one; asks for a password there.

    A desktop session has a graphical agent, and then this one is only the fallback. Meanwhile
    Ctrl-Z does nothing: a shell that goes on with us shows what is typed, and the agent, which
    had switched that off for the password, does not know.
    """

    def __init__(self, was_interrupted: Callable[[], bool] = lambda: False) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._was_interrupted = was_interrupted
        self._before: Any = signal.SIG_DFL

    def __enter__(self) -> Self:
        program = shutil.which("pkttyagent")
        if program is not None and sys.stdin.isatty():
            # It closes the other end when polkit knows it: a question before that finds nobody.
            ready, told = os.pipe()
            command = [program, "--fallback", "--notify-fd", str(told)]
            self._before = signal.signal(signal.SIGTSTP, signal.SIG_IGN)  # inherited by the agent
            try:
                self._process = subprocess.Popen(command, pass_fds=[told])
            except OSError:  # there was one a moment ago: polkit asks whoever else there is
                signal.signal(signal.SIGTSTP, self._before)
                os.close(ready)
                return self
            finally:
                # The agent has its own: with ours open the end that tells "ready" would never be
                # seen.
                os.close(told)
            # A polkit that hangs never knows it; whoever asks then is told so by the helper.
            since = time.monotonic()
            while not select.select([ready], [], [], _POLL_S)[0]:
                if self._was_interrupted() or time.monotonic() - since > _AGENT_S:
                    break
            os.close(ready)
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
            signal.signal(signal.SIGTSTP, self._before)
