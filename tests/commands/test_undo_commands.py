"""Every command of the registry: what it changes of the user's data is a step, or it is named here with the reason."""

from __future__ import annotations

from dataclasses import replace

import pytest

from irviewer.commands import COMMANDS, every, run_command
from irviewer.model.rankings.fusion import Fusion
from irviewer.model.texts import TextTable
from irviewer.session.session import Session
from tests.session.helpers import collection, session_with
from tests.session.judging.test_undo import DATA, users_work

NO_STEPS = {
    "close_collection": "where nothing was made in it, its files can be opened again",
    "restart_example": "a worked example begins anew, as nothing had been tried",
}
"""Commands that are done at once and change data without a step."""

STEPS = {
    "note_query": "note",
    "note_document": "note",
    "judgment_note": "judgment note",
    "list_judgments": "revert",
    "import_judgments": "lay",
    "resolve_conflicts": "lay",
    "save_judgment_set": "own set",
    "swap_documents": "edit",
    "document_to_rank": "edit",
    "cheapest_changes": "edit",
    "sets_by": "sets",
    "keep_filtered": "sets",
    "keep_brushed": "sets",
    "open_query_sets": "sets",
    "remove_query_set": "sets",
    "weight_queries": "weights",
    "rename_run": "rename",
    "recolour_run": "colour",
    "widen_scale": "scale",
    "describe_judge": "judges",
    "remove_judge": "judges",
    "merge_judges": "merge judges",
    "judge_role": "judges",
    "run_family": "family",
    "move_run": "move",
    "remove_run": "remove",
    "fuse_runs": "fuse",
    "match_systems": "systems",
    "choose_answer_list": "answer list",
    "new_failure_tag": "failure tags",
    "edit_failure_tag": "failure tags",
    "failures_seed": "failure tags",
    "keep_failures_set": "sets",
}
"""Commands that ask the window and then change data, with the act of test_undo.py that does what they do."""

READING = "what files say is not undone: names, judgments, edits and notes over them are"
FILES = "a file is written; nothing that is open changes"
VIEW = "what is in view, and how numbers are made, is no data"
OTHERS = {
    **dict.fromkeys(("fold_queries", "fold_measures"), "panels of the window alone"),
    **dict.fromkeys(
        ("open_files", "open_folder", "open_as", "open_sample", "open_recent", "open_project", "find_files",
         "restore_work",
         "open_example", "open_lesson_file", "open_course", "open_recent_lesson", "type_ranking", "join_project",
         "name_columns"), READING
    ),
    "choose_answer_versions": "two files of answers are needed: session/test_answer_versions.py takes it back",
    "discard_work": "what is open stays; a question says that it cannot come back",
    "show_reports": f"the file doctor reads a file again: {READING}",
    **dict.fromkeys(
        ("save_plot", "save_table", "export_paper", "export_report", "export_manager_report", "save_project",
         "save_project_as", "save_notes",
         "save_worklist", "export_failure_tags",
         "export_patch", "export_merged", "save_edited", "save_query_sets", "save_comparison",
         "save_all_pairs", "draw_task", "save_run", "save_merged_labels", "print_sheet",
         "print_answers", "save_web_page",
         "save_step"), FILES
    ),
    **dict.fromkeys(
        ("quit", "history", "open_menu", "find_action", "go_to_query", "filter_queries", "why_not",
         "choose_judge", "choose_assigner", "colour_runs", "explain_number",
         "choose_query_set", "choose_baseline", "choose_runs", "choose_correction", "choose_family",
         "choose_interval", "choose_test",
         "choose_zeros", "choose_tukey", "statistics_alpha", "statistics_confidence", "statistics_smallest",
         "statistics_seed", "statistics_epsilon", "statistics_looks",
         "statistics_samples", "statistics_rbo_p", "statistics_rbo_depth",
         "statistics_rbo_ties", "protocol", "open_protocol", "save_protocol", "register_protocol",
         "copy_protocol", "copy_gate", "save_gate", "choose_unit",
         "choose_columns", "choose_query_columns",
         "open_attributes", "remove_attributes", "slice_attributes", "save_slices",
         "show_ties", "choose_measure", "about_measure", "choose_level", "choose_dialect", "compare_dialects",
         "large_type", "presenter", "larger_type", "smaller_type", "system_type", "card_fields", "list_fields",
         "context_menu", "copy",
         "preferences", "keyboard", "symbols", "about", "run_versions"), VIEW
    ),
    "settle_project": "what another window saved, and is undone there",
    "assessor": "a setting: who judges from now on",
}  # fmt: skip
"""Commands that ask the window and change no data, and why."""


def _rich() -> Session:
    """A session in which nearly everything can be done."""
    first = collection(3, queries=5)
    rows = [{"id": str(query), "text": f"the query {query}", "kind": "ab"[query % 2]} for query in range(1, 6)]
    texts = TextTable.from_rows(rows, name="queries")
    session = session_with(first, collection(2, queries=4, name="other", seed=2))
    assert session.view.collection is not None
    session.store.apply(session.state.with_collection(replace(session.view.collection, queries=texts)))
    session.navigation.set_place("query")
    session.navigation.set_query("1")
    session.judging.judge("x1-1", 2)
    session.query_sets.make_query_set("A", {"1", "2"})
    session.fusion.fuse_runs([0, 1], Fusion())
    session.run_editing.edit_copy(0)
    key = session.run_editing.edited_run
    assert key is not None
    session.run_editing.move_document(key, "x1-3", 1)
    session.query_sets.brush({"1"})
    session.navigation.filter_queries("the")
    session.navigation.set_document("x1-1")
    run_command(session, "judging_mode")
    return session


def test_every_command_that_asks_is_named() -> None:
    asking = {command.id for command in COMMANDS if command.asks}
    assert asking == set(STEPS) | set(OTHERS)
    assert not set(STEPS) & set(OTHERS)
    assert set(STEPS.values()) <= set(DATA)


def test_every_command_that_changes_data_is_a_step() -> None:
    left_out = ("sample", "recent", "reload", "example", "lesson ", "step ")
    rich = _rich()
    ids = [command.id for command in every(rich) if not command.asks and not command.id.startswith(left_out)]
    assert len(ids) > 100
    changing, before, steps = set(), users_work(rich), len(rich.state.history)
    for name in ids:
        session = Session()
        session.store.state = rich.state
        run_command(session, name)
        if session.view.workspace is rich.view.workspace or name in ("undo", "redo") or name in NO_STEPS:
            continue
        after = users_work(session)
        if after == before:
            continue
        changing.add(name)
        assert len(session.state.history) == steps + 1, name
        assert session.history.undo()
        assert users_work(session) == before, name
        assert session.history.redo()
        assert users_work(session) == after, name
    assert changing >= {
        "grade_0", "unjudge", "edit_copy", "document_up", "document_down", "remove_document", "reset_list",
        "regime_complete", "regime_sparse",
    }  # fmt: skip


@pytest.mark.parametrize("name", sorted(NO_STEPS))
def test_what_is_named_is_a_command(name: str) -> None:
    assert any(command.id == name for command in COMMANDS)
