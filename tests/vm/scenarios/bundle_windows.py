# SPDX-License-Identifier: GPL-3.0-or-later
"""The AppImage without a Python on the computer: mounted and unpacked, under X11 and Wayland."""

import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from tests.vm.bundle import IMAGE, OPT, take_image_home, without_fuse, without_python
from tests.vm.inside import say
from tests.vm.installed import until
from tests.vm.player import bring_to_front, in_session, log_in, with_password
from tests.vm.screen import PICTURE, SCREEN, WINDOW_COLOURS, colours

DISPLAY = "wayland-7"
SAID, PID = Path("/tmp/window-said"), Path("/tmp/window")
DRAWN = ("xdg_toplevel", ".attach(wl_buffer", ".commit(")
"""What a window asks of a compositor until something of it can be seen."""
OPEN_S, CLOSE_S = 240.0, 60.0
WESTON = (
    "weston --socket=wayland-7 --idle-time=0 --no-config --backend=headless-backend.so "
    "|| weston --socket=wayland-7 --idle-time=0 --no-config --backend=headless"
)


def scenario_the_user_has_both_kinds_of_desktop() -> None:
    """an X server and a Wayland compositor, neither with a screen"""
    log_in()
    bring_to_front("tty1")
    take_image_home()
    PICTURE.parent.mkdir()
    screen = ["Xvfb", SCREEN, "-screen", "0", "1280x900x24", "-fbdir", str(PICTURE.parent)]
    subprocess.Popen(screen, stderr=subprocess.DEVNULL)
    if os.fork() == 0:
        in_session("sh", "-c", f"{WESTON} >/tmp/weston 2>&1")
        os._exit(0)
    until(lambda: Path("/run/user/1000", DISPLAY).exists(), OPEN_S)
    until(lambda: colours() > 0, OPEN_S)


def scenario_the_window_is_there_under_x11() -> None:
    """mounted by FUSE, without any Python"""
    with without_python():
        _see_x11_window(is_mounted=True)


def scenario_the_window_is_there_under_wayland() -> None:
    """the same with a Wayland compositor alone"""
    with without_python():
        _see_wayland_window(is_mounted=True)


def scenario_the_window_is_there_under_x11_without_fuse() -> None:
    """where nobody can mount, the file unpacks itself"""
    with without_python(), without_fuse():
        _see_x11_window(is_mounted=False)


def scenario_the_window_is_there_under_wayland_without_fuse() -> None:
    """the same with a Wayland compositor alone"""
    with without_python(), without_fuse():
        _see_wayland_window(is_mounted=False)


def scenario_the_helper_says_what_it_lacks() -> None:
    """without Python nothing is set up, and it is said which package is missing"""
    with without_python():
        said = with_password(str(IMAGE), "install-helper")
    assert said.status == 1, said.text
    assert "python3 is missing or older" in said.text, said.text
    assert not OPT.exists()


def _see_x11_window(*, is_mounted: bool) -> None:
    _open(f"DISPLAY={SCREEN} XDG_SESSION_TYPE=x11")
    _wait(lambda: colours() > WINDOW_COLOURS)
    assert _is_mounted() is is_mounted
    _close()
    until(lambda: colours() <= WINDOW_COLOURS, CLOSE_S)


def _see_wayland_window(*, is_mounted: bool) -> None:
    _open(f"WAYLAND_DISPLAY={DISPLAY} XDG_SESSION_TYPE=wayland WAYLAND_DEBUG=client")
    _wait(lambda: all(word in SAID.read_text(errors="replace") for word in DRAWN))
    assert _is_mounted() is is_mounted
    _close()


def _open(environment: str) -> None:
    """Start the AppImage in the user's session; what it says goes to a file."""
    for file in (SAID, PID):
        file.unlink(missing_ok=True)
    command = f"{environment} '{IMAGE}' >{SAID} 2>&1 & echo $! >{PID}; wait"
    if os.fork() == 0:
        in_session("sh", "-c", command)
        os._exit(0)
    until(lambda: PID.exists() and PID.read_text().strip() and SAID.exists())


def _wait(is_there: Callable[[], object]) -> None:
    began = time.monotonic()
    try:
        until(is_there, OPEN_S, every_s=0.5)
    except AssertionError:
        raise AssertionError(SAID.read_text(errors="replace")[-3000:]) from None
    say(f"# window after {time.monotonic() - began:.0f} s")


def _close() -> None:
    """End the window; neither a mount nor an unpacked folder is left."""
    os.kill(int(PID.read_text()), signal.SIGTERM)
    until(lambda: not list(Path("/tmp").glob("destutter-appimage-*")), CLOSE_S)
    assert not _is_mounted()


def _is_mounted() -> bool:
    return "/tmp/destutter-appimage-" in Path("/proc/self/mounts").read_text()
