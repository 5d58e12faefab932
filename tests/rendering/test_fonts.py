"""Letters of other scripts in figures: the fonts in which they are sought, and what is said where none has them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from irviewer.figures.figure import Axis, Figure
from irviewer.rendering import matplotlib_figure
from irviewer.rendering.matplotlib_figure import draw
from irviewer.rendering.palette import LIGHT


@pytest.fixture
def fonts(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    matplotlib_figure._families.cache_clear()
    yield monkeypatch
    matplotlib_figure._families.cache_clear()


def drawn(title: str, mark: str = "") -> str:
    figure = Figure(title, Axis(title, 0.0, 1.0), Axis("y", 0.0, 1.0), ())
    return draw(figure, "svg", LIGHT, {}, (400, 300), mark, None).decode()


def test_installed_fonts_of_other_scripts_follow_the_programs_own(fonts: pytest.MonkeyPatch) -> None:
    fonts.setattr(matplotlib_figure, "FALLBACKS", ("No such font", "DejaVu Serif"))
    families = matplotlib_figure._families()
    assert families[1:] == ("DejaVu Sans", "DejaVu Serif")


def test_letters_without_a_font_are_said_below_the_figure(fonts: pytest.MonkeyPatch) -> None:
    fonts.setattr(matplotlib_figure, "FALLBACKS", ())
    assert "Boxes are letters" not in drawn("bm25 é Ω ж")
    assert "Boxes are letters" in drawn("bm25 日本")
    both = drawn("\U00013000", "2 changed judgments")
    assert "2 changed judgments · Boxes are letters" in both
