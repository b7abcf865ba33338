# SPDX-License-Identifier: GPL-3.0-or-later
"""How far somebody is in the guide, over a restart."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.guide_progress import (
    GuideProgress,
    GuideProgressError,
    GuideStep,
    GuideStore,
)

_PROGRESS = st.builds(
    GuideProgress,
    st.sampled_from(GuideStep),
    st.text(max_size=9).filter(lambda name: "/" not in name),
    st.text(max_size=9).filter(lambda name: "/" not in name),
    st.lists(st.tuples(st.text(max_size=5), st.text(max_size=5)), max_size=3).map(tuple),
    st.booleans(),
)


@given(_PROGRESS)
def test_it_is_found_again(
    tmp_path_factory: pytest.TempPathFactory, progress: GuideProgress
) -> None:
    """What was kept is what the next start reads."""
    path = tmp_path_factory.mktemp("guide") / "config" / "guide.json"
    GuideStore(path).keep(progress)
    assert GuideStore(path).progress == progress


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=9,
)


@given(
    st.binary(max_size=40)
    | _JSON.map(lambda value: json.dumps(value).encode())
    | st.fixed_dictionaries(
        dict.fromkeys(("step", "baseline", "second", "changes", "is_declined"), _JSON)
    ).map(lambda value: json.dumps(value).encode())
)
def test_any_file_gives_a_place_to_begin(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    """A damaged file is like none, and never leads out of the folder of recordings."""
    path = tmp_path_factory.mktemp("guide") / "guide.json"
    path.write_bytes(data)
    progress = GuideStore(path).progress
    assert isinstance(progress.step, GuideStep)
    assert "/" not in progress.baseline + progress.second


def test_a_place_that_takes_no_file_is_told_and_the_step_holds(tmp_path: Path) -> None:
    """The guide goes on; only the next start does not know."""
    blocker = tmp_path / "config"
    blocker.write_text("")
    store = GuideStore(blocker / "guide.json")
    with pytest.raises(GuideProgressError):
        store.keep(GuideProgress(GuideStep.CHECK))
    assert store.progress.step is GuideStep.CHECK


def test_steps_have_an_order() -> None:
    """Five of them, and no way beyond the ends."""
    assert [each.number for each in GuideStep] == [1, 2, 3, 4, 5]
    assert GuideStep.WELCOME.moved(-1) is GuideStep.WELCOME
    assert GuideStep.COMPARE.moved(1) is GuideStep.COMPARE
    assert GuideStep.CHECK.moved(1) is GuideStep.RECORD
