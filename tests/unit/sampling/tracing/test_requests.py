# SPDX-License-Identifier: GPL-3.0-or-later
"""Requests to drives: who asked, and where the time went."""

import shutil

from destutter.core.traced import SlowRequest, TracedThread
from tests.support.built_pages import ns

NVME = 259 << 20
DM = 253 << 20
RENDER = TracedThread(4711, "RenderThread", 4700)


def asked(stage, ms, sector, sectors=8, rwbs="R", tid=4711, comm="RenderThread", dev=NVME):
    """Somebody asks for sectors."""
    values = {"common_pid": tid, "dev": dev, "sector": sector, "nr_sector": sectors}
    stage.emit(0, ms, "block/block_bio_queue", rwbs=rwbs, comm=comm, **values)


def issued(stage, ms, sector, sectors=8, rwbs="R", ring=0):
    """The drive is given a request."""
    values = {"common_pid": 31, "dev": NVME, "sector": sector, "nr_sector": sectors}
    stage.emit(ring, ms, "block/block_rq_issue", rwbs=rwbs, comm="kworker/0:1H", **values)


def done(stage, ms, sector, sectors=8, ring=1):
    """The drive has done it."""
    stage.emit(ring, ms, "block/block_rq_complete", dev=NVME, sector=sector, nr_sector=sectors)


def test_queue_and_device_time_belong_to_who_asked(stage):
    """Not to the kernel's thread that gave it to the drive; a fast one only counts."""
    asked(stage, 10, 2048)
    issued(stage, 12, 2048)
    done(stage, 30, 2048)
    asked(stage, 40, 4096)
    issued(stage, 40.5, 4096)
    done(stage, 41, 4096)
    look = stage.look(100)
    assert look.requests == (
        SlowRequest("nvme0n1", "read", 2048, 8, ns(10), ns(2), ns(18), None, RENDER, False),
    )
    assert look.counts == {"events": 6, "requests": 2}


def test_quick_requests_of_the_game_are_added_up(stage):
    """Of who asked; one that is told is not among them."""
    stage.reader.game = 4700
    for number in range(6):
        asked(stage, 10 + 5 * number, 100 * number)
        issued(stage, 10 + 5 * number, 100 * number)
        done(stage, 12 + 5 * number, 100 * number)
    asked(stage, 50, 2000, tid=800, comm="backup")
    issued(stage, 50, 2000)
    done(stage, 52, 2000)
    asked(stage, 60, 3000)
    issued(stage, 60, 3000)
    done(stage, 80, 3000)
    assert stage.look(100).short_ns == {"request": ns(12)}


def test_how_long_the_drive_had_nothing_to_do(stage):
    """Since its last request was done; nothing while another one is open."""
    for begin, end, sector in ((10, 20, 0), (520, 530, 100), (525, 540, 200)):
        asked(stage, begin, sector)
        issued(stage, begin, sector)
        done(stage, end, sector)
    assert [each.idle_ns for each in stage.look(600).requests] == [None, ns(500), None]


def test_what_the_page_cache_writes_back_is_blamed_on_nobody(stage):
    """The kernel's writer asks, for some program that wrote earlier; its reads are its own."""
    for sector, rwbs in ((0, "W"), (100, "R")):
        asked(stage, 10, sector, rwbs=rwbs, tid=77, comm="kworker/u8:3")
        issued(stage, 10, sector, rwbs=rwbs)
        done(stage, 30, sector)
    assert [(each.operation, each.is_written_back) for each in stage.look(50).requests] == [
        ("write", True),
        ("read", False),
    ]


def test_flushes_are_of_no_sector(stage):
    """A flush beside a read of the first sector; a write with a flush before it is a write."""
    asked(stage, 10, 0, sectors=0, rwbs="FWS")
    asked(stage, 11, 0, sectors=8, rwbs="R")
    issued(stage, 12, 0, sectors=0, rwbs="FF")
    issued(stage, 12, 0, sectors=8, rwbs="R")
    done(stage, 20, (1 << 64) - 1, sectors=0)
    done(stage, 40, 0)
    asked(stage, 50, 800, rwbs="FWFS")
    issued(stage, 50, 800, rwbs="FWFS")
    done(stage, 60, 800)
    told = [(each.operation, each.duration_ns / 1e6) for each in stage.look(100).requests]
    assert told == [("flush", 10), ("read", 29), ("write", 10)]


def test_requests_are_put_together_and_cut_in_pieces(stage):
    """Of a request that holds two askings the first counts; the second piece knows who asked."""
    asked(stage, 10, 16)
    asked(stage, 12, 8, tid=4700, comm="game")
    issued(stage, 20, 8, sectors=16)
    done(stage, 30, 8, sectors=16)
    asked(stage, 40, 1000, sectors=2048)
    issued(stage, 41, 1000, sectors=1024)
    issued(stage, 45, 2024, sectors=1024)
    done(stage, 60, 2024, sectors=1024)
    done(stage, 61, 1000, sectors=1024)
    requests = stage.look(100).requests
    assert [(each.sector, each.begin_ns / 1e6, each.queue_ns) for each in requests] == [
        (8, 10, ns(10)),
        (1000, 40, ns(1)),
        (2024, 40, ns(5)),
    ]
    assert {each.thread for each in requests} == {RENDER}


def test_pieces_in_any_order_belong_to_who_asked_and_leave_nothing_open(stage):
    """The second goes to the drive first; the same sectors are written again 45 s later."""
    for begin, pause in ((10, 2), (45_000, 0.5)):
        asked(stage, begin, 1000, sectors=2048, rwbs="W")
        issued(stage, begin + 1, 2024, sectors=1024, rwbs="W")
        issued(stage, begin + 1 + pause, 1000, sectors=1024, rwbs="W")
        done(stage, begin + 60, 2024, sectors=1024)
        done(stage, begin + 61, 1000, sectors=1024)
        told = [
            (each.sector, each.duration_ns / 1e6, each.queue_ns / 1e6, each.thread)
            for each in stage.look(begin + 100).requests
        ]
        assert sorted(told) == [(1000, 61, 1 + pause, RENDER), (2024, 60, 1, RENDER)]


def test_a_piece_is_not_asked_for_again_by_who_asked_long_ago(stage):
    """The second piece was done before the first began; nobody is known for it, nor later."""
    for begin in (10, 45_000):
        asked(stage, begin, 1000, sectors=2048, rwbs="W")
        issued(stage, begin + 1, 2024, sectors=1024, rwbs="W")
        done(stage, begin + 30, 2024, sectors=1024)
        issued(stage, begin + 31, 1000, sectors=1024, rwbs="W")
        done(stage, begin + 61, 1000, sectors=1024)
        told = [
            (each.sector, each.duration_ns / 1e6, each.queue_ns)
            for each in stage.look(begin + 100).requests
        ]
        assert sorted(told) == [(1000, 61, ns(31)), (2024, 29, None)]


def test_what_follows_a_piece_of_nobody_does_not_stay_open(stage):
    """A request of a piece and what another one asked for behind it: that is done with it."""
    for begin in (10, 45_000):
        asked(stage, begin, 1000, sectors=2048, rwbs="W")
        asked(stage, begin, 3048, sectors=512, rwbs="W", tid=800, comm="backup")
        issued(stage, begin + 1, 2024, sectors=1536, rwbs="W")
        issued(stage, begin + 2, 1000, sectors=1024, rwbs="W")
        done(stage, begin + 30, 2024, sectors=1536)
        done(stage, begin + 31, 1000, sectors=1024)
        assert {each.begin_ns / 1e6 for each in stage.look(begin + 100).requests} == {begin}
    issued(stage, 46_000, 3048, sectors=512)
    done(stage, 46_010, 3048, sectors=512)
    assert [each.queue_ns for each in stage.look(46_100).requests] == [None]


def test_a_request_that_is_done_in_two_parts_ends_with_the_second(stage):
    """A part is no end."""
    asked(stage, 10, 8, sectors=16)
    issued(stage, 10, 8, sectors=16)
    done(stage, 12, 8, sectors=8)
    done(stage, 50, 16, sectors=8)
    assert [each.duration_ns for each in stage.look(100).requests] == [ns(40)]


def test_nobody_is_invented_for_what_nobody_was_seen_to_ask(stage):
    """Its time begins when the drive got it."""
    issued(stage, 10, 8)
    done(stage, 20, 8)
    (request,) = stage.look(50).requests
    assert (request.queue_ns, request.thread, request.device_ns) == (None, None, ns(10))


def test_a_request_that_is_given_to_the_drive_again_is_the_same(stage):
    """The drive was busy: it waited longer."""
    asked(stage, 10, 8)
    issued(stage, 11, 8)
    issued(stage, 30, 8)
    done(stage, 40, 8)
    (request,) = stage.look(50).requests
    assert (request.queue_ns, request.device_ns, request.thread) == (ns(20), ns(10), RENDER)


def test_a_drive_that_only_hands_on_keeps_nothing(stage):
    """LVM and zram have no requests: what was asked of them is not kept for ever."""
    for number in range(6000):
        asked(stage, 10 + number / 1000, number * 8, dev=DM)
        if number % 1500 == 1499:
            stage.look(20 + number / 1000)
    drives = stage.reader._instances[1]._subjects[0]._drives
    assert drives[DM].asked == {}


def test_what_never_ends_does_not_grow(stage):
    """The oldest are given up."""
    for number in range(12_000):
        asked(stage, 10 + number / 1000, number * 8)
        issued(stage, 10 + number / 1000, number * 8)
        if number % 1000 == 999:
            stage.look(20 + number / 1000)
    drive = stage.reader._instances[1]._subjects[0]._drives[NVME]
    assert len(drive.issued) == 8192
    assert drive.asked == {}


def test_of_too_many_the_longest_are_told(stage):
    """And how many were not."""
    for number in range(300):
        asked(stage, 10, number * 8)
        issued(stage, 10, number * 8)
        done(stage, 20 + number / 100, number * 8)
    look = stage.look(100)
    assert len(look.requests) == 100
    assert min(each.sector for each in look.requests) == 200 * 8
    assert look.untold == 200


def test_behind_a_flood_the_games_own_requests_are_told(stage):
    """A backup's are slower and more; how many of those left out are surely not the game's."""
    stage.reader.game = 4700
    for number in range(300):
        tid, comm = (99, "kcompactd0") if number % 30 else (4711, "RenderThread")
        tid = 555 if number % 30 == 7 else tid  # it is gone: nobody knows whose it was
        asked(stage, 10, number * 8, tid=tid, comm=comm)
        issued(stage, 10, number * 8)
    for number in sorted(range(300), key=lambda each: each % 30 != 0):
        done(stage, 50 if number % 30 else 18, number * 8)
    look = stage.look(100)
    own = [each for each in look.requests if each.thread == RENDER]
    gone = [each for each in look.requests if each.thread and each.thread.tid == 555]
    assert (len(look.requests), len(own), len(gone)) == (100, 10, 10)
    assert (look.untold, look.untold_requests, look.untold_other_requests) == (200, 200, 200)


def test_too_many_of_the_games_own_are_a_loss(stage):
    """Then it is not known what else held it up."""
    stage.reader.game = 4700
    for number in range(150):
        asked(stage, 10, number * 8)
        issued(stage, 10, number * 8)
        done(stage, 20, number * 8)
    look = stage.look(100)
    assert (look.untold_requests, look.untold_other_requests) == (50, 0)


def test_who_ended_between_two_looks_is_still_known(stage, computer):
    """By the look before; not by one that is longer ago, nor another of its number."""
    for at_ms, name in ((10, "RenderThread"), (110, "RenderThread"), (210, "else"), (310, "else")):
        asked(stage, at_ms, 8, comm=name)
        issued(stage, at_ms, 8)
        done(stage, at_ms + 20, 8)
        (request,) = stage.look(at_ms + 50).requests
        wanted = 4700 if name == "RenderThread" else None
        assert request.thread == TracedThread(4711, name, wanted)
        shutil.rmtree(computer / "proc/4711", ignore_errors=True)
