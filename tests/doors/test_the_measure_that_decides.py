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
    protocol = irviewer.read_protocol(tmp_path / "p.toml")
    shown = irviewer.show("systems", files[0], files[1:], protocol=protocol)
    assert shown.protocol is not None
    assert "primary: AP" in shown.protocol.line()
    session = Session()
    session.files.open_files(files)
    session.protocol.open_file(str(tmp_path / "p.toml"))
    assert "primary: AP" in session.protocol.line
    assert str(session.state.measure) == "AP"
    session.close()
