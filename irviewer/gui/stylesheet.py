"""The style sheet of Qt's own widgets, in the colours of the palette.

Selectors name single classes, so that they do not apply to the views, which paint themselves."""

from __future__ import annotations

from irviewer.paths import resource
from irviewer.rendering.palette import Palette

_SHEET = """
QMainWindow, QDialog {{ background: {window}; }}
QToolTip {{
    background: {panel}; color: {text}; border: 1px solid {frame}; padding: 4px 6px;
}}
QMenuBar {{ background: {window}; color: {text}; border: none; padding: 1px 6px; spacing: 0; }}
QMenuBar::item {{ background: transparent; padding: 2px 9px; border-radius: 4px; }}
QMenuBar::item:selected {{ background: {selection}; color: {ink}; }}
QMenuBar::item:disabled {{ color: {faint}; }}
QMenu {{ background: {panel}; color: {text}; border: 1px solid {frame}; padding: 5px; }}
QMenu::item {{ padding: 5px 22px 5px 24px; border-radius: 4px; }}
QMenu::item:selected {{ background: {selection}; color: {ink}; }}
QMenu::item:disabled {{ color: {faint}; }}
QMenu::separator {{ height: 1px; background: {line}; margin: 5px 8px; }}
QMenu::icon {{ padding-left: 8px; }}
QPushButton {{
    background: {control}; color: {text}; border: 1px solid {control_border}; border-radius: 5px;
    padding: 5px 14px; min-height: 16px;
}}
QDialogButtonBox {{ dialogbuttonbox-buttons-have-icons: 0; }}
QPushButton:hover {{ background: {hover}; }}
QPushButton:pressed {{ background: {selection}; }}
QPushButton:default {{ border-color: {muted}; color: {ink}; }}
QPushButton:focus {{ border-color: {ink}; }}
QPushButton:disabled {{ color: {faint}; }}
QLineEdit, QPlainTextEdit, QTextBrowser {{
    background: {control}; color: {text}; border: 1px solid {control_border}; border-radius: 5px;
    selection-background-color: {field_selection}; selection-color: {ink};
}}
QLineEdit {{ padding: 3px 7px; min-height: 18px; placeholder-text-color: {muted}; }}
QPlainTextEdit {{ placeholder-text-color: {muted}; }}
QPlainTextEdit, QTextBrowser {{ padding: 4px; }}
QLineEdit:focus, QPlainTextEdit:focus, QTextBrowser:focus {{ border-color: {ink}; }}
QComboBox {{
    background: {control}; color: {text}; border: 1px solid {control_border}; border-radius: 5px; padding: 3px 8px;
}}
QComboBox:focus {{ border-color: {ink}; }}
QComboBox::drop-down {{ border: none; width: 24px; }}
QComboBox::down-arrow {{ image: url("{icons}/chevron-{shade}.png"); width: 16px; height: 16px; }}
QCheckBox {{ spacing: 6px; }}
QCheckBox::indicator {{
    background: {control}; border: 1px solid {muted}; border-radius: 3px; width: 12px; height: 12px;
}}
QCheckBox::indicator:checked {{ image: url("{icons}/check-{shade}.png"); }}
QCheckBox::indicator:focus {{ border-color: {ink}; }}
QRadioButton {{ spacing: 6px; }}
QRadioButton::indicator {{
    background: {control}; border: 1px solid {muted}; border-radius: 7px; width: 12px; height: 12px;
}}
QRadioButton::indicator:checked {{
    background: qradialgradient(
        cx: 0.5, cy: 0.5, radius: 0.5, fx: 0.5, fy: 0.5,
        stop: 0 {ink}, stop: 0.5 {ink}, stop: 0.6 {control}, stop: 1 {control});
}}
QRadioButton::indicator:focus {{ border-color: {ink}; }}
QListWidget {{ background: {panel}; }}
QListWidget::indicator {{
    background: {control}; border: 1px solid {muted}; border-radius: 3px; width: 12px; height: 12px;
}}
QListWidget::indicator:checked {{ image: url("{icons}/check-{shade}.png"); }}
QAbstractSpinBox {{
    background: {control}; color: {text}; border: 1px solid {control_border}; border-radius: 5px; padding: 3px 7px;
    min-height: 18px; selection-background-color: {field_selection}; selection-color: {ink};
}}
QAbstractSpinBox QLineEdit {{ background: transparent; border: none; padding: 0 3px; min-height: 0; }}
QAbstractSpinBox:focus {{ border-color: {ink}; }}
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {{ width: 0; border: none; }}
QComboBox QAbstractItemView {{
    background: {panel}; color: {text}; border: 1px solid {frame};
    selection-background-color: {selection}; selection-color: {ink};
}}
QScrollBar:vertical {{ background: transparent; width: 11px; margin: 0; border: none; }}
QScrollBar:horizontal {{ background: transparent; height: 11px; margin: 0; border: none; }}
QScrollBar::handle {{ background: {control_border}; border-radius: 3px; margin: 2px; }}
QScrollBar::handle:vertical {{ min-height: 32px; width: 7px; }}
QScrollBar::handle:horizontal {{ min-width: 32px; height: 7px; }}
QScrollBar::handle:hover {{ background: {faint}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; border: none; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
QAbstractScrollArea::corner {{ background: transparent; border: none; }}
QSplitter::handle {{ background: transparent; }}
QHeaderView {{ background: {panel}; color: {muted}; border: none; }}
QProgressBar {{ background: {line}; border: none; border-radius: 2px; max-height: 4px; min-height: 4px; }}
QProgressBar::chunk {{ background: {muted}; border-radius: 2px; }}
"""


def stylesheet(palette: Palette) -> str:
    """Return the style sheet in the colours of a palette."""
    values = {name: value for name, value in vars(palette).items() if isinstance(value, str)}
    values["shade"] = "dark" if palette.dark else "light"
    values["icons"] = resource("icons").as_posix()
    return _SHEET.format(**values)
