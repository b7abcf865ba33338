# SPDX-License-Identifier: GPL-3.0-or-later
"""What Destutter says about a recording as a whole, as ``destutter diagnose`` finds it."""

from dataclasses import dataclass
from pathlib import Path

from destutter.analysis.examining.pipeline import Pipeline
from destutter.core.sample import Frames
from destutter.core.traced import TraceLook
from destutter.diagnosis.assessor import Assessor
from destutter.diagnosis.finding import Assessment
from destutter.session.replay import ReplaySource

_LOOK_EVERY = 2_000  # messages: the pipeline keeps what a window would draw until it is taken


@dataclass(frozen=True)
class Judgement:
    """The assessment at the end, and how many frames it rests on."""

    assessment: Assessment
    frames: int


def judgement_of(recording: Path, *, is_traced: bool = True) -> Judgement:
    """Judge a recording, without ``is_traced`` as if it had no trace. Raises ``RecordingError``
    when it is none.
    """
    assessor = Assessor(horizon_s=None, recent_s=None)
    pipeline = Pipeline(assessor)
    source = ReplaySource(recording)
    frames = 0
    try:
        for number, message in enumerate(source.messages(), 1):
            if is_traced or not isinstance(message, TraceLook):
                pipeline.accept_message(message)
            if isinstance(message, Frames):
                frames += len(message.frame_us)
            if number % _LOOK_EVERY == 0:
                pipeline.take_snapshot()
    finally:
        source.close()
    return Judgement(assessor.assess(), frames)
