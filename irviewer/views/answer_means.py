"""Two systems that answer by their means: each measure with its difference, interval and test over topics."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from irviewer.analysis.statistics.result_comparison import compare_results, comparison_options
from irviewer.analysis.statistics.run_comparison import RunComparison
from irviewer.evaluation.answer_cautions import lacks
from irviewer.evaluation.bind import BoundProtocol
from irviewer.evaluation.evaluate import evaluate
from irviewer.measures.parser import parse_measure
from irviewer.measures.tool_names import usual_name
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.tables import column
from irviewer.tables.table import Remark, Table
from irviewer.translation import tr, trn
from irviewer.views.answer_scores import with_unit
from irviewer.views.pairs import change_columns, family_of
from irviewer.views.selection import chosen_remarks

OF_NUGGETS = ("V_strict", "V", "W_strict", "A_strict")
OF_ANSWERS = ("Uncited", "Length")
FEWEST = 2
"""Topics that a test needs."""


def compared_means(
    qrels: Qrels, baseline: Run, system: Run, topics: Sequence[str], first: str, rules: EvaluationOptions,
    protocol: BoundProtocol,
) -> tuple[RunComparison, ...]:  # fmt: skip
    """Return the comparison of a system with a baseline for each measure that both have: the nugget scores, that named
    ``first`` at the top, sentences without a citation, and length; () for fewer than two topics."""
    names = [name for name in dict.fromkeys((first, *OF_NUGGETS, *OF_ANSWERS))
             if not any(lacks(parse_measure(name), run) for run in (baseline, system))]  # fmt: skip
    if len(topics) < FEWEST or not names:
        return ()
    result = evaluate(qrels, [baseline, system], names, rules).over(topics)
    options = comparison_options(protocol.pairwise, units=protocol.units, looked=protocol.looked)
    table = compare_results(result, None, options, baseline=0)
    return tuple(comparison.pairs[0] for comparison in table)


def means_table(pairs: Sequence[RunComparison], baseline: str, system: str, protocol: BoundProtocol) -> Table:
    """Return the table ``means``, a row for each measure."""
    measures = [parse_measure(pair.measure) for pair in pairs]
    tests = [pair.decision for pair in pairs]
    family = family_of("pairs", tests[0], protocol.protocol.inference.alpha, n=1)
    note = Remark("alone", trn(
        "Tests are over the one topic, of this pair and each measure alone: nothing is corrected for."
        " Systems compares all under the protocol.",
        "Tests are over the {n:,} topics, of this pair and each measure alone: nothing is corrected "
        "for. Systems compares all under the protocol.",
        pairs[0].n,
    ), warns=False)  # fmt: skip
    why = [
        pair.shown_interval.sentence
        for pair in pairs
        if math.isnan(pair.shown_interval.low) and not pair.shown_interval.flat
    ]
    why += [tr("There is no test: {reason}.", reason=pair.undecided) for pair in pairs if pair.undecided]
    lacking = [Remark("lacking", text) for text in dict.fromkeys(why)]
    changes = change_columns(pairs, decides=[measure.text == measures[0].text for measure in measures])
    return Table("means", tr("Means and tests"), (
        column.measures("measure", tr("measure"), [measure.text for measure in measures],
                    texts=[with_unit(usual_name(measure), measure) for measure in measures]),
        column.number("baseline", baseline, np.array([pair.other_mean for pair in pairs]), decimals=4),
        column.number("run", system, np.array([pair.mean for pair in pairs]), decimals=4),
        *changes,
        column.p_value("p", "p", [test.p for test in tests], None, at_most=[test.at_most for test in tests],
                       tip=tr("p-value of the test alone, not corrected")),
        column.p_value("p_corrected", "p", [test.p for test in tests], family, detail=True),
    ), keys=[measure.text for measure in measures], notes=(note, *lacking, *chosen_remarks(protocol)))  # fmt: skip
