"""Why the difference of a slice has its value: the ledger's queries and numbers give what the view shows."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from irviewer.commands import run_command
from irviewer.evaluation.evaluate import evaluate
from irviewer.model.number_text import p_value, times
from irviewer.session.session import Session
from irviewer.tables.exact import records
from tests.session.number_ledgers import column, explained
from tests.session.sliced import sliced


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return sliced(tmp_path)


def values_of(session: Session) -> tuple[dict[str, float], dict[str, float]]:
    """The values of the run and of the baseline by query, evaluated anew."""
    context = session.view.context
    assert context is not None
    assert context.judgments is not None
    assert context.focus is not None
    assert context.baseline is not None
    text, sides = str(context.measure), []
    for key in (context.focus, context.baseline):
        entry = context.collection.run(key)
        assert entry is not None
        sides.append(evaluate(context.judgments.qrels, entry.run, [text]).by_query(text))
    return sides[0], sides[1]


def four(value: float) -> str:
    return f"{value:.4f}".replace("-", "−")


def test_the_queries_of_a_slice_give_its_difference(session: Session) -> None:
    run, base = values_of(session)
    numbers = {number.title: number.key for number in session.numbers.numbers()}
    assert next(iter(numbers)).endswith("all queries")
    view_model = session.slices.slices_view_model()
    assert view_model is not None
    titles = {title.partition(" of ")[2]: key for title, key in numbers.items()}
    table = view_model.table("slices")
    assert table is not None
    for row in records(table):
        attribute, name, difference = row["attribute"], row["slice"], row["difference"]
        ledger = explained(session, titles[f"{attribute}: {name}" if attribute else "all queries"])
        if attribute is None:
            ids = set(run)
        elif attribute == "language":
            ids = {query for query in run if ("de" if int(query) % 3 else "en") == name}
        else:
            low, high = name.split("–")
            ids = {query for query in run if int(low) <= int(query) <= int(high)}
        assert set(ledger.documents) == ids
        deltas = [run[query] - base[query] for query in ledger.documents]
        np.testing.assert_allclose(column(ledger, "delta"), deltas, atol=1e-12)
        np.testing.assert_allclose(column(ledger, "run"), [run[query] for query in ledger.documents])
        np.testing.assert_allclose(column(ledger, "base"), [base[query] for query in ledger.documents])
        assert deltas == sorted(deltas, reverse=True)
        assert np.mean(deltas) == pytest.approx(difference, abs=1e-12)
        assert ledger.worked == f"{four(sum(deltas))} ÷ {len(ids)} = {four(float(np.mean(deltas)))}"
        assert ledger.title.endswith(f"{four(difference)}?")


def test_interval_and_p_are_written_with_their_numbers(session: Session) -> None:
    session.protocol.set(interval="t")
    run, base = values_of(session)
    key = next(number.key for number in session.numbers.numbers() if number.title.endswith("language: en"))
    ledger = explained(session, key)
    deltas = np.array([run[query] - base[query] for query in ledger.documents])
    n, spread = len(deltas), deltas.std(ddof=1)
    low, high = stats.t.interval(0.95, n - 1, deltas.mean(), spread / math.sqrt(n))
    test = stats.ttest_1samp(deltas, 0.0)
    said = " ".join(ledger.rules)
    factor = four(stats.t.ppf(0.975, n - 1))
    assert f"{four(deltas.mean())} ± {factor} × {four(spread)} ÷ √{n} = [{four(low)}, {four(high)}]" in said
    assert f"= {four(test.statistic)}, df {n - 1}." in said
    view_model = session.slices.slices_view_model()
    assert view_model is not None
    table = view_model.table("slices")
    assert table is not None
    row = next(row for row in records(table) if row["slice"] == "en")
    assert row["p"] == pytest.approx(test.pvalue, rel=1e-9)
    corrected = p_value(row["p_corrected"])
    assert f"over 12 slices: p {corrected if corrected.startswith('<') else '= ' + corrected}." in said


def test_the_chosen_slice_or_cell_comes_first(session: Session) -> None:
    session.slices.choose((("language", "en"),))
    assert session.numbers.numbers()[0].title.endswith("of language: en")
    cells = [number for number in session.numbers.numbers() if number.key.startswith("cell:")]
    crossed = session.slices.known()
    assert crossed is not None
    assert crossed.crossed is not None
    assert len(cells) == sum(cell.n > 0 for line in crossed.crossed.cells for cell in line)
    run, base = values_of(session)
    for number in cells:
        _, row, place = number.key.split(":")
        cell = crossed.crossed.cells[int(row)][int(place)]
        ledger = explained(session, number.key)
        assert set(ledger.documents) == set(cell.query_ids)
        assert cell.pair is not None
        assert np.mean([run[query] - base[query] for query in ledger.documents]) == pytest.approx(cell.pair.difference)


def test_a_slice_of_few_queries_has_no_p_as_in_the_table(session: Session) -> None:
    known = session.slices.known()
    assert known is not None
    assert known.crossed is not None
    few = 0
    for row, line in enumerate(known.crossed.cells):
        for place, cell in enumerate(line):
            if cell.n:
                said = " ".join(explained(session, f"cell:{row}:{place}").rules)
                assert ("has no p" in said) == (cell.n < 10)
                assert ("paired t-test" in said) == (cell.n >= 10)
                few += cell.n < 10
    assert few


def test_the_ends_of_a_drawn_interval_are_named(session: Session) -> None:
    session.protocol.set(interval="bca")
    assert "quantiles .025 and .975 of the mean Δ of the samples, shifted" in " ".join(explained(session, "all").rules)


def test_found_slices_are_explained_on_the_half_that_was_not_searched(session: Session) -> None:
    session.slices.search(True)
    session.compute_now()
    known = session.slices.known()
    assert known is not None
    assert known.search is not None
    keys = [number.key for number in session.numbers.numbers() if number.key.startswith("found:")]
    assert len(keys) == len(known.search.found)
    for key, found_slice in zip(keys, known.search.found, strict=True):
        ledger = explained(session, key)
        assert set(ledger.documents) <= set(known.search.held_out)
        assert found_slice.tested.pair is not None
        assert column(ledger, "delta").mean() == pytest.approx(found_slice.tested.pair.difference)


def test_a_geometric_mean_is_a_ratio(session: Session) -> None:
    session.evaluation.set_measure("gm_map")
    run, base = values_of(session)
    ledger = explained(session, "slice:0:0")
    logs = [math.log(max(run[query], 1e-5)) - math.log(max(base[query], 1e-5)) for query in ledger.documents]
    np.testing.assert_allclose(column(ledger, "delta"), logs, atol=1e-9)
    ratio = math.exp(sum(logs) / len(logs))
    assert ledger.worked == f"exp({four(sum(logs))} ÷ {len(logs)}) = {times(ratio)}"
    assert times(ratio) in ledger.title


def test_a_value_that_is_never_reached_gives_signs(session: Session) -> None:
    session.evaluation.set_measure("RankAtRecall@1")
    known = session.slices.known()
    assert known is not None
    pair = known.comparison.runs[0].overall
    assert pair.by_signs
    ledger = explained(session, "all")
    signs = column(ledger, "delta")
    assert ((signs > 0).sum(), (signs == 0).sum(), (signs < 0).sum()) == (pair.wins, pair.ties, pair.losses)
    assert ledger.worked == f"{pair.wins} better · {pair.ties} equal · {pair.losses} worse"


def test_the_key_asks_for_the_number_of_the_view(session: Session) -> None:
    commands: list[str] = []
    session.asked.connect(commands.append)
    assert run_command(session, "explain")
    assert commands == ["explain_number"]
    session.navigation.set_place("systems")
    assert not session.numbers.is_here
