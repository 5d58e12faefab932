"""A qrels patch that is opened as any file lies over the qrels it was made of; it is never qrels of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer.cli.main import main
from irviewer.formats.judgment_patch import COLUMNS
from irviewer.session.messages import Level
from irviewer.session.session import Session

QRELS = "1 0 a 1\n1 0 b 0\n2 0 c 1\n"
OTHER = "1 0 a 2\n1 0 b 2\n2 0 c 2\n"
RUN = "1 Q0 a 1 2.0 x\n1 Q0 b 2 1.0 x\n2 Q0 c 1 2.0 x\n"
PATCH = "\t".join(COLUMNS) + "\n1\tb\t3\t0\tgrace\t\tsure\n2\tc\t\t1\tgrace\t\t\n"


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    texts = {"qrels.txt": QRELS, "other.qrels": OTHER, "x.run": RUN, "patch.tsv": PATCH}
    texts["far.qrels"] = "9 0 z 1\n"
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return {name: str(tmp_path / name) for name in texts}


def said(session: Session) -> str:
    assert session.view.judgments is not None
    return str({query: session.view.judgments.qrels.judgments(query) for query in ("1", "2")})


def test_with_its_qrels_in_any_order(files: dict[str, str]) -> None:
    session = Session()
    session.files.open_files([files[name] for name in ("patch.tsv", "x.run", "qrels.txt")])
    assert len(session.view.workspace.collections) == 1
    assert said(session) == "{'1': {'a': 1.0, 'b': 3.0}, '2': {}}"
    assert session.view.judgments is not None
    assert [judgment.who for judgment in session.view.judgments.overlay] == ["grace", "grace"]
    assert any("applied 2 judgments to qrels" in message.text for message in session.view.messages)


def test_after_its_qrels_and_more_than_once(files: dict[str, str]) -> None:
    session = Session()
    session.files.open_files([files["qrels.txt"], files["x.run"]])
    for _ in range(2):
        session.files.open_files([files["patch.tsv"]])
        assert said(session) == "{'1': {'a': 1.0, 'b': 3.0}, '2': {}}"


def test_of_several_sets_over_the_one_that_it_was_made_of(files: dict[str, str]) -> None:
    session = Session()
    session.files.open_files([files[name] for name in ("other.qrels", "qrels.txt", "x.run", "patch.tsv")])
    (collection,) = session.view.workspace.collections
    assert {judgment_set.name: len(judgment_set.overlay) for judgment_set in collection.judgments} == {
        "other": 0,
        "qrels": 2,
    }


@pytest.mark.parametrize("before", [[], ["far.qrels"]])
def test_without_its_qrels_it_is_said_what_it_is(files: dict[str, str], before: list[str]) -> None:
    session = Session()
    session.files.open_files([files[name] for name in (*before, "patch.tsv")])
    assert len(session.view.workspace.collections) == len(before)
    assert session.view.messages[-1].level is Level.ERROR
    assert "judgment patch" in session.view.messages[-1].text
    assert "Open the qrels it belongs to" in session.view.messages[-1].text


def test_a_broken_patch_is_named_with_its_line(files: dict[str, str]) -> None:
    Path(files["patch.tsv"]).write_text(PATCH + "1\ta\tmuch\t\t\t\t\n")
    session = Session()
    session.files.open_files([files["qrels.txt"], files["patch.tsv"]])
    assert "patch.tsv, line 4: grade 'much' is not a number" in session.view.messages[-1].text


def test_on_the_command_line(files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    for command in (["evaluate", files["patch.tsv"], files["x.run"]], ["check", files["patch.tsv"]]):
        assert main(command) != 0
        captured = capsys.readouterr()
        assert "this is a qrels patch" in captured.err + captured.out
    assert main(["convert", files["patch.tsv"], "-", "--from", "qrels-patch"]) == 0
    assert capsys.readouterr().out == "1 0 b 3\n"
