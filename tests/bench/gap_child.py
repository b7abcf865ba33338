# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares two recordings in a window's way and says how long its event loop stood still.

`python -m tests.bench.gap_child here|apart A B`: read in a thread of this process, or by a process
of their own. Prints the longest gap and the whole time in milliseconds, and MiB resident after it.
"""

import sys
import time
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QTimer

from destutter.bridge.background_jobs import Jobs
from destutter.bridge.reading_apart import APART
from destutter.bridge.session_examiner import SessionExaminer
from tests.bench.gui_child import rss_mb
from tests.support.sessions import HERE

_BEAT_MS = 5


def main(how: str, *names: str) -> None:
    """Compare, with a timer that notes how late it is called."""
    app = QCoreApplication([])
    jobs = Jobs()
    examiner = SessionExaminer(jobs, APART if how == "apart" else HERE)
    beats: list[float] = []
    timer = QTimer()
    timer.setInterval(_BEAT_MS)
    timer.timeout.connect(lambda: beats.append(time.monotonic()))
    examiner.examined.connect(app.quit)
    timer.start()
    begun = time.monotonic()
    examiner.examine([Path(name) for name in names], [10_800.0] * len(names))
    app.exec()
    beats.append(time.monotonic())
    longest = max(later - earlier for earlier, later in zip([begun, *beats], beats, strict=False))
    print(f"{1e3 * longest:.1f} {1e3 * (beats[-1] - begun):.0f} {rss_mb():.1f}")
    jobs.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
