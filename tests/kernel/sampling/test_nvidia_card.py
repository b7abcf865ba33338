# SPDX-License-Identifier: GPL-3.0-or-later
"""NVIDIA's cards as they are read, beside nvidia-smi. Only where there is one (conftest.py)."""

import subprocess
import time

from destutter.core.kernel_files import KernelFiles
from destutter.sampling.gpu.gpu_nvidia import NvidiaCards, load_nvml

ASKED = {
    "memory.total": "vram_total_bytes",
    "memory.used": "vram_used_bytes",
    "temperature.gpu": "temperature_mdeg",
    "power.draw": "power_mw",
    "enforced.power.limit": "power_limit_mw",
    "clocks.gr": "clock_mhz",
    "clocks.mem": "memory_clock_mhz",
    "pcie.link.gen.max": "pcie_generation_max",
    "pcie.link.width.max": "pcie_width_max",
}
MIB = 1 << 20


def _told():
    """By field what nvidia-smi says of the first card, in our units; None where it says N/A."""
    command = ["nvidia-smi", f"--query-gpu={','.join(ASKED)}", "--format=csv,noheader,nounits"]
    line = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[
        0
    ]
    scale = {"vram_total_bytes": MIB, "vram_used_bytes": MIB}
    scale |= dict.fromkeys(("temperature_mdeg", "power_mw", "power_limit_mw"), 1000)
    values = zip(ASKED.values(), line.split(", "), strict=True)
    return {
        field: float(text) * scale.get(field, 1) if text[:1].isdigit() else None
        for field, text in values
    }


def test_a_card_is_read_as_its_own_tool_does():
    """What moves by a tenth; what the driver keeps for itself counts as used with us."""
    cards = NvidiaCards(KernelFiles(), time.monotonic_ns, load_nvml, time.time_ns)
    try:
        read = cards.read()
        assert read
        label, card = read[0]
        use = cards.use
        told = _told()
    finally:
        cards.close()
    assert label.startswith("0 ")
    assert use is not None
    stretches = use.stretches[label]
    assert stretches[0][1] > time.monotonic_ns() - 1_000_000_000
    assert all(busy in range(101) and 0 < us < 2_000_000 for busy, _, us in stretches)
    assert card.busy_pct in range(101)
    assert isinstance(card.throttle_reasons, int)
    for field in ("vram_total_bytes", "power_limit_mw", "pcie_generation_max", "pcie_width_max"):
        if told[field] is not None:
            assert abs(getattr(card, field) - told[field]) <= MIB, field
    for field, slack in (("temperature_mdeg", 10_000), ("power_mw", 60_000)):
        if told[field] is not None:
            assert abs(getattr(card, field) - told[field]) <= slack, field
    assert card.vram_used_bytes is not None
    assert 0 <= card.vram_used_bytes - told["vram_used_bytes"] <= 1024 * MIB
