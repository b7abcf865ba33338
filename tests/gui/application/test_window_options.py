# SPDX-License-Identifier: GPL-3.0-or-later
"""What the command line and the settings come to together."""

import pytest

from destutter.application.window_options import WindowOptions
from destutter.settings import Settings

_CHOSEN = Settings(frames_folder="/logs")


@pytest.mark.parametrize(
    ("options", "settings", "folder"),
    [
        (WindowOptions(), _CHOSEN, "/logs"),
        (WindowOptions(), Settings(), None),
        (WindowOptions(frames="/named"), _CHOSEN, "/named"),
        (WindowOptions(xplane="127.0.0.1:49000"), _CHOSEN, None),
        (WindowOptions(root="/capture"), _CHOSEN, None),
    ],
)
def test_where_frame_times_come_from(
    options: WindowOptions, settings: Settings, folder: str | None
) -> None:
    """What the start names goes before what was chosen, which is for this computer's games."""
    assert options.frames_folder(settings) == folder
