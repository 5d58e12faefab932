"""Of several declared measures the first that can be tested decides, at every door."""

from __future__ import annotations

from pathlib import Path

import pytest

import irviewer
from irviewer.cli.main import main
from irviewer.session.session import Session


def test_a_sum_that_is_declared_first_decides_nowhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The window and the views named the sum, of which no difference can be tested; compare, report and paper the next
    measure."""
    (tmp_path / "q").write_text("".join(f"{query} 0 a 1\n{query} 0 b 0\n" for query in range(9)))
    for name, order in (("one", "ab"), ("two", "ba")):
        lines = [f"{query} Q0 {doc} 1 {3 - place} {name}\n" for query in range(9) for place, doc in enumerate(order)]
        (tmp_path / name).write_text("".join(lines))
    (tmp_path / "p.toml").write_text('schema = 1\nmeasures = ["NumRelRet", "AP"]\n')
    files = [str(tmp_path / name) for name in ("q", "one", "two")]
    for command in (["compare"], ["show", "systems"], ["show", "slices"], ["paper"]):
        main([*command, *files, "--protocol", str(tmp_path / "p.toml")])
        assert "· primary: AP ·" in capsys.readouterr().out, command
    for command in (["failures"], ["show", "failures"], ["stages"], ["fusion-sweep"], ["pool", "--worklist"]):
        assert main([*command, *files, "--protocol", str(tmp_path / "p.toml")]) == 0, command
        out = capsys.readouterr().out
        assert "AP" in out, command
        assert "NumRelRet" not in out, command
    for command in (["show", "comparison"], ["show", "stability"], ["show", "verdict"], ["gate"]):
        more = ["--baseline", files[1], "--require", "AP > 0"] if command == ["gate"] else []
        given = [files[0], files[2]] if command == ["gate"] else files
        assert main([*command, *given, "--protocol", str(tmp_path / "p.toml"), *more]) in (0, 1, 2), command
        out = capsys.readouterr().out
        assert "primary: NumRelRet" not in out, command
        assert "AP" in out, command
    protocol = irviewer.read_protocol(tmp_path / "p.toml")
    compared = irviewer.compare(files[0], files[1:], protocol=protocol)
    assert [each.measure for each in compared.comparisons] == ["AP"]
    assert any("NumRelRet is a sum" in text for text in compared.warnings)
    shown = irviewer.show("systems", files[0], files[1:], protocol=protocol)
    assert shown.protocol is not None
    assert "primary: AP" in shown.protocol.line()
    session = Session()
    session.files.open_files(files)
    session.protocol.open_file(str(tmp_path / "p.toml"))
    assert "primary: AP" in session.protocol.line
    assert str(session.state.measure) == "AP"
    session.close()


def test_systems_on_collections_follow_the_same_measure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The sum was refused there, and the window declared the measure in view."""
    for collection in ("first", "second"):
        (tmp_path / collection).mkdir()
        (tmp_path / collection / "q.qrels").write_text("".join(f"{query} 0 a 1\n{query} 0 b 0\n" for query in range(9)))
        for name, order in (("one", "ab"), ("two", "ba")):
            lines = [
                f"{query} Q0 {doc} 1 {3 - place} {name}\n"
                for query in range(8 if (name, collection) == ("two", "second") else 9)
                for place, doc in enumerate(order)
            ]
            (tmp_path / collection / f"{name}.run").write_text("".join(lines))
    (tmp_path / "p.toml").write_text('schema = 1\nmeasures = ["NumRelRet", "AP"]\n')
    folders = [str(tmp_path / collection) for collection in ("first", "second")]
    assert main(["collections", *folders, "--protocol", str(tmp_path / "p.toml"), "--baseline", "one"]) == 0
    out = capsys.readouterr().out
    assert "· primary: AP ·" in out
    assert "NumRelRet is a sum, not a mean over queries: there is no mean difference to test; left out" in out
    lacks = "run two on second lacks 1 query (8) of the qrels: counted as 0"
    assert out.count(lacks) == 1
    ours = irviewer.evaluate_collections(folders, protocol=tmp_path / "p.toml", baseline="one")
    assert ours.table.measure == "AP"
    session = Session()
    session.files.open_files(folders)
    session.protocol.open_file(str(tmp_path / "p.toml"))
    session.navigation.set_place("collections")
    session.compute_now()
    assert session.collections.protocol is not None
    assert ours.protocol is not None
    assert session.collections.protocol.line() == ours.protocol.line()
    session.evaluation.set_measure("RR")
    session.compute_now()
    assert "primary: AP · shown: RR, not declared" in session.collections.protocol.line()
    result = session.collections.result()
    assert result is not None
    assert [note.text for table in result.tables for note in table.notes].count(lacks) == 1
    session.close()


def test_a_measure_has_one_name_at_every_door(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Under a level of 2 the window's own pair and slices wrote AP, all other doors AP(rel=2); and the line of Python's
    slices named no measure where nobody declared one."""
    (tmp_path / "q").write_text("".join(f"{query} 0 a 2\n{query} 0 b 1\n" for query in range(12)))
    for name, order in (("one", "ab"), ("two", "ba")):
        lines = [f"{query} Q0 {doc} 1 {3 - place} {name}\n" for query in range(12) for place, doc in enumerate(order)]
        (tmp_path / name).write_text("".join(lines))
    (tmp_path / "a.csv").write_text("query_id,kind\n" + "".join(f"{query},{'ab'[query % 2]}\n" for query in range(12)))
    (tmp_path / "p.toml").write_text('measures = ["AP"]\nrules = { level = 2 }\n')
    files = [str(tmp_path / name) for name in ("q", "one", "two")]
    session = Session()
    session.files.open_files([*files, str(tmp_path / "a.csv")])
    session.protocol.open_file(str(tmp_path / "p.toml"))
    session.navigation.set_place("compare")
    for tab in ("slices", "pair"):
        session.navigation.set_tab("compare", tab)
        session.compute_now()
    slices, pair = session.slices.slices_view_model(), session.comparison.pair_table()
    assert slices is not None and pair is not None
    table = slices.table("slices")
    assert table is not None
    for each in (table, pair):
        assert set(each.column("measure").values) == {"AP(rel=2)"}
    session.close()
    assert main(["slices", *files, "--query-attributes", str(tmp_path / "a.csv"), "--by", "kind"]) == 0
    ours = irviewer.compare_slices(files[0], files[1:], by=["kind"], query_attributes=str(tmp_path / "a.csv"))
    assert ours.protocol is not None
    assert ours.protocol.line() in capsys.readouterr().out
