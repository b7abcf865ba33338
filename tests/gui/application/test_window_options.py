# SPDX-License-Identifier: GPL-3.0-or-later
"""What the command line and the settings come to together."""

import pytest

from destutter.application.window_options import WindowOptions
from destutter.settings import Settings

_CHOSEN = Settings(frames_folder="/logs")
_ASKED = Settings(xplane_address="192.0.2.7:49000")


@pytest.mark.parametrize(
    ("options", "settings", "expected"),
    [
        (WindowOptions(), _CHOSEN, ("/logs", "")),
        (WindowOptions(), _ASKED, ("", "192.0.2.7:49000")),
        (WindowOptions(), Settings(), ("", "")),
        (WindowOptions(frames="/named"), _CHOSEN, ("/named", "")),
        (WindowOptions(frames="/named"), _ASKED, ("/named", "")),
        (WindowOptions(xplane="127.0.0.1:49000"), _CHOSEN, ("", "127.0.0.1:49000")),
        (WindowOptions(root="/capture"), _CHOSEN, ("", "")),
    ],
)
def test_where_frame_times_come_from(
    options: WindowOptions, settings: Settings, expected: tuple[str, str]
) -> None:
    """What the start names goes before what was chosen, which is for this computer's games."""
    assert options.frames_of(settings) == expected
