"""``irviewer compare`` and measures that are no mean, or have no value for some query: said as the window says it."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer.cli import main
from tests.session.helpers import collection, session_with

QUERIES = 30


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Qrels of 30 queries with one relevant document, and two runs that have it at the first and the second rank."""
    (tmp_path / "qrels").write_text("".join(f"{query} 0 a 1\n" for query in range(QUERIES)))
    for name, documents in (("one", "ab"), ("two", "ba")):
        lines = [
            f"{query} Q0 {document} 1 {9 - place} t\n"
            for query in range(QUERIES)
            for place, document in enumerate(documents)
        ]
        (tmp_path / name).write_text("".join(lines))
    return [str(tmp_path / name) for name in ("qrels", "one", "two")]


def compare(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main.main(["compare", *words]) == 0
    out = capsys.readouterr()
    assert out.err == ""
    return out.out


@pytest.mark.parametrize(
    ("measure", "text", "what"),
    [
        ("num_rel", "NumRel", "a sum, not a mean over queries"),
        ("num_rel_ret", "NumRelRet", "a sum, not a mean over queries"),
        ("num_q", "NumQ", "a count of queries, not a mean over queries"),
        ("relstring", "relstring", "a text, not a mean over queries"),
    ],
)  # fmt: skip
def test_what_is_no_mean_is_not_compared_here_nor_in_the_window(
    files: list[str], capsys: pytest.CaptureFixture[str], measure: str, text: str, what: str
) -> None:
    why = f"{text} is {what}: there is no mean difference to test"
    assert main.main(["compare", *files, "-m", measure]) == 2
    assert capsys.readouterr() == ("", f"irviewer: {why}.\n")
    assert main.main(["compare", *files, "-m", measure, "-m", "AP"]) == 0
    out, err = capsys.readouterr()
    note = f"Note: {why}; left out"
    assert (err, out.count(note)) == ("", 1)
    assert out.splitlines()[2].startswith("AP, 30 queries")
    assert text not in out.replace(note, "")
    if what.startswith("a text"):
        return  # the window takes no text for its measure
    session = session_with(collection(3))
    session.navigation.set_place("compare")
    session.evaluation.set_measure(measure)
    explanation = session.comparison.pair_view_model().explanation  # type: ignore[union-attr]
    assert explanation.startswith(f"{why}. ")
    assert explanation.endswith(" another measure.")


def test_a_query_without_a_value_is_not_called_a_zero(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A search length has no value where nothing was returned, which is worse than any; AP is 0 there."""
    (tmp_path / "qrels").write_text("".join(f"{query} 0 a 1\n" for query in range(30)))
    (tmp_path / "whole").write_text("".join(f"{query} Q0 a 1 1 t\n" for query in range(30)))
    (tmp_path / "short").write_text("".join(f"{query} Q0 a 1 1 t\n" for query in range(29)))
    words = [str(tmp_path / name) for name in ("qrels", "whole", "short")]
    assert "Note: short lacks 1 query: counted as 0.\n" in compare(capsys, *words, "-m", "AP")
    text = compare(capsys, *words, "-m", "SearchLength")
    assert (
        "Note: SearchLength is not always reached; queries on which it is: short 29 of 30. Runs are compared by signs"
        in text
    )
    assert "short is better on 0 queries, equal on 29, worse on 1 (not reached is the worst)" in text
    assert "counted as 0" not in text
