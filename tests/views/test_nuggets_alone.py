"""Where only nuggets are known no document is judged: every door takes measures of nuggets, and says of what asks for
lists of judged documents why it has nothing to show."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import pytest

import irviewer
from irviewer.__main__ import main
from irviewer.errors import DuplicateError, OptionError
from irviewer.evaluation.answer_cautions import answer_cautions
from irviewer.formats.load import load
from irviewer.measures.parser import parse_measures
from irviewer.session.navigation.empty_tabs import nothing_in
from irviewer.session.session import Session

UNLABELLED = "V_strict, run a: this measure needs assignments of nuggets to answers; give a file of them"
V_STRICT = "NuggetR(weight='vital',strict=True)"
NO_CURVES = "no curves of nuggets alone: no document is judged; give judgments of documents"


def written(path: Path, records: Iterable[object]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


@pytest.fixture
def nuggets(tmp_path: Path) -> Path:
    return written(tmp_path / "nuggets.jsonl", (
        {"qid": topic, "nuggets": [{"text": f"{topic} {n}", "importance": "vital"} for n in (1, 2)]} for topic in "qrs"
    ))  # fmt: skip


@pytest.fixture
def answers(tmp_path: Path) -> list[Path]:
    """The answers of two systems, unlabelled."""
    return [
        written(tmp_path / f"{system}.answers.jsonl", (
            {"run_id": system, "topic_id": topic, "references": ["d1", "d2"],
             "answer": [{"text": f"{system} says {topic}", "citations": [0]}]}
            for topic in "qrs"
        ))
        for system in ("a", "b")
    ]  # fmt: skip


@pytest.fixture
def labels(tmp_path: Path) -> list[Path]:
    """The labels of their nuggets: system a says one of two, b both of topic q."""
    return [
        written(tmp_path / f"{system}.labels.jsonl", (
            {"run_id": system, "qid": topic, "answer_text": f"{system} says {topic}", "nuggets": [
                {"text": f"{topic} {n}", "importance": "vital",
                 "assignment": "support" if n == 1 or (system == "b" and topic == "q") else "not_support"}
                for n in (1, 2)
            ]}
            for topic in "qrs"
        ))
        for system in ("a", "b")
    ]  # fmt: skip


@pytest.fixture
def session(nuggets: Path, answers: list[Path], labels: list[Path]) -> Session:
    session = Session()
    session.files.open_files([*map(str, (nuggets, *answers, *labels))])
    session.compute_now()
    return session


def test_no_door_draws_curves_and_each_says_why(
    nuggets: Path, labels: list[Path], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for command in ("curves", "show curves"):
        assert main([*command.split(), *map(str, (nuggets, *labels))]) == 2
        assert NO_CURVES in capsys.readouterr().err
    with pytest.raises(OptionError, match=NO_CURVES):
        irviewer.curves(nuggets, labels)
    page = irviewer.report(nuggets, labels).html
    assert NO_CURVES in page and 'class="curves"' not in page


def test_a_query_of_the_window_has_no_curves_and_says_why(session: Session) -> None:
    query = session.view_models.query_view_model()
    assert query is not None
    for figure in (query.precision_recall, query.gain, query.by_cutoff):
        assert (figure.curves, figure.note) == ((), NO_CURVES)


def test_the_pool_of_the_window_says_what_its_command_says(session: Session) -> None:
    """Its table had numbers of lists that nobody judged."""
    session.navigation.set_place("compare")
    pool = session.pooling.pool_view_model()
    assert pool is not None
    assert pool.table is None
    assert "Pool needs judged documents, and nuggets has nuggets alone" in pool.explanation


@pytest.mark.parametrize(("tab", "service", "view_model", "title"), [
    ("failures", "failures", "failures_view_model", "Failures"),
    ("failures", "failure_loop", "view_model", "Failures"),
    ("hubs", "failures", "hubs_view_model", "Misleading documents"),
    ("relevant", "failures", "relevant_view_model", "Relevant documents"),
    ("vector", "failures", "vector_view_model", "Ranking vector"),
    ("recall", "failures", "recall_view_model", "Reading effort"),
    ("worklist", "failures", "worklist_view_model", "Worklist"),
    ("stages", "stages", "stages_view_model", "Stages"),
])  # fmt: skip
def test_each_view_of_judged_lists_names_itself_and_says_what_it_lacks(
    tab: str, service: str, view_model: str, title: str, session: Session
) -> None:
    """Failures counted kinds of documents that nobody judged; others said that Failures lacked something."""
    session.navigation.set_place("query" if tab == "stages" else "queries")
    session.navigation.set_tab("query" if tab == "stages" else "queries", tab)
    session.compute_now()
    shown = getattr(getattr(session, service), view_model)()
    assert shown.explanation.startswith(f"{title} needs judged documents, and nuggets has nuggets alone")
    assert all(not kind.count for kind in getattr(shown, "kinds", ()) if hasattr(kind, "count"))
    if tab not in ("stages", "worklist"):
        assert nothing_in(session.view.collection, "queries", tab) == shown.explanation


@pytest.mark.parametrize("command", ["stages", "failures", "pool", "pool --worklist", "fusion-sweep", "reuse"])
def test_commands_that_ask_for_judged_documents_refuse(
    command: str, nuggets: Path, labels: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command.split(), *map(str, (nuggets, *labels))]) == 2
    assert "needs judged documents, and nuggets has nuggets alone" in capsys.readouterr().err


def test_functions_that_ask_for_judged_documents_refuse(nuggets: Path, labels: list[Path]) -> None:
    for function in (
        irviewer.stages, irviewer.failures, irviewer.pool_effects, irviewer.worklist, irviewer.sweep_fusion
    ):  # fmt: skip
        with pytest.raises(OptionError, match="has nuggets alone"):
            function(nuggets, labels)


def test_other_functions_take_the_main_measure_of_nuggets(nuggets: Path, labels: list[Path]) -> None:
    costs = {"a": {"ms": 1}, "b": {"ms": 2}}
    assert irviewer.ranking_stability(nuggets, labels).measure == V_STRICT
    assert irviewer.cost_effectiveness(nuggets, labels, "ms", run_attributes=costs).measure == V_STRICT
    report = irviewer.agreement({"one": nuggets, "two": nuggets}, labels)
    assert report.systems is not None and report.systems.measure.text == V_STRICT


@pytest.mark.parametrize(
    "command",
    ["evaluate", "verdict", "plan", "dialects", "show dialects", "show systems", "show queries", "show query"],
)
def test_every_door_says_what_unlabelled_answers_need(
    command: str, nuggets: Path, answers: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    main([*command.split(), *map(str, (nuggets, *answers))])
    captured = capsys.readouterr()
    assert UNLABELLED in captured.out + captured.err


def test_a_session_of_unlabelled_answers_starts_at_nuggets_and_says_what_it_needs(
    nuggets: Path, answers: list[Path]
) -> None:
    session = Session()
    session.files.open_files([*map(str, (nuggets, *answers))])
    session.compute_now()
    assert str(session.view.measure) == V_STRICT
    systems = session.view_models.systems_view_model()
    assert systems is not None and UNLABELLED in systems.caveats
    assert not [each for each in systems.caveats if "no relevant document" in each]


def test_judged_documents_are_in_force_where_answers_are_unlabelled(
    nuggets: Path, answers: list[Path], tmp_path: Path
) -> None:
    qrels = tmp_path / "documents.qrels"
    qrels.write_text("q 0 d1 1\nr 0 d2 1\n")
    session = Session()
    session.files.open_files([*map(str, (nuggets, qrels, *answers))])
    assert str(session.view.measure) == "nDCG@10"
    systems = session.view_models.systems_view_model()
    assert systems is not None and systems.precision_recall.curves


@pytest.mark.parametrize("command", [
    "evaluate", "evaluate -q", "compare", "paper", "paper --format markdown", "verdict", "stability", "dialects",
    "plan", "slices --by relevant", "show systems", "show queries", "show query", "evaluate -m V -m W",
])  # fmt: skip
def test_people_read_the_short_names_of_the_field(
    command: str, nuggets: Path, labels: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    main([*command.split(), *map(str, (nuggets, *labels))])
    captured = capsys.readouterr()
    assert "NuggetR" not in captured.out + captured.err
    assert command == "plan" or "V" in captured.out


@pytest.mark.parametrize("reader", ["expert", "manager"])
def test_the_report_has_the_short_names(
    reader: Literal["expert", "manager"], nuggets: Path, labels: list[Path]
) -> None:
    page = irviewer.report(nuggets, labels, reader=reader).html
    assert "V_strict" in page and "NuggetR" not in page


def test_data_have_the_canonical_names(nuggets: Path, labels: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("evaluate", "compare", "show query"):
        assert main([*command.split(), *map(str, (nuggets, *labels)), "--format", "csv"]) == 0
        printed = capsys.readouterr().out
        assert f'"{V_STRICT}"' in printed and "V_strict" not in printed


@pytest.mark.parametrize(("command", "words"), [
    ("evaluate", "official; where only nuggets are known V_strict, V, W, A"),
    ("slices", "nDCG@10; where only nuggets are known V_strict)"),
    ("report", "R@100; where only nuggets are known V_strict, V, W, A"),
    ("agreement", "nDCG@10; where only nuggets are known V_strict)"),
])  # fmt: skip
def test_the_help_says_which_measures_are_taken(command: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    main([command, "--help"])
    assert words in " ".join(capsys.readouterr().out.split())


def test_collections_of_nuggets_take_their_main_measure(nuggets: Path, labels: list[Path]) -> None:
    assert irviewer.evaluate_collections({"one": (nuggets, labels)}).table.measure == V_STRICT


def test_notes_are_of_the_nuggets_that_scores_are_over(
    nuggets: Path, labels: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """The file calls no nugget of q vital; the assigner of a was given vital ones of q, and okay ones of s, which the
    score of a is over."""
    nuggets.write_text(nuggets.read_text().replace('"text": "q 1", "importance": "vital"',
        '"text": "q 1", "importance": "okay"').replace('"text": "q 2", "importance": "vital"',
        '"text": "q 2", "importance": "okay"'))  # fmt: skip
    lines = labels[0].read_text().splitlines()
    lines[2] = lines[2].replace("vital", "okay")
    labels[0].write_text("\n".join(lines) + "\n")
    main(["evaluate", *map(str, (nuggets, *labels))])
    captured = capsys.readouterr()
    said = captured.out + captured.err
    assert "run a: 1 topic has no vital nugget, so its score over vital ones is 0: s" in said
    assert "is 0: q" not in said
    main(["answers", "scores", *map(str, (nuggets, *labels))])
    assert "nuggets: nuggets · scores: over the nuggets as the assigner returned them" in capsys.readouterr().out
    nuggets.write_text(json.dumps({"qid": "q", "nuggets": []}) + "\n")
    assert "1 topic has no nuggets: q" in load(nuggets, kind="qrels").report.warnings
    assert not [each for each in irviewer.evaluate(nuggets, labels, ["V_strict"]).warnings if "no nuggets" in each]


@pytest.mark.parametrize("more", [[], ["-q", "q"], ["--ties"]])
def test_explain_says_what_unlabelled_answers_need(
    more: list[str], nuggets: Path, answers: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """It printed “0 queries”, and no value."""
    assert main(["explain", str(nuggets), str(answers[0]), "-m", "V_strict", *more]) == 2
    assert UNLABELLED in capsys.readouterr().err


def test_labels_alone_are_written_as_no_run(labels: list[Path], tmp_path: Path, answers: list[Path]) -> None:
    """They were written as an empty file, and answers as lists of their references, without a word."""
    target = tmp_path / "a.run"
    with pytest.raises(OptionError, match=r"run a has labels of answers and no documents.* --to assignments and --to"):
        irviewer.convert(labels[0], target)
    assert not target.exists()
    assert irviewer.convert(answers[0], target) == ("not kept: answers; the lists are the references",)
    assert irviewer.convert(answers[0], tmp_path / "a.jsonl", to="rag24") == ()


def test_measures_of_lists_of_labels_alone_say_why_they_are_0(
    labels: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    qrels = tmp_path / "documents.qrels"
    qrels.write_text("q 0 d1 1\nr 0 d2 1\n")
    assert main(["evaluate", str(qrels), *map(str, labels), "-m", "nDCG@10"]) == 0
    captured = capsys.readouterr()
    assert "measures of lists are 0 for" in captured.out + captured.err
    assert main(["evaluate", str(qrels), *map(str, labels), "-m", "V_strict"]) == 0
    captured = capsys.readouterr()
    assert "measures of lists" not in captured.out + captured.err


@pytest.mark.parametrize("command", ["fuse", "similarity"])
def test_labels_alone_are_no_lists(command: str, labels: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    """A fusion of them was printed as nothing, without a word."""
    assert main([command, *map(str, labels)]) == 2
    assert "run a has labels of answers and no documents" in capsys.readouterr().err


@pytest.fixture
def twice(nuggets: Path, answers: list[Path], labels: list[Path]) -> list[str]:
    """The files, of which those of a and of the nuggets have topic q with another record at their end."""
    for path in (nuggets, answers[0], labels[0]):
        record = json.loads(path.read_text().splitlines()[0])
        changed = {"nuggets": record["nuggets"][:1]} if "nuggets" in record else {"answer": [{"text": "else"}]}
        with path.open("a") as file:
            file.write(json.dumps({**record, **changed}) + "\n")
    return [*map(str, (nuggets, *answers, *labels))]


DOORS = ["evaluate", "compare", "paper", "verdict", "stability", "show systems", "show query", "answers scores"]


@pytest.mark.parametrize("command", DOORS)
def test_topics_with_two_records_are_named_beside_the_numbers(
    command: str, twice: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    main([*command.split(), *twice, "--duplicates", "last"])
    captured = capsys.readouterr()
    for said in (
        "nuggets: 1 topic has different lists of nuggets; the last is kept: q",
        "a: 1 topic has different lists of nuggets; the last is kept: q",
        "a: 1 topic has different answers; the last is kept: q",
    ):
        assert said in captured.out + captured.err


def test_a_name_of_any_length_is_short_beside_topics(twice: list[str]) -> None:
    nuggets, answers, *_ = twice
    qrels = load(nuggets, duplicates="last").value
    run = load(answers, duplicates="last").value
    assert isinstance(qrels, irviewer.Qrels)
    assert isinstance(run, irviewer.Run)
    (said,) = [
        each
        for each in answer_cautions(parse_measures(["Uncited"]), qrels, [run.renamed("y" * 15_000)])
        if "has different answers" in each
    ]
    assert said.startswith("yyyy")
    assert len(said) < 300


def test_the_report_names_topics_with_two_records(twice: list[str], tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    main(["report", *twice, "--duplicates", "first", "-o", str(page)])
    assert "a: 1 topic has different answers; the first is kept: q" in page.read_text()


@pytest.mark.parametrize("command", DOORS)
def test_every_door_counts_labels_that_no_rule_knows(
    command: str, nuggets: Path, labels: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    labels[0].write_text(labels[0].read_text().replace("not_support", "hardly", 1))
    main([*command.split(), *map(str, (nuggets, *labels))])
    captured = capsys.readouterr()
    assert (captured.out + captured.err).count("1 label is none that a rule knows") == 1


def test_two_records_that_differ_in_their_labels_are_called_labels(
    nuggets: Path, labels: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """They were called different lists of nuggets."""
    first = labels[0].read_text().splitlines()[0]
    with labels[0].open("a") as file:
        file.write(first.replace("not_support", "partial_support") + "\n")
    assert main(["evaluate", *map(str, (nuggets, *labels))]) == 2
    assert "topic q has two sets of labels (lines 1 and 4)" in capsys.readouterr().err
    main(["evaluate", *map(str, (nuggets, *labels)), "--duplicates", "first"])
    captured = capsys.readouterr()
    assert "a: 1 topic has different labels; the first ones are kept: q" in captured.out + captured.err
    assert "different lists" not in captured.out + captured.err


def test_duplicates_hold_for_labels_of_support_and_published_scores(tmp_path: Path) -> None:
    """Equal records are read once; of different ones that is kept which the user names, and a note says so."""

    def record(label: str) -> dict[str, object]:
        return {"topic_id": "q", "run_id": "a", "sentences": [
            {"text": "so", "citations": [{"citationID": 0, "reference": "d1", "support": label}]}
        ]}  # fmt: skip

    equal = written(tmp_path / "equal.jsonl", [record("FS"), record("FS")])
    assert load(equal, kind="run").value.answered.support.topics == ("q",)
    support = written(tmp_path / "support.jsonl", [record("FS"), record("NS")])
    with pytest.raises(DuplicateError, match="topic q has two sets of labels"):
        load(support, kind="run")
    for which, label in (("first", "FS"), ("last", "NS")):
        loaded = load(support, kind="run", duplicates=which)
        assert loaded.value.answered.support.label_texts.to_pylist() == [label]
        assert f"1 topic has different labels; the {which} ones are kept: q (line 2)" in loaded.report.warnings
        said = irviewer.evaluate({"q": {"d1": 1}}, loaded.value, ["SupportP"]).warnings
        assert f"a: 1 topic has different labels; the {which} ones are kept: q" in said
    scores = written(tmp_path / "scores.jsonl", [{"qid": "q", "run_id": "a", "vital_score": n} for n in (0.5, 1.0)])
    (note,) = [each for each in load(scores, kind="run", duplicates="first").report.warnings if "another" in each]
    assert "1 score has another value" in note


@pytest.mark.parametrize("command", [
    "evaluate", "compare", "compare --pairs", "paper", "stability", "verdict", "show systems", "explain",
])  # fmt: skip
def test_a_run_that_is_called_like_a_measure_keeps_its_name(
    command: str, nuggets: Path, labels: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """Usual names were put into finished texts, also where these had the name of a run or a topic."""
    of_query = ["-q", "q"] if command == "explain" else []

    def printed(name: str) -> str:
        labels[1].write_text("".join(json.dumps({**json.loads(line), "run_id": name}) + "\n" for line in lines))
        given = labels[1:] if command == "explain" else labels
        assert main([*command.split(), str(nuggets), *map(str, given), "-m", "V_strict", *of_query]) == 0
        return " ".join(capsys.readouterr().out.replace("\\", "").split())

    lines = labels[1].read_text().splitlines()
    wanted, name = printed("another"), "NuggetR(weight='all')"
    assert "V_strict" in wanted and V_STRICT not in wanted
    assert printed(name).replace(name, "another") == wanted


@pytest.mark.parametrize("measure", ["V_strict", "nDCG@5"])
def test_judgments_of_another_kind_are_no_other_judge(
    measure: str, tmp_path: Path, nuggets: Path, labels: list[Path]
) -> None:
    """Qrels of documents change no score of nuggets, and nuggets give no grades: the verdict asks neither. Other
    nuggets are another judge of V_strict."""
    documents, other = tmp_path / "documents.qrels", tmp_path / "other.jsonl"
    documents.write_text("".join(f"{topic} 0 d{n} {n}\n" for topic in "qrs" for n in (1, 2)))
    other.write_text(nuggets.read_text())
    runs = tmp_path / "a.run", tmp_path / "b.run"
    for place, run in enumerate(runs):
        run.write_text("".join(f"{topic} Q0 d{1 + place} 1 1 {run.stem}\n" for topic in "qrs"))
    own, judges, shown = {
        "V_strict": (nuggets, [documents, other], labels), "nDCG@5": (documents, [nuggets], list(runs)),
    }[measure]  # fmt: skip

    def asked(judges: list[Path]) -> int:
        """How many other judges the verdict tried."""
        tried = irviewer.show("verdict", own, shown, judges=judges, measures=measure)["tried"]
        return list(tried.column("change").values).count("judge")

    assert asked(judges) == len(judges) - 1
    assert asked(judges[:1]) == 0


@pytest.mark.parametrize("doors", [
    "evaluate", "compare", "verdict", "scores", "nuggets", "lost", "sentences", "checks", "worklist",
])  # fmt: skip
def test_labels_of_other_topics_are_refused_as_lists_of_other_topics_are(
    doors: str, nuggets: Path, answers: list[Path], labels: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """Beside answers to the right topics every score was 0, and a note said why. Measures that do not read the labels
    have values."""
    other = labels[0].with_name("other.jsonl")
    other.write_text(labels[0].read_text().replace('"qid": "', '"qid": "x'))
    given = [str(path) for path in (nuggets, *answers, other, labels[1])]
    command = [doors] if doors in ("evaluate", "compare", "verdict") else ["answers", doors]
    evaluates = doors == "evaluate"  # the other one is left
    assert main([*command, *given, "-m", "V_strict"]) == (0 if evaluates else 2)
    said = capsys.readouterr()
    run = "a left out" if evaluates else "run a"
    of = "" if doors in ("sentences", "checks", "worklist") else "V_strict: " if evaluates else "V_strict, "
    assert (
        f"{of}{run}: none of its labels is of a topic of nuggets: theirs (xq, xr …) are not those (q, r …)"
    ) in " ".join((said.out + said.err).split())
    assert main(["evaluate", *given, "-m", "Length"]) == 0


@pytest.mark.parametrize("measure", ["Uncited", "CitedRel", "V", "nDCG@5 + Length"])
@pytest.mark.parametrize("what", ["stages", "fusion-sweep"])
def test_measures_of_answers_are_refused_where_lists_are_taken_apart(
    what: str, measure: str, answers: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A list that was fused, or put in ideal order, has no answer: to give answers would not help."""
    qrels, lists = tmp_path / "documents.qrels", tmp_path / "first.run"
    qrels.write_text("".join(f"{topic} 0 d1 1\n{topic} 0 d2 0\n" for topic in "qrs"))
    lists.write_text("".join(f"{topic} Q0 d{n} {n} {9 - n} first\n" for topic in "qrs" for n in (1, 2)))
    for runs in ([lists, answers[0]], answers):
        files = [str(qrels), *map(str, runs)]
        said = []
        for command in ([what], ["show", what]):
            assert main([*command, *files, "-m", measure]) == 2
            said.append(capsys.readouterr().err)
        with pytest.raises(irviewer.IrviewerError) as caught:
            (irviewer.stages if what == "stages" else irviewer.sweep_fusion)(files[0], files[1:], measure)
        assert {*said} == {f"irviewer: {caught.value}\n"}
        assert "is a measure of answers. Choose a measure of documents, such as nDCG@10." in str(caught.value)
