# SPDX-License-Identifier: GPL-3.0-or-later
"""Palette and style sheet of a theme. Fusion draws; these two only say how it looks.

Widgets choose a look by the dynamic property ``role`` (labels, buttons, frames) and by ``kind``
(banners): a small set of names, listed here and nowhere else.
"""

from PySide6.QtGui import QColor, QPalette

from destutter.ui.look.fonts import MONO_FAMILIES
from destutter.ui.look.tokens import CARD_RADIUS, CONTROL_RADIUS, Sizes, Tokens


def palette(tokens: Tokens) -> QPalette:
    """The palette, for what Fusion draws by itself: text, menus, check boxes, selections."""
    made = QPalette()
    role = QPalette.ColorRole
    for name, color in (
        (role.Window, tokens.window),
        (role.WindowText, tokens.text),
        (role.Base, tokens.surface),
        (role.AlternateBase, tokens.sunken),
        (role.Text, tokens.text),
        (role.Button, tokens.raised),
        (role.ButtonText, tokens.text),
        (role.BrightText, tokens.bad),
        (role.ToolTipBase, tokens.raised),
        (role.ToolTipText, tokens.text),
        (role.PlaceholderText, tokens.faint),
        (role.Highlight, tokens.accent_fill),
        (role.HighlightedText, tokens.on_accent),
        (role.Link, tokens.accent),
        (role.LinkVisited, tokens.accent),
        (role.Accent, tokens.accent_fill),
        (role.Light, tokens.raised),
        (role.Midlight, tokens.border),
        (role.Mid, tokens.border),
        (role.Dark, tokens.border_strong),
        (role.Shadow, tokens.sidebar),
    ):
        made.setColor(name, QColor(color))
    for name in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, name, QColor(tokens.faint))
    return made


def stylesheet(tokens: Tokens, sizes: Sizes) -> str:
    values = {
        **{name: getattr(tokens, name) for name in Tokens.__dataclass_fields__},
        "card_radius": CARD_RADIUS,
        "radius": CONTROL_RADIUS,
        "body_px": round(sizes.body),
        "small_px": sizes.small,
        "caption_px": sizes.caption,
        "card_title_px": sizes.card_title,
        "page_title_px": sizes.page_title,
        "brand_px": sizes.px(16),
        "empty_title_px": sizes.px(20),
        "strip_px": sizes.px(18),
        "finding_title_px": sizes.px(17),
        "number_px": sizes.px(19),
        "control_px": sizes.control - 2,
        "pad_px": sizes.px(12),
        "cell_px": sizes.px(12) - 3,  # Fusion adds as much around the text of a row
        "flat_px": sizes.px(24),
        "mono_families": ", ".join(f'"{family}"' for family in MONO_FAMILIES),
    }
    text = _SHEET
    for key in sorted(values, key=len, reverse=True):
        text = text.replace(f"@{key};", f"{values[key]};").replace(f"@{key}", str(values[key]))
    return text


_SHEET = """
QWidget#page, QScrollArea#page, QWidget#pageBody { background: @window; }
QFrame#sidebar { background: @sidebar; border: none; border-right: 1px solid @border; }
QFrame[role="line"] { background: @border; border: none; }
QFrame[role="card"] {
    background: @surface; border: 1px solid @border; border-radius: @card_radiuspx;
}
QFrame[role="well"] {
    background: @sunken; border: 1px solid @border; border-radius: @card_radiuspx;
}
QFrame[role="row"] { background: transparent; border: none; border-top: 1px solid @border; }

QLabel { background: transparent; }
QLabel[role="pageTitle"] { font-size: @page_title_pxpx; font-weight: 600; }
QLabel[role="emptyTitle"] { font-size: @empty_title_pxpx; font-weight: 600; }
QLabel[role="brand"] { font-size: @brand_pxpx; font-weight: 700; }
QLabel[role="cardTitle"] { font-size: @card_title_pxpx; font-weight: 600; }
QLabel[role="strip"] { font-size: @strip_pxpx; font-weight: 600; }
QLabel[role="strong"] { font-weight: 600; }
QLabel[role="muted"] { color: @muted; }
QLabel[role="small"] { color: @muted; font-size: @small_pxpx; }
QLabel[role="smallStrong"] { font-size: @small_pxpx; font-weight: 600; }
QLabel[role="caption"] { color: @faint; font-size: @caption_pxpx; }

QLabel[role="columnTitle"] { color: @muted; font-size: @caption_pxpx; font-weight: 600; }
QLabel[role="bad"] { color: @bad; }

QLabel[role="findingTitle"] { font-size: @finding_title_pxpx; font-weight: 600; }
QLabel[role="number"] { font-size: @number_pxpx; font-weight: 600; }
QLabel[role="numberBad"] { font-size: @number_pxpx; font-weight: 600; color: @bad; }
QLabel[role="mono"] { color: @faint; }
QLabel[role="kernel"] { font-family: @mono_families; font-size: @small_pxpx; }
QLabel[tone="ok"] { color: @ok; }
QLabel[tone="warn"] { color: @warn; }
QLabel[tone="bad"] { color: @bad; }
QLabel[tone="info"] { color: @info; }
QLabel[tone="none"] { color: @none; }

QLabel[role="command"] {
    background: @sunken; border: 1px solid @border; border-radius: @radiuspx; padding: 6px 8px;
}

QPushButton {
    background: @raised; color: @text; border: 1px solid @border_strong;
    border-radius: @radiuspx; padding: 0 @pad_pxpx; min-height: @control_pxpx;
    font-weight: 600;
}
QPushButton:hover { border-color: @text; }
QPushButton:pressed { background: @sunken; }
QPushButton:disabled { color: @faint; border-color: @border; }
QPushButton:focus { border: 2px solid @focus; }
QPushButton[role="suggested"] {
    background: @accent_fill; color: @on_accent; border-color: @accent_fill;
}
QPushButton[role="suggested"]:hover { background: @accent_hover; border-color: @accent_hover; }
QPushButton[role="suggested"]:disabled {
    background: @raised; color: @faint; border-color: @border;
}
QPushButton[role="suggested"]:focus { border: 2px solid @focus; }
QPushButton[role="danger"] { background: transparent; color: @bad; border-color: @bad; }
QPushButton[role="danger"]:hover { background: @bad_soft; border-color: @bad; }
QPushButton[role="danger"]:disabled { color: @faint; border-color: @border; }
QPushButton[role="danger"]:focus { border: 2px solid @focus; }
QPushButton[role="chip"] {
    background: @surface; border: 1px solid @border; text-align: left;
}
QPushButton[role="chip"]:hover { border-color: @border_strong; }
QPushButton[role="chip"]:focus { border: 2px solid @focus; }
QPushButton[role="link"] {
    background: transparent; border: 1px solid transparent; border-radius: 5px;
    color: @accent; padding: 0 3px; min-height: 22px; max-height: 24px;
    font-size: @small_pxpx; text-align: left;
}
QPushButton[role="link"]:hover { text-decoration: underline; }
QPushButton[role="link"]:focus { border: 1px solid @focus; }
QPushButton[role="overGraph"] {
    background: @surface; border-radius: 5px; color: @accent; padding: 0 8px;
    min-height: 22px; max-height: 22px; font-size: @small_pxpx;
}
QPushButton[role="overGraph"]:focus { border: 2px solid @focus; padding: 0 7px; }
QPushButton[role="flat"] {
    background: transparent; border: 1px solid transparent; padding: 0;
    min-height: @flat_pxpx; max-height: @flat_pxpx; min-width: @flat_pxpx;
}
QPushButton[role="flat"]:hover { background: @raised; }
QPushButton[role="flat"]:focus { border: 2px solid @focus; }
QPushButton[role="nav"] {
    background: transparent; border: 2px solid transparent; color: @muted;
    text-align: left; padding: 0 10px; min-height: 34px; border-radius: 8px;
}
QPushButton[role="nav"]:hover { background: @raised; }
QPushButton[role="nav"]:checked { background: @accent_soft; color: @text; }
QPushButton[role="nav"]:focus { border-color: @focus; }
QPushButton[role="rail"] {
    background: transparent; border: 2px solid transparent; padding: 0;
    min-height: 34px; border-radius: 8px;
}
QPushButton[role="rail"]:hover { background: @raised; }
QPushButton[role="rail"]:checked { background: @accent_soft; }
QPushButton[role="rail"]:focus { border-color: @focus; }

QFrame[role="segments"] {
    background: @raised; border: 1px solid @border; border-radius: 9px;
}
QFrame[role="segments"] QPushButton {
    background: transparent; border: 1px solid transparent; color: @muted;
    min-height: 26px; padding: 0 11px;
}
QFrame[role="segments"] QPushButton:checked {
    background: @surface; border: 1px solid @border_strong; color: @text;
}
QFrame[role="segments"] QPushButton:focus { border: 2px solid @focus; padding: 0 10px; }

QFrame[role="banner"] { border-radius: @card_radiuspx; border: 1px solid @border; }
QFrame[kind="info"] { background: @surface; border-color: @border; }
QFrame[kind="ok"] { background: @ok_soft; border-color: @ok; }
QFrame[kind="warn"] { background: @warn_soft; border-color: @warn; }
QFrame[kind="bad"] { background: @bad_soft; border-color: @bad; }

QListWidget, QTreeWidget, QTableWidget {
    background: @sunken; border: 1px solid @border; border-radius: @radiuspx; outline: 0;
}
QListWidget:focus, QTreeWidget:focus, QTableWidget:focus { border: 2px solid @focus; }
QHeaderView { background: transparent; border: none; }
QHeaderView::section {
    background: @surface; color: @muted; border: none; border-bottom: 1px solid @border;
    padding: 6px 8px; font-size: @caption_pxpx; font-weight: 600;
}
QTreeWidget QHeaderView::section { padding: 6px 3px; }
QTableWidget QHeaderView::section { padding: 6px 11px; }
QTreeWidget#history QHeaderView::section { padding: 6px @pad_pxpx; }
QTreeWidget#history::item { padding: 0 @cell_pxpx; }
QListWidget::item { padding: 5px 8px; }
QListWidget::item:selected { background: @accent_soft; color: @text; }
QTableWidget::item { padding: 2px 8px; }
QTableWidget::item:selected { background: @accent_soft; color: @text; }
QTreeWidget::item:selected { background: @accent_soft; color: @text; }
QProgressBar { background: @raised; border: none; border-radius: 3px; }
QProgressBar::chunk { background: @accent_fill; border-radius: 3px; }
QSlider::groove:horizontal { height: 4px; border-radius: 2px; background: @border_strong; }
QSlider::sub-page:horizontal { border-radius: 2px; background: @accent_fill; }
QSlider::handle:horizontal {
    width: 14px; height: 14px; margin: -6px 0; border-radius: 8px;
    background: @surface; border: 1px solid @border_strong;
}
QSlider::handle:horizontal:hover { border-color: @text; }
QSlider::handle:horizontal:focus { border: 2px solid @focus; width: 12px; height: 12px; }
QLineEdit {
    background: @sunken; border: 1px solid @border_strong; border-radius: @radiuspx;
    padding: 0 8px; min-height: @control_pxpx;
}
QLineEdit:focus { border: 2px solid @focus; }
QToolTip {
    background: @raised; color: @text; border: 1px solid @border_strong; padding: 5px 7px;
}
QMenu { background: @raised; border: 1px solid @border_strong; padding: 4px; }
QMenu::item { padding: 6px 22px 6px 12px; border-radius: 5px; }
QMenu::item:selected { background: @accent_soft; }
QMenu::separator { height: 1px; background: @border; margin: 4px 8px; }
QScrollArea { border: none; background: transparent; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 2px; }
QScrollBar::handle:vertical { background: @border_strong; border-radius: 3px; min-height: 28px; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 2px; }
QScrollBar::handle:horizontal { background: @border_strong; border-radius: 3px; min-width: 28px; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
"""
