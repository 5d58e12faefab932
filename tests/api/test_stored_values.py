"""Stored values in place of a run: the same numbers, and refused where they are not those that were asked for."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

import irviewer
from irviewer.api.sources import read_runs
from irviewer.errors import OptionError, ParseError
from irviewer.formats.stored_values import KEY
from irviewer.model.judgments.judged import judge
from irviewer.model.qrels import Qrels

QRELS = {str(query): {"a": 2, "b": query % 2, "c": 1} for query in range(40)}
BASE = {str(query): {"x": 3.0, "a": query % 4 + 1.0, "c": 2.5} for query in range(1, 40)}
NEW = {str(query): {"x": 1.0, "a": query % 3 + 1.0, "b": 2.5} for query in range(40)}
MEASURES = ["nDCG@2", "AP", "RR", "Judged@10"]

pytestmark = pytest.mark.filterwarnings("ignore::irviewer.IrviewerWarning")


@pytest.fixture
def base(tmp_path: Path) -> Path:
    result = irviewer.evaluate(QRELS, {"base": BASE}, MEASURES)
    irviewer.save_values(result, QRELS, tmp_path / "base.parquet")
    return tmp_path / "base.parquet"


def assert_same(ours: irviewer.ResultTable, whole: irviewer.ResultTable) -> None:
    assert ours.values.tobytes() == whole.values.tobytes()
    assert ours.means.tobytes() == whole.means.tobytes()
    assert repr(ours) == repr(whole)
    assert (ours.missing, ours.query_ids, ours.warnings) == (whole.missing, whole.query_ids, whole.warnings)


def test_evaluate_takes_them(base: Path) -> None:
    whole = irviewer.evaluate(QRELS, {"base": BASE, "new": NEW}, ["AP", "nDCG@2"])
    assert_same(irviewer.evaluate(QRELS, {"base": base, "new": NEW}, ["AP", "nDCG@2"]), whole)
    assert irviewer.evaluate(QRELS, base, ["RR"]).runs == ("base",)
    assert irviewer.evaluate(QRELS, {"mine": base}, ["RR"]).runs == ("mine",)


PRICE = "FieldMean(field='price',where='in_stock = true',better='lower')@2"
PRODUCTS = {
    "a": {"price": 3.5, "in_stock": True}, "b": {"price": 1.0, "in_stock": False}, "c": {"price": 2, "in_stock": True},
    "x": {"price": None, "in_stock": True},
}  # fmt: skip


def test_fields_of_documents(tmp_path: Path) -> None:
    """Their values are those of the fields that they were computed with, in any order of the documents."""
    whole = irviewer.evaluate(QRELS, {"base": BASE, "new": NEW}, [PRICE, "AP"], documents=PRODUCTS)
    irviewer.save_values(whole, QRELS, tmp_path / "both.parquet")
    shuffled = {name: {**PRODUCTS[name], "title": "another"} for name in reversed(PRODUCTS)}
    again = irviewer.evaluate(QRELS, tmp_path / "both.parquet", [PRICE, "AP"], documents=shuffled)
    assert_same(again, whole)
    dearer = {**PRODUCTS, "a": {"price": 4, "in_stock": True}}
    with pytest.raises(OptionError, match="other values of the documents' field 'price'"):
        irviewer.evaluate(QRELS, tmp_path / "both.parquet", [PRICE], documents=dearer)
    as_texts = {name: {**row, "price": f"{row['price']} EUR"} for name, row in PRODUCTS.items()}
    with pytest.raises(OptionError, match="other values of the documents' field 'price'"):
        irviewer.evaluate(QRELS, tmp_path / "both.parquet", [PRICE], documents=as_texts)
    assert irviewer.evaluate(QRELS, tmp_path / "both.parquet", ["AP"], documents=dearer).mean("AP", "base") > 0


@pytest.mark.parametrize("missing", ["zero", "intersection"])
def test_several_runs(tmp_path: Path, missing: str) -> None:
    whole = irviewer.evaluate(QRELS, {"base": BASE, "new": NEW}, ["AP", "P@1", "11pt_avg"], missing=missing)
    irviewer.save_values(whole, QRELS, tmp_path / "both.parquet")
    assert_same(irviewer.evaluate(QRELS, tmp_path / "both.parquet", ["AP", "P@1", "11pt_avg"], missing=missing), whole)


def test_a_value_that_does_not_exist_stays_so(tmp_path: Path) -> None:
    whole = irviewer.evaluate(QRELS, {"base": BASE}, ["SearchLength", "AP"])
    irviewer.save_values(whole, QRELS, tmp_path / "a.parquet")
    again = irviewer.evaluate(QRELS, tmp_path / "a.parquet", ["SearchLength", "AP"])
    assert again.values.tobytes() == whole.values.tobytes()


def test_compare_gate_and_paper(base: Path) -> None:
    runs, stored = {"base": BASE, "new": NEW}, {"base": base, "new": NEW}
    assert repr(irviewer.compare(QRELS, stored, ["AP"])) == repr(irviewer.compare(QRELS, runs, ["AP"]))
    assert (
        irviewer.paper_table(QRELS, stored, ["AP", "RR"]).latex == irviewer.paper_table(QRELS, runs, ["AP", "RR"]).latex
    )
    for how in ({"unjudged": "complete"}, {"unjudged": "pooled", "ignore_unjudged": True}):
        ours = irviewer.gate(QRELS, NEW, base, "AP > -0.1", "RR worse", **how)
        whole = irviewer.gate(QRELS, NEW, {"base": BASE}, "AP > -0.1", "RR worse", **how)
        assert [str(each.condition) for each in ours.results] == [str(each.condition) for each in whole.results]
        assert [each.outcome for each in ours.results] == [each.outcome for each in whole.results]
    with pytest.raises(OptionError, match="Only values of run base are known"):
        irviewer.gate(QRELS, NEW, base, "AP > -0.1")


def test_a_report(base: Path) -> None:
    html = irviewer.report(QRELS, {"base": base, "new": NEW}, ["AP"]).html
    whole = irviewer.report(QRELS, {"base": BASE, "new": NEW}, ["AP"]).html
    mean = f"{irviewer.evaluate(QRELS, BASE, ['AP']).mean('AP'):.4f}"
    assert mean in whole
    assert mean in html
    assert "base.parquet" in html
    assert "Only values of base are known" in html


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"level": 2}, "with level 1.0, not 2.0"),
        ({"depth": 5}, "with depth –, not 5"),
        ({"judged_only": True}, "with judged_only False, not True"),
        ({"missing": "intersection"}, "with missing zero, not intersection"),
        ({"dialect": "ir_measures"}, "with dialect trec_eval, not ir_measures"),
    ],
)
def test_another_protocol_is_refused_by_its_field(base: Path, fields: dict[str, object], said: str) -> None:
    with pytest.raises(OptionError, match=f"base.parquet: the values were computed {said}; evaluate the run again"):
        irviewer.evaluate(QRELS, base, ["AP"], **fields)  # type: ignore[arg-type]


def test_other_judgments_and_measures_are_refused(base: Path) -> None:
    with pytest.raises(OptionError, match="with other judgments"):
        irviewer.evaluate({**QRELS, "1": {"a": 1}}, base, ["AP"])
    with pytest.raises(OptionError, match=r"there are no values of P@1; there are those of nDCG@2, AP"):
        irviewer.evaluate(QRELS, base, ["P@1"])
    shuffled = {query: dict(reversed(QRELS[query].items())) for query in reversed(QRELS)}
    assert irviewer.evaluate(shuffled, base, ["AP"]).mean("AP") > 0


def test_what_needs_documents_says_so(base: Path) -> None:
    for call in (
        lambda: irviewer.explain(QRELS, base, "AP", "1"),
        lambda: irviewer.curves(QRELS, base),
        lambda: irviewer.failures(QRELS, base, "AP"),
        lambda: irviewer.fuse([base, base]),
        lambda: irviewer.similarity([base, base]),
        lambda: irviewer.pool_effects(QRELS, [base, base]),
        lambda: irviewer.read_run(base),
    ):
        with pytest.raises(ParseError, match="holds values of runs, not their documents"):
            call()
    judgments, run = Qrels.from_dict(QRELS), read_runs(base, stored=True)[0]
    with pytest.raises(OptionError, match=r"run base is stored values .*needs its documents"):
        judge(run, judgments)
    with pytest.raises(ParseError, match="holds values of runs, not their documents"):
        irviewer.read_qrels(base)


def test_what_cannot_be_stored(tmp_path: Path) -> None:
    means = {("1", "AP"): (0.5, 0.1)}
    for result, said in (
        (irviewer.evaluate(QRELS, BASE, ["AP"], zscores=means), "Z-scores"),
        (irviewer.evaluate(QRELS, BASE, ["BudgetRecall(budget=5)"], lengths={"a": 3.0}), "lengths"),
    ):
        with pytest.raises(OptionError, match=said):
            irviewer.save_values(result, QRELS, tmp_path / "a.parquet")
    assert not list(tmp_path.iterdir())


def test_a_run_that_matches_nothing(tmp_path: Path) -> None:
    other = {"other": {query: {"z": 1.0} for query in QRELS}}
    whole = irviewer.evaluate(QRELS, other, ["AP"])
    irviewer.save_values(whole, QRELS, tmp_path / "a.parquet")
    assert_same(irviewer.evaluate(QRELS, tmp_path / "a.parquet", ["AP"]), whole)


@pytest.mark.parametrize("kept", [0.2, 0.7, 0.99])
def test_a_truncated_file(base: Path, kept: float) -> None:
    base.write_bytes(base.read_bytes()[: int(kept * base.stat().st_size)])
    with pytest.raises(ParseError, match=r"base\.parquet"):
        irviewer.evaluate(QRELS, base, ["AP"])


def test_damaged_metadata(base: Path) -> None:
    table = parquet.read_table(base)
    about = json.loads(table.schema.metadata[KEY])
    for damage in ({"runs": []}, {"measures": [{"text": "AP"}]}, {"missing": 3}, {"rules": None}, {"schema": 2}):
        parquet.write_table(table.replace_schema_metadata({KEY: json.dumps({**about, **damage})}), base)
        with pytest.raises(irviewer.IrviewerError, match=r"base\.parquet"):
            irviewer.evaluate(QRELS, base, ["AP"])
    parquet.write_table(table.replace_schema_metadata({KEY: b"\xff"}), base)
    with pytest.raises(ParseError, match="damaged"):
        irviewer.evaluate(QRELS, base, ["AP"])


@pytest.mark.parametrize(
    ("lost", "said"),
    [("run", "the column run is missing"), ("AP", "the column AP is missing"), ("rules", "the field rules is missing"),
     ("row", "has 2 rows, and 3 were written"), ("twice", "two queries of one id"),
     ("text", "the column query lacks texts"), ("name", "the column query lacks texts")],
)  # fmt: skip
def test_what_a_damaged_file_lacks_is_named(lost: str, said: str, tmp_path: Path) -> None:
    """A file without a row, as other programs filter it, was read, and its query had no value."""
    qrels = {query: {"a": 1} for query in "123"}
    path = tmp_path / "values.parquet"
    irviewer.save_values(irviewer.evaluate(qrels, {"x": {query: {"a": 1.0} for query in "123"}}, ["AP"]), qrels, path)
    table = parquet.read_table(path)
    about = json.loads(table.schema.metadata[KEY])
    if lost in about:
        table = table.replace_schema_metadata({KEY: json.dumps({key: about[key] for key in about if key != lost})})
    elif lost in table.column_names:
        table = table.drop_columns([lost])
    elif lost in ("text", "name"):
        ids = table["query"].cast(pa.binary()) if lost == "text" else pa.array(["1", None, "3"])
        table = table.set_column(1, "query", ids)
    else:
        table = table.slice(1) if lost == "row" else pa.concat_tables([table, table])
    parquet.write_table(table, path)
    with pytest.raises(ParseError, match=rf"values\.parquet: the stored values are damaged: .*{said}; evaluate"):
        irviewer.evaluate(qrels, path, ["AP"])


def test_whole_numbers_are_values(tmp_path: Path) -> None:
    """As a program writes them that takes 1.0 for 1."""
    qrels, path = {query: {"a": 1} for query in "123"}, tmp_path / "values.parquet"
    irviewer.save_values(irviewer.evaluate(qrels, {"x": {query: {"a": 1.0} for query in "123"}}, ["AP"]), qrels, path)
    table = parquet.read_table(path)
    parquet.write_table(table.set_column(2, "AP", table["AP"].cast(pa.int64())), path)
    (run,) = read_runs(path, stored=True)
    assert run.stored is not None
    values = run.stored.values["AP"]
    assert (values.tolist(), values.dtype) == ([1, 1, 1], np.float64)


def test_the_file_is_a_plain_table(base: Path) -> None:
    table = parquet.read_table(base)
    assert table.column_names == ["run", "query", "nDCG@2", "AP", "RR", "Judged@10"]
    values = irviewer.evaluate(QRELS, {"base": BASE}, ["AP"]).of("AP")[1][0]
    assert np.array_equal(table["AP"].to_numpy(), values)
    about = json.loads(table.schema.metadata[KEY])
    assert about["version"] == irviewer.__version__
    assert "level=1" in about["protocol"]
    assert isinstance(table, pa.Table)


DAMAGED: list[object] = [None, 1, 2.5, "x", [], {}, [None], [1], {"base": None}, {"base": 1}, {"base": [1]}, {"a": {}}]
PYTHONS = re.compile(r"NoneType|object|unpack|attribute|expected|iterable|subscript|argument|invalid|indices|index")
"""Words of Python's own errors."""


@pytest.mark.parametrize("field", [
    "version", "created", "runs", "measures", "rules", "judgments", "qrels", "max_grade", "fields", "rows", "missing",
    "unmatched", "cautions", "shares", "nonrelevant", "lacking", "protocol",
])  # fmt: skip
def test_a_damaged_field_is_named(base: Path, field: str) -> None:
    """Or it is read as before, where it says the same: no queries are missing, for example."""
    table = parquet.read_table(base)
    about = json.loads(table.schema.metadata[KEY])
    assert field in about
    for value in DAMAGED:
        parquet.write_table(table.replace_schema_metadata({KEY: json.dumps({**about, field: value})}), base)
        try:
            irviewer.evaluate(QRELS, base, ["AP"])
        except ParseError as error:
            assert field in str(error) or field in ("runs", "rows")
            assert not PYTHONS.search(str(error))
        except OptionError as error:  # other rules, other judgments
            assert field in ("rules", "judgments", "measures")
            assert not PYTHONS.search(str(error))
    for metadata in ("", "{", "[]", "7", "null"):
        parquet.write_table(table.replace_schema_metadata({KEY: metadata}), base)
        with pytest.raises(ParseError, match=r"the field irviewer\.values is damaged"):
            irviewer.evaluate(QRELS, base, ["AP"])
    for kinds in (dict, int, str, list):
        if not isinstance(about[field], kinds):
            continue
        wrong = [] if kinds is dict else {}
        parquet.write_table(table.replace_schema_metadata({KEY: json.dumps({**about, field: wrong})}), base)
        with pytest.raises(ParseError, match=f"the field {field} is damaged"):
            irviewer.evaluate(QRELS, base, ["AP"])


@pytest.mark.parametrize("column", ["run", "query", "AP"])
def test_a_cell_without_a_value_is_refused(base: Path, column: str) -> None:
    """It was read as what lay in its memory; NaN is a value, which queries without one have."""
    table = parquet.read_table(base)
    cells = table[column].to_pylist()
    cells[3] = None
    place = table.column_names.index(column)
    parquet.write_table(table.set_column(place, column, pa.array(cells)), base)
    with pytest.raises(ParseError, match=f"the column {column} lacks"):
        irviewer.evaluate(QRELS, base, ["AP"])
    parquet.write_table(table.set_column(place, column, pa.array([True] * len(cells))), base)
    with pytest.raises(ParseError) as caught:
        irviewer.evaluate(QRELS, base, ["AP"])
    assert not PYTHONS.search(str(caught.value))
