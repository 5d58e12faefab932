"""Whether every word of a clause is one that the lexicon has, or one of a few that other rules read.

Rules that look for a form in a sentence do not see the words beside it. What they find is a claim only in a clause of
which each word is understood."""

from __future__ import annotations

import re
from functools import lru_cache

from irviewer.session.teaching.checking.claims.lexicon import ENGLISH, SPANISH, Word
from irviewer.session.teaching.checking.claims.phrases import Names, tokens_of

_ENGLISH = """\
and|or|so|that|which|of|from|down|only|just|been|as|by|there|did|make|makes|its|their|them|users|user|readers|reader
wait|waits|found|retrieved|has found|until|till|list|whole|entire|full|end|top|first|last|next|answer|page|home page
target|needs|need|put|this|these|those|starts|start|begins|begin|opens|open|with|hit|misses|miss|overtakes|passes
draws level with|moves|move|step|goes|jumps|slips|slides|lands|wins|win|loses|lose|helps|help|hurts|harms|harm|better
worse|fails|fail|altogether|completely|entirely|nothing|at all|such|queries|query|topic|topics|case|cases|times|time
level|order|other|others|one|ones|it|we|sees|see|otherwise|mean|given|gets|earns|receives|obtains|empty|away|back|useful
correct|right|engines|retrievers|retriever|namely|unjudged|judged|looked|non-relevant|irrelevant|not|never|no|every|each
both|neither|none|out|here|already|even|too|very|fewer|less|more|than|leads|lead|equal|equals|change places|changes
behind|itself|overlooks|lacks|left out|leaves out|is ahead|the mean
"""
_SPANISH = """\
y|o|que|de|del|los|las|le|lo|en|con|hasta|desde|solo|ya|lista|toda|final|al final|primero|primera|último|última
respuesta|página|espera|esperan|necesita|usuarios|lectores|empieza|comienza|abre|acierto|aciertos|fallo|fallos|adelanta
supera|alcanza|iguala|empata|sube|encontró|encontrado|ha|recuperó|baja|pasa|cae|llega|gana|pierde|ayuda|perjudica|mejora
empeora|daña|consultas|consulta|nada|tema|temas|veces|vez|mejor|peor|nunca|nuevo|su|sus|saca|otro|otra|otros|otras
fracasa|falla|por completo|completo|concretamente|es decir|juzgado|juzgados|pone|muestra|hay
"""
"""Words that the rules of other modules read, beside those of the lexicon."""
_NOT_MEANT = re.compile(
    r"\b(?:hal(?:f|ves)|mitad(?:es)?|tercios?|quarters?|cuartas?|of\s+the\s+(?:one|other)\b(?!\s+\w)|the\s+one\s+and|no\s+longer|any\s*more|likewise|as\s+well|"
    r"ya\s+no|de\s+(?:la|el|lo)\s+(?:un[oa]|otr[oa])|each\s+of|every\s+one\s+of|any\s+of|cada\s+un[oa]\s+de|cualquiera\s+de|by\s+(?:neither|none|both|either|all)|"
    r"por\s+(?:ningun[oa]|amb[oa]s)|(?:after|beyond|past|below|above|before)\s+(?:rank|position)|(?:después|detrás|antes|más\s+allá|debajo|encima)\s+de(?:l)?|"
    r"tras\s+la\s+posición|a\s+partir|neither\s+of\s+(?:its|these|those)|igualmente|asimismo|tampoco|at\s+(?:most|least)|al\s+menos|a\s+lo\s+sumo|"
    r"(?:one|either|some|uno|una|alguno|alguna)\s+(?:of|de)\s+(?:them|the\s+(?:two|three|four)|ell[oa]s|l[oa]s\s+(?:dos|tres|cuatro))|"
    r"in\s+turn|respectively|respectivamente|the\s+former|the\s+latter|except|excepto|salvo|rest|resto|"
    r"between|entre)\b",
    re.I,
)
"""Words that are known and mean what no rule reads: parts of lists, what is said of several ones in turn."""


_LEFT_OPEN = re.compile(
    r"\b(?:of|in|at|for|to)\s+the\s+(?:one|other)\b(?!\s+\w*(?:list|rank|system|engine|run|relevant|document))|"
    r"\b(?:de|en|a)\s+(?:la|el|lo)\s+(?:un[oa]|otr[oa])\b|\bby\s+(?:neither|none|both)\b|\bpor\s+(?:ningun[oa]|amb[oa]s)\b|"
    r"\b(?:of\s+it|de\s+ell[oa]|none\s+that|ningun[oa]\s+que|no\s+longer|ya\s+no|ideal)\b|"
    r"\b(?:after|beyond|past|between|tras|entre)\s+(?:(?:la|las|the)\s+)?(?:ranks?|posici[oó]n(?:es)?)\b|"
    r"\b(?:después|antes|más\s+allá)\s+de\s+la\s+posición\b",
    re.I,
)


def is_left_open(sentence: str) -> bool:
    """Return whether a sentence has words such as "the one and the other", "by neither", "after rank 9": which list, or
    part of it, they are about is known only to who understands it."""
    return _LEFT_OPEN.search(sentence) is not None


def _table(rows: str, own: dict[str, list[Word]]) -> dict[str, list[Word]]:
    words: dict[str, list[Word]] = {phrase: [("z", "")] for row in rows.splitlines() for phrase in row.split("|")}
    return {**words, **own}


_TABLES = (_table(_ENGLISH, ENGLISH), _table(_SPANISH, SPANISH))
_PARTING = re.compile(r"[;:—–()]|\s-\s")


@lru_cache(4096)
def is_understood(clause: str, names: Names) -> bool:
    """Return whether every word of a clause is known in one of the languages, and none of them is read by no rule."""
    if _NOT_MEANT.search(clause):
        return False
    return any(all(each.kind != "?" for each in tokens_of(clause, table, names)) for table in _TABLES)


def clause_of(sentence: str, said: str) -> str:
    """Return the clause of a sentence that has some words, which can have other blanks; the sentence for none."""
    text = " ".join(sentence.split())
    start = text.find(" ".join(said.split()))
    if start < 0:
        return text
    end = start + len(said)
    first = max((each.end() for each in _PARTING.finditer(text, 0, start)), default=0)
    last = next((each.start() for each in _PARTING.finditer(text, end)), len(text))
    return text[first:last]
