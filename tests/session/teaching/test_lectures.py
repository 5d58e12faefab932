"""docs/lectures.md: every item of the five lecture notes opens where the list says, with the figures as printed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from irviewer.formats.lessons.course_folder import bundled_course
from irviewer.measures.parser import parse_measure
from irviewer.model.lessons.lesson import Question, Step
from irviewer.model.workspace import RunEntry
from irviewer.session.session import Session

LIST = Path(__file__).parents[3] / "docs" / "lectures.md"
PLACE = re.compile(r"(\w[\w-]*)(?: (step|question) (\d+))?")
SPAN = re.compile(r"(.*@)(\d+)\.\.(\d+)")


@dataclass(frozen=True)
class Item:
    """A row of the list; ``printed`` are (where, measure, run, query, digits)."""

    id: str
    kind: str
    places: tuple[str, ...]
    printed: tuple[tuple[str, str, str, str, str], ...]


def printed(cell: str) -> list[tuple[str, str, str, str, str]]:
    rows = []
    for piece in filter(None, (piece.strip() for piece in cell.split(";"))):
        where, _, rest = piece.rpartition(": ")
        left, _, values = rest.rpartition(" = ")
        left, _, query = left.partition(", query ")
        measure, _, run = left.partition(" of ")
        span = SPAN.fullmatch(measure)
        if span is None:
            rows.append((where, measure, run, query, values))
            continue
        names = [f"{span[1]}{rank}" for rank in range(int(span[2]), int(span[3]) + 1)]
        rows += [(where, name, run, query, value) for name, value in zip(names, values.split(), strict=True)]
    return rows


def items() -> list[Item]:
    rows = [
        line.strip("| \n").split(" | ")
        for line in LIST.read_text("utf-8").split("\n")
        if re.match(r"\| [AMRHF]\d", line)
    ]
    return [
        Item(row[0], row[2], tuple(row[4].rstrip(" |").split("; ")), tuple(printed(row[5]) if len(row) > 5 else ()))
        for row in rows
    ]


ITEMS = items()
ROUNDED = {("R10", "nDCG(ideal='retrieved')@10"): "11.17 / 11.71, cut after four decimals"}
"""Where an author rounded on the way, as the lesson says."""


def run_of(session: Session, name: str) -> RunEntry:
    assert session.view.collection is not None
    runs = session.view.collection.runs
    return next(run for run in runs if run.name == name) if name else runs[0]


def shown(session: Session, entry: RunEntry, text: str, query: str) -> float:
    context = session.view.context
    assert context is not None
    measure = parse_measure(text, context.options.rules.names)
    values = [float(value) for value in context.values(entry, measure)]
    return values[context.query_index[query]] if query else sum(values) / len(values)


def agrees(value: float, digits: str) -> bool:
    """Whether a value is the printed one: of a sum or a fraction exactly, else when rounded to its digits."""
    if "/" in digits or "+" in digits:
        return value == pytest.approx(float(sum(Fraction(term.strip()) for term in digits.split("+"))), abs=1e-12)
    unit = 10.0 ** -len(digits.partition(".")[2])
    return abs(value - float(digits)) <= 0.5 * unit + 1e-12


def test_the_list_holds_every_note() -> None:
    count = {letter: sum(item.id.startswith(letter) for item in ITEMS) for letter in "AMRHF"}
    assert count == {"A": 34, "M": 15, "R": 11, "H": 7, "F": 12}
    assert len({item.id for item in ITEMS}) == len(ITEMS)
    assert {item.kind for item in ITEMS} == {"concept", "formula", "example", "exercise", "question"}


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_an_item_is_shown_where_the_list_says_with_the_figures_as_printed(item: Item) -> None:
    session = Session()
    for text in item.places:
        if text == "sample":
            continue
        place = PLACE.fullmatch(text)
        assert place is not None, text
        assert session.teaching.open_example(place[1])
        lesson = session.lessons.lesson
        assert lesson is not None
        if place[2] is not None:
            wanted = Step if place[2] == "step" else Question
            numbers = [number for number, part in enumerate(lesson.items, start=1) if isinstance(part, wanted)]
            assert session.lessons.show_place(numbers[int(place[3]) - 1])
            assert session.teaching.is_asking == (place[2] == "question")
    first = PLACE.fullmatch(item.places[0])
    assert first is not None
    for where, measure, name, query, digits in item.printed:
        if measure in ("documents", "queries"):
            continue  # of the sample: see the test below
        other = re.fullmatch(r"of (\w+)", where)
        session = Session()
        session.teaching.open_example(first[1] if other is None else other[1])
        entry = run_of(session, name)
        if where.startswith("step "):
            lesson = session.lessons.lesson
            assert lesson is not None
            steps = [number for number, part in enumerate(lesson.items, start=1) if isinstance(part, Step)]
            session.lessons.show_place(steps[int(where.removeprefix("step ")) - 1])
            assert session.teaching.do_example_step()
            edited = session.teaching.lesson_run
            assert edited is not None
            entry = edited
        value = shown(session, entry, measure, query)
        if (item.id, measure) in ROUNDED:
            assert not agrees(value, digits)
            assert int(11.17 / 11.71 * 10_000) / 10_000 == float(digits)
            assert any(figure.text == digits and figure.note for figure in session.lessons.lesson.figures)  # type: ignore[union-attr]
        else:
            assert agrees(value, digits), (measure, name, query, value, digits)


def test_the_sample_has_the_documents_and_queries_of_cranfield() -> None:
    session = Session()
    session.files.open_sample("cranfield")
    collection = session.view.collection
    assert collection is not None
    assert collection.documents is not None
    assert collection.queries is not None
    item = next(item for item in ITEMS if item.id == "M4")
    sizes = {"documents": len(collection.documents), "queries": len(collection.queries)}
    assert {measure: int(digits) for _, measure, _, _, digits in item.printed} == sizes
    session.close()


def test_the_table_of_collections_is_that_of_its_authors() -> None:
    """Six of the collections were counted in their files too: ADI, Medline, Cranfield, CISI, CACM and NPL."""
    sizes = {"ADI": (82, 35), "Medline": (1033, 30), "Cranfield": (1400, 225), "CISI": (1460, 112), "AIT": (2109, 14),
             "CACM": (3204, 64), "LISA": (5872, 35), "NPL": (11_429, 93), "Reuters": (21_578, 672),
             "OHSUMED": (348_566, 106), "TREC": (740_000, 200)}  # fmt: skip
    for language in ("en", "es"):
        text = bundled_course(language).lesson("collection").items[4].text  # type: ignore[union-attr]
        rows = re.findall(r"^\| (\w+)[^|]*\| ([\d ]+) \| ([\d ]+) \|$", text, re.M)
        assert {name: (int(n.replace(" ", "")), int(m.replace(" ", ""))) for name, n, m in rows} == sizes


def test_answers_that_no_ranking_computes_follow_from_their_formulas() -> None:
    def answer(lesson: str, place: int) -> float:
        item = bundled_course("en").lesson(lesson).items[place - 1]  # type: ignore[union-attr]
        assert isinstance(item, Question)
        return float(Fraction(item.spellings[0].replace(" ", "")))

    recall = answer("b11", 3)
    assert 1 / ((1 / 1 + 1 / recall) / 2) == pytest.approx(0.5)
    assert answer("collection", 5) == 740_000 * 200
    draws = np.random.default_rng(34).random((200_000, 20)) < 0.6
    assert draws.mean(axis=1).std() == pytest.approx(answer("judges", 4), abs=0.005)
    assert draws[:, :5].mean(axis=1).std() == pytest.approx(0.22, abs=0.005)
    assert ((2 / 2 - 2 / 3) / 10) / ((7 / 8 - 7 / 9) / 10) > 3  # the two swaps
