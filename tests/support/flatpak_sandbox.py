# SPDX-License-Identifier: GPL-3.0-or-later
"""What Flatpak tells a program of its sandbox, for trees and for this process."""

from pathlib import Path

import pytest

from destutter.core import sandbox

INFO = """[Application]
name=io.github.destutter.Destutter
runtime=runtime/org.kde.Platform/x86_64/6.11

[Context]
shared={shared}
sockets=x11;wayland;fallback-x11;
devices=dri;

[System Bus Policy]
io.github.destutter.Helper1=talk
"""


def flatpak_info(*shared: str) -> str:
    """The file of a sandbox that shares these with what is around it."""
    return INFO.format(shared="".join(f"{each};" for each in ("ipc", *shared)))


def sandbox_this_process(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on the program takes itself to be in a Flatpak."""
    info = folder / "flatpak-info"
    info.write_text(flatpak_info())
    monkeypatch.setattr(sandbox, "INFO", str(info))
