"""Figures for print: their fonts in the PDF, their size, and signs beside colour."""

from __future__ import annotations

import itertools
import re
import xml.etree.ElementTree as ElementTree
import zlib
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.image import imread

from irviewer.figures.figure import Axis, Curve, Figure, Role, Waterfall
from irviewer.figures.run_pair import scatter_figure
from irviewer.paths import resource
from irviewer.rendering import matplotlib_figure
from irviewer.rendering.export import save_figure
from irviewer.rendering.matplotlib_figure import _in_two_lines, apart
from irviewer.rendering.palette import LIGHT
from irviewer.rendering.print_style import COLUMN_MM, PRINT_DASHES, PRINT_MARKERS, PrintStyle, in_units

NAMES = ("10x10", "a_b", "50%", "R&D", "$x$")
SIZE = (in_units(COLUMN_MM), in_units(60))


@pytest.fixture
def figure() -> Figure:
    """Five curves whose names mean something to others."""
    x = np.arange(1.0, 51)
    curves = tuple(Curve(Role("run", n), name, x, 0.3 + 0.1 * n + x / 500) for n, name in enumerate(NAMES))
    return Figure("nDCG by cutoff", Axis("Cutoff", 1, 50, integer=True), Axis("nDCG", 0, 1), curves, cursor=10.0)


def streams(pdf: bytes) -> list[bytes]:
    """The streams of a PDF, decompressed where they are."""
    contents = []
    for match in re.finditer(rb"stream\r?\n", pdf):
        try:
            contents.append(zlib.decompressobj().decompress(pdf[match.end() :]))
        except zlib.error:
            continue
    return contents


@pytest.mark.parametrize("style", [None, PrintStyle(), PrintStyle(black=True, names="ends", title=True)])
def test_pdf_has_truetype_fonts(figure: Figure, tmp_path: Path, style: PrintStyle | None) -> None:
    save_figure(figure, tmp_path / "a.pdf", LIGHT, {}, SIZE, "", style)
    pdf = (tmp_path / "a.pdf").read_bytes()
    kinds = set(re.findall(rb"/Subtype\s*/(\w+)", pdf))
    assert b"Type3" not in kinds
    assert b"Type1" not in kinds
    assert b"CIDFontType2" in kinds
    assert b"/FontFile2" in pdf
    # TrueType begins with its version; "OTTO" would be PostScript outlines under a wrong name.
    assert any(stream.startswith(b"\x00\x01\x00\x00") for stream in streams(pdf))
    assert not any(stream.startswith(b"OTTO") for stream in streams(pdf))
    assert b"InterPrint" in pdf


def test_it_has_the_width_of_a_column(figure: Figure, tmp_path: Path) -> None:
    save_figure(figure, tmp_path / "a.pdf", LIGHT, {}, SIZE, "", PrintStyle())
    box = re.search(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", (tmp_path / "a.pdf").read_bytes())
    assert box is not None
    assert [float(side) / 72 * 25.4 for side in box.groups()] == pytest.approx([84, 60], abs=0.01)


@pytest.mark.parametrize("names", ["ends", "legend"])
def test_names_are_as_they_are(figure: Figure, tmp_path: Path, names: str) -> None:
    style = PrintStyle(names=names)  # type: ignore[arg-type]
    save_figure(figure, tmp_path / "a.svg", LIGHT, {}, SIZE, "", style)
    text = (tmp_path / "a.svg").read_text("utf-8")
    comments = [unescape(comment) for comment in re.findall(r"<!-- (.*?) -->", text)]
    assert set(NAMES) <= set(comments)
    assert figure.title not in comments
    save_figure(figure, tmp_path / "b.svg", LIGHT, {}, SIZE, "", replace(style, title=True))
    assert figure.title in re.findall(r"<!-- (.*?) -->", (tmp_path / "b.svg").read_text("utf-8"))


def test_the_font_draws_a_letter_between_digits(tmp_path: Path) -> None:
    """Inter's contextual alternates make a multiplication sign of the x in 10x10; the font of figures has none."""
    from fontTools.ttLib import TTFont

    for weight in ("Regular", "SemiBold"):
        font = TTFont(resource("fonts") / "print" / f"Inter-{weight}.ttf")
        features = (
            {record.FeatureTag for record in font["GSUB"].table.FeatureList.FeatureRecord} if "GSUB" in font else set()
        )
        assert "calt" not in features
        assert "glyf" in font
        assert "CFF " not in font
        assert ord("†") in font.getBestCmap()


def test_without_colour_curves_differ(figure: Figure, tmp_path: Path) -> None:
    colours = {n: (colour, ()) for n, colour in enumerate(LIGHT.runs[:5])}
    save_figure(figure, tmp_path / "a.svg", LIGHT, colours, SIZE, "", PrintStyle(black=True))
    text = (tmp_path / "a.svg").read_text("utf-8")
    assert not any(colour in text for colour in LIGHT.runs)
    lines = {}
    for node in ElementTree.fromstring(text).iter():
        if node.get("id") in NAMES:
            (path,) = [child for child in node.iter() if child.tag.endswith("path")][:1]
            dash = re.search(r"stroke-dasharray: ([\d., ]+)", path.get("style") or "")
            lines[node.get("id")] = dash[1] if dash else ""
    assert len(set(lines.values())) == len(NAMES)
    style = PrintStyle()
    signs = {(style.dash(place), style.marker(place)) for place in range(24)}
    assert len(signs) == 24 == len(PRINT_DASHES) * len(PRINT_MARKERS) // 2
    assert PrintStyle(dashes=False, markers=False).marker(3) == ("", True)


def test_the_scatter_is_square_and_whole(tmp_path: Path) -> None:
    """Markers at the ends of the axes are not cut: nothing of them is clipped."""
    values = np.array([0.0, 1.0, 0.5])
    figure = scatter_figure(values, values[::-1], ["1", "2", "3"], 0, np.zeros(3, np.bool_), "AP", ("10x10", "b"))
    save_figure(figure, tmp_path / "a.svg", LIGHT, {}, (500, 300), "", PrintStyle())
    root = ElementTree.fromstring((tmp_path / "a.svg").read_text("utf-8"))
    frame = next(node for node in root.iter() if node.get("id") == "patch_2")
    path = next(node.get("d") for node in frame.iter() if node.tag.endswith("path"))
    numbers = np.array(re.findall(r"[ML] ([\d.]+) ([\d.]+)", path or ""), dtype=float)
    width, height = np.ptp(numbers, axis=0)
    assert width == pytest.approx(height)
    points = [node for node in root.iter() if (node.get("id") or "").startswith("PathCollection")]
    assert points
    assert not any(child.get("clip-path") for node in points for child in node.iter())


def test_the_diagonal_is_fainter_than_the_points_which_lie_over_the_axes(tmp_path: Path) -> None:
    values = np.array([0.0, 1.0, 0.5])
    figure = scatter_figure(values, values[::-1], ["1", "2", "3"], 0, np.zeros(3, np.bool_), "AP", ("a", "b"))
    save_figure(figure, tmp_path / "a.svg", LIGHT, {}, (500, 300))
    nodes = list(ElementTree.fromstring((tmp_path / "a.svg").read_text("utf-8")).iter())
    diagonal = next(child for node in nodes if node.get("id") == "equal" for child in node.iter() if child.get("style"))
    style = dict(each.split(": ") for each in (diagonal.get("style") or "").split("; "))
    assert style["stroke"] == LIGHT.faint
    assert float(style["stroke-width"]) <= 1
    ids = [node.get("id") or "" for node in nodes]
    axes = max(place for place, name in enumerate(ids) if name.startswith("patch_"))
    assert min(place for place, name in enumerate(ids) if name.startswith("PathCollection")) > axes


@given(places=st.lists(st.floats(0, 100), max_size=8), step=st.floats(1, 9))
def test_names_do_not_touch(places: list[float], step: float) -> None:
    places = sorted(places)
    moved = apart(places, step, 100.0)
    assert all(second - first >= step - 1e-9 for first, second in itertools.pairwise(moved))
    assert all(-1e-9 <= place <= 100 + 1e-9 for place in moved)
    if all(second - first >= step for first, second in itertools.pairwise(places)):
        assert moved == pytest.approx(places)


def test_two_names_move_as_little_as_possible() -> None:
    assert apart([50.0, 50.0, 90.0], 10.0, 100.0) == [45.0, 55.0, 90.0]


def names_shown(svg: str) -> list[str]:
    """The texts of curves' names, which begin with "a" or "x" here."""
    comments = [unescape(comment) for comment in re.findall(r"<!-- (.*?) -->", svg)]
    return [comment for comment in comments if comment[0] in "ax"]


@pytest.mark.parametrize("style", [None, PrintStyle(names="ends"), PrintStyle(names="legend")])
@pytest.mark.parametrize(
    ("start", "length"), [("a run of many words, number ", 0), ("x", 199), ("atire.bm25.rerank.v", 0)]
)
def test_long_names_stay_on_the_page_and_apart(
    figure: Figure, tmp_path: Path, style: PrintStyle | None, start: str, length: int
) -> None:
    curves = tuple(
        replace(curve, label=start.ljust(length, "x") + str(number)) for number, curve in enumerate(figure.curves)
    )
    size = (in_units(COLUMN_MM), in_units(90))
    save_figure(replace(figure, curves=curves), tmp_path / "a.png", LIGHT, {}, size, "", style)
    save_figure(replace(figure, curves=curves), tmp_path / "a.svg", LIGHT, {}, size, "", style)
    pixels = imread(tmp_path / "a.png")[:, :, :3]
    assert pixels[:, [0, -1]].min() == pixels[[0, -1]].min() == 1.0  # a name that is cut touches an edge
    names = names_shown((tmp_path / "a.svg").read_text("utf-8"))
    assert len(set(names)) == len(curves)
    assert {name[-1] for name in names} == set("01234")


@pytest.mark.parametrize("width", [84.0, 178.0])
def test_labels_of_parts_leave_room_for_the_bars(width: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bars have half of the width, however long the words beside them are."""
    sheets: list[matplotlib_figure.Sheet] = []

    class Kept(matplotlib_figure.Sheet):
        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            sheets.append(self)

    monkeypatch.setattr(matplotlib_figure, "Sheet", Kept)
    labels = (
        "more relevant documents among the first ten of the list, in the order of the other run " * 3,
        "x" * 300,
        "a",
    )
    parts = Waterfall(np.array([0.2, -0.1, 0.05]), ("", "", ""), labels)
    figure = Figure("Parts of Δ", Axis("Δ", -0.5, 0.5), Axis("", 0.0, 3.0), (), waterfall=parts)
    matplotlib_figure.draw(figure, "png", LIGHT, {}, (width / 25.4 * 96, 300), "", PrintStyle())
    assert sheets[0].axes[0].get_position().width > 0.5


def test_a_label_of_two_lines_is_never_cut_inside_a_letter() -> None:
    lines = _in_two_lines("e\u0301" * 40, 14).split("\n")
    assert lines == ["e\u0301" * 6 + "…" + "e\u0301" * 7]
    assert _in_two_lines("a long label of many words that has no room", 16).split("\n") == [
        "a long label of",
        "many words… room",
    ]
