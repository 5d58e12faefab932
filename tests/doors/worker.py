"""What every door says of a collection under a protocol, in one language: a process that lives as long as the tests,
since a language is chosen when a process starts. Each line of its input is a request, each line of its output the
answer, both JSON."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import re
import sys
import warnings
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

import irviewer
from irviewer.cli import main
from irviewer.errors import IrviewerError, OptionError
from irviewer.session.session import Session
from irviewer.translation import use_decimal_comma

Answer = dict[str, dict[str, Any]]
SAMPLES = "200"


class Doors:
    """The doors on one request: files, a protocol as a file and as the choices of a window, and what is only shown."""

    def __init__(self, request: dict[str, Any]) -> None:
        self.folder = Path(request["folder"])
        self.paths: list[str] = request["paths"]
        self.fields: dict[str, Any] = request["fields"]
        self.protocol: str = request["protocol"]
        self.measure: str = request["measure"]
        self.hidden: list[str] = request["hidden"]
        self.edited: str = request["edited"]
        self.attributes: str = request["attributes"]
        self.topics: list[str] = request["topics"]
        self.lines: Answer = {}
        self.values: Answer = {}
        self.files: Answer = {}

    def answer(self) -> dict[str, Answer]:
        """Lines, values and bytes of files by topic and door."""
        for topic in self.topics:
            getattr(self, topic)()
        with self._window() as session:
            self._in_window(session)
        return {"lines": self.lines, "values": self.values, "files": self.files}

    # --- topics ---

    def evaluate(self) -> None:
        """Values of each run and query."""
        self._printed("evaluate", [*self.paths, "-q"], "queries")
        self._saved("evaluate", irviewer.evaluate(self.paths[0], self.paths[1:], protocol=self.protocol), "queries")

    def compare(self) -> None:
        """Each run against the baseline."""
        result = irviewer.compare(self.paths[0], self.paths[1:], protocol=self.protocol)
        self._printed("compare", self.paths)
        self._saved("compare", result)

    def slices(self) -> None:
        """The same by slices."""
        self._printed("slices", [*self.paths, "--by", "kind", "--query-attributes", self.attributes])
        result = irviewer.compare_slices(
            self.paths[0], self.paths[1:], by="kind", query_attributes=self.attributes, protocol=self.protocol
        )
        self._saved("slices", result)

    def stages(self) -> None:
        """All runs as stages."""
        self._printed("stages", self.paths, "difference")
        result = irviewer.stages(self.paths[0], self.paths[1:], protocol=self.protocol)
        self._saved("stages", result, "difference")

    def gate(self) -> None:
        """Whether the first run may replace the second."""
        margin = f"{self.measure} > -0.1"
        asked = [self.paths[0], self.paths[1], "--baseline", self.paths[2], "--non-inferior", margin]
        try:
            result = irviewer.gate(self.paths[0], self.paths[1], self.paths[2], margin, protocol=self.protocol)
        except OptionError as error:  # which has no mean difference
            assert self.measure == "gm_map", error
            self._refused(["gate", *asked, "--protocol", self.protocol], str(error))
            return
        self._printed("gate", asked, "conditions", (0, 1, 2))
        self._saved("gate", result, "conditions")

    def paper(self) -> None:
        """The table for a paper."""
        text = self._said(["paper", *self.paths, "-m", self.measure, "--protocol", self.protocol, "--format", "csv"])
        table = irviewer.paper_table(self.paths[0], self.paths[1:], [self.measure], protocol=self.protocol)
        self._rows("paper", "command csv", text)
        self._rows("paper", "Python", table.csv)

    def report(self) -> None:
        """The report: its line."""
        target = self.folder / "report.html"
        self._said(["report", *self.paths, "-m", self.measure, "--protocol", self.protocol, "-o", str(target)])
        report = irviewer.report(self.paths[0], self.paths[1:], [self.measure], protocol=self.protocol)
        self._put("report", "command", _line_in(target.read_text("utf-8")), [{}])
        report.save(target)
        self._put("report", "Python", _line_in(target.read_text("utf-8")), [{}])

    # --- doors ---

    def _said(self, words: list[str], allowed: tuple[int, ...] = (0,)) -> str:
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = main.main(words)
        if status not in allowed:
            raise AssertionError(f"irviewer {' '.join(words)}: status {status}, {err.getvalue()}")
        return out.getvalue()

    def _refused(self, words: list[str], why: str) -> None:
        """A command says why it has no result."""
        err = io.StringIO()
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(err):
            status = main.main(words)
        assert (status, err.getvalue()) == (2, f"irviewer: {why}\n"), (status, err.getvalue())

    def _printed(self, topic: str, words: list[str], table: str = "", allowed: tuple[int, ...] = (0,)) -> None:
        """What a command writes as CSV, JSON and Parquet."""
        command = [topic, *words, "--protocol", self.protocol]
        text = self._said([*command, "--format", "csv", *(["--table", table] if table else [])], allowed)
        self._rows(topic, "command csv", text)
        data = json.loads(self._said([*command, "--format", "json"], allowed))
        if "tables" in data and "schema" in data:
            chosen = next(each for each in data["tables"] if each["name"] == table or not table)
            self._put(topic, "command json", data["protocol"]["line"], chosen["rows"])
            target = self.folder / "table.parquet"
            self._said(
                [*command, "--format", "parquet", "-o", str(target), *(["--table", table] if table else [])], allowed
            )
            self._put(topic, "command parquet", None, pq.read_table(target).to_pylist())
        else:
            self._put(topic, "command json", data["protocol"]["line"], [{}])

    def _saved(self, topic: str, result: Any, table: str = "") -> None:
        """What Python writes."""
        self._put(topic, "Python", None if result.protocol is None else result.protocol.line(), [{}])
        for ending in ("csv", "parquet"):
            target = self.folder / f"saved.{ending}"
            result.save(target, table)
            if ending == "csv":
                self._rows(topic, "Python csv", target.read_text("utf-8"))
            else:
                self._put(topic, "Python parquet", None, pq.read_table(target).to_pylist())

    def _rows(self, topic: str, door: str, text: str) -> None:
        self._put(topic, door, None, [dict(row) for row in csv.DictReader(io.StringIO(text))])
        self.files.setdefault(topic, {})[door] = text

    def _put(self, topic: str, door: str, line: str | None, rows: list[dict[str, Any]]) -> None:
        if line is not None:
            self.lines.setdefault(topic, {})[door] = line
        if topic == "evaluate":  # queries that a run lacks are not told by every door
            rows = [{key if key in ("run", "query") else "value": row[key] for key in row} for row in rows]
            rows = [row for row in rows if not row or as_text(row["value"])]
        if rows != [{}]:
            self.values.setdefault(topic, {})[door] = [{key: as_text(row[key]) for key in row} for row in rows]

    # --- the window ---

    @contextlib.contextmanager
    def _window(self) -> Iterator[Session]:
        session = Session()
        try:
            session.files.open_files(self.paths)
            session.evaluation.set_measure(self.measure)
            session.protocol.set_number("samples", SAMPLES)
            chosen = {
                name: value for name, value in self.fields.items() if name not in ("measures", "baseline", "queries")
            }
            if chosen:
                session.protocol.set(**chosen)
            assert session.view.collection is not None
            keys = {entry.name: entry.key for entry in session.view.collection.runs}
            if "baseline" in self.fields:
                session.runs.set_baseline(keys[self.fields["baseline"]])
            if "queries" in self.fields:
                session.query_sets.make_query_set("few", [str(query) for query in self.fields["queries"]], looked=False)
                session.query_sets.set_query_set("few")
            if self.edited:
                assert session.view.context is not None
                session.navigation.set_query(session.view.context.query_ids[0])
                key = session.run_editing.edit_copy(keys[self.edited])
                entry = None if key is None else session.view.collection.run(key)
                assert key is not None
                assert entry is not None
                session.run_editing.move_document(key, entry.run.ranking(session.view.query_id)[-1], 1)
            session.runs.show_runs([key for name, key in keys.items() if name not in self.hidden])
            session.navigation.set_place("systems")
            session.compute_now()
            yield session
        finally:
            session.close()

    def _in_window(self, session: Session) -> None:
        context, bound = session.view.context, session.view.protocol
        compared = session.comparison.compared("baseline")
        assert context is not None
        assert bound is not None
        assert compared is not None
        self._put("compare", "window", bound.line(), [{}])
        systems = session.view_models.systems_view_model()
        assert systems is not None
        shown = {label.key: delta for label, delta in zip(systems.runs, systems.delta.tolist(), strict=True)}
        rows = []
        for entry in context.system_runs:
            pair = compared.pair(entry.key)
            if pair is None:
                continue
            assert shown[entry.key] == pair.difference, "Δ of Systems"
            key, prefix = ("ratio", "ratio_") if pair.geometric else ("difference", "")
            names = (key, f"{prefix}interval_low", f"{prefix}interval_high")
            rows.append(
                {
                    "run": entry.name, "n": pair.n, "mean": pair.mean, "other_mean": pair.other_mean,
                    **dict(zip(names, pair.change.shown, strict=True)),
                    "better": pair.wins, "equal": pair.ties, "worse": pair.losses,
                    "p": pair.decision.p, "p_corrected": pair.decision.p_corrected,
                }
            )  # fmt: skip
        self._put("compare", "window", None, rows)
        values = [
            {"run": entry.name, "query": query, "value": value}
            for entry in context.system_runs
            for query, value, own in zip(
                context.query_ids, context.values(entry, context.measure).tolist(),
                context.counted(entry, context.measure), strict=True,
            )
            if own and query in bound.query_ids
        ]  # fmt: skip
        if "evaluate" in self.topics:
            self._put("evaluate", "window", None, values)


def as_text(value: Any) -> str:
    """A value as one text, whichever format it was in: numbers by their shortest exact digits, nothing for none."""
    if value is None or (isinstance(value, float) and value != value):
        return ""
    text = {"True": "true", "False": "false"}.get(str(value), str(value))
    try:
        return repr(float(text))
    except ValueError:
        return text


def _line_in(html: str) -> str:
    """The first of the facts below the title of a report."""
    text = re.sub(r"<[^>]*>", "\n", re.sub(r"<style.*?</style>", "", html, flags=re.S))
    return next(line.strip() for line in unescape(text).splitlines() if " · " in line)


def serve() -> None:
    """Answer requests until the input ends."""
    warnings.simplefilter("ignore")
    use_decimal_comma(os.environ.get("IRVIEWER_LANGUAGE") == "es")
    answers = sys.stdout
    for line in sys.stdin:
        try:
            answer: dict[str, Any] = Doors(json.loads(line)).answer()
        except (AssertionError, IrviewerError, LookupError, ValueError) as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    serve()
