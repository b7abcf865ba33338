# SPDX-License-Identifier: GPL-3.0-or-later
"""What a user may ask for: the part of what the kernel takes that keeps a computer usable."""

import math

from destutter_helper.api.statement import Said
from destutter_helper.api.tunables import POLICY, Tunable, is_number

_GIB_KIB = 1024 * 1024
_MIB = 1024 * 1024


def safe_range(tunable: Tunable, memory_kib: int) -> tuple[int, int] | None:
    """What a user may ask for on a computer with ``memory_kib`` of RAM; None for choices.

    The reserve stays between half of what the kernel computes for itself, 4 * sqrt(memory) within
    128 KiB and 256 MiB (init_per_zone_wmark_min), and 2 % of memory but at most 1 GiB; the floor
    of 66 MiB that huge pages want is allowed up to 5 %. Limits of unwritten data stay between what
    a drive can take without stopping at every write and a fifth of memory.
    """
    if tunable.id == "vm.min_free_kbytes":
        computed = min(max(math.isqrt(16 * memory_kib), 128), 262_144)
        huge_page_floor = min(67_584, memory_kib // 20)
        return computed // 2, min(max(memory_kib // 50, huge_page_floor), _GIB_KIB)
    if tunable.id == "vm.dirty_bytes":
        # The kernel takes 8192, a limit of two pages with which the computer crawls.
        return 32 * _MIB, max(memory_kib * 1024 // 5, 32 * _MIB)
    if tunable.id == "vm.dirty_background_bytes":
        return 16 * _MIB, max(memory_kib * 1024 // 10, 16 * _MIB)
    return tunable.safe


def refusal(tunable: Tunable, value: str, memory_kib: int) -> Said | None:
    """Why a user may not ask for ``value``; None when it is safe."""
    limits, number = safe_range(tunable, memory_kib), value
    if limits is None:
        choices = {"choices": ", ".join(tunable.offered)}
        return None if value in tunable.offered else Said("helper.value.not_offered", choices)
    if tunable.kind == POLICY:
        word, _, number = value.partition(":")
        if value == "other":
            return None
        if word not in {"fifo", "rr"}:
            return Said("helper.value.not_policy")
    if is_number(number, *limits):
        return None
    low, high = map(str, limits)
    return Said("helper.value.out_of_range", {"value": number, "low": low, "high": high})
