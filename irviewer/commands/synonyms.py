"""The words that people use for commands whose titles say it otherwise, for the command palette.

A word is listed with the beginnings of the ids of the commands that it means. Spelling is compared as
:func:`folded` writes it."""

from __future__ import annotations

import re
from functools import lru_cache

from irviewer.model.unicode_folding import bare, fold
from irviewer.translation import tr

MEASURE = "measure "
"""The beginning of the ids of the commands that choose a measure."""
_PAPER = ("export_paper", "save_comparison", "save_all_pairs")
_PLOT = ("save_plot",)
_SAVING = ("export_", "save_")

SYNONYMS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (tr("latex tex booktabs markdown word html paper publication caption"), _PAPER),
    (tr("table csv tsv excel spreadsheet"), ("save_table", *_PAPER)),
    (tr("figure chart graph image picture png svg pdf"), _PLOT),
    (tr("export download write store"), _SAVING),
    (tr("import load"), ("open_", "import_judgments")),
    (tr("settings options configuration setup customise"), ("preferences",)),
    (tr("key keys shortcuts hotkeys keyboard bindings"), ("keyboard", "preferences")),
    (tr("delete erase drop"), ("remove_", "discard_work", "unjudge", "close_collection")),
    (tr("zoom magnify font size bigger smaller"), ("larger_type", "smaller_type", "system_type", "large_type")),
    (tr("colour colours palette"), ("recolour_run", "theme_", "preferences")),
    (tr("night mode accessibility contrast appearance"), ("theme_",)),
    (tr("kappa krippendorff alpha agreement annotators raters assessors"),
     ("tab agreement", "tab confusion", "tab judges", "choose_judge", "list_judgments", "import_judgments")),
    (tr("average precision mean map"), (f"{MEASURE}AP", "choose_measure")),
    (tr("recall"), (f"{MEASURE}R@", "find_recall", "choose_measure")),
    (tr("precision"), (f"{MEASURE}P@", "choose_measure")),
    (tr("mrr reciprocal rank"), (f"{MEASURE}RR", "choose_measure")),
    ("metrics", ("choose_measure", "about_measure", MEASURE)),
    (tr("score evaluation"), ("choose_measure", "about_measure", MEASURE)),
    (tr("interpolated interpolation eleven points precision recall curve"), ("pr_raw", "iso_f", "go_systems")),
    (tr("formula definition equation explanation source"), ("about_measure", "explain")),
    (tr("ledger calculation compute why"), ("explain",)),
    (tr("p-value t-test wilcoxon significant significance hypothesis"),
     ("choose_test", "choose_correction", "statistics_alpha", "matrix_p")),
    (tr("bonferroni holm benjamini hochberg fdr"), ("choose_correction", "correction ")),
    (tr("all pairs letters groups"), ("choose_family", "family ")),
    (tr("bootstrap confidence error bars"), ("choose_interval", "interval ", "curve_bands")),
    (tr("correlation kendall tau rbo overlap similarity"), ("matrix_",)),
    (tr("topic topics"), ("go_queries", "go_query", "go_to_query", "next_query", "previous_query", "filter_queries")),
    (tr("system systems model models submission"), ("go_systems", "choose_runs", "choose_baseline")),
    (tr("reference control"), ("choose_baseline",)),
    (tr("search find filter"), ("filter_queries", "go_to_query", "find_action")),
    (tr("relevance label labels annotate assess qrels"),
     ("judging_mode", "grade_", "import_judgments", "choose_level")),
    (tr("threshold"), ("choose_level", "thresholds", "statistics_alpha")),
    (tr("trec_eval pytrec_eval ranx ir_measures compatibility"), ("choose_dialect", "compare_dialects", "dialect ")),
    (tr("fusion merge combine ensemble rrf"), ("fuse_runs", "import_judgments")),
    (tr("group segment slice slices facet subset"),
     ("sets_by", "choose_query_set", "tab slices", "keep_slice", "keep_filtered", "keep_brushed", "keep_failures")),
    (tr("comment annotation tag"), ("note_", "judgment_note")),
    (tr("help manual documentation"), ("keyboard", "about", "open_example", "symbols")),
    (tr("example tutorial demo"), ("open_sample", "open_example", "type_ranking")),
    (tr("projector presentation class lecture teaching"), ("large_type", "teaching")),
    (tr("exit close"), ("quit", "close_collection")),
    (tr("revert cancel back"), ("undo", "history")),
    (tr("verdict better than baseline winner beat beats answer decision"), ("go_verdict",)),
    (tr("fail fails failing worst most why weak errors"), ("find_failures",)),
    (tr("other another judge judges change changes"), ("tab judges",)),
    (tr("take answer result paper article"), _PAPER),
    (tr("what if hypothetical simulate"), ("edit_copy", "cheapest_changes", "document_", "insert_document")),
    (tr("add run append run upload run"), ("open_files",)),
    (tr("worst query hardest query worst queries biggest loss"), ("widest_query", "go_queries")),
    (tr("histogram distribution bars"), ("tab pair", "bars_", "go_queries", "curve_differences")),
    (tr("heatmap heat map matrix"), ("matrix_", "strips")),
    (tr("rerank re-rank reranker cascade pipeline funnel"), ("show_stages",)),
    (tr("screenshot snapshot print screen"), ("save_plot",)),
    (tr("highlight keywords terms snippet"), ("card_fields", "query_details")),
    (tr("diff difference delta change regression"), ("curve_differences", "go_compare", "run_versions")),
    (tr("ndcg dcg gain"), (f"{MEASURE}nDCG", "curve_dcg", "choose_measure")),
    (tr("sort order rank runs"), ("move_run", "show_best_runs", "choose_columns")),
    (tr("copy clipboard"), ("copy",)),
    (tr("sentence conclusion quote"), ("copy", "export_report")),
    (tr("effect size power sample size"), ("go_compare", "statistics_smallest")),
    (tr("llm gpt model judge synthetic"), ("choose_judge", "import_judgments", "describe_judge")),
    (tr("scorer rating ratings case try"), ("choose_measure", "judging_mode", "choose_runs")),
    (tr("win tie loss wins losses"), ("go_compare", "go_verdict")),
    (tr("pandas dataframe notebook jupyter python"), ("save_table", "export_paper")),
    (tr("drill down breakdown aggregate pivot dashboard"), ("tab slices", "go_systems", "sets_by")),
    (tr("root cause error analysis failure analysis bad queries"), ("failures_", "examine_failure", "go_queries")),
    (tr("significance test result conclusion"), ("go_verdict", "choose_test")),
    (tr("columns hide show"), ("choose_columns", "choose_query_columns", "card_fields", "list_fields")),
    (tr("compare runs side by side head to head a/b test"), ("go_compare", "tab pair", "go_query")),
    (tr("leaderboard ranking of systems overview"), ("go_systems",)),
    (tr("box plot violin outliers"), ("tab pair", "go_queries")),
    (tr("cohen standardised effect"), ("go_compare", "go_verdict")),
    (tr("per query per topic"), ("go_queries", "tab pair")),
    (tr("cumulative gain curve"), ("curve_dcg", "query_cg")),
    (tr("copy table cells"), ("copy", "save_table")),
    (tr("best possible ideal oracle upper bound"), ("cheapest_changes",)),
    (tr("venn unique documents duplicates"), ("matrix_overlap", "find_relevant")),
    (tr("citation faithfulness rag generated answer"), ("show_answer", "label_answers")),
    (tr("exclude omit leave out skip queries"), ("filter_queries", "keep_filtered", "choose_query_set", "sets_by")),
    (tr("ablation experiment"), ("run_versions", "go_compare")),
)  # fmt: skip
"""Words in the user's language -> beginnings of the ids of the commands that they mean."""

SMALL_WORDS = frozenset(bare(
    tr("an and any are at be by can could do does for from has have how if in into is it its me my of on or our should "
       "so that the their them then there this to was we were what when where which who will with would you")
).split())  # fmt: skip
"""Words of a question that name nothing. Words of one letter are left out as they are."""


def content_of(text: str) -> str:
    """Return the words of a question that name something, without its marks; all words if none does."""
    words = [word.strip("¿?¡!.,;:") for word in text.split()]
    return " ".join([word for word in words if len(word) > 1 and word not in SMALL_WORDS] or words)


SPELLINGS = (
    (re.compile("color"), "colour"),
    (re.compile("gray"), "grey"),
    (re.compile("judgement"), "judgment"),
    (re.compile("center"), "centre"),
    (re.compile(r"(\w{3,})iz(e|ed|ing|ation)\b"), r"\1is\2"),
)
"""American and other spellings, and how the program writes them."""


def folded(text: str) -> str:
    """Return a text as texts are compared: in small letters, without accents and in one spelling."""
    text = bare(fold(text))
    for spelling, written in SPELLINGS:
        text = spelling.sub(written, text)
    return text


@lru_cache(maxsize=1024)
def words_for(name: str) -> str:
    """Return the words that people use for the command with an id; "" for none."""
    return " ".join(words for words, beginnings in SYNONYMS if name.startswith(beginnings))
