# SPDX-License-Identifier: GPL-3.0-or-later
"""What the guide looks like where something is missing, refused, or not worth a verdict."""

from dataclasses import replace

from destutter.bridge.helper_client import Availability
from destutter.bridge.session_examiner import Examined
from destutter.guide_progress import GuideProgress, GuideStep
from destutter.ui.guide.check_step import CheckStep
from destutter.ui.pages.feed_state import RecordingState
from destutter.ui.pages.pages import GUIDE
from destutter_helper.api.names import HelperError
from tests.screenshots.session_states import AFTER, BEFORE, FULL_DISK, Scene, SessionState
from tests.support import tuning_scenes
from tests.support.known_snapshots import snapshots_of
from tests.support.live_scenes import sampled_log, whole_computer

_BASELINE = f"{BEFORE}.destutter"
_SMOOTH = f"{AFTER}.destutter"
_SHORT = "2026-11-20_20-15-00 X-Plane 12.destutter"
_CHANGES = (("vm.min_free_kbytes", "524288"), ("vm.watermark_scale_factor", "125"))


def _nothing(_scene: Scene) -> None:
    """As it comes."""


def _missing(scene: Scene) -> None:
    scene.tuning.helper.set_status(Availability.ABSENT)
    scene.window.show_helper(scene.tuning.model.status)
    for snapshot in snapshots_of(whole_computer)[-4:]:
        scene.window.show_snapshot(snapshot)


def _sampled(scene: Scene) -> None:
    for snapshot in snapshots_of(sampled_log)[-4:]:
        scene.window.show_snapshot(snapshot)


def _advice(scene: Scene) -> None:
    _missing(scene)
    step = scene.steps.steps[GuideStep.CHECK]
    assert isinstance(step, CheckStep)
    step.rows["frames"].button.click()


def _asking(scene: Scene) -> None:
    scene.steps.next.click()


def _denied(scene: Scene) -> None:
    scene.steps.next.click()
    error = HelperError("NotAuthorized", "not allowed")
    scene.tuning.helper.failed.emit("BeginTrial", error)


def _by_hand(scene: Scene) -> None:
    step = scene.steps.choose
    summary = step._summary
    assert summary is not None
    step._examined(Examined((replace(summary, recommendations=()),), None))


def _failed(scene: Scene) -> None:
    scene.window.show_recording(RecordingState(failure=FULL_DISK))


def _changed(scene: Scene) -> None:
    scene.tuning.give(*tuning_scenes.kept_changes())


def _compare(second: str, baseline: str = _BASELINE) -> GuideProgress:
    return GuideProgress(GuideStep.COMPARE, baseline, second, _CHANGES)


GUIDE_STATES = (
    SessionState("guide-2-waiting", _nothing, GUIDE, GuideProgress(GuideStep.CHECK)),
    SessionState("guide-2-missing", _missing, GUIDE, GuideProgress(GuideStep.CHECK)),
    SessionState("guide-2-sampled", _sampled, GUIDE, GuideProgress(GuideStep.CHECK)),
    SessionState("guide-2-advice", _advice, GUIDE, GuideProgress(GuideStep.CHECK)),
    SessionState("guide-3-there", _nothing, GUIDE, GuideProgress(GuideStep.RECORD, _BASELINE)),
    SessionState("guide-3-failed", _failed, GUIDE, GuideProgress(GuideStep.RECORD)),
    SessionState("guide-4-nothing", _nothing, GUIDE, GuideProgress(GuideStep.CHOOSE, _SMOOTH)),
    SessionState("guide-4-gone", _nothing, GUIDE, GuideProgress(GuideStep.CHOOSE, "x.destutter")),
    SessionState("guide-4-cause", _by_hand, GUIDE, GuideProgress(GuideStep.CHOOSE, _BASELINE)),
    SessionState("guide-4-asking", _asking, GUIDE, GuideProgress(GuideStep.CHOOSE, _BASELINE)),
    SessionState("guide-4-denied", _denied, GUIDE, GuideProgress(GuideStep.CHOOSE, _BASELINE)),
    SessionState("guide-4-no-helper", _missing, GUIDE, GuideProgress(GuideStep.CHOOSE, _BASELINE)),
    SessionState("guide-5-record", _changed, GUIDE, _compare("")),
    SessionState("guide-5-changed", _changed, GUIDE, _compare(_SMOOTH)),
    SessionState("guide-5-short", _changed, GUIDE, _compare(_SHORT)),
    SessionState("guide-5-worse", _changed, GUIDE, _compare(_BASELINE, _SMOOTH)),
)
