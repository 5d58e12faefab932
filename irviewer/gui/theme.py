"""Colours and fonts as Qt objects, from the session's palette.

Widgets ask for colours when they paint, so that a change of theme is a repaint."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import lru_cache
from types import MappingProxyType

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPalette

from irviewer.rendering.palette import LIGHT, Palette, chip_colours, run_dash
from irviewer.rendering.run_label import RunLabel
from irviewer.rendering.styles import label_colour

FAMILY = "Inter"


@lru_cache(maxsize=512)
def colour(text: str) -> QColor:
    """Return the QColor of "#rrggbb", which is shared and must not be changed."""
    return QColor(text)


@lru_cache(maxsize=64)
def make_font(size: float, weight: int = 400, numbers: bool = False) -> QFont:
    """Return a shared font in points; ``numbers`` has tabular figures, so that columns of numbers align."""
    font = QFont(FAMILY)
    font.setPointSizeF(size)
    font.setWeight(QFont.Weight(weight))
    font.setStyleStrategy(QFont.StyleStrategy.PreferAntialias)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    # Inter's contextual alternates show 10x20 as 10×20 and -> as an arrow; ids must be shown as written.
    font.setFeature(QFont.Tag("calt"), 0)
    if numbers:
        font.setFeature(QFont.Tag("tnum"), 1)
    return font


class Theme(QObject):
    """The current palette, its colours, and fonts; ``changed`` is sent when all widgets must repaint.

    palette  the colours as texts
    colours  those of them that are a single colour, by field; for painters that ask for many"""

    changed = Signal()
    font = staticmethod(make_font)

    def __init__(self, palette: Palette = LIGHT, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.take(palette)

    def take(self, palette: Palette) -> None:
        """Set the palette; the caller sends ``changed``."""
        self.palette = palette
        values = {field.name: getattr(palette, field.name) for field in fields(palette)}
        self.colours: Mapping[str, QColor] = MappingProxyType(
            {name: colour(value) for name, value in values.items() if str(value).startswith("#")}
        )

    def set_palette(self, palette: Palette) -> None:
        if palette is not self.palette:
            self.take(palette)
            self.changed.emit()

    @property
    def dark(self) -> bool:
        return self.palette.dark

    def __getitem__(self, name: str) -> QColor:
        """Return the colour of a palette field: ``theme["ink"]``, ``theme["better"]``."""
        return self.colours[name]

    def run(self, label: RunLabel) -> QColor:
        """Return the colour of a run, the same in all lists, tables and plots."""
        return colour(label_colour(label, self.palette))

    def run_dash(self, label: RunLabel) -> tuple[float, ...]:
        """Return the dash pattern of a run in line widths; () is solid."""
        return run_dash(label.dash_slot)

    def grade(self, grade: float, max_grade: float) -> tuple[QColor, QColor]:
        """Return background and text colour of the chip of a grade."""
        ground, ink = chip_colours(self.palette, grade, max_grade)
        return colour(ground), colour(ink)

    def qt_palette(self) -> QPalette:
        """Return the QPalette for widgets that paint themselves."""
        palette = QPalette()
        roles = {
            QPalette.ColorRole.Window: "window",
            QPalette.ColorRole.Base: "panel",
            QPalette.ColorRole.AlternateBase: "hover",
            QPalette.ColorRole.WindowText: "text",
            QPalette.ColorRole.Text: "text",
            QPalette.ColorRole.Button: "control",
            QPalette.ColorRole.ButtonText: "text",
            QPalette.ColorRole.ToolTipBase: "panel",
            QPalette.ColorRole.ToolTipText: "text",
            QPalette.ColorRole.PlaceholderText: "muted",
            QPalette.ColorRole.Highlight: "selection",
            QPalette.ColorRole.HighlightedText: "ink",
            QPalette.ColorRole.Link: "ink",
        }
        for role, name in roles.items():
            palette.setColor(role, self[name])
        for role in (QPalette.ColorRole.Text, QPalette.ColorRole.WindowText, QPalette.ColorRole.ButtonText):
            palette.setColor(QPalette.ColorGroup.Disabled, role, self["faint"])
        return palette


def aligned(*flags: Qt.AlignmentFlag) -> Qt.AlignmentFlag:
    """Return alignment flags combined."""
    result = Qt.AlignmentFlag(0)
    for flag in flags:
        result |= flag
    return result
