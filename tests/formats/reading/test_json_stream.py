"""Maps read in parts give what Python's own parser gives, wherever the parts are cut; what is no such map is left."""

from __future__ import annotations

import gzip
import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from irviewer.errors import ParseError
from irviewer.formats.json.json_maps import JSON
from irviewer.formats.load import load
from irviewer.formats.reading import json_stream
from irviewer.formats.reading.json_stream import MapColumns, read_maps
from irviewer.formats.reading.opener import Opened, open_bytes
from irviewer.formats.reading.sizes import SIZES
from irviewer.model.run import Run

PLAIN = "abcXYZ019-_.:/äé中"
ODD = PLAIN + ' ,{}"\\\t\u2028'


def opened(text: str | bytes, part: int = SIZES.maps) -> Opened:
    data = text if isinstance(text, bytes) else text.encode()
    return Opened("x.json", data, "", "utf-8", sizes=replace(SIZES, maps=part))


def rows_of(columns: MapColumns) -> list[tuple[str, str, float]]:
    queries = [columns.query_ids[code] for code in columns.codes.tolist()]
    return list(zip(queries, columns.doc_ids.to_pylist(), columns.values.tolist(), strict=True))


def rows_by_python(text: str) -> list[tuple[str, str, float]]:
    """Every row in file order, members that stand twice among them, by the standard library alone."""
    outer: Any = json.loads(text, object_pairs_hook=lambda pairs: pairs)
    return [(query, document, float(value)) for query, inner in outer for document, value in inner]


def random_json(seed: int, signs: str) -> str:
    """A map of random queries, some of them empty or there twice, in one of the layouts that writers use."""
    chance = random.Random(seed)

    def name() -> str:
        return "".join(chance.choices(signs, k=chance.randint(1, 12)))

    maps = {
        name(): {
            name(): chance.choice([chance.uniform(-9, 9), chance.randint(-3, 3), 1e-300, -0.0, 12345678901234567890])
            for _ in range(chance.choice([0, 1, 2, 40]))
        }
        for _ in range(chance.randint(1, 12))
    }
    layouts: list[dict[str, Any]] = [
        {}, {"separators": (",", ":")}, {"indent": 2}, {"indent": 1, "ensure_ascii": False}, {"ensure_ascii": False},
    ]  # fmt: skip
    text = json.dumps(maps, **chance.choice(layouts))
    return chance.choice(["", "\n ", " "]) + text + chance.choice(["", "\n", " \r\n"])


@pytest.mark.parametrize("part", [7, 64, 1000, 1 << 20])
@pytest.mark.parametrize("signs", [PLAIN, ODD])
def test_the_rows_are_those_of_pythons_parser(signs: str, part: int) -> None:
    read = 0
    for seed in range(60):
        text = random_json(seed, signs)
        maps = read_maps(opened(text, part))
        if maps is None:
            assert any(sign in signs for sign in ',{}"\\'), text  # a cut within a string: the careful reader's
            continue
        read += 1
        wanted = rows_by_python(text)
        assert rows_of(maps) == wanted
        assert list(maps.query_ids) == list(json.loads(text))
    assert read == 60 if signs == PLAIN else read > 5


def test_most_maps_need_no_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(json_stream, "_by_json")
    for seed in range(60):
        maps = json.loads(random_json(seed, PLAIN.replace(":", "")))
        text = json.dumps(maps, ensure_ascii=False, indent=seed % 3 or None)
        from_stream = read_maps(opened(text))
        assert from_stream is not None
        assert rows_of(from_stream) == rows_by_python(text)


@pytest.mark.parametrize(
    "text",
    [
        '{"a": {"b": 1.5}, }', '{"a": {"b": 1.5,}}', '{"a": {"b": 1.5 "c": 2}}', '{"a": {"b": 1.5},, "c": {"d": 1}}',
        '{"a": {"b": 1,5}}', '{"a": {"b": 01.5}}', '{"a": {"b": +1}}', '{"a": {"b": .5}}', '{"a": {"b": 1.}}',
        '{"a": {"b": 1e400}', '{"a": {"b": 0x1}}', '{"a": {"b": --1}}', '{"a": {"b": nan}}', '{"a": {"b": inf}}',
        '{"a": {"b": 1.5}} {', '{"a": {"b": 1.5}}}', '{"a": {{"b": 1.5}}', '{"a" {"b": 1.5}}', '{"a": "b": 1.5}}',
        '{"a": {"b": }}', '{"a": {"b"}}', '{"a": {"b": 1 5}}', '{"a": {"b": 1.5}', '{"a": {"b: 1.5}}', '["a"]', "1",
        '{"a": {"b\x01": 1.5}}', '{"a": {"b": 1.5}, "c": 1}', '{"a": {"b": [1]}}', '{"a": {"b": true}}', '{{}}',
        '{"a": {"b\n": 1.5}}', '{"a": {,"b": 1}}', '{"a": {}{}}', '{"a": {} "c": {}}', '{"": {"b": 1}, "c": {"": 2}}',
        '{"a": {"b": 1.5}, "c": {},}', "{", "{}}", '{"a": {"b": 1}; "c": {"d": 2}}', '{"a": {"b": -}}',
        '{"a": {"b":1}]', '{"a": {"b": "1.5"}}',
    ],
)  # fmt: skip
@pytest.mark.parametrize("part", [5, 1 << 20])
def test_what_is_no_map_of_numbers_is_left_to_the_careful_reader(text: str, part: int) -> None:
    assert read_maps(opened(text, part)) is None


def test_broken_bytes_are_left_to_the_careful_reader() -> None:
    assert read_maps(opened(b'{"a": {"\xff": 1.5}}')) is None
    assert read_maps(opened('{"a": {"\\ud800": 1.5}}')) is None
    assert read_maps(opened('{"\\ud800": {"a": 1.5}}')) is None


def large_map() -> dict[str, dict[str, float]]:
    chance = random.Random(3)
    return {f"q{query}": {f"d{chance.randrange(10**9)}é": chance.random() for _ in range(900)} for query in range(70)}


@pytest.mark.parametrize("packed", [False, True])
def test_a_large_file_is_never_read_as_a_whole(tmp_path: Path, packed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = large_map()
    data = json.dumps(wanted, ensure_ascii=False).encode()
    assert len(data) > SIZES.large
    path = tmp_path / ("big.json.gz" if packed else "big.json")
    path.write_bytes(gzip.compress(data, 0) if packed else data)
    monkeypatch.setattr("irviewer.formats.reading.opener._read_whole", None)
    loaded = load(path, cached="no")
    run = loaded.value
    assert isinstance(run, Run)
    assert {query: set(documents) for query, documents in wanted.items()} == {q: set(run.ranking(q)) for q in wanted}
    for query in ("q0", "q69"):
        best = sorted(wanted[query].items(), key=lambda item: -item[1])
        assert run.ranking(query) == [document for document, _ in best]
        assert run.ranking_scores(query).tolist() == [score for _, score in best]
    assert "utf-8" in dict(loaded.report.facts)["file"]


def test_a_fault_deep_in_a_large_file_has_its_place(tmp_path: Path) -> None:
    text = json.dumps(large_map(), indent=0)
    path = tmp_path / "big.json"
    path.write_text(text[:-9] + "x" + text[-9:])
    with pytest.raises(ParseError, match="not valid JSON") as caught:
        load(path, cached="no")
    assert caught.value.line == text[:-9].count("\n") + 1


def test_large_judgments_are_distinguished_from_scores_by_their_last_number(tmp_path: Path) -> None:
    grades = {f"q{query}": {f"document-{number}": number % 3 for number in range(1000)} for query in range(80)}
    path = tmp_path / "big.json"
    path.write_text(json.dumps(grades))
    assert not open_bytes(path).in_memory
    assert JSON.name == "json"
    assert load(path).kind == "qrels"
    grades["q79"]["document-999"] = 0.5  # type: ignore[assignment]
    path.write_text(json.dumps(grades))
    assert load(path).kind == "run"
