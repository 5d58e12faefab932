"""The file doctor: the problems of a file, what was done about them, and the user's choices, as data.

A choice is applied by reading the file again with other ``ReadOptions``; nothing is changed that was not requested."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from irviewer.errors import OptionError
from irviewer.formats.classic.smart_judgments import READINGS
from irviewer.formats.duplicates import KEPT_DUPLICATES, POLICIES, DuplicatePolicy
from irviewer.formats.format import Loaded
from irviewer.formats.load_report import Finding, LoadReport, run_facts
from irviewer.model.matching.id_matching import found_documents, matched, proposals, rule_title
from irviewer.model.matching.query_matching import (
    query_proposals,
    query_rule_title,
    with_renamed_queries,
)
from irviewer.model.qrels import Qrels
from irviewer.model.rankings.chunk_rollup import ROLLUPS, TITLES, Rollup, rolled_up_by
from irviewer.model.run import Run
from irviewer.translation import tr

MOST_ELSEWHERE = 3
"""The number of qrels of other collections that are offered."""

QUERY_IDS_UNCHANGED = tr("keep the query ids of the file")
DOCUMENT_IDS_UNCHANGED = tr("keep the document ids of the file")

MOST_PARTS = 20
"""The number of runs of one file that are offered; any other can be named."""


@dataclass(frozen=True)
class ReadOptions:
    """How the user wants a file to be read.

    duplicates  what is done with repeated documents of a query
    ids         the rule that matches a run's document ids with the qrels (see ``id_matching``)
    rollup      how the scores of documents that the rule joins are combined
    kind, format   instead of the detected ones
    part        which of several runs in the file
    queries     the rule that matches the query ids with the qrels (see ``query_matching``)
    columns     the roles of a table's columns, as ``--columns`` has them (see ``column_names.parse_columns``)
    """

    duplicates: DuplicatePolicy = "refuse"
    ids: str | None = None
    rollup: Rollup | None = None
    kind: str | None = None
    format: str | None = None
    part: str | None = None
    queries: str | None = None
    columns: str | None = None

    def __bool__(self) -> bool:
        """True if an option differs from its default."""
        return self != ReadOptions()

    @property
    def arguments(self) -> str:
        """The same options on the command line."""
        options = (("--kind", self.kind), ("--from", self.format), ("--part", self.part))
        parts = [f"{name} {shlex.quote(value)}" for name, value in options if value is not None]
        parts += [] if self.duplicates == "refuse" else [f"--duplicates {self.duplicates}"]
        parts += [] if self.queries is None else [f"--query-ids {shlex.quote(self.queries)}"]
        parts += [] if self.columns is None else [f"--columns {shlex.quote(self.columns)}"]
        parts += [] if self.ids is None else [f"--ids {shlex.quote(self.ids)}"]
        parts += [] if self.rollup is None else [f"--rollup {self.rollup}"]
        return " ".join(parts)

    @property
    def words(self) -> tuple[str, ...]:
        """The options that differ from their defaults, in words."""
        shape = " ".join(word for word in (self.format, self.kind) if word is not None)
        words = [tr("read as {format}, as requested", format=shape)] if shape else []
        words += [] if self.part is None else [tr("{part} is read, one of several", part=self.part)]
        words += [] if self.columns is None else [tr("columns as chosen: {columns}", columns=self.columns)]
        words += [KEPT_DUPLICATES[self.duplicates]] if self.duplicates in KEPT_DUPLICATES else []
        words += [] if self.queries is None else [tr("query ids matched by the rule {rule}", rule=self.queries)]
        words += [] if self.ids is None else [tr("document ids matched by the rule {rule}", rule=self.ids)]
        words += [] if self.rollup is None else [_ROLLED_UP[self.rollup]]
        return tuple(words)


_ROLLED_UP: dict[Rollup, str] = {
    "first": tr("chunks rolled up: the first one's score"),
    "best": tr("chunks rolled up: the best score"),
    "sum": tr("chunks rolled up: the sum of scores"),
}


@dataclass(frozen=True)
class Option:
    """One answer: what it does, the options to read the file with, and whether the file was read with them."""

    title: str
    read_options: ReadOptions
    chosen: bool = False


@dataclass(frozen=True)
class Choice:
    """A choice about a file: ``topic`` as in ``Finding``, the question, the answers."""

    topic: str
    question: str
    options: tuple[Option, ...]


@dataclass(frozen=True)
class Diagnosis:
    """A file's report and the user's choices."""

    report: LoadReport
    choices: tuple[Choice, ...] = ()

    def lines(self) -> list[str]:
        """The report, then each choice with the options of the command line."""
        lines = self.report.lines()
        for choice in self.choices:
            lines.append(f"  ? {choice.question}")
            shown = [(_own_arguments(choice, option) or tr("(nothing)"), option) for option in choice.options]
            width = max(len(arguments) for arguments, _ in shown)
            for arguments, option in shown:
                chosen = "  ← " + tr("as read here") if option.chosen else ""
                lines.append(f"      {arguments.ljust(width)}  {option.title}{chosen}")
        return lines


def _own_arguments(choice: Choice, option: Option) -> str:
    """Return the options of the command line for this choice alone."""
    own = option.read_options
    if choice.topic in ("duplicates", "records"):
        return f"--duplicates {own.duplicates}"
    if choice.topic in ("codes", "part", "scale"):
        return ReadOptions(format=None if choice.topic == "part" else own.format, part=own.part).arguments
    if choice.topic == "queries":
        plain = choice.options[0].read_options
        if (own.ids, own.rollup) != (plain.ids, plain.rollup):
            return ReadOptions(queries=own.queries, ids=own.ids, rollup=own.rollup).arguments
        return ReadOptions(queries=own.queries).arguments
    return ReadOptions(ids=own.ids, rollup=own.rollup).arguments


def treated(loaded: Loaded, read_options: ReadOptions, qrels: Qrels | None) -> Loaded:
    """Return a run that was read with ``read_options``, its ids matched with the qrels and rolled up, and noted in its
    report.

    Raises OptionError without qrels, or if the rule joins documents and no roll-up was chosen."""
    if read_options.ids is None and read_options.rollup is None and read_options.queries is None:
        return loaded
    if not isinstance(loaded.value, Run):
        raise OptionError(
            tr(
                "{path}: only the ids of runs can be matched and rolled up, and this is {kind}",
                path=loaded.report.path,
                kind=loaded.kind,
            )
        )
    if qrels is None:
        raise OptionError(tr("{path}: open qrels first, to match the ids with", path=loaded.report.path))
    run, findings = loaded.value, list(loaded.report.findings)
    if read_options.queries is not None:
        run, finding = requeried_run(run, qrels, read_options.queries)
        findings.append(finding)
    if read_options.ids is not None or read_options.rollup is not None:
        run, finding = treated_run(run, qrels, read_options.ids, read_options.rollup)
        findings.append(finding)
    # The counts are those of the changed run.
    facts = dict(run_facts(run))
    counts = tuple((name, facts.get(name, value)) for name, value in loaded.report.facts)
    report = replace(loaded.report, facts=counts, findings=tuple(findings))
    return replace(loaded, value=run, report=report)


def requeried_run(run: Run, qrels: Qrels, rule: str) -> tuple[Run, Finding]:
    """Return a run whose query ids are matched with the qrels by a rule, and its note. Raises OptionError."""
    renamed = with_renamed_queries(run, qrels, rule)
    count = len({*renamed.query_ids} & {*qrels.query_ids})
    text = tr(
        "query ids matched by the rule {rule} ({title}): {count:,} of {total:,} are now in the qrels",
        rule=rule,
        title=query_rule_title(rule),
        count=count,
        total=len(run.query_ids),
    )
    return renamed, Finding(text, count, topic="queries")


def treated_run(run: Run, qrels: Qrels, ids: str | None, rollup: Rollup | None) -> tuple[Run, Finding]:
    """Return a run with ids matched by a rule, rolled up if that was chosen, and its note. Raises OptionError."""
    if ids is None:
        raise OptionError(
            tr("a roll-up needs a rule that joins ids: add --ids chunk, or another rule with chunk or number")
        )
    result = matched(run, qrels, ids) if rollup is None else rolled_up_by(run, qrels, ids, rollup)
    before, _ = found_documents(run, qrels)
    after, judged = found_documents(result, qrels)
    text = tr(
        "document ids matched by the rule {rule} ({title}): {after:,} of {judged:,} judged documents are found, "
        "{before:,} without it",
        rule=ids,
        title=rule_title(ids),
        after=after,
        judged=judged,
        before=before,
    )
    if rollup is not None:
        rolled_up = tr(
            "{rows:,} rows rolled up to {documents:,}: {title}",
            rows=len(run),
            documents=len(result),
            title=TITLES[rollup],
        )
        text = f"{text}; {rolled_up}"
    return result, Finding(text, after, topic="ids")


def diagnose(loaded: Loaded, qrels: Qrels | None = None, read_options: ReadOptions | None = None) -> Diagnosis:
    """Return the report of a file that was read with ``read_options``, for a run also against the qrels, and the user's
    choices. It takes seconds for a run of millions of lines."""
    now = read_options or ReadOptions()
    return diagnose_value(loaded.value if isinstance(loaded.value, Run) else None, loaded.report, qrels, now)


def diagnose_value(
    run: Run | None,
    report: LoadReport,
    qrels: Qrels | None,
    now: ReadOptions,
    progress: Callable[[float], None] | None = None,
) -> Diagnosis:
    """Return the same from a report and its run (None for other kinds). ``progress`` is called with the share done; an
    exception raised by it ends the work."""
    choices = []
    if any(note.topic == "records" for note in report.findings):
        choices.append(records_choice(now))
    elif now.duplicates != "refuse" or any(note.topic == "duplicates" for note in report.findings):
        choices.append(duplicates_choice(now))
    for note in report.findings:
        choices += [_codes_choice(now)] if note.topic == "codes" else []
        choices += [scale_choice(now)] if note.topic == "scale" else []
        choices += [_part_choice(note.names, now)] if note.topic == "part" and note.names else []
    if run is not None and qrels is not None:
        report = report.with_qrels(run, qrels)
        choices += [*_queries_choice(run, qrels, now, progress), *_ids_choice(run, qrels, now, progress)]
    return Diagnosis(report, tuple(choices))


def repair(run: Run, qrels: Qrels, now: ReadOptions | None = None) -> Option | None:
    """Return the option that matches most ids with the qrels, in addition to ``now``; chunks are rolled up by the best
    score. None if no rule helps."""
    now = now or ReadOptions()
    choices = _queries_choice(run, qrels, now, None) if now.queries is None else []
    choices += _ids_choice(run, qrels, now, None) if now.ids is None else []
    options = [option for choice in choices for option in choice.options if not option.chosen]
    if not options:
        return None
    best = (
        replace(options[0].read_options, rollup="best") if options[0].read_options.rollup else options[0].read_options
    )
    return next((option for option in options if option.read_options == best), options[0])


def diagnose_elsewhere(run: Run, report: LoadReport, others: Sequence[Qrels], now: ReadOptions) -> Diagnosis:
    """Return the same for a run without queries of the opened qrels: the qrels whose queries it has when ids are
    written differently."""
    proposed = [(proposal, qrels) for qrels in others for proposal in query_proposals(run, qrels)]
    proposed.sort(key=lambda pair: -pair[0].after)
    options = tuple(
        Option(
            tr("{rule}, in the qrels {qrels}", rule=str(proposal), qrels=qrels.name),
            replace(now, queries=proposal.rule),
        )
        for proposal, qrels in proposed[:MOST_ELSEWHERE]
    )
    if not options:
        return diagnose_value(None, report, None, now)
    plain = Option(QUERY_IDS_UNCHANGED, now, chosen=True)
    choice = Choice("queries", tr("match the query ids with those of the open qrels?"), (plain, *options))
    rest = diagnose_value(None, report, None, now)
    return Diagnosis(rest.report, (*rest.choices, choice))


def duplicates_choice(now: ReadOptions) -> Choice:
    """Return the choice of what is done with repeated documents of a query."""
    options = _of_policies(POLICIES, now)
    return Choice("duplicates", tr("documents are repeated for a query: which row counts?"), options)


def records_choice(now: ReadOptions) -> Choice:
    """Return the choice of which of two different records of a topic is kept."""
    options = _of_policies([policy for policy in POLICIES if policy != "best"], now)
    return Choice("records", tr("a topic has two different records: which counts?"), options)


def _of_policies(policies: Sequence[DuplicatePolicy], now: ReadOptions) -> tuple[Option, ...]:
    titles = {
        "refuse": tr("refuse the file"),
        "first": tr("keep the first in the file"),
        "last": tr("keep the last in the file"),
        "best": tr("keep the highest score or grade"),
    }
    return tuple(
        Option(titles[policy], replace(now, duplicates=policy), now.duplicates == policy) for policy in policies
    )


def scale_choice(now: ReadOptions) -> Choice:
    """Return the choice for judgments that may be grades or Cranfield's codes."""
    titles = {
        "msmarco": tr("grades: higher is better"),
        "cranfield": tr("Cranfield's codes: 1 is best, grade = 5 - code"),
    }
    options = tuple(
        Option(title, replace(now, kind="qrels", format=name), now.format == name) for name, title in titles.items()
    )
    return Choice("scale", tr("are these grades, or Cranfield's codes, of which 1 is best?"), options)


def undecided(topic: str) -> Choice:
    """Return the choice for a file that was refused, by the topic of the error."""
    choices = {"scale": scale_choice, "records": records_choice}
    return choices.get(topic, duplicates_choice)(ReadOptions())


def _codes_choice(now: ReadOptions) -> Choice:
    options = tuple(
        Option(words, replace(now, format=name), (now.format or "cranfield") == name)
        for name, (_, _, words) in READINGS.items()
    )
    return Choice("codes", tr("how is the undocumented code -1 read?"), options)


def _part_choice(names: tuple[str, ...], now: ReadOptions) -> Choice:
    shown = names[:MOST_PARTS] if now.part in (None, *names[:MOST_PARTS]) else (*names[: MOST_PARTS - 1], now.part)
    options = tuple(Option(str(name), replace(now, part=name), (now.part or names[0]) == name) for name in shown)
    if len(names) > MOST_PARTS:
        question = tr(
            "the file has {count:,} (the first {shown} are listed): which one is read?",
            count=len(names),
            shown=MOST_PARTS,
        )
    else:
        question = tr("the file has several: which one is read?")
    return Choice("part", question, options)


def _queries_choice(
    run: Run, qrels: Qrels, now: ReadOptions, progress: Callable[[float], None] | None
) -> list[Choice]:  # fmt: skip
    if now.queries is not None:
        plain = Option(QUERY_IDS_UNCHANGED, replace(now, queries=None))
        used = Option(query_rule_title(now.queries), now, chosen=True)
        return [Choice("queries", tr("the query ids were matched with the qrels"), (plain, used))]
    proposed = query_proposals(run, qrels)
    if not proposed:
        return []
    options = [Option(str(proposal), replace(now, queries=proposal.rule)) for proposal in proposed]
    if now.ids is None:
        # If the documents' ids differ as well, neither rule alone helps: both are offered as one.
        queries = with_renamed_queries(run, qrels, proposed[0].rule)
        both = _id_options(queries, qrels, replace(now, queries=proposed[0].rule), progress)
        options = [*(replace(option, title=f"{proposed[0]}; {option.title}") for option in both), *options]
    plain = Option(QUERY_IDS_UNCHANGED, now, chosen=True)
    return [Choice("queries", tr("match more query ids with the qrels?"), (plain, *options))]


def _id_options(run: Run, qrels: Qrels, now: ReadOptions, progress: Callable[[float], None] | None) -> list[Option]:
    none: tuple[Rollup | None, ...] = (None,)
    return [
        Option(_titled(str(proposal), rollup), replace(now, ids=proposal.rule, rollup=rollup))
        for proposal in proposals(run, qrels, progress=progress)
        for rollup in (ROLLUPS if proposal.joined else none)
    ]


def _ids_choice(
    run: Run, qrels: Qrels, now: ReadOptions, progress: Callable[[float], None] | None
) -> list[Choice]:  # fmt: skip
    if now.ids is not None:
        plain = Option(DOCUMENT_IDS_UNCHANGED, replace(now, ids=None, rollup=None))
        rollups = [now.rollup] if now.rollup is None else [*ROLLUPS]
        used = [
            Option(_titled(rule_title(now.ids), rollup), replace(now, rollup=rollup), rollup == now.rollup)
            for rollup in rollups
        ]
        return [Choice("ids", tr("the document ids were matched with the qrels"), (plain, *used))]
    options = _id_options(run, qrels, now, progress)
    if not options:
        return []
    plain = Option(DOCUMENT_IDS_UNCHANGED, now, chosen=True)
    return [Choice("ids", tr("match more document ids with the qrels?"), (plain, *options))]


def _titled(title: str, rollup: Rollup | None) -> str:
    return title if rollup is None else f"{title}; {TITLES[rollup]}"
