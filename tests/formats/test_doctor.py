"""The file doctor: what it finds in small files, the choices it offers, and what comes of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer.cli import main
from irviewer.errors import OptionError
from irviewer.formats.doctor import ReadOptions, diagnose, requeried_run, treated
from irviewer.formats.load import load
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

QRELS = "".join(f"{q} 0 doc{q}{n} {n % 2}\n" for q in "12" for n in range(10))
CHUNKS = "".join(f"{q} Q0 doc{q}{n}#{c} 0 {10 - n - 0.25 * c} t\n" for q in "12" for n in range(8) for c in (2, 10))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "chunks.run").write_text(CHUNKS)
    (tmp_path / "upper.run").write_text(CHUNKS.replace("doc", "DOC").replace("#2 ", " ").replace("#10", "x"))
    (tmp_path / "good.run").write_text("1 Q0 doc11 0 2 t\n1 Q0 doc12 0 1 t\n2 Q0 doc21 0 2 t\n")
    (tmp_path / "twice.run").write_text("1 Q0 doc11 0 2 t\n1 Q0 doc11 0 3 t\n2 Q0 doc21 0 2 t\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def qrels_of(folder: Path) -> Qrels:
    value = load(folder / "qrels").value
    assert isinstance(value, Qrels)
    return value


def test_a_sound_file_leaves_nothing_to_choose(folder: Path) -> None:
    assert diagnose(load(folder / "good.run"), qrels_of(folder)).choices == ()
    assert diagnose(load(folder / "qrels")).choices == ()
    assert not ReadOptions()


def test_duplicates_are_a_choice(folder: Path) -> None:
    now = ReadOptions("last")
    diagnosis = diagnose(load(folder / "twice.run", duplicates="last"), None, now)
    (choice,) = diagnosis.choices
    assert choice.topic == "duplicates"
    assert [option.read_options.duplicates for option in choice.options if option.chosen] == ["last"]
    assert {option.read_options.arguments for option in choice.options} == {
        "", "--duplicates first", "--duplicates last", "--duplicates best",
    }  # fmt: skip
    assert "(line 2)" in "\n".join(diagnosis.lines())


def test_chunks_are_offered_rolled_up_and_come_back(folder: Path) -> None:
    qrels = qrels_of(folder)
    loaded = load(folder / "chunks.run")
    (choice,) = diagnose(loaded, qrels).choices
    wanted = next(option for option in choice.options if option.read_options == ReadOptions(ids="chunk", rollup="sum"))
    assert "16 of 20 judged documents match (now 0)" in wanted.title
    assert wanted.read_options.arguments == "--ids chunk --rollup sum"
    assert wanted.read_options.words == (
        "document ids matched by the rule chunk",
        "chunks rolled up: the sum of scores",
    )
    again = treated(loaded, wanted.read_options, qrels)
    assert isinstance(again.value, Run)
    assert again.value.ranking("1") == [f"doc1{n}" for n in range(8)]
    assert again.value.ranking_scores("1").tolist() == [20 - 2 * n - 3.0 for n in range(8)]
    assert "32 rows rolled up to 16" in again.report.warnings[-1]
    assert ("documents", "16 retrieved") in again.report.facts
    (choice,) = diagnose(again, qrels, wanted.read_options).choices
    assert [option.read_options.rollup for option in choice.options if option.chosen] == ["sum"]
    assert choice.options[0].read_options == ReadOptions()
    assert treated(loaded, ReadOptions("best"), None) is loaded


def test_read_options_that_do_not_apply_are_refused(folder: Path) -> None:
    qrels, run = qrels_of(folder), load(folder / "chunks.run")
    for loaded, read_options, judged, text in (
        (run, ReadOptions(ids="chunk"), qrels, "choose their score"),
        (run, ReadOptions(ids="chunk"), None, "open qrels first"),
        (run, ReadOptions(rollup="sum"), qrels, "needs a rule that joins ids"),
        (load(folder / "qrels"), ReadOptions(ids="case"), qrels, "this is qrels"),
    ):
        with pytest.raises(OptionError, match=text):
            treated(loaded, read_options, judged)


def test_check_prints_what_evaluate_takes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["check", "qrels", "upper.run", "twice.run", "chunks.run"]) == 0
    out = capsys.readouterr().out
    assert "--ids case " in out
    assert "--ids chunk --rollup first" in out
    assert "--duplicates best" in out
    assert "← as read here" in out
    assert main.main(["evaluate", "qrels", "upper.run", "-m", "NumRet", "-m", "P@5"]) == 2
    assert "0.0000" in capsys.readouterr().out
    assert main.main(["evaluate", "qrels", "upper.run", "-m", "P@16", "--ids", "case"]) == 0
    out, err = capsys.readouterr()
    assert "0.2500" in out
    assert "irviewer: note: run upper: document ids matched by the rule case" in err
    assert main.main(["evaluate", "qrels", "chunks.run", "-m", "P@8", "--ids", "chunk", "--rollup", "best"]) == 0
    out, err = capsys.readouterr()
    assert "0.5000" in out
    assert "32 rows rolled up to 16: score of the best chunk" in err
    assert main.main(["evaluate", "qrels", "chunks.run", "--ids", "chunk"]) == 2
    assert "--rollup first, best or sum" in capsys.readouterr().err
    assert main.main(["evaluate", "qrels", "chunks.run", "--rollup", "best"]) == 2
    assert main.main(["evaluate", "qrels", "chunks.run", "--ids", "upside"]) == 2
    assert "'upside' is not an id rule" in capsys.readouterr().err


def test_values_of_the_repaired_cacm_runs(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = data / "cacm" / "runs"
    if not (folder / "runs_as_is").is_dir():
        pytest.skip("the CACM runs with foreign ids are not here")
    qrels = str(folder / "cacm.rel.txt")
    for name in ("BM25", "JM_QLM"):
        assert main.main(["evaluate", qrels, str(folder / f"runs_ids_fixed/{name}.run.gz"), "-q"]) == 0
        fixed = capsys.readouterr().out
        assert (
            main.main(["evaluate", qrels, str(folder / f"runs_as_is/{name}.run.gz"), "-q", "--ids", "extension"]) == 0
        )
        assert capsys.readouterr().out == fixed


def test_queries_and_documents_that_are_both_written_otherwise(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither rule alone makes a document match: both are offered with how many match; check takes them."""
    (folder / "both.qrels").write_text("".join(f"{q} 0 CACM-{q}{n}.html 1\n" for q in "12" for n in range(4)))
    (folder / "both.run").write_text("".join(f"0{q} Q0 {q}{n} 0 {9 - n} t\n" for q in "12" for n in range(4)))
    qrels, loaded = load(folder / "both.qrels").value, load(folder / "both.run")
    assert isinstance(qrels, Qrels)
    (choice,) = diagnose(loaded, qrels).choices
    best = choice.options[1]
    assert best.read_options.queries == "zeros"
    assert best.read_options.ids is not None
    assert "8 of 8 judged documents match" in best.title
    again = treated(loaded, best.read_options, qrels)
    assert isinstance(again.value, Run)
    assert again.value.ranking("1") == [f"CACM-1{n}.html" for n in range(4)]
    assert main.main(["check", "both.qrels", "both.run"]) == 0
    said = capsys.readouterr().out
    assert f"      {best.read_options.arguments}  " in said
    assert main.main(["check", "both.qrels", "both.run", *best.read_options.arguments.split()]) == 0
    assert "8 of 8 judged documents are found" in capsys.readouterr().out
    assert main.main(["check", "both.qrels", "both.run", "--query-ids", "zeros"]) == 0
    assert f"--ids {best.read_options.ids}  " in capsys.readouterr().out
    assert main.main(["evaluate", "both.qrels", "both.run", "--query-ids", "zeros", "-m", "AP"]) == 2
    assert f"--ids {best.read_options.ids}: " in capsys.readouterr().err
    assert main.main(["evaluate", "both.qrels", "both.run", *best.read_options.arguments.split(), "-m", "AP"]) == 0
    assert "1.0000" in capsys.readouterr().out
    assert main.main(["check", "both.run", "--query-ids", "zeros"]) == 2
    assert "open qrels first" in capsys.readouterr().err


def test_the_note_of_a_rule_counts_all_queries_that_are_in_the_qrels() -> None:
    """Those that were written alike before it, too: it said that none was, of queries that were evaluated."""
    qrels = Qrels.from_dict({"7": {"a": 1}, "8": {"a": 1}})
    for queries, said in (
        (("007", "8"), "2 of 2"), (("7", "8"), "2 of 2"), (("007", "7"), "1 of 2"), (("9",), "0 of 1")
    ):  # fmt: skip
        run, finding = requeried_run(Run.from_dict({query: {"a": 1.0} for query in queries}), qrels, "zeros")
        assert f": {said} are now in the qrels" in finding.text
        assert finding.count == len({*run.query_ids} & {"7", "8"})
