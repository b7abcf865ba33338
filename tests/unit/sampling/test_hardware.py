# SPDX-License-Identifier: GPL-3.0-or-later
"""What a computer is made of, from the trees of three of them."""

import pytest

from destutter.core.kernel_files import KernelFiles
from destutter.sampling.capturing.folder_drive import free_space
from destutter.sampling.hardware import CacheDie, read_hardware
from tests.support.roots import FOLDER, unpacked


@pytest.mark.parametrize(
    ("tree", "processor", "driver"),
    [("synthetic-intel-desktop", "Intel", "i915"), ("synthetic-amdgpu-laptop", "AMD", "amdgpu")],
)
def test_processor_and_cards_are_told(tree: str, processor: str, driver: str):
    """What is not in the tree is None or empty, never made up; free space is of this computer."""
    files = unpacked(FOLDER / f"{tree}.tar.gz")
    found = read_hardware(files, "GNOME")
    assert found.processor is not None
    assert processor in found.processor
    assert found.cpus is not None
    assert found.memory_kib is not None
    assert {card.driver for card in found.cards} == {driver}
    assert found.desktop == "GNOME"
    assert free_space(files) == {}


def test_dies_are_the_cpus_that_share_a_cache(tmp_path):
    """Two of them with caches of different size, as a processor with a stacked one has."""
    for cpu in range(4):
        place = tmp_path / f"sys/devices/system/cpu/cpu{cpu}"
        (place / "cache/index3").mkdir(parents=True)
        (place / "topology").mkdir()
        (place / "topology/physical_package_id").write_text("0\n")
        (place / "topology/core_id").write_text(f"{cpu % 2}\n")
        shared, size = ("0,2", "98304K") if cpu % 2 == 0 else ("1,3", "32M")
        (place / "cache/index3/shared_cpu_list").write_text(f"{shared}\n")
        (place / "cache/index3/size").write_text(f"{size}\n")
    found = read_hardware(KernelFiles(str(tmp_path)))
    assert found.cores == 2
    assert found.dies == (CacheDie(2, 98_304), CacheDie(2, 32_768))
