"""``irviewer help WORD``: explain a command, a measure, a format, a dialect, a key or a term."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, partial

from irviewer.cli.commands import COMMANDS, VIEW
from irviewer.cli.commands import Command as TextCommand
from irviewer.cli.commands.measures import example, explanation, signature
from irviewer.cli.glossary import Term, glossary
from irviewer.cli.statistics_words import StatisticsWord, statistics_words
from irviewer.cli.view import build_view_parser
from irviewer.commands import CATEGORIES, IN_VIEWS, Command
from irviewer.commands import COMMANDS as WINDOW_COMMANDS
from irviewer.errors import IrviewerError, OptionError
from irviewer.formats.format import KINDS, Format
from irviewer.formats.registry import formats
from irviewer.measures.base import Family
from irviewer.measures.parser import parse_measure, parse_measures, split_measures
from irviewer.measures.registry import families
from irviewer.measures.tool_names import GROUPS, alias_names
from irviewer.model.dialects import DIALECTS
from irviewer.session.shortcuts import spelled
from irviewer.translation import listed, tr

NEAR = 6
"""The largest number of words that are suggested in place of an unknown one."""


@dataclass(frozen=True)
class Topic:
    """Something that can be explained: its names, the first of which is suggested, and a function that returns the
    explanation, lines with an end."""

    names: tuple[str, ...]
    text: Callable[[], str]


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = tr(
        "Explain a command, a measure, a file format, a dialect, a key or a command of the window, or a term of the "
        "glossary. Without a word, list the commands."
    )
    parser.add_argument(
        "words", nargs="*", metavar="WORD",
        help=tr('what to explain, such as compare, nDCG@10, parquet, ranx, Ctrl+K, or "relevance level"'),
    )  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer help``. Raises OptionError for an unknown word, with words of similar spelling."""
    if not options.words:
        print(build_view_parser().format_help(), end="")
        return 0
    print("\n".join(explained(" ".join(options.words))), end="")
    return 0


def explained(word: str) -> list[str]:
    """Return the explanations of a word, each of lines with an end; one word can be a measure, a key and a term.

    Upper and lower case are the same; where no name is the word, one without hyphens and spaces is. Raises
    OptionError for an unknown word."""
    sought = _folded(word)
    known = list(topics())
    texts = [topic.text() for topic in known if sought in map(_folded, topic.names)]
    if not texts:
        texts = _as_measure(word)
    if not texts and (bare := _bare(word)):
        texts = [topic.text() for topic in known if bare in map(_bare, topic.names)]
    if texts:
        return list(dict.fromkeys(texts))
    near = _near(sought, known)
    if near:
        raise OptionError(tr("no help for {word!r}; did you mean {near}?", word=word, near=listed(near)))
    raise OptionError(tr("no help for {word!r}; irviewer help lists the commands", word=word))


def topics() -> Iterator[Topic]:
    """Yield everything that can be explained, commands first."""
    yield Topic((VIEW, f"irviewer {VIEW}"), lambda: build_view_parser().format_help())
    for command in COMMANDS:
        yield Topic((command.name, f"irviewer {command.name}"), partial(_command, command))
    for family in families().values():
        yield Topic((family.name, example(family), family.title, *alias_names(family)), partial(_measure, family))
    for name, texts in GROUPS.items():
        yield Topic((name,), partial(_group, name, texts))
    for format_ in formats():
        yield Topic((format_.name, format_.title, *format_.suffixes), partial(_format, format_))
    for dialect in DIALECTS.values():
        yield Topic((dialect.name, dialect.title), partial(_dialect, dialect.name, dialect.title))
    for action in WINDOW_COMMANDS:
        yield Topic((action.title.rstrip("…"), *action.shortcuts), partial(_action, action))
    for text, keys in IN_VIEWS:
        yield Topic(keys, partial(_key, text, keys))
    for word in statistics_words():
        yield Topic(word.names, partial(_statistics, word))
    for term in glossary():
        yield Topic(tuple(filter(None, (term.name, term.short, *term.also))), partial(_term, term))


@cache
def _folded(word: str) -> str:
    return " ".join(word.casefold().split())


@cache
def _bare(word: str) -> str:
    """Return a word without spaces, hyphens and other signs: pvalue for p-value."""
    return "".join(sign for sign in word.casefold() if sign.isalnum())


def _near(sought: str, known: Sequence[Topic]) -> list[str]:
    """Return names that contain the word, or are spelled alike."""
    names: dict[str, str] = {}
    for topic in known:
        for name in topic.names:
            names.setdefault(_folded(name), name)
    close = get_close_matches(sought, names, n=NEAR, cutoff=0.75)
    inside = [name for name in names if len(sought) > 2 and sought in name]
    further = get_close_matches(sought, names, n=NEAR, cutoff=0.6)
    return [names[name] for name in dict.fromkeys([*close, *inside, *further])][:NEAR]


def _as_measure(word: str) -> list[str]:
    """Return the cards of the measures that a text names, such as nDCG@20 or an expression; none if it names none."""
    try:
        return [explanation(measure) for measure in parse_measures(split_measures([word]))]
    except IrviewerError:
        return []


def _rows(*rows: tuple[str, str]) -> str:
    width = max(len(title) for title, _ in rows)
    return "".join(f"  {title.ljust(width)}  {text}\n" for title, text in rows if text)


def _headed(name: str, kind: str) -> str:
    return f"{name}: {kind}\n"


def _command(command: TextCommand) -> str:
    return command.parser().format_help()


def _measure(family: Family) -> str:
    written = _rows((tr("written"), signature(family)), (tr("other names"), listed(alias_names(family))))
    return explanation(parse_measure(example(family))) + written


def _group(name: str, texts: Sequence[str]) -> str:
    return _headed(name, tr("a group of measures")) + _rows((tr("measures"), listed(texts)))


def _format(format_: Format) -> str:
    return _headed(format_.name, tr("a file format, {title}", title=format_.title)) + _rows(
        (tr("reads"), listed(kind for kind in KINDS if kind in format_.kinds)),
        (tr("writes"), listed(kind for kind in KINDS if format_.writes(kind))),
        (tr("endings"), " ".join(format_.suffixes)),
    )


def _dialect(name: str, title: str) -> str:
    text = tr("--dialect {name} computes values by its rules; irviewer dialects lists those that change", name=name)
    return _headed(name, tr("a dialect, the rules of {tool}", tool=title)) + f"  {text}\n"


def _action(action: Command) -> str:
    return _headed(action.title.rstrip("…"), tr("a command of the window")) + _rows(
        (tr("does"), action.help),
        (tr("menu"), CATEGORIES[action.category]),
        (tr("keys"), listed([*map(spelled, action.shortcuts)])),
    )


def _key(text: str, keys: Sequence[str]) -> str:
    return _headed(listed([*map(spelled, keys)]), tr("keys in lists, tables and plots")) + _rows((tr("does"), text))


def _statistics(word: StatisticsWord) -> str:
    return _headed(word.names[0], tr("a word of statistics")) + _rows(
        (tr("meaning"), word.meaning),
        (tr("see"), word.where),
    )


def _term(term: Term) -> str:
    name = f"{term.name} ({term.short})" if term.short else term.name
    return _headed(name, tr("a term of the glossary")) + _rows(
        (tr("meaning"), term.meaning),
        (tr("also called"), listed(term.also)),
    )
