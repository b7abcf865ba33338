# SPDX-License-Identifier: GPL-3.0-or-later
"""A second window knows of what the first one records, without a bus between them."""

from destutter.core.sample import Header
from destutter.session.being_recorded import is_being_recorded
from destutter.session.recorder import Recorder


def test_a_recording_is_being_recorded_until_it_is_closed(tmp_path):
    """Its writer holds the lock, and nobody after that."""
    path = tmp_path / "a.destutter"
    assert not is_being_recorded(path)
    recorder = Recorder(path, Header(0, 1.7e9, 100, {}))
    assert is_being_recorded(path)
    recorder.close()
    assert not is_being_recorded(path)


def test_what_is_no_file_is_not_being_recorded(tmp_path):
    """A folder, or nothing."""
    assert not is_being_recorded(tmp_path)
    assert not is_being_recorded(tmp_path / "b.destutter")
