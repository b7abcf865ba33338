# SPDX-License-Identifier: GPL-3.0-or-later
"""What it costs that the AppImage mounts itself: its window's first picture beside the folder's.

For after `make appimage`, which leaves the folder that was packed in build/appimage. Both are
started in turns on an X server of their own, each with an empty home, all files in the kernel's
cache; measured until the first window is mapped, as the X server tells it.
"""

import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from tests.bench.row import Row

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "build/appimage/AppDir/AppRun"
STARTS = 7
XEV_S = 0.3


def run() -> list[Row]:
    """Measure; half a minute."""
    images = sorted((ROOT / "dist").glob("Destutter-*.AppImage"))
    if not images or not FOLDER.exists():
        sys.exit("there is none: make appimage first")
    programs = {"image": images[-1], "folder": FOLDER}
    with _screen() as display:
        # The first of each reads from the disk, and is not counted.
        turns = [
            {what: _start(program, display) for what, program in programs.items()}
            for _ in range(STARTS + 1)
        ][1:]
    image, folder = (statistics.median(turn[what] for turn in turns) for what in programs)
    ratio = image / folder
    name, reference = "start of the AppImage to its window", f"unpacked, {1e3 * folder:.0f} ms"
    return [Row(name, 1e3 * image, "ms", reference, ratio, "<= 1.5", ratio <= 1.5)]


@contextmanager
def _screen() -> Iterator[str]:
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-noreset", "-screen", "0", "1440x900x24"]
    with subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL) as server:
        os.close(writing)
        with os.fdopen(reading) as told:
            display = ":" + told.readline().strip()
        try:
            yield display
        finally:
            server.terminate()


def _start(program: Path, display: str) -> float:
    """Seconds until its first window."""
    with tempfile.TemporaryDirectory(prefix="destutter-bench-") as home:
        environment = {"PATH": os.environ["PATH"], "DISPLAY": display, "LANG": "C.UTF-8"}
        environment |= {"HOME": home, "TMPDIR": home, "XDG_RUNTIME_DIR": home}
        with _watching(environment) as events:
            begun = time.monotonic()
            started = subprocess.Popen(
                [program], env=environment, stderr=subprocess.DEVNULL, start_new_session=True
            )
            try:
                while not events.readline().startswith(b"MapNotify"):
                    pass
                return time.monotonic() - begun
            finally:
                os.killpg(started.pid, signal.SIGTERM)
                started.wait()


@contextmanager
def _watching(environment: dict[str, str]) -> Iterator[IO[bytes]]:
    """The lines of what happens to the screen's windows."""
    command = ["stdbuf", "-oL", "xev", "-root", "-event", "substructure"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as watch:
        assert watch.stdout
        time.sleep(XEV_S)  # it does not say that it watches
        try:
            yield watch.stdout
        finally:
            watch.terminate()
