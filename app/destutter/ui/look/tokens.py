# SPDX-License-Identifier: GPL-3.0-or-later
"""Every colour and size of the window, in one table per theme. No Qt: tests read it bare.

Colours are ``#RRGGBB``. The pairs that carry text keep a contrast of 4.5:1 and the colours that
carry a line or an edge 3:1 (WCAG 2.2, 1.4.3 and 1.4.11); the series of one graph stay apart under
protanopia, deuteranopia and tritanopia. ``tests/unit/ui`` measures all of it.
"""

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Tokens:
    """One theme."""

    name: str
    # Grounds, from the page to what lies on it.
    window: str
    sidebar: str
    surface: str
    raised: str
    sunken: str
    # Edges and lines.
    border: str
    border_strong: str
    grid: str
    # Text.
    text: str
    muted: str
    faint: str
    # What can be clicked or is chosen.
    accent: str
    accent_fill: str
    accent_hover: str
    accent_soft: str
    on_accent: str
    focus: str
    # States: the colour of the sign and the ground behind it.
    ok: str
    ok_soft: str
    warn: str
    warn_soft: str
    bad: str
    bad_soft: str
    info: str
    info_soft: str
    none: str
    none_soft: str
    # Graph series. Colour means the group of the cause; the frame time itself is neutral.
    frame: str
    storage: str
    cpu: str
    gpu: str
    memory: str
    power: str
    write: str
    other: str
    other_write: str
    # The flag of the cross-hair.
    flag: str
    on_flag: str
    pen_extra_px: float = 0.0


DARK = Tokens(
    name="dark",
    window="#14171C",
    sidebar="#101318",
    surface="#1B1F26",
    raised="#252B35",
    sunken="#161A20",
    border="#2E3541",
    border_strong="#6B7688",
    grid="#2A303A",
    text="#E8EBF0",
    muted="#AAB3C0",
    faint="#8D97A6",
    accent="#5AA2FF",
    accent_fill="#2A74D6",
    accent_hover="#2268C8",
    accent_soft="#1B2F4A",
    on_accent="#FFFFFF",
    focus="#8CC0FF",
    ok="#3FC79A",
    ok_soft="#16302A",
    warn="#F0B232",
    warn_soft="#30260F",
    bad="#FF7B6B",
    bad_soft="#331D1F",
    info="#6FB8F2",
    info_soft="#17293B",
    none="#8D97A6",
    none_soft="#242A33",
    frame="#D5DBE5",
    storage="#70C1F6",
    cpu="#F0A63A",
    gpu="#2FC08F",
    memory="#E08CC0",
    power="#EFE15A",
    write="#8674F2",
    other="#B0B8C4",
    other_write="#768293",
    flag="#E8EBF0",
    on_flag="#14171C",
)

LIGHT = Tokens(
    name="light",
    window="#F3F5F8",
    sidebar="#E9EDF2",
    surface="#FFFFFF",
    raised="#EDF0F5",
    sunken="#F7F9FB",
    border="#D5DBE4",
    border_strong="#7F8A9A",
    grid="#E6EAF0",
    text="#171B22",
    muted="#4C5665",
    faint="#5F6A7A",
    accent="#1763C6",
    accent_fill="#1B69D2",
    accent_hover="#1559B4",
    accent_soft="#E3EEFC",
    on_accent="#FFFFFF",
    focus="#0B4FA8",
    ok="#06734F",
    ok_soft="#E0F3EB",
    warn="#855C00",
    warn_soft="#FBEFD9",
    bad="#B4133F",
    bad_soft="#FBE5EB",
    info="#0F62A8",
    info_soft="#E3EFFA",
    none="#5F6A7A",
    none_soft="#EDF0F4",
    frame="#2B3442",
    storage="#0F74B8",
    cpu="#C26A00",
    gpu="#008562",
    memory="#B0508B",
    power="#5E5700",
    write="#6A55D6",
    other="#6B7585",
    other_write="#39434F",
    flag="#171B22",
    on_flag="#FFFFFF",
)


def high_contrast(tokens: Tokens) -> Tokens:
    """The same theme for people who asked their desktop for more contrast.

    Soft grounds go, edges become those of controls, and pens grow by half a pixel.
    """
    return replace(
        tokens,
        border=tokens.border_strong,
        muted=tokens.text,
        faint=tokens.muted,
        accent_soft=tokens.raised,
        ok_soft=tokens.surface,
        warn_soft=tokens.surface,
        bad_soft=tokens.surface,
        info_soft=tokens.surface,
        none_soft=tokens.surface,
        pen_extra_px=0.5,
    )


@dataclass(frozen=True, slots=True)
class Sizes:
    """Sizes in device-independent pixels, all in proportion to the body text."""

    body: float = 13.0

    def px(self, at_13: float) -> int:
        """A size that is drawn for body text of 13 px, for the body text in use."""
        return round(at_13 * self.body / 13.0)

    @property
    def small(self) -> int:
        """Secondary text."""
        return self.px(12)

    @property
    def caption(self) -> int:
        """Axis labels and notes."""
        return self.px(11)

    @property
    def card_title(self) -> int:
        """Titles of cards and the bold sentence of a banner."""
        return self.px(14)

    @property
    def page_title(self) -> int:
        return self.px(22)

    @property
    def control(self) -> int:
        """Height of buttons."""
        return self.px(34)

    @property
    def gutter(self) -> int:
        """Width of the read-outs beside the graphs."""
        return self.px(220)

    @property
    def axis(self) -> int:
        """Width of the axis labels."""
        return self.px(52)


GAP = 12
PAGE_MARGIN = (20, 16)
CARD_RADIUS = 10
CONTROL_RADIUS = 7
GRAPH_RIGHT_MARGIN = 14
NO_LIMIT_PX = (1 << 24) - 1  # QWIDGETSIZE_MAX (qwidget.h), which the binding lacks
COMPACT_BELOW_PX = 1180
NARROW_BELOW_PX = 960  # a panel beside the graphs takes 956
