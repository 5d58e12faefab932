"""Judgments whether what a sentence cites supports it, as TREC RAG writes them: read, and written back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from irviewer.errors import OptionError, ParseError
from irviewer.formats.answers.loaded import LABEL_RULE, loaded_system
from irviewer.formats.answers.records import (
    TOPICS,
    Issues,
    Kept,
    first_of,
    first_record,
    first_system,
    left_out,
    of_kind,
    several,
    shape_of,
    system_in,
    text_of,
    topic_text,
    unnamed,
    with_topics,
)
from irviewer.formats.answers.records import listed as listed_labels
from irviewer.formats.format import Format, Head, Loaded, Sniffed, Value, Wanted
from irviewer.formats.load_report import Finding
from irviewer.formats.names import name_of
from irviewer.formats.reading.opener import Opened
from irviewer.model.answers.answered import Answered
from irviewer.model.answers.labels import (
    ODD,
    SUPPORT,
    UNJUDGED,
    Labels,
    codes_of,
    known_labels,
    label_text,
    odd_labels,
)
from irviewer.model.answers.support import Support
from irviewer.model.answers.twice import What
from irviewer.model.arrays import frozen, offsets_of, strings
from irviewer.model.run import Run
from irviewer.translation import tr, trn

TITLE = tr("support of citations")


@dataclass
class SupportColumns:
    """Sentences and citations while they are read."""

    topics: list[str] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    cited_counts: list[int] = field(default_factory=list)
    cited: list[str] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    together: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)

    def topic(self, topic: str) -> None:
        """Begin a topic."""
        self.topics.append(topic)
        self.counts.append(0)

    def sentence(self, text: str, together: Any = None) -> None:
        """Begin a sentence of the last topic; ``together`` is the label of all that it cites."""
        self.together.append(label_text(together))
        self.counts[-1] += 1
        self.texts.append(text)
        self.cited_counts.append(0)

    def citation(self, document: str, place: int, label: Any, others: Any = None) -> None:
        """Add a citation to the last sentence; ``others`` is the label of what else it cites."""
        self.others.append(label_text(others))
        self.cited_counts[-1] += 1
        self.cited.append(document)
        self.places.append(place)
        self.labels.append(label_text(label))

    def built(self, origin: str) -> Support:
        """Return the labels as arrays."""
        return Support(
            tuple(self.topics), frozen(offsets_of(_counts(self.counts))), strings(self.texts),
            frozen(offsets_of(_counts(self.cited_counts))), strings(self.cited), frozen(_counts(self.places)),
            codes_of(self.labels, SUPPORT), strings(self.labels), origin,
            codes_of(self.together, SUPPORT) if any(self.together) else None,
            codes_of(self.others, SUPPORT) if any(self.others) else None,
        )  # fmt: skip


def _counts(sizes: Sequence[int]) -> Any:
    return np.array(sizes, dtype=np.int64)


def _sniff(head: Head) -> Sniffed | None:
    record = first_record(head)
    if record is None or shape_of(record) != "support":
        return None
    return Sniffed("run", tr("sentences with citations and their support"))


def _topic(record: dict[str, Any]) -> str:
    return topic_text(first_of(record, (*TOPICS, "narrative_id")))


def _has_lists(record: dict[str, Any]) -> bool:
    """Return whether what each sentence cites is a list, or nothing."""
    return all(isinstance(each.get("citations") or [], list) for each in record["sentences"] if isinstance(each, dict))


def _differ_in(record: dict[str, Any], other: dict[str, Any]) -> What:
    """Return in what two records of a topic differ: in the answers, or in labels of the same one."""
    return "answers" if _cited(record) != _cited(other) else "labels"


def _cited(record: dict[str, Any]) -> list[Any]:
    """Return the sentences of a record and what they cite, without what a judge says of it."""
    cited = []
    for sentence in record["sentences"]:
        own = sentence if isinstance(sentence, dict) else {"text": sentence}
        listed = own.get("citations")
        cited.append((own.get("text"), [
            each.get("reference") if isinstance(each, dict) else each
            for each in (listed if isinstance(listed, list) else [listed])
        ]))  # fmt: skip
    return cited


def _read(opened: Opened, wanted: Wanted) -> Loaded:
    issues = Issues()
    records = of_kind(
        opened, issues, lambda record: shape_of(record) == "support", tr("the file has no support of citations")
    )
    systems = list(dict.fromkeys(system_in(record) for _, record in records))
    system = first_system(systems, wanted.part, opened)
    columns = SupportColumns()
    kept: Kept[dict[str, Any]] = Kept(
        opened, wanted.duplicates, issues, lambda record: record["sentences"], _differ_in, system
    )
    no_list: ParseError | None = None
    for line, record in with_topics(
        opened, issues, records, lambda each: _topic(each[1]), lambda each: each[0],
        tr("the support has no topic (topic_id)"),
    ):  # fmt: skip
        if system_in(record) != system:
            continue
        if _has_lists(record):
            kept.add(_topic(record), line, record)
        else:
            no_list = no_list or ParseError(opened.path, tr("{name} is not a list", name="citations"), line=line)
            issues.add("no list", line)
    if no_list is not None and not kept.by_topic:
        raise no_list
    for topic, (line, record) in kept.by_topic.items():
        columns.topic(topic)
        for sentence in record["sentences"]:
            own = sentence if isinstance(sentence, dict) else {"text": sentence}
            columns.sentence(text_of(own.get("text")), own.get("support"))
            for citation in own.get("citations") or []:
                about = citation if isinstance(citation, dict) else {"reference": citation}
                if not text_of(about.get("reference")):
                    issues.add("nowhere", line)
                place = about.get("citationID")
                columns.citation(text_of(about.get("reference")), place if isinstance(place, int) else -1,
                                 about.get("support"), about.get("others"))  # fmt: skip
    support = replace(
        columns.built(opened.path), twice=kept.twice("answers"), relabelled=kept.twice("labels"), kept=kept.policy
    )
    answered = Answered(system, support=support)
    nameless = unnamed(system, True, wanted.name or name_of(opened.path))
    findings = [*several(systems, system, wanted.part), *nameless, *left_out(issues), *kept.findings()]
    unknown = odd_labels(codes_of(joint := [*columns.together, *columns.others], SUPPORT), strings(joint))
    if unknown:
        text = tr("labels of several citations together that no rule knows: {labels}; {rule}; known are {known}",
                  labels=listed_labels(unknown), rule=LABEL_RULE, known=known_labels(SUPPORT))  # fmt: skip
        findings.append(Finding(text, sum(unknown.values())))
    if issues.counts.get("no list"):
        text = trn("the citations in {n:,} record are no list: it is left out",
                   "the citations in {n:,} records are no lists: they are left out",
                   issues.counts["no list"])  # fmt: skip
        findings.append(issues.finding("no list", text, everywhere=True))
    return loaded_system(opened, wanted, answered, TITLE, [*findings, *without_reference(issues)])


def without_reference(issues: Issues) -> list[Finding]:
    """Return the note about judged citations of no known document."""
    if not (nowhere := issues.counts.get("nowhere")):
        return []
    text = trn("{n:,} citation has no reference: it is kept, and leads nowhere",
               "{n:,} citations have no reference: they are kept, and lead nowhere", nowhere)  # fmt: skip
    return [issues.finding("nowhere", text)]


def _written(name: str, labels: Labels | None, row: int) -> dict[str, str]:
    """Return a label of several citations as a member of a record; nothing for one that nobody gave."""
    return {} if labels is None or labels[row] == UNJUDGED else {name: "?" if labels[row] == ODD else str(labels[row])}


def _write(value: Value) -> bytes:
    answered = value.answered if isinstance(value, Run) else None
    if answered is None or answered.support is None:
        raise OptionError(tr("this format holds the support of citations, and the value has none"))
    support = answered.support
    texts, cited, labels = support.texts.to_pylist(), support.cited.to_pylist(), support.label_texts.to_pylist()
    places = support.places.tolist()
    lines = []
    for place, topic in enumerate(support.topics):
        first, last = int(support.offsets[place]), int(support.offsets[place + 1])
        sentences = []
        for sentence in range(first, last):
            start, stop = int(support.citation_offsets[sentence]), int(support.citation_offsets[sentence + 1])
            citations = [
                {
                    **({} if places[row] < 0 and cited[row] else {"citationID": places[row]}),
                    "reference": cited[row],
                    "support": labels[row],
                    **_written("others", support.others, row),
                }
                for row in range(start, stop)
            ]
            sentences.append({"sentenceID": sentence - first, "text": texts[sentence],
                              **_written("support", support.together, sentence), "citations": citations})  # fmt: skip
        record = {"topic_id": topic, "narrative_id": topic, "run_id": answered.system or value.name,
                  "sentences": sentences}  # fmt: skip
        lines.append(json.dumps(record, ensure_ascii=False))
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass")


FORMAT = Format("support", TITLE, ("run",), _sniff, _read, _write, keeps=frozenset({"queries", "scores"}))
