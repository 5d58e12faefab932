"""Two judges as tables: which documents are listed, in which order, what is known of them, and names in titles."""

from __future__ import annotations

from dataclasses import replace

import pytest

from irviewer.analysis.agreement.confusion import Confusion, confusion
from irviewer.analysis.agreement.judge_agreement import AgreementOptions, agreement
from irviewer.analysis.agreement.leverage import Leverage, leverage
from irviewer.model.judgments.panel import panel_of
from irviewer.model.run import Run
from irviewer.tables.show import plain
from irviewer.tables.table import Table
from irviewer.views.confusion import Chosen, by_query_tables, tables
from tests.helpers.judges import judges_of, random_grades


@pytest.fixture(scope="module")
def judged() -> tuple[Confusion, Leverage]:
    judges = judges_of(random_grades(7, 2, 60, missing=0.0))
    qrels = judges[0].qrels
    runs = [
        Run.from_dict(
            {
                query: {doc: sign * place for place, doc in enumerate(qrels.judgments(query))}
                for query in qrels.query_ids
            },
            name=name,
        )
        for name, sign in (("up", 1.0), ("down", -1.0))
    ]
    result = confusion(panel_of(judges), 0, 1, 1)
    return result, leverage(result.documents(), qrels, runs, "RR")


def listed(judged: tuple[Confusion, Leverage], chosen: Chosen) -> Table:
    return tables(judged[0], None, leverage=judged[1], chosen=chosen).table("documents")


def test_documents_of_cells_are_sorted_by_their_change_and_equal_grades_change_nothing(
    judged: tuple[Confusion, Leverage],
) -> None:
    result, gains = judged
    changed = {
        (each.query_id, each.doc_id): float(change)
        for each, change in zip(result.documents(), gains.largest, strict=True)
    }
    table = listed(judged, Chosen(cells=[(0.0, 3.0), (1.0, 1.0)]))
    assert set(table.keys) == {(each.query_id, each.doc_id) for each in result.documents([(0.0, 3.0), (1.0, 1.0)])}
    changes = table.column("change").numbers[""].tolist()
    assert changes == [changed.get(key, 0.0) for key in table.keys]  # type: ignore[call-overload]
    assert [abs(change) for change in changes] == sorted(map(abs, changes), reverse=True)
    for row, key in enumerate(table.keys):
        assert (table.column("in_top").values[row] is None) == (key not in changed)
        assert (table.column("run").values[row] is None) == (changes[row] == 0)
    assert listed(judged, Chosen()).n_rows == len(result.documents())
    assert tables(result, None, leverage=gains, most=4).table("documents").n_rows == 4


def test_what_is_known_of_documents_is_beside_their_ids(judged: tuple[Confusion, Leverage]) -> None:
    first, second = (listed(judged, Chosen()).keys[row] for row in (0, 1))
    table = listed(judged, Chosen(texts=str.upper, titles=lambda _: "", yours={first: 2.0}))  # type: ignore[dict-item]
    assert table.keys[:2] == [first, second]
    assert table.column("text").values[0] == str(first[0]).upper()  # type: ignore[index]
    assert table.column("title").values[0] is None
    assert plain(table.column("title"), 0) == table.column("document").values[0]
    yours = table.column("yours")
    assert [yours.values[row] for row in (0, 1)] == [2.0, None]
    assert [plain(yours, row) for row in (0, 1)] == ["2", ""]
    bare = {column.key for column in listed(judged, Chosen()).columns}
    assert not bare & {"text", "title", "yours"}


def test_a_smaller_value_is_better_where_the_measure_says_so(judged: tuple[Confusion, Leverage]) -> None:
    result, gains = judged
    assert listed(judged, Chosen()).column("change").show.better_up is True
    ranks = replace(gains, measure="RankAtRecall@0.5")
    assert listed((result, ranks), Chosen()).column("change").show.better_up is False


def test_titles_name_the_judges_and_the_level(judged: tuple[Confusion, Leverage]) -> None:
    result = judged[0]
    (by_query,) = by_query_tables([result], None).tables
    names = [by_query.column(key).title for key in ("first_prevalence", "second_prevalence")]
    assert names == [f"{judge} relevant" for judge in result.names]
    (two,) = by_query_tables([result, result], None).tables
    assert two.column("first_prevalence").title == "prevalence"
    assert two.n_rows == 2 * by_query.n_rows
    agreed = agreement(result.panel, AgreementOptions(samples=0))
    table = tables(result, None, agreement=agreed).table("coefficients")
    rows = list(table.keys)
    assert plain(table.column("statistic"), rows.index("kappa_level")) == "kappa ≥1"
    value = agreed.estimate("difference", 0, 1).value
    assert value is not None
    assert plain(table.column("value"), rows.index("difference")).replace("−", "-") == f"{value:+.3f}"
