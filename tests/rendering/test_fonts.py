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


def test_a_font_installed_after_the_list_of_fonts_was_made_is_found(fonts: pytest.MonkeyPatch) -> None:
    """The list is kept from one start to the next; here it lacks DejaVu Serif, whose file lies in a folder of fonts."""
    manager = matplotlib_figure.font_manager.fontManager
    serif = [entry for entry in manager.ttflist if entry.name == "DejaVu Serif"]
    fonts.setattr(manager, "ttflist", [entry for entry in manager.ttflist if entry not in serif])
    fonts.setattr(matplotlib_figure, "FALLBACKS", ("DejaVu Serif",))
    fonts.setattr(
        matplotlib_figure.font_manager,
        "findSystemFonts",
        lambda *_: [entry.fname for entry in serif] + ["/no/such.ttf"],
    )
    assert "DejaVu Serif" not in matplotlib_figure._families()
    drawn("bm25")  # every letter has a font: none is looked for
    assert "DejaVu Serif" not in matplotlib_figure._families()
    assert "Boxes are letters" in drawn("bm25 \U00013000")
    assert "DejaVu Serif" in matplotlib_figure._families()
