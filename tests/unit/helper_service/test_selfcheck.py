# SPDX-License-Identifier: GPL-3.0-or-later
"""Code that others than root could change is found before it runs as root."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from destutter_helper.selfcheck import UntrustedError, check_own_code, check_owner

CHECKOUT = Path(__file__).resolve().parents[3]


def test_files_of_the_system_are_trusted():
    """The interpreter's own library belongs to root all the way up."""
    check_owner(Path("/usr/bin/env"))


def test_a11_files_below_a_public_directory_are_not_trusted(tmp_path):
    """A file in /tmp could be replaced by anybody, whoever owns it."""
    file = tmp_path / "module.py"
    file.write_text("")
    with pytest.raises(UntrustedError, match=r"belong to root|written by others"):
        check_owner(file)


def test_a11_a_link_is_followed_to_what_it_names(tmp_path):
    """A trusted place that holds a link to an untrusted one is not trusted."""
    (tmp_path / "code").mkdir()
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "code")
    with pytest.raises(UntrustedError):
        check_owner(link)


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
