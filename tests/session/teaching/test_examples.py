"""Every worked example opens and has the figures that its source prints; typed rankings open without a file."""

from __future__ import annotations

import pytest

from irviewer.measures.parser import parse_measure
from irviewer.session.session import Session
from irviewer.session.teaching.example_data import EXAMPLES, Example, Figure


def value(session: Session, figure: Figure) -> float:
    """What the session shows for a printed figure."""
    context = session.view.context
    assert context is not None
    runs = context.collection.runs
    entry = runs[0] if not figure.run else next(one for one in runs if one.name == figure.run)
    measure = parse_measure(figure.measure)
    if not figure.query:
        return context.mean(entry, measure)
    return float(context.values(entry, measure)[context.query_index[figure.query]])


@pytest.mark.parametrize("one", EXAMPLES, ids=lambda one: one.id)
def test_an_example_opens_with_the_printed_figures(one: Example) -> None:
    session = Session()
    assert session.teaching.open_example(one.id)
    assert session.examples.example is one
    assert session.view.place == "query"
    assert str(session.view.measure) == str(parse_measure(one.measure))
    assert session.view.messages == ()  # the lesson's strip says what it shows
    assert session.teaching.is_on
    for figure in one.figures:
        assert value(session, figure) == pytest.approx(figure.value, abs=0.5000001 * 10**-figure.decimals), figure
    assert session.view_models.query_view_model() is not None
    assert session.view_models.systems_view_model() is not None
    assert session.view_models.queries_view_model() is not None
    if one.swap is not None:
        first, second, wanted = one.swap
        entry = session.view.collection.runs[0]  # type: ignore[union-attr]
        copy = session.run_editing.edit_copy(entry.key)
        assert copy is not None
        assert session.run_editing.swap_ranks(copy, first, second)
        view_model = session.run_editing.reranking_view_model(copy)
        assert view_model is not None
        change = next(row for row in view_model.measures if row.measure == session.view.measure)
        assert change.before == pytest.approx(one.figures[0].value, abs=5e-6)
        assert change.after == pytest.approx(wanted, abs=5e-6)
        assert len(view_model.rows) == 2


def test_g1_judged_otherwise_gives_g2_and_g3() -> None:
    session = Session()
    session.teaching.open_example("g1")
    run = session.view.collection.runs[0].run  # type: ignore[union-attr]
    first, last = run.ranking("1")[0], run.ranking("1")[-1]
    measure = parse_measure("DCG(dcg='jk')@10")

    def dcg() -> float:
        context = session.view.context
        assert context is not None
        return context.mean(context.collection.runs[0], measure)

    session.judging.judge(first, 3)
    assert dcg() == pytest.approx(10.17252, abs=5e-6)
    session.history.undo()
    session.judging.judge(last, 3)
    assert dcg() == pytest.approx(12.07561, abs=5e-6)


def test_an_example_opens_once_and_others_are_named() -> None:
    session = Session()
    session.teaching.open_example("b2")
    session.teaching.open_example("Graded gains, discounted")
    assert session.teaching.open_example("B2")
    assert len(session.view.workspace.collections) == 2
    assert session.state.current == 0
    assert str(session.view.measure) == "AP"
    assert not session.teaching.open_example("z9")
    assert "choose one of b1, b2" in session.view.messages[-1].text
    assert len({one.id for one in EXAMPLES}) == len(EXAMPLES)


def test_a_typed_ranking_needs_no_file() -> None:
    session = Session()
    assert not session.teaching.open_inline_ranking("one two")
    assert "is not a grade" in session.view.messages[-1].text
    assert session.teaching.open_inline_ranking("bm25: 1 0 1 1 0 | R=10\ndense: 0 1 1 1 0", "blackboard")
    assert session.view.collection is not None
    assert session.view.collection.name == "blackboard"
    assert [entry.name for entry in session.view.collection.runs] == ["bm25", "dense"]
    assert session.view_models.query_view_model() is not None
