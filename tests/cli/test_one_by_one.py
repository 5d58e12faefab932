"""``irviewer evaluate`` reads files side by side and gives runs up: the values and notes of reading them all first."""

from __future__ import annotations

import csv
import gc
import io
import weakref
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import irviewer
from irviewer.cli import streams
from irviewer.cli.main import main
from irviewer.cli.options import runs as run_options
from irviewer.cli.streams import ProgressLine
from irviewer.errors import OptionError
from irviewer.evaluation.evaluate import evaluate, evaluate_each
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from tests.benchmarks.track import make_track

MEASURES = ("AP", "nDCG@10", "RR", "num_rel_ret")


@pytest.fixture(scope="module")
def track(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Qrels of five queries and seven runs made of real ones; the third lacks a query, the fifth has other ids."""
    new_track = make_track(tmp_path_factory.mktemp("track"), 7, 5)
    lines = new_track.runs[2].read_text().splitlines(keepends=True)
    new_track.runs[2].write_text("".join(line for line in lines if not line.startswith("2 ")))
    new_track.runs[4].write_text(new_track.runs[4].read_text().replace("msmarco_", "other_"))
    return [str(new_track.qrels), *map(str, new_track.runs)]


def test_values_and_notes_are_those_of_all_together(track: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    words = [word for measure in MEASURES for word in ("-m", measure)]
    assert main(["evaluate", *track, *words, "--format", "csv"]) == 2  # a run has other ids
    printed = capsys.readouterr()
    runs = [irviewer.read_run(path) for path in track[1:]]
    result = evaluate(irviewer.read_qrels(track[0]), runs, MEASURES)
    values = {row["run"]: row for row in csv.DictReader(io.StringIO(printed.out))}
    for measure in result.measures:
        for run in result.runs:
            mean = float(values[run][measure.text])
            assert mean == pytest.approx(result.mean(measure.text, run), abs=0.5e-15, rel=0)
    assert len(values) == 7
    notes = printed.err.splitlines()
    assert "judged" in notes[0]
    assert [line for line in notes if "system_02 lacks 1 query" in line]
    # With trec_eval's lines all runs are kept: the two ways print the same errors.
    assert main(["evaluate", *track, *words, "--format", "trec", "--missing", "zero"]) == 2
    assert capsys.readouterr().err.splitlines()[0] == notes[0]


def test_no_run_is_kept() -> None:
    qrels = Qrels.from_dict({"1": {"a": 1}})
    seen: list[weakref.ref[Run]] = []

    def read() -> Iterator[Run]:
        for number in range(4):
            gc.collect()
            assert not [reference for reference in seen if reference() is not None]
            run = Run.from_dict({"1": {"b": 2.0, "a": 1.0}}, name=str(number))
            seen.append(weakref.ref(run))
            yield run
            del run

    result = evaluate_each(qrels, read(), ["RR"])
    assert np.array_equal(result.means, np.full((1, 4), 0.5))
    with pytest.raises(OptionError, match="two runs have the name x"):
        evaluate_each(qrels, (Run.from_dict({"1": {"a": 1.0}}, name="x") for _ in range(2)), ["RR"])


def test_a_faulty_file_ends_it(track: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.run").write_text("1 Q0 a 1\n")
    (tmp_path / "worse.run").write_text("1 Q0\n")
    files = [*track[:3], str(tmp_path / "bad.run"), str(tmp_path / "worse.run"), *track[3:]]
    assert main(["evaluate", *files, "-m", "AP"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "bad.run" in printed.err  # the first of them, whichever was read first
    assert "worse.run" not in printed.err


def test_names_are_made_unique(track: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copies = []
    for number in range(4):
        (tmp_path / str(number)).mkdir()
        copies.append(tmp_path / str(number) / "same.run")
        copies[-1].write_bytes(Path(track[1 + number % 2]).read_bytes())
    assert main(["evaluate", track[0], *map(str, copies), "-m", "AP"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()[4:8]]
    assert len({" ".join(row[:-1]) for row in rows}) == 4
    assert rows[0][-1] == rows[2][-1] != rows[1][-1] == rows[3][-1]


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_shown_on_a_terminal_only(track: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "PATIENCE", 0.0)
    shown = _Terminal()
    monkeypatch.setattr(run_options.sys, "stderr", shown)
    assert main(["evaluate", *track, "-m", "AP"]) == 2  # a run has other ids
    text = shown.getvalue()
    assert "\r\033[Kreading: 1 of 7" in text
    assert text.index("reading: 7 of 7") < text.rindex("\r\033[K")
    monkeypatch.setattr(streams, "PATIENCE", 1e9)
    quiet = _Terminal()
    monkeypatch.setattr(run_options.sys, "stderr", quiet)
    line = ProgressLine()
    line.show("reading: 1 of 7")
    line.close()
    assert quiet.getvalue() == ""
