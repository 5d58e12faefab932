"""Text files in blocks: where they are cut, which faults they have, what they hold."""

from __future__ import annotations

import gzip
import pickle
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irviewer.errors import DuplicateError, ParseError
from irviewer.evaluation.blocks import RepeatedQueryError, evaluate_blocks
from irviewer.evaluation.evaluate import evaluate
from irviewer.formats.blocks.text_blocks import TextFormat, border_in, file_state, ranges, text_blocks
from irviewer.formats.load import load
from irviewer.formats.reading.sizes import SIZES, Sizes
from irviewer.formats.trec.run import read_run
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

ON_DISK = replace(SIZES, head=8, large=1)
"""As files of megabytes are: nearly all of them is on the disk."""
QRELS = Qrels.from_dict({query: {"d1": 1, "d2": 2, "ü": 1} for query in ("1", "10", "ä", "4")})
lines = st.sampled_from([
    b"%s Q0 d1 1 3.5 t", b"%s\tQ0\td2\t2\t2.5\tt", b"  %s Q0  d3 3 1e-3 t", b"%s Q0 \xc3\xbc 4 -1 t extra",
    b"# %s comment", b"", b"%s Q0 d4 9 nan t\r",
])  # fmt: skip


@given(
    groups=st.lists(st.tuples(st.sampled_from([b"1", b"10", b"\xc3\xa4", b"4", b"99"]), st.lists(lines, min_size=1)),
                    unique_by=lambda group: group[0], min_size=1),
    size=st.integers(1, 400), end=st.booleans(), packed=st.booleans(), sizes=st.sampled_from([SIZES, ON_DISK]),
    dialect=st.sampled_from(["trec_eval", "trec_eval-9", "ir_measures", "ranx"]),
)  # fmt: skip
def test_blocks_have_the_values_of_the_file(
    groups: list[tuple[bytes, list[bytes]]], size: int, end: bool, packed: bool, sizes: Sizes, dialect: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:  # fmt: skip
    path = tmp_path_factory.mktemp("run") / "a.run"
    text = b"\n".join(line.replace(b"%s", query) for query, own in groups for line in own) + b"\n" * end
    path.write_bytes(gzip.compress(text) if packed else text)
    try:
        run = read_run(path, duplicates="first")
    except ParseError as fault:
        with pytest.raises(ParseError) as caught:
            list(evaluate_blocks(QRELS, text_blocks(path, size=size, duplicates="first", sizes=sizes), ["AP"]).runs)
        assert (caught.value.reason, caught.value.line) == (fault.reason, fault.line)
        return
    options = EvaluationOptions(dialect=dialect)
    whole = evaluate(QRELS, run, ["official", "ERR@5"], options)
    blocks = list(text_blocks(path, size=size, duplicates="first", sizes=sizes))
    ours = evaluate_blocks(QRELS, reversed(blocks), ["official", "ERR@5"], options)
    assert ours.values.tobytes() == whole.values.tobytes()
    assert ours.means.tobytes() == whole.means.tobytes()
    assert (ours.runs, ours.missing, ours.cautions) == (whole.runs, whole.missing, whole.cautions)
    assert [query for block in blocks for query in block.read().query_ids] == list(run.query_ids)


@given(text=st.lists(st.sampled_from([b"1 a\n", b"2 b\n", b"# c\n", b"\n", b"1\tx\n", b"11 x\n", b" 1 x\n"])))
def test_a_border_is_where_another_query_begins(text: list[bytes]) -> None:
    data = b"".join(text)
    border = border_in(data, ended=True)
    queries = [line.split()[0] if line.split() and not line.startswith(b"#") else b"" for line in text]
    wanted, seen, place = 0, b"", 0
    for line, query in zip(text, queries, strict=True):
        if place and query:  # the first line may be cut
            if seen and query != seen:
                wanted = place
                break
            seen = query
        place += len(line)
    assert border == wanted


def test_a_border_needs_the_whole_line() -> None:
    assert border_in(b"cut\n1 a\n12 b", ended=False) == 0
    assert border_in(b"cut\n1 a\n12 b", ended=True) == 8
    assert border_in(b"no line at all", ended=True) == 0


def run_of(queries: list[str], depth: int = 3) -> str:
    return "".join(f"{query} Q0 d{n} {n} {9 - n} t\n" for query in queries for n in range(depth))


def test_a_query_that_returns_is_named_with_both_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_text("# a comment\n" + run_of(["1", "2", "3", "4", "5", "2"]))
    for blocks in (text_blocks(path, size=20), reversed(list(text_blocks(path, size=20)))):
        with pytest.raises(RepeatedQueryError) as caught:
            evaluate_blocks(QRELS, blocks, ["AP"])
        assert caught.value.query == "2"
        assert sorted(caught.value.places) == [f"{path}, line 17", f"{path}, line 5"]
    path.write_bytes(gzip.compress(path.read_bytes()))
    with pytest.raises(RepeatedQueryError, match=r"line 5, and .*line 17"):
        evaluate_blocks(QRELS, text_blocks(path, size=20), ["AP"])


@pytest.mark.parametrize("packed", [False, True])
def test_what_finds_a_query_holds_no_lines(tmp_path: Path, packed: bool) -> None:
    queries = [str(number) for number in range(2000)]
    path = tmp_path / "a.run"
    text = ("# a comment\n" + run_of(queries)).encode()
    path.write_bytes(gzip.compress(text) if packed else text)
    blocks = list(text_blocks(path, size=10_000))
    assert len(blocks) > 5
    finders = {query: block.finder() for block in blocks for query in block.read().query_ids}
    assert max(len(pickle.dumps(finder)) for finder in finders.values()) < 1000
    for query in queries[::199]:
        assert finders[query](query) == f"{path}, line {2 + 3 * int(query):,}"
    path.unlink()
    if packed:
        assert finders["1999"]("1999") == f"{path}, from line {blocks[-1].line:,}"


@pytest.mark.parametrize("packed", [False, True])
def test_faults_have_the_line_of_the_file(tmp_path: Path, packed: bool) -> None:
    def fault(text: str) -> ParseError:
        path = tmp_path / "a.run"
        path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
        with pytest.raises(ParseError) as whole:
            load(path, kind="run", cached="no")
        with pytest.raises(ParseError) as caught:
            evaluate_blocks(QRELS, text_blocks(path, size=64), ["AP"])
        assert str(caught.value) == str(whole.value)
        return caught.value

    many = [str(number) for number in range(200)]
    assert fault(run_of(many) + "9999 Q0 d1 1 1,5 t\n" + run_of(["x"])).line == 601
    assert fault(run_of(many) + "9999 Q0\n" + run_of(["x"])).line == 601
    twice = fault(run_of(many) + run_of(["z"]) + "z Q0 d1 7 1 t\n")
    assert isinstance(twice, DuplicateError)
    assert (twice.line, "lines 602 and 604" in str(twice)) == (604, True)


def test_other_bytes_than_utf8_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_bytes(run_of(["1", "2"]).encode() + b"3 Q0 \xe9 1 1 t\n")
    with pytest.raises(ParseError, match=r"a\.run:7: the bytes are not UTF-8"):
        evaluate_blocks(QRELS, text_blocks(path, size=10, sizes=ON_DISK), ["AP"])
    assert read_any(path).ranking("3") == ["é"]
    blocks = list(text_blocks(path, size=10))  # a small file is decoded as a whole
    assert blocks[-1].read().ranking("3") == ["é"]


def test_a_file_that_changes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_text(run_of([str(number) for number in range(25_000)]))
    blocks = text_blocks(path, size=1 << 19)
    first, second = next(blocks), next(blocks)
    assert second.read().query_ids[0] != "0"
    path.write_text(run_of(["1"]) + path.read_text())
    with pytest.raises(ParseError, match="changed while it was read"):
        first.read()


def test_blocks_can_be_read_in_another_process(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_text(run_of([str(number) for number in range(25_000)]))
    blocks = list(text_blocks(path, size=1 << 19))
    assert len(blocks) > 1
    assert all(block.data is None for block in blocks)  # the bytes stay in the file
    again = pickle.loads(pickle.dumps(blocks[-1]))
    assert again.read().query_ids == blocks[-1].read().query_ids
    assert [block.start for block in blocks[1:]] == [block.stop for block in blocks[:-1]]
    assert blocks[-1].stop == path.stat().st_size


def test_a_byte_order_mark_is_no_query(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_bytes(b"\xef\xbb\xbf" + run_of([str(number) for number in range(90_000)]).encode())
    assert next(text_blocks(path)).read().query_ids[0] == "0"


@given(data=st.data(), kind=st.sampled_from(["ranks", "scores", "ranks and scores"]), size=st.integers(1, 200))
def test_rankings_without_q0(
    data: st.DataObject, kind: str, size: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Each block took whole numbers for ranks, and grouped rows had ranks in place of all scores."""
    numbers = st.lists(st.integers(-9, 9), min_size=2, max_size=9, unique=True)
    cells = [(query, f"d{n}", number) for query in ("1", "10", "4") for n, number in enumerate(data.draw(numbers))]
    if kind == "ranks":
        rows = [f"{query}\t{document}\t{number}" for query, document, number in cells]
    else:
        first = "" if kind == "scores" else "{rank}\t"
        rows = [f"{query}\t{document}\t{first.format(rank=rank)}{number / 2:g}"
                for rank, (query, document, number) in enumerate(cells)]  # fmt: skip
    form = TextFormat("", "a", "refuse", 4 if kind == "ranks and scores" else 3, kind == "ranks")
    path = tmp_path_factory.mktemp("run") / "a.tsv"
    path.write_text("\n".join(rows))
    expected: dict[str, list[str]] = {}
    for query, document, _ in sorted(cells, key=lambda cell: cell[2] if kind == "ranks" else -cell[2]):
        expected.setdefault(query, []).append(document)
    state = file_state(str(path))
    blocks = list(ranges(replace(form, path=str(path)), state, size, 0, state[0]))
    read = [block.read() for block in blocks]
    assert {query: run.ranking(query) for run in read for query in run.query_ids} == expected
    listed = [row for block in blocks for row in zip(*map(list, block.listed()), strict=True)]
    by_score = sorted(listed, key=lambda row: -row[2])
    assert {query: [str(row[1]) for row in by_score if str(row[0]) == query] for query in expected} == expected


def test_the_first_lines_say_what_a_third_column_is(tmp_path: Path) -> None:
    """It is a rank, or a score, in all blocks."""
    path = tmp_path / "a.tsv"
    ranks = "".join(f"{query}\td{n}\t{n + 1}\n" for query in ("1", "10", "4") for n in range(9))
    for text, best in ((ranks, "d0"), ("1\td0\t0.5\n1\td8\t0.75\n" + ranks[ranks.index("10") :], "d8")):
        path.write_text(text)
        assert read_any(path).ranking("1")[0] == best
        for block in text_blocks(path, size=10):
            run, scores = block.read(), block.listed().scores
            assert {run.ranking(query)[0] for query in run.query_ids} == {best}
            assert (scores[0] > scores[-1]) == (best == "d0")
    later = "".join(f"{number}\td\t1\n" for number in range(20_000))
    for wrong, reason in (("1.5", "rank is 1.5, which is not a rank"), ("3e9", "a rank of 2,147,483,648 or more")):
        path.write_text(f"{later}x\td\t{wrong}\n")
        *_, last = text_blocks(path)
        for read in (last.read, last.listed, partial(read_any, path)):  # scores, they would turn the whole list round
            with pytest.raises(ParseError, match=reason) as caught:
                read()
            assert caught.value.line == 20_001


def test_scores_of_three_columns_may_begin_with_equal_whole_ones(tmp_path: Path) -> None:
    """The file as a whole took its first line alone for what the column is, and refused ranks that occur twice."""
    path = tmp_path / "a.tsv"
    path.write_text("1\td0\t2\n1\td1\t2\n1\td2\t2.5\n")
    (block,) = text_blocks(path)
    assert read_any(path).ranking("1") == block.read().ranking("1") == ["d2", "d1", "d0"]


def read_any(path: Path) -> Run:
    run = load(path, kind="run", cached="no").value
    assert isinstance(run, Run)
    return run


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"1": {"a": 1.0}}')
    with pytest.raises(ParseError, match="are not read in blocks"):
        list(text_blocks(path))
    with pytest.raises(ParseError, match="does not exist"):
        list(text_blocks(tmp_path / "none.run"))


def test_damaged_compression(tmp_path: Path) -> None:
    path = tmp_path / "a.run.gz"
    text = gzip.compress(run_of([str(number) for number in range(200_000)]).encode())
    path.write_bytes(text[: len(text) // 2])
    with pytest.raises(ParseError, match=r"a\.run\.gz"):
        evaluate_blocks(QRELS, text_blocks(path), ["AP"])
