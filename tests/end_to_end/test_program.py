"""The program on a display, driven by keys and the pointer alone; what it did is read from files that it wrote."""

from __future__ import annotations

import csv
import io
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from given import colours
from patience import LONG
from xserver import XServer, wait_until

import irviewer
from tests.end_to_end.twin import twin_of

pytestmark = pytest.mark.xvfb
HERE = Path(__file__).parent
SAMPLE = HERE.parents[1] / "resources" / "samples" / "cranfield"
RUNS = [SAMPLE / "runs" / f"{name}.run.gz" for name in ("bm25_plain", "dense_minilm", "fusion_rrf")]
FILES = [SAMPLE / "qrels.txt", *RUNS, SAMPLE / "queries.tsv", SAMPLE / "documents.jsonl.gz"]

Start = Callable[..., "Program"]  # noqa: F821 - conftest's class; tests are no package


def _rows(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))


def test_files_places_and_exports(start: Start, server: XServer, tmp_path: Path) -> None:
    program = start("--size", "1500x970", *FILES)  # room for both curves of a query
    window = program.window("– irviewer")

    server.key("ctrl+2")
    systems = _rows(program.save("ctrl+shift+d", tmp_path / "systems.csv"))
    expected = irviewer.evaluate(SAMPLE / "qrels.txt", RUNS, ["AP", "nDCG@10"])
    assert sorted(row["run"] for row in systems) == sorted(expected.runs)
    for row in systems:
        assert float(row["nDCG@10"]) == pytest.approx(expected.mean("nDCG@10", row["run"]), abs=5e-5)

    server.key("ctrl+3")
    queries = _rows(program.save("ctrl+shift+d", tmp_path / "queries.csv"))
    assert len(queries) == 225
    for name in ("bm25_plain", "fusion_rrf"):
        values = expected.by_query("nDCG@10", name)
        assert [float(row[name]) for row in queries] == pytest.approx(
            [values[row["query"]] for row in queries], abs=5e-5
        )

    server.key("ctrl+4")
    figure = program.save("ctrl+shift+g", tmp_path / "figure.svg", "precision")
    assert b"<svg" in figure
    program.save("ctrl+shift+g", tmp_path / "figure.png", "dcg")
    assert (tmp_path / "figure.png").read_bytes().startswith(b"\x89PNG")
    assert server.title(window).endswith("irviewer")
    program.close()


def test_walking_the_queries(start: Start, server: XServer, tmp_path: Path, qapp: object) -> None:
    """J twice and K once stand on the second query of the table's order: its metrics are that query's."""
    with twin_of("cranfield") as twin:
        context = twin.session.view.context
        assert context is not None
        order = [context.query_ids[row] for row in twin.session.view.order(context).rows[:2]]
    program = start("--sample", "cranfield")
    program.window("Cranfield")
    server.key("ctrl+4", "j", "j", "k")
    metrics = _rows(program.save("ctrl+shift+d", tmp_path / "measures.csv", "measures"))
    first = next(row for row in metrics if row["measure"] == "nDCG@10")
    run = irviewer.read_run(RUNS[0])
    values = irviewer.evaluate(SAMPLE / "qrels.txt", run, "nDCG@10").by_query("nDCG@10")
    assert float(first[run.name]) == pytest.approx(values[order[1]], abs=5e-5)
    program.close()


def test_palette_and_settings(start: Start, server: XServer) -> None:
    """An action found by its name; what it changed is there the next time."""
    program = start("--sample", "cranfield")
    program.window("Cranfield")
    server.key("ctrl+k")
    server.write("dark")
    server.key("Return")
    program.close()
    assert program.settings["theme"] == "dark"
    again = start("--sample", "trec")
    again.window("irviewer")
    again.close()
    assert again.settings["theme"] == "dark"


def test_files_dropped_on_the_empty_window(start: Start, server: XServer, tmp_path: Path) -> None:
    program = start("--size", "900x600")
    window = program.window("irviewer")
    server.xdotool("windowmove", "--sync", window, "600", "200")
    source = subprocess.Popen(
        [sys.executable, str(HERE / "drag_source.py"), *map(str, FILES)],
        env=server.environment(),
        stderr=subprocess.PIPE,
    )
    try:
        server.wait_for_window("drag source")
        server.drag((90, 120), (1000, 500), program.process.pid, source.pid)
        program.window("– irviewer")
    finally:
        source.kill()
        source.communicate()
    server.xdotool("windowactivate", "--sync", window)
    server.key("ctrl+2")
    assert len(_rows(program.save("ctrl+shift+d", tmp_path / "systems.csv"))) == len(RUNS)
    program.close()


def test_bad_file_leaves_the_rest(start: Start, server: XServer, tmp_path: Path) -> None:
    bad = tmp_path / "bad.run"
    bad.write_text("1 Q0 184 1 9.5 bm25\n1 Q0 29 2 not-a-number bm25\n")
    program = start(SAMPLE / "qrels.txt", *RUNS, bad)
    program.window("– irviewer")
    server.key("ctrl+2")
    assert len(_rows(program.save("ctrl+shift+d", tmp_path / "systems.csv"))) == len(RUNS)
    program.close()


def test_screenshot_needs_no_display(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "irviewer", "view", *map(str, FILES), "--place", "queries", "--size", "1000x700"]
    picture = tmp_path / "window.png"
    done = subprocess.run([*command, "--screenshot", str(picture)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(colours(picture, (1000, 700))) > 200


def test_twenty_times_zero(start: Start, server: XServer) -> None:
    """However it is closed, and whatever it is doing then."""
    for number in range(20):
        program = start("--sample", ("cranfield", "trec")[number % 2])
        if number % 5 == 4:
            program.window("irviewer")  # at once: the files are still being read
        else:
            program.window("Cranfield|TREC")
        if number % 3 == 0:
            program.signal()
        elif number % 3 == 1:
            server.key("ctrl+q")
        else:
            server.key("j", "2", "alt+F4")
        program.ended()
        wait_until(lambda: not server.visible(), LONG, "the window to go")
