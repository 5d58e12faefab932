"""Answers of students to the questions of a course: points, tries, and the mistakes that a lesson knows.

They are marked anew, as the window marks them; what a file says of its answers does not count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from irviewer.formats.lessons.answer_file import StudentAnswers, Try
from irviewer.model.lessons.course import Course, refuse_same_ids
from irviewer.model.lessons.lesson import Question
from irviewer.model.lessons.variants import seed_of
from irviewer.rendering.lesson_text import plain_of
from irviewer.session.teaching.answers import answered, chosen, in_a_row, version
from irviewer.session.teaching.exchange.keys import Key, Keys
from irviewer.session.teaching.lesson import Given
from irviewer.tables import column
from irviewer.tables.table import Remark, Table
from irviewer.translation import tr, trn


@dataclass(frozen=True)
class _Row:
    student: str
    lesson: str
    place: int
    title: str
    given: tuple[Given, ...]
    texts: tuple[str, ...]
    worth: float
    cost: float
    lost: int

    @property
    def points(self) -> float:
        """The points of the question, less those of the hint, if an answer was right and was not shown before."""
        return self.worth - self.cost if any(each.right for each in self.given) else 0.0


def graded(course: Course, students: Sequence[StudentAnswers], enrolled: Sequence[str] | None = None) -> Table:
    """Return a row for each student and each question of a course, in the order of both. The points of a question are
    for a right answer at any try, before the answer was shown, less what its hint costs if it was shown before; a
    question that was not answered has none. Lessons that vary are those of the student whose page it was; a note names
    those who are not among the ``enrolled``. Raises IrviewerError if the files that a lesson names cannot be read, or
    if two lessons have one id."""
    refuse_same_ids(course)
    rows: list[_Row] = []
    names = _names(students)
    known: list[dict[tuple[str, int], str]] = [{} for _ in students]
    keys = Keys()
    for lesson in course.lessons:
        for student, name, versions in zip(students, names, known, strict=True):
            for key in keys.of(lesson, student.student):
                versions[lesson.id, key.place] = version(key.question, key.computed)
                rows.append(_row(student, name, key))
    order = {name: number for number, name in enumerate(names)}
    rows.sort(key=lambda row: order[row.student])  # stable: the order of the course stays
    return Table(
        "grades",
        tr("Points by student and question"),
        _columns(rows),
        notes=(*_notes(students, names, known), *_lost(rows, names), *_strangers(students, names, enrolled)),
    )


def _row(student: StudentAnswers, name: str, key: Key) -> _Row:
    question = key.question
    done = _before_shown(student.tries.get((key.lesson.id, key.place), ()))
    tries = tuple(each for each in done if not each.hint)
    given = tuple(_marked(question, each, key.computed, n) for n, each in enumerate(tries, start=1))
    texts = tuple(_text(question, each) for each in tries)
    cost = question.hint_costs if question.hint and _took_hint(done, given) else 0.0
    lost = sum(_is_lost(question, each) for each in tries)
    return _Row(name, key.lesson.id, key.place, plain_of(question.title), given, texts, question.points, cost, lost)


def _columns(rows: Sequence[_Row]) -> tuple[column.Column, ...]:
    return (
        column.identifier("student", tr("student"), [row.student for row in rows]),
        column.identifier("lesson", tr("lesson"), [row.lesson for row in rows]),
        column.rank("place", tr("place"), [row.place for row in rows]),
        column.text("question", tr("question"), [row.title for row in rows]),
        _points("points", tr("points"), [row.points for row in rows]),
        _points("worth", tr("points of the question"), [row.worth for row in rows]),
        _points("hint_cost", tr("points lost for hints"), [row.cost for row in rows]),
        column.count("tries", tr("tries"), [len(row.given) for row in rows]),
        column.flag("first_try", tr("right at first"), [bool(row.given) and row.given[0].right for row in rows]),
        column.text("answer", tr("last answer"), [row.texts[-1] if row.texts else None for row in rows]),
        column.text("mistakes", tr("mistakes"), [_mistakes(row.given) for row in rows]),
    )


def _points(key: str, title: str, values: Sequence[float]) -> column.Column:
    return column.number(key, title, list(values), decimals=2, whole=True)


def _took_hint(done: Sequence[Try], given: Sequence[Given]) -> bool:
    """Return whether a hint was shown before the first right answer."""
    right = next((number for number, each in enumerate(given) if each.right), len(given))
    answers = 0
    for each in done:
        if each.hint and answers <= right:
            return True
        answers += not each.hint
    return False


def _notes(
    students: Sequence[StudentAnswers], names: Sequence[str], known: Sequence[Mapping[tuple[str, int], str]]
) -> tuple[Remark, ...]:
    notes = []
    for student, name, versions in zip(students, names, known, strict=True):
        foreign = sum(key not in versions for key in student.tries)
        if foreign:
            text = trn("{name}: {n} answer is to a question that the course does not have.",
                       "{name}: {n} answers are to questions that the course does not have.",
                       foreign, name=name)  # fmt: skip
            notes.append(Remark("other_questions", text, {"student": name, "n": foreign}))
        changed = sum(key in versions and said != versions[key] for key, said in student.versions.items())
        if changed:
            text = trn("{name}: {n} question was answered in another version or language; its points may be wrong.",
                       "{name}: {n} questions were answered in another version or language; their points may be wrong.",
                       changed, name=name)  # fmt: skip
            notes.append(Remark("other_versions", text, {"student": name, "n": changed}))
    return tuple(notes)


def _lost(rows: Sequence[_Row], names: Sequence[str]) -> Iterator[Remark]:
    lost = Counter[str]()
    for row in rows:
        lost[row.student] += row.lost
    for name in names:
        if n := lost[name]:
            text = trn("{name}: {n} answer cannot be read and counts as wrong: the file is damaged.",
                       "{name}: {n} answers cannot be read and count as wrong: the file is damaged.",
                       n, name=name)  # fmt: skip
            yield Remark("damaged_answers", text, {"student": name, "n": n})


def _strangers(
    students: Sequence[StudentAnswers], names: Sequence[str], enrolled: Sequence[str] | None
) -> Iterator[Remark]:
    known = None if enrolled is None else {seed_of(each) for each in enrolled}
    for student, name in zip(students, names, strict=True):
        if known is not None and seed_of(_name(student)) not in known:
            text = tr("{name} is not among the students of the file.", name=name)
            yield Remark("not_enrolled", text, {"student": name})


def _name(student: StudentAnswers) -> str:
    """Return the student whose page it was, else the name; without one that of the file."""
    return student.student.strip() or student.name.strip() or Path(student.path).name


def _names(students: Sequence[StudentAnswers]) -> list[str]:
    """Return the names of students; of those who have one name each with the file."""
    names = [_name(student) for student in students]
    times = Counter(names)
    return [
        name if times[name] == 1 else f"{name} ({student.path})" for name, student in zip(names, students, strict=True)
    ]


def _before_shown(tries: Sequence[Try]) -> tuple[Try, ...]:
    """Return the tries before the answer was shown."""
    places = [number for number, each in enumerate(tries) if each.shown]
    return tuple(tries[: places[0]] if places else tries)


def _is_lost(question: Question, given: Try) -> bool:
    """Return whether an answer is none to a question: a damaged file has no text, or no choices that it has."""
    if given.hint or given.shown:
        return False
    if not question.choices:
        return not given.text.strip()
    return not given.picked or not all(0 <= place < len(question.choices) for place in given.picked)


def _marked(question: Question, given: Try, computed: float | None, number: int) -> Given:
    if _is_lost(question, given):
        return Given("", False, "", number)
    if question.choices:
        return chosen(question, given.picked, number)
    return answered(question, given.text, computed, number)


def _text(question: Question, given: Try) -> str:
    if not question.choices:
        return given.text
    places = [place for place in given.picked if 0 <= place < len(question.choices)]
    return in_a_row([plain_of(question.choices[place].text) for place in places])


def _mistakes(given: Sequence[Given]) -> str | None:
    """Return the reasons why answers were wrong, each once; None without one."""
    reasons = dict.fromkeys(" ".join(plain_of(each.reason).split()) for each in given if not each.right and each.reason)
    return " ".join(reasons) or None
