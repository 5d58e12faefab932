"""Protocol files: read as they were written, and refused with the place of a fault."""

from __future__ import annotations

import tomllib
from pathlib import Path

import protocols as some
import pytest
from hypothesis import given

from irviewer.errors import OptionError, ParseError
from irviewer.formats.protocol_file import parse_protocol, protocol_text, read_protocol
from irviewer.model.dialects import DIALECTS
from irviewer.model.protocol import DEFAULTS, PLACES, PRESET, EvaluationProtocol, QuerySelection, WeightSelection

NULLABLE = {"missing", "depth", "smallest", "looks", "epsilon"}


@given(protocol=some.protocols)
def test_what_was_written_is_read(protocol: EvaluationProtocol) -> None:
    text = protocol_text(protocol)
    read = parse_protocol(text)
    assert all(read[name] == protocol[name] for name in PLACES)
    # TOML has no null: a field that was declared to be None is left out, and is None again.
    lost = {PLACES[name] for name in NULLABLE if protocol[name] is None}
    assert read.declared == protocol.declared - lost
    assert protocol_text(read) == text
    assert text.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape") == text


@given(protocol=some.protocols)
def test_a_plain_reader_of_toml_finds_the_declared_keys(protocol: EvaluationProtocol) -> None:
    content = tomllib.loads(protocol_text(protocol))
    places = {f"{section}.{name}" for section in ("rules", "scope", "inference") for name in content.get(section, {})}
    places |= {"measures"} & content.keys()
    assert places == {place for name, place in PLACES.items() if place in protocol.declared} - {
        PLACES[name] for name in NULLABLE if protocol[name] is None
    }


@pytest.mark.parametrize(
    "text",
    [
        'rules = { level = 2 }\nscope = { queries = "holdout" }\n',
        'rules.level = 2\nscope.queries = "holdout"\n',
        '[rules]\nlevel = 2\n[scope]\nqueries = { name = "holdout" }\n',
        'schema = 1\n[scope.queries]\nname = "holdout"\n[rules]\nlevel = 2.0\n',
    ],
)
def test_tables_may_be_written_in_every_way(text: str) -> None:
    assert parse_protocol(text) == PRESET.but(level=2, queries="holdout")


def test_a_named_default_is_declared() -> None:
    protocol = parse_protocol("[rules]\nlevel = 1\n")
    assert protocol.declared == {"rules.level"}
    assert protocol != PRESET
    assert protocol_text(protocol) == "schema = 1\n\n[rules]\nlevel = 1\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[rules]\nlevle = 2\n", "p.toml:2:1: a protocol has no key rules.levle [levle = 2]; did you mean level?"),
        ("[rules]\nalpha = .5\n", "p.toml:2:9: this is no TOML: Invalid value"),
        ("[rules]\n  alpha = 0.5\n", "p.toml:2:3: a protocol has no key rules.alpha [alpha = 0.5]; write it in"),
        ("# level = 3\n[scope]\nunit = 'level = 7'\nrules = 1\n", "p.toml:4:1: a protocol has no key scope.rules"),
        ("level = 2\n", "p.toml:1:1: a protocol has no key level [level = 2]; write it in [rules]"),
        ("test = 't'\n[[rules]]\n", "a protocol has no key test [test = 't']; write it in [inference]"),
        ("[[rules]]\nlevel = 1\n", "p.toml:1:3: rules is no table"),
        ("[rules]\ndepth = 10\nlevel = '2'\n", "p.toml:3:1: level is '2'; it must be a number such as 1 or 0.5 [level"),
        ("rules = { depth = 10, level = true }\n", "p.toml:1:23: level is true; it must be a number"),
        ("rules.level = nan\n", "p.toml:1:7: level is nan; it must be a finite number"),
        ("[inference]\nalpha = 5\n", "p.toml:2:1: alpha is 5; it must be between 0 and 1"),
        ("[inference]\ntest = 'z'\n", "p.toml:2:1: test is 'z'; it must be one of t, wilcoxon"),
        ("[rules]\ndialect = 'trec'\n", "p.toml:2:1: unknown dialect 'trec'"),
        ("[scope]\nqueries = { fil = 'a' }\n", "p.toml:2:13: a protocol has no key scope.queries.fil"),
        ("[scope]\nqueries = { looked = true }\n", "p.toml:2:1: looked: name the queries"),
        ("[scope]\nqueries = []\n", "p.toml:2:1: queries: the list is empty"),
        ("[scope]\nruns = ['a', 'a']\n", "p.toml:2:1: runs has a twice"),
        ("measures = ['AP', 3]\n", "p.toml:1:1: measures is 3; it must be a text"),
        ("schema = 2\n", "p.toml:1:1: the schema is 2, and only 1 is known"),
        ("schema = true\n", "p.toml:1:1: the schema is True"),
        ("[rules\n", "p.toml:1:7: this is no TOML: Expected ']'"),
        ("level = [1,\n", "p.toml:1: this is no TOML"),
        ("looks = 3\n", "p.toml:1:1: a protocol has no key looks"),
    ],
)  # fmt: skip
def test_a_fault_is_refused_with_its_place(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "p.toml"
    path.write_text(text)
    with pytest.raises(ParseError) as caught:
        read_protocol(path)
    assert message in str(caught.value), str(caught.value)
    assert "\n" not in str(caught.value)


@given(protocol=some.protocols)
def test_errors_name_the_line_of_their_key(protocol: EvaluationProtocol) -> None:
    text = protocol_text(protocol).replace("schema = 1\n", "") + "\n[tail]\nlooks = 1\n"
    with pytest.raises(ParseError, match="no key tail") as caught:
        parse_protocol(text)
    assert text.split("\n")[caught.value.line - 1] == "[tail]"


def test_files_are_found_from_the_folder_of_the_protocol(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    path = tmp_path / "sub" / "p.toml"
    path.write_text('[rules]\nzscores = "z.txt"\n[scope]\nqueries = { file = "../q.txt", name = "n" }\n'
                    'weights = { file = "w.txt" }\n')  # fmt: skip
    protocol = read_protocol(path)
    assert Path(protocol.rules.zscores) == tmp_path / "sub" / "z.txt"
    assert protocol.scope.weights == WeightSelection(file=str(tmp_path / "sub" / "w.txt"))
    assert Path(protocol.scope.queries.file).resolve() == tmp_path / "q.txt"
    path.write_text(protocol_text(protocol, folder=path.parent))
    assert read_protocol(path) == protocol
    assert 'zscores = "z.txt"' in path.read_text()


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "p.toml"
    path.write_bytes(b"PAR1\0\1\2\3")
    with pytest.raises(ParseError, match="not text"):
        read_protocol(path)
    with pytest.raises((ParseError, OSError)):
        read_protocol(tmp_path / "missing.toml")


def test_rules_without_a_name_cannot_be_written() -> None:
    custom = DIALECTS["trec_eval"].with_rule(DIALECTS["trec_eval"].differing(DIALECTS["ranx"])[0], DIALECTS["ranx"])
    with pytest.raises(OptionError, match="no dialect that a protocol can name"):
        protocol_text(PRESET.but(dialect=custom))


def test_a_list_of_queries_and_every_default() -> None:
    assert parse_protocol('[scope]\nqueries = ["2", "1"]\n')["queries"] == QuerySelection(ids=("1", "2"))
    assert all(parse_protocol("")[name] == value for name, value in DEFAULTS.items())
