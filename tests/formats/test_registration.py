"""Registered protocols: what is frozen is read back, changes are found, and report and paper say so."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

import irviewer
from irviewer.cli.main import main
from irviewer.errors import IrviewerError, OptionError, ParseError
from irviewer.formats.data_files import data_files
from irviewer.formats.registration import kept_sentences, opened_files, read_registration, register
from irviewer.model.data_file import DataFile
from irviewer.model.protocol import EvaluationProtocol

PROTOCOL = EvaluationProtocol().but(measures=("RR",), alpha=0.01, baseline="b\u202e")


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "qrels.txt").write_text("".join(f"{query} 0 a 1\n" for query in range(12)))
    for name, order in (("one", "ab"), ("two", "ba")):
        (tmp_path / name).write_text(
            "".join(f"{q} Q0 {doc} {place} {9 - place} {name}\n" for q in range(12) for place, doc in enumerate(order))
        )
    return [str(tmp_path / name) for name in ("qrels.txt", "one", "two")]


def test_what_is_registered_is_read_back_and_changes_are_found(tmp_path: Path, files: list[str]) -> None:
    path = tmp_path / "registered.json"
    opened = data_files([("qrels", files[0]), ("run", files[1])])
    path.write_text(register(PROTOCOL, opened, now=datetime(2026, 1, 2, tzinfo=UTC)))
    read = read_registration(path)
    assert (read.protocol, read.registered, read.intact) == (PROTOCOL, "2026-01-02T00:00:00+00:00", True)
    assert [each.name for each in read.opened] == ["qrels.txt", "one"]
    said = " ".join(kept_sentences(read, PROTOCOL, opened))
    assert "and was kept." in said
    assert "Open already when it was registered: qrels.txt and one." in said or "qrels.txt, one" in said
    assert said.count("published elsewhere") == 1
    Path(files[1]).write_text("0 Q0 a 1 1 one\n")
    later = data_files([("run", files[1]), ("run", files[2])])
    said = " ".join(kept_sentences(read, PROTOCOL.but(alpha=0.05, test="sign"), later))
    assert "was not kept: test" in said
    assert "alpha" in said
    assert "Another file of the same name was open then: one." in said
    content = json.loads(path.read_text())
    content["registered"] = "2020-01-01T00:00:00+00:00"
    path.write_text(json.dumps(content))
    read = read_registration(path)
    assert not read.intact
    said = " ".join(kept_sentences(read, PROTOCOL, opened))
    assert "its digest does not fit" in said
    assert "was kept" not in said  # nobody knows what was registered
    assert "whether that is the registered one is not known" in said
    assert "Open already" not in said


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("protocol", 'schema = 1\nmeasures = ["RR"]\n'), ("digest", "0" * 64), ("registered", "2020-01-01T00:00:00Z"),
        ("opened", []), ("added", 1),
    ],
)  # fmt: skip
def test_an_edited_registration_shows_nothing_at_any_door(
    tmp_path: Path, files: list[str], capsys: pytest.CaptureFixture[str], key: str, value: object
) -> None:
    path = tmp_path / "r.json"
    path.write_text(register(PROTOCOL, data_files([("run", files[1])])))
    path.write_text(json.dumps({**json.loads(path.read_text()), key: value}))
    read, opened = read_registration(path), data_files([("run", files[1])])
    for used in (PROTOCOL, PROTOCOL.but(alpha=0.05)):
        said = " ".join(kept_sentences(read, used, opened))
        assert "its digest does not fit" in said
        assert "is not known" in said
        assert "may have been changed too" in said
        assert "was registered at" not in said  # the time that the file holds now is no fact
        assert "not kept" not in said
        assert "open" not in said.lower()
    assert main(["protocol", "-m", "RR", "--registered", str(path)]) == 1
    assert main(["paper", *files, "-m", "RR", "--registered", str(path), "--format", "markdown"]) == 0
    page = tmp_path / "r.html"
    assert main(["report", *files, "-m", "RR", "--registered", str(path), "-o", str(page)]) == 0
    shown = capsys.readouterr().out
    assert shown.count("its digest does not fit") == 2
    assert "its digest does not fit" in page.read_text()
    assert "was registered at" not in shown + page.read_text()


def test_a_key_given_twice_is_refused(tmp_path: Path) -> None:
    """A reader of the file sees another time than the one that fits the digest."""
    path = tmp_path / "r.json"
    path.write_text(register(PROTOCOL, []).replace("{", '{"registered": "2020-01-01T00:00:00+00:00",', 1))
    with pytest.raises(ParseError, match="no registered protocol"):
        read_registration(path)


@pytest.mark.parametrize("key", ["registered", "digest"])
@pytest.mark.parametrize(
    "text", ["2026-01-01\n\x1b[31mfake", "yesterday", "", "2026-01-01T00:00:00", "9" * 15_000, "\u202e"]
)
def test_a_registration_with_no_time_or_digest_is_refused(tmp_path: Path, key: str, text: str) -> None:
    """Both are shown in sentences: an escape sequence went to the terminal."""
    content = json.loads(register(PROTOCOL, [], now=datetime(2026, 1, 2, tzinfo=UTC)))
    del content["digest"]
    content["registered"] = text if key == "registered" else content["registered"]
    fits = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    content["digest"] = text if key == "digest" else hashlib.sha256(fits.encode()).hexdigest()
    (tmp_path / "x").write_text(json.dumps(content))
    with pytest.raises(ParseError, match="no registered protocol"):
        read_registration(tmp_path / "x")


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"schema": 2}', '{"schema": 1, "digest": "", "registered": 1}', "[" * 9999]
)
def test_another_file_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "x").write_text(text)
    with pytest.raises(ParseError, match="registered protocol"):
        read_registration(tmp_path / "x")


def test_python_registers_as_the_command_does(
    tmp_path: Path, files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    by_command, by_python = tmp_path / "c.json", tmp_path / "p.json"
    words = ["-m", "RR", "--alpha", ".01", "--opened", files[1], "--opened", files[0]]
    assert main(["protocol", *words, "--register", str(by_command)]) == 0
    ours = irviewer.register_protocol(by_python, measures=("RR",), alpha=0.01, opened=[Path(files[1]), files[0]])
    theirs = read_registration(by_command)
    assert (ours.protocol, ours.opened, ours.intact) == (theirs.protocol, theirs.opened, True)
    assert ours == read_registration(by_python)
    with pytest.raises(IrviewerError, match="there is no such file"):
        irviewer.register_protocol(by_python, opened=[tmp_path / "none"])
    with pytest.raises(IrviewerError):
        irviewer.register_protocol(by_python, measures=("no such measure",))
    assert ours == read_registration(by_python)


def test_a_pipe_has_neither_size_nor_digest(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    path.write_text(register(PROTOCOL, [DataFile("run", "/dev/fd/63", piped=True)]))
    (opened,) = read_registration(path).opened
    assert (opened.size, opened.digest) == (None, "")


def test_every_door_says_whether_it_was_kept(
    tmp_path: Path, files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    path, words = str(tmp_path / "r.json"), ["-m", "RR", "--alpha", ".01"]
    assert main(["protocol", *words, "--register", path, "--opened", files[1]]) == 0
    assert read_registration(path).digest in capsys.readouterr().out
    assert main(["protocol", *words, "--registered", path, "--opened", files[1]]) == 0
    assert "and was kept." in capsys.readouterr().out
    assert main(["protocol", "-m", "RR", "--registered", path]) == 1
    assert "was not kept: alpha differs" in capsys.readouterr().out
    assert main(["paper", *files, *words, "--registered", path, "--format", "markdown"]) == 0
    assert "was kept" in capsys.readouterr().out
    table = irviewer.paper_table(files[0], files[1:], "RR", registered=path)
    assert "was not kept: alpha" in table.caption
    assert main(["report", *files, *words, "--registered", path, "-o", str(tmp_path / "r.html")]) == 0
    page = (tmp_path / "r.html").read_text()
    assert "was kept" in page
    assert "published elsewhere" in page
    assert main(["protocol", "--opened", files[1]]) == 2
    assert main(["protocol", "--register", path, "--opened", str(tmp_path / "nowhere")]) == 2


def test_what_was_opened_has_the_role_of_its_content(tmp_path: Path) -> None:
    """The window knows what its files are: a changed file is found only where both doors call it the same."""
    contents = {
        "judged": "q1 0 d1 1\n", "system": "q1 Q0 d1 1 2.5 mine\n", "unknown": "what this is nobody knows\n",
        "none": "", "texts.tsv": "query_id\ttext\nq1\tmoon\n",
    }  # fmt: skip
    for name, text in contents.items():
        (tmp_path / name).write_text(text)
    files = opened_files([str(tmp_path / name) for name in contents], [("weights", ""), ("query_set", "")])
    roles = {Path(file.path).name: file.role for file in files}
    assert roles == {"judged": "qrels", "system": "run", "unknown": "run", "none": "run", "texts.tsv": "documents"}
    with pytest.raises(OptionError, match="there is no such file"):
        opened_files([str(tmp_path / "gone")], [])


def test_a_registration_in_place_of_a_protocol_is_named(tmp_path: Path) -> None:
    path = tmp_path / "registered.json"
    path.write_text(register(PROTOCOL, ()))
    with pytest.raises(ParseError, match="this is a registered protocol"):
        irviewer.read_protocol(path)
