"""The report: one file without anything from elsewhere, texts as data, every number of the evaluation in it, light."""

from __future__ import annotations

import hashlib
import random
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import irviewer
from irviewer.analysis.statistics.simultaneous import simultaneous_intervals
from irviewer.cli.main import main
from irviewer.errors import OptionError, UndecidedError
from irviewer.model.number_text import quantity
from irviewer.model.texts import TextTable

HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(2)>&{0}\x1b[31m\u202e</style>'


class Page(HTMLParser):
    """Every tag, attribute and text of a page; tags that are left open."""

    VOID = frozenset({"meta", "br", "img", "link"})

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.open: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.texts.append(data)


def collection(n_runs: int, n_queries: int, seed: int = 1, name: str = "run") -> tuple[dict[str, Any], dict[str, Any]]:
    dice = random.Random(seed)
    qrels = {f"q{q}": {f"d{q}-{d}": dice.choice((0, 0, 1, 2)) for d in range(30)} for q in range(n_queries)}
    runs = {
        f"{name}{r}": {
            query: {document: dice.random() + 0.1 * r * grade for document, grade in judged.items()} | {f"new{r}": 0.5}
            for query, judged in qrels.items()
        }
        for r in range(n_runs)
    }
    return qrels, runs


def checked(html: str) -> Page:
    """The page, which asks for nothing from elsewhere and runs nothing."""
    page = Page(html)
    assert page.open == []
    names = {tag for tag, _ in page.tags}
    assert not names & {"script", "img", "link", "iframe", "object", "form", "a", "base", "image", "use"}
    for _, attributes in page.tags:
        assert not any(name.startswith("on") or name in ("src", "href", "xlink:href") for name in attributes)
    assert "url(" not in html
    assert "default-src 'none'" in html
    return page


def printed(report: Any, folder: Path) -> list[str]:
    """The words of each page that a browser prints."""
    report.save(folder / "report.html")
    subprocess.run(
        ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'browser'}",
         f"--print-to-pdf={folder / 'report.pdf'}", (folder / "report.html").as_uri()],
        check=True, capture_output=True,
    )  # fmt: skip
    words = ["pdftotext", str(folder / "report.pdf"), "-"]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout.split("\f")


def test_every_number_is_in_it() -> None:
    qrels, runs = collection(3, 20)
    measures = ["nDCG@10", "AP", "P@5"]
    page = checked(irviewer.report(qrels, runs, measures).html)
    result = irviewer.evaluate(qrels, runs, measures)
    for measure in measures:
        for run in runs:
            assert f"{result.mean(measure, run):.4f}" in page.texts
            for value in result.by_query(measure, run).values():
                assert f"{value:.4f}" in page.texts
    conclusion = irviewer.compare(qrels, runs, "nDCG@10")["nDCG@10"].find("run2").conclusion
    assert f"nDCG@10: {conclusion}." in page.texts
    verdict = next(text for text in page.texts if "run2 was chosen" in text)
    values = [list(result.by_query("nDCG@10", run).values()) for run in runs]
    gains = np.array([values[1], values[2]]) - values[0]
    together = simultaneous_intervals(gains)
    assert "it has the best mean of the 2 runs that are compared with run0" in verdict
    assert f"is [{quantity(together.low[1])}, {quantity(together.high[1])}] (simultaneous 95 %" in verdict
    pair = {name: runs[name] for name in ("run0", "run2")}
    assert "was chosen" not in irviewer.report(qrels, pair, measures).html


def test_gains_and_losses_show_the_lists() -> None:
    qrels, runs = collection(2, 20)
    html = irviewer.report(qrels, runs, "nDCG@10", baseline="run0").html
    page = checked(html)
    ids = [attributes for tag, attributes in page.tags if tag == "code"]
    assert ids and all("w" in attributes.values() for attributes in map(dict, ids)), "no title needs room beside them"
    assert ".w{grid-column:3/-1;max-width:none}" in html
    result = irviewer.evaluate(qrels, runs, "nDCG@10").of("nDCG@10")[1]
    delta = result[1] - result[0]
    best = irviewer.evaluate(qrels, runs, "nDCG@10").query_ids[int(delta.argmax())]
    at = next(place for place, text in enumerate(page.texts) if text.strip() == f"query {best}")
    tops = page.texts[at : at + 80]
    first = irviewer.Run.of(runs["run1"]).ranking(best, 10)
    assert [query for query in tops if query in first][-10:] == first or set(first) <= set(tops)


def test_hostile_texts_stay_texts(tmp_path: Path) -> None:
    qrels = {f"{HOSTILE}{q}": {f"{HOSTILE}a": 1, "b": 0} for q in range(24)}
    good = {query: {f"{HOSTILE}a": 2.0, "b": 1.0} for query in qrels}
    bad = {query: {f"{HOSTILE}a": float(n % 3), "b": 1.5} for n, query in enumerate(qrels)}
    texts = TextTable.from_rows([{"id": query, "text": HOSTILE} for query in qrels])
    documents = TextTable.from_rows([{"id": f"{HOSTILE}a", "title": HOSTILE, "text": HOSTILE * 9}])
    report = irviewer.report(
        qrels, {f"{HOSTILE}1": bad, f"{HOSTILE}2": good}, "RR", title=HOSTILE, texts=texts, documents=documents,
        command=HOSTILE, by="part", query_attributes={query: {"part": f"{HOSTILE}{n % 2}"} for n, query in
                                                      enumerate(qrels)},
        judges={HOSTILE: qrels},
    )  # fmt: skip
    page = checked(report.html)
    assert "\x1b" not in report.html
    assert "\u202e" not in report.html
    assert report.html.count("<style>") == report.html.count("</style>") == 1
    assert any("<script>alert(1)</script>" in text for text in page.texts)
    report.save(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text("utf-8") == report.html


def test_twenty_runs_and_fifty_queries_are_light() -> None:
    qrels, runs = collection(20, 50)
    assert len(irviewer.report(qrels, runs).html.encode()) < 3_000_000


def test_one_run_one_query_and_a_run_worse_than_its_baseline() -> None:
    qrels, runs = collection(2, 1)
    checked(irviewer.report(qrels, {"alone": runs["run0"]}).html)
    checked(irviewer.report(qrels, runs).html)
    qrels, runs = collection(2, 20)
    page = checked(irviewer.report(qrels, runs, baseline="run1").html)
    assert any("run0 is worse than run1" in text for text in page.texts)


def test_what_it_refuses() -> None:
    qrels, runs = collection(2, 3)
    with pytest.raises(OptionError, match="there is no run nix"):
        irviewer.report(qrels, runs, baseline="nix")
    with pytest.raises(OptionError, match="mean over queries"):
        irviewer.report(qrels, runs, "num_ret")
    with pytest.raises(UndecidedError):
        irviewer.report(qrels, {"stranger": {query: {f"nobody{n}": 1.0 for n in range(50)} for query in qrels}})


def test_the_command_names_files_with_digests(tmp_path: Path, samples: Path) -> None:
    files = [samples / "cranfield" / "runs" / name for name in ("bm25_plain.run.gz", "fusion_rrf.run.gz")]
    qrels = samples / "cranfield" / "qrels.txt"
    output = tmp_path / "report.html"
    queries = str(samples / "cranfield" / "queries.tsv")
    words = ["report", str(qrels), *map(str, files), "-m", "AP", "--texts", queries, "--by", "relevant"]
    assert main([*words, "-o", str(output)]) == 0
    page = checked(output.read_text("utf-8"))
    for path in (qrels, *files):
        assert hashlib.sha256(path.read_bytes()).hexdigest() in page.texts
    assert any("AP is 0.4561, compared with 0." in text for text in page.texts)
    assert main([*words, "--baseline", "nix", "-o", str(output)]) == 2


def test_runs_are_listed_the_best_first_whichever_order_they_are_given_in() -> None:
    qrels, runs = collection(5, 12)
    means = {name: irviewer.evaluate(qrels, {name: run}, ["nDCG@10"]).mean("nDCG@10") for name, run in runs.items()}
    best = sorted(means, key=means.__getitem__, reverse=True)
    for given in (runs, dict(reversed(runs.items()))):
        html = irviewer.report(qrels, given, ["nDCG@10", "AP"], baseline="run1").html
        table = html[html.index("Systems</") :]
        table = table[: table.index("</table>")]
        assert re.findall(r">(?:★ )?(run\d)<", table) == best
        row = next(row for row in table.split("<tr") if "run1" in row)
        assert "★" in row


@pytest.mark.slow
@pytest.mark.skipif(not (shutil.which("chromium") and shutil.which("pdftotext")), reason="needs Chromium and poppler")
def test_the_first_printed_page_has_conclusion_runs_tests_and_curves(tmp_path: Path) -> None:
    qrels, runs = collection(3, 30)
    first = printed(irviewer.report(qrels, runs, ["nDCG@10", "AP"]), tmp_path)[0]
    for heading in ("Systems", "What the tests show", "Curves", "nDCG by cutoff"):
        assert heading in first


def test_a_legend_has_the_dashes_of_its_curves() -> None:
    """Without colour, as in print, only the dash tells curves apart."""
    qrels, runs = collection(3, 12)
    page = checked(irviewer.report(qrels, runs, "nDCG@10").html)
    curves = [
        attributes for tag, attributes in page.tags if tag == "path" and str(attributes["class"]).startswith("c ")
    ]
    looks = [(each["class"], each.get("stroke-dasharray")) for each in curves]
    assert len(set(looks)) == 3 and len({dash for _, dash in looks}) == 3
    assert {looks.count(look) for look in looks} == {4}, "two figures, and the legend of each"


def test_a_section_of_a_judge_has_the_judges_of_the_report() -> None:
    """It said that another judge is needed, which was given. Names stay texts."""
    qrels, runs = collection(3, 14)
    other, _ = collection(3, 14, seed=2)
    names = [HOSTILE, "L" * 15_000, "a\nb\r\u2028c"]
    html = irviewer.report(qrels, runs, judges=dict.fromkeys(names, other), sections=["judge"], samples=200).html
    page = checked(html)
    assert "Do the grades agree?" in page.texts
    assert not any(sign in html for sign in ("\u202e", "\x1b", "\u2028"))
