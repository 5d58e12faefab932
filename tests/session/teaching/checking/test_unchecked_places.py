"""``--check --unchecked`` lists the sentences of a lesson in which something else would be no fault."""

from __future__ import annotations

import pickle
import random
import re
from functools import cache
from pathlib import Path

import pytest

from irviewer.cli.commands.lesson import MOST_COUNTED
from irviewer.cli.commands.lesson import _missed as missed_in
from irviewer.cli.commands.lesson import _Trial as Trial
from irviewer.cli.main import main
from irviewer.errors import IrviewerError, ParseError
from irviewer.formats.lessons.course_folder import bundled_course, translations_of
from irviewer.formats.lessons.lesson_file import parse_lesson, read_lesson, read_text
from irviewer.model.lessons.lesson import Lesson
from irviewer.session.teaching.checking.bundled_lessons import differences_from_bundled
from irviewer.session.teaching.checking.check_again import CheckAgain
from irviewer.session.teaching.checking.faults import TRIED, faults_of
from irviewer.session.teaching.checking.translations import differences
from irviewer.session.teaching.checking.unchecked_places import TextPlace, ToRead, places_of, to_read, unnoticed
from irviewer.session.teaching.checking.wording.exchanged_words import others_of
from tests.helpers import examples

HEAD = """---
title: A lesson
measure: P@3
rankings:
  early: 1 0 1 | R=4
  late: 0 1 1
computed: P@3 = .67
---
"""
LESSON = f"""{HEAD}P@3 is .67, as the search engine of 13 students shows.
By P@1 early is better than late. Nobody wins twice; a third
more would be needed.

## Step: Swap ranks 2 and 3
do: swap 2 3

D is judged at rank 3.

## Question: What is P@2?
points: 7
ask: P@2 of early
wrong .4: This is half of it.
because: 1/2 = .5.

## Question: Does it depend on grades?

- [x] No.
- [ ] Yes.
  It counts them.
"""


@cache
def places(text: str) -> list[TextPlace]:
    return places_of(text, parse_lesson(text, "l.md"))


@cache
def listed(text: str) -> list[ToRead]:
    lesson = parse_lesson(text, "l.md")
    return [*to_read(text, unnoticed(places(text), text, lesson, faults_of))]


def test_a_sentence_that_nothing_checks_is_listed_once_and_a_checked_number_is_not() -> None:
    assert faults_of(parse_lesson(LESSON, "l.md")) == ()
    by_line = {each.line: each for each in listed(LESSON)}
    assert by_line[9].sentence == "P@3 is .67, as the search engine of 13 students shows."
    assert by_line[9].column == LESSON.split("\n")[8].index("13") + 1
    assert by_line[9].unnoticed == ("14 in place of 13 (9:37)",)  # and not .67
    assert by_line[10].sentence == "Nobody wins twice; a third more would be needed."
    assert by_line[10].unnoticed == (
        "three times in place of twice (10:47)",
        "fourth in place of third (10:56)",
        "less in place of more (11:1)",
    )
    assert not any("better" in each.sentence for each in listed(LESSON))
    assert [each.unnoticed for each in listed(LESSON) if "[x]" in each.sentence] == [
        ("[x] Yes. in place of [x] No. (26:4)",)
    ]


def test_each_place_is_listed_or_each_change_of_it_is_a_fault() -> None:
    said = [(each.line, change) for each in listed(LESSON) for change in each.unnoticed]
    for place in places(LESSON):
        line = LESSON.count("\n", 0, place.start) + 1
        column = place.start - LESSON.rfind("\n", 0, place.start)
        own = [change for _, change in said if change.endswith(f" in place of {place.said} ({line}:{column})")]
        assert own or all(is_fault(change.applied(LESSON)) for change in place.changes)


def is_fault(text: str) -> bool:
    try:
        return faults_of(parse_lesson(text, "l.md")) != ()
    except IrviewerError:  # a lesson that cannot be read is found, too
        return True


def test_all_numbers_of_the_texts_are_places_and_those_of_the_view_are_not() -> None:
    body = LESSON.index("P@3 is")
    said = {place.start for place in places(LESSON)}
    numbers = {match.start() for match in re.finditer(r"(?<![\w.])\d*\.?\d+", LESSON) if match.start() > body}
    assert numbers - said == {LESSON.index("7\nask")}  # points


@pytest.mark.parametrize(
    ("sentence", "others"),
    [
        ("The one at 9 is .30.", [["10", "8"], [".35", ".25"]]),
        ("Twelve of 1,400 are lower.", [["Eleven"], ["1,401"], ["higher"]]),
        ("A system is the first once, the fifth for one of two.", [["second"], ["sixth", "fourth"], ["three", "one"]]),
        ("No one has the last at 1.", [["first"], ["2", "0"]]),
        (
            "El segundo tiene doce, la mitad, y baja.",
            [["tercero", "primero"], ["once"], ["cuarta parte"], ["alta", "sube"]],
        ),
        ("D is above B.", [["E", "C"], ["below"], ["C", "A"]]),
        (".5 is here, .67 is there.", [[".6", ".4", ".67", ".67"], [".72", ".62", ".5"]]),
        (".5 and .9, .5 + .7", [[".6", ".4", ".9"], ["1.0", ".8", ".5"], [".6", ".4", ".9"], [".8", ".6", ".5"]]),
        (
            "It is 50 % (.333, .3, .7).",
            [["51", "49", "30", "70"], [".338", ".328", ".3"], [".4", ".2", ".7"], [".8", ".6", ".3"]],
        ),
        ("It is 40 % of 7, or 60 % of 3.", [["41", "39", "60"], ["8", "6", "3"], ["61", "59", "40"], ["4", "2", "7"]]),
        ("P of N at K is of M.", [["O", "L"], ["L", "J"]]),
    ],
)
def test_places_are_numbers_words_and_names(sentence: str, others: list[list[str]]) -> None:
    grades = "1 0 1 0 1" if "P of" not in sentence else " ".join("1" * 16)
    rest = "" if sentence.startswith("El ") else " Of the rest nothing."
    text = f"---\ntitle: T\nrankings: {grades}\n---\n{sentence}{rest}"
    assert [[change.other for change in place.changes] for place in places(text)] == others


@pytest.mark.parametrize(
    "words",
    ["higher lower", "better worse", "rises falls", "mejor peor", "más menos", "sube baja", "before after", "up down"],
)
def test_what_compares_has_an_opposite_in_its_language(words: str) -> None:
    first, second = words.split()
    assert others_of(first) == [second]
    assert first in others_of(second)


def test_numbers_of_a_title_claim_nothing_but_its_values_and_names() -> None:
    text = LESSON.replace("title: A lesson", "title: Four lists and 7 ways, .30 for early")
    assert [place.said for place in places(text) if text.count("\n", 0, place.start) == 1] == [".30", "early"]


def test_a_field_is_a_line_of_its_own_and_prose_with_a_colon_is_not() -> None:
    text = f"""{HEAD}It holds for
early and late alike: by 13 students.

## Step: Look at 13 students
They said 14.

## Question: How many students are there?
answer: 13
within: .001
wrong 5/8 of 16: This is for 17.
"""
    assert [each.sentence for each in listed(text)] == [
        "It holds for early and late alike: by 13 students.",
        "## Step: Look at 13 students",
        "They said 14.",
        "answer: 13",
        "wrong 5/8 of 16: This is for 17.",
    ]


def test_a_sentence_is_of_the_kind_that_an_author_reads_first() -> None:
    text = f"""{HEAD}More than 13 do so, and Z is late.

## Question: How many students are there?
answer: 13
wrong 14: More.
because: A is more.

## Question: Do they learn?

- [x] All 13 do.
- [ ] None.
"""
    assert [(each.kind, each.line) for each in listed(text)] == [
        ("number", 9),
        ("answer", 12),
        ("number", 13),
        ("comparison", 14),
        ("answer", 18),
    ]


def test_the_same_value_written_otherwise_is_not_tried() -> None:
    text = f"{HEAD}It is .2 in 13 lists, as 0.2 and .7 are.\n"
    assert [[each.other for each in place.changes] for place in places(text) if place.said == ".2"] == [
        [".3", ".1", ".7"]
    ]


def test_an_answer_is_tried_one_lower_too() -> None:
    text = f"{HEAD}\n## Question: How many of them are there?\nanswer: 1\nwrong 2: No.\nwrong 3: No.\n"
    assert "0 in place of 1 (11:9)" in [change for each in listed(text) for change in each.unnoticed]


def test_two_values_of_a_sentence_are_exchanged() -> None:
    text = f"{HEAD}early has .67, late has .33 at P@1.\n"
    place = next(each for each in places(text) if each.said == ".67")
    assert place.changes[-1].applied(text) == f"{HEAD}early has .33, late has .67 at P@1.\n"


def test_a_lesson_beside_another_one_is_checked_with_it() -> None:
    lesson = parse_lesson(LESSON, "l.md")

    def check(changed: Lesson) -> list[IrviewerError]:
        return [*faults_of(changed)] if "13 students" in changed.text else [IrviewerError("other number")]

    place = next(each for each in places(LESSON) if each.said == "13")
    assert unnoticed([place], LESSON, lesson, faults_of) == [(place, "14")]
    assert not unnoticed([place], LESSON, lesson, check)


def test_what_a_fault_is_about_is_not_left_to_read() -> None:
    """The list called a wrong answer unnoticed, and offered the right one."""
    question = "## Question: How many of the first three documents of early are relevant?"
    text = f"{HEAD}It has 13 students.\n\n{question}\nanswer: 3\n"
    (fault,) = faults_of(parse_lesson(text, "l.md"))
    assert isinstance(fault, ParseError)
    assert fault.text == "answer: 3"
    assert "answer: 3" not in [each.sentence for each in listed(text)]
    assert listed(text)[0].unnoticed == ("14 in place of 13 (9:8)",)


BUNDLED = {lesson.id: lesson for lesson in bundled_course().lessons}


@pytest.mark.random
@pytest.mark.parametrize("name", examples.a_part([*BUNDLED], 7))
def test_what_is_kept_of_a_lesson_changes_no_fault_of_it(name: str) -> None:
    lesson = BUNDLED[name]
    text = read_text(lesson.path)
    others = [read_lesson(file) for file in translations_of(lesson.path)]
    again = CheckAgain(TRIED, others, lesson)
    changes = [change for place in places_of(text, lesson) for change in place.changes]
    tried = random.Random(name).sample(changes, min(len(changes), 3))
    texts = [text, *(change.applied(text) for change in tried)]
    for other in (*texts, text):
        try:
            changed = parse_lesson(other, lesson.path)
        except IrviewerError:
            continue
        alone = [*differences_from_bundled(changed, lesson), *faults_of(changed)]
        alone += [fault for each in others for fault in differences(changed, each)]
        assert {*map(str, again(changed))} == {*map(str, alone)}


FAULTY = (
    LESSON.replace("computed: P@3 = .67", "computed: P@3 = .67\nprinted: P@1 = .5 (A)")
    .replace("swap 2 3", "swap 2 9")
    .replace("wrong .4", "wrong .5: This is the right one.\nwrong .4")
)


@pytest.mark.parametrize("added", ["", "It has 13 lists.", "<!-- a note -->"])
def test_what_is_kept_of_a_lesson_is_not_at_the_line_of_before(added: str) -> None:
    lines = FAULTY.split("\n")
    again = CheckAgain(TRIED)
    assert len({*map(str, again(parse_lesson(FAULTY, "l.md")))}) > 3
    checked = 0
    for place in range(1, len(lines)):
        try:
            lesson = parse_lesson("\n".join([*lines[:place], added, *lines[place:]]), "l.md")
        except IrviewerError:
            continue
        checked += 1
        assert {*map(str, again(lesson))} == {*map(str, faults_of(lesson))}, place
    assert checked > 8


def test_a_trial_is_the_same_in_another_process() -> None:
    lesson = parse_lesson(LESSON, "l.md")
    trial = Trial(lesson, LESSON, CheckAgain(TRIED), (*places(LESSON)[:3],))
    assert missed_in(pickle.loads(pickle.dumps(trial))) == missed_in(trial)


def test_the_command_lists_what_is_left_to_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "l.md"
    file.write_text(f"{HEAD}P@3 is .67, said 13 students.\n", encoding="utf-8", newline="\r\n")
    assert main(["lesson", str(file), "--check", "--unchecked"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{file}:9:18: number not noticed: 14 in place of 13 (9:18) [P@3 is .67, said 13 students.]",
        "of 3 places in the texts the check judges 2; read the others yourself: 1 place, in 1 sentence",
        "1 lesson without faults",
    ]
    assert main(["lesson", str(file), "--check"]) == 0
    assert capsys.readouterr().out.splitlines()[-4:-1] == [
        "read yourself what the check does not judge:",
        f"{file}:9:18: P@3 is .67, said 13 students.",
        "of 3 places in the texts the check judges 2; read the others yourself",
    ]
    file.write_text(f"{HEAD}P@3 is .67.\n", encoding="utf-8")
    assert main(["lesson", str(file), "--check"]) == 0
    assert "judges all 2 places" in capsys.readouterr().out.splitlines()[-2]
    file.write_text(f"{HEAD}{'Said 13 students. ' * (MOST_COUNTED + 1)}\n", encoding="utf-8")
    assert main(["lesson", str(file), "--check"]) == 0
    assert "not every sentence can be checked" in capsys.readouterr().out.splitlines()[-2]
    assert main(["lesson", str(file), "--unchecked"]) == 2
    assert "--unchecked needs --check" in capsys.readouterr().err
