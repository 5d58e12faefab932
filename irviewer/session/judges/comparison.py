"""The judges of a collection compared: agreement, confusion of two, systems under each. Results are computed by tasks
and cached; the arithmetic is that of ``analysis.agreement``."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from irviewer.errors import IrviewerError, OptionError
from irviewer.model.arrays import strings
from irviewer.model.judgments.judgment_set import JudgeFacts
from irviewer.model.judgments.overlay import Judgment, now
from irviewer.model.judgments.panel import panel_of
from irviewer.model.qrels import Qrels
from irviewer.model.same import Same
from irviewer.model.workspace import JudgmentSet
from irviewer.session.background import BackgroundResults
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.judges.actions import JudgeService
from irviewer.session.messages import info
from irviewer.session.protocol.in_view import bound_protocol
from irviewer.session.store import Store
from irviewer.session.tasks import PAUSE
from irviewer.session.view import View
from irviewer.session.view_models.judges.agreement import STATISTICS, AgreementViewModel, build_agreement_view_model
from irviewer.session.view_models.judges.confusion import (
    ConfusionViewModel,
    TwoJudges,
    build_confusion_view_model,
    cell_name,
)
from irviewer.session.view_models.judges.corrected_scores import CorrectedViewModel, build_corrected_view_model
from irviewer.session.view_models.judges.systems import SystemsByJudgeViewModel, build_systems_by_judge_view_model
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.analysis.agreement.corrected import CorrectedScores
    from irviewer.analysis.agreement.judge_agreement import AgreementOptions, JudgeAgreement
    from irviewer.analysis.agreement.systems_by_judge import SystemsByJudge
    from irviewer.evaluation.bind import BoundProtocol
    from irviewer.model.judgments.judgment_set import JudgmentSet as Judge

SLOTS = ("agreement", "intervals", "pair", "confusion", "systems", "corrected")
TITLES = {
    "agreement": tr("Comparing the judges"),
    "intervals": tr("Computing intervals of agreement"),
    "pair": tr("Computing intervals of agreement"),
    "confusion": tr("Comparing two judges"),
    "systems": tr("Evaluating the runs under each judge"),
    "corrected": tr("Correcting the scores under a model"),
}
MOST_KEPT = 24
ADJUDICATED = tr("adjudicated")
"""The name of the judge with the grades that the user gives in the Confusion view."""
FEWEST = 2
"""Agreement needs two judges."""


@dataclass(frozen=True, eq=False)
class _Asked:
    """The frozen inputs of a result; ``work`` computes it, on any thread."""

    key: tuple[Hashable, ...]
    work: Callable[[Callable[[float], None] | None], Any]

    def compute(self, progress: Callable[[float], None] | None = None) -> Any:
        """Compute the result."""
        return self.work(progress)


@dataclass(frozen=True)
class WayOut:
    """What helps where a view of judges has nothing to show: the text of its button, and what that does."""

    text: str
    run: Callable[[], object]


class JudgeComparisonService:
    """The judges of the collection in view compared with each other, computed in the background and kept."""

    def __init__(self, store: Store, view: View, judges: JudgeService) -> None:
        self._store = store
        self._cache = store.cache
        self._view = view
        self._judges = judges
        self.results: BackgroundResults[_Asked, Any] = BackgroundResults(
            store, "judges", SLOTS, wanted=self._wanted_of, in_view=self._in_view, title=TITLES.__getitem__,
            most=MOST_KEPT, after=PAUSE, arrived=lambda asked, result: self.results.follow(),
        )  # fmt: skip

    # --- choices ---

    @property
    def reference(self) -> int:
        """The index of the reference: the judge chosen, else the first that may be human, else the first."""
        sets = self._judges.sets
        identities = [judgments.identity for judgments in sets]
        chosen = self._store.state.chosen.judge_reference
        if chosen in identities:
            return identities.index(chosen)
        return next((position for position, judgments in enumerate(sets) if not judgments.facts.is_other), 0)

    @property
    def pair(self) -> tuple[int, int]:
        """The indices of the two judges compared: those chosen, else the reference and the first other."""
        identities = [judgments.identity for judgments in self._judges.sets]
        first, second = self._store.state.chosen.judge_pair
        if first in identities and second in identities and first != second:
            return identities.index(first), identities.index(second)
        reference = self.reference
        return reference, next((position for position in range(len(identities)) if position != reference), reference)

    def set_reference(self, number: int) -> None:
        """Hold the judges against another one; the pair becomes that judge with the judge it was compared with."""
        sets = self._judges.sets
        if not 0 <= number < len(sets):
            return
        first, second = self.pair
        other = second if second != number else first
        self._store.choose(
            judge_reference=sets[number].identity, judge_pair=(sets[number].identity, sets[other].identity)
        )

    def set_pair(self, first: int, second: int) -> None:
        """Choose the two judges to be compared; a judge with itself is no pair."""
        sets = self._judges.sets
        if first != second and 0 <= first < len(sets) and 0 <= second < len(sets):
            state = self._store.state
            chosen = replace(state.chosen, judge_pair=(sets[first].identity, sets[second].identity))
            same = state.chosen.judge_pair == chosen.judge_pair
            self._store.apply(replace(state.with_chosen(chosen), cells=state.cells if same else ()))

    def set_statistic(self, name: str) -> None:
        """Choose the statistic in the cells of the matrix. Raises IrviewerError for an unknown one."""

        if name not in STATISTICS:
            raise IrviewerError(tr("There is no statistic {name!r} of judges.", name=name))
        self._store.apply(replace(self._store.state, agreement=name))

    def go_to(self, tab: str) -> None:
        """Show another tab of Compare, such as "agreement", "confusion" or "judges"."""
        state = self._store.state
        self._store.apply(replace(state, place="compare", tabs={**state.tabs, "compare": tab}))

    def ways_out(self, tab: str) -> tuple[WayOut, ...]:
        """Return what helps where a view of judges ("agreement", "corrected" …) lacks judges or runs."""
        sets, collection = self._judges.sets, self._view.collection

        def asking(command: str, text: str) -> WayOut:
            return WayOut(text, lambda: self._store.asked.emit(command))

        if len(sets) < FEWEST:
            sample = (asking("draw_task", tr("Draw a sample to judge…")),) if tab == "corrected" and sets else ()
            return (asking("open_files", tr("Open judgments…")), *sample)
        if tab in ("judge", "judges", "corrected") and collection is not None and not collection.runs:
            return (asking("open_files", tr("Open runs…")),)
        if tab == "corrected" and self._corrected_trouble():
            return (WayOut(tr("Choose judges in Agreement"), lambda: self.go_to("agreement")),)
        if len({judge.name for judge in sets}) < len(sets):
            return (asking("describe_judge", tr("Describe judge…")),)
        return ()

    # --- results ---

    def agreement_view_model(self) -> AgreementViewModel | None:
        """The Agreement view; None if nothing is open."""
        context = self._view.context
        if context is None:
            return None
        known = self.known_agreement()
        statistic = self._store.state.agreement
        pair = self.pair if len(self._judges.sets) >= FEWEST else (0, 0)
        key = (context, known, statistic, self.reference, pair, tuple(map(Same, self._judges.sets)))
        return self._cache.get(
            "agreement", key,
            lambda: build_agreement_view_model(self._panel_sets(), known, statistic, pair),
        )  # fmt: skip

    def confusion_view_model(self) -> ConfusionViewModel | None:
        """The Confusion view; None if nothing is open."""
        context, collection = self._view.context, self._view.collection
        if context is None or collection is None:
            return None
        from irviewer.views.agreement import PINS, USES

        two, cells, adjudicated = self.known_confusion(), self._store.state.cells, self._adjudicated
        bound = self._bound(context, self.pair[0] if self._judges.sets else -1, USES, PINS)
        key = (
            bound,
            two,
            cells,
            Same(adjudicated),
            Same(collection.documents),
            Same(collection.queries),
            len(self._judges.sets),
        )
        return self._cache.get(
            "confusion", key,
            lambda: build_confusion_view_model(self._judges.sets, two, cells, collection, adjudicated, bound),
        )  # fmt: skip

    def systems_view_model(self) -> SystemsByJudgeViewModel | None:
        """The view Systems by judge; None if nothing is open."""
        context = self._view.context
        if context is None:
            return None
        from irviewer.views.agreement import PINS, USES

        result, labels, sets = self._known("systems"), context.taking_part_labels, self._judges.sets
        systems, failure = (None, "") if result is None else result
        chosen = next((place for place in self.pair if place != self.reference), self.reference) if sets else 0
        bound = self._bound(context, self.reference, (*USES, "alpha"), PINS)
        key = (result, labels, chosen, str(context.measure), tuple(judge.name for judge in sets), bound)
        return self._cache.get(
            "systems-by-judge", key,
            lambda: build_systems_by_judge_view_model(
                [judge.name for judge in sets], systems, labels, str(context.measure), chosen, bound, failure
            ),
        )  # fmt: skip

    def corrected_view_model(self) -> CorrectedViewModel | None:
        """The view Corrected; None if nothing is open."""
        context = self._view.context
        if context is None:
            return None
        from irviewer.views.corrected import PINS, uses_of

        result, labels, trouble = self._known("corrected"), context.taking_part_labels, self._corrected_trouble()
        scores, failure = (None, "") if result is None else result
        human = self._corrected_pair()[0] if self._judges.sets else -1
        bound = self._bound(context, human, uses_of(against=context.baseline is not None), PINS)
        return self._cache.get(
            "corrected-scores", (result, labels, trouble, bound),
            lambda: build_corrected_view_model(scores, trouble or failure, labels, bound),
        )  # fmt: skip

    def _corrected_pair(self) -> tuple[int, int]:
        """Return the indices of the human and of the model: of the pair the one that judged fewer queries is the
        human, whose queries are the sample."""
        first, second = self.pair
        sizes = [len(self._judges.sets[place].qrels.query_ids) for place in (first, second)]
        return (first, second) if sizes[0] <= sizes[1] else (second, first)

    def _corrected_trouble(self) -> str:
        """Return why there are no corrected scores, "" if there may be."""
        sets = self._judges.sets
        if len(sets) < FEWEST or self._view.collection is None:
            return tr(
                "Corrected scores need two judges: a model that judged all queries, and a human who judged some of "
                "them, drawn at random. Judge > Judges > Draw a sample to judge… saves such a sample as a task."
            )
        if not self._view.collection.system_runs:
            return tr("Corrected scores need runs: open the runs of some systems.")
        human, model = (sets[place].judge for place in self._corrected_pair())
        if len(human.qrels.query_ids) >= len(model.qrels.query_ids):
            return tr(
                "{human} judged as many queries as {model}, so there is nothing to correct. Choose a pair of which "
                "one judged a random sample of the queries, in Compare > Agreement.",
                human=human.name, model=model.name,
            )  # fmt: skip
        return ""

    def _corrected_asked(self, context: EvaluationContext, options: AgreementOptions) -> _Asked:
        sets, entries, evaluation = self._judges.sets, context.listed_family, context.asked_options
        human, model = (sets[place].judge for place in self._corrected_pair())
        keys = [entry.key for entry in entries]
        baseline = keys.index(context.baseline) if context.baseline in keys else None
        runs = [entry.run for entry in entries]
        alpha = self._store.state.protocol.inference.alpha
        key = (
            "corrected", human.name, model.name, Same(human.qrels.grades), Same(model.qrels.grades), baseline, alpha,
            options.confidence, options.seed, str(context.measure), evaluation,
            tuple((entry.key, entry.name, Same(entry.run.scores)) for entry in entries),
        )  # fmt: skip

        def work(progress: Callable[[float], None] | None) -> tuple[CorrectedScores | None, str]:
            from irviewer.analysis.agreement.corrected import corrected_scores

            try:
                scores = corrected_scores(
                    human, model, runs, context.measure, baseline=baseline, level=options.confidence, alpha=alpha,
                    evaluation=evaluation, seed=options.seed,
                )  # fmt: skip
            except IrviewerError as failure:
                return None, str(failure)
            return scores, ""

        return _Asked(key, work)

    def set_slopes(self, slopes: bool) -> None:
        """Draw the systems as slopes, or as a scatter plot."""
        self._store.apply(replace(self._store.state, slopes=slopes))

    def choose_cells(self, cells: Sequence[tuple[float, float]]) -> None:
        """Choose cells of the confusion table by their grades (row, column); none means all disagreements."""
        names = tuple(dict.fromkeys(cell_name(row, column) for row, column in cells))
        self._store.apply(replace(self._store.state, cells=names))

    # --- adjudication ---

    @property
    def _adjudicated(self) -> JudgmentSet | None:
        return next((judgments for judgments in self._judges.sets if judgments.name == ADJUDICATED), None)

    @property
    def listed(self) -> int:
        """The row of the Confusion view's list that has the selected document, -1 for none."""
        if self._view.place != "compare" or self._view.tab("compare") != "confusion":
            return -1
        view_model = self.confusion_view_model()
        chosen = self._store.state.chosen
        documents = () if view_model is None else view_model.documents
        matching = (
            row
            for row, document in enumerate(documents)
            if (document.query_id, document.doc_id) == (chosen.query_id, chosen.document_id)
        )
        return next(matching, -1)

    def select(self, row: int) -> None:
        """Select a document of the Confusion view's list, with its query."""
        view_model = self.confusion_view_model()
        context = self._view.context
        if context is not None and view_model is not None and 0 <= row < len(view_model.documents):
            document = view_model.documents[row]
            if document.query_id not in context.query_index:
                return  # the judge in force has not judged this query
            self._store.choose(query_id=document.query_id, document_id=document.doc_id)

    def adjudicate(self, grade: float) -> bool:
        """Give the selected document of the list a grade of the judge "adjudicated", and select the next. The two
        judges stay as they are. False if no document of the list is selected."""
        row = self.listed
        collection, view_model = self._view.collection, self.confusion_view_model()
        if row < 0 or collection is None or view_model is None:
            return False
        document = view_model.documents[row]
        scales = [judgments.scale for judgments in self.chosen_judges()]
        if not any(scale is None or scale.has(grade) for scale in scales):
            text = tr("{grade:g} is on the scale of neither {first} nor {second}. The document was not judged.",
                      grade=grade, first=view_model.names[0], second=view_model.names[1])  # fmt: skip
            self._store.say(info(text))
            return False
        judgment = Judgment(document.query_id, document.doc_id, float(grade), self._judges.assessor(), now())
        present = self._adjudicated
        if present is None:
            first = self._judges.sets[self.pair[0]]
            nothing = np.empty(0, dtype=np.int64)
            qrels = Qrels.from_columns((), nothing, strings([]), np.empty(0), name=ADJUDICATED)
            note = tr("{first} and {second} adjudicated", first=view_model.names[0], second=view_model.names[1])
            present = JudgmentSet(qrels, first.regime, first.chosen, facts=JudgeFacts("human", "", note))
        label = tr("adjudicate {document} for query {query}", document=document.doc_id, query=document.query_id)
        self._judges.put(present.with_overlay(present.overlay.with_judgment(judgment)), label)
        self.select(row + 1)
        return True

    def known_agreement(self) -> JudgeAgreement | None:
        """The agreement of all judges where it is known, with the intervals that are known."""
        base = self._known("agreement")
        if base is None:
            return None
        rows, pair = self._known("intervals"), self._known("pair")
        key = (base, rows, pair, self.reference)
        return self._cache.get("agreement-intervals", key, lambda: self._joined(base, rows, pair))

    def known_confusion(self) -> TwoJudges | None:
        """The chosen pair grade by grade, where it is known."""
        two: TwoJudges | None = self._known("confusion")
        return two

    def known_systems(self) -> SystemsByJudge | None:
        """The runs under each judge, where they are known."""
        result = self._known("systems")
        systems: SystemsByJudge | None = None if result is None else result[0]
        return systems

    def known_corrected(self) -> CorrectedScores | None:
        """The corrected scores, where they are known."""
        result = self._known("corrected")
        scores: CorrectedScores | None = None if result is None else result[0]
        return scores

    def chosen_judges(self) -> tuple[JudgmentSet, JudgmentSet]:
        """The chosen pair of judges."""
        first, second = self.pair
        return self._judges.sets[first], self._judges.sets[second]

    def compared_judges(self) -> tuple[JudgmentSet, JudgmentSet]:
        """The reference, and the judge of the pair that is compared with it."""
        reference = self.reference
        other = next((place for place in self.pair if place != reference), reference)
        return self._judges.sets[reference], self._judges.sets[other]

    # --- within ---

    def _bound(
        self, context: EvaluationContext, first: int, uses: tuple[str, ...], pins: Mapping[str, tuple[Any, str]]
    ) -> BoundProtocol | None:
        """Return what a comparison of judges with the judge ``first`` depends on, as the command and Python bind it;
        None where the protocol names queries that this judge did not judge."""
        protocol, sets = self._store.state.protocol, self._judges.sets
        if not 0 <= first < len(sets):
            return None
        judges = (sets[first], *sets[:first], *sets[first + 1 :])

        def bound() -> BoundProtocol | None:
            try:
                return bound_protocol(context, protocol, uses=uses, pins=pins, judges=judges)
            except OptionError:
                return None

        return self._cache.get(f"judges-protocol-{uses}", (context, protocol, *map(Same, judges)), bound)

    def _joined(self, base: JudgeAgreement, rows: JudgeAgreement | None, pair: JudgeAgreement | None) -> JudgeAgreement:
        whole = base if rows is None else replace(base, low=rows.low, high=rows.high)
        if pair is not None:
            first, second = self.pair
            low = {name: ends.copy() for name, ends in whole.low.items()}
            high = {name: ends.copy() for name, ends in whole.high.items()}
            for row, column in ((first, second), (second, first)):
                for name in low:
                    low[name][row, column] = pair.low[name][row, column]
                    high[name][row, column] = pair.high[name][row, column]
            whole = replace(whole, low=low, high=high)
        from irviewer.analysis.agreement.judge_agreement import with_reference

        return with_reference(whole, self.reference)

    def _known(self, slot: str) -> Any:
        wanted = self._wanted_of(slot)
        return self.results.known(wanted[0]) if wanted else None

    def _in_view(self) -> tuple[str, ...]:
        if self._view.place != "compare":
            return ()
        tab = self._view.tab("compare")
        if tab == "agreement":
            return ("agreement", "intervals", "pair")
        if tab == "confusion":
            return ("confusion",)
        if tab == "corrected":
            return ("corrected",)
        return ("systems",) if tab == "judges" else ()

    def _panel_sets(self) -> tuple[Judge, ...]:
        return tuple(judgments.judge for judgments in self._judges.sets)

    def _options(self) -> AgreementOptions:
        from irviewer.analysis.agreement.judge_agreement import AgreementOptions

        inference = self._store.state.protocol.inference
        return AgreementOptions(self._view.level, "position", inference.samples, inference.seed, inference.confidence)

    def _wanted_of(self, slot: str) -> tuple[_Asked, ...]:
        context, sets = self._view.context, self._judges.sets
        if context is None or len(sets) < FEWEST or len({judgments.name for judgments in sets}) < len(sets):
            return ()
        options = self._options()
        if slot == "corrected":
            return () if self._corrected_trouble() else (self._corrected_asked(context, options),)
        if slot == "confusion":
            return (self._confusion_asked(context, options, _query_ids(context)),)
        of_sets = tuple((judge.identity, judge.name, judge.facts, Same(judge.qrels.grades)) for judge in sets)
        queries = _query_ids(context)
        known = (of_sets, options.level, context.query_set if queries is not None else "")
        judges = self._panel_sets()
        if slot == "agreement":
            plain = replace(options, samples=0)
            return (_Asked((slot, *known), lambda progress: _agreement(judges, queries, plain, progress)),)
        if slot in ("intervals", "pair"):
            base = self._known("agreement")
            if base is None:
                return ()
            reference = self.reference
            pairs = (
                [(reference, position) for position in range(len(sets)) if position != reference]
                if slot == "intervals"
                else [self.pair]
            )
            drawn = (options.samples, options.seed, options.confidence)
            return (
                _Asked(
                    (slot, *known, *drawn, tuple(pairs)),
                    lambda progress: _intervals(base, pairs, options, progress),
                ),
            )
        return self._systems_asked(context, options, queries, known, judges)

    def _confusion_asked(
        self, context: EvaluationContext, options: AgreementOptions, queries: Sequence[str] | None
    ) -> _Asked:
        sets = self._judges.sets
        chosen = [sets[place] for place in self.pair]
        entries, evaluation = context.listed_family, context.asked_options
        runs = tuple(entry.run for entry in entries)
        key = (
            "confusion", tuple((judge.identity, judge.name, Same(judge.qrels.grades)) for judge in chosen), options,
            context.query_set if queries is not None else "", str(context.measure), evaluation,
            tuple((entry.key, entry.name, Same(entry.run.scores)) for entry in entries),
        )  # fmt: skip
        judges = [judge.judge for judge in chosen]

        def work(progress: Callable[[float], None] | None) -> TwoJudges:
            from irviewer.analysis.agreement.confusion import confusion
            from irviewer.analysis.agreement.judge_agreement import agreement
            from irviewer.analysis.agreement.leverage import leverage
            from irviewer.analysis.agreement.sampling import refuse_document_sample

            panel = panel_of(judges)
            panel = panel if queries is None else panel.of_queries(queries)
            table, agreed = confusion(panel, 0, 1, options.level), agreement(panel, options)
            documents = table.documents()
            if not runs:
                return TwoJudges(table, agreed, documents, None, tr("No runs are open, so no value changes."))
            try:
                refuse_document_sample(panel.sets[0])
                gains = leverage(documents, judges[0].qrels, runs, context.measure, evaluation)
            except IrviewerError as failure:
                return TwoJudges(table, agreed, documents, None, str(failure))
            return TwoJudges(table, agreed, documents, gains)

        return _Asked(key, work)

    def _systems_asked(
        self,
        context: EvaluationContext,
        options: AgreementOptions,
        queries: Sequence[str] | None,
        known: tuple[Hashable, ...],
        judges: tuple[Judge, ...],
    ) -> tuple[_Asked, ...]:
        entries, evaluation = context.listed_family, context.asked_options
        if not entries:
            return ()
        reference, alpha = self.reference, self._store.state.protocol.inference.alpha
        families = {entry.name: entry.families for entry in entries}
        runs = [entry.run for entry in entries]
        key = (
            "systems", *known, options, reference, alpha, str(context.measure), evaluation,
            tuple((entry.key, entry.name, entry.families, Same(entry.run.scores)) for entry in entries),
        )  # fmt: skip

        def work(progress: Callable[[float], None] | None) -> tuple[SystemsByJudge | None, str]:

            from irviewer.analysis.agreement.systems_by_judge import systems_by_judge

            panel = panel_of(judges)
            panel = panel if queries is None else panel.of_queries(queries)
            try:
                return systems_by_judge(
                    panel, runs, context.measure, options, reference=reference, evaluation=evaluation,
                    families=families, alpha=alpha, progress=progress,
                ), ""  # fmt: skip
            except IrviewerError as failure:
                return None, str(failure)

        return (_Asked(key, work),)


def _agreement(
    judges: Sequence[Judge],
    queries: Sequence[str] | None,
    options: AgreementOptions,
    progress: Callable[[float], None] | None,
) -> JudgeAgreement:

    from irviewer.analysis.agreement.judge_agreement import agreement

    panel = panel_of(judges)
    return agreement(panel if queries is None else panel.of_queries(queries), options, progress=progress)


def _intervals(
    base: JudgeAgreement,
    pairs: Sequence[tuple[int, int]],
    options: AgreementOptions,
    progress: Callable[[float], None] | None,
) -> JudgeAgreement:

    from irviewer.analysis.agreement.judge_agreement import with_intervals

    return with_intervals(base, pairs, options, progress)


def _query_ids(context: EvaluationContext) -> tuple[str, ...] | None:
    """Return the queries of the query set in force, None for all."""
    if context.within is None:
        return None
    return tuple(query for query, inside in zip(context.query_ids, context.within.tolist(), strict=True) if inside)
