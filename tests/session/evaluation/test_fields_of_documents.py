"""Measures of documents' fields in the window: the values are those of evaluate, what is missing is said, and a field
that the documents lack is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer import evaluate
from irviewer.formats.doctor import ReadOptions
from irviewer.session.session import Session
from irviewer.views.manifest import view_named

SHARE = "FieldShare(where='in_stock = false',better='lower')@3"
MEAN = "FieldMean(field='price',better='lower',empty=0)@3"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "some.qrels").write_text("1 0 a 1\n1 0 c 2\n2 0 b 1\n2 0 d 1\n2 0 x 0\n")
    (tmp_path / "one.run").write_text(
        "1 Q0 a 1 5 t\n1 Q0 d 2 4 t\n1 Q0 c 3 3 t\n1 Q0 b 4 2 t\n2 Q0 d 1 2 t\n2 Q0 y 2 1 t\n"
    )
    (tmp_path / "fields.csv").write_text("doc_id,price,in_stock\na,10,true\nb,,false\nc,4,false\nd,,true\nx,3,true\n")
    return tmp_path


def opened(folder: Path) -> Session:
    session = Session()
    fields = folder / "fields.csv"
    session.files.open_files([str(path) for path in sorted(folder.iterdir()) if path != fields])
    if fields.is_file():
        session.files.treat(str(fields), ReadOptions(kind="documents"))
    return session


@pytest.mark.filterwarnings("ignore:documents in the top")
@pytest.mark.parametrize("judged_only", [False, True])
def test_the_windows_value_is_evaluates(folder: Path, judged_only: bool) -> None:
    session = opened(folder)
    session.protocol.set(judged_only=judged_only)
    for text in (SHARE, MEAN, f"1 - {SHARE}", f"({SHARE} + P@5) / 2"):
        assert session.evaluation.set_measure(text), session.view.messages
        result = evaluate(
            folder / "some.qrels", folder / "one.run", text, judged_only=judged_only, documents=folder / "fields.csv"
        )
        context = session.view.context
        assert context is not None
        assert context.shown_values()[:, 0].tolist() == pytest.approx(result.values[0, 0].tolist(), nan_ok=True)
        for place in ("systems", "queries", "query"):
            session.navigation.set_place(place)
            assert session.view_models.systems_view_model() is not None
            assert session.view_models.query_view_model() is not None


def test_documents_without_a_value_are_counted_in_the_status_line(folder: Path) -> None:
    session = opened(folder)
    assert session.evaluation.set_measure(MEAN)
    assert "documents in the top 3 that the table of documents lacks: 20 % (1 of 5) of run one" in session.view.caveats
    assert "documents in the top 3 without a value of 'price': 60 % (3 of 5) of run one" in session.view.caveats


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("FieldMean(field='cost',better='lower')@3", "no field 'cost'; they have price, in_stock"),
        ("FieldShare(where='stock = false',better='lower')@3", "no field 'stock'"),
        ("FieldMean(field='price')@3", "FieldMean needs better"),
        ("FieldMean", "FieldMean needs field"),
    ],
)
def test_what_cannot_be_computed_is_refused(folder: Path, text: str, said: str) -> None:
    session = opened(folder)
    assert not session.evaluation.set_measure(text)
    assert said in session.view.messages[-1].text


def test_texts_where_numbers_are_needed_are_said(folder: Path) -> None:
    (folder / "fields.csv").write_text('doc_id,price\na,"1,5"\nb,2\n')
    session = opened(folder)
    session.evaluation.set_measure(MEAN)
    assert any("holds texts such as '1,5'" in caveat for caveat in session.view.caveats)


def test_without_documents_it_is_refused(folder: Path) -> None:
    (folder / "fields.csv").unlink()
    session = opened(folder)
    assert not session.evaluation.set_measure(SHARE)
    assert "needs fields of documents. Open a file of the documents" in session.view.messages[-1].text


def test_a_judgment_changes_nothing(folder: Path) -> None:
    session = opened(folder)
    assert session.evaluation.set_measure(SHARE)
    before = session.view.context.shown_values().tolist()  # type: ignore[union-attr]
    session.navigation.set_query("1")
    assert session.judging.judge("b", 1.0)
    assert session.view.context.shown_values().tolist() == before  # type: ignore[union-attr]


def test_views_are_cut_by_a_field_of_the_relevant_documents(folder: Path) -> None:
    """The slices under More offer the fields; a query without a value of its relevant documents is in no slice."""
    (folder / "two.run").write_text("1 Q0 c 1 5 u\n2 Q0 b 1 2 u\n2 Q0 d 2 1 u\n")
    session = opened(folder)
    session.result_views.choose("slices")
    by = next(parameter for parameter in view_named("slices").parameters if parameter.name == "by")
    assert {"relevant:price", "relevant:in_stock"} <= set(session.result_views.choices(by))
    session.result_views.set_parameter("by", ["relevant:price"])
    session.compute_now()
    answer = session.result_views.answer()
    assert answer is not None, session.view.messages
    assert answer.shown is not None, answer
    (sliced,) = answer.shown.value.comparisons[0].runs
    assert [(row.name, row.n) for row in sliced.rows] == [("7", 1)]  # the median of a and c; b and d have no price
