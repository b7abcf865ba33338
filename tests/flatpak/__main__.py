# SPDX-License-Identifier: GPL-3.0-or-later
"""The Flatpak as its user meets it, in a real sandbox: python -m tests.flatpak [--keep FOLDER].

Builds it on a runtime out of Debian (as root, and minutes the first time), installs it for an
ordinary user, and prints lines of the Test Anything Protocol. Exits with 1 when anything failed.
With --keep a picture of the window and what `doctor` said go into that folder. Where users may not
use /dev/fuse (as in most containers) there is no portal of documents, and that part is left out.
"""

import argparse
import json
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.flatpak.sandbox import DISPLAY, ID, Sandbox, growing, installed, may_mount, until
from tests.support.scratch_tree import value

HIDDEN = "The Flatpak's sandbox hides all other programs"


def it_says_its_version(sandbox: Sandbox, _kept: Path | None) -> None:
    """it starts, from the runtime's Python and its own code, and says its version"""
    said = sandbox.run("--version")
    assert said.status == 0, said.text
    assert "destutter 0." in said.text, said.text


def doctor_sends_people_outside(sandbox: Sandbox, kept: Path | None) -> None:
    """without a helper doctor tells what is hidden, and the command to copy"""
    said = sandbox.run("doctor")
    assert said.status == 0, said.text
    assert f"(game): {HIDDEN}" in said.text, said.text
    assert "yes Pressure (PSI)" in said.text or "psi=1" in said.text, said.text
    assert "./Destutter-*.AppImage install-helper" in said.text, said.text
    for of_a_package in ("make install-helper", "pkttyagent", "No game is being watched"):
        assert of_a_package not in said.text, said.text
    if kept is not None:
        (kept / "doctor.txt").write_text(said.text)


def watch_measures_the_whole_computer(sandbox: Sandbox, _kept: Path | None) -> None:
    """what the kernel counts for everybody arrives: memory, processor, drives"""
    said = sandbox.run("watch", "--json", "--seconds", "3")
    lines = [json.loads(line) for line in said.text.splitlines() if line.startswith("{")]
    assert said.status == 0, said.text
    assert len(lines) > 10, said.text


def record_lands_in_its_own_folder(sandbox: Sandbox, _kept: Path | None) -> None:
    """a recording is written where the sandbox has its data, and can be read again"""
    file = sandbox.own / "data" / "flight.destutter"
    said = sandbox.run("record", "--out", str(file), "--seconds", "3")
    assert said.status == 0, said.text
    assert file.stat().st_size > 0
    said = sandbox.run("diagnose", str(file))
    assert said.status == 0, said.text


def the_home_is_closed(sandbox: Sandbox, _kept: Path | None) -> None:
    """a file of the user's is not there, until it is opened for one start"""
    words = ("watch", "--seconds", "2", "--mangohud", str(sandbox.logs))
    said = sandbox.run(*words)
    assert "--filesystem=FOLDER:ro io.github.destutter.Destutter" in said.text, said.text
    said = sandbox.run(*words, options=(f"--filesystem={sandbox.logs}:ro",))
    assert said.status == 0, said.text


def a_folder_of_the_portal_is_followed(sandbox: Sandbox, _kept: Path | None) -> None:
    """a folder that was chosen in the portal gives frame times while its log grows"""
    exported = sandbox.as_user("flatpak", "document-export", f"--app={ID}", str(sandbox.logs))
    assert exported.status == 0, exported.text
    name = exported.text.strip().splitlines()[-1].partition("/doc/")[2]
    place = f"/run/user/{sandbox.user}/doc/{name}"
    file = str(sandbox.own / "data" / "frames.destutter")
    with growing(sandbox.logs / "game.csv"):
        said = sandbox.run("record", "--out", file, "--seconds", "4", "--mangohud", place)
    assert said.status == 0, said.text
    said = sandbox.run("diagnose", file, "--json")
    (told,) = (json.loads(line) for line in said.text.splitlines() if line.startswith("{"))
    assert told["frames"]["count"] > 60, said.text


def the_window_opens_and_ends(sandbox: Sandbox, kept: Path | None) -> None:
    """the window draws live data, a second start finds it, and its settings are its own"""
    kept_there = sandbox.own / "config" / "destutter"  # the very first start opens on the guide
    sandbox.as_user("sh", "-c", f"mkdir -p {kept_there}; echo '{{}}' >{kept_there}/guide.json")
    window = sandbox.start()
    until(lambda: b"Destutter" in _titles(sandbox))
    # Its place on the bus it takes after its first picture.
    until(lambda: sandbox.run("mark").status == 0)
    if kept is not None:
        shot = sandbox.as_user("import", "-window", "root", str(sandbox.home / "window.png"))
        assert shot.status == 0, shot.text
        (kept / "window.png").write_bytes((sandbox.home / "window.png").read_bytes())
    said = sandbox.run("--quit")
    assert said.status == 0, said.text
    assert window.wait(30) == 0
    assert not (sandbox.home / ".config" / "destutter").exists()
    assert not (sandbox.home / ".local" / "share" / "destutter").exists()


def the_helper_answers_through_the_proxy(sandbox: Sandbox, kept: Path | None) -> None:
    """a helper of the computer is found, changes a setting and takes it back"""
    sandbox.install_helper()
    said = sandbox.run("doctor")
    assert "yes the helper's answer: ready" in said.text, said.text
    if kept is not None:
        (kept / "doctor-with-helper.txt").write_text(said.text)
    before = value(sandbox.tree, "vm/swappiness")
    said = sandbox.run("apply", "vm.swappiness=17", "--keep", "restart")
    assert said.status == 0, said.text
    assert value(sandbox.tree, "vm/swappiness") == "17", said.text
    said = sandbox.run("undo", "--all")
    assert said.status == 0, said.text
    assert value(sandbox.tree, "vm/swappiness") == before


def the_lender_shows_the_game(sandbox: Sandbox, kept: Path | None) -> None:
    """with the helper's lender the game outside is found, recorded and shown, thread by thread"""
    sandbox.install_lender()
    with sandbox.game() as pid:
        said = sandbox.run("doctor")
        assert "yes Other programs (process)" in said.text, said.text
        assert HIDDEN not in said.text, said.text
        if kept is not None:
            (kept / "doctor-with-lender.txt").write_text(said.text)
        file = str(sandbox.own / "data" / "game.destutter")
        said = sandbox.run("record", "--out", file, "--seconds", "5", "--pid", str(pid))
        assert said.status == 0, said.text
        said = sandbox.run("export", file, "--out", file.removesuffix(".destutter") + ".csv")
        assert said.status == 0, said.text
        table = next((sandbox.own / "data").glob("game*.csv")).read_text()
        assert "python3" in table, table[:2000]


def the_lender_gives_nothing_else(sandbox: Sandbox, _kept: Path | None) -> None:
    """out of the sandbox: no process of another user, no environment, no folder"""
    with sandbox.game() as pid:
        code = ASKING.format(pid=pid)
        said = sandbox.as_user("flatpak", "run", "--command=python3", ID, "-c", code)
        assert said.status == 0, said.text
        assert said.text.strip().splitlines()[-1] == "lent gone denied None None []", said.text


ASKING = """
import os, sys
sys.path.insert(0, "/app/lib/destutter")
from destutter.core.computer import kernel_files
from destutter.core.kernel_files import KernelFileDeniedError
files = kernel_files("/", os.environ["DBUS_SESSION_BUS_ADDRESS"])
def read(path):
    try:
        return "gone" if files.read_bytes(path) is None else "lent"
    except KernelFileDeniedError:
        return "denied"
game = "/proc/{pid}"
print(
    read(game + "/io"), read(game + "/environ"), read("/proc/1/stat"),
    files.read_link(game + "/root"), files.open(game + "/cwd"), files.list_names(game + "/fd"),
)
"""

STORY: tuple[Callable[[Sandbox, Path | None], None], ...] = (
    it_says_its_version,
    doctor_sends_people_outside,
    watch_measures_the_whole_computer,
    record_lands_in_its_own_folder,
    the_home_is_closed,
    *((a_folder_of_the_portal_is_followed,) if may_mount() else ()),
    the_window_opens_and_ends,
    the_helper_answers_through_the_proxy,
    the_lender_shows_the_game,
    the_lender_gives_nothing_else,
)


def _titles(sandbox: Sandbox) -> bytes:
    said = sandbox.as_user("xwininfo", "-display", DISPLAY, "-root", "-tree")
    return said.text.encode()


def main(words: Sequence[str]) -> int:
    """Tell the story; 1 when a part of it is not true."""
    parser = argparse.ArgumentParser(prog="python -m tests.flatpak", allow_abbrev=False)
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where pictures go")
    kept = parser.parse_args(words).keep
    if kept is not None:
        kept.mkdir(parents=True, exist_ok=True)
    failed = 0
    with installed() as sandbox:
        print(f"1..{len(STORY)}")
        for number, part in enumerate(STORY, 1):
            try:
                part(sandbox, kept)
            except Exception:  # noqa: BLE001  each part is told, whatever it meets
                failed += 1
                print(f"not ok {number} - {part.__doc__}")
                print("".join(f"# {line}\n" for line in traceback.format_exc().splitlines()))
            else:
                print(f"ok {number} - {part.__doc__}")
            sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
