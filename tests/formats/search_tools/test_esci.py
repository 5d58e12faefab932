"""Amazon's ESCI data: examples as qrels and queries, products as documents, each locale."""

from __future__ import annotations

from pathlib import Path

import pyarrow.csv
import pyarrow.parquet
import pytest

from irviewer.errors import ParseError
from irviewer.formats.load import Loaded, load, load_opened
from irviewer.formats.reading.opener import Opened
from irviewer.model.qrels import Qrels
from irviewer.model.texts import TextTable


def grades(loaded: Loaded) -> dict[tuple[str, str], float]:
    qrels = loaded.value
    assert isinstance(qrels, Qrels)
    borders = qrels.offsets.tolist()
    documents, values = qrels.doc_ids.to_pylist(), qrels.grades.tolist()
    return {
        (query, documents[row]): values[row]
        for query, start, stop in zip(qrels.query_ids, borders, borders[1:], strict=False)
        for row in range(start, stop)
    }


EXPECTED = {
    ("0", "B000MOO21W"): 0, ("0", "B07X3Y6B1V"): 3, ("0", "B07WDM7MQQ"): 2,
    ("1", "B000MOO21W"): 1, ("1", "B07RH6Z8KW"): 3,
}  # fmt: skip


def test_labels_are_grades_by_a_rule_that_is_shown(small: Path, tmp_path: Path) -> None:
    path = small / "mapped" / "esci_examples.csv"
    loaded = load(path)
    assert grades(loaded) == EXPECTED
    assert any("E = 3, S = 2, C = 1, I = 0" in str(note) for note in loaded.report.findings)
    assert any("the locales us 3, es 2: all are read" in str(note) for note in loaded.report.findings)
    table = pyarrow.csv.read_csv(path)
    pyarrow.parquet.write_table(table, tmp_path / "e.parquet")
    assert grades(load(tmp_path / "e.parquet")) == EXPECTED


def test_one_locale() -> None:
    path = Path(__file__).parents[2] / "data" / "mapped" / "esci_examples.csv"
    assert grades(load(path, part="es")) == {key: grade for key, grade in EXPECTED.items() if key[0] == "1"}
    with pytest.raises(ParseError, match="no locale is named 'jp'; --part is one of: us, es"):
        load(path, part="jp")


def test_queries_of_examples_are_each_read_once(small: Path) -> None:
    table = load(small / "mapped" / "esci_examples.csv", kind="queries").value
    assert isinstance(table, TextTable)
    assert table.row("1") == {"text": "guitarra roja", "locale": "es"}
    assert list(table.ids) == ["0", "1"]


def test_products_of_one_locale_are_documents(small: Path) -> None:
    path = small / "mapped" / "esci_products.csv"
    loaded = load(path)
    table = loaded.value
    assert loaded.kind == "documents"
    assert isinstance(table, TextTable)
    assert table.row("B000MOO21W")["title"] == "Fan"
    assert any("those of us are read, one of us, es" in warning for warning in loaded.report.warnings)
    other = load(path, part="es").value
    assert isinstance(other, TextTable)
    assert other.row("B000MOO21W")["title"] == "Ventilador"


def test_a_strange_label_has_its_line() -> None:
    text = "query_id,product_id,esci_label\n1,a,E\n1,b,X\n"
    with pytest.raises(ParseError, match="the label 'X' is not E, S, C or I") as caught:
        load_opened(Opened("x.csv", text.encode(), "", "utf-8"))
    assert caught.value.line == 3
    words = "query_id,product_id,esci_label\n1,a,exact\n1,b,irrelevant\n"
    assert grades(load_opened(Opened("x.csv", words.encode(), "", "utf-8"))) == {("1", "a"): 3, ("1", "b"): 0}
