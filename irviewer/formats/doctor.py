"""The file doctor: what is odd in a file, what was done about it, and the choices a person has, as data.

A choice is made by reading the file again under a ``Treatment``; nothing is ever treated that was not asked for."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace

from irviewer.errors import OptionError
from irviewer.formats.duplicates import POLICIES, DuplicatePolicy
from irviewer.formats.format import Loaded
from irviewer.formats.report import Finding, LoadReport, run_facts
from irviewer.model.id_matching import found_documents, hardly_matches, matched, proposals, rule_title
from irviewer.model.qrels import Qrels
from irviewer.model.rollup import ROLLUPS, TITLES, Rollup, rolled_up_by
from irviewer.model.run import Run


@dataclass(frozen=True)
class Treatment:
    """How a file is read where a person chose: what becomes of duplicates, by which rule the ids of a run are made
    those of the qrels (see ``id_matching``), and how documents that the rule joins are rolled up."""

    duplicates: DuplicatePolicy = "refuse"
    ids: str | None = None
    rollup: Rollup | None = None

    def __bool__(self) -> bool:
        """True where anything was chosen."""
        return self != Treatment()

    @property
    def arguments(self) -> str:
        """The options of the command line that say the same."""
        parts = [] if self.duplicates == "refuse" else [f"--duplicates {self.duplicates}"]
        parts += [] if self.ids is None else [f"--ids {shlex.quote(self.ids)}"]
        parts += [] if self.rollup is None else [f"--rollup {self.rollup}"]
        return " ".join(parts)

    @property
    def words(self) -> tuple[str, ...]:
        """What was chosen, each a short sentence."""
        words = [] if self.duplicates == "refuse" else [f"of duplicates the {self.duplicates} one kept"]
        words += [] if self.ids is None else [f"ids by the rule {self.ids}"]
        words += [] if self.rollup is None else [f"chunks rolled up by the {_SCORES[self.rollup]}"]
        return tuple(words)


_SCORES: dict[Rollup, str] = {"first": "first one's score", "best": "best score", "sum": "sum of scores"}


@dataclass(frozen=True)
class Option:
    """One answer: what it does, the treatment to read the file under, and whether that is how it was read."""

    title: str
    treatment: Treatment
    chosen: bool = False


@dataclass(frozen=True)
class Choice:
    """What can be decided about a file: ``topic`` "duplicates" or "ids", the question, the answers."""

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
    if choice.topic == "duplicates":
        return f"--duplicates {option.treatment.duplicates}"
    return replace(option.treatment, duplicates="refuse").arguments


def treated(loaded: Loaded, treatment: Treatment, qrels: Qrels | None) -> Loaded:
    """What a file held (read under ``treatment.duplicates``) with a run's ids made those of the qrels and rolled up.
    Its report says what was done.

    Raises OptionError where there are no qrels, or where the rule joins documents and no roll-up was chosen."""
    if treatment.ids is None and treatment.rollup is None:
        return loaded
    if not isinstance(loaded.value, Run):
        raise OptionError(f"{loaded.report.path}: ids are matched and rolled up for runs, this is {loaded.kind}")
    if qrels is None:
        raise OptionError(f"{loaded.report.path}: there are no qrels to match the ids with")
    run, finding = treated_run(loaded.value, qrels, treatment.ids, treatment.rollup)
    # Counts of the file are of what is left now.
    facts = dict(run_facts(run))
    told = tuple((name, facts.get(name, value)) for name, value in loaded.report.facts)
    report = replace(loaded.report, facts=told, findings=(*loaded.report.findings, finding))
    return replace(loaded, value=run, report=report)


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


def diagnose(loaded: Loaded, qrels: Qrels | None = None, treatment: Treatment | None = None) -> Diagnosis:
    """The account of a file that was read under a treatment, a run's also against the qrels, and what can be chosen."""
    now = treatment or Treatment()
    return diagnose_value(loaded.value if isinstance(loaded.value, Run) else None, loaded.report, qrels, now)


def diagnose_value(run: Run | None, report: LoadReport, qrels: Qrels | None, now: Treatment) -> Diagnosis:
    """The same from a report, and the run it is of (None for other kinds)."""
    choices = []
    if now.duplicates != "refuse" or any(one.topic == "duplicates" for one in report.findings):
        choices.append(duplicates_choice(now))
    if run is not None and qrels is not None:
        report = report.with_qrels(run, qrels)
        found = _ids_choice(run, qrels, now)
        choices += [] if found is None else [found]
    return Diagnosis(report, tuple(choices))


def duplicates_choice(now: Treatment) -> Choice:
    """What can become of documents that stand twice for a query."""
    titles = {
        "refuse": "refuse the file",
        "first": "keep the first in the file",
        "last": "keep the last in the file",
        "best": "keep the highest score or grade",
    }
    options = tuple(Option(titles[one], replace(now, duplicates=one), now.duplicates == one) for one in POLICIES)
    return Choice("duplicates", "documents stand twice for a query: which one counts?", options)


def _ids_choice(run: Run, qrels: Qrels, now: Treatment) -> Choice | None:
    if now.ids is not None:
        plain = Option("the ids as they stand in the file", replace(now, ids=None, rollup=None))
        ways = [now.rollup] if now.rollup is None else [*ROLLUPS]
        used = [Option(_titled(rule_title(now.ids), way), replace(now, rollup=way), way == now.rollup) for way in ways]
        return Choice("ids", "the ids were made those of the qrels", (plain, *used))
    if not hardly_matches(run, qrels):
        return None
    none: tuple[Rollup | None, ...] = (None,)
    options = [
        Option(_titled(str(one), way), replace(now, ids=one.rule, rollup=way))
        for one in proposals(run, qrels)
        for way in (ROLLUPS if one.joined else none)
    ]
    if not options:
        return None
    return Choice("ids", "the document ids hardly match the qrels', but would", tuple(options))


def _titled(title: str, way: Rollup | None) -> str:
    return title if way is None else f"{title}; {TITLES[way]}"
