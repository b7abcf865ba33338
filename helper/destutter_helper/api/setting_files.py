# SPDX-License-Identifier: GPL-3.0-or-later
"""The texts by which other tools set values of ours: lines of sysctl.d, rules of udev.

The helper writes them below /run for what is kept, the application exports them for people
without the helper. Both check the values before.
"""

import re
from collections.abc import Iterable

from destutter_helper.api.tunables import BY_ID, LATENCY, step_aside

SYSCTL_FILE = "99-zz-destutter.conf"  # sorts behind 99-sysctl.conf, and the last one counts
UDEV_FILE = "99-zz-destutter.rules"

_PLAIN_IDENTITY = re.compile(r"[A-Za-z0-9 _.:+/-]{1,128}")  # nothing that is a pattern for udev


def sysctl_line(id_: str, value: str) -> str:
    """A line of sysctl.d; ids of sysctls are their names."""
    return f"{id_} = {value}"


def identity_match(kind: str, wwid: str, serial: str) -> str:
    """The match for a device by what the hardware says of itself, never by the kernel's name.

    Empty when it says nothing, or nothing that is safe in a rule. Of a SATA host ``serial`` is
    the port that it hangs on.
    """
    is_plain = _PLAIN_IDENTITY.fullmatch
    if kind == "block" and is_plain(wwid):
        return f'ATTRS{{wwid}}=="{wwid}"'
    if not is_plain(serial):
        return ""
    by_serial = {
        "block": f'ATTRS{{serial}}=="{serial}"',
        "nvme": f'ATTR{{serial}}=="{serial}"',
        "scsi_host": f'DEVPATH=="*/{serial}/host*"',
    }
    return by_serial.get(kind, "")


def udev_rule(kind: str, match: str, values: Iterable[tuple[str, str]]) -> str:
    """The rule that sets ids to values at every change of a device, in the kernel's order.

    An NVMe drive gets another rule before it: "add" comes before the controller is ready, and
    what was written then has no effect unless another number comes between.
    """
    disk = ['ENV{DEVTYPE}=="disk"'] if kind == "block" else []
    ordered = sorted(values, key=lambda pair: (BY_ID[pair[0]].rank, pair[0]))
    attributes = [(BY_ID[id_].path.partition("{device}/")[2], value) for id_, value in ordered]
    assigned = [f'ATTR{{{attribute}}}="{value}"' for attribute, value in attributes]
    event = ['ACTION=="add|change"', f'SUBSYSTEM=="{kind}"']
    rule = ", ".join([*event, *disk, match, *assigned])
    aside = [
        f'ATTR{{{attribute}}}="{step_aside(value)}"'
        for (id_, _value), (attribute, value) in zip(ordered, attributes, strict=True)
        if BY_ID[id_].kind == LATENCY
    ]
    ready = ['ACTION=="change"', f'SUBSYSTEM=="{kind}"', 'ENV{NVME_EVENT}=="connected"', match]
    return "\n".join([", ".join([*ready, *aside]), rule]) if aside else rule
