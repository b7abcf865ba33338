# SPDX-License-Identifier: GPL-3.0-or-later
"""Free pages and watermarks of every memory zone: /proc/zoneinfo.

The kernel prints min, low and high with the temporary boost included (wmark_pages() in
include/linux/mmzone.h). "boost" and "promo" do not exist in older kernels.
"""

from collections.abc import Sequence

from destutter.core.catalog import SOURCES
from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.core.sample import RawValue
from destutter.core.statement import Statement
from destutter.sampling.files.kept_file import KeptFile
from destutter.sampling.files.measurement import Measurement, text_of, whole

ZONEINFO = "/proc/zoneinfo"
_FIELDS = tuple(name.encode() for name in SOURCES["zone"].fields)
_NEEDED = frozenset({b"free", b"min", b"low", b"high", b"managed"})
_PAIRS = 12  # the values above stand within the first dozen lines behind "pages"


class ZoneSampler:
    """One instance per zone that has pages, named "node0/Normal"."""

    sources = ("zone",)

    def __init__(self, files: KernelFiles) -> None:
        self._file = KeptFile(files, ZONEINFO)
        self._instances: tuple[str, ...] = ()

    def read(self) -> Sequence[Measurement]:
        """Pages per zone."""
        names, values = parse_zoneinfo(self._file.read())
        if names != self._instances:
            self._instances = names
        return (Measurement("zone", self._instances, values),)

    def close(self) -> None:
        self._file.close()


def parse_zoneinfo(data: bytes) -> tuple[tuple[str, ...], tuple[RawValue, ...]]:
    """Names and values of the zones with pages of their own."""
    names: list[str] = []
    values: list[RawValue] = []
    line = 1
    before, *zones = data.split(b"Node ")
    line += before.count(b"\n")
    for zone in zones:
        found = _zone_values(zone, line)
        if found[-1]:
            names.append(_zone_name(zone, line))
            values += found
        line += zone.count(b"\n")
    if not zones:
        raise KernelFileError(ZONEINFO, None, Statement("sampling.no_zone"))
    return tuple(names), tuple(values)


def _zone_name(zone: bytes, line: int) -> str:
    # "0, zone   Normal"
    tokens = zone.split(b"\n", 1)[0].split()
    if len(tokens) != 3 or tokens[1] != b"zone" or not tokens[0].rstrip(b",").isdigit():
        raise KernelFileError(ZONEINFO, line, Statement("sampling.names_no_zone"))
    return f"node{text_of(tokens[0].rstrip(b','))}/{text_of(tokens[2])}"


def _zone_values(zone: bytes, line: int) -> list[RawValue]:
    """The numbers behind "pages free" in the order of the catalog, the managed pages last."""
    start = zone.find(b"pages free")
    if start < 0:
        raise KernelFileError(ZONEINFO, line, Statement("sampling.no_free_pages"))
    tokens = zone[start + 6 :].split(None, 2 * _PAIRS)[: 2 * _PAIRS]
    found = dict(zip(tokens[::2], tokens[1::2], strict=False))
    first = line + zone.count(b"\n", 0, start)
    if not found.keys() >= _NEEDED:
        raise KernelFileError(ZONEINFO, first, Statement("sampling.no_watermark"))
    try:
        return [int(found[name]) if name in found else None for name in _FIELDS]
    except ValueError:
        for offset, (name, token) in enumerate(zip(tokens[::2], tokens[1::2], strict=False)):
            if name in _FIELDS:
                whole(ZONEINFO, first + offset, token)
        raise
