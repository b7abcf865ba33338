# SPDX-License-Identifier: GPL-3.0-or-later
"""rpm packages, what Arch takes, and archives: built for real where that takes seconds.

The frozen windows are built and compared by `make dist`.
"""

import re
import subprocess
import tarfile
from types import ModuleType

import pytest

from destutter.commands.version import program_version
from tests.house.source_tree import ROOT, loaded

RELEASE = ROOT / "packaging" / "release"
INSTALL = ROOT / "packaging" / "arch" / "destutter-helper.install"
DEBIAN = ROOT / "packaging" / "deb" / "debian"


@pytest.fixture(scope="module")
def file_lists() -> ModuleType:
    """The program that compares the formats."""
    return loaded(RELEASE / "file_lists.py")


def run(*command):
    """What it wrote, when it went well."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=110)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def staged(package, folder, plain):
    """The files that every format has to have."""
    run(ROOT / "packaging/deb/stage", package, folder)
    return plain(
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_symlink() or path.is_file()
    )


@pytest.mark.long
def test_helper_as_rpm(tmp_path, file_lists):
    """The rpm package has the files of the others, names its needs, and is the same each time."""
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        folder.mkdir()
        run(ROOT / "packaging/rpm/build", "--helper-only", folder)
    (made,) = first.iterdir()
    assert made.name == f"destutter-helper-{program_version()}-1.noarch.rpm"
    assert made.read_bytes() == (second / made.name).read_bytes()
    expected = staged("helper", tmp_path / "staged", file_lists.plain)
    assert file_lists.of_rpm(made) == expected
    assert {"polkit", "dbus", "systemd"} <= set(run("rpm", "-qp", "--requires", made).split("\n"))
    owners = run("rpm", "-qp", "--qf", "[%{FILEUSERNAME}:%{FILEGROUPNAME}\n]", made)
    assert set(owners.split()) == {"root:root"}


@pytest.mark.long
@pytest.mark.slow
def test_packages_for_arch(tmp_path, file_lists):
    """makepkg builds both from the source archive; .SRCINFO says what PKGBUILD does."""
    archive = tmp_path / f"destutter-{program_version()}.tar.gz"
    run(RELEASE / "pack-source", archive)
    made, lists = tmp_path / "made", tmp_path / "lists"
    run(ROOT / "packaging/arch/build", archive, made, lists)
    for name, package in (("destutter", "native"), ("destutter-helper", "helper")):
        expected = staged(package, tmp_path / package, file_lists.plain)
        assert file_lists.of_list(lists / f"{name}.files") == expected
    told = (made / ".SRCINFO").read_text()
    assert f"\tpkgver = {program_version()}\n" in told
    assert re.findall(r"^pkgname = (.+)$", told, re.MULTILINE) == ["destutter", "destutter-helper"]
    assert run("sha256sum", archive).split()[0] in told
    assert "@" not in (made / "PKGBUILD").read_text().partition("pkgbase")[2]


def test_archives_are_the_same_each_time(tmp_path):
    """The sources and the helper, each in one folder that names the version."""
    folder = f"destutter-helper-{program_version()}"
    found = []
    for turn in ("first", "second"):
        place = tmp_path / turn
        place.mkdir()
        run(RELEASE / "pack-source", place / "destutter-1.tar.gz")
        run(ROOT / "packaging/system/pack-helper", place / "helper.tar", folder)
        found.append(
            [(place / name).read_bytes() for name in ("destutter-1.tar.gz", "helper.tar")]
        )
    assert found[0] == found[1]
    with tarfile.open(tmp_path / "first" / "helper.tar") as archive:
        names = archive.getnames()
    assert {name.split("/")[0] for name in names} == {folder}
    assert f"{folder}/packaging/system/install-helper" in names
    with tarfile.open(tmp_path / "first" / "destutter-1.tar.gz") as archive:
        assert {name.split("/")[0] for name in archive.getnames()} == {"destutter-1"}


def test_scripts_of_the_helper_do_what_debians_do():
    """pacman and rpm run a script that sh understands, and that cleans up the same places."""
    subprocess.run(["sh", "-n", INSTALL], check=True)
    text = INSTALL.read_text()
    for name in ("postinst", "prerm", "postrm"):
        for line in (DEBIAN / f"destutter-helper.{name}").read_text().splitlines():
            if re.match(r"\s*(rm -f|mkdir) ", line):
                assert line.strip() in text
    assert "--undo-all --no-dbus" in text
    assert "/run/destutter /var/lib/destutter" in text
    moments = re.findall(r"^(p\w+)\(\)", text, re.MULTILINE)
    assert set(moments) == {
        *("post_install", "pre_upgrade", "post_upgrade", "pre_remove", "post_remove"),
    }


def test_missing_files_are_named(file_lists):
    """One line for each file that a format lacks, with the format."""
    lists = {"the deb": {"usr/a", "usr/b"}, "the rpm": {"usr/b"}}
    assert file_lists.differences(lists) == ["usr/a: not in the rpm"]
    added = [
        "usr/share/doc/a/changelog.gz",
        "usr/a/b.cpython-3.pyc",
        "usr/share/lintian/overrides/a",
    ]
    manual, notice = "usr/share/man/man1/a.1", "usr/share/doc/a/licenses/b.txt"
    packed = [f"{manual}.gz", f"{notice}.gz"]
    assert file_lists.plain([*added, *packed]) == {manual, notice}
