# SPDX-License-Identifier: GPL-3.0-or-later
"""What the AppImage would run as root for its helper."""

import hashlib

import pytest

from destutter.helper_setup import HelperSetup, HelperSetupError, bundled_helper


def _having(*names):
    return lambda name: f"/usr/bin/{name}" if name in names else None


@pytest.mark.parametrize(
    ("there", "first"),
    [
        (("pkexec", "run0", "sudo"), ("pkexec", "--disable-internal-agent")),
        (("run0", "sudo"), ("run0", "--pipe")),
        (("sudo",), ("sudo",)),
    ],
)
def test_rights_are_asked_for_by_what_is_there(there, first):
    """The page is an argument, the archive's sum another: root reads no file of the user's. It
    begins with what pkexec's dialog shows of it.
    """
    setup = HelperSetup(b"archive", "echo page")
    sum_ = hashlib.sha256(b"archive").hexdigest()
    page = "# Destutter: install its helper\necho page"
    words = ("/bin/sh", "-c", page, "sh", "install", sum_)
    assert setup.command("install", _having(*there)) == (*first, *words)


def test_nobody_to_ask_is_told():
    """A computer without any of them."""
    with pytest.raises(HelperSetupError, match="none of pkexec, run0 and sudo"):
        HelperSetup(b"", "").command("install", _having())


def test_only_a_bundle_brings_a_helper(tmp_path):
    """A package and a checkout have no such folder; a torn bundle says what is missing."""
    assert bundled_helper(tmp_path) is None
    folder = tmp_path / "helper"
    folder.mkdir()
    with pytest.raises(HelperSetupError, match=r"destutter-helper\.tar"):
        bundled_helper(tmp_path)
    (folder / "destutter-helper.tar").write_bytes(b"archive")
    (folder / "from-bundle").write_text("page")
    assert bundled_helper(tmp_path) == HelperSetup(b"archive", "page")
