"""Judgments of documents that were drawn from a larger set: every door says what the others count as."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

import irviewer
from irviewer.cli import main
from irviewer.errors import IrviewerWarning
from irviewer.evaluation.sampled_cautions import sample_caveat, sampled_cautions, untold
from irviewer.measures.parser import parse_measure
from irviewer.session.session import Session

HEADER = "query\tdoc\tgrade\tstratum\tinclusion_probability\tunit"
SAID = "the judged documents were drawn from a larger set"
DOORS = (
    "evaluate", "compare", "verdict", "slices", "paper", "stability", "zscores", "medians", "failures", "pool",
    "dialects", "measure-agreement", "curves", "reuse", "show systems", "show queries",
)  # fmt: skip


def written(folder: Path, unit: str = "pair", probability: str = "0.5") -> list[str]:
    rows = [f"{q}\td{d}\t{(q + d) % 2}\ts\t{probability}\t{unit}" for q in range(12) for d in range(4)]
    (folder / "task.tsv").write_text("\n".join([HEADER, *rows, ""]))
    for run in range(5):
        lists = [f"{q} Q0 d{(d + q * run) % 5} {d} {9 - d} r{run}" for q in range(12) for d in (1, 2, 3)]
        (folder / f"r{run}.run").write_text("\n".join([*lists, ""]))
    return [str(folder / "task.tsv"), *(str(folder / f"r{run}.run") for run in range(5))]


@pytest.mark.parametrize("door", DOORS)
def test_every_door_says_it_once(door: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The plain means stood there as if everything had been judged."""
    assert main.main([*door.split(), *written(tmp_path)]) == 0
    out, err = capsys.readouterr()
    assert (out + err).count(SAID) == 1, out + err


@pytest.mark.parametrize(("unit", "probability", "drawn"), [("pair", "0.5", True), ("pair", "1", False),
                                                            ("query", "0.5", False)])  # fmt: skip
def test_a_sample_of_queries_or_of_all_documents_is_none(
    unit: str, probability: str, drawn: bool, tmp_path: Path
) -> None:
    files = written(tmp_path, unit, probability)
    qrels = irviewer.read_qrels(files[0])
    assert qrels.drawn == drawn == qrels.of_queries(["1"]).drawn
    report = irviewer.check(files[0]).report
    assert any("were drawn from a larger set" in str(finding) for finding in report.findings) == drawn
    measure = parse_measure("P@3")
    assert bool(sample_caveat(measure, qrels)) == drawn
    assert not sample_caveat(parse_measure("NumQ"), qrels)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", IrviewerWarning)
        irviewer.evaluate(files[0], files[1:2], ["P@3", "xinfAP"])
    said = [str(each.message) for each in caught if SAID in str(each.message)]
    assert len(said) == drawn
    assert not drawn or said[0].startswith(f"{SAID}: P@3, xinfAP count those that were not drawn as unjudged")


def test_a_task_that_is_none_is_read_as_qrels(tmp_path: Path) -> None:
    task = Path(written(tmp_path)[0])
    task.write_text(task.read_text().replace("\t0.5\t", "\tx\t"))
    assert not irviewer.read_qrels(task).drawn


def test_a_caution_that_a_text_has_of_other_measures_is_left_out() -> None:
    assert untold(["of a, b: no; see c"], ["of d: no; see c"]) == []
    assert untold(["of a, b: no; see c"], ["of d: no; see e"]) == ["of a, b: no; see c"]


def test_strata_of_which_nothing_was_sampled_are_named_beside_the_values(tmp_path: Path) -> None:
    """An estimate of 0 stood there where nothing is known; only the check of the file said so."""
    path = tmp_path / "q.txt"
    path.write_text("1 0 a s 1\n1 0 b s 0\n1 0 c t -1\n1 0 d t -1\n")
    qrels = irviewer.read_qrels(path)
    said = "1 stratum has no sampled document (t of query 1): nothing is known of it"
    estimated, other = parse_measure("xinfAP"), parse_measure("AP")
    (alone,) = sampled_cautions([estimated], qrels)
    assert alone.startswith(said)
    assert sample_caveat(estimated, qrels) == alone
    assert sampled_cautions([other, estimated], qrels)[1] == alone
    assert all(said not in each for each in (*sampled_cautions([other], qrels), sample_caveat(other, qrels)))


def test_strata_of_unknown_sizes_are_named_beside_values(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without documents that were not sampled the estimates stood there bare; only the check of the file said so."""
    (tmp_path / "q.txt").write_text("1 0 a s 1\n1 0 b s 0\n1 0 c t 1\n")
    (tmp_path / "a.run").write_text("1 Q0 a 1 3 A\n1 Q0 c 2 2 A\n")
    files = [str(tmp_path / "q.txt"), str(tmp_path / "a.run"), "--qrels-from", "sampled"]
    (tmp_path / "p.txt").write_text("1 0 a 1 1\n1 0 b 1 0\n1 0 c 2 1\n")  # strata that are read as grades
    for measure, times in (("infNDCG", 1), ("AP", 0)):
        assert main.main(["evaluate", str(tmp_path / "p.txt"), files[1], "-m", measure]) == 0
        assert "".join(capsys.readouterr()).count("have neither strata nor documents with the grade -1") == times
    for measure, times in (("xinfAP", 1), ("infNDCG@5", 1), ("AP", 0)):
        assert main.main(["evaluate", *files, "-m", measure]) == 0
        out, err = capsys.readouterr()
        assert (out + err).count("the sizes of the strata are unknown") == times


def test_a_stratum_that_is_read_as_a_grade_is_said(tmp_path: Path) -> None:
    """Without any -1 nothing tells sampled judgments from qrels with a fifth column; strata were grades, unsaid."""
    path = tmp_path / "q.txt"
    path.write_text("1 0 a 1 1\n1 0 b 1 0\n1 0 c 2 1\n")
    warned = " ".join(irviewer.check(path).report.warnings)
    assert "read the file as sampled (--qrels-from sampled)" in warned
    path.write_text("1 0 a 1 x\n1 0 b 1 y\n1 0 c 2 z\n")
    assert "sampled" not in " ".join(irviewer.check(path).report.warnings)


@pytest.mark.parametrize(("measures", "said"), [(["xinfAP"], False), (["infNDCG", "xinfAP"], False), (["P@10"], True)])
def test_what_strata_leave_out_is_not_said_to_be_non_relevant(
    measures: list[str], said: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """xinfAP and infNDCG estimate for documents that were not sampled; a note said that these count as 0."""
    rows = [f"{q} 0 d{d} {1 if d < 10 else 2} {(q + d) % 2 if d < 15 else -1}" for q in range(12) for d in range(40)]
    (tmp_path / "qrels").write_text("\n".join([*rows, ""]))
    for run, first in (("near", 0), ("far", 15)):
        lists = [f"{q} Q0 d{(d + first) % 40} {d + 1} {40 - d} {run}" for q in range(12) for d in range(20)]
        (tmp_path / run).write_text("\n".join([*lists, ""]))
    asked = [word for measure in measures for word in ("-m", measure)]
    assert main.main(["evaluate", *(str(tmp_path / name) for name in ("qrels", "near", "far")), *asked]) == 0
    out, err = capsys.readouterr()
    compared = "unjudged documents count as non-relevant"
    notes = [line for line in (out + err).splitlines() if compared in line]
    assert len(notes) == said
    stored = []
    for name in ("near", "far"):
        stored.append(str(tmp_path / f"{name}.values"))
        words = [str(tmp_path / "qrels"), str(tmp_path / name), *asked, "--save-values", stored[-1]]
        assert main.main(["evaluate", *words]) == 0
        out, err = capsys.readouterr()
        assert compared not in out + err  # one run compares with nothing
    runs = [str(tmp_path / name) for name in ("near", "far")]
    for given in ([*runs, "--jobs", "2"], [*runs, "--in-blocks"], [*runs, "--in-blocks", "--jobs", "2"], stored,
                  [runs[0], stored[1]], [stored[0], runs[1], "--jobs", "2"]):  # fmt: skip
        assert main.main(["evaluate", str(tmp_path / "qrels"), *given, *asked]) == 0
        out, err = capsys.readouterr()
        assert [line for line in (out + err).splitlines() if compared in line] == notes
    for given in ([str(tmp_path / "qrels"), *stored], stored):
        session = Session()
        session.files.open_files(given)
        session.evaluation.set_measure(measures[0])
        assert (compared in " ".join(session.view.caveats)) == said
        session.close()
    session = Session()
    session.files.open_files([str(tmp_path / name) for name in ("qrels", "near", "far")])
    session.evaluation.set_measure(measures[0])
    assert ("unjudged documents count as non-relevant" in " ".join(session.view.caveats)) == said
