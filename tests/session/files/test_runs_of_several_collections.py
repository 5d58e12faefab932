"""A run joins every open collection whose queries it answers, whichever file is opened first; collections whose query
numbers are the same by chance get no run of each other; and two collections never have one name."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest

from irviewer.model.workspace import Collection, Workspace
from irviewer.session.session import Session

RUNS = ("one", "two", "three")


@pytest.fixture
def two_halves(tmp_path: Path) -> list[Path]:
    """Qrels of queries 1 to 6 and of 7 to 30 in one folder, with other documents for each query, and three runs that
    answer all of them and ten more."""
    dice = random.Random(5)
    folder = tmp_path / "passages"
    folder.mkdir()
    for name, queries in (("qrels.nist.txt", range(1, 7)), ("qrels.gpt4.txt", range(7, 31))):
        lines = [f"{query} 0 d{query}-{n} {n % 3}\n" for query in queries for n in range(8)]
        (folder / name).write_text("".join(lines))
    for name in RUNS:
        lines = []
        for query in range(1, 41):
            documents = [f"d{query}-{n}" for n in range(20)]
            dice.shuffle(documents)
            lines += [f"{query} Q0 {d} {rank} {50 - rank} {name}\n" for rank, d in enumerate(documents, 1)]
        (folder / f"{name}.run").write_text("".join(lines))
    return [folder / "qrels.nist.txt", folder / "qrels.gpt4.txt", *(folder / f"{name}.run" for name in RUNS)]


def opened(*steps: list[Path]) -> Session:
    session = Session()
    for step in steps:
        session.files.open_files([str(path) for path in step])
    return session


def runs_by_size(session: Session) -> dict[int, list[str]]:
    """The runs of each collection by its number of judged queries."""
    return {
        len(collection.judgments[0].qrels.query_ids): sorted(
            entry.run.read_name or entry.name for entry in collection.runs
        )
        for collection in session.state.workspace.collections
    }


def test_all_runs_are_in_both_collections_in_any_order(two_halves: list[Path]) -> None:
    wanted = {6: sorted(RUNS), 24: sorted(RUNS)}
    for order in itertools.islice(itertools.permutations(two_halves), 0, 120, 7):
        session = opened(list(order))
        assert runs_by_size(session) == wanted
        names = [collection.name for collection in session.state.workspace.collections]
        assert len(set(names)) == 2


def test_files_opened_one_after_another_make_the_same_collections(two_halves: list[Path]) -> None:
    nist, gpt4, *runs = two_halves
    for steps in (
        [runs, [nist], [gpt4]],
        [[nist], runs, [gpt4]],
        [[gpt4, nist], runs],
        [[path] for path in two_halves],
    ):
        session = opened(*steps)
        assert runs_by_size(session) == {6: sorted(RUNS), 24: sorted(RUNS)}
        assert len({collection.name for collection in session.state.workspace.collections}) == 2


def test_a_run_opened_again_is_new_in_both(two_halves: list[Path]) -> None:
    session = opened(two_halves)
    path = two_halves[2]
    path.write_text(path.read_text().replace("1 Q0 d1-", "1 Q0 changed-"))
    session.files.open_again([str(path)])
    assert runs_by_size(session) == {6: sorted(RUNS), 24: sorted(RUNS)}
    for collection in session.state.workspace.collections:
        run = next(entry.run for entry in collection.runs if "one" in entry.name)
        assert any("changed" in document for document in run.ranking("1"))


def test_the_collection_in_view_stays(two_halves: list[Path]) -> None:
    session = opened(two_halves[:2])
    session.files.set_collection(1)
    session.files.open_files([str(path) for path in two_halves[2:]])
    assert session.state.current == 1


def test_query_numbers_alone_are_no_reason(tmp_path: Path) -> None:
    """Two collections of the queries and documents 1 to 40: a run finds the relevant documents of one."""
    dice = random.Random(2)
    paths = []
    for name in ("red", "blue"):
        relevant = {query: dice.sample(range(1, 400), 6) for query in range(1, 41)}
        (tmp_path / name).mkdir()
        lines = [f"{query} 0 {d} 1\n" for query, documents in relevant.items() for d in documents]
        paths.append(tmp_path / name / "qrels")
        paths[-1].write_text("".join(lines))
        for system in ("bm25", "dense"):
            lines = []
            for query, documents in relevant.items():
                ranked = [*dice.sample(documents, 3), *dice.sample(range(1, 400), 100)]
                ranked = list(dict.fromkeys(ranked))
                lines += [f"{query} Q0 {d} {r} {500 - r} {system}\n" for r, d in enumerate(ranked, 1)]
            paths.append(tmp_path / name / f"{name}-{system}.run")
            paths[-1].write_text("".join(lines))
    for steps in ([paths], [paths[:3], paths[3:]], [[path] for path in paths], [paths[::-1]]):
        session = opened(*steps)
        assert {
            collection.name: sorted(entry.name for entry in collection.runs)
            for collection in session.state.workspace.collections
        } == {"red": ["red-bm25", "red-dense"], "blue": ["blue-bm25", "blue-dense"]}


def test_copies_and_fused_runs_stay_where_they_were_made(two_halves: list[Path]) -> None:
    nist, gpt4, *runs = two_halves
    session = opened([nist, *runs])
    session.run_editing.edit_copy(0)
    session.files.open_files([str(gpt4)])
    assert runs_by_size(session)[24] == sorted(RUNS)


def test_two_collections_never_have_one_name() -> None:
    workspace = Workspace((Collection("a"), Collection("a"), Collection("a (2)")))
    assert [collection.name for collection in workspace.collections] == ["a", "a (2)", "a (2) (2)"]
    changed = workspace.with_collection(1, Collection("a"))
    assert [collection.name for collection in changed.collections] == ["a", "a (2)", "a (2) (2)"]


def test_the_collection_that_gets_a_taken_name_gets_the_number(tmp_path: Path) -> None:
    """A run is open alone, before another collection has the name that its qrels will give."""
    (tmp_path / "x").mkdir()
    (tmp_path / "y").mkdir()
    (tmp_path / "x" / "first.run").write_text("1 Q0 a 1 2 first\n")
    (tmp_path / "y" / "topics.qrels").write_text("7 0 b 1\n")
    (tmp_path / "x" / "topics.qrels").write_text("1 0 a 1\n")
    session = opened([tmp_path / "x" / "first.run"], [tmp_path / "y" / "topics.qrels"])
    former = [collection.name for collection in session.state.workspace.collections]
    session.files.open_files([str(tmp_path / "x" / "topics.qrels")])
    names = [collection.name for collection in session.state.workspace.collections]
    assert names == [f"{former[1]} (2)", former[1]]


def test_texts_of_all_queries_are_shown_in_both_collections(two_halves: list[Path]) -> None:
    nist, gpt4, *runs = two_halves
    queries = nist.with_name("queries.tsv")
    queries.write_text("".join(f"{query}\twhat grows in place {query} by night\n" for query in range(1, 41)))
    documents = nist.with_name("documents.tsv")
    documents.write_text(
        "".join(f"d{query}-{n}\tthe {n} words of a text\n" for query in range(1, 31) for n in range(20))
    )
    texts = [queries, documents]
    for steps in ([[*texts, *two_halves]], [[nist, gpt4, *runs], texts]):
        session = opened(*steps)
        assert [
            (len(collection.queries or ()), len(collection.documents or ()))
            for collection in session.state.workspace.collections
        ] == [(40, 600), (40, 600)]
        texts_of_seven = {collection.query_text("7") for collection in session.state.workspace.collections}
        assert texts_of_seven == {"what grows in place 7 by night"}


def test_texts_of_some_queries_stay_in_the_collection_that_has_them(two_halves: list[Path]) -> None:
    queries = two_halves[0].with_name("queries.tsv")
    queries.write_text("".join(f"{query}\twhat grows in place {query} by night\n" for query in range(5, 31)))
    session = opened([queries, *two_halves])
    by_size = {len(c.judgments[0].qrels.query_ids): c.queries for c in session.state.workspace.collections}
    assert by_size[6] is None and by_size[24] is not None and len(by_size[24]) == 26
