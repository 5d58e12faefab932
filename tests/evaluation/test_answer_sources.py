"""The line says what scores of answers assume, the same at every door, and nothing of answers where no score reads
them."""

from __future__ import annotations

from pathlib import Path

import pytest

import irviewer
from irviewer.cli.main import main
from irviewer.session.evaluation.caveats import find_caveats
from irviewer.session.session import Session

OWN = Path(__file__).parents[1] / "data" / "answers"
FILES = [OWN / f"{run}.{part}.jsonl" for run in ("alpha", "beta") for part in ("answers", "assignments", "support")]
NUGGETS = OWN / "nuggets.jsonl"
OF_NUGGETS = "nuggets: nuggets · assigned by assignments"
OF_VIEWS = f"{OF_NUGGETS} · support judged by support"


def test_a_view_says_it_at_every_door(capsys: pytest.CaptureFixture[str]) -> None:
    line = irviewer.answers("lost", NUGGETS, FILES).protocol.line()
    assert line.endswith(f"{OF_VIEWS} · list: the references")
    assert main(["answers", "lost", str(NUGGETS), *map(str, FILES)]) == 0
    assert line in capsys.readouterr().out
    session = Session()
    session.files.open_files([str(NUGGETS), *map(str, FILES)])
    session.result_views.choose("answer-lost")
    session.compute_now()
    assert session.result_views.protocol().line().endswith(f"{OF_VIEWS} · list: the references")


def test_several_assigners_are_named_with_their_runs(tmp_path: Path) -> None:
    """Two runs of a system under two assigners have its name, one with a number, which alone does not tell whose."""
    files = []
    for system in ("alpha", "beta"):
        for assigner in ("model", "person"):
            path = tmp_path / f"{system}.{assigner}.jsonl"
            text = (OWN / f"{system}.assignments.jsonl").read_text()
            path.write_text(text.replace("partial_support", "support") if assigner == "person" else text)
            files.append(path)
    result = irviewer.evaluate(NUGGETS, files, ["V"])
    assert result.protocol is not None
    assert "assigned by model (alpha, beta), person (alpha (2), beta (2))" in result.protocol.line()
    assert result.runs == ("alpha", "alpha (2)", "beta", "beta (2)")


def test_a_list_that_is_found_is_not_declared() -> None:
    session = Session()
    session.files.open_files([str(NUGGETS), *map(str, FILES), str(OWN / "context.run")])
    session.result_views.choose("answer-lost")
    session.compute_now()
    part = session.result_views.protocol().parts()[-1]
    assert (part.text, part.origin) == ("list: context, by its references", "default")
    given = irviewer.answers("lost", NUGGETS, FILES, context=OWN / "context.run").protocol.parts()[-1]
    assert (given.text, given.origin) == ("list: as given", "declared")


def test_a_measure_says_what_it_depends_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def line(*measures: str) -> str:
        result = irviewer.evaluate(NUGGETS, FILES, list(measures))
        assert result.protocol is not None
        return result.protocol.line()

    assert line("V_strict").endswith(OF_NUGGETS)
    assert line("SupportP").endswith("· support judged by support")
    assert "assigned" not in line("SupportP")
    assert "nuggets" not in line("Uncited") + line("nDCG@10")
    compared = irviewer.compare(NUGGETS, FILES, measures=["V_strict"]).protocol
    assert compared is not None
    assert compared.line().endswith(OF_NUGGETS)
    assert main(["evaluate", str(NUGGETS), *map(str, FILES), "-m", "V_strict"]) == 0
    assert line("V_strict") in capsys.readouterr().out
    odd = (OWN / "alpha.assignments.jsonl").read_text().replace("partial_", "male_")
    (tmp_path / "alpha.model.jsonl").write_text(odd)
    result = irviewer.evaluate(NUGGETS, [tmp_path / "alpha.model.jsonl"], ["V"])
    assert result.protocol is not None
    assert result.protocol.line().endswith("nuggets: nuggets · assigned by model · unknown labels: not said")


def test_different_assigners_are_said_where_systems_are_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A model's labels of one system against a person's of another: at every door, with who assigned."""
    files = [tmp_path / "alpha.model.jsonl", tmp_path / "beta.person.jsonl"]
    for path in files:
        path.write_text((OWN / f"{path.name.partition('.')[0]}.assignments.jsonl").read_text())
    said = "uggets are assigned by model (alpha), person (beta): a difference of two runs may be one of their assigners"
    named = "assigned by model (alpha), person (beta)"
    given = [str(NUGGETS), *map(str, files)]
    gate = ["gate", given[0], given[2], "--baseline", given[1], "--fail-if", "V worse, p < .05"]
    views = ("scores", "pairs", "nuggets", "lost")
    for arguments in (
        *(["answers", view, *given] for view in views), gate,
        *([command, *given, "-m", "V"] for command in ("evaluate", "compare", "slices", "paper", "verdict")),
    ):  # fmt: skip
        main(arguments)
        out, err = capsys.readouterr()
        assert said in out + err, arguments
        assert named in out.partition("\n\n")[0] + out.partition(r"\begin")[0], arguments
    assert any(said in text for text in irviewer.compare(NUGGETS, files, measures=["V"]).warnings)
    session = Session()
    session.files.open_files(given)
    assert session.evaluation.set_measure("V")
    context = session.view.context
    assert context is not None
    assert any(said in caveat for caveat in find_caveats(context))
    alone = irviewer.compare(NUGGETS, FILES, measures=["V"])  # the labels of both are by one assigner
    assert not any("assigners" in text for text in alone.warnings)
