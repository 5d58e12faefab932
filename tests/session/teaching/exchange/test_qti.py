"""The questions of a course as a QTI package: a small processor of QTI's responses, written here, marks each answer as
the window does, with the same reasons."""

from __future__ import annotations

import io
import os
import re
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest
from PIL import Image

from irviewer.cli.main import main
from irviewer.formats.lessons.course_folder import bundled_course
from irviewer.formats.lessons.lesson_file import parse_lesson, read_lesson
from irviewer.model.lessons.course import Course, course_of
from irviewer.rendering.lesson_text import plain_of
from irviewer.session.teaching.answers import answered, chosen, number_in, right_number
from irviewer.session.teaching.exchange.keys import Keys
from irviewer.session.teaching.exchange.qti import qti_package

QTI, PACKAGE = "{http://www.imsglobal.org/xsd/imsqti_v2p1}", "{http://www.imsglobal.org/xsd/imscp_v1p1}"
COURSE = bundled_course("en")


def opened(course: Course) -> dict[str, Element]:
    """The documents of a package by their names; every file of it is in the manifest, and none else."""
    with zipfile.ZipFile(io.BytesIO(qti_package(course))) as archive:
        names = set(archive.namelist())
        documents = {name: ElementTree.fromstring(archive.read(name)) for name in names if name.endswith(".xml")}
    manifest = documents.pop("imsmanifest.xml")
    listed = [each.get("href") for each in manifest.iter(f"{PACKAGE}file")]
    assert set(listed) == names - {"imsmanifest.xml"}
    assert [each.get("href") for each in manifest.iter(f"{PACKAGE}resource")] == list(dict.fromkeys(
        name for name in listed if name is not None and name.endswith(".xml")))  # fmt: skip
    return documents


def _outside_formulas(element: Element) -> Iterator[str]:
    """Yield the texts of an element that stand in no formula."""
    if not element.tag.endswith("}math"):
        yield element.text or ""
        for child in element:
            yield from _outside_formulas(child)
            yield child.tail or ""


def _reason(text: str) -> str:
    """Return the words of a reason outside its formulas, which are written as MathML."""
    return " ".join(plain_of(re.sub(r"\$[^$]+\$", "", text)).split())


class Processor:
    """Marks a response by an item's rules: equal, match, member, stringMatch and or."""

    def __init__(self, item: Element, response: Sequence[str]) -> None:
        self.item, self.response = item, list(response)
        self.score, self.feedback = 0.0, []  # type: float, list[str]
        for condition in item.iterfind(f"{QTI}responseProcessing/{QTI}responseCondition"):
            for branch in condition:
                rules = list(branch)
                if branch.tag == f"{QTI}responseElse" or self.holds(rules.pop(0)):
                    for rule in rules:
                        self.set(rule)
                    break

    @property
    def reasons(self) -> list[str]:
        texts = {each.get("identifier"): each for each in self.item.iterfind(f"{QTI}modalFeedback")}
        return [" ".join("".join(_outside_formulas(texts[name])).split()) for name in self.feedback]

    def set(self, rule: Element) -> None:
        values = [each.text or "" for each in rule.iter(f"{QTI}baseValue")]
        if rule.get("identifier") == "SCORE":
            self.score = float(values[0])
        else:
            self.feedback += values

    def holds(self, test: Element) -> bool:
        name, values = test.tag.removeprefix(QTI), [each.text or "" for each in test.iter(f"{QTI}baseValue")]
        if name == "or":
            return any(self.holds(each) for each in test)
        if name == "equal":
            above = float((test.get("tolerance") or "0 0").split()[1])
            return abs(float(self.response[0]) - float(values[0])) <= above + 1e-12
        if name == "stringMatch":
            return self.response[0].casefold() == values[0].casefold()
        if name == "match" and not values:
            right = [
                each.text for each in self.item.iterfind(f"{QTI}responseDeclaration/{QTI}correctResponse/{QTI}value")
            ]
            return sorted(self.response) == sorted(map(str, right))
        return values[0] in self.response


def items_of(course: Course) -> list[tuple[object, ...]]:
    documents, keys = opened(course), Keys()
    return [
        (documents[f"L{number}Q{key.place}.xml"], key)
        for number, lesson in enumerate(course.lessons, start=1)
        for key in keys.of(lesson)
    ]


@pytest.mark.slow
def test_every_answer_of_the_course_is_marked_as_in_the_window() -> None:
    marked = 0
    for item, key in items_of(COURSE):
        question, computed = key.question, key.computed
        if question.choices:
            picks = [[n] for n in range(len(question.choices))]
            picks.append([n for n, choice in enumerate(question.choices) if choice.right])
            for picked in picks:
                given = chosen(question, picked, 1)
                done = Processor(item, [f"C{n + 1}" for n in picked])
                assert done.score == question.points * given.right, question.title
                reasons = {_reason(question.choices[n].reason) for n in picked}
                assert reasons - {""} <= set(done.reasons)
                marked += 1
            continue
        wanted = right_number(question, computed)
        texts = [*question.spellings, *(each.answer for each in question.wrong), "-3" if wanted is not None else "no"]
        for text in texts if wanted is None else [repr(wanted), *texts]:
            value = number_in(text)
            if wanted is not None and value is None:
                continue
            given = answered(question, text, computed, 1)
            done = Processor(item, [text if wanted is None else repr(value)])
            assert done.score == question.points * given.right, (question.title, text)
            if not given.rounded:
                assert done.reasons == [_reason(given.reason)] * bool(given.reason)
            marked += 1
    assert marked > 200


LESSON = """---
title: T & <b>
rankings: 1 0 1 | R=4
---
![sets](a b.png)

## Question: What is $P@3$?
ask: P@3
points: 2.5
within: 0
hint: Count.

| a | b |
|--:|---|
| 1 | 2 |

See ![two sets](<a b.png>) \x0b<script>.

## Question: Which?
order: kept

- [x] a & b
- [x] $\\frac{1}{2}$
- [ ] neither

## Question: Who?
answer: Cleverdon | C.
"""


@pytest.fixture
def course(tmp_path: Path) -> Course:
    Image.new("RGB", (9, 9)).save(tmp_path / "a b.png")
    (tmp_path / "l.md").write_text(LESSON.replace("![sets](a b.png)", "![sets](<a b.png>)"), encoding="utf-8")
    return course_of(read_lesson(tmp_path / "l.md"))


def test_an_item_has_its_points_table_formula_and_picture(course: Course) -> None:
    documents = opened(course)
    number, choice, word = (documents[f"L1Q{n}.xml"] for n in (1, 2, 3))
    kinds = [each.find(f"{QTI}responseDeclaration").attrib for each in (number, choice, word)]
    assert [(kind["baseType"], kind["cardinality"]) for kind in kinds] == [
        ("float", "single"), ("identifier", "multiple"), ("string", "single"),
    ]  # fmt: skip
    assert Processor(number, [repr(2 / 3)]).score == 2.5
    assert number.findtext(f".//{QTI}outcomeDeclaration[@identifier='MAXSCORE']//{QTI}value") == "2.5"
    assert [row.tag for row in number.iter(f"{QTI}tr")]
    assert all(child.tag != f"{QTI}tr" for table in number.iter(f"{QTI}table") for child in table)
    assert not [each for each in number.iter() if "style" in each.attrib]
    assert len(list(number.iter(f"{QTI}img"))) == 1
    assert "<script>" in "".join(number.itertext())
    assert choice.find(f".//{QTI}choiceInteraction").attrib["shuffle"] == "false"
    assert list(choice.iter("{http://www.w3.org/1998/Math/MathML}mfrac"))
    assert Processor(word, ["cleverdon"]).score == Processor(word, ["c."]).score == 1
    assert qti_package(course) == qti_package(course)


def test_the_command_writes_the_package(tmp_path: Path) -> None:
    assert main(["lesson", "b2", "--qti", str(tmp_path / "q.zip")]) == 0
    lesson = COURSE.lesson("b2")
    assert lesson is not None
    assert (tmp_path / "q.zip").read_bytes() == qti_package(course_of(lesson))
    without = parse_lesson("---\ntitle: T\nrankings: 1 0\n---\nText.\n")
    assert opened(course_of(without)) == {}


def test_a_lesson_about_many_queries_is_a_package_too() -> None:
    lesson = COURSE.lesson("significance")
    assert lesson is not None
    for item in opened(course_of(lesson)).values():
        assert "".join(item.itertext()).count(".30") >= 10  # the values of its queries


THIRD, THIRD_PACKAGE = (
    "{http://www.imsglobal.org/xsd/imsqtiasi_v3p0}",
    "{http://www.imsglobal.org/xsd/qti/qtiv3p0/imscp_v1p1}",
)
IN_HTML = {
    "div", "p", "table", "caption", "thead", "tbody", "tr", "th", "td", "strong",
    "em", "code", "pre", "ul", "ol", "li", "img",
}  # fmt: skip
"""What the bodies of items here have of HTML, which QTI 3 names as HTML does."""


def as_second(item: Element) -> Element:
    """An item of QTI 3 under the names of QTI 2.1: the inverse of what the program does, written here."""
    if not item.tag.startswith(THIRD):
        return item
    name = item.tag.removeprefix(THIRD)
    assert name.startswith("qti-") or name in IN_HTML, name
    assert name == name.lower()
    second_item = Element(
        QTI + camel(name.removeprefix("qti-")), {camel(key): value for key, value in item.attrib.items()}
    )
    second_item.text, second_item.tail = item.text, item.tail
    children = list(item)
    if name == "qti-modal-feedback":
        [body] = children
        assert body.tag == f"{THIRD}qti-content-body"
        second_item.text, children = body.text, list(body)
    second_item.extend([as_second(child) for child in children])
    return second_item


def camel(name: str) -> str:
    return name if name.startswith("{") else re.sub("-(.)", lambda letter: letter[1].upper(), name)


def test_a_package_of_version_3_says_the_same(course: Course) -> None:
    for each in (course, course_of(COURSE.lesson("b2")), course_of(COURSE.lesson("choose"))):
        before = opened(each)
        with zipfile.ZipFile(io.BytesIO(qti_package(each, "3.0"))) as archive:
            names = archive.namelist()
            manifest = ElementTree.fromstring(archive.read("imsmanifest.xml"))
            items = {name: ElementTree.fromstring(archive.read(name)) for name in before}
        assert manifest.findtext(f"{THIRD_PACKAGE}metadata/{THIRD_PACKAGE}schemaversion") == "3.0.0"
        resources = list(manifest.iter(f"{THIRD_PACKAGE}resource"))
        assert [each.get("href") for each in resources] == [name for name in names if name in before]
        assert {each.get("type") for each in resources} == {"imsqti_item_xmlv3p0"}
        assert {each.get("href") for each in manifest.iter(f"{THIRD_PACKAGE}file")} == set(names) - {"imsmanifest.xml"}
        for name, item in items.items():
            place = "{http://www.w3.org/2001/XMLSchema-instance}schemaLocation"
            second = as_second(item)
            assert second.attrib.pop(place).startswith(THIRD.strip("{}"))
            before[name].attrib.pop(place)
            assert ElementTree.tostring(second) == ElementTree.tostring(before[name])


@pytest.mark.skipif("IRVIEWER_QTI_SCHEMAS" not in os.environ, reason="needs the schemas of 1EdTech")
@pytest.mark.parametrize("language", ["en", "es"])
def test_the_course_is_valid_by_the_published_schemas(language: str) -> None:
    """The folder has ``qtiv2p1/imsqti_v2p1.xsd`` and ``imscp_v1p1.xsd``, with what they import."""
    etree = pytest.importorskip("lxml.etree")
    folder = Path(os.environ["IRVIEWER_QTI_SCHEMAS"])
    item, manifest = (
        etree.XMLSchema(etree.parse(folder / name)) for name in ("qtiv2p1/imsqti_v2p1.xsd", "imscp_v1p1.xsd")
    )
    with zipfile.ZipFile(io.BytesIO(qti_package(bundled_course(language)))) as archive:
        for name in archive.namelist():
            schema = manifest if name == "imsmanifest.xml" else item
            schema.assertValid(etree.fromstring(archive.read(name)))
