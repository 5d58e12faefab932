"""Measures of documents' fields, against loops over rankings; odd ids and fields; what is not known is said."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import brute
import pandas as pd
import pyarrow as pa
import pytest
import strategies as some
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from irviewer import compare, explain, gate
from irviewer import evaluate as evaluate_given
from irviewer.analysis.explain import explain_query
from irviewer.cli import main
from irviewer.errors import MeasureError, OptionError
from irviewer.evaluation.evaluate import Joined, evaluate
from irviewer.formats.texts.corpus import load_corpus
from irviewer.formats.texts.corpus_index import CorpusIndex
from irviewer.measures.parser import parse_measure, split_measures
from irviewer.model.document_lengths import Lengths
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.texts import TextTable
from irviewer.rendering.formula import outline

Row = dict[str, Any]
FIELDS = ("price", "in stock", "seller", '10 "x" ü')
rows = st.fixed_dictionaries(
    {},
    optional={
        "price": st.one_of(st.none(), st.integers(-3, 9).map(float), st.just(math.nan)),
        "in stock": st.one_of(st.none(), st.booleans()),
        "seller": st.sampled_from(("Acme", "it's (1) @ 3", "ü", "")),
        '10 "x" ü': st.integers(0, 3),
    },
)
tables = st.dictionaries(st.sampled_from(some.DOCUMENTS), rows, min_size=1)


def known(table: dict[str, Row], document: str, name: str) -> Any:
    """A document's value of a field; None without one."""
    value = table.get(document, {}).get(name)
    return None if value is None or value == "" or (isinstance(value, float) and math.isnan(value)) else value


def lengths_of(table: dict[str, Row]) -> Lengths:
    full = dict.fromkeys(FIELDS)
    return Lengths(TextTable.from_rows([{"id": document, **full, **row} for document, row in table.items()]))


CONDITIONS: dict[str, Callable[[Callable[[str], Any]], bool]] = {
    "price > 2": lambda of: of("price") is not None and of("price") > 2,
    "price != 2": lambda of: of("price") is not None and of("price") != 2,
    "price is missing": lambda of: of("price") is None,
    '"in stock" = false and price <= 4': lambda of: of("in stock") is False and of("price") is not None
    and of("price") <= 4,
    "(seller = 'it\\'s (1) @ 3' or price < 0) and \"in stock\" is known": lambda of: (
        of("seller") == "it's (1) @ 3" or (of("price") is not None and of("price") < 0)
    ) and of("in stock") is not None,
    '"10 \\"x\\" ü" >= 2': lambda of: of('10 "x" ü') is not None and of('10 "x" ü') >= 2,
}  # fmt: skip


@given(
    some.qrels(some.whole_grades), some.runs(), tables, st.sampled_from(tuple(CONDITIONS)), st.integers(1, 5),
    st.booleans(), st.sampled_from((None, 2)),
)  # fmt: skip
def test_against_loops(
    qrels: dict[str, dict[str, float]], run: dict[str, dict[str, float]], table: dict[str, Row], where: str, k: int,
    judged_only: bool, depth: int | None,
) -> None:  # fmt: skip
    """Every statistic of the first k documents, of the list as trec_eval orders it, cut and without unjudged ones."""
    options = EvaluationOptions(judged_only=judged_only, depth=depth, lengths=lengths_of(table))
    texts = [
        f"FieldMean(field='price',where={where!r},better='lower')@{k}",
        f"FieldMin(field='price',where={where!r},better='lower')@{k}",
        f"FieldMax(field='price',where={where!r},better='higher',empty=-7)@{k}",
        f"FieldShare(where={where!r},better='lower')@{k}",
        f"FieldCount(where={where!r},better='lower')@{k}",
        f"FieldDistinct(field='seller',where={where!r},better='higher')@{k}",
        f"FieldRank(where={where!r},better='higher')@{k}",
        f"FieldMean(field='in stock',better='higher',empty=0.25)@{k}",
    ]
    result = evaluate(Qrels.from_dict(qrels), Run.from_dict(run), texts, options)
    first = result.query_ids[0]
    for text in texts:
        ledger = explain_query(Run.from_dict(run), Qrels.from_dict(qrels), text, first, options)
        assert ledger.recomputed == pytest.approx(ledger.value, nan_ok=True)
        assert ledger.value == pytest.approx(result.of(text)[1][0, 0], nan_ok=True)
    for query, judgments in qrels.items():
        ranked = brute.ranked(run.get(query, {}))[:depth]
        if judged_only:
            ranked = [document for document in ranked if judgments.get(document, -1) >= 0]
        top = ranked[:k]
        such = [document for document in top if CONDITIONS[where](partial(known, table, document))]
        prices = [price for document in such if (price := known(table, document, "price")) is not None]
        stock = [value for document in top if (value := known(table, document, "in stock")) is not None]
        expected = [
            sum(prices) / len(prices) if prices else None,
            min(prices, default=None),
            max(prices, default=-7),
            len(such) / len(top) if top else None,
            len(such),
            len({seller for document in such if (seller := known(table, document, "seller")) is not None}),
            top.index(such[0]) + 1 if such else None,
            sum(stock) / len(stock) if stock else 0.25,
        ]
        for text, value in zip(texts, expected, strict=True):
            actual = result.of(text)[1][0, result.query_ids.index(query)]
            assert math.isnan(actual) if value is None else actual == pytest.approx(value), (text, query)


TABLE: dict[str, Row] = {
    "a": {"price": 10.0, "in_stock": True, "seller": "x", "added": "2024-01-05"},
    "b": {"price": None, "in_stock": False, "seller": "y", "added": "2024-02-01"},
    "c": {"price": 4.0, "in_stock": False, "seller": "x", "added": "2023-12-31"},
}
QRELS = {"1": {"a": 1}, "2": {"zz": 1, "a": 0}}
RUN = {"1": {"a": 3.0, "b": 2.0, "c": 1.0, "zz": 0.5}, "2": {"zz": 1.0}}
OTHER = {"1": {"c": 3.0, "b": 2.0, "a": 1.0}, "2": {"a": 1.0}}
SHARE = "FieldShare(where='in_stock = false',better='lower',empty=0)@3"


def value(measure: str, table: Any = TABLE) -> float:
    return float(evaluate_given(QRELS, RUN, measure, documents=table).by_query(measure).get("1", math.nan))


def test_a_text_of_a_measure_reads_as_the_same_measure() -> None:
    written = "FieldShare( where = \"in_stock=false   and (price>3)\" , better='lower' )@3"
    measure = parse_measure(written)
    assert measure.text == "FieldShare(where='in_stock = false and price > 3',better='lower')@3"
    assert parse_measure(measure.text) == measure
    assert value("FieldCount(where='seller = \"y \"',better='lower')", {"b": {"seller": " y "}}) == 1
    assert not measure.higher_is_better
    assert parse_measure("1 - FieldShare(where='a = \"x) y\"',better='lower')@3").higher_is_better
    hostile = "FieldCount(where='\"a) (\" = \\'q @ 3\\'',better='lower')@3"
    assert split_measures([f"AP {hostile} P@5"]) == ["AP", hostile, "P@5"]


def test_a_missing_value_is_neither_equal_nor_different() -> None:
    counts = {"price != 4": 1, "price = 4": 1, "price is missing": 2, "price is known": 2, "seller != x": 1}
    for where, count in counts.items():  # b has no price, and zz is not in the table
        assert value(f"FieldCount(where={where!r},better='lower')") == count, where


@pytest.mark.filterwarnings("ignore:documents in the top")
def test_ranks_are_those_of_the_list_that_is_measured() -> None:
    """The second judged document stands at rank 4 of the run."""
    qrels, run = {"1": {"a": 1, "d": 0}}, {"1": {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}}
    table = {document: {"price": price} for document, price in zip("abcd", (1, 20, 30, 3), strict=True)}
    mean = "FieldMean(field='price',better='lower')@2"
    assert evaluate_given(qrels, run, mean, documents=table).mean(mean) == 10.5
    assert evaluate_given(qrels, run, mean, documents=table, judged_only=True).mean(mean) == 2
    longer = "FieldMean(field='price',better='lower')@3"
    assert evaluate_given(qrels, run, longer, documents=table, depth=2).mean(longer) == 10.5


def test_dates_are_compared_as_days() -> None:
    assert value("FieldCount(where='added >= 2024-01-01',better='higher')@10") == 2
    assert value("FieldRank(where='added < 2024-01-01',better='higher')") == 3


@pytest.mark.parametrize(
    ("measure", "message"),
    [
        ("FieldMean(field='nope',better='lower')@3", "no field 'nope'; they have price, in_stock, seller, added"),
        ("FieldMean(field='seller',better='lower')@3", "holds texts such as 'x'"),
        ("FieldMean(field='added',better='lower')@3", "holds dates"),
        ("FieldMean(field='price')@3", "FieldMean needs better; write it as in FieldMean"),
        ("FieldShare(better='lower')@3", "FieldShare needs where; write it as in FieldShare"),
        ("FieldCount(where='price > cheap',better='lower')", "'cheap' is none"),
        ("FieldCount(where='in_stock > false',better='lower')", "have no order"),
        ("FieldCount(where='price >',better='lower')", "it is incomplete"),
        ("FieldCount(where='not price > 3',better='lower')", "unexpected 'price'"),
    ],
)
def test_a_fault_is_said(measure: str, message: str) -> None:
    with pytest.raises(MeasureError, match=message.replace("(", r"\(")):
        value(measure)


@pytest.mark.parametrize(
    ("prices", "odd"), [(["1,5", "10", "7"], "1,5"), (["1.5", "ten", "1e3"], "ten"), (["1_000", "10", ""], "1_000")]
)
def test_a_number_written_otherwise_makes_texts_and_is_named(prices: list[str], odd: str) -> None:
    table = {document: {"price": price} for document, price in zip("abc", prices, strict=True)}
    with pytest.raises(MeasureError, match=f"holds texts such as '{odd}'"):
        value("FieldMean(field='price',better='lower')@3", table)


def test_dates_in_two_forms_are_texts() -> None:
    table = {"a": {"added": "2024-01-05"}, "b": {"added": "2024-02-30"}, "c": {"added": "05.01.2024"}}
    with pytest.raises(MeasureError, match=r"texts such as '2024-02-30', which have no order"):
        value("FieldCount(where='added > 2024-01-01',better='lower')", table)


@pytest.mark.parametrize("kind", [int, str, Decimal])
@pytest.mark.parametrize("code", [2**53, 2**64, -(2**53) - 1])
def test_codes_of_sixteen_digits_stay_different(kind: type, code: int) -> None:
    """Two sellers of 2**53 and 2**53 + 1 were one."""
    sellers = dict(zip("abc", map(kind, (code, code + 1, code)), strict=True))
    rows = {document: {"seller": seller} for document, seller in sellers.items()}
    frame = pd.DataFrame({"doc_id": list(sellers), "seller": pd.Series([*sellers.values()], dtype=object)})
    for table in (rows, frame):
        assert value("FieldDistinct(field='seller',better='higher')@10", table) == 2
        assert value(f"FieldCount(where='seller = {code}',better='higher')@10", table) == 2


def test_days_that_have_no_year_in_another_zone_are_texts() -> None:
    """The ledger and facets ended with a ValueError."""
    table = {"a": {"day": "0001-01-01T00:00+23:59"}, "b": {"day": "9999-12-31T23:59:59.999999"}}
    ledger = explain(QRELS, RUN, "FieldDistinct(field='day',better='higher')@3", query="1", documents=table)
    assert all(row["day"] in str(ledger) for row in table.values())


def test_half_of_a_character_is_refused() -> None:
    with pytest.raises(OptionError, match="A text is not Unicode"):
        value("FieldDistinct(field='day',better='higher')@3", {"a": {"day": "\ud800"}})


def test_a_data_frame_with_missing_values_and_a_file_give_the_same(tmp_path: Path) -> None:
    frame = pd.DataFrame([{"doc_id": document, **row} for document, row in TABLE.items()])
    frame.to_csv(tmp_path / "fields.csv", index=False)
    frame.to_parquet(tmp_path / "fields.parquet")
    frame.to_json(tmp_path / "fields.jsonl", orient="records", lines=True)
    mean = "FieldMean(field='price',better='lower')@10"
    sources = (TABLE, frame, *(tmp_path / f"fields.{ending}" for ending in ("csv", "parquet", "jsonl")))
    for source in sources:
        with pytest.warns(UserWarning, match="without a value of 'price': 60 %"):
            result = evaluate_given(QRELS, RUN, [mean, SHARE], documents=source)
        assert result.by_query(mean) == {"1": 7.0}
        assert result.by_query(SHARE) == {"1": pytest.approx(2 / 3), "2": 0.0}


def test_what_is_not_known_is_said_with_the_number() -> None:
    with pytest.warns(UserWarning) as warnings:
        price = "FieldMean(field='price',where='in_stock = true',better='lower',empty=0)@3"
        evaluate_given(QRELS, RUN, [SHARE, price, "FieldDistinct(field='seller',better='higher')"], documents=TABLE)
    texts = " | ".join(str(each.message) for each in warnings)
    assert "documents in the top 3 that the table of documents lacks: 25 % (1 of 4) of run run" in texts
    assert "documents returned that the table of documents lacks: 40 % (2 of 5) of run run" in texts
    assert "documents in the top 3 without a value of 'price': 50 % (2 of 4) of run run" in texts
    assert "'in_stock'" not in texts  # nobody else lacks it


def test_the_ledger_adds_up_to_the_value() -> None:
    for text in (
        "FieldMean(field='price',better='lower')@3", "FieldMin(field='price',better='lower')",
        "FieldMax(field='price',where='price < 9',better='lower')@3", SHARE,
        "FieldCount(where='seller = x',better='lower')", "FieldDistinct(field='seller',better='higher')@3",
        "FieldRank(where='in_stock = false',better='higher')",
        "FieldMean(field='price',where='price > 99',better='lower',empty=3)@3",
    ):  # fmt: skip
        ledger = explain(QRELS, RUN, text, "1", documents=TABLE)
        assert ledger.recomputed == pytest.approx(ledger.value)
        assert ledger.value == pytest.approx(value(text))
    ledger = explain(QRELS, RUN, SHARE, "1", documents=TABLE)
    assert ledger.column("field_1") == ("true", "false", "false")


def test_compared_the_declared_way_is_better() -> None:
    table = compare(QRELS, {"run": RUN, "other": OTHER}, [SHARE], baseline="run", documents=TABLE)
    assert table[SHARE].higher_is_better is False


def test_a_gate_holds_a_condition_and_does_not_depend_on_judgments() -> None:
    count = "FieldCount(where='in_stock = false',better='lower')"
    passed = gate(QRELS, RUN, OTHER, require=f"{count}@1 <= 0", documents=TABLE)
    failed = gate(QRELS, RUN, OTHER, require=f"{count}@3 <= 0", documents=TABLE)
    assert (passed.outcome.value, failed.outcome.value) == ("passed", "failed")
    assert not any("not considered" in note for note in passed.notes)
    with pytest.raises(OptionError, match="declare one with empty"):
        gate(QRELS, RUN, OTHER, require="FieldMean(field='price',better='lower')@3 < 9", documents=TABLE)


def test_at_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {
        "q.txt": "1 0 a 1\n2 0 a 0\n", "a.run": "1 Q0 a 1 3 a\n1 Q0 b 2 2 a\n2 Q0 c 1 1 a\n",
        "b.run": "1 Q0 b 1 3 b\n2 Q0 a 1 1 b\n",
        "fields.csv": "product_id,price,in_stock\na,10,true\nb,,false\nc,4,false\n",
        "gate.toml": 'documents = "fields.csv"\nqrels = "q.txt"\nbaseline = "b.run"\ncandidates = "a.run"\n'
        "require = [\"FieldCount(where='in_stock = false',better='lower')@3 <= 1\"]\n",
    }  # fmt: skip
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    q, a, b, fields = (str(tmp_path / name) for name in ("q.txt", "a.run", "b.run", "fields.csv"))
    mean = "FieldMean(field='price',better='lower')@3"
    assert main.main(["evaluate", q, a, b, "-m", mean, "--documents", fields, "--format", "csv"]) == 0
    written = capsys.readouterr()
    assert [line.split(",")[-1] for line in written.out.splitlines()[1:2]] == ["7"]
    assert "no value for 1 query (1) in run b, and so no mean; declare" in written.err
    assert main.main(["compare", q, a, b, "-m", SHARE, "--documents", fields]) == 0
    assert main.main(["gate", "--conditions", str(tmp_path / "gate.toml")]) == 0
    assert "(1 of 4) of run a" not in capsys.readouterr().out  # every document of the two runs has a value
    assert main.main(["explain", q, a, "-q", "1", "-m", mean, "--documents", fields]) == 0
    assert "10.0000" in capsys.readouterr().out
    assert main.main(["compare", q, a, b, "-m", mean]) == 2
    assert "needs the fields of documents; open a file of the documents" in capsys.readouterr().err


@pytest.mark.parametrize(
    "name", ["a$b^c", "x\\y", "_u_ %", '{"k"}', "10", "ü~#&", "a}b{c", "it's", "two\nlines", "<b>"]
)
def test_odd_names_in_every_place_of_a_measure(name: str) -> None:
    """Written, read, split from others, explained, and drawn as a formula."""
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    where = f"\"{escaped}\" = 'x y'"
    table = {"a": {name: "x y"}, "b": {name: "z"}}
    count = parse_measure(f"FieldCount(where={where!r},better='lower')@3").text
    assert split_measures([f"AP {count} P@5"]) == ["AP", count, "P@5"]
    for text in (count, f"2 - {count} / 2", f"FieldDistinct(field={name!r},better='lower')@3 + AP"):
        measure = parse_measure(text)
        assert parse_measure(measure.text) == measure
        ledger = explain({"1": {"a": 1}}, {"1": {"a": 2.0, "b": 1.0}}, measure.text, "1", documents=table)
        assert ledger.value == {count: 1.0, f"2 - {count} / 2": 1.5}.get(text, 3.0)
        outline(measure.formula, 12.0)
        outline(ledger.worked_latex, 12.0)


@pytest.mark.parametrize(("dialect", "order"), [("trec_eval", "ba"), ("textbook", ""), ("ranx", "ab")])
def test_ties_are_in_the_order_of_the_dialect(dialect: str, order: str) -> None:
    """trec_eval has the greater id first, ranx the order of the file; what it is in a dialect is what its list is."""
    run = Run.from_dict({"1": {"a": 1.0, "b": 1.0}}, name="run")
    options = EvaluationOptions(dialect=dialect, lengths=lengths_of({"a": {"price": 1.0}, "b": {"price": 2.0}}))
    qrels = Qrels.from_dict({"1": {"a": 1}})
    listed = Joined(run, qrels, options).run_under(options.rules.join_options).doc_ids.to_pylist()
    assert order in ("", "".join(listed))
    first = evaluate(qrels, run, ["FieldMean(field='price',better='lower')@1"], options).means[0, 0]
    assert first == {"a": 1.0, "b": 2.0}[listed[0]]


def test_a_corpus_on_disk_has_the_same_fields(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_text("".join(json.dumps({"id": document, **row}) + "\n" for document, row in TABLE.items()))
    loaded = load_corpus(path, kind="documents", name=None, format=None, progress=lambda _: None, index_from=0)
    assert loaded is not None
    corpus = loaded.value
    assert isinstance(corpus, CorpusIndex)
    texts = [
        "FieldMean(field='price',better='lower')@10",
        SHARE,
        "FieldCount(where='added < 2024-01-10',better='lower')",
    ]
    for text in texts:
        of_disk = evaluate(
            Qrels.from_dict(QRELS), Run.from_dict(RUN), [text], EvaluationOptions(lengths=corpus.lengths)
        ).by_query(text)
        assert of_disk["1"] == pytest.approx(value(text))
    path.write_text("{}\n")
    with pytest.raises(MeasureError, match="the fields of documents cannot be read: their file"):
        corpus.columns(("price",))


@pytest.mark.parametrize("kind", [pa.null(), pa.float64(), pa.string(), pa.bool_()])
@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("FieldMean(field='none',better='lower',empty=7)@3", 7),
        ("FieldCount(where='none > 3',better='lower')@3", 0),
        ("FieldCount(where='none = x',better='lower')@3", 0),
        ("FieldCount(where='none is missing',better='lower')@3", 2),
        ("FieldMean(field='late',better='lower')@3", 5),
    ],
)
@pytest.mark.filterwarnings("ignore:documents in the top")
def test_a_field_without_values_and_one_that_begins_late(
    measure: str, expected: float, kind: Any, tmp_path: Path
) -> None:
    """In memory the answer depended on the stored type, and on disk the fields were unknown."""
    table = pa.table({
        "doc_id": [*(f"x{n}" for n in range(1200)), "a", "b"], "text": ["t"] * 1202, "none": pa.nulls(1202, kind),
        "late": [*[None] * 1201, 5.0],
    })  # fmt: skip
    path = tmp_path / "documents.parquet"
    parquet.write_table(table, path)
    loaded = load_corpus(path, kind="documents", name=None, format=None, progress=lambda _: None, index_from=0)
    assert loaded is not None and isinstance(loaded.value, CorpusIndex)
    qrels, run = {"1": {"a": 1}}, {"1": {"a": 2.0, "b": 1.0}}
    options = EvaluationOptions(lengths=loaded.value.lengths)
    assert evaluate(Qrels.from_dict(qrels), Run.from_dict(run), [measure], options).by_query(measure) == {"1": expected}
    for source in (table, path):
        result = evaluate_given(qrels, run, measure, documents=source)
        assert result.mean(measure) == expected
