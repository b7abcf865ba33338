# SPDX-License-Identifier: GPL-3.0-or-later
"""How a setting is named in files, on the command line and in the helper's requests."""


def key_of(id_: str, device: str | None) -> str:
    """A setting as "ID" or "ID@DEVICE"."""
    return f"{id_}@{device}" if device else id_
