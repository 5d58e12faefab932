"""``irviewer help``: everything that the program names is explained, and an unknown word has neighbours."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from irviewer.cli.commands import COMMANDS as TEXT_COMMANDS
from irviewer.cli.commands.help import explained, topics
from irviewer.cli.glossary import glossary
from irviewer.cli.main import main
from irviewer.commands import COMMANDS
from irviewer.errors import OptionError
from irviewer.formats.registry import formats
from irviewer.measures.registry import families
from irviewer.model.dialects import DIALECTS

ROOT = Path(__file__).parents[3]


def texts(word: str) -> str:
    return "\n".join(explained(word))


def test_every_name_of_the_program_is_explained() -> None:
    for command in TEXT_COMMANDS:
        assert f"usage: irviewer {command.name} " in texts(command.name)
    for family in families().values():
        assert f": {family.title}\n" in texts(family.name)
    for format_ in formats():
        assert format_.title in texts(format_.name)
    for dialect in DIALECTS.values():
        assert dialect.title in texts(dialect.name)
    for action in COMMANDS:
        for word in (action.title.rstrip("…"), *action.shortcuts):
            assert action.help in texts(word)


def test_every_topic_has_a_text_of_whole_lines() -> None:
    for topic in topics():
        text = topic.text()
        assert text.endswith("\n"), topic.names
        assert not re.search(r"\\[A-Za-z]|[_^]\{", text), f"LaTeX in a terminal: {topic.names}"


def test_the_terms_are_those_of_the_glossary() -> None:
    text = (ROOT / "resources" / "glossary.md").read_text("utf-8")
    assert len(glossary()) == len(re.findall(r"^- \*\*", text, re.M)) > 50
    known = {term.name: term for term in glossary()}
    assert known["average precision"].short == "AP"
    assert known["average precision"].meaning == (
        "the mean of the precision at the ranks of the relevant documents; relevant documents that are not retrieved "
        "count 0."
    )
    assert known["attribute"].also == ("metadata field",)
    assert known["inline ranking"].meaning.endswith("such as 1 0 1 1 0 | R=10.")
    assert not [term for term in glossary() if "*" in term.meaning or "Also:" in term.meaning]
    assert "not used" not in texts("measure") and "also called  metric" in texts("measure")


def test_a_word_with_several_meanings_has_all_of_them() -> None:
    matching = texts("P")
    assert "P@10: Precision at k" in matching
    assert "Pin document: a command of the window" in matching
    assert "usage: irviewer cache" in texts("cache")
    assert "cache: a term of the glossary" in texts("cache")


@pytest.mark.parametrize(
    ("word", "part"),
    [
        ("ctrl+k", "Find action"),
        ("RELEVANCE  LEVEL", "the lowest grade that counts as relevant"),
        ("metric", "measure: a term"),
        ("annotator", "judge: a term"),
        ("ground truth", "qrels: a term"),
        ("mean average precision", "average precision (AP): a term"),
        ("significance", "significant: a term"),
        ("pvalue", "p-value: a word of statistics"),
        ("P-Value", "p-value: a word of statistics"),
        ("cohens kappa", "kappa: a word of statistics"),
        ("nearduplicate", "near-duplicate: a term"),
        ("ndcg_cut.20", "nDCG@20: "),
        ("P@5 + R@20", "Custom expression"),
        (".parquet", "a file format, Parquet"),
        ("Shift+Tab", "Next part of the window"),
        ("official", "recip_rank"),
        ("irviewer gate", "--non-inferior"),
        ("view", "--sample"),
    ],
)
def test_words_as_people_type_them(word: str, part: str) -> None:
    assert part in texts(word)


def test_words_need_no_quotation_marks(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "relevance", "map"]) == 0
    assert capsys.readouterr().out.startswith("relevance map: a term of the glossary\n")


def test_without_a_word_the_commands_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help"]) == 0
    out = capsys.readouterr().out
    assert [command.name for command in TEXT_COMMANDS if f"\n  {command.name} " not in out] == []


@pytest.mark.parametrize(
    ("word", "near"), [("cutof", "cutoff"), ("compair", "compare"), ("parket", "parquet"), ("judging", "judging blind")]
)
def test_an_unknown_word_has_neighbours(word: str, near: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", word]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert near in err.partition("did you mean ")[2]
    assert err.count("\n") == 1


def test_a_word_like_no_other_says_where_the_words_are() -> None:
    with pytest.raises(OptionError, match="irviewer help lists the commands"):
        explained("xqzw9")


def test_words_of_statistics_are_explained_with_their_place() -> None:
    words = (
        "kappa,power,Holm,effect size,bootstrap,posterior,p-value,confidence interval,multiple comparisons,Dunnett,τ,"
        "RBO,PPI++,ICC,df,registration,alternative annotator,"
        "permutation,Wilcoxon,non-inferiority,equivalence"
    )
    for word in words.split(","):
        said = texts(word)
        assert "a word of statistics" in said, word
        assert "  see " in said, word
    assert "is p in other words" in texts("power")
    assert texts("τ") == texts("Kendall's tau")


def test_the_help_begins_with_what_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help"]) == 0
    first, *lines = capsys.readouterr().out.splitlines()
    assert first.startswith("irviewer is the debugger for rankings")
    usage = next(place for place, line in enumerate(lines) if line.startswith("usage:"))
    assert sum(line.startswith("  irviewer ") for line in lines[:usage]) == 3


def test_a_terminal_sees_no_latex(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "nDCG@10"]) == 0
    out = capsys.readouterr().out
    assert "\\" not in out
    assert "Σ(i=1…k) g(i) / log₂(i+1)" in out
