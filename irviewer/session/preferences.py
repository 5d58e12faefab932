"""The preferences: the settings that a user chooses in one place, and what follows from them immediately."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from irviewer.measures.parser import parse_measure
from irviewer.model.protocol import DEFAULTS, PRESET, Inference
from irviewer.session.appearance import AppearanceService
from irviewer.session.changes import Change
from irviewer.session.judging.actions import JudgingService
from irviewer.session.store import Store

IN_NEW_WINDOW = ("type_size", "shortcuts")
"""The preferences for which the window is made again."""


@dataclass(frozen=True)
class Preferences:
    """All preferences.

    type_size       in percent; 0 as the system
    language        of the window from its next start on, as gettext names it; "" as the system
    run_colours     of the first runs; () for those of the theme
    table_measures  of the Systems table; () for those that the collection suggests
    inference       of the protocols of new projects; a project that is open keeps its own
    shortcuts       chosen shortcuts by command id
    """

    theme: str
    type_size: int
    language: str
    lists_mode: str
    run_colours: tuple[str, ...]
    hints: bool
    table_measures: tuple[str, ...]
    inference: Inference
    assessor: str
    cache_limit_gb: float
    shortcuts: Mapping[str, tuple[str, ...]]


class PreferenceService:
    """Reads and sets the preferences."""

    def __init__(self, store: Store, appearance: AppearanceService, judging: JudgingService) -> None:
        self._store = store
        self._settings = store.settings
        self._appearance = appearance
        self._judging = judging

    @property
    def present(self) -> Preferences:
        """The preferences in force."""
        settings = self._settings
        return Preferences(
            theme=self._store.state.theme,
            type_size=settings["type_size"],
            language=settings["language"],
            lists_mode=self._store.state.lists_mode,
            run_colours=tuple(settings["run_colours"]),
            hints=settings["hints"],
            table_measures=tuple(settings["table_measures"]),
            inference=Inference(**settings["inference"]),
            assessor=settings["assessor"],
            cache_limit_gb=settings["cache_limit_gb"],
            shortcuts={name: tuple(keys) for name, keys in settings["shortcuts"].items()},
        )

    def set(self, wanted: Preferences) -> bool:
        """Set the preferences and save them. Return whether the window must be made again. Raises IrviewerError for an
        invalid value, before anything is changed."""
        measures = [str(parse_measure(text)) for text in wanted.table_measures]
        present, settings = self.present, self._settings
        settings["type_size"] = wanted.type_size
        settings["language"] = wanted.language
        settings["run_colours"] = list(wanted.run_colours)
        settings["hints"] = wanted.hints
        settings["cache_limit_gb"] = wanted.cache_limit_gb
        settings["shortcuts"] = {name: list(keys) for name, keys in wanted.shortcuts.items()}
        if wanted.theme != present.theme:
            self._appearance.set_theme(wanted.theme)
        if wanted.lists_mode != present.lists_mode:
            self._appearance.set_lists_mode(wanted.lists_mode)
        if wanted.run_colours != present.run_colours:
            self._store.changed.emit(frozenset({Change.THEME, Change.RUNS}))
        if wanted.assessor != present.assessor:
            self._judging.set_assessor(wanted.assessor)
        former = settings["inference"]
        changed = {name: value for name, value in vars(wanted.inference).items() if value != DEFAULTS[name]}
        settings["inference"] = changed
        if not self._store.state.workspace.collections and changed != former:
            self._store.apply(self._store.state.with_protocol(PRESET.but(**changed)))
        if tuple(measures) != present.table_measures:
            settings["table_measures"] = measures
            self._store.apply_when_ready(lambda state: replace(state, columns=state.columns + 1))
        settings.save()
        return any(getattr(wanted, name) != getattr(present, name) for name in IN_NEW_WINDOW)
