"""Reading a lesson: a header between lines of dashes, a text, and sections."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from irviewer.errors import IrviewerError, ParseError
from irviewer.formats.lessons.choice_order import with_choices_drawn
from irviewer.formats.lessons.fields import Field, Line, known_hint, read_fields
from irviewer.formats.lessons.file_inside import file_inside
from irviewer.formats.lessons.formulas import refuse_false_formulas
from irviewer.formats.lessons.pictures import read_pictures
from irviewer.formats.lessons.sections import figures_of, read_section, split_sections, text_of
from irviewer.formats.lessons.slips import slips_in
from irviewer.formats.lessons.small_file import read_small
from irviewer.formats.lessons.varying import Varying, read_varying, refuse_unused, with_values
from irviewer.formats.lessons.views import VIEW_KEYS, read_view
from irviewer.model.dialects import dialect_of
from irviewer.model.lessons.lesson import TEXTBOOK, Item, Lesson, LessonFiles, LessonView
from irviewer.model.rankings.inline_ranking import InlineRanking, RankingError, parse_inline_ranking
from irviewer.translation import tr, trn

KEYS = (
    "title", "id", "after", "rules", "vary", "rankings", "qrels", "runs", "queries", "printed", "computed", "cover",
    *VIEW_KEYS,
)  # fmt: skip
MOST_BYTES = 1_000_000
_RULE = re.compile(r"---+\s*$")


def read_lesson(path: str | Path) -> Lesson:
    """Return the lesson of a file. Raises ParseError with line, column, reason and what to do."""
    return parse_lesson(read_text(path), path)


def read_text(path: str | Path) -> str:
    """Return the text of a lesson's file. Raises ParseError if it cannot be one."""
    data = read_small(path, MOST_BYTES, tr("the file is too large for a lesson"))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as failure:
        line = data[: failure.start].count(b"\n") + 1
        raise ParseError(path, tr("the file is not UTF-8"), line=line, hint=tr("save it as UTF-8")) from None


def parse_lesson(text: str, path: str | Path = "") -> Lesson:
    """Return the lesson of a text; ``path`` names it, and its folder holds the files that it names. Raises
    ParseError."""
    fields, _ = read_fields(split_header(text, path)[0], KEYS, path)
    varying = read_varying(next((field for field in fields if field.key == "vary"), None))
    refuse_unused(text, varying, path)
    lessons = tuple(_parsed_lesson(with_values(text, values), path, varying) for values in varying.sets())
    if len(lessons) == 1:
        return lessons[0]
    return replace(lessons[0], alternatives=tuple(replace(each, id=lessons[0].id) for each in lessons))


def _parsed_lesson(text: str, path: str | Path, varying: Varying) -> Lesson:
    header, body = split_header(text, path)
    fields, rest = read_fields(header, KEYS, path)
    if rest:
        bad = next((line for line in rest if not line.is_blank), None)
        if bad is not None:
            raise ParseError(
                path, tr("this line is not a field"), line=bad.number, column=1, text=bad.text,
                hint=tr("write key: value, and indent the lines that continue a value"),
            )  # fmt: skip
    named = {field.key: field for field in fields}
    title = _needed(named, "title", path)
    rankings, files, ranking = _rankings(named, path)
    refuse_false_formulas(body, path)
    before, sections = split_sections(body)
    name = named["id"].value.strip() if "id" in named else Path(path).stem or title
    items = tuple(
        _item(tuple(section), str(path), Path(path).stem or name, number)
        for number, section in enumerate(sections, start=1)
    )
    view = _view(read_view(fields), ranking)
    lesson = Lesson(
        name, title, text_of(before),
        named["after"].value.strip() if "after" in named else "", _rules(named.get("rules")), rankings, files, view,
        figures_of(fields), items, str(path), read_pictures(body, path), _varies_order(named, varying),
        covers=_covers(named.get("cover")), slips=tuple(slips_in(header, body, varying)),
    )  # fmt: skip
    if lesson.varies_order:
        _refuse_fixed_values(lesson)
    if ranking is not None:
        _check_names(lesson, ranking, header, sections)
    return lesson


@lru_cache(maxsize=512)  # a lesson is read again with one line changed, while it is written and checked
def _item(section: tuple[Line, ...], path: str, drawn_by: str, number: int) -> Item:
    return with_choices_drawn(read_section(section, path), drawn_by, number)


def split_header(text: str, path: str | Path) -> tuple[list[Line], list[Line]]:
    """Return the lines between the first two lines of dashes, without empty and commented ones around, and those after
    them. Raises ParseError if there are none."""
    lines = [Line(number, line) for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), start=1)]
    first = next((position for position, line in enumerate(lines) if not line.is_blank), None)
    if first is None or not _RULE.match(lines[first].text):
        shown = lines[first] if first is not None else Line(1, "")
        raise ParseError(
            path, tr("the lesson does not begin with a header"), line=shown.number, column=1, text=shown.text,
            hint=tr("write --- , then title: and rankings:, then --- , each in a line of its own"),
        )  # fmt: skip
    last = next((position for position in range(first + 1, len(lines)) if _RULE.match(lines[position].text)), None)
    if last is None:
        raise ParseError(
            path, tr("the header has no end"), line=lines[first].number, column=1,
            hint=tr("write --- in a line of its own below the last key: value"),
        )  # fmt: skip
    header = [line for line in lines[first + 1 : last] if not line.is_blank]
    return header, lines[last + 1 :]


def _needed(named: dict[str, Field], key: str, path: str | Path) -> str:
    if key not in named or not named[key].value.strip():
        raise ParseError(path, tr("the header has no {key}", key=key), line=1, column=1,
                         hint=tr("write {key}: and its value", key=key))  # fmt: skip
    return " ".join(named[key].value.split())


def _rules(field: Field | None) -> str:
    if field is None:
        return TEXTBOOK
    try:
        return dialect_of(field.value.strip()).name
    except IrviewerError as failure:
        raise field.error(str(failure)) from None


def _covers(field: Field | None) -> bool:
    if field is None:
        return False
    if field.value.strip() != "values":
        raise field.error(tr("no such thing to cover"), hint=tr("write cover: values"))
    return True


def _varies_order(named: dict[str, Field], varying: Varying) -> bool:
    if varying.order and "rankings" not in named:
        raise named["vary"].error(tr("the rankings of files do not vary"), hint=tr("write rankings:"), text="")
    return varying.order


def _refuse_fixed_values(lesson: Lesson) -> None:
    """Raise ParseError for a value in a lesson whose rankings vary: it would be that of one order."""
    figure = next((figure for part in (lesson, *lesson.items) for figure in part.figures), None)
    if figure is not None:
        raise ParseError(
            lesson.path, tr("a lesson whose rankings vary has no printed and computed values"), line=figure.at.line,
            column=figure.at.column, text=f"{figure.measure} = {figure.text}", hint=tr("remove it, or vary: order"),
        )  # fmt: skip


def _rankings(named: dict[str, Field], path: str | Path) -> tuple[str, LessonFiles, InlineRanking | None]:
    """Return the text of the rankings or the names of the files."""
    block, qrels = named.get("rankings"), named.get("qrels")
    if block is not None and (qrels is not None or "runs" in named):
        raise block.error(
            tr("the lesson has rankings and files"), hint=tr("keep rankings:, or qrels: and runs:"), text=""
        )
    if block is not None:
        return block.value, LessonFiles(), _parsed(block)
    if qrels is None or "runs" not in named:
        raise ParseError(
            path, tr("the header has no rankings"), line=1, column=1,
            hint=tr("write rankings: 1 0 1 1 0 | R=10, or name files with qrels: and runs:"),
        )  # fmt: skip
    names = [name.strip() for name in named["runs"].value.replace("\n", ",").split(",") if name.strip()]
    for field, each in [(qrels, qrels.value.strip()), *((named["runs"], name) for name in names)]:
        file_inside(path, each, field)
    queries = named["queries"].value.strip() if "queries" in named else ""
    if queries:
        file_inside(path, queries, named["queries"])
    return "", LessonFiles(qrels.value.strip(), tuple(names), queries), None


def _parsed(field: Field) -> InlineRanking:
    try:
        return parse_inline_ranking(field.value)
    except RankingError as failure:
        raise field.error(failure.reason, row=max(0, failure.line - 1), at=failure.character - 1) from None
    except IrviewerError as failure:
        raise field.error(str(failure), text="") from None


def _view(view: LessonView, ranking: InlineRanking | None) -> LessonView:
    """Return the view with what the header leaves open: AP or, of graded judgments, nDCG; relevant from grade 1."""
    graded = ranking is not None and ranking.qrels.max_grade > 1
    default = LessonView("nDCG" if graded else "AP", None, 1.0, "lists")
    return view.over(default)


def _check_names(
    lesson: Lesson, ranking: InlineRanking, header: Sequence[Line], sections: Sequence[Sequence[Line]]
) -> None:
    """Raise ParseError if a figure, view, question or step names a ranking or query that the lesson does not have."""
    runs, queries = [run.name for run in ranking.runs], list(ranking.qrels.query_ids)
    lengths = {(run.name, query): len(run.ranking(query)) for run in ranking.runs for query in run.query_ids}
    for lines, item in zip((header, *sections), (lesson, *lesson.items), strict=True):
        named = [(figure.run, figure.query) for figure in item.figures] + [(item.view.run, item.view.query)]
        named += [(action.run, "") for action in getattr(item, "actions", ())]
        beside = item.view.beside
        named.append(("", beside.removeprefix("query ")) if beside.startswith("query ") else (beside, ""))
        asked = getattr(item, "asked", None)
        if asked is not None:
            named.append((asked.run, asked.query))
            query = asked.query or item.view.query or lesson.view.query or queries[0]
            run = asked.run or item.view.run or lesson.view.run or runs[0]
            longest = lengths.get((run, query), 0)
            if asked.rank > longest:
                _refuse_rank(lesson.path, lines, asked.rank, longest)
        for run, query in named:
            if run and run not in runs:
                raise _unknown(lesson.path, lines, run, tr("there is no ranking {name}", name=run), runs)
            if query and query not in queries:
                raise _unknown(
                    lesson.path, lines, f"query {query}", tr("there is no query {name}", name=query), queries
                )


def _refuse_rank(path: str, lines: Sequence[Line], rank: int, longest: int) -> None:
    """Raise ParseError for a cell below the end of its ranking."""
    line = next((line for line in lines if re.match(r"ask\s*:", line.text, re.I)), lines[0])
    hint = trn("the ranking has {n} rank", "the ranking has {n} ranks", longest)
    column = max(0, line.text.rfind(str(rank))) + 1
    raise ParseError(
        path,
        tr("there is no rank {rank}", rank=rank),
        line=line.number,
        column=column,
        text=line.text.strip(),
        hint=hint,
    )


def _unknown(path: str, lines: Sequence[Line], name: str, reason: str, known: Sequence[str]) -> ParseError:
    # "query 2" stands in an ask, "query: 2" in a line of its own.
    spaced = re.escape(name).replace("\\ ", r"[\s:]+")
    word = re.compile(rf"(?<!\w){spaced}(?!\w)")
    places = ((line, match.start()) for line in lines if (match := word.search(line.text)))
    line, start = next(places, (lines[0], 0))
    return ParseError(path, reason, line=line.number, column=start + 1, text=line.text.strip(), hint=known_hint(known))
