# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole story with nothing made up: a game that stutters, its cause, the fix, and back.

A small game that Steam might have started saves to a slow drive of its own while somebody copies
to it, on a computer whose limits of unwritten data lie too close together: each copy puts the
game to sleep. With the limits that Destutter advises the same copies pass unnoticed.
"""

import contextlib
import faulthandler
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.dbus.test_window import Window
from tests.support.bus_kit import BusKit, eventually
from tests.support.kernel_dump import kernel_dump
from tests.support.kit_init import USERS
from tests.support.x_server import x_server
from tests.truth.machine import MIB, Stage, dirty_limits, own_group, program, slow_writes
from tests.truth.trial import stage

_ALICE = USERS["alice"]
_AS_ALICE = ("setpriv", f"--reuid={_ALICE}", f"--regid={_ALICE}", "--clear-groups", "--")
_GAME = "victim-main"
_BACKGROUND, _LIMIT = "vm.dirty_background_bytes", "vm.dirty_bytes"
_WAIT_S = 180.0
_FOLLOWS_S = 3.0
_DIRTY_BYTES = Path("/proc/sys/vm/dirty_bytes")
_WAITED = "while unwritten data went to the drive"
_FLIGHT_NS = 20_000_000_000
_CALM_NS, _LONG_MS = 3_000_000_000, 50.0
_TAIL_BYTES = 1 << 15  # of a frame log: more rows than belong to a calm
_LEAST_STUTTERS = 5

# A burst lies between the room that both pairs of limits leave: writers sleep from the middle of
# a pair on (dirty_freerun_ceiling in mm/page-writeback.c), and the kernel begins to write at its
# lower end. From 190 to 191 MiB that is 1 MiB, from the advised 32 to 80 MiB it is 48.
_TOO_CLOSE = 190 * MIB, 192 * MIB
_DRIVE_BYTES, _DRIVE_BYTES_PER_S = 2048 * MIB, 40 * MIB
_COPY = """n=0; while :; do
dd if=/dev/zero of="$0" bs=1M count=24 seek=$((n % 20 * 24)) conv=notrunc status=none
n=$((n + 1)); sleep 1; done"""
_LAUNCH = 'shift 2; "$@"; exit $?\n'


@dataclass(frozen=True)
class Playing:
    """A game that runs: the folder of its frame logs, and its log."""

    logs: Path
    log: Path

    def played_ns(self) -> int:
        """How long it has been drawing, by the last whole row of its log."""
        return self._frames()[-1][0]

    def is_calm(self) -> bool:
        """Whether no frame of late was long."""
        frames = self._frames()
        return all(ms < _LONG_MS for ns, ms in frames if ns > frames[-1][0] - _CALM_NS)

    def _frames(self) -> list[tuple[int, float]]:
        """Of the last frames, when they ended since the beginning and how long they took."""
        with self.log.open("rb") as log:
            log.seek(max(0, log.seek(0, os.SEEK_END) - _TAIL_BYTES))
            rows = log.read().split(b"\n")[1:-1]
        # Of a log that has just begun the lines before the first frame are in the tail.
        cells = [cells for row in rows if (cells := row.split(b","))[4:5] and cells[4].isdigit()]
        return [(int(row[4]), float(row[1])) for row in cells]


@pytest.fixture
def place() -> Iterator[Stage]:
    """The game, compiled, and folders that every user may enter."""
    with stage() as made:
        for folder in (made.disk, made.tools, made.memory):
            folder.chmod(0o755)
        os.chown(made.memory, _ALICE, -1)
        yield made


@pytest.fixture
def slow_drive(place: Stage) -> Iterator[Path]:
    """A drive that takes 40 MiB a second."""
    with slow_writes(place.disk, _DRIVE_BYTES, _DRIVE_BYTES_PER_S) as mounted:
        os.chown(mounted, _ALICE, -1)
        yield mounted


@pytest.fixture
def playing(place: Stage, slow_drive: Path, kit: BusKit) -> Iterator[Playing]:
    """The game and the copies under way, and the computer's settings as somebody left them."""
    log = place.memory / "game.csv"
    copies = ["sh", "-c", _COPY, str(slow_drive / "copy")]
    with contextlib.ExitStack() as back:
        back.enter_context(dirty_limits(*_TOO_CLOSE))
        group = back.enter_context(own_group())
        command = _steam_game(place, "--log", str(log), "--save", str(slow_drive / "save"))
        before_others = ["nice", "-n", "-20"]
        game = [*kit.beside, *group, *before_others, *_AS_ALICE, *command]
        back.enter_context(program(game))
        back.enter_context(program([*kit.beside, *_AS_ALICE, *copies]))
        yield Playing(place.memory, log)


def _steam_game(place: Stage, *words: str) -> list[str]:
    """The game as Steam starts it: below its reaper."""
    reaper, launch = place.tools / "reaper", place.tools / "SteamLaunch"
    reaper.symlink_to("/bin/sh")
    launch.write_text(_LAUNCH)
    victim = [str(place.tools / "victim"), *words]
    victim += ["--seconds", "600", "--write-kib", "64", "--alloc-kib", "64"]
    return [str(reaper), str(launch), "AppId=1", "--", *victim]


def _fly(window: Window, playing: Playing) -> None:
    """Record some of the game, on the Live page."""
    window.click("Live")
    window.click("Record session")
    eventually(lambda: window.peer.ask("live")["record"].startswith("Stop"), _WAIT_S)
    end_ns = playing.played_ns() + _FLIGHT_NS
    eventually(lambda: playing.played_ns() > end_ns, _WAIT_S)
    window.click("Stop the recording")
    eventually(lambda: window.peer.ask("live")["record"].startswith("Record"), _WAIT_S)


def _see_the_stutter(window: Window) -> None:
    """The game is found, and the Live page says that it stutters, and why."""
    window.click("Live")
    window.until(lambda seen: seen["game"] == _GAME, "live")
    seen = window.until(
        lambda seen: seen["stutters"] >= _LEAST_STUTTERS and _WAITED in seen["detail"], "live"
    )
    assert seen["headline"].endswith("most likely cause: storage")


def _try_the_fix(window: Window) -> None:
    """From the headline to the cause, and its fix on trial for as long as the game runs."""
    before = _DIRTY_BYTES.read_text()
    window.click("Show the cause")
    # On a crowded computer another cause may have come to the top meanwhile.
    window.click("Writing held back:", begins=True)
    seen = window.until(lambda seen: seen["rows"].get(_LIMIT) == "offered", "look_at_cause")
    assert seen["title"] == "Writing held back"
    window.click("Change Unwritten data before programs must wait (in MB) to 128 MB")
    window.click("Try for this game")
    window.until(lambda seen: f"for as long as {_GAME} runs" in seen["trial"])
    assert _DIRTY_BYTES.read_text() == f"{128 * MIB}\n"
    eventually(lambda: window.peer.ask("live")["record"].startswith("Stop"), _WAIT_S)
    window.click("Stop the trial")
    window.until(lambda seen: not seen["trial"] and not seen["busy"])
    assert _DIRTY_BYTES.read_text() == before
    eventually(lambda: window.peer.ask("live")["record"].startswith("Record"), _WAIT_S)


def _apply_the_fix(window: Window) -> dict[str, list[str]]:
    """The same until the restart; what was changed."""
    window.click("Causes", begins=True)
    window.click("Writing held back:", begins=True)
    window.until(lambda seen: seen["rows"].get(_LIMIT) == "offered", "look_at_cause")

    def is_asked() -> bool:
        """Ticked where the cause is likely enough by now: a visit to another one, and a row that
        was away for a moment, forget the choice.
        """
        limit = "Change Unwritten data before programs must wait (in MB) to 128 MB"
        ticked_s = time.monotonic()
        # Each click turns the tick about: on a crowded computer the button follows late.
        while time.monotonic() < ticked_s + _FOLLOWS_S:
            if window.peer.ask("click", words="Apply 2 changes")["clicked"]:
                return True
            time.sleep(0.2)
        window.peer.ask("click", words=limit)
        return False

    eventually(is_asked, _WAIT_S)
    changed: dict[str, list[str]]
    changed = window.until(lambda seen: seen["changed"] and not seen["busy"])["changed"]
    return changed


@pytest.mark.long
@pytest.mark.timeout(900)
def test_real_stutter_is_seen_explained_fixed_and_the_fix_undone(
    playing: Playing, kit: BusKit, tmp_path: Path
) -> None:
    """Stutter, cause, trial for the game, keep, compare, undo all: less time lost, and the kernel
    as before.
    """
    faulthandler.cancel_dump_traceback_later()  # it takes more than a minute, and does not hang
    before = kernel_dump()
    os.chown(tmp_path, _ALICE, -1)
    with x_server() as display:
        window = Window(
            kit,
            "alice",
            "tests.support.program_peer",
            (f"DISPLAY={display}", "QT_QPA_PLATFORM=xcb", f"TMPDIR={tmp_path}"),
            ("--mangohud", str(playing.logs)),
        )
        _see_the_stutter(window)
        _try_the_fix(window)
        _fly(window, playing)
        changed = _apply_the_fix(window)
        assert set(changed) == {_BACKGROUND, _LIMIT}
        # What had gathered under the old limits goes to the drive first.
        eventually(playing.is_calm, _WAIT_S)
        _fly(window, playing)
        window.click("Sessions")
        window.click("Compare the two newest")
        seen = window.until(lambda seen: seen["verdict"], "sessions")
        # A minute is not enough for a verdict, and so the program gives none; the figures speak.
        assert seen["verdict"] == "Too short for a fair comparison"
        differing = [each.split(",")[0] for each in seen["differences"]]
        assert differing == [
            "When writing to drives begins (in MB)",
            "Unwritten data before programs must wait (in MB)",
        ]
        lost_before, lost_after = seen["figures"]["hitch_s"]
        assert lost_after * 2 < lost_before, seen
        window.click("Changes")
        window.click("Undo all changes")
        window.until(lambda seen: not seen["changed"] and not seen["busy"])
        assert kernel_dump() == before
