import csv
import io
import logging
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from matplotlib.text import Text

from irviewer.errors import IrviewerError
from irviewer.figures.differences import differences_figure
from irviewer.figures.figure import Band, Figure, Role
from irviewer.figures.gain import gain_figure
from irviewer.figures.matrix import matrix_figure
from irviewer.figures.precision_recall import averaged_precision_recall_figure, iso_f_lines, precision_recall_figure
from irviewer.rendering import matplotlib_figure
from irviewer.rendering.export import figure_rows, save_figure, table_text, write_table
from irviewer.rendering.palette import DARK, DASHES, LIGHT
from irviewer.rendering.run_label import RunLabel
from irviewer.rendering.styles import role_style, run_styles

LABELS = tuple(
    RunLabel(i, name, name, i, "#123456" if i == 2 else None, True, i == 0, i == 1)
    for i, name in enumerate(("english_bm25", "_a$b$ & <c>", "名前"))
)


@pytest.fixture
def curves() -> Figure:
    x, y = np.array([0.0, 0.5, 0.5, 1 / 1.5]), np.array([1.0, 1.0, 1 / 3, 1 / 3])
    return precision_recall_figure([(Role("run", label.key), label.name, x, y) for label in LABELS], 9)


def chunk_size(png: bytes) -> tuple[int, int]:
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    return int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")


def test_png_has_two_pixels_a_unit(curves: Figure, tmp_path: Path) -> None:
    save_figure(curves, tmp_path / "a.PNG", DARK, run_styles(LABELS, DARK), (400, 300))
    assert chunk_size((tmp_path / "a.PNG").read_bytes()) == (800, 600)


def test_svg_is_xml_with_the_runs_names_and_colours(curves: Figure, tmp_path: Path) -> None:
    save_figure(curves, tmp_path / "a.svg", LIGHT, run_styles(LABELS, LIGHT))
    text = (tmp_path / "a.svg").read_text("utf-8")
    ids = {node.get("id") for node in ElementTree.fromstring(text).iter()}
    assert {label.name for label in LABELS} <= ids
    assert LIGHT.runs[0] in text and "#123456" in text
    assert "Recall (of 9 relevant)" in text  # matplotlib writes each text beside its shapes
    assert curves.title in text


def test_a_saved_picture_of_a_query_names_it(curves: Figure, tmp_path: Path) -> None:
    save_figure(replace(curves, subject="query 64"), tmp_path / "a.svg", LIGHT, run_styles(LABELS, LIGHT))
    assert f"{curves.title} · query 64" in (tmp_path / "a.svg").read_text("utf-8")


def test_pdf_carries_its_fonts(tmp_path: Path) -> None:
    figure = gain_figure(
        [(Role("run", 0), "a", np.arange(1.0, 6), np.arange(5.0))], (np.arange(1.0, 6), np.arange(1.0, 6)), 3, 5
    )
    save_figure(figure, tmp_path / "a.pdf", LIGHT, {})
    content = (tmp_path / "a.pdf").read_bytes()
    assert content.startswith(b"%PDF-1.") and b"Inter" in content


def test_bars_by_the_thousand(tmp_path: Path) -> None:
    delta = np.linspace(0.6, -0.3, 6980)
    delta[7] = np.nan
    figure = differences_figure(delta, [str(i) for i in range(6980)], 7, "AP", "b − a")
    for name in ("a.png", "a.svg", "a.pdf"):
        save_figure(figure, tmp_path / name)
        assert (tmp_path / name).stat().st_size > 1000


def test_the_same_figure_gives_the_same_file(curves: Figure, tmp_path: Path) -> None:
    for name in ("a.svg", "b.svg", "a.pdf", "b.pdf"):
        save_figure(curves, tmp_path / name, LIGHT, run_styles(LABELS, LIGHT))
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    assert (tmp_path / "a.pdf").read_bytes() == (tmp_path / "b.pdf").read_bytes()


def test_refusals_name_the_path_and_leave_nothing(curves: Figure, tmp_path: Path) -> None:
    with pytest.raises(IrviewerError, match=r"a\.jpg.*\.png, \.svg, \.pdf"):
        save_figure(curves, tmp_path / "a.jpg")
    with pytest.raises(IrviewerError, match=r"figure: unknown format ''"):
        save_figure(curves, tmp_path / "figure")
    with pytest.raises(IrviewerError, match=r"nowhere.*cannot be written"):
        save_figure(curves, tmp_path / "nowhere" / "a.png")
    (tmp_path / "folder.png").mkdir()
    with pytest.raises(IrviewerError, match="not a file"):
        save_figure(curves, tmp_path / "folder.png")
    assert [file.name for file in tmp_path.iterdir()] == ["folder.png"]


@pytest.mark.skipif(sys.platform == "win32", reason="permission bits of POSIX")
def test_a_saved_file_has_the_permissions_of_its_place(tmp_path: Path) -> None:
    write_table(tmp_path / "new.csv", ("a",), [(1,)])
    plain = tmp_path / "plain"
    plain.touch()
    assert (tmp_path / "new.csv").stat().st_mode == plain.stat().st_mode
    plain.chmod(0o640)
    write_table(plain, ("a",), [(1,)])
    assert plain.stat().st_mode & 0o777 == 0o640
    link = tmp_path / "link.csv"
    link.symlink_to(plain)
    write_table(link, ("b",), [])
    assert link.is_symlink() and plain.read_text() == "b\n"


def test_a_failure_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "a.csv"
    target.write_text("before")

    def full(descriptor: int, mode: str) -> io.BytesIO:
        os.close(descriptor)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fdopen", full)
    with pytest.raises(IrviewerError, match=r"a\.csv: cannot be written: No space left"):
        write_table(target, ("a",), [(1,)])
    assert target.read_text() == "before" and list(tmp_path.iterdir()) == [target]


def test_tables_read_back_to_the_last_digit(tmp_path: Path) -> None:
    rows = [
        ("q,1", np.float64(1) / 3, 7, None),
        ('"x"\ny', float("nan"), np.int64(9), "b\tc"),
        ("\udcff", 0.1 + 0.2, 0, True),
    ]
    write_table(tmp_path / "a.csv", ("query", "AP", "n", "note"), rows)
    with (tmp_path / "a.csv").open(newline="", encoding="utf-8", errors="surrogateescape") as file:
        read = list(csv.reader(file))
    assert read[0] == ["query", "AP", "n", "note"]
    assert read[1][0] == "q,1" and float(read[1][1]) == 1 / 3 and read[1][3] == ""
    assert read[2] == ['"x"\ny', "", "9", "b\tc"]
    assert read[3][0] == "\udcff" and float(read[3][1]) == 0.1 + 0.2
    assert table_text(("a", "b"), [(1, 2.5)]) == "a\tb\n1\t2.5\n"


def test_rows_of_figures(curves: Figure) -> None:
    header, rows = figure_rows(curves)
    assert header == ("curve", "Recall (of 9 relevant)", "Precision: max P(k) with R(k) ≥ r")
    assert rows[:2] == [("english_bm25", 0.0, 1.0), ("english_bm25", 0.5, 1.0)] and len(rows) == 12
    assert rows[3][2] == 1 / 3
    bars = differences_figure(np.array([0.5, np.nan]), ("7", "8"), 0, "AP", "b − a")
    header, rows = figure_rows(bars)
    assert header == ("query", "Δ AP") and rows[0] == ("7", 0.5) and np.isnan(rows[1][1])
    ranks = gain_figure([], (np.array([1.0, 2.0]), np.array([1.0, 3.0])), 1, 2)
    assert figure_rows(ranks)[1] == [("ideal", 1, 1.0), ("ideal", 2, 3.0)]


def test_styles_of_roles() -> None:
    styles = run_styles(LABELS, LIGHT)
    assert styles[0] == (LIGHT.runs[0], ()) and styles[2] == ("#123456", DASHES[2])
    assert role_style(Role("run", 99), LIGHT, styles) == (LIGHT.muted, ())
    assert role_style(Role("better"), DARK, styles)[0] == DARK.better
    assert role_style(Role("ideal"), LIGHT, styles)[1] != ()


def test_matplotlib_loads_only_when_a_figure_is_saved() -> None:
    code = "import sys, irviewer.rendering.export, irviewer.rendering.styles; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_no_warning_is_logged(curves: Figure, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        save_figure(curves, tmp_path / "a.png", LIGHT, run_styles(LABELS, LIGHT))
    assert caplog.messages == []


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_bands_and_guides_are_drawn(tmp_path: Path, kind: str) -> None:
    x = np.array([0.0, 1.0])
    plain = averaged_precision_recall_figure([(Role("run", 0), "a", x, np.array([1.0, 0.5]))], 4)
    band = Band(Role("run", 0), "a", x, np.array([0.8, 0.3]), np.array([1.0, 0.7]))
    sizes = []
    for number, figure in enumerate((plain, replace(plain, bands=(band,), guides=iso_f_lines()))):
        path = tmp_path / f"{number}.{kind}"
        save_figure(figure, path)
        sizes.append(path.stat().st_size)
    assert sizes[1] > sizes[0] + 500


@pytest.mark.parametrize("module", ["matplotlib_figure", pytest.param("formula", marks=pytest.mark.slow)])
def test_a_list_of_fonts_that_takes_long_is_made_without_a_word(module: str, tmp_path: Path) -> None:
    """matplotlib says after five seconds that it makes one; here they are over at once."""
    code = (
        "import threading\n"
        "class Over(threading.Timer):\n"
        "    def start(self):\n"
        "        print(self.interval)\n"
        "        self.function()\n"
        "threading.Timer = Over\n"
        f"import irviewer.rendering.{module}\n"
    )
    environment = {**os.environ, "MPLCONFIGDIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert (done.stdout.split(), done.stderr) == (["5"], "")


def test_a_matrix_leaves_with_its_key_and_whole_names(tmp_path: Path) -> None:
    values = np.array([[np.nan, 0.5], [-0.5, np.nan]])
    figure = matrix_figure(
        values, ["a…", "b…"], np.zeros(2, dtype=np.int64), "Δ", "{:+.1f}".format, shading="signed",
        full_names=["alpha", "beta"],
    )  # fmt: skip
    save_figure(figure, tmp_path / "a.svg", LIGHT, {})
    assert "row better, +0.5" in (tmp_path / "a.svg").read_text("utf-8")
    header, rows = figure_rows(figure)
    assert tuple(header) == ("", "alpha", "beta")
    assert [row[0] for row in rows] == ["alpha", "beta"]


def test_bars_leave_with_the_brush_they_have(tmp_path: Path) -> None:
    delta, ids = np.array([0.4, 0.2, -0.3]), ["1", "2", "3"]
    for name, marked in (("plain", None), ("none", np.zeros(3, bool)), ("some", np.array([True, False, False]))):
        save_figure(differences_figure(delta, ids, -1, "AP", "", marked=marked), tmp_path / f"{name}.svg", LIGHT, {})
    plain, none, some = ((tmp_path / f"{name}.svg").read_text("utf-8") for name in ("plain", "none", "some"))
    assert plain == none
    assert "opacity: 0.25" not in plain
    assert some.count("opacity: 0.25") >= 2  # one bar faded on either side


@pytest.mark.parametrize("size", [(480, 320), (640, 400), (1280, 500)])
def test_title_note_and_labels_of_a_picture_lie_apart_and_within_it(
    curves: Figure, size: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The note lay over the title of "Parts of Δ" and others, and a long label of an axis was cut at both ends."""
    sheets = []

    class KeptSheet(matplotlib_figure.Sheet):
        def savefig(self, *arguments: object, **options: object) -> None:
            super().savefig(*arguments, **options)
            sheets.append(self)
            self.draw_without_rendering()  # in the pixels of the sheet, not of the file
            boxes = [text.get_window_extent() for text in self.findobj(Text) if len(text.get_text()) > 12]
            assert len(boxes) >= 3
            for first, second in combinations(boxes, 2):
                assert not first.overlaps(second)
            for box in boxes:
                assert box.x0 >= -2 and box.y0 >= -2
                assert box.x1 <= self.bbox.width + 2 and box.y1 <= self.bbox.height + 2

    monkeypatch.setattr(matplotlib_figure, "Sheet", KeptSheet)
    long = replace(
        curves, title="Parts of Δ nDCG@10", note="fusion_rrf − bm25_plain = +.0528, query by query, all of them",
        y=replace(curves.y, label="Interpolated precision: max P(k) with R(k) ≥ r, mean of 225 queries"),
    )  # fmt: skip
    save_figure(long, tmp_path / "a.png", LIGHT, run_styles(LABELS, LIGHT), size)
    assert len(sheets) == 1
