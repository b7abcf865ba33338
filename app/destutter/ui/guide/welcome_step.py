# SPDX-License-Identifier: GPL-3.0-or-later
"""Step 1: what is going to happen."""

from PySide6.QtWidgets import QWidget

from destutter.core.compared import LEAST_MINUTES
from destutter.ui.guide.guide_row import GuideRow
from destutter.ui.guide.record_panel import WANTED_S
from destutter.ui.guide.step import GuideMemory, GuideTools, Step


class WelcomeStep(Step):
    """Four lines and a button."""

    def __init__(
        self, tools: GuideTools, memory: GuideMemory, parent: QWidget | None = None
    ) -> None:
        super().__init__(tools, memory, parent)
        for at, (icon, title, detail) in enumerate(
            (
                (
                    "sessions",
                    self.tr("Play for {minutes} minutes").format(minutes=LEAST_MINUTES),
                    self.tr("Destutter measures in the background and shows what that costs."),
                ),
                (
                    "causes",
                    self.tr("See the causes in plain language"),
                    self.tr("Each one comes with the evidence, so you can judge it yourself."),
                ),
                (
                    "sliders",
                    self.tr("Try changes safely"),
                    self.tr("Every change can be undone, exactly, with one click."),
                ),
                (
                    "lock",
                    self.tr("Administrator password"),
                    self.tr(
                        "Asked for only to set up the helper or to change a setting. "
                        "Measuring works without."
                    ),
                ),
            )
        ):
            row = GuideRow(tools.theme, is_first=at == 0, parent=self)
            row.show_texts(icon, "accent", title, detail)
            self.body.addWidget(row)
        self.body.addStretch(1)

    @property
    def heading(self) -> str:
        return self.tr("Find out why your game stutters")

    @property
    def sentence(self) -> str:
        return self.tr(
            "This takes about {minutes} minutes, most of it playing. Nothing is changed until you "
            "say so."
        ).format(minutes=int(2 * WANTED_S // 60))

    @property
    def next_text(self) -> str:
        return self.tr("Start")
