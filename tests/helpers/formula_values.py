r"""Formulas as they are shown, read and computed: LaTeX -> a number for a query, in plain loops.

Knows no measure and nothing of how one is computed: only the notation that ``irviewer.measures.formulas`` describes,
and what its few phrases mean. A formula that says anything else is refused."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import brute_preferences as brute

Vars = dict[str, Any]
Value = Callable[["World", Vars], Any]
EQUAL = 1e-9

PHRASES = {
    r"|rel \cap ret|": "relret",
    r"|ret \setminus rel|": "otherret",
    r"|rel \setminus ret|": "missedrel",
    r"|nonrel \cap ret|": "nonrelret",
    r"|ret \cup qrels|": "known",
    r"|\bigcup_{s} rel_s|": "onsubtopics",
    r"|run_{1..i} \cap ideal_{1..i}|": "overlap(i)",
    "|nonrel|": "allnonrel",
    "|judged|": "alljudged",
    "|ret|": "n",
    "|Q|": "queries",
    "|G|": "groups",
    "g^{*}": "gbest",
    "D^{*}": "Dbest",
    "g_{max}": "gmax",
    "k_r": "kr",
    "T_i": "Ti",
    "AP_q": "APq",
    "bpref_q": "bprefq",
    r"\alpha": "alpha",
    r"\beta": "beta",
    r"\epsilon": "epsilon",
}
REMOVED = r"\mathrm{unjudged\ documents\ removed}"
BY_GROUP = r"\mathrm{ranks\ of\ the\ documents\ judged\ by}\ g"
BEST = {
    r"gbest = g\ \mathrm{of\ the\ judged\ documents,\ descending}": "judged",
    r"gbest = g\ \mathrm{of\ the\ documents\ retrieved,\ descending}": "retrieved",
    r"gbest = g\ \mathrm{of\ the\ estimated\ documents,\ descending}": "estimated",
    r"gbest = g\ \mathrm{of\ the\ greedy\ ideal\ ranking}": "greedy",
}
PRICE = re.compile(r"g = (-?[\d.]+)\\ \\mathrm\{at\\ grade\}\\ (-?[\d.]+)")
OVER = {
    r"\mathrm{over\ pairs\ with\ a\ or\ b\ returned}": "imp",
    r"\mathrm{over\ pairs\ with\ a\ and\ b\ returned}": "ret",
}
IN_WORDS: dict[str, Callable[[brute.Groups, Sequence[str], str], float]] = {
    r"|\{(a, b) : a \succ b\}|": lambda groups, ranking, pairs: sum(
        brute.counts(group, ranking, pairs)[1] for group in groups.values()
    ),
    r"|\{(a, b) : a \succ b,\ rank(a) < rank(b)\}|": lambda groups, ranking, pairs: sum(
        brute.counts(group, ranking, pairs)[0] for group in groups.values()
    ),
    r"\frac{\sum_g |fulfilled_g|}{\sum_g |possible_g|}": brute.simple,
    r"\frac{1}{|pairs|} \sum_{\{a,b\}} \frac{n(a \succ b)}{n(a \succ b) + n(b \succ a)}, \quad "
    r"n(a \succ b) = |\{g : a \succ_g b\}|, \quad rank(a) < rank(b)": brute.by_pair,
    r"\frac{1}{|G|} \sum_{g} \frac{|fulfilled_g|}{|possible_g|}": brute.by_group,
    r"\frac{1}{|G|} \sum_{g} \frac{|fulfilled_g|}{|possible_g|}, \quad |nonrel_g| := R_g": brute.limited,
}
"""Formulas about pairs of documents, to the letter."""


@dataclass
class World:
    """One query: the documents returned, best first, and what qrels and lengths say of documents.

    judged   document -> its highest grade; ``assessed`` group -> document -> grade; ``strata`` document -> stratum"""

    ranking: Sequence[str]
    judged: Mapping[str, float]
    assessed: Mapping[str, Mapping[str, float]]
    highest: float
    lengths: Callable[[str], float]
    everything: list[World] = field(default_factory=list)
    memo: dict[Any, Any] = field(default_factory=dict)
    of_groups: bool = False
    strata: Mapping[str, str] = field(default_factory=dict)

    def judged_only(self, by_group: bool) -> World:
        """Without the documents that are not judged, at all or by each group."""
        kept = [document for document in self.ranking if self.judged.get(document, -1) >= 0]
        kept_world = World(kept, self.judged, self.assessed, self.highest, self.lengths)
        kept_world.of_groups = by_group
        return kept_world

    def ranking_of(self, group: str) -> Sequence[str]:
        """What one group sees: the ranking, without what it did not judge where unjudged documents are removed."""
        said = self.assessed[group]
        return (
            [document for document in self.ranking if said.get(document, -1) >= 0] if self.of_groups else self.ranking
        )


class Formula:
    """A formula as it is shown; :meth:`value` computes it."""

    def __init__(self, text: str) -> None:
        self.text = text
        parts = text.split(r", \quad ")
        self.removed = REMOVED in parts
        self.by_group = BY_GROUP in parts
        parts = [part for part in parts if part not in (REMOVED, BY_GROUP)]
        self.pairs = next((OVER[part] for part in parts if part in OVER), "all")
        parts = [part for part in parts if part not in OVER]
        self.in_words = IN_WORDS.get(r", \quad ".join(parts))
        self.definitions: dict[str, tuple[tuple[str, ...], Value]] = {}
        self.conditions: list[Value] = []
        self.prices: dict[float, float] = {}
        self.best = ""
        self.none: Value | None = None
        if self.in_words is not None:
            return
        main, *definitions = [_plain(part) for part in parts]
        self.main = _Parser(main, self).whole()
        for definition in definitions:
            if definition in BEST:
                self.best = BEST[definition]
            elif match := PRICE.fullmatch(definition):
                self.prices[float(match[2])] = float(match[1])
            elif definition.startswith(r"\max \emptyset = "):
                self.none = _Parser(definition.removeprefix(r"\max \emptyset = "), self).whole()
            elif " = " not in definition:
                self.conditions.append(_Parser(definition, self).whole())
            else:
                left, right = definition.split(" = ", 1)
                named = re.fullmatch(r"([A-Za-z]+)(?:\(([a-z,]+)\))?", left)
                assert named, f"no definition: {definition}"
                assert named[1] not in self.definitions, f"defined twice: {definition}"
                given = tuple(named[2].split(",")) if named[2] else ()
                self.definitions[named[1]] = (given, _Parser(right, self).whole())

    def value(self, world: World) -> float:
        """The value for a query; NaN where the formula says that there is none."""
        if self.in_words is not None:
            groups = {name: {"": levels} for name, levels in world.assessed.items()}
            return float(self.in_words(groups, world.ranking, self.pairs))
        if self.removed:
            everything = [world_of_group.judged_only(self.by_group) for world_of_group in world.everything or [world]]
            place = next((n for n, world_of_group in enumerate(world.everything) if world_of_group is world), 0)
            world = everything[place]
            world.everything = everything
        for world_of_group in (world, *world.everything):
            world_of_group.memo.clear()
        if not all(condition(world, {}) for condition in self.conditions):
            return math.nan
        result = float(self.main(world, {}))
        return math.nan if math.isinf(result) else result

    def name(self, name: str, arguments: tuple[Any, ...], world: World, known: Vars) -> Any:
        """What a name is, called or not."""
        if not arguments and name in known:
            return known[name]
        if name in self.definitions and not (name == "rel" and len(arguments) > 1):
            given, body = self.definitions[name]
            assert len(given) == len(arguments), f"{name} takes {given}"
            if name == "Ti":
                return body(world, known)
            key = (name, arguments)
            if key not in world.memo:
                defined = body(world, dict(zip(given, arguments, strict=True)))
                if name == "g" and self.prices and len(given) == 1:
                    defined = self.prices.get(_grade(world, arguments[0], raw=True), defined)
                world.memo[key] = defined
            return world.memo[key]
        if name == "gbest":
            return self._best(world)[arguments[0] - 1] if arguments[0] <= len(self._best(world)) else 0.0
        assert name in NAMES, f"{name}{arguments} is not known"
        return NAMES[name](self, world, *arguments)

    def relevant(self, grade: float) -> bool:
        """Whether a grade counts as relevant."""
        if "rel" not in self.definitions:
            return grade >= 1
        single = World(["x"], {"x": grade}, {}, 0, lambda document: 0)
        return bool(self.definitions["rel"][1](single, {"i": 1}))

    def _best(self, world: World) -> list[float]:
        if "best" not in world.memo:
            if self.best == "greedy":
                world.memo["best"] = _greedy(self, world)
            elif self.best == "estimated":
                world.memo["best"] = _estimated(self, world)
            else:
                assert self.best, f"{self.text}: what is the best?"
                documents = list(world.judged) if self.best == "judged" else world.ranking
                ideal_world = World(documents, world.judged, {}, world.highest, world.lengths)
                gains = [self.name("g", (rank,), ideal_world, {}) for rank in range(1, len(documents) + 1)]
                world.memo["best"] = sorted(gains, reverse=True)
        return world.memo["best"]  # type: ignore[no-any-return]


def _plain(text: str) -> str:
    for phrase, name in PHRASES.items():
        text = text.replace(phrase, name)
    return text


def _document(world: World, rank: Any) -> str | None:
    return world.ranking[int(rank) - 1] if 1 <= rank <= len(world.ranking) else None


def _grade(world: World, rank: Any, raw: bool = False) -> float:
    grade = world.judged.get(_document(world, rank) or "", 0.0)
    return grade if raw else max(grade, 0.0)


def _rel(formula: Formula, world: World, rank: Any, group: str | None = None) -> float:
    if group is None:
        return float(formula.relevant(_grade(world, rank)))
    ranking = world.ranking_of(group) if group in world.assessed else world.ranking
    if not 1 <= rank <= len(ranking):
        return 0.0
    return float(formula.relevant(world.assessed[group].get(ranking[int(rank) - 1], -1)))


def _judged(world: World, rank: Any) -> bool:
    return world.judged.get(_document(world, rank) or "", -1) >= 0


def _found(formula: Formula, world: World, rank: Any, *group: str) -> float:
    return sum(formula.name("rel", (rank_read, *group), world, {}) for rank_read in range(1, int(rank) + 1))


def _precision(formula: Formula, world: World, rank: Any, *group: str) -> float:
    return brute.divide(_found(formula, world, rank, *group), rank)


def _relevant(formula: Formula, world: World, *group: str) -> float:
    grades = world.assessed[group[0]] if group else world.judged
    return sum(formula.relevant(grade) for grade in grades.values() if grade >= 0)


def _subtopics(formula: Formula, world: World) -> list[str]:
    return [topic for topic in world.assessed if _relevant(formula, world, topic)]


def _on_subtopics(formula: Formula, world: World) -> list[str]:
    every = dict.fromkeys(document for said in world.assessed.values() for document in said)
    return [
        document
        for document in every
        if any(formula.relevant(said.get(document, -1)) for said in world.assessed.values())
    ]


def _stratum(world: World, document: str) -> str | None:
    """The stratum of a listed document; without strata all are in one."""
    return world.strata.get(document, "") if document in world.judged else None


def _strata(world: World) -> list[str]:
    return list(dict.fromkeys(stratum for doc in world.judged if (stratum := _stratum(world, doc)) is not None))


def _in_stratum(world: World, stratum: str, keep: Callable[[float], bool] = lambda grade: True) -> int:
    return sum(_stratum(world, doc) == stratum and keep(grade) for doc, grade in world.judged.items())


def _estimated(formula: Formula, world: World) -> list[float]:
    """The gains of the estimated documents: of each gain as many as ``e(g)`` says."""
    gains: dict[str, float] = {}
    for document, grade in world.judged.items():
        single = World([document], {document: grade}, {}, world.highest, world.lengths)
        single_formula = Formula(formula.text)
        gains[document] = single_formula.name("g", (1,), single, {}) if grade >= 0 else 0.0
    best: list[float] = []
    for gain in {gain for gain in gains.values() if gain > 0}:
        world.memo["of gain"] = {doc for doc in gains if gains[doc] == gain}
        best += [gain] * formula.definitions["e"][1](world, {"g": gain})
    return sorted(best, reverse=True)


def _greedy(formula: Formula, world: World) -> list[float]:
    """Gains of the greedy ideal ranking: the document of most gain next, of several the last id as bytes."""
    left, taken, gains = set(_on_subtopics(formula, world)), [], []
    while left:

        def gain(document: str) -> float:
            ideal_world = World([*taken, document], world.judged, world.assessed, world.highest, world.lengths)
            return float(formula.name("g", (len(taken) + 1,), ideal_world, {}))

        best = max(left, key=lambda document: (round(gain(document), 12), document.encode()))
        gains.append(gain(best))
        taken.append(best)
        left.remove(best)
    return gains


def _overlap(formula: Formula, world: World, rank: Any) -> float:
    """Documents of both the ranking and the ideal ranking down to a rank; ties of grades in the ranking's order."""
    place = {document: number for number, document in enumerate(world.ranking)}
    good = [document for document, grade in world.judged.items() if formula.relevant(grade)]
    ideal = sorted(good, key=lambda document: (-world.judged[document], place.get(document, math.inf)))
    return len(set(ideal[: int(rank)]) & set(world.ranking[: int(rank)]))


NAMES: dict[str, Callable[..., Any]] = {
    "n": lambda formula, world: len(world.ranking),
    "grade": lambda formula, world, rank: _grade(world, rank),
    "rel": _rel,
    "nonrel": lambda formula, world, rank: float(_judged(world, rank) and not formula.name("rel", (rank,), world, {})),
    "unjudged": lambda formula, world, rank: float(_document(world, rank) is not None and not _judged(world, rank)),
    "listed": lambda formula, world, rank: float((_document(world, rank) or "") in world.judged),
    "length": lambda formula, world, rank: world.lengths(_document(world, rank) or ""),
    "in": lambda formula, world, rank, stratum: float(
        (document := _document(world, rank)) is not None and _stratum(world, document) == stratum
    ),
    "N": lambda formula, world, stratum: _in_stratum(world, stratum),
    "J": lambda formula, world, stratum: _in_stratum(world, stratum, lambda grade: grade >= 0),
    "F": lambda formula, world, *given: (
        sum(_stratum(world, document) == given[1] for document in world.memo["of gain"])
        if len(given) > 1
        else _in_stratum(world, given[0], lambda grade: grade >= 0 and formula.relevant(grade))
    ),
    "P": _precision,
    "R": lambda formula, world, *rank: (
        brute.divide(_found(formula, world, rank[0]), _relevant(formula, world))
        if rank and not isinstance(rank[0], str)
        else _relevant(formula, world, *rank)
    ),
    "S": lambda formula, world: len(_subtopics(formula, world)),
    "gmax": lambda formula, world: world.highest,
    "relret": lambda formula, world: _found(formula, world, len(world.ranking)),
    "otherret": lambda formula, world: len(world.ranking) - _found(formula, world, len(world.ranking)),
    "missedrel": lambda formula, world: _relevant(formula, world) - _found(formula, world, len(world.ranking)),
    "nonrelret": lambda formula, world: sum(
        _judged(world, rank) and not _rel(formula, world, rank) for rank in range(1, len(world.ranking) + 1)
    ),
    "allnonrel": lambda formula, world: sum(
        grade >= 0 and not formula.relevant(grade) for grade in world.judged.values()
    ),
    "alljudged": lambda formula, world: len(world.judged),
    "known": lambda formula, world: len({*world.ranking, *world.judged}),
    "onsubtopics": lambda formula, world: len(_on_subtopics(formula, world)),
    "overlap": _overlap,
    "queries": lambda formula, world: len(world.everything),
    "groups": lambda formula, world: len(world.assessed),
}
TOKEN = re.compile(r"\\[a-zA-Z]+|\\[{},; ]|\d*\.?\d+|[A-Za-z]+|\s+|.")
SIGNS: dict[str, Callable[[Any, Any], bool]] = {
    r"\geq": lambda a, b: a >= b - EQUAL,
    r"\leq": lambda a, b: a <= b + EQUAL,
    ">": lambda a, b: a > b + EQUAL,
    "<": lambda a, b: a < b - EQUAL,
    "=": lambda a, b: abs(a - b) <= EQUAL,
}


class _Parser:
    """Recursive descent over one expression."""

    def __init__(self, text: str, formula: Formula) -> None:
        self.text, self.formula = text, formula
        text = text.replace(r"\left", "").replace(r"\right", "")
        tokens = [" " if token in (r"\,", r"\;") or token.isspace() else token for token in TOKEN.findall(text)]
        self.tokens = [
            token for place, token in enumerate(tokens) if token != " " or tokens[place - 1 : place] != [" "]
        ]
        self.at = 0

    def whole(self) -> Value:
        condition_read = self.condition()
        assert self.peek() == "", f"{self.text}: {self.peek()!r} is not understood"
        return condition_read

    def peek(self) -> str:
        while self.at < len(self.tokens) and self.tokens[self.at] == " ":
            self.at += 1
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, wanted: str = "") -> str:
        token = self.peek()
        assert token and wanted in ("", token), f"{self.text}: {token!r} where {wanted!r} should be"
        self.at += 1
        return token

    def condition(self) -> Value:
        left = self.sum()
        if self.peek() not in SIGNS:
            return left
        sign, right = SIGNS[self.take()], self.sum()
        return lambda world, known: sign(left(world, known), right(world, known))

    def sum(self) -> Value:
        if self.peek() == "-":
            self.take()
            first = self.product()
            value: Value = lambda world, known: -first(world, known)  # noqa: E731
        else:
            value = self.product()
        while self.peek() in ("+", "-"):
            sign, left, right = (1 if self.take() == "+" else -1), value, self.product()
            value = _plus(left, right, sign)
        return value

    def product(self) -> Value:
        value = self.power()
        while True:
            token = self.peek()
            if token == "/":
                self.take()
                value = _over(value, self.power())
            elif token == r"\cdot":
                self.take()
                value = _times(value, self.power())
            elif token in ("(", "[", r"\lfloor") or (
                re.match(r"\\?[A-Za-z\d.]", token) and token not in SIGNS and token != r"\rfloor"
            ):
                value = _times(value, self.power())
            else:
                return value

    def power(self) -> Value:
        base = self.primary()
        if self.peek() != "^":
            return base
        self.take()
        exponent = self.braced()
        return lambda world, known: base(world, known) ** exponent(world, known)

    def braced(self) -> Value:
        if self.peek() != "{":
            return self.primary()
        self.take()
        value = self.sum()
        self.take("}")
        return value

    def primary(self) -> Value:
        token = self.take()
        if re.fullmatch(r"\d*\.?\d+", token):
            number = float(token) if "." in token else int(token)
            return lambda world, known: number
        if token in ("(", "[", r"\lfloor"):
            inside = self.condition()
            self.take({"(": ")", "[": "]", r"\lfloor": r"\rfloor"}[token])
            if token == "[":
                return lambda world, known: float(bool(inside(world, known)))
            return inside if token == "(" else lambda world, known: math.floor(inside(world, known))
        if token == r"\frac":
            return _over(self.braced(), self.braced())
        if token == r"\infty":
            return lambda world, known: math.inf
        if token == "|":
            members = self.set()
            self.take("|")
            return lambda world, known: len(members(world, known))
        if token in (r"\sum", r"\prod"):
            return self.series(token)
        if token in (r"\min", r"\max"):
            return self.extreme(token)
        if token == r"\exp":
            inside = self.power()
            return lambda world, known: math.exp(inside(world, known))
        if token == r"\log":
            return self.logarithm()
        assert re.fullmatch("[A-Za-z]+", token), f"{self.text}: {token!r} is not understood"
        return self.named(token)

    def named(self, name: str) -> Value:
        arguments: list[Value] = []
        if self.at < len(self.tokens) and self.tokens[self.at] == "(":
            self.take()
            arguments.append(self.sum())
            while self.peek() == ",":
                self.take()
                arguments.append(self.sum())
            self.take(")")
        formula = self.formula
        return lambda world, known: formula.name(
            name, tuple(argument(world, known) for argument in arguments), world, known
        )

    def logarithm(self) -> Value:
        base: Value = lambda world, known: math.e  # noqa: E731
        if self.peek() == "_":
            self.take()
            base = self.primary()
        inside = self.power()
        return lambda world, known: math.log(inside(world, known)) / math.log(base(world, known))

    def binder(self) -> tuple[str, Value]:
        """``i=1}^{k``, ``i \\leq k``, ``j<i``, ``i``: a name and what gives its values; the braces are the caller's."""
        name = self.take()
        token = self.peek()
        if token in (r"\leq", "<"):
            less = self.take() == "<"
            last = self.sum()
            return name, lambda world, known: range(1, int(_end(last(world, known), less)) + 1)
        if token == "=":
            self.take()
            first = self.sum()
            return name, first
        if name == "h":
            return name, lambda world, known: _strata(world)
        if name in ("s", "g", "q"):
            return name, lambda world, known: _groups(self.formula, world, name)
        return name, lambda world, known: range(1, max(len(world.ranking), len(world.judged)) + 1)

    def series(self, kind: str) -> Value:
        self.take("_")
        self.take("{")
        start = self.at
        name, values = self.binder()
        upto = self.tokens[start : self.at]
        self.take("}")
        if self.peek() == "^":
            self.take()
            first, last = values, self.braced()
            values = lambda world, known: range(first(world, known), int(last(world, known)) + 1)  # noqa: E731
        body = self.product()
        running = upto[0] == "j" and [token for token in upto if token != " "] in (["j", "<", "i"], ["j", r"\leq", "i"])
        key, product = object(), kind == r"\prod"

        def computed(world: World, known: Vars) -> Any:
            if running:  # each from the one before
                others = tuple(sorted((known_name, of) for known_name, of in known.items() if known_name != "i"))
                so_far = world.memo.setdefault((key, others), [1 if product else 0])
                last = values(world, known).stop
                while len(so_far) < last:
                    term = body(world, {**dict(others), name: len(so_far)})
                    so_far.append(so_far[-1] * term if product else so_far[-1] + term)
                return so_far[max(last - 1, 0)]
            total: Any = 1 if product else 0
            for term in values(world, known):
                of = term if isinstance(term, World) else world
                value = body(of, {**known, name: term})
                total = total * value if product else total + value
            return total

        return computed

    def set(self) -> Value:
        r"""``\{i : condition\}``: the values that fulfil it."""
        self.take(r"\{")
        name, values = self.binder()
        self.take(":")
        condition = self.condition()
        self.take(r"\}")
        return lambda world, known: [
            value for value in values(world, known) if condition(world, {**known, name: value})
        ]

    def extreme(self, kind: str) -> Value:
        least = kind == r"\min"
        if self.peek() == "_":
            self.take()
            self.take("{")
            name, values = self.binder()
            condition: Value = lambda world, known: True  # noqa: E731
            if self.peek() == ":":
                self.take()
                condition = self.condition()
            self.take("}")
            body = self.product()

            def over(world: World, known: Vars) -> list[Any]:
                rows = [{**known, name: value} for value in values(world, known)]
                return [body(world, row) for row in rows if condition(world, row)]

        elif self.peek() == r"\{":
            over = self.set()  # type: ignore[assignment]
        else:
            self.take("(")
            several = [self.sum()]
            while self.peek() == ",":
                self.take()
                several.append(self.sum())
            self.take(")")
            over = lambda world, known: [part(world, known) for part in several]  # noqa: E731

        def computed(world: World, known: Vars) -> Any:
            rows = over(world, known)
            if rows:
                return min(rows) if least else max(rows)
            none = self.formula.none
            return math.inf if least else 0 if none is None else none(world, known)

        return computed


def _groups(formula: Formula, world: World, name: str) -> list[Any]:
    if name == "q":
        return world.everything
    return _subtopics(formula, world) if name == "s" else list(world.assessed)


def _end(last: Any, less: bool) -> float:
    return math.ceil(last - EQUAL) - 1 if less else math.floor(last + EQUAL)


def _plus(left: Value, right: Value, sign: int) -> Value:
    return lambda world, known: left(world, known) + sign * right(world, known)


def _times(left: Value, right: Value) -> Value:
    def computed(world: World, known: Vars) -> Any:
        first = left(world, known)
        return 0.0 if first == 0 else first * right(world, known)

    return computed


def _over(above: Value, below: Value) -> Value:
    def computed(world: World, known: Vars) -> Any:
        divisor = below(world, known)
        return above(world, known) / divisor if divisor else 0.0

    return computed


@cache
def formula_of(text: str) -> Formula:
    """The formula of a text."""
    return Formula(text)
