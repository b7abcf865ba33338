# SPDX-License-Identifier: GPL-3.0-or-later
"""What runs as root for the AppImage, with hostile archives; /opt is a tmpfs of its own."""

import hashlib
import io
import subprocess
import tarfile
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[3]
PAGE = (CHECKOUT / "packaging/system/from-bundle").read_text()
RAN = "the archive's own program ran"


def run_page(archive, verb="install", sum_=None):
    """Exit status, what was said, and what is left in /opt afterwards."""
    sum_ = hashlib.sha256(archive).hexdigest() if sum_ is None else sum_
    script = (
        'mount -t tmpfs none /opt; sh -c "$1" sh "$2" "$3"; status=$?; '
        "find /opt -mindepth 1; exit $status"
    )
    finished = subprocess.run(
        ["unshare", "--mount", "sh", "-c", script, "sh", PAGE, verb, sum_],
        input=archive,
        capture_output=True,
        timeout=60,
        check=False,
    )
    return finished.returncode, finished.stdout.decode() + finished.stderr.decode()


def member(name, text=b"", **fields):
    """One of an archive."""
    info = tarfile.TarInfo(name)
    info.size = len(text)
    for key, value in fields.items():
        setattr(info, key, value)
    return info, text


def archive(*members):
    """An archive that would say so if its program were run."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=tarfile.GNU_FORMAT) as packed:
        program = member("packaging/system/install-helper", f'echo "{RAN} $*"'.encode())
        for info, text in (*members, program):
            packed.addfile(info, io.BytesIO(text))
    return file.getvalue()


def test_plain_archive_runs_its_own_installer():
    """With the verb, and nothing is left of what it was unpacked to."""
    for verb in ("install", "uninstall"):
        status, said = run_page(archive(member("README")), verb)
        assert (status, said) == (0, f"{RAN} {verb} --bundle\n")


@pytest.mark.parametrize(
    "members",
    [
        [member("../out", b"x")],
        [member("a/../../out", b"x")],
        [member("/etc/out", b"x")],
        [member("./a", b"x")],
        [member("a//b", b"x")],
        [member("link", type=tarfile.SYMTYPE, linkname="/etc")],
        [member("link", type=tarfile.LNKTYPE, linkname="packaging/system/install-helper")],
        [member("pipe", type=tarfile.FIFOTYPE)],
        [member("null", type=tarfile.CHRTYPE, devmajor=1, devminor=3)],
        [member("disk", type=tarfile.BLKTYPE, devmajor=7, devminor=0)],
        [member("twice", b"1"), member("twice", b"2")],
        [member("packaging/system/install-helper", b"echo other")],
        [member("-rf", b"x")],
        [member("new\nline", b"x")],
        [member("sp ace", b"x")],
        [member("schön", b"x")],
        [member("a" * 300 + "/../out", b"x")],
        [member("big", b"x" * 5_000_000)],
    ],
    ids=lambda members: repr(members[0][0].name)[:30] + str(members[0][0].type),
)
def test_hostile_archive_is_refused_and_nothing_is_left(members):
    """Though its sum is right: whoever made it could have shown that one."""
    status, said = run_page(archive(*members))
    assert status == 1
    assert said.startswith("destutter: the archive ")
    assert RAN not in said
    assert "/opt" not in said


@pytest.mark.parametrize("damage", ["cut", "noise", "empty", "sum", "other sum"])
def test_another_archive_than_the_one_that_was_shown_is_refused(damage):
    """Cut off, exchanged, none at all, and a sum that is none."""
    whole = archive(member("README", b"x" * 4000))
    sum_ = hashlib.sha256(whole).hexdigest()
    if damage == "sum":
        sum_ = ""
    elif damage == "other sum":
        sum_ = "0" * 64 + "  -\n" + sum_
    sent = {"cut": whole[:2000], "noise": whole + b"x", "empty": b""}.get(damage, whole)
    status, said = run_page(sent, sum_=sum_)
    assert (status, RAN in said, "/opt" in said) == (1, False, False)


def test_what_is_no_archive_is_refused():
    """Of the right sum."""
    for text in (b"", b"no archive", b"\0" * 10240):
        status, said = run_page(text)
        assert (status, RAN in said, "/opt" in said) == (1, False, False)


@pytest.mark.parametrize(("place", "is_taken"), [("/var/opt", True), ("/etc", False)])
def test_only_the_link_of_image_based_systems_is_followed(place, is_taken):
    """They have /opt below /var; elsewhere a link leads to nobody knows where."""
    sent = archive(member("README"))
    script = (
        "mount -t tmpfs none /opt; mount -t tmpfs none /var; mkdir -p /var/opt/destutter; "
        f'ln -s {place}/destutter /opt/destutter; sh -c "$1" sh install "$2"'
    )
    finished = subprocess.run(
        ["unshare", "--mount", "sh", "-c", script, "sh", PAGE, hashlib.sha256(sent).hexdigest()],
        input=sent,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (RAN in finished.stdout.decode()) is is_taken
    assert (b"leads elsewhere" in finished.stderr) is not is_taken
    assert not Path("/etc/destutter").exists()


def test_other_verbs_are_refused():
    """The page takes two words."""
    status, said = run_page(archive(), "purge; rm -rf /")
    assert (status, said) == (1, "destutter: say install or uninstall\n")


def test_real_archive_is_taken(tmp_path):
    """What pack-helper makes passes every check, and is the same each time."""
    files = [tmp_path / "one.tar", tmp_path / "two.tar"]
    for file in files:
        subprocess.run([CHECKOUT / "packaging/system/pack-helper", file], check=True, timeout=60)
    packed = files[0].read_bytes()
    assert packed == files[1].read_bytes()
    assert len(packed) < 1_000_000
    with tarfile.open(files[0]) as read:
        assert {"SECURITY.md", "polkit/io.github.destutter.policy"} <= set(read.getnames())
    changed = packed.replace(b"verb=$1\n", b"exit 7;\n", 1)
    assert len(changed) == len(packed)
    assert run_page(changed)[0] == 7
