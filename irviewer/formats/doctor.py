"""The file doctor: what is odd in a file, what was done about it, and the choices a person has, as data.

A choice is made by reading the file again under a ``ReadOptions``; nothing is ever treated that was not asked for."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from irviewer.errors import OptionError
from irviewer.formats.classic.smart_judgments import READINGS
from irviewer.formats.duplicates import POLICIES, DuplicatePolicy
from irviewer.formats.format import Loaded
from irviewer.formats.load_report import Finding, LoadReport, run_facts
from irviewer.model.matching.id_matching import found_documents, matched, proposals, rule_title
from irviewer.model.matching.query_matching import query_proposals, renamed_queries, with_renamed_queries
from irviewer.model.qrels import Qrels
from irviewer.model.rankings.chunk_rollup import ROLLUPS, TITLES, Rollup, rolled_up_by
from irviewer.model.run import Run

MOST_ELSEWHERE = 3
"""So many qrels of other collections are offered."""

MOST_PARTS = 20
"""So many runs of one file are offered as choices; any other can be named."""


@dataclass(frozen=True)
class ReadOptions:
    """How a file is read where a person chose: what becomes of duplicates, by which rule the ids of a run are made
    those of the qrels (see ``id_matching``), and how documents that the rule joins are rolled up; as which kind and
    format it is taken whatever its content says, and which of several runs in it; by which rule its query ids are made
    those of the qrels (see ``query_matching``)."""

    duplicates: DuplicatePolicy = "refuse"
    ids: str | None = None
    rollup: Rollup | None = None
    kind: str | None = None
    format: str | None = None
    part: str | None = None
    queries: str | None = None

    def __bool__(self) -> bool:
        """True where anything was chosen."""
        return self != ReadOptions()

    @property
    def arguments(self) -> str:
        """The options of the command line that say the same."""
        told = (("--kind", self.kind), ("--from", self.format), ("--part", self.part))
        parts = [f"{name} {shlex.quote(value)}" for name, value in told if value is not None]
        parts += [] if self.duplicates == "refuse" else [f"--duplicates {self.duplicates}"]
        parts += [] if self.queries is None else [f"--query-ids {shlex.quote(self.queries)}"]
        parts += [] if self.ids is None else [f"--ids {shlex.quote(self.ids)}"]
        parts += [] if self.rollup is None else [f"--rollup {self.rollup}"]
        return " ".join(parts)

    @property
    def words(self) -> tuple[str, ...]:
        """What was chosen, each a short sentence."""
        told = " ".join(one for one in (self.format, self.kind) if one is not None)
        words = [f"read as {told}, as you said"] if told else []
        words += [] if self.part is None else [f"{self.part} read of several"]
        words += [] if self.duplicates == "refuse" else [f"of duplicates the {self.duplicates} one kept"]
        words += [] if self.queries is None else [f"query ids by the rule {self.queries}"]
        words += [] if self.ids is None else [f"ids by the rule {self.ids}"]
        words += [] if self.rollup is None else [f"chunks rolled up by the {_SCORES[self.rollup]}"]
        return tuple(words)


_SCORES: dict[Rollup, str] = {"first": "first one's score", "best": "best score", "sum": "sum of scores"}


@dataclass(frozen=True)
class Option:
    """One answer: what it does, the options to read the file under, and whether that is how it was read."""

    title: str
    read_options: ReadOptions
    chosen: bool = False


@dataclass(frozen=True)
class Choice:
    """What can be decided about a file: ``topic`` as a finding has it, the question, the answers."""

    topic: str
    question: str
    options: tuple[Option, ...]


@dataclass(frozen=True)
class Diagnosis:
    """A file's account and the choices there are."""

    report: LoadReport
    choices: tuple[Choice, ...] = ()

    def lines(self) -> list[str]:
        """The report, then each choice with the options of the command line."""
        lines = self.report.lines()
        for choice in self.choices:
            lines.append(f"  ? {choice.question}")
            shown = [(_own_arguments(choice, option) or "(nothing)", option) for option in choice.options]
            width = max(len(arguments) for arguments, _ in shown)
            for arguments, option in shown:
                chosen = "  ← as read here" if option.chosen else ""
                lines.append(f"      {arguments.ljust(width)}  {option.title}{chosen}")
        return lines


def _own_arguments(choice: Choice, option: Option) -> str:
    """What to say for this choice alone."""
    own = option.read_options
    if choice.topic == "duplicates":
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
    """What a file held (read under ``read_options.duplicates``) with a run's ids made those of the qrels and rolled up.
    Its report says what was done.

    Raises OptionError where there are no qrels, or where the rule joins documents and no roll-up was chosen."""
    if read_options.ids is None and read_options.rollup is None and read_options.queries is None:
        return loaded
    if not isinstance(loaded.value, Run):
        raise OptionError(f"{loaded.report.path}: ids are matched and rolled up for runs, this is {loaded.kind}")
    if qrels is None:
        raise OptionError(f"{loaded.report.path}: there are no qrels to match the ids with")
    run, findings = loaded.value, list(loaded.report.findings)
    if read_options.queries is not None:
        run, finding = requeried_run(run, qrels, read_options.queries)
        findings.append(finding)
    if read_options.ids is not None or read_options.rollup is not None:
        run, finding = treated_run(run, qrels, read_options.ids, read_options.rollup)
        findings.append(finding)
    # Counts of the file are of what is left now.
    facts = dict(run_facts(run))
    told = tuple((name, facts.get(name, value)) for name, value in loaded.report.facts)
    report = replace(loaded.report, facts=told, findings=tuple(findings))
    return replace(loaded, value=run, report=report)


def requeried_run(run: Run, qrels: Qrels, rule: str) -> tuple[Run, Finding]:
    """A run whose query ids are made those of the qrels by a rule, and what to say of it. Raises OptionError."""
    found = len(renamed_queries(run, qrels, rule))
    total = len(run.query_ids)
    text = f"query ids by the rule {rule} ({rule_title(rule)}): {found:,} of {total:,} made those of the qrels"
    return with_renamed_queries(run, qrels, rule), Finding(text, found, topic="queries")


def treated_run(run: Run, qrels: Qrels, ids: str | None, rollup: Rollup | None) -> tuple[Run, Finding]:
    """A run under an id rule, rolled up where that was chosen, and what to say of it. Raises OptionError."""
    if ids is None:
        raise OptionError(
            "to roll up, say which ids are one document: --ids chunk, or another rule with chunk or number"
        )
    result = matched(run, qrels, ids) if rollup is None else rolled_up_by(run, qrels, ids, rollup)
    before, _ = found_documents(run, qrels)
    after, judged = found_documents(result, qrels)
    text = (
        f"ids by the rule {ids} ({rule_title(ids)}): {after:,} of {judged:,} judged documents are found, "
        f"{before:,} without it"
    )
    if rollup is not None:
        text += f"; {len(run):,} rows rolled up to {len(result):,}: {TITLES[rollup]}"
    return result, Finding(text, after, topic="ids")


def diagnose(loaded: Loaded, qrels: Qrels | None = None, read_options: ReadOptions | None = None) -> Diagnosis:
    """The account of a file that was read under read options, a run's also against the qrels, and what can be chosen.
    Of a run of millions of lines it takes seconds."""
    now = read_options or ReadOptions()
    return diagnose_value(loaded.value if isinstance(loaded.value, Run) else None, loaded.report, qrels, now)


def diagnose_value(
    run: Run | None,
    report: LoadReport,
    qrels: Qrels | None,
    now: ReadOptions,
    heard: Callable[[float], None] | None = None,
) -> Diagnosis:
    """The same from a report, and the run it is of (None for other kinds). ``heard`` is told the share that is done,
    and ends the work by raising."""
    choices = []
    if now.duplicates != "refuse" or any(one.topic == "duplicates" for one in report.findings):
        choices.append(duplicates_choice(now))
    for one in report.findings:
        choices += [_codes_choice(now)] if one.topic == "codes" else []
        choices += [scale_choice(now)] if one.topic == "scale" else []
        choices += [_part_choice(one.names, now)] if one.topic == "part" and one.names else []
    if run is not None and qrels is not None:
        report = report.with_qrels(run, qrels)
        choices += [*_queries_choice(run, qrels, now, heard), *_ids_choice(run, qrels, now, heard)]
    return Diagnosis(report, tuple(choices))


def repair(run: Run, qrels: Qrels, now: ReadOptions | None = None) -> Option | None:
    """The one choice that makes most ids those of the qrels, beside how the file is read ``now``: of chunks the best
    counts for its document; None where no rule would."""
    now = now or ReadOptions()
    choices = _queries_choice(run, qrels, now, None) if now.queries is None else []
    choices += _ids_choice(run, qrels, now, None) if now.ids is None else []
    options = [option for choice in choices for option in choice.options if not option.chosen]
    if not options:
        return None
    best = (
        replace(options[0].read_options, rollup="best") if options[0].read_options.rollup else options[0].read_options
    )
    return next((one for one in options if one.read_options == best), options[0])


def diagnose_elsewhere(run: Run, report: LoadReport, others: Sequence[Qrels], now: ReadOptions) -> Diagnosis:
    """The same for a run that shares no query with any qrels at hand: the qrels that its queries would be those of by
    another way of writing ids."""
    found = [(one, qrels) for qrels in others for one in query_proposals(run, qrels)]
    found.sort(key=lambda pair: -pair[0].after)
    options = tuple(
        Option(f"{one}, of {qrels.name}", replace(now, queries=one.rule)) for one, qrels in found[:MOST_ELSEWHERE]
    )
    if not options:
        return diagnose_value(None, report, None, now)
    plain = Option("the query ids as they stand in the file", now, chosen=True)
    choice = Choice("queries", "the query ids would be those of qrels that are open", (plain, *options))
    rest = diagnose_value(None, report, None, now)
    return Diagnosis(rest.report, (*rest.choices, choice))


def duplicates_choice(now: ReadOptions) -> Choice:
    """What can become of documents that stand twice for a query."""
    titles = {
        "refuse": "refuse the file",
        "first": "keep the first in the file",
        "last": "keep the last in the file",
        "best": "keep the highest score or grade",
    }
    options = tuple(Option(titles[one], replace(now, duplicates=one), now.duplicates == one) for one in POLICIES)
    return Choice("duplicates", "documents stand twice for a query: which one counts?", options)


def scale_choice(now: ReadOptions) -> Choice:
    """What judgments can be that may be grades or Cranfield's codes."""
    titles = {
        "msmarco": "grades: more is better, as the numbers stand",
        "cranfield": "Cranfield's codes: 1 is best, grade = 5 - code",
    }
    options = tuple(
        Option(title, replace(now, kind="qrels", format=name), now.format == name) for name, title in titles.items()
    )
    return Choice("scale", "are these grades, or codes that run backwards?", options)


def undecided(topic: str) -> Choice:
    """The choice about a file that was refused, by the topic of its error."""
    return scale_choice(ReadOptions()) if topic == "scale" else duplicates_choice(ReadOptions())


def _codes_choice(now: ReadOptions) -> Choice:
    options = tuple(
        Option(words, replace(now, format=name), (now.format or "cranfield") == name)
        for name, (_, _, words) in READINGS.items()
    )
    return Choice("codes", "nobody explained the code -1: what is it?", options)


def _part_choice(names: tuple[str, ...], now: ReadOptions) -> Choice:
    shown = names[:MOST_PARTS] if now.part in (None, *names[:MOST_PARTS]) else (*names[: MOST_PARTS - 1], now.part)
    options = tuple(Option(str(one), replace(now, part=one), (now.part or names[0]) == one) for one in shown)
    more = f" (the first {MOST_PARTS} of {len(names):,})" if len(names) > MOST_PARTS else ""
    return Choice("part", f"the file holds several{more}: which one is read?", options)


def _queries_choice(
    run: Run, qrels: Qrels, now: ReadOptions, heard: Callable[[float], None] | None
) -> list[Choice]:  # fmt: skip
    if now.queries is not None:
        plain = Option("the query ids as they stand in the file", replace(now, queries=None))
        used = Option(rule_title(now.queries), now, chosen=True)
        return [Choice("queries", "the query ids were made those of the qrels", (plain, used))]
    found = query_proposals(run, qrels)
    if not found:
        return []
    options = [Option(str(one), replace(now, queries=one.rule)) for one in found]
    if now.ids is None:
        # Where documents are written otherwise, too, neither rule alone makes one match: both are offered as one.
        queries = with_renamed_queries(run, qrels, found[0].rule)
        both = _id_options(queries, qrels, replace(now, queries=found[0].rule), heard)
        options = [*(replace(one, title=f"{found[0]}; {one.title}") for one in both), *options]
    plain = Option("the query ids as they stand in the file", now, chosen=True)
    return [Choice("queries", "more query ids would be those of the qrels", (plain, *options))]


def _id_options(run: Run, qrels: Qrels, now: ReadOptions, heard: Callable[[float], None] | None) -> list[Option]:
    none: tuple[Rollup | None, ...] = (None,)
    return [
        Option(_titled(str(one), way), replace(now, ids=one.rule, rollup=way))
        for one in proposals(run, qrels, progress=heard)
        for way in (ROLLUPS if one.joined else none)
    ]


def _ids_choice(
    run: Run, qrels: Qrels, now: ReadOptions, heard: Callable[[float], None] | None
) -> list[Choice]:  # fmt: skip
    if now.ids is not None:
        plain = Option("the ids as they stand in the file", replace(now, ids=None, rollup=None))
        ways = [now.rollup] if now.rollup is None else [*ROLLUPS]
        used = [Option(_titled(rule_title(now.ids), way), replace(now, rollup=way), way == now.rollup) for way in ways]
        return [Choice("ids", "the ids were made those of the qrels", (plain, *used))]
    options = _id_options(run, qrels, now, heard)
    if not options:
        return []
    plain = Option("the ids as they stand in the file", now, chosen=True)
    return [Choice("ids", "more document ids would match the qrels'", (plain, *options))]


def _titled(title: str, way: Rollup | None) -> str:
    return title if way is None else f"{title}; {TITLES[way]}"
