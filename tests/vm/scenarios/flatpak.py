# SPDX-License-Identifier: GPL-3.0-or-later
"""The Flatpak on a desktop of its own: installed, alone, and beside the helper and a game.

The user installs it without any right. The helper is the package; the password comes from an agent
of the session, as every desktop has one, since a sandbox has none to start.
"""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from tests.vm.image import PASSWORD, PLAYER
from tests.vm.inside import say
from tests.vm.installed import files_of_ours, install_helper, run, until
from tests.vm.player import (
    Said,
    bring_to_front,
    in_session,
    log_in,
    see_a_trial_end,
    without_agent,
)
from tests.vm.scenarios.tracing import ours as instances
from tests.vm.scenarios.tracing import program
from tests.vm.screen import PICTURE, SCREEN, WINDOW_COLOURS, colours, wait_for_another_picture

ID, RUNTIME = "io.github.destutter.Destutter", "io.github.destutter.StandIn"
HOME = Path("/home") / PLAYER
OWN = HOME / ".var" / "app" / ID / "data"
KEPT = HOME / ".var" / "app" / ID / "config" / "destutter"
KNOWN = f"mkdir -p {KEPT}; echo '{{}}' >{KEPT}/guide.json"
"""Leaves what the very first start, which opens on the guide, would have left."""
LOG, RECORDING = OWN / "game.csv", OWN / "flight.destutter"
NAME = "X-Plane-x86_64"
"""One that is known, so that nobody has to say which program is the game."""
GAME_S, RECORD_S, OLD_ENOUGH_S = 400, 40, 25
STOPS, STOPPED_S, BETWEEN_S = 8, 0.4, 2.6
HIDDEN = "The Flatpak's sandbox hides all other programs"
DIALOGS = Path("/tmp/dialogs")
SWAPPINESS = Path("/proc/sys/vm/swappiness")
STOCK, OURS = "60", "10"
TRIAL_S = 15
OPEN_S = 240.0
BURST_MS = 200
# Before all ordinary programs for a moment, again and again.
IN_BURSTS = f"""
import os, time
open("/proc/self/comm", "w").write("rt-hog")
os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50))
while True:
    end = time.monotonic() + {BURST_MS / 1000}
    while time.monotonic() < end:
        pass
    time.sleep(2.3)
"""


def scenario_the_user_installs_it_without_any_right() -> None:
    """runtime and bundle go into the user's own folder, and nothing of ours is elsewhere"""
    log_in()
    bring_to_front("tty1")
    began = time.monotonic()
    place = f"file://{Path('remote').absolute()}"
    install = ("install", "--user", "--noninteractive", "-y")
    flatpak("remote-add", "--user", "--no-gpg-verify", "flathub", place)
    flatpak(*install, "flathub", RUNTIME)
    say(f"# the runtime installed in {time.monotonic() - began:.0f} s")
    flatpak(*install, "--bundle", str(Path("destutter.flatpak").absolute()))
    say(f"# all installed in {time.monotonic() - began:.0f} s")
    assert not files_of_ours(), files_of_ours()
    assert "destutter 0." in ours("--version").text


def scenario_alone_it_says_what_it_cannot_see() -> None:
    """without a helper doctor names what the sandbox hides, and how to get the helper"""
    said = ours("doctor")
    assert said.status == 0, said.text
    assert HIDDEN in said.text, said.text
    assert "install-helper" in said.text, said.text


def scenario_with_the_helper_other_programs_are_there() -> None:
    """the helper's package beside it: doctor finds the helper and its lender through the proxy"""
    install_helper()
    said = ours("doctor")
    assert said.status == 0, said.text
    assert "yes the helper's answer: ready" in said.text, said.text
    assert "yes Other programs (process)" in said.text, said.text
    assert HIDDEN not in said.text, said.text


def scenario_the_window_draws_what_it_measures() -> None:
    """the window opens in the user's session, and its graphs move"""
    PICTURE.parent.mkdir()
    screen = ["Xvfb", SCREEN, "-screen", "0", "1280x900x24", "-fbdir", str(PICTURE.parent)]
    subprocess.Popen(screen, stderr=subprocess.DEVNULL)
    until(lambda: colours() > 0, OPEN_S)
    began = time.monotonic()
    start = f"{KNOWN}; flatpak run {ID}"
    if os.fork() == 0:
        in_session("sh", "-c", start, DISPLAY=SCREEN, XDG_SESSION_TYPE="x11")
        os._exit(0)
    until(lambda: colours() > WINDOW_COLOURS, OPEN_S, every_s=0.5)
    say(f"# drawn after {time.monotonic() - began:.0f} s, {colours()} colours")
    for _ in range(3):
        wait_for_another_picture()
    shutil.copy(PICTURE, "out/flatpak.xwd")
    answers: list[str] = []

    def has_quit() -> bool:
        said = ours("--quit")
        answers.append(said.text)
        return said.status == 0

    try:
        until(has_quit, OPEN_S)
    except AssertionError:
        say("\n".join(f"# {line}" for line in answers[-1].splitlines()))
        raise
    until(lambda: colours() <= WINDOW_COLOURS, OPEN_S)


def scenario_the_game_is_found_and_its_stutters_are_explained() -> None:
    """a simulator outside of the sandbox is found by its name, and why it stood still is told"""
    RECORDING.unlink(missing_ok=True)
    with game() as pid:
        time.sleep(OLD_ENOUGH_S)
        stopping = threading.Thread(target=stop_now_and_then, args=(pid,))
        stopping.start()
        words = ("--mangohud", str(LOG), "--seconds", str(RECORD_S), "--out", str(RECORDING))
        said = ours("record", *words)
        stopping.join()
    assert said.status == 0, said.text
    shutil.copy(RECORDING, "out")
    told = ours("diagnose", str(RECORDING), "--json")
    (answer,) = (json.loads(line) for line in told.text.splitlines() if line.startswith("{"))
    assert answer["frames"]["count"] > 300, told.text
    text = ours("diagnose", str(RECORDING)).text
    say("\n".join(f"# {line.strip()}" for line in text.splitlines()[:3]))
    assert "stopped from outside" in text, text


def scenario_a_trial_by_password_ends_by_itself() -> None:
    """the desktop asks for the password, the value is in the kernel, and afterwards the old one"""
    start_the_agent()
    words = ("apply", f"vm.swappiness={OURS}", "--trial", str(TRIAL_S))
    see_a_trial_end(lambda: ours(*words), SWAPPINESS, (STOCK, OURS))
    (dialog,) = DIALOGS.read_text().splitlines()
    say(f"# the dialog: {dialog}")


def scenario_the_kernels_trace_reaches_it() -> None:
    """with the password the kernel tells it how long the game waited for a core"""
    before = len(DIALOGS.read_text().splitlines())
    RECORDING.unlink(missing_ok=True)
    with game(), program(IN_BURSTS, user=0):
        time.sleep(OLD_ENOUGH_S)
        words = ("--mangohud", str(LOG), "--seconds", str(RECORD_S), "--out", str(RECORDING))
        said = ours("record", "--trace", *words)
    assert said.status == 0, said.text
    shutil.copy(RECORDING, "out/traced.destutter")
    (dialog,) = DIALOGS.read_text().splitlines()[before:]
    say(f"# the dialog: {dialog}")
    until(lambda: not instances(), 20)
    told = ours("diagnose", str(RECORDING), "--json")
    (answer,) = (json.loads(line) for line in told.text.splitlines() if line.startswith("{"))
    stutters = answer["time_lost"]["stutters"]
    traced = [each["traced_ms"] for each in stutters if each["traced_ms"] > BURST_MS / 2]
    say(f"# {len(traced)} of {len(stutters)} stutters by the trace: {answer['headline']}")
    assert traced, stutters
    # Whoever ran last is behind whom it waited: on one emulated core that is many.
    assert "Measured in the kernel" in told.text, told.text


def scenario_what_is_kept_is_undone_exactly() -> None:
    """kept for every start by password, and taken back without one"""
    said = ours("apply", f"vm.swappiness={OURS}", "--keep", "always")
    assert said.status == 0, said.text
    assert SWAPPINESS.read_text().strip() == OURS
    said = without_agent("flatpak", "run", ID, "undo", "--all")
    assert said.status == 0, said.text
    assert SWAPPINESS.read_text().strip() == STOCK


def scenario_uninstalled_nothing_of_it_is_left() -> None:
    """the line of INSTALL.md removes it with its data, and the package goes as well"""
    flatpak("uninstall", "--user", "-y", "--delete-data", ID)
    assert not list((HOME / ".var" / "app").glob("*destutter*"))
    run("dpkg", "--purge", "destutter-helper")
    # Flatpak's own folder for what runs goes when the session ends.
    left = [name for name in files_of_ours() if not name.startswith("/run/user/")]
    assert not left, left


def ours(*words: str) -> Said:
    """What a command of the Flatpak says, in the user's session."""
    return in_session("flatpak", "run", ID, *words)


def flatpak(*words: str) -> None:
    """A command of Flatpak itself, in the user's session; it must succeed."""
    said = in_session("flatpak", *words)
    assert said.status == 0, said.text


def start_the_agent() -> None:
    """The session's password agent answers from now on."""
    program = Path(__file__).parents[1] / "password_agent.py"
    if os.fork() == 0:
        in_session("python3", "-B", str(program), PASSWORD, str(DIALOGS))
        os._exit(0)
    until(DIALOGS.exists)


@contextlib.contextmanager
def game() -> Iterator[int]:
    """The truth bench's victim as the user plays it, its frame log where the sandbox may read."""
    program = HOME / NAME
    shutil.copy("victim", program)
    program.chmod(0o755)
    LOG.unlink(missing_ok=True)
    words = f"--log {LOG} --seconds {GAME_S} --hz 30 --work-ms 3 --names {NAME},io,sim,helper"
    if os.fork() == 0:
        in_session("sh", "-c", f"exec {program} {words}")
        os._exit(0)
    until(lambda: LOG.exists() and LOG.stat().st_size > 200)
    pid = int(run("pgrep", "--full", "--newest", f"^{program}"))
    try:
        yield pid
    finally:
        os.kill(pid, signal.SIGKILL)


def stop_now_and_then(pid: int) -> None:
    """Stop the game for moments, as a debugger or a launcher does, once the recording began."""
    until(RECORDING.exists, OPEN_S)
    time.sleep(3 * BETWEEN_S)
    for _ in range(STOPS):
        os.kill(pid, signal.SIGSTOP)
        time.sleep(STOPPED_S)
        os.kill(pid, signal.SIGCONT)
        time.sleep(BETWEEN_S)
