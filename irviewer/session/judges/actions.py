"""What the user can do with judges: choose the one in force, describe, remove, and decide about judgments that were
opened for queries that are judged already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from irviewer.errors import IrviewerError, name_some
from irviewer.model.judgments.judgment_set import ORIGIN_TITLES, JudgeFacts
from irviewer.model.judgments.merging import judgments_in
from irviewer.model.judgments.overlay import JudgmentOverlay
from irviewer.model.judgments.panel import panel_of
from irviewer.model.number_text import percent
from irviewer.model.run_names import free_name
from irviewer.model.workspace import Collection, JudgmentSet
from irviewer.rendering.atomic import write_atomically
from irviewer.session import state_changes
from irviewer.session.evaluation.actions import EvaluationService
from irviewer.session.files.actions import OPENED
from irviewer.session.files.import_result import AddedJudge
from irviewer.session.judging.history import HistoryService
from irviewer.session.messages import info, without_topic
from irviewer.session.saving import FileSaving
from irviewer.session.state import State
from irviewer.session.store import Store
from irviewer.session.tasks import Operation, Progress
from irviewer.session.view import View
from irviewer.translation import tr, trn

Role = Literal["judge", "more", "replace", "collection"]
"""What judgments for judged queries are: another judge's, more of the same judge, a replacement, or judgments of
another collection."""


class JudgeService:
    """The judges of the collection in view."""

    def __init__(
        self, store: Store, view: View, saving: FileSaving, history: HistoryService, evaluation: EvaluationService
    ) -> None:
        self._store = store
        self._view = view
        self._saving = saving
        self._history = history
        self._evaluation = evaluation
        self._added: tuple[AddedJudge, ...] = ()
        self._one_by_one = False

    @property
    def sets(self) -> tuple[JudgmentSet, ...]:
        """The judgment sets of the collection in view."""
        return () if self._view.collection is None else self._view.collection.judgments

    @property
    def number(self) -> int:
        """The index of the judge in force."""
        return min(self._store.state.chosen.judgments, max(0, len(self.sets) - 1))

    def choose(self, number: int) -> None:
        """Evaluate with another judge; values that are not known are computed in the background."""
        self._evaluation.set_judgments(number)

    def step(self, step: int) -> None:
        """Choose the next judge, or the previous one (``step`` -1), continuing at the other end."""
        if self.sets:
            self.choose((self.number + step) % len(self.sets))

    def describe(self, number: int, name: str, facts: JudgeFacts) -> None:
        """Set the name of a judge and what is known of it, as one undo step. Raises IrviewerError for an empty name, or
        that of another judge."""
        collection, name = self._view.collection, " ".join(name.split())
        if collection is None or not 0 <= number < len(collection.judgments):
            return
        trouble = self.trouble_of(number, name)
        if trouble:
            raise IrviewerError(trouble)
        judgments = collection.judgments[number]
        if (name, facts) == (judgments.name, judgments.facts):
            return
        changed = replace(judgments.renamed(name) if name != judgments.name else judgments, facts=facts)
        self._history.do(tr("describe judge {name}", name=name), self._with(collection, number, changed))

    def trouble_of(self, number: int, name: str) -> str:
        """Return why a judge cannot have a name, or ""."""
        name = " ".join(name.split())
        if not name:
            return tr("A judge needs a name.")
        if any(position != number and other.name == name for position, other in enumerate(self.sets)):
            return tr("Another judge of this collection is named {name}. Enter another name.", name=name)
        return ""

    def remove(self, number: int) -> None:
        """Remove a judge from the collection, as one undo step; files do not change. The only judge stays."""
        collection = self._view.collection
        if collection is None or not 0 <= number < len(collection.judgments) or len(collection.judgments) < 2:
            return
        name = collection.judgments[number].name
        state = _without_set(self._store.state, collection, number)
        message = info(tr("Removed judge {name}. Its file is unchanged.", name=name))
        self._history.do(tr("remove judge {name}", name=name), state, message=replace(message, action="undo"))

    def add(self, judgments: JudgmentSet, label: str, *, choose: bool = False) -> None:
        """Add a judge that was made here, as one undo step named ``label``; its name gets a number if it is taken."""
        collection = self._view.collection
        if collection is None:
            return
        name = free_name(judgments.name, [other.name for other in collection.judgments])
        judgments = judgments if name == judgments.name else judgments.renamed(name)
        state = self._store.state.with_collection(replace(collection, judgments=(*collection.judgments, judgments)))
        if choose:
            state = state.with_chosen(replace(state.chosen, judgments=len(collection.judgments)))
        text = tr("{name} was added to the judges of {collection}.", name=name, collection=collection.name)
        self._history.do(label, state, message=info(text))

    # --- merging and sampling ---

    @staticmethod
    def merge_rules() -> tuple[dict[str, str], dict[str, str]]:
        """Return the rules of merging and of ties: name -> the sentence that says what it does."""
        from irviewer.analysis.agreement.merge import RULES, TIES

        return {str(name): text for name, text in RULES.items()}, {str(name): text for name, text in TIES.items()}

    def merge(self, numbers: Sequence[int], rule: str, ties: str, name: str = "") -> None:
        """Merge judges in this order into a new one, in the background, as one undo step. The message says how many
        grades the tie rule decided and, where one fills the gaps of another, who judged each run's first documents."""
        collection, context = self._view.collection, self._view.context
        judges = [self.sets[number] for number in numbers if 0 <= number < len(self.sets)]
        if collection is None or context is None or len(judges) < 2:
            return
        identity, regime, chosen = collection.identity, judges[0].regime, judges[0].chosen
        depth, options = context.cutoff, context.options
        runs = [entry.run for entry in collection.system_runs if entry.run.stored is None]

        def work(progress: Progress) -> tuple[JudgmentSet, tuple[str, ...]]:
            from irviewer.analysis.agreement.merge import merge

            progress(None)
            merged = merge(panel_of([judge.judge for judge in judges]), rule, ties=ties, name=name)  # type: ignore[arg-type]
            judgments = merged.judgments
            facts = JudgeFacts("merged", "", judgments.note)
            lines = [
                trn(
                    "{n:,} judgment, {ties:,} decided by the tie rule.",
                    "{n:,} judgments, {ties:,} decided by the tie rule.",
                    len(judgments.qrels), ties=merged.ties,
                )
            ]  # fmt: skip
            if runs and rule == "fill":
                names = [*merged.panel.names, tr("several judges"), tr("no judge")]
                for run, shares in zip(runs, merged.shares_of_top(runs, depth, options).tolist(), strict=True):
                    parts = [f"{who} {percent(share)}" for who, share in zip(names, shares, strict=True) if share > 0]
                    lines.append(
                        tr("{run}: its first {k} documents are judged by {parts}.", run=run.name, k=depth,
                           parts=", ".join(parts) or "–")
                    )  # fmt: skip
            return JudgmentSet(judgments.qrels, regime, chosen, facts=facts), tuple(lines)

        def done(result: tuple[JudgmentSet, tuple[str, ...]]) -> None:
            judgment_set, lines = result
            present = self._view.collection
            if present is None or present.identity != identity:
                return  # another collection is in view
            self.add(judgment_set, tr("merge judges into {name}", name=judgment_set.name))
            self._store.say(info(lines[0], *lines[1:]))

        self._store.tasks.run(Operation("merge-judges", work, done, title=tr("Merging judges")))

    def save_task(self, path: str, number: int) -> None:
        """Write a task for a human judge: ``number`` queries of the judge in force, drawn at random, with their
        inclusion probabilities."""
        judgments = self._view.judgments
        if judgments is None:
            return
        qrels = judgments.qrels

        def write(target: str) -> None:
            from irviewer.analysis.agreement.sampling import draw_queries
            from irviewer.formats.judging_task import task_text

            text = task_text(draw_queries(qrels, number), lines=target.endswith(".jsonl"))
            write_atomically(Path(target), lambda stream: stream.write(text.encode("utf-8", "surrogateescape")))

        self._saving.save_file(path, write)

    def put(self, judgments: JudgmentSet, label: str) -> None:
        """Replace the judge of the same identity, or add it as the last, as one undo step named ``label``."""
        collection = self._view.collection
        if collection is None:
            return
        sets = list(collection.judgments)
        identities = [judge.identity for judge in sets]
        position = identities.index(judgments.identity) if judgments.identity in identities else len(sets)
        sets[position : position + 1] = [judgments]
        self._history.do(label, self._store.state.with_collection(replace(collection, judgments=tuple(sets))))

    def assessor(self) -> str:
        """The name stored with each judgment of the user, "" if it is not set."""
        return str(self._store.settings["assessor"])

    # --- judgments opened for judged queries ---

    def ask_about(self, added: tuple[AddedJudge, ...]) -> None:
        """Ask what judgments are that were opened for judged queries, in one question for all that were opened
        together; they are other judges' until the answer."""
        waiting = bool(self.asked)
        self._added = (*self._added, *added)
        if not waiting and self.asked:
            self._one_by_one = False
            self._store.asked.emit("judge_role")

    @property
    def asked(self) -> AddedJudge | None:
        """The judgments that wait for the user's answer (:meth:`answer`); None if there are none."""
        while self._added:
            if self._place_of(self._added[0]) is not None:
                return self._added[0]
            self._added = self._added[1:]
        return None

    @property
    def asked_together(self) -> tuple[AddedJudge, ...]:
        """All judgments that wait for one answer: those opened together, or the next where each is asked about."""
        first = self.asked
        if first is None:
            return ()
        return (first,) if self._one_by_one else tuple(added for added in self._added if self._place_of(added))

    def answer(self, role: Role) -> None:
        """Take the waiting judgments as another judge's ("judge"), as more of the former judge's ("more": their grades
        are added), in their place ("replace"), or as another collection's ("collection"). What changes where they are
        is an undo step."""
        for added in self.asked_together:
            place = self._place_of(added)
            self._added = tuple(other for other in self._added if other is not added)
            if place is not None and role != ("collection" if added.apart else "judge"):
                self._join(*place, role)
        if self.asked is not None:
            self._store.asked.emit("judge_role")

    def ask_each(self) -> None:
        """Ask about each of the waiting judgments alone, one after the other."""
        self._one_by_one = True
        if self.asked is not None:
            self._store.asked.emit("judge_role")

    def cancel_opening(self) -> None:
        """Close the waiting judgments again, as one undo step; files do not change."""
        state, closed = self._store.state, []
        for added in self.asked_together:
            self._added = tuple(other for other in self._added if other is not added)
            place = self._place_of(added, state)
            if place is None:
                continue
            (at, number), (to, _) = place
            collection = state.workspace.collections[at]
            closed.append(collection.judgments[number].name)
            kept = {entry.run.origin for entry in state.workspace.collections[to].runs}
            if (
                added.apart
                and len(collection.judgments) == 1
                and all(entry.run.origin in kept for entry in collection.runs)
            ):
                state = replace(state_changes.without_collection(state, at), current=to - (at < to))
            else:
                current = state.current
                state = replace(_without_set(replace(state, current=at), collection, number), current=current)
        if closed:
            names = name_some(closed)
            text = trn("{names} was not opened.", "{names} were not opened.", len(closed), names=names)
            state = replace(state, messages=without_topic(state.messages, OPENED))
            self._history.do(tr("cancel opening {names}", names=names), state, message=info(text))
        if self.asked is not None:
            self._store.asked.emit("judge_role")

    def _join(self, own: tuple[int, int], present_place: tuple[int, int], role: Role) -> None:
        """Make judgments part of a collection that has judged their queries, as an undo step: the one in which they
        are, or another one, which then takes the place of theirs."""
        (at, number), (to, former) = own, present_place
        collections = self._view.workspace.collections
        fresh, present = collections[at].judgments[number], collections[to].judgments[former]
        sets = list(collections[to].judgments)
        if role == "collection":
            return
        if role == "judge":
            name = free_name(fresh.name, [judge.name for judge in sets])
            sets.append(fresh if name == fresh.name else fresh.renamed(name))
            text = tr("{file} is a judge beside {judge}.", file=name, judge=present.name)
            label = tr("add judge {judge}", judge=name)
        elif role == "more":
            judged, same = judgments_in(fresh.qrels, present.read, present.overlay, Path(fresh.qrels.origin).name)
            sets[former] = present.with_overlay(JudgmentOverlay.of([*present.overlay, *judged]))
            text = trn(
                "Added {n:,} judgment of {file} to {judge}; {same:,} were the same.",
                "Added {n:,} judgments of {file} to {judge}; {same:,} were the same.",
                len(judged), file=fresh.name, judge=present.name, same=same,
            )  # fmt: skip
            label = tr("add judgments of {file} to {judge}", file=fresh.name, judge=present.name)
        else:
            sets[former] = replace(fresh, facts=present.facts)
            text = tr("{file} replaces {judge}.", file=fresh.name, judge=present.name)
            label = tr("replace judge {judge}", judge=present.name)
        state = self._store.state
        if at == to:
            del sets[number]
        else:
            state = state_changes.without_collection(state, at)
            to -= at < to
        state = replace(state, current=to)
        joined = state.with_collection(replace(state.workspace.collections[to], judgments=tuple(sets)))
        chosen = joined.chosen.judgments if role == "judge" else former
        joined = joined.with_chosen(replace(joined.chosen, judgments=min(chosen, len(sets) - 1)))
        self._history.do(label, joined, message=replace(info(text), action="undo"))

    def _place_of(
        self, added: AddedJudge, state: State | None = None
    ) -> tuple[tuple[int, int], tuple[int, int]] | None:
        """Return the indices of collection and set of the added judgments and of the former ones, None if one was
        closed."""
        places = {
            judgments.identity: (position, number)
            for position, collection in enumerate((state or self._store.state).workspace.collections)
            for number, judgments in enumerate(collection.judgments)
        }
        if added.identity not in places or added.former not in places:
            return None
        own, former = places[added.identity], places[added.former]
        return (own, former) if added.apart or own[0] == former[0] else None

    def _with(self, collection: Collection, number: int, judgments: JudgmentSet) -> State:
        sets = list(collection.judgments)
        sets[number] = judgments
        return self._store.state.with_collection(replace(collection, judgments=tuple(sets)))


def facts_text(judgments: JudgmentSet) -> str:
    """Return what menus say of a judge beside its name: kind, family and the beginning of the note."""
    facts = judgments.facts
    note = facts.note if len(facts.note) <= 50 else facts.note[:49] + "…"
    return " · ".join(filter(None, (ORIGIN_TITLES[facts.origin], facts.family, note)))


def _without_set(state: State, collection: Collection, number: int) -> State:
    sets = [judgments for position, judgments in enumerate(collection.judgments) if position != number]
    chosen = state.chosen.judgments
    chosen = min(chosen - (number < chosen), len(sets) - 1)
    state = state.with_collection(replace(collection, judgments=tuple(sets)))
    return state.with_chosen(replace(state.chosen, judgments=max(0, chosen)))
