# SPDX-License-Identifier: GPL-3.0-or-later
"""Code that others than root could change is found before it runs as root."""

import functools
import os
import re
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter_helper.selfcheck import UntrustedError, check_own_code, check_owners

CHECKOUT = Path(__file__).resolve().parents[3]


def test_files_of_the_system_are_trusted():
    """The interpreter's own library belongs to root all the way up."""
    check_owners(["/usr/bin/env"])


def test_a11_files_below_a_public_directory_are_not_trusted(tmp_path):
    """A file in /tmp could be replaced by anybody, whoever owns it."""
    file = tmp_path / "module.py"
    file.write_text("")
    with pytest.raises(UntrustedError, match=r"belong to root|written by others"):
        check_owners([str(file)])


def test_a11_a_link_is_followed_to_what_it_names(tmp_path):
    """A trusted place that holds a link to an untrusted one is not trusted."""
    (tmp_path / "code").mkdir()
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "code")
    with pytest.raises(UntrustedError):
        check_owners([str(link)])


def test_a11_a_folder_that_others_may_write_is_found_behind_a_trusted_link(tmp_path):
    """A link in the middle of a path leads elsewhere: all above its end counts, not only it."""
    outside = tmp_path / "outside"
    (outside / "package").mkdir(parents=True)
    module = outside / "package/module.py"
    module.write_text("")
    code = Path(tempfile.mkdtemp(dir="/var/lib")) if os.geteuid() == 0 else tmp_path
    try:
        (code / "package").symlink_to(outside / "package")
        with pytest.raises(UntrustedError, match=r"belong to root|written by others"):
            check_owners([str(code / "package/module.py")])
    finally:
        (code / "package").unlink()
        if code != tmp_path:
            code.rmdir()


def test_a11_each_of_many_files_is_looked_at(tmp_path, monkeypatch):
    """The second file of a folder that was found good is not good for that."""
    monkeypatch.setattr(os, "lstat", functools.partial(_as_roots, os.lstat))
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text("")
    check_owners(map(str, tmp_path.iterdir()))
    (tmp_path / "b.py").chmod(0o666)
    with pytest.raises(UntrustedError, match=r"b\.py can be written by others"):
        check_owners(map(str, tmp_path.iterdir()))


def _is_trusted(path):
    """The rule said anew for one file: it, what it leads to, and all that lie above both."""
    real = path.resolve()
    return not any(
        "foreign" in each.name or (not each.is_symlink() and each.lstat().st_mode & 0o22)
        for each in {path, *path.parents, real, *real.parents}
        if each != Path("/tmp")
    )


@given(
    st.lists(st.sampled_from(["a", "b", "foreign"]), min_size=1, max_size=4),
    st.lists(st.sampled_from(["a", "b", "foreign"]), min_size=1, max_size=3),
    st.integers(0, 3),
    st.booleans(),
)
def test_a11_together_they_are_what_each_is_alone(folders, behind, at, is_writable):
    """Of a file, a link above it and another file beside it nothing is passed over."""
    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        root = Path(name).resolve()
        own, other = root.joinpath("own", *folders), root.joinpath("else", *behind)
        own.mkdir(parents=True)
        other.mkdir(parents=True)
        (other / "module.py").write_text("")
        (own / "link").symlink_to(other)
        (own / "module.py").write_text("")
        changed = root.joinpath("own", *folders[:at])
        changed.chmod(0o777 if is_writable else 0o755)
        files = [own / "module.py", own / "link" / "module.py"]
        patch.setattr(os, "lstat", functools.partial(_by_name, os.lstat))
        expected = all(map(_is_trusted, files))
        try:
            check_owners(map(str, files))
            is_trusted = True
        except UntrustedError:
            is_trusted = False
        assert is_trusted == expected


def _by_name(lstat, path, **options):
    """A file of root, unless its name says whose it is; the folder for all is taken for root's."""
    found = lstat(path, **options)
    owner = int("foreign" in os.path.basename(path))
    mode = found.st_mode & ~0o22 if os.fspath(path) == "/tmp" else found.st_mode
    return os.stat_result((mode, *found[1:4], owner, *found[5:]))


def _as_roots(lstat, path):
    """What a file says, of root and with folders that only root may write."""
    found = lstat(path)
    mode = found.st_mode & ~0o22 if stat.S_ISDIR(found.st_mode) else found.st_mode
    return os.stat_result((mode, *found[1:4], 0, *found[5:]))


def test_a12_an_interpreter_that_is_not_isolated_is_refused():
    """Without -I the search path could name anybody's directory."""
    assert not sys.flags.isolated
    with pytest.raises(UntrustedError, match="isolated"):
        check_own_code()


def test_a12_program_takes_modules_only_from_root(tmp_path):
    """Modules in the working directory, PYTHONPATH and the user's site are not even looked at.

    Its own ones lie below a public directory here: that is told before one of them runs.
    """
    for name in ("json", "dbus", "ctypes", "destutter_helper"):
        (tmp_path / f"{name}.py").write_text(f"raise SystemExit('evil {name}')")
    program = tmp_path / "installed/usr/libexec/destutter/destutter-helper"
    installer = CHECKOUT / "packaging/system/install-helper"
    subprocess.run(
        [installer, "install", "--destdir", tmp_path / "installed"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    environment = {"PYTHONPATH": str(tmp_path), "PYTHONUSERBASE": str(tmp_path)}
    done = subprocess.run(
        [program, "--help"],
        cwd=tmp_path,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(r"<4>destutter-helper: /tmp.* (root|others than root)\n", done.stderr)
