# SPDX-License-Identifier: GPL-3.0-or-later
"""How the program knows that a Flatpak hides a part of the computer from it."""

from hypothesis import given
from hypothesis import strategies as st

from destutter.core.sandbox import INFO, Sandbox, is_sandboxed, read_sandbox
from tests.support.fake_root import FakeRoot
from tests.support.flatpak_sandbox import flatpak_info, sandbox_this_process

ID = "io.github.destutter.Destutter"


def test_outside_there_is_none(tmp_path):
    """Nor in a tree that was captured somewhere."""
    assert read_sandbox(FakeRoot(tmp_path).files) is None


def test_flatpak_tells_name_and_network(tmp_path):
    """The network is granted for one start or for good; the file has both together."""
    assert read_sandbox(FakeRoot(tmp_path, {INFO: flatpak_info()}).files) == Sandbox(ID)
    files = FakeRoot(tmp_path / "more", {INFO: flatpak_info("network")}).files
    assert read_sandbox(files) == Sandbox(ID, has_network=True)


def test_this_process(tmp_path, monkeypatch):
    """The tests do not run in one, until they say so."""
    assert not is_sandboxed()
    sandbox_this_process(tmp_path, monkeypatch)
    assert is_sandboxed()


@given(st.binary(max_size=200))
def test_any_file_means_a_sandbox(tmp_path_factory, data):
    """Whatever stands in it: that it is there decides."""
    files = FakeRoot(tmp_path_factory.mktemp("root"), {INFO: data}).files
    assert isinstance(read_sandbox(files), Sandbox)
