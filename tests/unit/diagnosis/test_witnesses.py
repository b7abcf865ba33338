# SPDX-License-Identifier: GPL-3.0-or-later
"""What a look at the processes says of each."""

import pytest

from destutter.core.metrics import Metrics
from destutter.diagnosis.history.witnesses import Process, Witnesses, busiest

MIB = 2**20
SECOND_NS = 1_000_000_000


def _look(at_s, *processes):
    """One look: "PID NAME", when it began, and how many MiB it holds."""
    instanced = {
        "process.cpu_pct": {name: 50.0 for name, _, _ in processes},
        "process.rss_bytes": {name: held * MIB for name, _, held in processes},
        "process.began_s": {name: began for name, began, _ in processes},
    }
    return Metrics(at_s * SECOND_NS, 0.1, {}, instanced)


def test_who_began_since_the_looks_before_has_grown_from_nothing():
    """An old process that only becomes busy has no known growth; one that is new has all of it."""
    witnesses = Witnesses()
    witnesses.accept_metrics(_look(10, ("7 game", 5.0, 900)))
    witnesses.accept_metrics(
        _look(13, ("7 game", 5.0, 950), ("3 browser", 1.0, 2000), ("9 hog", 11.0, 600))
    )
    grown = {each.comm: each.grown_bytes / MIB for each in witnesses.looks[-1].processes}
    assert grown == {"game": 50.0, "browser": 0.0, "hog": 600.0}


def test_what_each_holds_of_how_much_there_is():
    """How much there is comes with another tick than the look at the processes."""
    witnesses = Witnesses()
    witnesses.accept_metrics(Metrics(9 * SECOND_NS, 0.1, {"memory.total_bytes": 24e9}))
    witnesses.accept_metrics(_look(10, ("9 hog", 9.0, 600)))
    (look,) = witnesses.looks
    assert (look.memory_bytes, look.processes[0].held_bytes) == (24e9, 600.0 * MIB)


def test_nobody_is_new_at_the_first_look():
    """Of what was there before anybody looked nothing is known."""
    witnesses = Witnesses()
    witnesses.accept_metrics(_look(10, ("9 hog", 9.0, 600)))
    assert witnesses.looks[0].processes[0].grown_bytes == 0.0


def test_drives_are_told_apart_by_what_they_moved():
    """A look knows what each drive moved since the look before."""
    witnesses = Witnesses()
    witnesses.accept_metrics(_look(10, ("9 hog", 9.0, 1)))
    for at_s in (11, 12):
        moved = {"disk.read_bytes_per_s": {"sda": 30.0, "sdb": None}}
        moved["disk.write_bytes_per_s"] = {"sda": 10.0}
        witnesses.accept_metrics(Metrics(at_s * SECOND_NS, 0.5, {}, moved))
    witnesses.accept_metrics(_look(12, ("9 hog", 9.0, 1)))
    assert witnesses.looks[-1].moved == {"sda": 20.0}
    assert witnesses.looks[-1].written == {"sda": 5.0}


def test_processes_of_one_name_are_one_program():
    """None of six workers has much; the sum has no id of its own, and says of how many it is."""
    alone = Process(3, "browser", cpu_pct=20.0)
    workers = [Process(number, "indexer", cpu_pct=6.0) for number in range(10, 16)]
    told = Process(None, "indexer", cpu_pct=36.0, count=6)
    assert busiest([alone, *workers], "cpu_pct", 5.0) == told
    assert busiest([alone, workers[0]], "cpu_pct", 5.0) is alone
    assert busiest([alone], "cpu_pct", 50.0) is None


def test_a_script_has_not_the_time_of_all_scripts_of_its_language():
    """The sampler counts by the interpreter's name, and the title has the script as well."""
    script = Process(7, "python3 sync.py", cpu_pct=20.0, same_name=5, same_name_pct=140.0)
    assert busiest([script], "cpu_pct", 5.0) == script


def test_who_shares_the_limit_of_the_game_is_known_only_where_it_was_asked():
    """Recordings of before have no such number."""
    look = _look(10, ("9 hog", 9.0, 1), ("8 friend", 9.0, 1))
    look.instanced["process.in_game_group"] = {"9 hog": 0.0, "8 friend": 1.0}
    look.instanced["process.system_pct"] = {"9 hog": 40.0}
    witnesses = Witnesses()
    witnesses.accept_metrics(look)
    witnesses.accept_metrics(_look(12, ("8 friend", 9.0, 1)))
    assert [each.in_game_group for each in witnesses.looks[0].processes] == [False, True]
    assert [each.system_pct for each in witnesses.looks[0].processes] == [40.0, 0.0]
    assert [each.in_game_group for each in witnesses.looks[1].processes] == [False]


@pytest.mark.parametrize(
    ("nice", "policy", "gives_way"), [(0, 5, True), (0, 0, False), (0, 3, False), (19, 0, True)]
)
def test_who_is_scheduled_when_nobody_else_wants_to_gives_way(nice, policy, gives_way):
    """SCHED_IDLE has a nice value of 0 and less than the lowest one; batch has its full share."""
    witnesses = Witnesses()
    for at_s in range(10, 16):
        instanced: dict[str, dict[str, float | None]] = {
            "process.cpu_pct": {"9 recorder": 80.0},
            "process.nice": {"9 recorder": nice},
            "process.policy": {"9 recorder": policy},
        }
        witnesses.accept_metrics(Metrics(at_s * SECOND_NS, 0.1, {}, instanced))
    (told,) = witnesses.looks[-1].processes
    assert told.gives_way == gives_way


def test_what_a_program_uses_anyhow_is_learnt():
    """The lowest quarter of the looks before; one that was not told used next to nothing."""
    witnesses = Witnesses()
    witnesses.game_pid = 7
    for at_s, used in enumerate((100.0, 90.0, 110.0, 20.0, 105.0), 10):
        instanced: dict[str, dict[str, float | None]] = {
            "process.cpu_pct": {"9 miner": used, "7 game": 50.0, "8 game": 9.0},
            "process.nice": {"9 miner": 19, "7 game": 0, "8 game": 0},
        }
        if at_s == 14:
            instanced["process.cpu_pct"]["5 new"] = 60.0
        witnesses.accept_metrics(Metrics(at_s * SECOND_NS, 0.1, {}, instanced))
    told = {each.comm: each for each in witnesses.looks[-1].processes}
    assert (told["miner"].usual_pct, told["miner"].gives_way) == (90.0, True)
    assert (told["new"].beyond_pct, told["new"].gives_way) == (60.0, False)
    assert told["game"].is_game, "the other process of its name"
    first = {each.comm: each for each in witnesses.looks[0].processes}
    assert not first["miner"].gives_way, "nothing is known yet"


def test_the_look_with_most_of_a_second_tells_of_it():
    """Not the one that began in its last tenth, which is of a quiet time."""
    witnesses = Witnesses()
    for at_s in (10, 13, 16):
        witnesses.accept_metrics(_look(at_s, ("9 hog", 1.0, 10)))

    def covering(start_s, end_s):
        look, is_final = witnesses.covering(int(start_s * SECOND_NS), int(end_s * SECOND_NS))
        return look and look.end_ns // SECOND_NS, is_final

    assert covering(12.2, 13.2) == (13, True)
    assert covering(12.8, 13.8) == (16, True)
    assert covering(15.4, 16.4) == (16, False)
    assert covering(20, 21) == (16, False)
    assert Witnesses().covering(0, 1) == (None, False)
