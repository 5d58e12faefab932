"""Files of every kind that the program reads, damaged; what its readers make of each, in what time and memory.

The answer to any file is a value or one of the program's own errors, in one printable line; it comes within ``LONGEST``
seconds of processor time and takes less than ``MOST`` megabytes. ``python tests/helpers/mutated.py 10000`` reads so
many and prints a table; the tests read fewer."""

from __future__ import annotations

import argparse
import bz2
import gzip
import json
import lzma
import random
import re
import resource
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

import numpy as np
import pyarrow as pa
from odd_names import LONG_ID, UNSEEN
from pyarrow import parquet

from irviewer.errors import JOINING, IrviewerError, OptionError, ParseError
from irviewer.formats.choice import choose
from irviewer.formats.format import Head
from irviewer.formats.judgment_patch import patch_text, read_patch
from irviewer.formats.load import load
from irviewer.formats.query_numbering import map_bytes, read_map
from irviewer.formats.query_sets import read_query_sets, read_query_weights
from irviewer.formats.reading.derived_run import kept_name, read_kept, write_kept
from irviewer.formats.reading.opener import open_bytes
from irviewer.formats.registry import FORMATS, format_named
from irviewer.formats.texts import corpus
from irviewer.formats.texts.corpus_index import CorpusIndex
from irviewer.formats.trec.zscores import read_zscores
from irviewer.model.column_names import ColumnChoice
from irviewer.model.judgments.overlay import Judgment, PatchRow
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.texts import TextTable
from irviewer.session.messages import Level
from irviewer.session.session import Session
from irviewer.session.settings import SETTINGS, Settings

DATA = Path(__file__).resolve().parent.parent / "data"
LONGEST = 10.0
"""Seconds of processor time within which a reader answers. What others do on the machine does not count."""
MOST = 1024
"""Megabytes that reading one file may take."""
HEAD = 3000
"""So many bytes of a real file are damaged."""

PATCH = [PatchRow(Judgment("1", f"doc{d}", d % 3 or None, "me", "2020-02-02", 'a "note"'), d % 2) for d in range(6)]
QRELS = Qrels.from_dict({str(q): {f"doc{d}": d % 3 for d in range(6)} for q in (1, 2, 30)})
RUN = Run.from_dict({str(q): {f"doc{d}": 9 - d / 7 for d in range(6)} for q in (1, 2, 30)})
TEXTS = TextTable.from_rows([{"id": f"d{n}", "title": f"title {n}", "text": f"text of {n}, ü"} for n in range(5)])
ODD_RUN = Run.from_dict({query: {d: 9 - n / 7 for n, d in enumerate((*UNSEEN, LONG_ID))} for query in UNSEEN})
ODD_QRELS = Qrels.from_dict({query: {d: n % 3 for n, d in enumerate((*UNSEEN, LONG_ID))} for query in UNSEEN})
ODD_TEXTS = TextTable.from_rows([{"id": d, "title": d, "text": f"{d} {d}"} for d in (*UNSEEN, LONG_ID)])
LABELS = Qrels.from_dict({"1": {"28": 1, "35": 1, "51": 0}})
SETS = (
    b"query\tset\n1\thard\n2\teasy\n30\thard\n",
    b'query_id,text,lang,hits\n1,"flow, heat",en,3\n2,plain,de,4\n3,x,en,9\n4,y,de,1\n',
    b"# remark\n7\n12\n30\n",
)
WEIGHTS = (b"query\tweight\n1\t20\n2\t.5\n", b"qid,clicks,weight\n1,5,2.5\n2,6,3\n", b"1 2\n2 0.25\n")
JUNK = (
    b"", b"\0", b"\xff", b"\xfe\xff", b"\xef\xbb\xbf", b" ", b"\t", b"\n", b"\r", b"#", b'"', b",", b";", b"nan",
    b"NaN", b"Infinity", b"1e999", b"-", b"9" * 400, b"{", b"[", b"]", b"}", b":", b"null", b"true", b'""', b"\\u0000",
    b"\\ud800", b"[" * 2000, b"\xe2\x80\xa8", b"\x1f\x8b", b"PAR1", b"\x1b[31m", b"qid:", b"TY  - ", b"ER  - ", b"L9",
    b"<top>", b"</DOC>", b"<SYSDESC>", b".I 1\n", b".W\n", b"/\n", b"-1\n", b"*TEXT 1\n", b"99999999999999999999",
    b"-1e-400", b"0x10", b"\xc2\x85", b"\xe2\x80\xae", b"9" * 5000, b"{" * 60_000, b"a" * 70_000, b"\n" * 30_000,
    b"<!--" * 10_000, b" " * 50_000, b"\t" * 40_000, b"\\" * 40_000, b'"' * 30_000, b"<a>" * 15_000, b"&" * 30_000,
    *(text.encode("utf-8", "surrogatepass") for text in UNSEEN), b"y" * 15_000, b"\xf3\xa0\x81\x81" * 9000,
    b"<![CDATA[" * 5000, b"a=" * 20_000, b"\nab" * 20_000, b"\nTI  - a" * 5000, b"1 " * 30_000, b"{}," * 20_000,
)  # fmt: skip


def _parquet(columns: dict[str, list[object]]) -> bytes:
    sink = pa.BufferOutputStream()
    parquet.write_table(pa.table(columns), sink)
    data: bytes = sink.getvalue().to_pybytes()
    return data


BY_PATHS: dict[str, tuple[dict[str, str], bytes]] = {
    "answer-paths": (
        {"query": "id", "answer": "output.text", "references": "output.sources[].id"},
        b'{"id": "1", "output": {"text": "One [1]. Two.", "sources": [{"id": "d1"}]}}\n'
        b'{"id": 2, "output": {"text": ""}}\n',
    ),
    "answer-columns": (
        {"query": "id", "answer": "output", "references": "docs"},
        b'id,output,docs\n1,"One [1]. Two, [2].",d1;d2\n2,x,\n',
    ),
    "answer-columns-arrow": (
        {"query": "id", "answer": "output", "references": "docs"},
        _parquet({"id": ["1", "2"], "output": ["One [1]. Two, [2].", "x"], "docs": [["d1", "d2"], []]}),
    ),
}
"""Formats that only a mapping by paths makes of a file: the mapping, and a file."""
MOMENT = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def _framed(name: str) -> Callable[[bytes], bytes]:
    def packed(data: bytes) -> bytes:
        sink = pa.BufferOutputStream()
        with pa.CompressedOutputStream(sink, name) as stream:
            stream.write(data)
        return bytes(sink.getvalue())

    return packed


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gz": lambda data: gzip.compress(data, 1), "bz2": lambda data: bz2.compress(data, 1),
    "xz": lambda data: lzma.compress(data, preset=0), "zst": _framed("zstd"), "lz4": _framed("lz4"),
}  # fmt: skip


# --- damage ---


def damaged(data: bytes, rng: random.Random) -> bytes:
    """A few cuts, doublings, insertions and replacements; now and then larger ones."""
    for _ in range(rng.randint(1, 4)):
        place, length = rng.randrange(len(data) + 1), rng.randint(0, 40)
        kind = rng.randrange(61)
        if kind < 11:
            data = data[:place] + rng.choice(JUNK) + data[place:]
        elif kind < 22:
            data = data[:place] + data[place + length :]
        elif kind < 33:
            data = data[:place] + data[place : place + length] * 2 + data[place + length :]
        elif kind < 44:
            data = data[:place] + rng.randbytes(rng.randint(1, 6)) + data[place:]
        elif kind < 55:
            data = data.replace(rng.choice((b" ", b"\n", b"1", b".", b'"', b",")), rng.choice(JUNK), rng.randint(1, 5))
        elif kind == 55:
            data = data[:place]
        elif kind == 56:
            data = data[:place] + data[place : place + length] * 2000 + data[place + length :]
        elif kind == 57:
            data = data[place:] + data[:place]
        elif kind == 58 and data:
            data = bytes(byte ^ (1 << rng.randrange(8)) if rng.random() < 0.01 else byte for byte in data)
        elif kind == 59 and data.count(b":"):
            place = rng.choice([match.end() for match in re.finditer(rb":", data)][:500])
            data = data[:place] + rng.choice((b"[" * 100_000, b'{"a":' * 50_000, b"9" * 5000)) + data[place:]
        else:
            data = rng.choice((b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\0\0", b"")) + data
    return data


def inside(data: bytes, rng: random.Random) -> bytes:
    """Damaged within the lz4 frame, which tells of every fault by its checksum; now and then the frame itself."""
    if rng.random() < 0.1:
        return damaged(data, rng)
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "lz4") as stream:
        stream.write(damaged(pa.CompressedInputStream(pa.BufferReader(data), "lz4").read(), rng))
    return bytes(sink.getvalue())


def packed(data: bytes, rng: random.Random) -> bytes:
    """Compressed in some way, damaged before, after, or not at all."""
    if rng.random() < 0.7:
        data = damaged(data, rng)
    for _ in range(1 if rng.random() < 0.9 else 2):
        data = PACKERS[rng.choice(list(PACKERS))](data)
    return damaged(data, rng) if rng.random() < 0.4 else data


# --- what is damaged ---


def sources(small: Path = DATA) -> Iterator[tuple[str, bytes]]:
    """Small files, and what the writers make of a run, of qrels and of texts."""
    for folder in ("formats", "mapped", "collections", "trec_eval"):
        for path in sorted((small / folder).iterdir()):
            if not path.name.startswith(("README", "out.")):
                yield path.name, path.read_bytes()[: 20 * HEAD]
    yield "patch", patch_text(PATCH).encode()
    for file_format in FORMATS:
        for value, kind in ((RUN, "run"), (QRELS, "qrels"), (TEXTS, "documents")):
            if file_format.writes(kind) and file_format.write is not None:
                with suppress(IrviewerError):  # many cannot hold such ids
                    odd = {"run": ODD_RUN, "qrels": ODD_QRELS, "documents": ODD_TEXTS}[kind]
                    yield f"{file_format.name} odd {kind}", MOMENT.sub(b"2020-02-02T02:02:02Z", file_format.write(odd))
                # Some say when they were written: the same at every run, or every run would damage other files.
                try:
                    data = file_format.write(value)
                except OptionError:
                    try:  # no grades, ids that are numbers, one query: what such files can say
                        data = file_format.write(LABELS)
                    except OptionError:  # of answers, of which there are small files
                        continue
                yield f"{file_format.name} {kind}", MOMENT.sub(b"2020-02-02T02:02:02Z", data)


def seeds(folder: Path) -> dict[str, list[bytes]]:
    """Format -> the files that are of that format."""
    seeds_by_format: dict[str, list[bytes]] = {file_format.name: [] for file_format in FORMATS}
    for name, data in sources():
        path = folder / name.replace(" ", "_")
        path.write_bytes(data)
        with suppress(ParseError):
            seeds_by_format[choose(Head(open_bytes(path)))[0].name].append(data)
    for name, (_, data) in BY_PATHS.items():
        seeds_by_format[name].append(data)
    # Some formats are never told from content, only said by a person: what they can read is theirs.
    path = folder / "seed"
    for name, own in seeds_by_format.items():
        if not own:
            for _, data in sources():
                path.write_bytes(data)
                if any(_loads(path, kind, name) for kind in format_named(name).kinds):
                    own.append(data)
    return seeds_by_format


def _loads(path: Path, kind: str, name: str) -> bool:
    try:
        load(path, kind=kind, format=name, duplicates="best")
    except IrviewerError:
        return False
    return True


BOMBS: dict[str, bytes] = {
    "zeros": b"\0", "line ends": b"\n", "blanks": b" ", "run": b"1 Q0 d 1 1 t\n", "qrels": b"1 0 d 1\n",
    "one line": b"word ", "json": b'{"a":{},"b":[],"c":{"d":1.5}},', "lists": b"[[],[],", "open": b"[",
    "map": b'"q":{"d":1},', "jsonl": b'{"query_id":"1","doc_id":"d","score":1}\n',
    "texts": b'{"id":"1","text":"words of it"}\n', "csv": b"1,d,2\n",
    "ris": b"TY  - GEN\nID  - 1\nN1  - ASReview_relevant\nER  - \n", "smart": b".I 1\n.W\nwords\n",
    "remark": b"<!--", "tag": b"<a>", "name": b"a", "tabs": b"\t", "goes on": b"word\n", "sections": b"<![CDATA[",
    "topics": b"<top>\n<num> 1\n<title> words\n</top>\n", "letor": b"1 qid:1 1:0.5 #docid = d\n",
    "remarks": b"# said\n", "three": b"1 2 1\n", "wide": b"a,", "utf-16": b"1\0 \0",
}  # fmt: skip
_STARTS = {
    "json": b"{", "map": b'{"q":{"d":1.5},', "csv": b"query_id,doc_id,score\n", "utf-16": b"\xff\xfe",
    "remark": b"<top>", "tag": b"<top>", "sections": b"<top>", "name": b"<top ", "tabs": b"id\ttext",
    "goes on": b"TY  - GEN\nTI  - ", "wide": b"query_id,doc_id,score,", "lists": b'{"q":{"d":1.5},"r":[',
}  # fmt: skip
PIECE = 1 << 20


def bomb(rng: random.Random) -> tuple[str, bytes]:
    """Some kilobytes that stand for 20 to 400 megabytes; what they are, and they."""
    if rng.random() < 0.15:
        return _table_bomb(rng)
    what, way = rng.choice(list(BOMBS)), rng.choice(list(PACKERS))
    piece = BOMBS[what] * (PIECE // len(BOMBS[what]))
    start = PACKERS[way](_STARTS.get(what, b"")) if what in _STARTS else b""
    data = start + PACKERS[way](piece) * rng.choice((20, 50, 60, 400))
    if rng.random() < 0.1:
        data = PACKERS[rng.choice(list(PACKERS))](data)
    return f"{what} {way}", damaged(data, rng) if rng.random() < 0.2 else data


def _table_bomb(rng: random.Random) -> tuple[str, bytes]:
    rows, size = rng.choice(((5_000_000, 1), (50_000, 2000), (200_000, 200)))
    texts = pa.DictionaryArray.from_arrays(pa.array(np.zeros(rows, np.int8)), pa.array(["x" * size]))
    way = rng.choice(("parquet", "dictionary", "packed"))
    document = texts if way != "packed" or rows * size > 1 << 26 else texts.dictionary_decode()
    packed_table = pa.table({"q_id": texts, "doc_id": document, "score": np.zeros(rows)})
    sink = pa.BufferOutputStream()
    if way == "parquet":
        parquet.write_table(packed_table, sink)
    else:
        packing = pa.ipc.IpcWriteOptions(compression="zstd" if way == "packed" else None)
        with rng.choice((pa.ipc.new_file, pa.ipc.new_stream))(sink, packed_table.schema, options=packing) as writer:
            writer.write_table(packed_table)
    return f"table {way}", bytes(sink.getvalue())


# --- who reads it ---

Read = Callable[[Path, random.Random], bool]
Make = Callable[[random.Random], bytes]


@dataclass
class Group:
    """Files of one kind: how one is made, and who reads it; ``share`` of all files, where others have 1."""

    name: str
    make: Make
    read: Read
    share: float = 1.0


def groups(folder: Path) -> list[Group]:
    """All kinds. ``folder`` holds what they need beside themselves."""
    own = seeds(folder)
    every = [(name, data) for name, contents in own.items() for data in contents]
    groups_so_far = [
        Group(name, _maker(files, inside if name == "ranx-lz4" else damaged), _reader_of(name))
        for name, files in own.items()
    ]
    known = [data for _, data in every]
    groups_so_far += [
        Group("any, of unknown format", _maker(known), _reader_of(None), 4),
        Group("compressed", _maker(known, packed), _reader_of(None), 6),
        Group("patches", _maker([patch_text(PATCH).encode()]), _plain(read_patch)),
        Group("z-scores", _maker([(DATA / "trec_eval" / "zscores_file").read_bytes()[:HEAD]]), _plain(read_zscores)),
        Group("query sets", _maker(SETS), _plain(lambda path: read_query_sets(str(path)))),
        Group("query weights", _maker(WEIGHTS), _plain(lambda path: read_query_weights(str(path)))),
        Group("maps of queries", _maker([map_bytes({"a b": "1", "c": "2"})]), _plain(read_map)),
        Group("settings", _maker([_settings()]), _reads_settings),
        Group("kept runs", _maker([_kept(folder)]), _plain(lambda path: read_kept(path, "kept"))),
        Group("corpora on disk", _maker([_written("jsonl"), _written("tsv-texts")]), _reads_corpus),
        Group("projects", _maker(_projects(folder)), _reads_project, 2),
        Group("files that change", _maker(_larger(known), _as_it_is), _reads_changing, 2),
        Group("bombs", lambda rng: bomb(rng)[1], _reader_of(None), 0.5),
    ]
    return groups_so_far


def _maker(files: list[bytes] | tuple[bytes, ...], damage: Callable[[bytes, random.Random], bytes] = damaged) -> Make:
    assert files
    return lambda rng: damage(rng.choice(files), rng)


def _reader_of(name: str | None) -> Read:
    """Reads files of a format, now as what their content says, now as the format or a kind that is told."""

    def read(path: Path, rng: random.Random) -> bool:
        kinds = format_named(name).kinds if name is not None else ("run", "qrels", "queries", "documents")
        kind = rng.choice((None, *kinds))
        named_format = name if rng.random() < 0.7 else None
        try:
            columns = ColumnChoice(BY_PATHS[name][0]) if name in BY_PATHS else None
            loaded = load(path, kind=kind, format=named_format, columns=columns,
                          duplicates=rng.choice(("best", "refuse", "last")))  # fmt: skip
        except OptionError:
            assert named_format is not None
            return False
        assert loaded.report.lines()
        assert kind is None or loaded.kind == kind
        return True

    return read


MOST_CHANGING = 300_000
"""Bytes of a file that changes: as many as take a while to read."""


def _larger(files: list[bytes]) -> list[bytes]:
    """Files of which several in a row are one of the same format, repeated; tables as they are."""
    binary = (b"PAR1", b"ARROW", b"\xff\xff\xff\xff")
    return [data if data.startswith(binary) else data * (1 + MOST_CHANGING // max(1, len(data))) for data in files]


def _as_it_is(data: bytes, rng: random.Random) -> bytes:
    return damaged(data, rng) if rng.random() < 0.1 else data


def _reads_changing(path: Path, rng: random.Random) -> bool:
    """Read a file that another thread cuts, lengthens, fills with something else, replaces and removes meanwhile: as
    whatever it is, now and then through the cache or by an index."""
    content, over, dice = path.read_bytes(), threading.Event(), random.Random(rng.random())

    def change() -> None:
        while not over.is_set():
            what = dice.randrange(6)
            with suppress(OSError):
                if what == 0:
                    with path.open("r+b") as file:
                        file.truncate(dice.randrange(len(content) + 1))
                elif what == 1:
                    with path.open("r+b") as file:
                        file.seek(dice.randrange(len(content) + 1))
                        file.write(dice.choice(JUNK))
                elif what == 2:
                    path.unlink()
                elif what == 3:
                    path.write_bytes(dice.choice((content, content * 2, content[::-1], b"")))
                else:
                    beside = path.with_suffix(".new")
                    beside.write_bytes(content)
                    beside.replace(path)
            over.wait(dice.random() * 0.004)

    thread = threading.Thread(target=change, daemon=True)
    former, corpus.INDEX_FROM = corpus.INDEX_FROM, dice.choice((1, corpus.INDEX_FROM))
    thread.start()
    try:
        kind = rng.choice((None, "run", "qrels", "queries", "documents"))
        value = load(path, kind=kind, duplicates="best", cached=rng.choice(("no", "keep"))).value
        if isinstance(value, CorpusIndex):
            for doc_id in list(value.ids)[:50]:
                value.title(doc_id)
                value.text(doc_id)
    finally:
        over.set()
        thread.join()
        corpus.INDEX_FROM = former
    return True


def _plain(reader: Callable[[Path], object]) -> Read:
    def read(path: Path, rng: random.Random) -> bool:
        reader(path)
        return True

    return read


def _written(name: str) -> bytes:
    write = format_named(name).write
    assert write is not None
    return write(TEXTS)


def _settings() -> bytes:
    values = {setting.key: setting.default for setting in SETTINGS}
    return json.dumps({**values, "recent": [["/a/b.run"]], "later": {"x": [1]}}, indent=2).encode()


def _reads_settings(path: Path, rng: random.Random) -> bool:
    settings_read = Settings(path)
    assert all(setting.accepts(settings_read[setting.key]) for setting in SETTINGS)
    assert settings_read.trouble.isprintable(), settings_read.trouble
    return not settings_read.trouble


def _kept(folder: Path) -> bytes:
    path = folder / kept_name(folder / "p.irviewer", RUN)
    write_kept(path, RUN)
    return path.read_bytes()


def _reads_corpus(path: Path, rng: random.Random) -> bool:
    """Indexed instead of read: every document can be asked for afterwards."""
    former, corpus.INDEX_FROM = corpus.INDEX_FROM, 1
    try:
        index = load(path, kind="documents").value
        if isinstance(index, CorpusIndex):
            for doc_id in index.ids:
                index.title(doc_id)
                index.text(doc_id)
    finally:
        corpus.INDEX_FROM = former
    return True


def _projects(folder: Path) -> list[bytes]:
    """One that was worked on, and one of the first version; with their files in the folder."""
    for file in (DATA / "projects").iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    session = Session(Settings())
    session.files.open_files([str(folder / name) for name in ("small.qrels", "first.run", "second.run")])
    assert session.view.judgments is not None
    qrels = session.view.judgments.qrels
    query = qrels.query_ids[0]
    session.query_sets.make_query_set("hard", [query])
    for document, grade in list(qrels.judgments(query).items())[:2]:
        session.judging.judge(document, 1 - min(1, int(grade)), "a note", query_id=query)
    path = folder / "made.irviewer"
    session.autosave.save_project(str(path))
    data = path.read_bytes()
    path.unlink()
    session.close()
    return [data, (DATA / "projects" / "version1.irviewer").read_bytes()]


def _reads_project(path: Path, rng: random.Random) -> bool:
    session = Session(Settings())
    session.projects.open_project(str(path))
    warnings = [message for message in session.view.messages if message.level in (Level.ERROR, Level.WARNING)]
    for message in warnings:
        assert not re.search(r"[\x00-\x1f\x7f]", message.text), message.text
    opened = session.view.collection is not None
    assert opened or warnings or session.projects.seeking is not None
    session.close()
    return opened


# --- reading them ---


class TooLong(BaseException):
    """A reader hangs; no Exception, so that no reader takes it for one of its own."""


@dataclass
class Row:
    """What became of the files of a group: how many, how many were refused, the slowest in seconds of processor time,
    the most memory in megabytes; and the faults, each a sentence."""

    name: str
    files: int = 0
    refused: int = 0
    slowest: float = 0.0
    most: float = 0.0
    faults: list[str] = field(default_factory=list)
    outcomes: set[bool] = field(default_factory=set)


def drive(group: Group, number: int, folder: Path, seed: str = "") -> Row:
    """Make and read so many files of a group. Which they are depends on ``seed`` and their place alone."""
    row, path = Row(group.name), folder / ("x.irviewer" if group.name == "projects" else "x")
    for place in range(number):
        rng = random.Random(f"{seed} {group.name} {place}")
        path.write_bytes(group.make(rng))
        where = f"{group.name} {place}"
        try:
            with _watched() as spent:
                good = group.read(path, rng)
        except IrviewerError as error:
            good = False
            text = str(error)
            if not all(sign.isprintable() or sign in JOINING for sign in text) or len(text) > 1200:
                row.faults.append(f"{where}: {text[:300]!r}")
        except (Exception, TooLong) as error:
            row.faults.append(f"{where}: {error!r:.300}; the file: {path.read_bytes()[:200]!r}")
            good = False
        row.files += 1
        row.refused += not good
        row.outcomes.add(good)
        row.slowest, row.most = max(row.slowest, spent.seconds), max(row.most, spent.megabytes)
        if spent.seconds > LONGEST or spent.megabytes > MOST:
            row.faults.append(f"{where}: {spent.seconds:.1f} s, {spent.megabytes:.0f} MB")
    return row


@dataclass
class Spent:
    """Seconds of processor time of all threads, and megabytes that the memory rose by at most."""

    seconds: float = 0.0
    megabytes: float = 0.0


@contextmanager
def _watched() -> Iterator[Spent]:
    spent = Spent()
    signal.signal(signal.SIGPROF, _too_long)
    before = _memory()
    begun = _seconds()
    signal.setitimer(signal.ITIMER_PROF, 2 * LONGEST)
    try:
        yield spent
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        spent.seconds = _seconds() - begun
        spent.megabytes = max(0.0, _peak() - before)


def _too_long(number: int, frame: FrameType | None) -> None:
    raise TooLong(f"at {frame.f_code.co_filename}:{frame.f_lineno}" if frame is not None else "")


def _seconds() -> float:
    """Processor time of all threads: whatever else the machine does."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _memory() -> float:
    """Megabytes that are in use now; from now on the most is asked anew, where the system can."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", "ascii")
    return _status("VmRSS")


def _peak() -> float:
    return _status("VmHWM")


def _status(name: str) -> float:
    with suppress(OSError):
        match = re.search(rf"^{name}:\s+(\d+) kB", Path("/proc/self/status").read_text("ascii"), re.MULTILINE)
        return int(match[1]) / 1024 if match else 0.0
    return 0.0


def shares(kinds_of_file: list[Group], number: int) -> dict[str, int]:
    """How many files of each group, of so many in all; one at least."""
    total = sum(kind_of_file.share for kind_of_file in kinds_of_file)
    return {kind_of_file.name: max(1, round(number * kind_of_file.share / total)) for kind_of_file in kinds_of_file}


def main() -> int:
    """Read so many files and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("number", type=int)
    parser.add_argument("--seed", default="")
    parser.add_argument("--only", help="groups whose name holds this")
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        kinds_of_file = groups(folder)
        wanted = shares(kinds_of_file, options.number)
        for kind_of_file in kinds_of_file:
            if options.only is None or options.only in kind_of_file.name:
                rows.append(drive(kind_of_file, wanted[kind_of_file.name], folder, options.seed))
                print(_line(rows[-1]), flush=True)
                for fault in rows[-1].faults:
                    print(f"    {fault}", flush=True)
    whole = Row("all", sum(row.files for row in rows), sum(row.refused for row in rows))
    whole.slowest, whole.most = max(row.slowest for row in rows), max(row.most for row in rows)
    print(_line(whole))
    return 1 if any(row.faults for row in rows) else 0


def _line(row: Row) -> str:
    return f"| {row.name} | {row.files:,} | {row.refused:,} | {row.slowest:.2f} s | {row.most:.0f} MB |"


if __name__ == "__main__":
    sys.exit(main())
