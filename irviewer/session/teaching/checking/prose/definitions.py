"""What the texts of a lesson say measures, pools and tests are, against a small table of the field's definitions, with
the false forms that are often taken for them: "precision is the share of the relevant documents that are found".

Texts are not understood. A sentence is false only in a form of the table, and none is that denies or supposes it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from irviewer.model.lessons.lesson import Lesson, Question, Step
from irviewer.session.teaching.checking.wording.number_words import A_COUNT, count_of
from irviewer.session.teaching.checking.wording.sentences import prose_of
from irviewer.translation import tr

_P, _R = "precision", "recall"
_PRECISION = (
    r"(?<!average\s)(?<!biased\s)(?<!interpolated\s)(?<!R-)\b"
    r"(?:precision(?![-@])|precisión(?!\s+(?:media|promedio|interpolada)))\b"
)
_RECALL = r"\b(?:recall|exhaustividad|cobertura)\b"
_EITHER = re.compile(rf"(?P<precision>{_PRECISION})|(?P<recall>{_RECALL})", re.I)
_RETRIEVED = (
    r"retrieved|retrieves?|returned|returns?|shown|shows?|displayed|found|finds?|listed|results?|recuperad[oa]s?|recuperan?|devuelt[oa]s?|"
    r"devuelven?|mostrad[oa]s?|muestran?|encontrad[oa]s?|encuentran?|resultados?"
)
_RELEVANT = r"relevant(?:es?)?|useful|pertinent(?:es?)?|útil(?:es)?"
_SHARE = re.compile(
    r"\b(?:share|fraction|proportion|percentage|part|how\s+(?:much|many)|proporción|fracción|porcentaje|parte|cuánt[oa]s?)\s+"
    r"(?:of|de(?:l)?)\s+(?P<rest>[^.;:?()]{1,160})",
    re.I,
)
_KINDS = re.compile(rf"\b(?:(?P<retrieved>{_RETRIEVED})|(?P<relevant>{_RELEVANT}))\b", re.I)
_AMONG = re.compile(r"\b(?:among|in|within|out\s+of|entre|en)\s+(?:\w+\s+){0,2}$", re.I)
_DIVIDED = re.compile(
    r"\bdivid(?:e[sd]?|ing|id[oa]s?|imos|en?|ir)\b[^.;:?]{0,90}?\b(?:by|entre|por)\s+(?P<rest>[^.;:?,()]{1,90})", re.I
)
_MISTAKEN = re.compile(
    r"\b(?:wrong\w*|mistake\w*|confus\w+|exchang\w+|instead|someone|students?|false|misread\w*|misunderst\w+|"
    r"err[oó]ne\w*|equivoc\w+|fals[oa]s?|confund\w+|alguien|estudiantes?)\b",
    re.I,
)
"""Words of a sentence that tells a mistake."""
_SUPPOSES = re.compile(r"\b(?:would|if|unless|si|serían?)\b", re.I)
_DENIES = re.compile(r"\b(?:not|never|no|nor|neither|cannot|without|nunca|ni|tampoco|sin)\b|n[’']t\b", re.I)
"""Words of a clause that denies something."""
_IS_FALSE = re.compile(
    r"\b(?:not|false|wrong|untrue|mistake|incorrect|misunderst\w+|no|fals[oa]|incorrect[oa]|err[oó]\w*)\b", re.I
)
"""Words of a question whose marked choice may be what is not so."""


def _of_share(rest: str) -> str:
    """Return the measure that a share of something is, "precision" or "recall"; "" for neither."""
    rest = _EITHER.split(rest)[0]
    kinds = [*_KINDS.finditer(rest)]
    if len({bool(each["relevant"]) for each in kinds}) < 2:
        return ""
    second = next(each for each in kinds if bool(each["relevant"]) != bool(kinds[0]["relevant"]))
    between = rest[kinds[0].end() : second.start()]
    if re.fullmatch(r"\s*(?:and\s+|y\s+)?", between):
        return ""  # "the relevant retrieved documents": nothing of which it is a share yet
    base = second if _AMONG.search(between) else kinds[0]
    return _R if base["relevant"] else _P


def _of_divisor(rest: str) -> str:
    """Return the measure that divides by something, of relevant documents "recall", of retrieved ones "precision"."""
    kinds = {each.lastgroup for each in _KINDS.finditer(rest)}
    return {frozenset({"relevant"}): _R, frozenset({"retrieved"}): _P}.get(frozenset(filter(None, kinds)), "")


def _defined(text: str) -> str:
    """Return which of precision and recall a text without its name defines; "" for neither."""
    named = [_of_share(match["rest"]) for match in _SHARE.finditer(text)]
    named += [_of_divisor(match["rest"]) for match in _DIVIDED.finditer(text)]
    return named[0] if len({*filter(None, named)}) == 1 and named[0] else ""


_MEANING = {_P: "precision = relevant retrieved / retrieved", _R: "recall = relevant retrieved / relevant"}
_NAMED_LAST = re.compile(
    r"(?:\b(?:is|are|called|is\s+called|we\s+call|known\s+as|es|llamamos|se\s+llama|se\s+conoce\s+como)\s+)(?:the\s+|la\s+)?$",
    re.I,
)
_DEFINES = re.compile(
    r"\s*(?:[^\w\s(]{1,3}\s*)?(?:\([^)]*\)\s*)?(?:,\s*)?(?:(?:in\s+turn|also|only|however|simply|en\s+cambio|por\s+su\s+parte)\b,?\s*)?"
    r"(?:is|are|measures?|tells?|gives?|says?|asks?|means?|describes?|captures?|counts?|looks?|divides?|=|:|"
    r"es|son|mide|indica|dice|da|significa|describe|cuenta|divide|pregunta)\b",
    re.I,
)


def _false_shares(sentence: str) -> Iterator[tuple[str, str]]:
    """Yield the definition of precision or recall that is that of the other one."""
    mentions = [*_EITHER.finditer(sentence)]
    for place, each in enumerate(mentions):
        name = _P if each["precision"] else _R
        end = mentions[place + 1].start() if place + 1 < len(mentions) else len(sentence)
        after = sentence[each.end() : end]
        if _DEFINES.match(after):
            own = _defined(after)
        elif _NAMED_LAST.search(before := sentence[mentions[place - 1].end() if place else 0 : each.start()]):
            own = _defined(before)
        else:
            own = ""
        if own not in ("", name):
            yield " ".join(sentence[each.start() : end].split()).rstrip(" ,"), _MEANING[name]


class _Form(NamedTuple):
    """A false form: the subject that its sentence, or the one before, has to name; the form; what is so; and whether it
    has its own negation."""

    subject: re.Pattern[str]
    form: re.Pattern[str]
    meant: str
    denies: bool = False


def _form(subject: str, form: str, meant: str, *, denies: bool = False) -> _Form:
    return _Form(re.compile(subject, re.I), re.compile(form, re.I), meant, denies)


_AP = r"\b(?:average\s+precision|precisión\s+(?:media|promedio)|(?-i:M?AP))\b(?!@)"
_RR = r"\b(?:reciprocal\s+ranks?|rangos?\s+recíprocos?|(?-i:M?RR))\b"
_F = r"(?<![\w@])(?-i:F1?)(?![\w@])|\bF-measure\b|\bmedida\s+F\b"
_DCG = r"\b(?-i:n?DCG)\b|\bdiscounted\b|\bcumulative\s+gain\b|\bganancia\s+(?:acumulada|descontada)\b"
_NDCG = r"\b(?-i:nDCG|NDCG)\b|\bnormali[sz]ed\b|\bnormalizada\b"
_POOL = r"\bpool(?:s|ing)?\b"
_CHANCE = r"\bp[-\s]?values?\b|\bvalor(?:es)?[-\s]p\b|(?<!\w)p(?!\w)"
_MEAN_OF = r"(?:is|are|es|son)\s+(?:the|a|la|el|una?)\s+"
_GAP = r"[^.;:?]{0,90}?"
_FEW = r"[^.;:?,]{0,60}?"
_FORMS: tuple[_Form, ...] = (
    _form(
        _AP,
        r"\bdivid(?:e[sd]?|ing|id[oa]s?|imos)\b"
        + _GAP
        + r"\b(?:by|entre|por)\s+(?:the\s+|el\s+|la\s+)?(?:(?:total\s+)?(?:number|número)\s+"
        r"(?:of|de)\s+(?:all\s+)?(?:(?:documents|documentos)\s+)?(?:retrieved|returned|shown|listed|ranked|recuperados|devueltos)|"
        r"(?:length|longitud)\s+(?:of|de)\b|(?:retrieved|returned)\s+documents)",
        "AP: sum of P@K / R",
    ),
    _form(
        _AP,
        r"\b(?:mean|average|media|promedio)\s+(?:of|de)\s+(?:the\s+|las\s+|la\s+)?(?:precisions?|precision\s+values?|precisi[oó]n(?:es)?)\s+"
        r"(?:at|en)\s+(?:every|each|all|the|cada|todas)\s+(?:(?:the|of\s+the)\s+|las\s+|una\s+de\s+las\s+)?(?:ranks?|positions?|posici[oó]n(?:es)?)\b"
        r"(?!\s+(?:of|where|at|with|that|which|from|holding|in|de|donde|en|con|que))",
        "AP: mean of P@K at the relevant documents",
    ),
    _form(
        _AP,
        r"\b(?:mean|average|media|promedio)\s+(?:of|de)\s+(?:the\s+|la\s+|las\s+)?(?:recalls?|recall\s+values|exhaustividad(?:es)?)\b",
        "AP: mean of P@K at the relevant documents",
    ),
    _form(
        _AP,
        r"(?:average\s+precision|precisión\s+media|(?-i:AP))\s+"
        + _MEAN_OF
        + r"(?:\w+\s+)?(?:mean|average|media)\s+(?:of|de)\s+(?:la\s+)?"
        r"(?:precision|precisión)\s+(?:and|y)\s+(?:la\s+)?(?:recall|exhaustividad)\b",
        "AP: mean of P@K at the relevant documents",
    ),
    _form(
        _AP,
        r"\b(?:precisions?|precisi[oó]n(?:es)?)\s+(?:at|en)\s+(?:the\s+(?:ranks?|position)\s+of\s+)?(?:each|every|the|cada|los)\s+(?:(?:documento|rank\s+of\s+\w+)\s+)?"
        r"(?:non-relevant|irrelevant|no\s+relevante|irrelevante)\b",
        "AP: mean of P@K at the relevant documents",
    ),
    _form(
        r"\b(?-i:MAP)\b|\bmean\s+average\s+precision\b",
        r"(?:(?-i:MAP)|mean\s+average\s+precision)\b,?\s+(?:is|takes|es|toma)\s+(?:the|a|la|el|una?)\s+"
        r"(?:median|sum|product|maximum|mediana|suma|producto|máximo)\b",
        "MAP: mean of AP over the queries",
    ),
    _form(
        r"\b(?-i:MRR)\b|\bmean\s+reciprocal\s+rank\b",
        r"(?:(?-i:MRR)|mean\s+reciprocal\s+rank)\b,?\s+(?:is|takes|es|toma)\s+(?:the|a|la|el|una?)\s+"
        r"(?:median|sum|product|maximum|mediana|suma|producto|máximo)\b",
        "MRR: mean of RR over the queries",
    ),
    _form(
        _RR,
        r"\b(?:rank|position|posición|puesto|rango)\s+(?:of|de|del)\s+(?:the\s+|that\s+|su\s+|el\s+)?(?:(?:last|lowest|second|último|segundo)\s+"
        r"(?:relevant|documento\s+relevante|correct)|(?:first|primer)\s+(?:non-relevant|irrelevant|retrieved|documento\s+(?:no\s+relevante|irrelevante|recuperado)))\b",
        "RR: 1 / rank of the first relevant document",
    ),
    _form(
        _RR,
        r"\b(?:one|1|uno)\s+(?:divided\s+by|over|dividido\s+(?:por|entre)|entre|partido\s+por)\s+(?:the\s+|el\s+)?(?:number|número)\s+(?:of|de)\b",
        "RR: 1 / rank of the first relevant document",
    ),
    _form(
        _RR,
        r"(?:reciprocal\s+rank|rango\s+recíproco|(?-i:RR))\s+" + _MEAN_OF + r"(?:rank|position|posición|puesto)\b",
        "RR: 1 / rank of the first relevant document",
    ),
    _form(
        _F,
        r"(?:(?<![\w@])(?-i:F1?)|F-measure|medida\s+F)\s+"
        + _MEAN_OF
        + r"(?:(?:arithmetic|geometric|simple|ordinary)\s+(?:mean|average)|"
        r"(?:media|promedio)\s+(?:aritmétic[oa]|geométric[oa]|simple))\b",
        "F: harmonic mean of precision and recall",
    ),
    _form(
        _F,
        r"\b(?:harmonic\s+mean|media\s+armónica)\s+(?:is|lies|es|está)\s+(?:(?:closer|nearer)\s+to\s+the\s+(?:larger|higher|greater)|(?:always|never\s+below)\s+"
        r"(?:above|the\s+arithmetic)|más\s+cerca\s+(?:del|de\s+la)\s+mayor)\b",
        "harmonic mean: nearer to the smaller one",
        denies=True,
    ),
    _form(
        _DCG,
        r"\b(?:multipl(?:y|ies|ied|ying)|multiplica\w*)\b"
        + _FEW
        + r"\b(?:by|por)\s+(?:the\s+|a\s+|el\s+)?(?:logarithm|log2?|logaritmo)\b",
        "DCG: gain / log2(rank)",
    ),
    _form(
        r"",
        r"\b(?:the|cuanto\s+más)\s+(?:deeper|lower|later|further\s+down|farther\s+down|abajo|profundo|tarde)\b[^.;:?,]{0,70},\s+"
        r"(?:(?:the|y)\s+)?(?:more|(?:higher|larger|greater)|más)\s+(?:it|its|they|a|the\s+(?:document|gain|weight|contribution)|vale|cuenta|aporta|pesa)\b(?!\s+(?:is\s+|are\s+)?discount)",
        "deeper: less",
    ),
    _form(
        r"",
        r"\b(?:the|cuanto\s+más)\s+(?:higher|earlier|nearer\s+(?:to\s+)?the\s+top|closer\s+to\s+the\s+top|arriba|pronto)\b[^.;:?,]{0,70},\s+"
        r"(?:the\s+)?(?:less|smaller|lower|menos)\s+(?:it\s+(?:is\s+worth|counts|weighs|contributes|adds)|its\s+(?:weight|gain|contribution)|the\s+(?:weight|gain|contribution)|"
        r"vale|cuenta|aporta|pesa)\b",
        "higher: more",
    ),
    _form(
        r"\bdiscount|\bdescuento|" + _DCG,
        r"\b(?:the|cuanto\s+más)\s+(?:deeper|lower|later|further\s+down|abajo|profundo)\b[^.;:?,]{0,70},\s+(?:the\s+)?"
        r"(?:smaller|less|weaker|menor|menos)\s+(?:is\s+)?(?:the|its|es\s+el|el)?\s*(?:discount|it\s+is\s+discounted|descuento|se\s+descuenta)",
        "deeper: discounted more",
    ),
    _form(
        _NDCG,
        r"\b(?:ideal\s+(?-i:DCG)|(?-i:DCG)\s+(?:of\s+the\s+)?ideal(?:\s+(?:list|ranking))?)\s+(?:is\s+)?(?:divided\s+by|over|dividid[oa]\s+(?:por|entre)|entre)\s+"
        r"(?:the\s+|our\s+|its\s+|el\s+|la\s+|su\s+)?(?:actual\s+|own\s+|real\s+)?(?-i:DCG)\b",
        "nDCG: DCG / ideal DCG",
    ),
    _form(
        _NDCG,
        r"\bdivid(?:es|ing|e|imos)\s+(?:the\s+|el\s+|la\s+)?ideal\s+(?-i:DCG)\s+(?:by|entre|por)\b",
        "nDCG: DCG / ideal DCG",
    ),
    _form(
        _NDCG,
        r"(?-i:nDCG|NDCG)\s+(?:is|es)\s+(?:the\s+|la\s+|el\s+)?(?:difference|product|sum|diferencia|producto|suma)\b",
        "nDCG: DCG / ideal DCG",
    ),
    _form(
        _NDCG + r"|\bideal\b",
        r"\bideal\s+(?:ranking|list|order|lista|orden)\b"
        + _GAP
        + r"\b(?:increasing|ascending|rising|creciente|ascendente)\s+(?:grades?|order|orden|grados?)"
        + r"|\b(?:lista|orden)\s+ideal\b"
        + _GAP
        + r"\b(?:creciente|ascendente)\b",
        "ideal: highest grades first",
    ),
    _form(
        r"",
        r"\b(?:(?-i:nDCG|AP|MAP|RR|MRR|P@\d+|R@\d+|F)|precision|recall|precisión|exhaustividad)\s+(?:can|may|puede)\s+(?:exceed|be\s+(?:larger|greater|higher|more)\s+than|be\s+above|"
        r"superar|ser\s+mayor\s+que|pasar\s+de)\s+(?:1|one|uno)(?![\w.,]?\d)",
        "at most 1",
    ),
    _form(
        r"",
        r"(?<![\w])(?-i:DCG)\s+(?:is\s+always\s+between\s+0\s+and\s+1|(?:never|cannot)\s+exceeds?\s+(?:1|one)|está\s+siempre\s+entre\s+0\s+y\s+1|nunca\s+(?:supera|pasa\s+de)\s+(?:1|uno))(?!\.?\d)",
        "DCG may be above 1",
        denies=True,
    ),
    _form(
        _RECALL,
        r"\b(?:recall|exhaustividad)\s+(?:(?:can\s+only|always|must|solo\s+puede|siempre)\s+)(?:falls?|drops?|decreases?|goes?\s+down|baja|bajar|cae|disminuye|disminuir)\b",
        "recall never falls down the list",
        denies=True,
    ),
    _form(
        _RECALL,
        r"\b(?:recall|exhaustividad)\s+(?:(?:can|may|puede)\s+)?(?:falls?|drops?|decreases?|shrinks?|baja|bajar|cae|caer|disminuye|disminuir)\s+(?:as|while|when|with\s+each|with\s+every|from\s+rank|"
        r"further\s+down|down\s+the|al\s+bajar|a\s+medida|cuando|conforme|con\s+cada)\s*(?:we|one|you|the\s+reader|rank|the\s+list|to\s+rank|que|documento|posición|se|vamos|bajamos|leemos|por)",
        "recall never falls down the list",
    ),
    _form(
        _RECALL,
        r"\b(?:recall|exhaustividad)\s+(?:never|cannot|nunca|no\s+puede)\s+(?:rises?|grows?|increases?|goes\s+up|subir|sube|crece|crecer|aumenta)\b(?!\s+(?:above|beyond|over|por|de))",
        "recall never falls down the list",
        denies=True,
    ),
    _form(
        _PRECISION,
        rf"{_PRECISION}\s+(?:never|can\s+only|cannot|nunca|solo\s+puede|no\s+puede)\s+(?:falls?|drops?|rises?|grows?|decreases?|increases?|baja|bajar|sube|subir|cae|caer|crece|crecer|disminuir|aumentar)\b"
        r"(?=\s*[.,;]|\s+(?:down|as|along|from|with|al|a\s+lo|cuando|conforme|mientras))",
        "precision may rise and fall",
        denies=True,
    ),
    _form(
        _POOL,
        r"\bpool(?:ing)?\s+(?:is|takes|contains|holds|es|toma|contiene)\s+(?:the\s+|la\s+|only\s+)?(?:intersection|intersección|(?:documents\s+)?(?:common\s+to|shared\s+by)\s+all|documents\s+that\s+all)\b",
        "pool: union of the top documents",
    ),
    _form(
        _POOL,
        r"\b(?:the\s+|las?\s+|los\s+)?(?:bottom|lowest(?:-ranked)?|last|últim[oa]s)\s+(?:\w+\s+)?(?:documents|documentos)\s+(?:of|from|de)\s+(?:each|every|all|cada|tod[oa]s)\b",
        "pool: union of the top documents",
    ),
    _form(
        _POOL,
        r"\b(?:deeper|larger|bigger)\s+pool\s+(?:leaves|means|has|gives)\s+more\s+(?:unjudged|documents\s+(?:unjudged|without))|\bpool\s+(?:más\s+profundo|mayor)\s+deja\s+más\b",
        "a deeper pool leaves fewer unjudged",
    ),
    _form(
        r"\bunjudged\b|\bjudg(?:e?ments?|ed)\b|\bpool|\bjuzgad|\bjuicio",
        r"\b(?:(?:most|many|all)\s+measures|measures\s+(?:usually|commonly|mostly)|by\s+(?:default|convention)|trec_eval|(?:la\s+mayoría\s+de\s+las|casi\s+todas\s+las)\s+medidas)\b"
        + _FEW
        + r"\b(?:as|como)\s+(?:if\s+(?:it|they)\s+were\s+)?(?:relevant|relevantes?)\b",
        "unjudged counts as not relevant",
    ),
    _form(
        _CHANCE,
        r"(?:\bp[-\s]?value|\bvalor[-\s]p|(?<!\w)p)\s+(?:of\s+\.?\d[\d.]*\s+|de\s+\.?\d[\d.]*\s+)?(?:is|gives|means|es|da|significa|indica)\s+(?:the\s+|la\s+)?(?:probability|chance|probabilidad)\s+"
        r"(?:that|of|de(?:\s+que)?)\s+(?:the\s+|la\s+|both\s+|ambos\s+|los\s+)?(?:null(?:\s+hypothesis)?|hipótesis\s+nula|H0|(?:two\s+|dos\s+)?(?:systems|engines|runs|sistemas|ejecuciones)\s+(?:are|being|son|sean)|no\s+difference|"
        r"there\s+is\s+no|alternative|hipótesis\s+alternativa|result\s+(?:is|was|being)\s+(?:due|by|chance|false|wrong)|difference\s+(?:is|was)\s+(?:due|by|chance)|resultado\s+se\s+deba|"
        r"diferencia\s+se\s+deba|(?:our|the\s+new)\s+system\s+is)",
        "p: of such a difference if the null hypothesis is true",
    ),
    _form(
        r"\btype\s+(?:I|1|one)\b|\btipo\s+(?:I|1)\b|\bfirst\s+kind\b",
        r"\b(?:type\s+(?:I|1|one)|errors?\s+of\s+the\s+first\s+kind|tipo\s+(?:I|1))(?![\dI])\s*(?:errors?\s+)?(?:is|are|means?|occurs?|happens?|es|significa|ocurre|consiste)\b"
        + _GAP
        + r"\b(?:miss(?:es|ed|ing)?|overlook\w*|fail\w*|not\s+(?:detect|find|reject)\w*|undetected|accept\w*|"
        r"no\s+(?:detect|rechaz)\w*|pasar\s+por\s+alto)\b",
        "type I: a true null hypothesis is rejected",
        denies=True,
    ),
    _form(
        r"\btype\s+(?:II|2|two)\b|\btipo\s+(?:II|2)\b|\bsecond\s+kind\b",
        r"\b(?:type\s+(?:II|2|two)|errors?\s+of\s+the\s+second\s+kind|tipo\s+(?:II|2))\s*(?:errors?\s+)?(?:is|are|means?|occurs?|happens?|es|significa|ocurre|consiste)\b"
        + _GAP
        + r"\b(?:false\s+alarm|rejects?\s+a\s+true|rejecting\s+a\s+true|"
        r"falsa\s+alarma|rechazar\s+una\s+hipótesis\s+nula\s+(?:verdadera|cierta))\b",
        "type II: a false null hypothesis is kept",
    ),
    _form(
        r"\bintervals?\b|\bintervalos?\b",
        r"\bintervalo?s?\b" + _FEW + r"\b(?:contains?|includes?|covers?|contiene|incluye)\s+(?:zero|0|el\s+cero|cero)\b"
        r"(?!\.?\d)[^.;?]{0,60}?\b(?:is|are|es)\s+(?:significant|significativa)",
        "significant: the interval excludes 0",
    ),
)


_OF_STEP = re.compile(
    r"\b(?:here|now|any\s?more|already|again|today|this\s+(?:time|swap|step|move|exchange|change)|the\s+(?:swap|step|move|exchange)|was|were|"
    r"(?:as|since|because|for)\s+(?:it|they|there|all|both|no|none|every|the)\b(?!\s+(?:reader|rank|list)\b)|"
    r"aquí|ahora|ya|más|est[ea]\s+(?:paso|cambio|intercambio)|el\s+(?:intercambio|cambio|movimiento)|pues|porque|era|estaba)\b|"
    r"\b(?:above|over|beyond|below|under|por\s+encima|por\s+debajo)\s+(?:de\s+)?\.?\d",
    re.I,
)
"""Words of a sentence that says what cannot be of one ranking or step, and not of a measure."""


_CANNOT = re.compile(r"\b(?:cannot|can\s+only|no\s+puede|solo\s+puede)\b", re.I)


def _is_denied(sentence: str) -> bool:
    return any(words.search(sentence) for words in (_MISTAKEN, _SUPPOSES, _DENIES))


def _sentences(text: str) -> list[str]:
    return [each for each in re.split(r"(?<=[.?!;])\s+|\n\s*\n|\n(?=[-*|] )", text) if each.strip()]


def _false_forms(text: str) -> Iterator[tuple[str, str]]:
    former = ""
    for sentence in _sentences(text):
        around = f"{former} {sentence}"
        for each in _FORMS:
            match = each.form.search(sentence)
            if match is None or not each.subject.search(around):
                continue
            clause = re.split("[,;:]", sentence[: match.start()])[-1] + match[0]
            if _MISTAKEN.search(sentence) or _SUPPOSES.search(sentence[: match.end()]):
                continue
            if not each.denies and _DENIES.search(clause):
                continue
            if each.denies and _CANNOT.search(match[0]) and _OF_STEP.search(sentence):
                continue
            yield " ".join(match[0].split()), each.meant
        former = sentence


_AT_CUTOFF = re.compile(
    rf"(?<![\w@])(?:P|R|F|AP|nDCG|DCG|RR)@(?P<k>\d+)\s+(?:only\s+|solo\s+)?(?:looks\s+at|looks|counts|reads|considers|uses|sees|takes|is\s+about|mira|cuenta|lee|considera|usa|toma)\s+"
    rf"(?:\w+\s+){{0,3}}?(?:(?:first|top)\s+{A_COUNT}|{A_COUNT}\s+primer[oa]s|primer[oa]s\s+{A_COUNT})\b",
    re.I,
)
"""A measure with a cutoff, and of how many documents it is said to be."""


def _false_cutoffs(text: str) -> Iterator[tuple[str, str]]:
    for match in (each for sentence in _sentences(text) for each in _AT_CUTOFF.finditer(sentence)):
        n = count_of(next(filter(None, match.groups()[1:])))
        if n != int(match["k"]) and not _is_denied(match.string):
            yield " ".join(match[0].split()), f"@{match['k']}: {match['k']}"


def false_definitions(part: Lesson | Step | Question) -> Iterator[tuple[str, str]]:
    """Yield what the texts of a part say a measure, a pool or a test is, and what it is."""
    texts = [part.text]
    if isinstance(part, Question):
        is_turned = _IS_FALSE.search(part.title) is not None
        texts += [part.because, part.hint]
        texts += [] if is_turned else [each.text for each in part.choices if each.right]
        texts += [each.reason for each in part.choices if each.right or not is_turned]
        if not is_turned:
            yield from _marked_definitions(part)
    for text in map(prose_of, texts):
        for sentence in _sentences(text):
            if not _is_denied(sentence):
                yield from _false_shares(sentence)
        yield from _false_forms(text)
        yield from _false_cutoffs(text)


_ASKS_MEANING = re.compile(
    r"^\W*(?:(?:and|y)\s+)?(?:what\s+(?:is|does|do|share)|which\b|how\s+is|qué\s+(?:es|mide|indica|proporción|parte)|cuál\b|cómo\s+se)",
    re.I,
)


def _marked_definitions(question: Question) -> Iterator[tuple[str, str]]:
    """Yield the choice that is marked right, or wrong, where a title asks what precision or recall is, and it defines
    the other one, or the one that is asked for."""
    named = [_P if each["precision"] else _R for each in _EITHER.finditer(question.title)]
    if len(named) != 1 or not _ASKS_MEANING.match(question.title) or re.search(r"\d", question.title):
        return
    for choice in question.choices:
        own = "" if _is_denied(choice.text) or _EITHER.search(choice.text) else _defined(choice.text)
        if own and (own == named[0]) != choice.right:
            yield " ".join(choice.text.split()), tr("this is {name}", name=_MEANING[own])
