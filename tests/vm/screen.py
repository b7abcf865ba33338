# SPDX-License-Identifier: GPL-3.0-or-later
"""The screen of the guest, for scenarios: the window from its menu entry, its picture, clicks."""

import configparser
import os
import shlex
import struct
import subprocess
from collections.abc import Container
from pathlib import Path
from typing import BinaryIO

from tests.vm.installed import run, until
from tests.vm.player import in_session

ENTRY = Path("/usr/share/applications/io.github.destutter.Destutter.desktop")
SCREEN = ":7"
PICTURE = Path("/tmp/screen/Xvfb_screen0")
SAID = Path("/tmp/window-said")
PID = Path("/tmp/window")
TITLE = (range(16, 44), 210, 420)
"""Rows, first and last column of the page's title."""
WINDOW_COLOURS = 20
DRAW_S, LOOK_S = 180.0, 0.5
HEADER = ">25I"
"""The header of an X window dump."""


def open_window() -> None:
    """Start the command of the menu entry in the user's session, on a screen of its own."""
    entry = configparser.ConfigParser(interpolation=None)
    entry.read(ENTRY)
    command = shlex.split(entry["Desktop Entry"]["Exec"])
    PICTURE.parent.mkdir()
    screen = ["Xvfb", SCREEN, "-screen", "0", "1280x900x24", "-fbdir", str(PICTURE.parent)]
    subprocess.Popen(screen, stderr=subprocess.DEVNULL)
    # Whoever has been here before: the very first start opens on the guide.
    known = "mkdir -p ~/.config/destutter && echo '{}' >~/.config/destutter/guide.json"
    starter = f"{known}; {shlex.join(command)} >{SAID} 2>&1 & echo $! >{PID}; wait"
    if os.fork() == 0:
        in_session("sh", "-c", starter, DISPLAY=SCREEN, XDG_SESSION_TYPE="x11")
        os._exit(0)


def click(column: int, row: int) -> None:
    """Click with the left button."""
    place = (str(column), str(row))
    run("env", f"DISPLAY={SCREEN}", "xdotool", "mousemove", *place, "click", "1")


def wait_for_another_picture() -> None:
    """Wait until the window has drawn something else than now."""
    before = PICTURE.read_bytes()
    until(lambda: PICTURE.read_bytes() != before, DRAW_S, every_s=LOOK_S)


def wait_for_another_title(known: Container[bytes]) -> bytes:
    """Wait until the page has a title that is not known, and drawn whole; its pixels."""
    seen = [title()]

    def is_drawn() -> bool:
        seen.append(title())
        return seen[-1] == seen[-2] and seen[-1] not in known

    until(is_drawn, DRAW_S, every_s=LOOK_S)
    return seen[-1]


def wait_for_the_window() -> None:
    """Wait until more is on the screen than a plain ground."""
    until(lambda: colours() > WINDOW_COLOURS, DRAW_S, every_s=LOOK_S)


def colours() -> int:
    """How many colours the screen shows; 0 while there is none."""
    if not PICTURE.exists():
        return 0
    with PICTURE.open("rb") as file:
        begin, _line_bytes = _layout(file)
        file.seek(begin)
        pixels = file.read()
    return len({pixels[at : at + 4] for at in range(0, len(pixels) - 3, 4 * 7)})


def title() -> bytes:
    """The pixels of the page's title."""
    rows, first, last = TITLE
    pieces = []
    with PICTURE.open("rb") as file:
        begin, line_bytes = _layout(file)
        for row in rows:
            file.seek(begin + row * line_bytes + 4 * first)
            pieces.append(file.read(4 * (last - first)))
    return b"".join(pieces)


def _layout(file: BinaryIO) -> tuple[int, int]:
    """Where the pixels, of four bytes each, begin, and how many bytes a line has."""
    data = file.read(struct.calcsize(HEADER))
    if len(data) < struct.calcsize(HEADER):
        return 0, 0
    fields = struct.unpack(HEADER, data)
    header_bytes, line_bytes, colour_count = fields[0], fields[12], fields[19]
    return header_bytes + 12 * colour_count, line_bytes
