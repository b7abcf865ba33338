# SPDX-License-Identifier: GPL-3.0-or-later
"""The program in front of the AppImage's file system, with a small file system of our own.

It is built and run for real. Where this user may not use /dev/fuse (as in most containers) it has
to unpack by itself; each test runs in both ways where both are possible.
"""

import contextlib
import ctypes
import os
import pty
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.house.source_tree import ROOT
from tests.support.bus_kit import eventually

APP_RUN = """#!/bin/sh
echo "$APPDIR"; echo "$APPIMAGE"; echo "$OWD"; echo "$ARGV0"
case $1 in
    exit) exit "$2" ;;
    wait) echo ready; exec cat ;;
    child) (sleep 1; cat "$APPDIR/inside/text" > "$2") & ;;
    count) trap 'echo INT' INT; echo ready; sleep 1; sleep 0.3; exit 0 ;;
    trap) trap 'echo got TERM; exit 3' TERM; echo ready; while :; do sleep 0.1; done ;;
esac
"""
MAY_MOUNT = os.access("/dev/fuse", os.R_OK | os.W_OK)


@pytest.fixture(scope="module")
def image(tmp_path_factory):
    """An AppImage with a shell script as its program."""
    folder = tmp_path_factory.mktemp("image")
    inside = folder / "AppDir" / "inside"
    inside.mkdir(parents=True)
    (inside / "text").write_text("text\n" * 100_000)
    (inside / "link").symlink_to("text")
    (folder / "AppDir" / ".warm").write_text("0 4 inside/text\n0 1 inside/absent\nnothing\n")
    (folder / "AppDir" / "AppRun").write_text(APP_RUN)
    (folder / "AppDir" / "AppRun").chmod(0o755)
    payload, runtime = folder / "payload", folder / "runtime"
    pack = ["mksquashfs", folder / "AppDir", payload, "-quiet", "-no-progress", "-comp", "zstd"]
    subprocess.run(pack, check=True, capture_output=True, timeout=60)
    build = [ROOT / "packaging/appimage/build-runtime", runtime, "zsync|https://example.org/a"]
    subprocess.run(build, check=True, timeout=120)
    made = folder / "Test.AppImage"
    made.write_bytes(runtime.read_bytes() + payload.read_bytes())
    made.chmod(0o755)
    return made


def is_cached(path):
    """Whether the kernel has all of a file in memory; looking reads nothing."""
    size = path.stat().st_size
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    with path.open("rb") as file:
        place = ctypes.c_void_p(
            libc.mmap(None, ctypes.c_size_t(size), 1, 1, file.fileno(), ctypes.c_long(0))
        )
    pages = (ctypes.c_ubyte * -(-size // 4096))()
    assert libc.mincore(place, ctypes.c_size_t(size), pages) == 0
    assert libc.munmap(place, ctypes.c_size_t(size)) == 0
    return all(page & 1 for page in pages)


class Starter:
    """Starts the AppImage in one of its two ways, with a folder of its own for what it leaves."""

    def __init__(self, image, folder, *, unpacks):
        self.image = image
        self.folder = folder / "tmp"
        self.folder.mkdir()
        self.environment = {"PATH": os.environ["PATH"], "TMPDIR": str(self.folder), "HOME": "/"}
        if unpacks:
            self.environment["APPIMAGE_EXTRACT_AND_RUN"] = "1"

    def start(self, *words, **options):
        """Begin; it writes lines."""
        return subprocess.Popen(
            [self.image, *words],
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            **options,
        )

    def run(self, *words, **options):
        """The finished process."""
        process = self.start(*words, **options)
        output, complaint = process.communicate(timeout=30)
        return process.returncode, output.splitlines(), complaint

    def is_clean(self):
        """Whether nothing is left, neither a folder nor a mount."""
        mounts = Path("/proc/self/mounts").read_text()
        return not list(self.folder.iterdir()) and str(self.folder) not in mounts


@pytest.fixture(params=["mounts", "unpacks"])
def starter(request, image, tmp_path):
    """Both ways; on a computer that lets nobody mount, mounting falls back to unpacking."""
    made = Starter(image, tmp_path, unpacks=request.param == "unpacks")
    yield made
    assert eventually(made.is_clean)


def test_program_knows_where_it_is(starter, tmp_path):
    """Its own folder, the file that was started, and the folder in which that was done."""
    status, lines, complaint = starter.run(cwd=tmp_path)
    assert (status, complaint) == (0, "")
    assert lines[0].startswith(str(starter.folder))
    assert lines[1:] == [str(starter.image), str(tmp_path), str(starter.image)]


def test_exit_status_is_the_programs(starter):
    """What a script asks for."""
    assert starter.run("exit", "7")[0] == 7


def test_standard_input_and_output_are_the_programs(starter):
    """A pipe reaches it, and ends with it."""
    process = starter.start("wait", stdin=subprocess.PIPE)
    output, _complaint = process.communicate("through\n", timeout=30)
    assert output.endswith("ready\nthrough\n")


def test_termination_reaches_the_program(starter):
    """It may say good-bye, and its status counts."""
    process = starter.start("trap")
    while "ready" not in process.stdout.readline():
        pass
    process.terminate()
    output, _complaint = process.communicate(timeout=30)
    assert (process.returncode, output) == (3, "got TERM\n")


def test_ctrl_c_of_a_terminal_comes_once(starter):
    """The second one would keep the program from cleaning up."""
    ours, theirs = pty.openpty()
    process = starter.start("count", stdin=theirs, preexec_fn=lambda: os.login_tty(theirs))
    try:
        told = b""
        while b"ready" not in told:
            told += os.read(ours, 4096)
        os.write(ours, b"\x03")
        process.communicate(timeout=30)
        told += os.read(ours, 4096)
        assert told.count(b"INT") == 1
    finally:
        os.close(ours)
        os.close(theirs)


def test_children_that_outlive_the_program_keep_their_files(image, tmp_path):
    """What is open stays readable while the mount is taken away; unpacked files end with it."""
    starter = Starter(image, tmp_path, unpacks=False)
    process = starter.start("wait", stdin=subprocess.PIPE)
    folder = Path(process.stdout.readline().strip())
    with (folder / "inside/link").open() as text:
        text.readline()
        process.communicate("", timeout=30)
        assert len(text.read()) == 5 * 99_999
    assert eventually(starter.is_clean)


def test_kill_leaves_nothing_after_the_next_start(starter):
    """Neither the program nor its server can clean up after SIGKILL: the next start does."""
    process = starter.start("wait", stdin=subprocess.PIPE, start_new_session=True)
    while "ready" not in process.stdout.readline():
        pass
    holders = _holders(starter.folder)
    for how in (signal.SIGSTOP, signal.SIGKILL):  # all at once: none sees another one's end
        for pid in holders:
            # One that only helped to begin may have ended since it was looked for.
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, how)
    process.communicate(timeout=30)
    # On a busy computer one that was killed holds the lock for a moment more.
    assert eventually(lambda: not _holders(starter.folder))
    assert list(starter.folder.iterdir())
    assert starter.run("exit", "0")[0] == 0
    assert eventually(starter.is_clean)


def test_kill_of_the_program_alone_takes_the_mount_away(image, tmp_path):
    """The one that answers for the mount sees it, without a next start."""
    starter = Starter(image, tmp_path, unpacks=False)
    process = starter.start("wait", stdin=subprocess.PIPE)
    while "ready" not in process.stdout.readline():
        pass
    process.kill()
    process.communicate(timeout=30)
    if not MAY_MOUNT:  # it was unpacked, and its program has seen the end of its input
        starter.run("exit", "0")
    assert eventually(starter.is_clean)


def test_who_still_runs_keeps_its_folder(starter):
    """The next start sweeps, but not what is in use."""
    process = starter.start("wait", stdin=subprocess.PIPE)
    lines = [process.stdout.readline() for _ in range(5)]
    assert starter.run("exit", "0")[0] == 0
    assert (Path(lines[0].strip()) / "inside/text").exists()
    process.communicate("", timeout=30)
    assert process.returncode == 0


def test_folder_of_somebody_else_is_left_alone(starter):
    """Names in /tmp prove nothing: neither a link nor a young folder without lock is removed."""
    away = starter.folder.parent / "precious"
    away.mkdir()
    (away / "lock").write_text("")
    link = starter.folder / "destutter-appimage-linked"
    link.symlink_to(away)
    young = starter.folder / "destutter-appimage-young1"
    young.mkdir()
    old = starter.folder / "destutter-appimage-older1"
    (old / "root").mkdir(parents=True)
    (old / "root" / "away").symlink_to(away)
    os.utime(old, (time.time() - 3600,) * 2)
    starter.run("exit", "0")
    assert (away / "lock").exists()
    assert not old.exists()
    assert young.exists()
    link.unlink()
    young.rmdir()


def test_extract_unpacks_all_or_what_fits(image, tmp_path):
    """For somebody who wants to look inside."""
    starter = Starter(image, tmp_path, unpacks=False)
    status, _lines, _complaint = starter.run("--appimage-extract", cwd=tmp_path)
    assert status == 0
    made = tmp_path / "squashfs-root"
    assert (made / "inside/link").read_text() == "text\n" * 100_000
    assert os.access(made / "AppRun", os.X_OK)
    shutil.rmtree(made)
    starter.run("--appimage-extract", "*/text", cwd=tmp_path)
    assert [each.name for each in made.rglob("*") if each.is_file()] == ["text"]


def test_what_a_launcher_asks_the_file(image, tmp_path):
    """Where its file system begins, where newer versions are; what it does not know is refused."""
    starter = Starter(image, tmp_path, unpacks=False)
    _status, lines, _complaint = starter.run("--appimage-offset")
    with image.open("rb") as file:
        assert file.read(11)[8:] == b"AI\x02"
        file.seek(int(lines[0]))
        assert file.read(4) == b"hsqs"
    assert starter.run("--appimage-updateinformation")[1] == ["zsync|https://example.org/a"]
    assert starter.run("--appimage-help")[0] == 0
    assert starter.run("--appimage-nonsense")[0] != 0


def test_mount_lasts_until_it_is_interrupted(image, tmp_path):
    """For somebody who wants to look inside without unpacking."""
    starter = Starter(image, tmp_path, unpacks=False)
    if not MAY_MOUNT:
        status, _lines, complaint = starter.run("--appimage-mount")
        assert (status, "--appimage-extract unpacks it" in complaint) == (127, True)
        return
    process = starter.start("--appimage-mount")
    root = Path(process.stdout.readline().strip())
    assert eventually(lambda: is_cached(root / "inside/text"))  # it is in the list of .warm
    assert (root / "inside/link").read_text().startswith("text\n")
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert eventually(starter.is_clean)


def test_damaged_file_is_refused_in_words(image, tmp_path):
    """A download that broke off in the middle: no crash, no half program."""
    broken = tmp_path / "broken.AppImage"
    whole = image.read_bytes()
    broken.write_bytes(whole[: len(whole) - 4096])
    broken.chmod(0o755)
    for unpacks in (True, False):
        folder = tmp_path / str(unpacks)
        folder.mkdir()
        status, _lines, complaint = Starter(broken, folder, unpacks=unpacks).run("exit", "0")
        assert status == 127
        assert "damaged; please download it again" in complaint


def test_a_place_without_room_is_not_filled_half(image):
    """It says how much room it needs, and takes nothing of what there is."""
    looks = f'{image} exit 0; echo "status $?"; ls -A /tmp'
    box = [
        *("bwrap", "--dev-bind", "/", "/", "--size", str(256 * 1024), "--tmpfs", "/tmp"),
        *("--ro-bind", str(image), str(image), "--setenv", "APPIMAGE_EXTRACT_AND_RUN", "1"),
        *("--setenv", "HOME", "/nowhere", "--unsetenv", "TMPDIR", "sh", "-c", looks),
    ]
    done = subprocess.run(box, check=False, capture_output=True, text=True, timeout=60)
    assert "no folder with " in done.stderr, done
    kept = image.relative_to("/tmp").parts[0] if image.is_relative_to("/tmp") else ""
    assert done.stdout.split() == ["status", "127", *([kept] if kept else [])]


def _holders(folder):
    """Processes that have something open or mapped below a folder, or hold its lock."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal() or int(entry.name) == os.getpid():
            continue
        try:
            links = [os.readlink(each) for each in (entry / "fd").iterdir()]
            environment = (entry / "environ").read_bytes()
        except OSError:
            continue
        if any(str(folder) in link for link in links) or str(folder).encode() in environment:
            found.append(int(entry.name))
    return found
