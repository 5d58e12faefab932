"""What the picker offers."""

from __future__ import annotations

import pytest
from counting import calls

from irviewer.commands.synonyms import folded
from irviewer.gui.dialogs.picker.sources import (
    ActionSource,
    CommandSource,
    MeasureSource,
    Offer,
    QuerySource,
    RunSource,
    _from_near,
)
from irviewer.gui.theme import Theme
from irviewer.gui.window import MainWindow
from irviewer.model.texts import TextTable
from irviewer.model.workspace import Collection
from irviewer.session.session import Session

pytestmark = pytest.mark.opens("start")


class TestQueries:
    @pytest.fixture
    def source(self, session: Session) -> QuerySource:
        query_source = QuerySource(session)
        query_source.begin()
        return query_source

    def test_all_in_order_for_nothing_typed(self, source: QuerySource) -> None:
        assert [item.lead for item in source.items("")] == ["1", "2", "3"]

    @pytest.mark.parametrize(("typed", "expected"), [("2", ["2"]), ("plate layer", ["3"]), ("HEAT", ["2"])])
    def test_by_id_and_by_words(self, source: QuerySource, typed: str, expected: list[str]) -> None:
        assert [item.lead for item in source.items(typed)] == expected

    def test_what_was_found_is_in_sight(self) -> None:
        text = "a long question that goes on and on about many things before it comes to heat in slabs"
        assert _from_near(text, text.find("heat")) == "… things before it comes to heat in slabs"
        assert _from_near(text, 3) == text

    def test_going_there(self, source: QuerySource, session: Session) -> None:
        session.navigation.set_place("systems")
        act = source.items("3")[0].act
        assert act is not None
        act()
        assert (session.view.place, session.view.query_id) == ("query", "3")

    def test_nothing_found_says_so(self, source: QuerySource) -> None:
        item = source.items("zeppelin")[0]
        assert item.act is None
        assert "zeppelin" in item.title

    def test_seven_thousand_queries_are_searched_immediately(self) -> None:
        class EvaluationContext:
            query_ids = tuple(str(n) for n in range(6980))

        class Fake:
            @property
            def view(self) -> Fake:
                return self

            context = EvaluationContext()
            collection = Collection(
                "big",
                TextTable.from_rows([{"id": str(n), "text": f"what is the number {n} of things"} for n in range(6980)]),
            )

        source = QuerySource(Fake())  # type: ignore[arg-type]
        source.begin()
        items = source.items("number 69")
        assert items[0].act is not None
        # At once, while one types: a handful of calls for each query, whatever the text.
        assert calls(lambda: source.items("number 69")) < 12 * 6980


class TestMeasures:
    def test_common_ones_by_beginning(self, session: Session) -> None:
        names = [item.title for item in MeasureSource(session).items("ndcg")]
        assert names[:2] == ["nDCG", "nDCG@10"]

    def test_any_other_by_name(self, session: Session) -> None:
        item = MeasureSource(session).items("P(rel=2)@7")[0]
        assert item.title == "P(rel=2)@7"
        assert item.act is not None
        item.act()
        assert str(session.view.measure) == "P(rel=2)@7"

    def test_a_slip_is_answered_by_suggestions(self, session: Session) -> None:
        items = MeasureSource(session).items("nDGC@10")
        assert any(item.act is not None and item.title.startswith("nDCG") for item in items)
        # The first, which Enter would choose, is the reason.
        assert items[0].act is None
        assert "nDGC" in items[0].title

    def test_a_beginning_is_completed(self, session: Session) -> None:
        assert [item.title for item in MeasureSource(session).items("succ")][:1] == ["Success@1"]


def test_runs_with_what_choosing_does(session: Session, theme: Theme) -> None:
    chosen: list[int] = []
    source = RunSource(session, theme, "which?", chosen.append)
    items = source.items("bet")
    assert [item.title for item in items] == ["beta"]
    assert items[0].act is not None
    items[0].act()
    assert chosen == [next(label.key for label in session.view.labels() if label.name == "beta")]


def test_samples_from_the_registry(session: Session) -> None:
    source = CommandSource(session, "sample ", "Open sample")
    assert [item.title for item in source.items("")] == ["Fables", "Cranfield", "trec_eval test"]
    assert next(item.title for item in source.items("trec")) == "trec_eval test"


class TestActions:
    @pytest.fixture
    def titles(self, window: MainWindow):  # type: ignore[no-untyped-def]
        def find(typed: str) -> list[str]:
            window.dialogs.navigation.find_action()
            window.picker.line.setText(typed)
            window.picker.line.textEdited.emit(typed)
            find_titles = window.picker.titles()
            window.picker.close_over()
            return find_titles

        return find

    def test_every_action_with_its_shortcut_for_nothing_typed(self, titles) -> None:  # type: ignore[no-untyped-def]
        shown = titles("")
        assert "Open… Ctrl O" in shown
        assert not any(title.startswith("Baseline alpha") for title in shown)

    def test_actions_first_then_runs_measures_queries(self, titles) -> None:  # type: ignore[no-untyped-def]
        assert titles("next q")[0] == "Next query J"
        assert any(title.startswith("beta") for title in titles("beta"))
        assert any(title.startswith("P@17") for title in titles("P@17"))
        assert any(title.startswith("2 heat in slabs") for title in titles("slabs"))

    @pytest.mark.parametrize(
        ("asked", "first"),
        [
            ("where does B fail most and why", "Failures"),
            ("Where does B fail most, and why?", "Failures"),
            ("is B better", "Verdict"),
            ("is it better than the baseline", "Verdict"),
            ("would other judges change it", "Compare › Systems by judge"),
            ("systems by judge", "Compare › Systems by judge"),
            ("take the answer to a paper", "Export for paper…"),
            ("pool", "Compare › Pool"),
        ],
    )
    def test_a_question_is_answered(self, titles, asked: str, first: str) -> None:  # type: ignore[no-untyped-def]
        shown = titles(asked)
        assert not shown[0].startswith("Nothing matches")
        assert any(title.startswith(first) for title in shown[:3]), shown[:6]

    def test_what_has_the_typed_name_comes_first(self, titles) -> None:  # type: ignore[no-untyped-def]
        """A run named "rerank" stood below lessons whose letters begin so."""
        assert titles("beta")[0].startswith("beta") and len(titles("beta")) > 1
        assert titles("failures")[0].startswith("Failures")

    def test_a_run_is_what_the_verdict_is_asked_about(self, window: MainWindow, session: Session) -> None:
        """It was said to be compared with the baseline, and the verdict went on about another one."""
        asked = next(label for label in session.view.taking_part_labels() if not label.baseline)
        for place, wanted in (("systems", ""), ("verdict", asked.whole_name)):
            session.navigation.set_place(place)
            window.dialogs.navigation.find_action()
            window.picker.line.setText(asked.name)
            window.picker.line.textEdited.emit(asked.name)
            window.picker._choose(0)
            assert session.result_views.parameters_of("verdict")["run"] == wanted, place
            assert session.view.focus == asked.key

    def test_a_question_mark_looks_among_queries_only(self, titles) -> None:  # type: ignore[no-untyped-def]
        assert titles("?plate") == ["3 boundary layer of a plate"]


@pytest.mark.parametrize("typed", ["articulo", "artículo", "ARTI\u0301CULO"])
def test_an_action_is_found_without_its_accents(session: Session, theme: Theme, typed: str) -> None:
    """In Spanish "articulo" found nothing, and its nearest word was "artículo"."""
    queries = QuerySource(session)
    source = ActionSource(session, theme, queries, MeasureSource(session))
    source.begin()
    source._actions = [Offer("Exportar para un artículo…", "Exportar", "", lambda: None, True, folded("publicación"))]
    assert [item.title for item in source.items(typed)][:1] == ["Exportar para un artículo…"]
    assert [item.title for item in source.items("publicacion")][:1] == ["Exportar para un artículo…"]
    assert folded("¿Cómo está?") == "¿como esta?"
