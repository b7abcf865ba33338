# SPDX-License-Identifier: GPL-3.0-or-later
"""Who starts a program again and again, so that closing that one helps nobody."""

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from destutter.core.statement import Statement
from destutter.diagnosis.finding import Culprit, at_its_worst, weighty
from destutter.diagnosis.history.starters import Starters
from destutter.words.renderer import english

SCRIPT = "50 backup.sh"


def _look(starters, *children, parent=50, **others):
    """One look: new children of the script, and programs that were there before."""
    names = {f"{pid} sha256sum": parent for pid in children}
    olds = {name.replace("_", " "): above for name, above in others.items()}
    return starters.note({SCRIPT: 1, **names, **olds}, set(names))


def test_a_script_that_starts_one_after_the_other_is_told_from_the_third_on():
    """Before nobody can know; the one that still runs later has the same starter."""
    starters = Starters()
    assert _look(starters, 59) == {}
    assert _look(starters, 60) == {}
    assert _look(starters, 61) == {"61 sha256sum": "backup.sh (50)"}
    later = starters.note({"61 sha256sum": 50}, set())
    assert later == {"61 sha256sum": "backup.sh (50)"}


def test_thirty_at_once_are_not_again_and_again():
    """Whoever starts a pool of workers has started it once."""
    starters = Starters()
    assert _look(starters, *range(60, 90)) == {}


def test_what_stands_between_and_is_new_as_well_is_passed_over():
    """A build starts a shell, that a compiler, and that its parts."""
    starters = Starters()
    told: Mapping[str, str] = {}
    for first in (50, 60, 70):
        shell, compiler, part = f"{first} sh", f"{first + 1} gcc", f"{first + 2} cc1"
        parents = {"45 make": 40, shell: 45, compiler: first, part: first + 1, "40 bash": 1}
        told = starters.note(parents, {shell, compiler, part})
    assert told == dict.fromkeys(("70 sh", "71 gcc", "72 cc1"), "make (45)")


def test_nobody_is_told_who_starts_everything_or_itself():
    """A browser's own parts, and what has lost whoever started it."""
    starters = Starters()
    for pid in (60, 61, 62):
        assert starters.note({"1 systemd": 0, f"{pid} daemon": 1}, {f"{pid} daemon"}) == {}
        assert starters.note({"9 web": 1, f"{pid} web": 9}, {f"{pid} web"}) == {}
        assert starters.note({f"{pid} alone": 4}, {f"{pid} alone"}) == {}


@given(
    st.lists(
        st.tuples(
            st.dictionaries(st.integers(1, 9), st.integers(0, 9), max_size=9),
            st.sets(st.integers(1, 9)),
        ),
        max_size=8,
    )
)
def test_any_circle_of_parents_ends(looks):
    """Numbers that are used again can make a program its own parent."""
    starters = Starters()
    for parents, new in looks:
        told = {f"{pid} p{pid % 4}": above for pid, above in parents.items()}
        found = starters.note(told, {name for name in told if int(name.split()[0]) in new})
        assert found.keys() <= told.keys()


def test_the_starter_stands_behind_what_was_done():
    """In one sentence; of two stutters the worse is told, with the starter that one has."""
    did = [Statement("culprit.cpu", {"cpu_pct": pct}) for pct in (90.0, 60.0)]
    first = Culprit("process", "sha256sum", 60, did[0])
    second = Culprit("process", "sha256sum", 61, did[1], "backup.sh (50)")
    worse = first.or_worse(second)
    assert (worse.pid, worse.starter) == (60, "backup.sh (50)")
    words = "used 90\xa0% of one core; backup.sh (50) starts it again and again"
    assert worse.told is not None
    assert english(worse.told) == words
    assert first.told is did[0]


def test_who_gave_way_is_not_named_beside_one_who_did_the_same():
    """Even where it did more at the one moment at which nobody else was in sight."""
    used = [Statement("culprit.cpu", {"cpu_pct": pct}) for pct in (85.0, 81.0, 76.0)]
    early = Culprit("process", "recorder", 7, used[0])
    idle = Culprit("process", "recorder", 7, used[1], gives_way=True)
    hog = Culprit("process", "hog", 8, used[2])
    assert [each.comm for each in weighty([idle, hog])] == ["hog"]
    assert [each.comm for each in weighty([idle])] == ["recorder"]
    # What is usual for it is not known at its first looks.
    for worse in (early.or_worse(idle), idle.or_worse(early)):
        assert (worse.why, worse.gives_way) == (used[0], True)
    read = Culprit("process", "backup", 9, Statement("culprit.read", {"bytes_per_s": 9e8}))
    assert [each.comm for each in weighty([idle, read])] == ["recorder", "backup"]


def test_who_gave_way_now_and_then_is_named_all_the_same():
    """A backup held the drive at 17 of 19 stutters, and a program of one of them was accused."""

    def wrote(name, bytes_per_s, drive, *, gives_way=False):
        why = Statement("culprit.traffic.wrote", {"io_bytes_per_s": bytes_per_s})
        return Culprit("process", name, 7, why, place=drive, gives_way=gives_way)

    often = [wrote("backup", 4e9, "vda")] * 15
    backup = at_its_worst([*often[:9], *[wrote("backup", 9e8, "vda", gives_way=True)] * 2, *often])
    assert not backup.gives_way
    drives = Culprit("device", "vda"), Culprit("device", "loop0")
    named = weighty([drives[0], backup, drives[1], wrote("dd", 1e7, "loop0")])
    assert [each.comm for each in named] == ["vda", "backup", "loop0"]
    # What is usual for it is not known at its first looks.
    idle = wrote("recorder", 9e8, "vda", gives_way=True)
    assert at_its_worst([wrote("recorder", 9e8, "vda"), idle]).gives_way
    assert not at_its_worst([wrote("recorder", 9e8, "vda")]).gives_way
