# SPDX-License-Identifier: GPL-3.0-or-later
"""Which disks the graph shows."""

from destutter.ui.plots.disk_ranking import DiskRanking


def test_the_disk_that_is_waited_for_comes_first():
    """Requests under way decide, not the name."""
    ranking = DiskRanking()
    for _ in range(50):
        ranking.accept_depths({"sda": 0.1, "nvme0n1": 4.0, "sdb": None}, 0.1)
    assert ranking.busiest() == ["nvme0n1", "sda", "sdb"]


def test_the_order_does_not_tremble():
    """Two disks that are about equally busy keep their places, and so their colours."""
    ranking = DiskRanking()
    orders = set()
    for index in range(200):
        ranking.accept_depths(
            {"a": 1.0 + 0.2 * (index % 2), "b": 1.0 + 0.2 * (1 - index % 2)}, 0.1
        )
        orders.add(tuple(ranking.busiest()))
    assert orders == {("a", "b")}


def test_a_disk_that_is_gone_is_not_offered():
    """Only disks that are present are named."""
    ranking = DiskRanking()
    ranking.accept_depths({"usb": 9.0, "sda": 1.0}, 1.0)
    assert ranking.busiest(["sda"]) == ["sda"]


def test_what_was_busy_long_ago_fades():
    """After some minutes of rest another disk is in front."""
    ranking = DiskRanking()
    ranking.accept_depths({"old": 50.0, "new": 0.0}, 1.0)
    for _ in range(600):
        ranking.accept_depths({"old": 0.0, "new": 1.0}, 1.0)
    assert ranking.busiest()[0] == "new"


def test_a_file_that_is_a_drive_stands_behind_the_drives():
    """However busy it is: what it lies on waits as well, and is what a player knows."""
    ranking = DiskRanking()
    for _ in range(20):
        ranking.accept_depths({"loop0": 40.0, "vda": 1.0, "loop1": 90.0, "sda": 0.1}, 1.0)
        ranking.busiest()
    assert ranking.busiest() == ["vda", "sda", "loop1", "loop0"]
