"""Python warns where the command line prints a note, at the line of the user's program, and the command line does not
say it twice."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

import irviewer
from irviewer.__main__ import main

QRELS = {str(q): {"a": 1, "b": 0} for q in range(6)}
GOOD = {str(q): {"a": 2.0, "b": 1.0} for q in range(6)}
SHORT = {q: GOOD[q] for q in ("0", "1", "2", "3")}
STRANGE = {str(q): {f"x{q}": 1.0} for q in range(6)}
OTHER_QUERIES = {f"q{q}": {"a": 1.0} for q in range(6)}


def messages(call: Callable[[], object]) -> list[str]:
    """What a call warns of; each warning points at this file."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    assert {warning.category for warning in caught} <= {irviewer.IrviewerWarning}
    assert {warning.filename for warning in caught} <= {__file__}
    return [str(warning.message) for warning in caught]


def test_missing_queries() -> None:
    words = "run x lacks 2 queries (4, 5) of the qrels: "
    assert messages(lambda: irviewer.evaluate(QRELS, {"x": SHORT}, "AP")) == [words + "counted as 0"]
    (asked,) = messages(lambda: irviewer.evaluate(QRELS, {"x": SHORT}, "AP", missing="intersection"))
    assert asked == words + "left out"
    (left_out,) = messages(lambda: irviewer.evaluate(QRELS, {"x": SHORT}, "AP", dialect="trec_eval-9"))
    assert left_out.startswith(words + "left out, as in trec_eval")
    assert messages(lambda: irviewer.evaluate(QRELS, {"x": GOOD}, "AP")) == []


FUNCTIONS: dict[str, Callable[[object], object]] = {
    "evaluate": lambda run: irviewer.evaluate(QRELS, {"x": run, "y": GOOD}, "AP"),
    "curves": lambda run: irviewer.curves(QRELS, {"x": run, "y": GOOD}),
    "pool_effects": lambda run: irviewer.pool_effects(QRELS, {"x": run, "y": GOOD}, "AP"),
    "failures": lambda run: irviewer.failures(QRELS, {"x": run, "y": GOOD}, "AP"),
    "dialects": lambda run: irviewer.dialects(QRELS, {"x": run, "y": GOOD}, "AP"),
    "gate": lambda run: irviewer.gate(QRELS, irviewer.Run(run, name="x"), GOOD, "AP > -0.1"),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_runs_that_match_nothing_and_empty_runs(name: str) -> None:
    call = FUNCTIONS[name]
    texts = messages(lambda: call(STRANGE))
    assert [text for text in texts if "run x has no judged document in any of 6 queries" in text] == texts[:1]
    texts = messages(lambda: call(OTHER_QUERIES))
    assert [text for text in texts if "run x has no query of the qrels" in text] == texts[:1]
    texts = messages(lambda: call({}))
    assert texts[0] == "run x has no documents"
    assert messages(lambda: call(GOOD)) == []


def test_a_comparison_warns_once() -> None:
    assert len(messages(lambda: irviewer.compare(QRELS, {"x": SHORT, "y": GOOD}, "AP"))) == 1


def test_the_command_line_says_it_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    irviewer.write_qrels(QRELS, tmp_path / "qrels")
    irviewer.write_run(SHORT, tmp_path / "short.run")
    irviewer.write_run(STRANGE, tmp_path / "strange.run")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        main(["evaluate", str(tmp_path / "qrels"), str(tmp_path / "short.run"), "-m", "AP"])
        assert "".join(capsys.readouterr()).count("lacks 2 queries") == 1
        words = ["--baseline", str(tmp_path / "short.run"), "--non-inferior", "AP > -0.1"]
        main(["gate", str(tmp_path / "qrels"), str(tmp_path / "strange.run"), *words])
        assert capsys.readouterr().err.count("no judged document") == 1


def test_queries_that_are_left_out_as_asked_are_named_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A mean of 14 queries stood below a line of 30."""
    qrels, full = {str(q): {"a": 1} for q in range(30)}, {str(q): {"a": 1.0} for q in range(30)}
    part = {str(q): {"a": 1.0} for q in range(14)}
    runs = {"part": part, "full": full}
    with pytest.warns(irviewer.IrviewerWarning, match=r"run part lacks 16 queries .* of the qrels: left out"):
        irviewer.evaluate(qrels, runs, "RR", missing="intersection")
    table = irviewer.paper_table(qrels, runs, "RR", missing="intersection")
    assert "(part 14)" in table.subject.remarks[0]
    for name, run in {**runs, "qrels": qrels}.items():
        rows = [f"{q} Q0 a 1 1 x" if name != "qrels" else f"{q} 0 a 1" for q in run]
        (tmp_path / name).write_text("\n".join(rows) + "\n")
    paths = [str(tmp_path / name) for name in ("qrels", "part", "full")]
    assert main(["evaluate", *paths, "-m", "RR", "--missing", "intersection"]) == 0
    out, err = capsys.readouterr()
    assert "run part lacks 16 queries" in out + err
