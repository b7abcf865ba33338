# SPDX-License-Identifier: GPL-3.0-or-later
"""The releases of Debian that a guest may have, and what differs between them."""

from dataclasses import dataclass

_EVERYWHERE = tuple(
    """
    dbus fuse3 kmod libpam-systemd linux-image-amd64 pkexec polkitd procps python3 python3-dbus
    python3-gi systemd systemd-sysv udev openssh-client openssh-server xvfb xdotool weston
    fonts-dejavu-core fio libegl1 libgl1 libbz2-1.0 libexpat1 libffi8 libfontconfig1
    libfreetype6 libstdc++6 libwayland-client0 libwayland-cursor0
    libwayland-egl1 libx11-6 libx11-xcb1 libxcb-cursor0 libxcb-glx0 libxcb-icccm4 libxcb-image0
    libxcb-keysyms1 libxcb-randr0 libxcb-render-util0 libxcb-render0 libxcb-shape0 libxcb-shm0
    libxcb-sync1 libxcb-util1 libxcb-xfixes0 libxcb-xkb1 libxcb1 libxkbcommon-x11-0
    libxkbcommon0 libzstd1
    """.split()
)
"""The system with the helper's and the window's dependencies: the guest has no network.

xdotool clicks in the window, fio keeps a drive busy, weston is a desktop without an X server.
"""


@dataclass(frozen=True)
class Release:
    """One of Debian.

    ``kernel`` is how the release of its own kernel begins; ``newer_kernels`` names a suite with
    a newer one, which is an addition: where the mirror has none, the guest has one kernel.
    """

    suite: str
    kernel: str
    packages: tuple[str, ...]
    newer_kernels: str = ""


BOOKWORM = Release(
    "bookworm",
    "6.1.",
    (*_EVERYWHERE, "libglib2.0-0", "libreadline8"),
    newer_kernels="bookworm-backports",
)
"""Debian 12, with polkit 122."""
TRIXIE = Release(
    "trixie",
    "6.12.",
    (
        *(*_EVERYWHERE, "libglib2.0-0t64", "libreadline8t64", "dbus-broker", "rsync"),
        *("flatpak", "dbus-user-session", "gir1.2-polkit-1"),
    ),
)
"""Debian 13, with polkit 126; its second message bus, what updates of SteamOS copy with, and
Flatpak with the bus of a user's session and what a password agent is written with."""
