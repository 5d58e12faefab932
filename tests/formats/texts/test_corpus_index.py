"""A corpus on disk reads as the same file in memory does; its index is kept, made anew, never half made."""

from __future__ import annotations

import gzip
import io
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pytest
from counting import CountedFile
from hypothesis import given
from hypothesis import strategies as st

from irviewer.errors import ParseError
from irviewer.formats.load import load
from irviewer.formats.reading.cache_folder import cache_folder, trim
from irviewer.formats.texts import corpus, corpus_building
from irviewer.formats.texts.corpus_index import BROKEN, CorpusIndex
from irviewer.model.texts import TextTable


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of the test's own, and every file of texts counts as large."""
    monkeypatch.setenv("IRVIEWER_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(corpus, "INDEX_FROM", 1)
    return tmp_path / "cache" / "corpora"


def indexed(path: Path, **choices: object) -> CorpusIndex:
    value = load(path, **choices).value  # type: ignore[arg-type]
    assert isinstance(value, CorpusIndex)
    return value


def in_memory(path: Path) -> TextTable:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(corpus, "INDEX_FROM", 2**60)
        value = load(path, kind="documents").value
    assert isinstance(value, TextTable)
    assert not isinstance(value, CorpusIndex)
    return value


def assert_alike(path: Path) -> CorpusIndex:
    """Everything that a TextTable is asked for, compared with one that was read whole."""
    indexed_corpus, whole = indexed(path, kind="documents"), in_memory(path)
    assert len(indexed_corpus) == len(whole)
    assert list(indexed_corpus.ids) == list(whole.ids)
    assert indexed_corpus.ids[:3] == whole.ids[:3]
    assert set(indexed_corpus.attributes) == set(whole.attributes)
    for place, doc_id in enumerate(whole.ids):
        assert doc_id in indexed_corpus.index
        assert indexed_corpus.body(doc_id) == whole.body(doc_id)
        assert doc_id in indexed_corpus.ids
        assert indexed_corpus.index[doc_id] == place == whole.index[doc_id]
        assert indexed_corpus.ids[place] == doc_id
        assert {k: str(v) for k, v in indexed_corpus.row(doc_id).items()} == {
            k: str(v) for k, v in whole.row(doc_id).items()
        }
        assert indexed_corpus.title(doc_id) == whole.title(doc_id)
        assert indexed_corpus.text(doc_id) == whole.text(doc_id)
    for doc_id in ("no such id", ""):
        assert (doc_id in indexed_corpus.index) == (doc_id in whole.index)
        assert indexed_corpus.row(doc_id) == whole.row(doc_id)
        assert (indexed_corpus.title(doc_id), indexed_corpus.text(doc_id)) == (whole.title(doc_id), whole.text(doc_id))
        assert indexed_corpus.index.get(doc_id) == whole.index.get(doc_id)
    asked = [*list(whole.ids)[::2], "no such id", "nor this one"]
    assert indexed_corpus.shared_with(asked) == whole.shared_with(asked) == len(set(whole.ids[::2]))
    return indexed_corpus


JSON_LINES = (
    {"_id": "d1", "title": "One", "text": "first\twords"},
    {"_id": "d 2", "title": "", "text": "two\nlines", "metadata": {"url": "http://x"}},
    {"_id": 'quoted "3"', "title": None, "text": "é ü 漢"},
    {"title": "id comes last", "text": "x", "_id": "é4"},
    {"_id": 5, "title": "number", "tags": ["a", "b"]},
)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_json_lines(tmp_path: Path, end: str, mark: bytes) -> None:
    path = tmp_path / "corpus.jsonl"
    lines = [json.dumps(record, ensure_ascii=bool(place % 2)) for place, record in enumerate(JSON_LINES)]
    path.write_bytes(mark + (end.join([*lines[:2], "", "  ", *lines[2:]]) + end).encode())
    assert_alike(path)


@pytest.mark.parametrize(
    "text",
    [
        "d1\tfirst text\nd2\tsecond\ttab\n\n# comment\nd3\tthird",
        "d1\tone\ttext one\nd2\ttwo\ttext two\textra\n",
        "docno\turl\ttitle\nd1\thttp://x\tOne\nd2\thttp://y\tTwo\n",
        " d1 \t padded \nd2\t \n",
    ],
)
def test_tsv(tmp_path: Path, text: str) -> None:
    path = tmp_path / "docs.tsv"
    path.write_text(text, encoding="utf-8")
    assert_alike(path)
    path.write_bytes(text.replace("\n", "\r\n").encode())
    assert_alike(path)


@pytest.mark.parametrize(
    "text", ["dé1\tZürich\nd2\tplain\n", '{"id": "dé1", "text": "Zürich"}\n{"id": "2", "text": ""}\n']
)
def test_bytes_that_are_no_utf_8_are_latin_1(tmp_path: Path, text: str) -> None:
    path = tmp_path / "docs.txt"
    path.write_bytes(text.encode("latin-1"))
    assert assert_alike(path).text("dé1") == "Zürich"
    assert any("Latin-1" in warning for warning in load(path, kind="documents").report.warnings)


BREAKS = ("Cc", "Zl", "Zp", "Cs")
texts = st.text(st.characters(exclude_categories=BREAKS), max_size=20)  # type: ignore[arg-type]
ids = st.text(st.characters(exclude_categories=(*BREAKS, "Zs")), min_size=1)  # type: ignore[arg-type]


@given(st.dictionaries(ids, st.tuples(texts, texts), min_size=1, max_size=12), st.booleans())
def test_any_corpus(
    tmp_path_factory: pytest.TempPathFactory, documents: dict[str, tuple[str, str]], sign: bool
) -> None:
    path = tmp_path_factory.mktemp("any") / "corpus.jsonl"
    rows = [{"id": doc_id, "title": title, "text": text} for doc_id, (title, text) in documents.items()]
    path.write_text("".join(json.dumps(row, ensure_ascii=sign) + "\n" for row in rows), encoding="utf-8")
    assert_alike(path)


def test_the_index_is_kept_and_made_anew_when_the_file_changes(tmp_path: Path, cache: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_text('{"id": "a", "text": "x"}\n', encoding="utf-8")
    calls: list[float] = []
    indexed(path, progress=calls.append)
    assert calls[-1] == 1.0
    before = sorted(cache.iterdir())
    assert len(before) == 1
    calls.clear()
    assert indexed(path, progress=calls.append).text("a") == "x"
    assert not calls  # nothing was made
    path.write_text('{"id": "b", "text": "yy"}\n', encoding="utf-8")
    assert list(indexed(path).ids) == ["b"]
    after = sorted(cache.iterdir())
    assert len(after) == 1
    assert after != before


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[: len(data) // 2],
        lambda data: data[:-1],
        lambda data: data + b"x",
        lambda data: b"x" * len(data),
        lambda data: data[8:],
        lambda data: data[:-16] + b"\xff" * 8 + data[-8:],
        lambda data: data.replace(b'"count": 2', b'"count": 3'),
    ],
)
def test_a_damaged_index_is_made_anew(tmp_path: Path, cache: Path, damage: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_text('{"id": "a", "text": "x"}\n{"id": "b", "text": "y"}\n', encoding="utf-8")
    indexed(path)
    (kept,) = cache.iterdir()
    whole = kept.read_bytes()
    kept.write_bytes(damage(whole))
    assert indexed(path).text("b") == "y"
    assert kept.read_bytes() == whole


def test_a_cancelled_index_leaves_nothing(tmp_path: Path, cache: Path) -> None:
    path = tmp_path / "corpus.tsv"
    path.write_text("".join(f"d{n}\ttext {n}\n" for n in range(70_000)), encoding="utf-8")
    calls: list[float] = []

    class Stop(Exception):  # noqa: N818 - no error: the person asked for it
        pass

    def stop(share: float) -> None:
        calls.append(share)
        raise Stop

    with pytest.raises(Stop):
        load(path, kind="documents", progress=stop)
    assert 0 < calls[0] < 1
    assert not list(cache.iterdir())


def test_cancelled_while_sorting(tmp_path: Path, cache: Path) -> None:
    """Sorting is done in parts: who cancels then does not wait for all of them, and nothing is kept."""
    path = tmp_path / "corpus.jsonl"
    path.write_text("".join(f'{{"id": "d{n}", "text": "x"}}\n' for n in range(500)), encoding="utf-8")
    shares: list[float] = []

    class Stop(Exception):  # noqa: N818 - no error: the person asked for it
        pass

    def stop(share: float) -> None:
        shares.append(share)
        if share > 0.95:
            raise Stop

    with pytest.raises(Stop):
        load(path, kind="documents", progress=stop)
    assert len(shares) > 10
    assert shares == sorted(shares)
    assert shares[-1] < 1
    assert not list(cache.iterdir())


def test_digests_are_in_order_whatever_the_parts(tmp_path: Path) -> None:
    """Every document is found, and doubles are counted, across all parts that are sorted apart."""
    path = tmp_path / "corpus.jsonl"
    ids = [f"d{n % 4500}" for n in range(5000)]
    path.write_text("".join(f'{{"id": "{doc_id}", "text": "{n}"}}\n' for n, doc_id in enumerate(ids)), encoding="utf-8")
    loaded = load(path, kind="documents")
    index = loaded.value
    assert isinstance(index, CorpusIndex)
    assert index.lines is not None
    digests = index.lines.digests.tolist()
    assert digests == sorted(digests)
    assert sorted(index.lines.order.tolist()) == list(range(5000))
    assert [index.text(f"d{n}") for n in range(4500)] == [str(n) for n in range(4500)]
    assert any("500 ids are repeated" in str(finding) for finding in loaded.report.findings)


def test_a_line_without_an_id_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_text('{"id": "a", "text": "x"}\n' * 1500 + '{"text": "y"}\n', encoding="utf-8")
    with pytest.raises(ParseError, match="no id") as caught:
        load(path)
    assert caught.value.line == 1501
    assert caught.value.path == str(path)


def test_ids_that_are_listed_twice_are_reported_and_the_first_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_text('{"id": "a", "text": "x"}\n{"id": "b", "text": "y"}\n{"id": "a", "text": "z"}\n', encoding="utf-8")
    loaded = load(path, kind="documents")
    assert isinstance(loaded.value, CorpusIndex)
    assert loaded.value.text("a") == "x"
    assert any("1 id is repeated" in warning for warning in loaded.report.warnings)


def test_brackets_without_end_are_a_fault_of_their_line(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    deep = '{"text": ' + "[" * 100_000 + "\n"
    path.write_text('{"id": "a", "text": "x"}\n' * 1500 + deep, encoding="utf-8")
    with pytest.raises(ParseError) as caught:
        load(path)
    assert caught.value.line == 1501
    path.write_text(deep * 2, encoding="utf-8")
    with pytest.raises(ParseError):
        load(path, kind="documents", format="jsonl")


def test_a_line_that_broke_later_is_no_document(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_text('{"id": "a", "text": "x"}\n{"id": "b", "text": "y"}\n', encoding="utf-8")
    indexed_corpus = indexed(path)
    path.write_text('{"id": "c", "text": "x"}\n{"id": "b", \n', encoding="utf-8")
    assert indexed_corpus.row("a") == {}
    assert indexed_corpus.text("b") == ""
    assert indexed_corpus.ids[1] == ""
    assert BROKEN in next(row for row in indexed_corpus.lines.rows() if not row["id"])  # type: ignore[union-attr]
    path.unlink()
    assert indexed_corpus.title("a") == ""


def test_what_is_no_corpus_is_read_as_ever(tmp_path: Path) -> None:
    run = tmp_path / "x.run"
    run.write_text("1 Q0 a 1 2.5 x\n1 Q0 b 2 1.5 x\n", encoding="utf-8")
    assert load(run).kind == "run"
    array = tmp_path / "docs.json"
    array.write_text('[{"id": "a",\n "text": "x"}]\n', encoding="utf-8")
    assert not isinstance(load(array).value, CorpusIndex)
    queries = tmp_path / "q.tsv"
    queries.write_text("1\theat\n2\tflow\n", encoding="utf-8")
    assert not isinstance(load(queries, kind="queries").value, CorpusIndex)
    wide = tmp_path / "wide.tsv"
    wide.write_bytes("1\theat\n2\tflow\n".encode("utf-16"))
    assert not isinstance(load(wide).value, CorpusIndex)


# --- compressed ---


def compressed(tmp_path: Path, lines: int = 50) -> Path:
    path = tmp_path / "corpus.jsonl.gz"
    text = "".join(f'{{"id": "d{n}", "title": "t{n}", "text": "text of {n}"}}\n' for n in range(lines))
    path.write_bytes(gzip.compress(text.encode()))
    return path


def test_a_compressed_corpus_is_decompressed_once(tmp_path: Path, cache: Path) -> None:
    path = compressed(tmp_path)
    calls: list[float] = []
    assert indexed(path, progress=calls.append).text("d7") == "text of 7"
    assert calls == sorted(calls)
    assert sorted(file.suffix for file in cache.iterdir()) == [".index", ".text"]
    calls.clear()
    assert indexed(path, progress=calls.append).text("d49") == "text of 49"
    assert not calls
    report = load(path).report
    assert ("file", "gzip, utf-8") in report.facts
    assert any("decompressed into the cache" in value for _, value in report.facts)
    assert report.path == str(path)


def test_a_small_one_is_read_whole(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = compressed(tmp_path)
    monkeypatch.setattr(corpus, "INDEX_FROM", 4 * path.stat().st_size - 4)
    assert load(path).kind == "documents" or load(path).ambiguous
    assert not isinstance(load(path).value, CorpusIndex) or list(cache.iterdir())


def test_room_has_a_limit(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IRVIEWER_CACHE_LIMIT", "100")
    with pytest.raises(ParseError, match="that the cache folder may use"):
        load(compressed(tmp_path))
    assert not list(cache.iterdir())


def test_a_broken_stream_is_reported(tmp_path: Path, cache: Path) -> None:
    path = compressed(tmp_path, 200_000)
    path.write_bytes(path.read_bytes()[:-2000])
    with pytest.raises(ParseError, match="gzip data is damaged"):
        load(path)
    assert not list(cache.iterdir())


def test_where_nothing_can_be_kept_it_lives_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    monkeypatch.setenv("IRVIEWER_CACHE_DIR", str(tmp_path / "file"))
    path = tmp_path / "corpus.tsv"
    path.write_text("a\tx\nb\ty\n", encoding="utf-8")
    assert assert_alike(path).text("b") == "y"
    assert not isinstance(load(compressed(tmp_path)).value, CorpusIndex)


def test_the_oldest_go_first_where_room_is_needed(tmp_path: Path) -> None:
    for age, name in enumerate("abc"):
        (tmp_path / name).write_bytes(b"x" * 10)
        os.utime(tmp_path / name, (1000 - age, 1000 - age))
    trim(tmp_path, 15, {tmp_path / "c"})
    assert [file.name for file in tmp_path.iterdir()] == ["c"]


def test_the_cache_folder_is_the_users_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("IRVIEWER_CACHE_DIR")
    assert cache_folder("corpora").parts[-2:] == ("irviewer", "corpora")


def test_a_document_is_read_without_the_others(tmp_path: Path) -> None:
    """One look into the file and what one look brings. The benchmark of a million documents measures."""
    chance = random.Random(3)
    path = tmp_path / "corpus.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for number in range(20_000):
            file.write(f'{{"_id": "doc{number}", "title": "title {number}", "text": "{"word " * 20}"}}\n')
    indexed_corpus = indexed(path)
    assert indexed_corpus.lines is not None
    counts = CountedFile(path)
    indexed_corpus.lines.source = counts  # type: ignore[assignment]
    for asked in range(1, 201):
        doc_id = f"doc{chance.randrange(20_000)}"
        assert indexed_corpus.title(doc_id) == f"title {doc_id[3:]}"
        assert counts.opened <= asked
        assert counts.read <= asked * 8192
    assert counts.opened > 190  # it was this file that was read


REWRITTEN = """
import sys
from pathlib import Path
import pyarrow as pa
from irviewer.errors import ParseError
from irviewer.formats.load import load
from irviewer.formats.texts import corpus
corpus.INDEX_FROM = 1
path, rest = Path(sys.argv[1]), sys.argv[2]
texts = pa.table({"doc_id": [f"d{n}" for n in range(40_000)], "text": ["a text of some words " * 9] * 40_000})
with pa.ipc.new_file(str(path), texts.schema) as writer:
    writer.write_table(texts, max_chunksize=1000)
whole, calls = path.read_bytes(), []
def progress(share):
    calls.append(share)
    if len(calls) == 3:
        path.write_bytes(whole[: len(whole) // 3] if rest == "cut" else bytes(len(whole)) if rest == "empty" else whole)
try:
    load(path, kind="documents", progress=progress)
except ParseError as error:
    print(error)
print(len(calls))
"""


@pytest.mark.parametrize("rest", ["cut", "empty", "same"])
def test_an_arrow_file_that_is_written_anew_while_it_is_read(tmp_path: Path, rest: str) -> None:
    command = [sys.executable, "-c", REWRITTEN, str(tmp_path / "corpus.arrow"), rest]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, "a mapped file that gets shorter ends the process"
    assert done.stdout.splitlines()[0].endswith("the file changed while it was read; open it again")
    assert int(done.stdout.splitlines()[1]) > 2
    assert not [file for file in (tmp_path / "cache").rglob("*") if file.is_file()]


def test_a_file_that_changed_under_it_is_known_to_have(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_text('{"id": "a", "text": "one"}\n{"id": "b", "text": "two"}\n')
    indexed_corpus = indexed(path, kind="documents")
    assert indexed_corpus.text("a") == "one"
    assert indexed_corpus.lost == ""
    path.write_text('{"id": "x", "text": "something else altogether"}\n{"id": "y", "text": "two"}\n')
    assert indexed_corpus.lost == "changed"
    assert (indexed_corpus.text("a"), indexed_corpus.row("b")) == ("one", {})
    assert indexed(path, kind="documents").lost == ""
    path.unlink()
    assert indexed_corpus.lost == "is no longer on disk"
    assert in_memory_table().lost == ""


@pytest.mark.parametrize("end", [1, 14, 20, 25, 27])
def test_of_a_file_that_was_cut_no_half_is_shown(tmp_path: Path, end: int) -> None:
    path = tmp_path / "corpus.tsv"
    path.write_text("a\tone two\nb\tthree four five\n")
    indexed_corpus = indexed(path, kind="documents")
    before = path.stat()
    with path.open("r+") as file:
        file.truncate(end)
    assert indexed_corpus.lost == "was cut short"
    assert [(indexed_corpus.text(doc_id), indexed_corpus.row(doc_id)) for doc_id in "ab"] == [("", {}), ("", {})]
    path.write_text("a\tone two\nb\tthree four five\n")  # put back as it was: it is read again
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert indexed_corpus.lost == ""
    assert [indexed_corpus.text(doc_id) for doc_id in "ab"] == ["one two", "three four five"]


def in_memory_table() -> TextTable:
    return TextTable.from_rows([{"id": "a", "text": "one"}])


@pytest.mark.parametrize(("block", "bits"), [(1, 1), (3, 8), (corpus_building.BLOCK, corpus_building.SORTED_BITS)])
def test_an_index_is_the_same_in_parts_of_any_size(tmp_path: Path, block: int, bits: int) -> None:
    """Against a dictionary: ids of unequal length, one the beginning of another, not only ASCII, some twice."""
    dice = random.Random(bits)
    for number in range(20):
        ids = ["".join(dice.choices("ab0é文", k=dice.randint(1, 6))) for _ in range(dice.randint(1, 90))]
        path = tmp_path / f"{number}.jsonl"
        lines = [json.dumps({"id": doc_id, "text": str(place)}, ensure_ascii=False) for place, doc_id in enumerate(ids)]
        path.write_text("\n".join(dice.choice(("", "\n")) + line for line in lines), "utf-8")
        shape = corpus_building.shape_of(path, "jsonl")
        assert shape is not None
        sink = io.BytesIO()
        corpus_building.build(path, shape, sink, {"shape": asdict(shape)}, lambda share: None, block=block, bits=bits)
        index_and_repeats = corpus_building._opened(sink.getbuffer(), {}, path)
        assert index_and_repeats is not None
        index, twice = index_and_repeats
        assert [row["id"] for row in index.rows()] == ids
        assert twice == len(ids) - len(set(ids))
        first = {doc_id: place for place, doc_id in reversed(list(enumerate(ids)))}
        assert {doc_id: index.place(doc_id) for doc_id in ids} == first
        assert not any(index.holds(doc_id + "x") for doc_id in ids)
