"""Queries by a field of their relevant documents, against loops; at the command line, in Python and in the views."""

from __future__ import annotations

import statistics
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import strategies as some
from hypothesis import given
from hypothesis import strategies as st

from irviewer import compare_slices, gate, show
from irviewer.cli import main
from irviewer.errors import MeasureError, OptionError
from irviewer.model.attributes.facets import Facets
from irviewer.model.attributes.queries import SEVERAL
from irviewer.model.document_lengths import Lengths
from irviewer.model.qrels import Qrels
from irviewer.model.texts import TextTable

Row = dict[str, Any]
rows = st.fixed_dictionaries(
    {
        "brand": st.sampled_from(("x", "y", "ü 10", None)),
        "price": st.one_of(st.none(), st.integers(0, 9).map(float)),
        "added": st.sampled_from(("2023-05-01", "2024-01-31", None)),
        "in_stock": st.sampled_from((True, False, None)),
    }
)
EVERY: dict[str, Row] = {"none": {"brand": "x", "price": 1.0, "added": "2024-01-01", "in_stock": True}}


@given(some.qrels(), st.dictionaries(st.sampled_from(some.DOCUMENTS), rows), st.sampled_from((1, 2)))
def test_against_loops(qrels: dict[str, dict[str, float]], table: dict[str, Row], level: int) -> None:
    """The most frequent value of the relevant documents, the median, the year of the median."""
    known = {**EVERY, **table}
    fields = Lengths(TextTable.from_rows([{"id": document, **row} for document, row in known.items()])).fields
    assert fields is not None
    facets = Facets(fields, Qrels.from_dict(qrels), level)
    sliced = {name: facets.attribute(f"relevant:{name}", tuple(qrels)) for name in next(iter(EVERY.values()))}
    for query, judgments in qrels.items():
        relevant = [document for document, grade in judgments.items() if grade >= level]
        for name, attribute in sliced.items():
            values = [value for d in relevant if (value := known.get(d, {}).get(name)) is not None]
            if not values:
                assert query not in attribute.values
            elif name == "price":
                assert attribute.values[query] == statistics.median(values)
            elif name == "added":
                assert attribute.values[query] in {value[:4] for value in values}
            else:
                counts = Counter(values).most_common()
                first = str(counts[0][0]).lower() if name == "in_stock" else counts[0][0]
                alone = len(counts) == 1 or counts[0][1] > counts[1][1]
                assert attribute.values[query] == (first if alone else SEVERAL)


QRELS = {str(query): {"a": 1, "b": 1 if query % 2 else 0, "c": 2 - query % 2} for query in range(24)}
TABLE = {"a": {"brand": "x", "price": 3}, "b": {"brand": "x", "price": 5}, "c": {"brand": "y", "price": 9}}
GOOD = {str(query): {"a": 3.0, "b": 2.0, "c": 1.0} for query in range(24)}
BAD = {str(query): {"q": 3.0, "b": 2.0, "a": 1.0} for query in range(24)}


def test_slices_in_python_and_what_is_refused() -> None:
    runs = {"good": GOOD, "bad": BAD}
    sliced = compare_slices(QRELS, runs, "P@3", "relevant:brand", documents=TABLE, baseline="bad")
    assert [(row.name, row.n) for row in sliced.find("good").rows] == [(SEVERAL, 12), ("x", 12)]
    with pytest.raises(MeasureError, match="no field 'shape'; they have brand, price"):
        compare_slices(QRELS, runs, "P@3", "relevant:shape", documents=TABLE, baseline="bad")
    with pytest.raises(OptionError, match="relevant:brand is a field of the relevant documents, which are not open"):
        compare_slices(QRELS, runs, "P@3", "relevant:brand", baseline="bad")


def test_a_gate_holds_in_each_facet() -> None:
    result = gate(
        QRELS, GOOD, BAD, require="P@3 >= 0.5", by="relevant:brand", documents=TABLE, unjudged="complete"
    )  # fmt: skip
    assert {each.slice for each in result.results} >= {"relevant:brand = x", f"relevant:brand = {SEVERAL}"}


def test_commands_and_views_have_the_same_slices(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "q.txt").write_text(
        "".join(f"{query} 0 {doc} {grade}\n" for query, row in QRELS.items() for doc, grade in row.items())
    )
    for name, run in (("good", GOOD), ("bad", BAD)):
        (tmp_path / f"{name}.run").write_text(
            "".join(f"{q} Q0 {doc} 1 {score} {name}\n" for q, row in run.items() for doc, score in row.items())
        )
    (tmp_path / "fields.csv").write_text("doc_id,brand,price\na,x,3\nb,x,5\nc,y,9\n")
    files = [str(tmp_path / name) for name in ("q.txt", "good.run", "bad.run")]
    words = ["-m", "P@3", "--baseline", "bad", "--documents", str(tmp_path / "fields.csv"), "--by", "relevant:brand"]
    for command in (["slices"], ["show", "slices"]):
        assert main.main([*command, *files, *words]) == 0
        printed = capsys.readouterr().out
        assert "brand of the relevant documents" in printed
        assert SEVERAL in printed
    shown = show(
        "slices", tmp_path / "q.txt", [tmp_path / "good.run", tmp_path / "bad.run"], measures="P@3",
        documents=tmp_path / "fields.csv", by=["relevant:price"], baseline="bad",
    )  # fmt: skip
    assert shown is not None


def test_a_value_called_like_ties_is_a_slice_of_its_own() -> None:
    """Queries whose brand is "no single one" were among those of several brands."""
    table = {"a": {"brand": SEVERAL}, "b": {"brand": "x"}}
    fields = Lengths(TextTable.from_rows([{"id": document, **row} for document, row in table.items()])).fields
    assert fields is not None
    qrels = {"of a brand": {"a": 1}, "of two": {"a": 1, "b": 1}}
    values = Facets(fields, Qrels.from_dict(qrels)).attribute("relevant:brand", tuple(qrels)).values
    assert values == {"of a brand": f"“{SEVERAL}”", "of two": SEVERAL}
