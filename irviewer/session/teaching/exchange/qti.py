"""The questions of a course as a QTI content package: an item for each, with its rankings, points and reasons.

The format: 1EdTech, Question and Test Interoperability 2.1, Assessment Test, Section and Item Information Model (2012),
and Content Packaging 1.1; those of QTI 3 are made of them. Hints are left out: QTI has no place for what is shown on
request."""

from __future__ import annotations

import hashlib
import io
import re
import zipfile
from html import escape
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from irviewer.model.lessons.course import Course, refuse_same_ids
from irviewer.model.lessons.lesson import Lesson, Question
from irviewer.rendering.lesson_text import Shown, html_of, inline_html_of, plain_of
from irviewer.session.session import Session
from irviewer.session.teaching.answers import CLOSE, number_in, right_number
from irviewer.session.teaching.exchange import qti3
from irviewer.session.teaching.exchange.printing import blank_tables
from irviewer.session.teaching.own_session import opened
from irviewer.translation import as_lectures, language_tag

QTI, PACKAGE = "http://www.imsglobal.org/xsd/imsqti_v2p1", "http://www.imsglobal.org/xsd/imscp_v1p1"
MATH, XSI = "http://www.w3.org/1998/Math/MathML", "http://www.w3.org/2001/XMLSchema-instance"
LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
_PLACES = f"{QTI} http://www.imsglobal.org/xsd/qti/qtiv2p1/imsqti_v2p1.xsd"
_REFUSED = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot hold."""
_KEPT = ("src", "alt")
"""The attributes of HTML that items keep."""


VERSIONS = ("2.1", "3.0")
"""The versions of QTI that packages can have."""


@as_lectures()
def qti_package(course: Course, version: str = "2.1") -> bytes:
    """Return a ZIP file with an item for each question of a course, and its manifest, in one of :data:`VERSIONS`.
    Raises IrviewerError if the files that a lesson names cannot be read, or if two lessons have one id."""
    refuse_same_ids(course)
    files: dict[str, bytes] = {}
    items: dict[str, list[str]] = {}
    for number, lesson in enumerate(course.lessons, start=1):
        session = opened(lesson)
        for place, item in enumerate(lesson.items, start=1):
            if not isinstance(item, Question):
                continue
            session.lessons.show_place(place)
            name = f"L{number}Q{place}"
            text = _xml(_item(name, session, lesson, item, place, version))
            files[f"{name}.xml"] = text
            pictures = [each for each in lesson.pictures if _picture_name(each.name).encode() in text]
            items[f"{name}.xml"] = [_picture_name(each.name) for each in pictures]
            files |= {_picture_name(each.name): each.data for each in pictures}
    files = {"imsmanifest.xml": _xml(_manifest(items, version))} | files
    package = io.BytesIO()
    with zipfile.ZipFile(package, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():  # with one date, so that the same course is the same file
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
    return package.getvalue()


def _manifest(items: dict[str, list[str]], version: str) -> Element:
    is_third = version == "3.0"
    space = qti3.PACKAGE_SPACE if is_third else PACKAGE
    manifest = Element(f"{{{space}}}manifest", identifier="irviewer")
    SubElement(manifest, f"{{{space}}}organizations")
    resources = SubElement(manifest, f"{{{space}}}resources")
    for name, pictures in items.items():
        resource = SubElement(
            resources,
            f"{{{space}}}resource",
            identifier=f"R-{Path(name).stem}",
            type=qti3.ITEM_TYPE if is_third else "imsqti_item_xmlv2p1",
            href=name,
        )
        for file in (name, *pictures):
            SubElement(resource, f"{{{space}}}file", href=file)
    if is_third:
        qti3.put_metadata(manifest)
    return manifest


def _item(name: str, session: Session, lesson: Lesson, question: Question, place: int, version: str) -> Element:
    computed = session.teaching.computed(question)
    wanted = None if question.choices else right_number(question, computed)
    title = _kept(f"{lesson.id} {place}: {plain_of(question.title)}")
    item = Element(_in(QTI, "assessmentItem"), identifier=name, title=title, adaptive="false", timeDependent="false")
    item.set(LANGUAGE, language_tag())
    item.set(_in(XSI, "schemaLocation"), _PLACES)
    kind = "identifier" if question.choices else "string" if wanted is None else "float"
    response = _put(
        item, "responseDeclaration", identifier="RESPONSE", baseType=kind,
        cardinality="multiple" if question.several else "single",
    )  # fmt: skip
    correct = _put(response, "correctResponse")
    rights = [f"C{n}" for n, choice in enumerate(question.choices, start=1) if choice.right]
    for right in rights or [question.spellings[0] if wanted is None else repr(wanted)]:
        _put(correct, "value").text = _kept(right)
    _put(item, "outcomeDeclaration", identifier="SCORE", cardinality="single", baseType="float")
    _value(_put(item, "outcomeDeclaration", identifier="MAXSCORE", cardinality="single", baseType="float"),
           f"{question.points:g}")  # fmt: skip
    _put(item, "outcomeDeclaration", identifier="FEEDBACK", cardinality="multiple", baseType="identifier")
    body = _put(item, "itemBody")
    shown = "".join(blank_tables(session, lesson))
    if question.choices:
        body.append(_html("div", html_of(question.text, IN_ITEMS) + shown))
        _put_choices(body, question)
    else:
        asked = f"<p>{inline_html_of(question.title, IN_ITEMS)}</p>{html_of(question.text, IN_ITEMS)}{shown}"
        body.append(_html("div", asked))
        entry = _put(_put(body, "p"), "textEntryInteraction", responseIdentifier="RESPONSE")
        entry.set("expectedLength", "20")
    _put_processing(item, question, wanted)
    if version == "3.0":
        item = qti3.item_of(item, QTI)
        item.set(_in(XSI, "schemaLocation"), qti3.SCHEMA_PLACE)
    return item


def _value(declaration: Element, text: str) -> None:
    _put(_put(declaration, "defaultValue"), "value").text = text


def _put_choices(body: Element, question: Question) -> None:
    choices = _put(
        body, "choiceInteraction", responseIdentifier="RESPONSE", maxChoices="0" if question.several else "1",
        shuffle="false" if question.keeps_order else "true",
    )  # fmt: skip
    choices.append(_html("prompt", inline_html_of(question.title, IN_ITEMS)))
    for number, choice in enumerate(question.choices, start=1):
        simple = _html("simpleChoice", inline_html_of(choice.text, IN_ITEMS))
        simple.set("identifier", f"C{number}")
        choices.append(simple)


def _put_processing(item: Element, question: Question, wanted: float | None) -> None:
    """Put what marks an answer: points, and which reasons are shown; then the reasons."""
    processing = _put(item, "responseProcessing")
    reasons: dict[str, str] = {}
    condition = _put(processing, "responseCondition")
    _if(condition, "responseIf", _is_right(question, wanted), question.points, "RIGHT" if question.because else "")
    if question.because:
        reasons["RIGHT"] = question.because
    for number, wrong in enumerate(question.wrong, start=1):
        test = _is_answer(wrong.answer, question, wanted)
        if test is not None:
            _if(condition, "responseElseIf", test, 0.0, f"WRONG{number}")
            reasons[f"WRONG{number}"] = wrong.reason
    _set_score(_put(condition, "responseElse"), 0.0)
    for number, choice in enumerate(question.choices, start=1):
        if choice.reason:
            reasons[f"C{number}"] = choice.reason
            chosen = _made("member" if question.several else "match", _base("identifier", f"C{number}"), _variable())
            _if(_put(processing, "responseCondition"), "responseIf", chosen, None, f"C{number}")
    for name, reason in reasons.items():
        feedback = _html("modalFeedback", html_of(reason, IN_ITEMS))
        feedback.attrib.update(outcomeIdentifier="FEEDBACK", showHide="show", identifier=name)
        item.append(feedback)


def _is_right(question: Question, wanted: float | None) -> Element:
    if question.choices:
        correct = Element(_in(QTI, "correct"), identifier="RESPONSE")
        return _made("match", _variable(), correct)
    if wanted is not None:
        return _equal(question, wanted)
    return _made("or", *(_same_text(spelling) for spelling in question.spellings))


def _is_answer(answer: str, question: Question, wanted: float | None) -> Element | None:
    """Return the test for a wrong answer; None where it is no number and one is wanted."""
    value = number_in(answer)
    if wanted is None:
        return _same_text(answer)
    return None if value is None else _equal(question, value)


def _equal(question: Question, value: float) -> Element:
    within = CLOSE if question.within is None else question.within
    equal = _made("equal", _variable(), _base("float", repr(value)))
    if within:
        equal.attrib.update(toleranceMode="absolute", tolerance=f"{within!r} {within!r}")
    else:
        equal.set("toleranceMode", "exact")
    return equal


def _same_text(text: str) -> Element:
    same = _made("stringMatch", _variable(), _base("string", text))
    same.set("caseSensitive", "false")
    return same


def _if(condition: Element, name: str, test: Element, score: float | None, feedback: str) -> None:
    branch = _put(condition, name)
    branch.append(test)
    if score is not None:
        _set_score(branch, score)
    if feedback:
        outcome = _put(branch, "setOutcomeValue", identifier="FEEDBACK")
        before = Element(_in(QTI, "variable"), identifier="FEEDBACK")
        outcome.append(_made("multiple", before, _base("identifier", feedback)))


def _set_score(branch: Element, score: float) -> None:
    _put(branch, "setOutcomeValue", identifier="SCORE").append(_base("float", f"{score:g}"))


def _variable() -> Element:
    return Element(_in(QTI, "variable"), identifier="RESPONSE")


def _base(kind: str, text: str) -> Element:
    element = Element(_in(QTI, "baseValue"), baseType=kind)
    element.text = _kept(text)
    return element


def _made(name: str, *parts: Element) -> Element:
    element = Element(_in(QTI, name))
    element.extend(parts)
    return element


def _put(parent: Element, name: str, **attributes: str) -> Element:
    return SubElement(parent, _in(QTI, name), attributes)


def _html(name: str, html: str) -> Element:
    """Return an element with HTML of this program as QTI has it: rows in a body, few attributes."""
    parsed = ElementTree.fromstring(f"<{name}>{_kept(html)}</{name}>")
    for table in parsed.iter("table"):
        rows = [child for child in table if child.tag == "tr"]
        for row in rows:
            table.remove(row)
        if rows:
            SubElement(table, "tbody").extend(rows)
    _name(parsed, QTI)
    return parsed


def _name(element: Element, space: str) -> None:
    space = MATH if element.tag == "math" else space
    element.tag = _in(space, str(element.tag))
    if space == QTI:
        for attribute in set(element.attrib) - set(_KEPT):
            del element.attrib[attribute]
    for child in element:
        _name(child, space)


def _picture(name: str, alt: str) -> str:
    return f'<img src="{_picture_name(name)}" alt="{escape(alt)}"/>'


def _picture_name(name: str) -> str:
    """Return the name that a picture has in the package: one without folders and signs."""
    return f"{hashlib.sha256(name.encode()).hexdigest()[:12]}{Path(name).suffix.lower()}"


IN_ITEMS = Shown(picture=_picture)


def _in(space: str, name: str) -> str:
    return f"{{{space}}}{name}"


def _kept(text: str) -> str:
    return _REFUSED.sub("\N{REPLACEMENT CHARACTER}", text)


ElementTree.register_namespace("m", MATH)
ElementTree.register_namespace("xsi", XSI)


def _xml(root: Element) -> bytes:
    """Return a document; the namespace of its root is that of names without a prefix."""
    space = root.tag.partition("}")[0] + "}"
    for element in root.iter():
        element.tag = element.tag.removeprefix(space)
    root.set("xmlns", space[1:-1])
    data: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return data
