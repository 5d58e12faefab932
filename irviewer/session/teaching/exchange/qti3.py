"""Items and manifests of QTI 2.1 as QTI 3 names them: names with hyphens, and the bodies of feedback in an element.

The format: 1EdTech, Question and Test Interoperability 3.0, Assessment, Section and Item Information Model (2022), and
its package: Content Packaging 1.2 as QTI 3 profiles it."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, SubElement

ITEM_SPACE = "http://www.imsglobal.org/xsd/imsqtiasi_v3p0"
PACKAGE_SPACE = "http://www.imsglobal.org/xsd/qti/qtiv3p0/imscp_v1p1"
ITEM_TYPE = "imsqti_item_xmlv3p0"
"""The type of an item among the resources of a package."""
SCHEMA_PLACE = f"{ITEM_SPACE} https://purl.imsglobal.org/spec/qti/v3p0/schema/xsd/imsqti_asiv3p0_v1p0.xsd"
_RENAMED = frozenset((
    "assessmentItem", "responseDeclaration", "correctResponse", "value", "outcomeDeclaration", "defaultValue",
    "itemBody", "textEntryInteraction", "choiceInteraction", "prompt", "simpleChoice", "responseProcessing",
    "responseCondition", "responseIf", "responseElseIf", "responseElse", "setOutcomeValue", "baseValue", "variable",
    "correct", "match", "member", "equal", "stringMatch", "or", "multiple", "modalFeedback",
))  # fmt: skip
"""The elements of QTI that items here have; all others of its namespace are HTML, and keep their names."""


def item_of(item: Element, space: str) -> Element:
    """Return an item of QTI 2.1, whose namespace is ``space``, as one of QTI 3."""
    name = item.tag.removeprefix(f"{{{space}}}")
    if name == item.tag:  # a formula
        return item
    is_renamed = name in _RENAMED
    named = Element(f"{{{ITEM_SPACE}}}{'qti-' * is_renamed}{_hyphened(name) if is_renamed else name}")
    for attribute, value in item.attrib.items():
        named.set(attribute if attribute.startswith("{") else _hyphened(attribute), value)
    named.text, named.tail = item.text, item.tail
    holder = named
    if name == "modalFeedback":
        holder = SubElement(named, f"{{{ITEM_SPACE}}}qti-content-body")
        holder.text, named.text = named.text, None
    holder.extend([item_of(child, space) for child in item])
    return named


def put_metadata(manifest: Element) -> None:
    """Put what a package of QTI 3 says of itself at the beginning of its manifest."""
    metadata = Element(f"{{{PACKAGE_SPACE}}}metadata")
    SubElement(metadata, f"{{{PACKAGE_SPACE}}}schema").text = "QTI Package"
    SubElement(metadata, f"{{{PACKAGE_SPACE}}}schemaversion").text = "3.0.0"
    manifest.insert(0, metadata)


def _hyphened(name: str) -> str:
    return re.sub("[A-Z]", lambda letter: f"-{letter[0].lower()}", name)
