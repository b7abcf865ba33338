# SPDX-License-Identifier: GPL-3.0-or-later
"""Captures: what they hold, what they hide, and archives that nobody should trust."""

import contextlib
import io
import json
import tarfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.kernel_files import KernelFileDeniedError, KernelFileError, KernelFiles
from destutter.core.sandbox import INFO, Sandbox, read_sandbox
from destutter.sampling.capturing.capture import (
    CaptureError,
    CaptureOptions,
    capture,
    without_name,
)
from destutter.sampling.capturing.capture_paths import PATTERNS, expand, kernel_paths
from destutter.sampling.files.measurement import AbsentError
from destutter.sampling.machine import MANIFEST, distribution
from destutter.sampling.registry import SAMPLERS, build_parts
from tests.support.fake_root import FakeRoot, WatchedFiles, proc_stat, process_stat
from tests.support.flatpak_sandbox import flatpak_info
from tests.support.measuring import SteppedClock
from tests.support.opened_capture import OpenError, open_capture
from tests.support.roots import ARCHIVES, name_of, unpacked

GAME = 4711


@pytest.fixture
def root(tmp_path):
    """A small computer with a game and a program of the user's."""
    made = FakeRoot(
        tmp_path / "root",
        {
            "/proc/stat": proc_stat(),
            "/proc/sys/vm/swappiness": "60\n",
            "/proc/sys/vm/drop_caches": "0\n",
            "/proc/sys/kernel/osrelease": "6.12.1\n",
            "/proc/sys/kernel/hostname": "secret-name\n",
            "/sys/block/sda/queue/scheduler": "none\n",
            "/sys/block/sda/queue/iosched/low_latency": "1\n",
            "/sys/block/sda/device/serial": "secret-serial\n",
            "/etc/os-release": "NAME=X\n",
            "/etc/passwd": "secret-user\n",
        },
    )
    for pid, name in ((GAME, "game"), (8, "secret-program"), (9, "other")):
        made.put_process(pid, name)
        made.put(f"/proc/{pid}/cmdline", b"/opt/" + name.encode() + b"\0--token=secret\0")
    made.put_thread(GAME, GAME, "game")
    made.put(f"/proc/{GAME}/fdinfo/5", "drm-driver:\txe\n")
    made.put(f"/proc/{GAME}/fdinfo/6", "pos: 0\n")
    made.put_process(2, "kthreadd", ppid=0)
    made.put_process(20, "kswapd0", ppid=2)
    return made


@pytest.fixture
def opened(root, tmp_path):
    """Captures the computer and opens the capture again."""
    (tmp_path / "opened").mkdir()

    def made(options=None):
        archive = tmp_path / "capture.tar.gz"
        report = capture(root.files, archive, options)
        return report, open_capture(archive, tmp_path / "opened")

    return made


def test_a_capture_is_the_same_tree_again(opened, root):
    """Every file on the list is in the archive, with the same content."""
    report, files = opened(CaptureOptions(game=GAME))
    paths, absent = kernel_paths(root.files)
    for path in paths:
        assert files.read_bytes(path) == root.files.read_bytes(path), path
    assert files.read_bytes(f"/proc/{GAME}/task/{GAME}/schedstat") is not None
    assert files.list_names(f"/proc/{GAME}/fdinfo") == ["5"]
    assert report.absent == tuple(absent)
    assert "/proc/vmstat" in report.absent
    assert report.denied == ()


def test_a_capture_holds_no_secrets(opened, tmp_path):
    """Host name, serial numbers, accounts and command lines of other programs stay at home."""
    opened(CaptureOptions(game=GAME, hides_names=True))
    found = [
        str(path)
        for path in (tmp_path / "opened").rglob("*")
        if path.is_file() and b"secret" in path.read_bytes()
    ]
    assert found == [str(tmp_path / f"opened/proc/{GAME}/cmdline")]


def test_a_capture_out_of_a_flatpak_says_so_and_not_whose(opened, root):
    """What is missing is hidden; the sandbox's own file has the user's name in its paths."""
    root.put(INFO, flatpak_info() + "[Instance]\ninstance-path=/home/alice/.var/app/x\n")
    root.put("/run/host/os-release", 'PRETTY_NAME="Bazzite 42"\n')
    _, files = opened()
    assert distribution(files) == "Bazzite 42"
    assert read_sandbox(files) == Sandbox("io.github.destutter.Destutter")
    assert "alice" not in (files.read_text(INFO) or "")


def test_files_that_act_are_not_read(opened):
    """drop_caches and its like are left alone."""
    _, files = opened()
    assert not files.exists("/proc/sys/vm/drop_caches")
    assert files.read_int("/proc/sys/vm/swappiness") == 60


def test_names_can_be_hidden(opened):
    """Programs become "process-PID"; the game and the kernel's own keep their names."""
    _, files = opened(CaptureOptions(game=GAME, hides_names=True))
    names = {pid: files.read_text(f"/proc/{pid}/stat") or "" for pid in (8, 9, GAME, 2, 20)}
    assert [text.split()[1] for text in names.values()] == [
        "(process-8)", "(process-9)", "(game)", "(kthreadd)", "(kswapd0)"
    ]  # fmt: skip
    line = process_stat(8, "a (b) c", utime=5).encode()
    assert without_name("/p", line) == process_stat(8, "process-8", utime=5).encode()


def test_processes_can_be_chosen(opened):
    """Only the processes that were asked for are in the archive."""
    _, files = opened(CaptureOptions(pids=(9,)))
    assert [name for name in files.list_names("/proc") if name.isdigit()] == ["9"]


def test_more_paths_can_be_asked_for(opened, root):
    """Further patterns are added to the list."""
    root.put("/sys/devices/x/y", "1\n")
    _, files = opened(CaptureOptions(extra_paths=("/sys/devices/*/y",)))
    assert files.read_int("/sys/devices/x/y") == 1


def test_the_manifest_says_what_is_missing(opened):
    """Format, kernel, the machine's constants and what was absent or refused."""
    _, files = opened()
    manifest = json.loads(files.read_text("/capture.json") or "")
    assert (manifest["format"], manifest["kernel"]) == (1, "6.12.1")
    assert manifest["page_bytes"] == 4096
    assert "/proc/vmstat" in manifest["absent"]


def test_what_may_not_be_read_is_reported(root, tmp_path, monkeypatch):
    """A file that the kernel refuses is named and the rest captured."""
    real = KernelFiles.read_bytes

    def refuse(files, path):
        if path.endswith("swappiness"):
            raise KernelFileDeniedError(path, None, "refused")
        return real(files, path)

    monkeypatch.setattr(KernelFiles, "read_bytes", refuse)
    report = capture(root.files, tmp_path / "a.tar.gz")
    assert report.denied == ("/proc/sys/vm/swappiness",)
    assert report.files > 3


@pytest.mark.parametrize("where", ["", "missing/folder/a.tar.gz"])
def test_a_place_that_cannot_be_written_is_told(root, tmp_path, where):
    """A folder, or a place that does not exist, is one clear line and leaves nothing."""
    before = sorted(tmp_path.iterdir())
    with pytest.raises(CaptureError, match=r"is a folder|cannot be written: No such file"):
        capture(root.files, tmp_path / where)
    assert sorted(tmp_path.iterdir()) == before


def test_a_full_disk_leaves_no_half_archive(root, tmp_path, monkeypatch):
    """When the disk is full the old file stays and no temporary one is left."""
    target = tmp_path / "a.tar.gz"
    target.write_text("old")

    def full(*_arguments, **_options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("destutter.sampling.capturing.capture._add", full)
    with pytest.raises(CaptureError, match="No space left"):
        capture(root.files, target)
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_configuration_files_keep_only_lines_about_settings(opened, root):
    """Line numbers stay; host names, parameters of the start and serial numbers do not."""
    root.put(
        "/etc/sysctl.d/a.conf", "kernel.hostname = secret-name\n# vm.x secret\nvm.swappiness=9\n"
    )
    root.put("/proc/cmdline", "root=UUID=secret-disk sysctl.vm.swappiness=9 quiet\n")
    root.put(
        "/usr/lib/udev/rules.d/60-x.rules",
        'ATTR{address}=="secret", NAME="lan"\n'
        'ENV{ID_SERIAL}=="secret-serial", \\\n ATTR{queue/scheduler}="bfq"\n',
    )
    _, files = opened()
    assert files.read_bytes("/etc/sysctl.d/a.conf") == b"\n\nvm.swappiness=9\n"
    assert files.read_bytes("/proc/cmdline") == b"sysctl.vm.swappiness=9\n"
    assert files.read_bytes("/usr/lib/udev/rules.d/60-x.rules") == (
        b'\nENV{ID_SERIAL}=="hidden", \\\n ATTR{queue/scheduler}="bfq"\n'
    )


def test_patterns_are_expanded(root):
    """A star stands for any name, or a part of one."""
    assert list(expand(root.files, "/sys/block/*/queue/sched*")) == [
        "/sys/block/sda/queue/scheduler"
    ]
    assert list(expand(root.files, "/proc/nothing/*/x")) == []
    assert all(pattern.startswith("/") for pattern in PATTERNS)


def archive_of(tmp_path, *entries):
    """An archive with entries (name, content or a prepared entry)."""
    path = tmp_path / "hostile.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for name, content in (("proc/stat", b"x"), *entries):
            entry = tarfile.TarInfo(name)
            if isinstance(content, bytes):
                entry.size = len(content)
                archive.addfile(entry, io.BytesIO(content))
                continue
            for attribute, value in content.items():
                setattr(entry, attribute, value)
            archive.addfile(entry)
    return path


@pytest.mark.parametrize(
    "entry",
    [
        ("../outside", b"x"),
        ("/etc/outside", b"x"),
        ("proc/../../outside", b"x"),
        ("proc/link", {"type": tarfile.SYMTYPE, "linkname": "/etc/passwd"}),
        ("proc/link", {"type": tarfile.SYMTYPE, "linkname": "../../outside"}),
        ("proc/hard", {"type": tarfile.LNKTYPE, "linkname": "proc/stat"}),
        ("proc/device", {"type": tarfile.CHRTYPE}),
        ("proc/fifo", {"type": tarfile.FIFOTYPE}),
    ],
)
def test_entries_that_lead_outside_are_refused(tmp_path, entry):
    """Nothing is written outside the folder, and no link or device leads there."""
    target = tmp_path / "into"
    target.mkdir()
    with pytest.raises(OpenError):
        open_capture(archive_of(tmp_path, entry), target)
    assert not (tmp_path / "outside").exists()
    assert not (tmp_path.parent / "outside").exists()


def test_links_that_lead_outside_together_are_refused(tmp_path):
    """Two links, each harmless by its text, that leave the folder when followed."""
    target = tmp_path / "into"
    target.mkdir()
    archive = archive_of(
        tmp_path,
        ("sys/a/b/c/up", {"type": tarfile.SYMTYPE, "linkname": "../../.."}),
        ("sys/out", {"type": tarfile.SYMTYPE, "linkname": "a/b/c/up/../../outside"}),
    )
    with pytest.raises(OpenError, match="leads outside"):
        open_capture(archive, target)


def test_links_inside_are_kept(tmp_path):
    """Links as sysfs has them lead to their place in the tree."""
    target = tmp_path / "into"
    target.mkdir()
    archive = archive_of(
        tmp_path,
        ("sys/devices/disk/size", b"7\n"),
        ("sys/block/sda", {"type": tarfile.SYMTYPE, "linkname": "../devices/disk"}),
    )
    assert open_capture(archive, target).read_int("/sys/block/sda/size") == 7


def test_an_archive_that_is_too_large_is_refused(tmp_path, monkeypatch):
    """Sizes and numbers are limited before anything is written."""
    monkeypatch.setattr("tests.support.opened_capture._MOST_FILE_BYTES", 100)
    (tmp_path / "into").mkdir()
    archive = archive_of(tmp_path, ("proc/big", b"x" * 200))
    with pytest.raises(OpenError, match="too large"):
        open_capture(archive, tmp_path / "into")


@pytest.mark.parametrize(
    ("manifest", "words"),
    [(b"rubbish", "manifest"), (b"[]", "manifest"), (b'{"format":99}', "newer version")],
)
def test_a_manifest_that_is_none_is_refused(tmp_path, manifest, words):
    """A broken manifest, or one of a newer version, is told."""
    (tmp_path / "into").mkdir()
    with pytest.raises(OpenError, match=words):
        open_capture(archive_of(tmp_path, ("capture.json", manifest)), tmp_path / "into")


@given(st.binary(max_size=400), st.booleans())
def test_any_bytes_are_a_clear_error(tmp_path_factory, data, has_magic):
    """A file that is no archive, or half of one, is refused in words."""
    folder = tmp_path_factory.mktemp("rubbish")
    path = folder / "a.tar.gz"
    path.write_bytes((b"\x1f\x8b\x08\x00" if has_magic else b"") + data)
    with pytest.raises(OpenError):
        open_capture(path, folder)


@given(st.integers(0, 3000))
def test_a_torn_archive_is_a_clear_error(tmp_path_factory, cut):
    """An archive that was cut off at any place is refused in words."""
    folder = tmp_path_factory.mktemp("torn")
    data = archive_of(folder, ("proc/noise", bytes(range(256)) * 8)).read_bytes()
    path = folder / "torn.tar.gz"
    path.write_bytes(data[: cut % len(data)])
    with pytest.raises(OpenError):
        open_capture(path, folder)


@pytest.mark.parametrize("archive", ARCHIVES, ids=name_of)
def test_a_capture_holds_all_that_samplers_read(archive, tmp_path):
    """Whatever a sampler asks for and finds on a computer is on the list of a capture."""
    files = unpacked(archive)
    watched = WatchedFiles(files.root)
    parts = build_parts(watched, SteppedClock(), lambda: 0)
    for make in SAMPLERS.values():
        sampler = make(parts)
        with contextlib.suppress(AbsentError, KernelFileError):
            sampler.read()
        sampler.close()
    found, _ = kernel_paths(files)
    missing = [
        path
        for path in watched.asked
        if files.is_file(path) and path not in found and not is_elsewhere(path)
    ]
    assert missing == []


def is_elsewhere(path):
    """Whether a path belongs to one process, or to the capture itself."""
    return path == MANIFEST or path.removeprefix("/proc/").split("/")[0].isdigit()


def test_this_computer_can_be_captured(tmp_path):
    """A capture of the running kernel opens again and can be sampled."""
    (tmp_path / "into").mkdir()
    report = capture(KernelFiles(), tmp_path / "a.tar.gz", CaptureOptions(pids=()))
    files = open_capture(tmp_path / "a.tar.gz", tmp_path / "into")
    assert report.files > 50
    assert files.read_text("/proc/sys/kernel/osrelease") == KernelFiles().read_text(
        "/proc/sys/kernel/osrelease"
    )
