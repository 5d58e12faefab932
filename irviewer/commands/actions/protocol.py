"""Commands for the protocol as a whole."""

from __future__ import annotations

from irviewer.commands.command import Command, has_queries
from irviewer.translation import tr

_WORDS = tr("declare assumptions toml line runs take part")
"""Search words of all these commands."""

UNJUDGED = "rules.unjudged"
FIELDS = {
    "scope.unit": "choose_unit",
    "scope.queries": "choose_query_set", "scope.weights": "weight_queries", "scope.baseline": "choose_baseline",
    "measures": "choose_measure", "rules.level": "choose_level", "rules.dialect": "choose_dialect",
    "rules.judged_only": "judged_only", "rules.zscores": "as_zscores", "inference.test": "choose_test",
    "inference.zeros": "choose_zeros", "inference.tukey": "choose_tukey", "inference.correction": "choose_correction",
    "inference.family": "choose_family", "inference.interval": "choose_interval",
    "inference.alpha": "statistics_alpha", "inference.confidence": "statistics_confidence",
    "inference.samples": "statistics_samples", "inference.seed": "statistics_seed",
    "inference.smallest": "statistics_smallest", "inference.epsilon": "statistics_epsilon",
    "inference.looks": "statistics_looks",
}  # fmt: skip
"""The field of a part -> the command that changes it. How judging was done has a menu instead."""

ROWS: tuple[Command, ...] = (
    Command("protocol", tr("Protocol…"), "Statistics",
            tr("Show and change what all numbers depend on, and the runs that take part in comparisons"),
            ask=lambda dialogs: dialogs.protocol.show(), enabled=has_queries, words=_WORDS, group="protocol"),
    Command("open_protocol", tr("Open protocol…"), "Statistics",
            tr("Declare the protocol of a file; what it does not name has its default"),
            ask=lambda dialogs: dialogs.protocol.open(), enabled=has_queries, words=_WORDS, group="protocol"),
    Command("save_protocol", tr("Save protocol…"), "Statistics",
            tr("Save the protocol as a file that every command and Python function reads"),
            ask=lambda dialogs: dialogs.protocol.save(), enabled=has_queries, words=_WORDS, group="protocol"),
    Command("register_protocol", tr("Register protocol…"), "Statistics",
            tr("Freeze the protocol with the time, the inputs that are open and a digest, which reports compare with"),
            ask=lambda dialogs: dialogs.protocol.register(), enabled=has_queries, words=_WORDS, group="protocol"),
    Command("copy_protocol", tr("Copy the line of the protocol"), "Statistics",
            tr("Copy what all numbers in view depend on, as text"),
            ask=lambda dialogs: dialogs.protocol.copy_line(), enabled=has_queries, words=_WORDS, group="protocol"),
    Command("choose_unit", tr("Unit of dependence…"), "Statistics",
            tr("Let queries of one conversation, user or topic count together, by an attribute of the queries"),
            ask=lambda dialogs: dialogs.protocol.unit(), enabled=has_queries,
            words=tr("cluster robust conversation dependent independent CR2"), group="protocol"),
    Command("copy_gate", tr("Copy the gate as a command"), "Statistics",
            tr("Copy the command that decides the gate of Compare › More, for builds"),
            ask=lambda dialogs: dialogs.protocol.copy_gate(), enabled=has_queries,
            words=tr("regression non-inferior continuous integration CI build"), group="protocol"),
    Command("save_gate", tr("Save the gate as a file…"), "Statistics",
            tr("Save the conditions, files and protocol of the gate of Compare › More as gate.toml, for builds"),
            ask=lambda dialogs: dialogs.protocol.save_gate(), enabled=has_queries,
            words=tr("regression non-inferior continuous integration CI build"), group="protocol"),
    Command("use_protocol", tr("Use the offered protocol"), "Statistics",
            tr("Declare the protocol that the window was started with for the project"),
            run=lambda session: session.protocol.use_offered(), enabled=lambda session: session.protocol.has_offer,
            words=_WORDS, group="protocol"),
    Command("use_stored_rules", tr("Use the rules of the stored values"), "Statistics",
            tr("Declare the rules that the values were computed by"),
            run=lambda session: session.stored_values.use_rules(),
            enabled=lambda session: bool(session.stored_values.rules), words=_WORDS, group="protocol"),
    Command("evaluate_in_blocks", tr("Evaluate large runs again"), "Statistics",
            tr("Evaluate runs that are too large to be open under the rules and judgments in view"),
            run=lambda session: session.large_runs.evaluate_again(),
            enabled=lambda session: bool(session.large_runs.others), words=_WORDS, group="protocol"),
)  # fmt: skip
