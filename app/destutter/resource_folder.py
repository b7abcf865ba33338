# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the files beside the code are: a checkout, an installation or a bundle."""

import sys
from pathlib import Path


class ResourceError(Exception):
    """A file that belongs to the program is missing; said in English, for the texts are missing
    with it."""


def resource_folder() -> Path:
    """The folder that holds ``icons``.

    Raises ``ResourceError`` when the installation is incomplete.
    """
    for folder in _candidates():
        if (folder / "icons").is_dir():
            return folder
    raise ResourceError("Destutter's icons are missing. Install the program again.")


def source_folder() -> Path | None:
    """The folder of the source code that this program runs from; None for an installed one."""
    folder = Path(__file__).resolve().parents[2]
    return folder if (folder / "packaging/system/install-helper").is_file() else None


def _candidates() -> list[Path]:
    package = Path(__file__).resolve().parent
    bundle = getattr(sys, "_MEIPASS", None)
    return [
        *([Path(bundle) / "resources"] if bundle else []),
        package / "resources",
        package.parents[1] / "resources",
        Path(sys.prefix) / "share" / "destutter",
    ]
