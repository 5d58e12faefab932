"""The words that clauses about rankings are made of, in English and Spanish, each with its kind and value.

A kind is a letter: M measure, N number, O order, K "rank", D "document", R relevance, G "grade", r ranking,
k "ranking", B both, all or neither, P "it", Q query, q "query", m "mean", d document, C comparison, X ratio,
S superlative, > "than", = "as", c change, f "from", + "to", b "by", v verb, n "not", 0 "no", y "only", t "the", e "a",
w time, # "at
least", j "that of", L "at", o "of", l "all", i other prepositions, J "down to", T "top", a "above", & "and", / "nor",
~ "or", E the whole list, ; what parts clauses, z what adds nothing, W "which"."""

from __future__ import annotations

from irviewer.session.teaching.checking.wording.number_words import COUNT_OF, ORDERS

Word = tuple[str, object]
"""(kind, value)"""
_ENGLISH = """\
M:P        precision
H:1        the answer|the right answer|the correct answer|its answer|its document
H:1        the page|its page|the home page|its home page
vH:1       needs|need|waits until|wait until|makes its users wait until|has to wait until|have to wait until
z          at this cutoff|users of|readers of|to get there|to reach it
M:R        recall
M:AP       average precision
M:RR       reciprocal rank
mM:AP      mean average precision|map
mM:RR      mean reciprocal rank|mrr
K          rank|ranks|position|positions
D          document|documents|ones|doc|docs|result|results|item|items
RD:relevant hit|hits
R:relevant relevant|useful
O:1        very first
OD:1       top document|top result|top one
R:other    non-relevant|nonrelevant|irrelevant|useless
R:missed   not retrieved|not found|not returned|never retrieved|missed|not in the list
R:unjudged unjudged|not judged|never judged
R:judged   judged
vR:missed  misses|miss|missed|is missing|are missing|lacks|lack|overlooks|overlook
vR:missed  leaves out|leave out|fails to find|fails to retrieve
G          grade|graded|grades
k:one      ranking|list|engine|system|run|retriever
k:all      rankings|lists|engines|systems|runs|retrievers
q          query|queries
m          mean|average|on average|in the mean
B:all      both|both of them|each|each of them|all of them|the two of them|both of the two
B:neither  neither|neither of them|neither of the two|none of them
B:neither  none of the rankings|none of the lists|none of the engines|none of the systems
B:other    other
B:others   others|other two|other three|other ones
P          it|this one|this list|this ranking|this engine|this system|this run|that list|that ranking
Pt         its
t          the|their|known
B:former   the former
B:latter   the latter
C:up       higher|greater|larger|better|more|bigger
C:down     lower|fewer|less|smaller|worse
C:same     equal|same|identical|tied|equally good|as good|as high|as many|as much|as large|as low|as few
vC:same    tie|ties
vC:differ  differ|differs
C:differ   different
C:up       ahead
C:up>      ahead of
vC:up>     exceeds|exceed|beats|beat|outperforms|outperform|surpasses|overtakes
C:down>    behind
vC:down>   trails|trail|is beaten by|is exceeded by|falls behind|loses to
C:early    earlier|sooner|further up|higher up|nearer to the top
C:late     later|further down|lower down
C:same>    equal to|the same as
vC:same>   equals|matches|draws level with|catches up with
X:2        twice|double
X:3        three times|triple
X:4        four times
X:.5       half|one half|a half
S:up       highest|best|largest|greatest|most
S:down     lowest|worst|smallest|fewest
>          than
=          as
c:x2       doubles|is doubled
c:x3       triples|is tripled
c:x.5      halves|is halved
c:up       rises|rise|grows|grow|increases|increase|goes up|climbs|improves
c:down     falls|fall|drops|drop|decreases|decrease|goes down|sinks
c:same     stays|stay|remains|is unchanged|are unchanged|does not change|do not change|stays the same|stays as it is
c:same     keeps
c:any      changes|change
f          from
+          to
b          by
v:place    puts|places|place
v          is|are|has|have|does|do|gets|get|reaches|reach|contains|contain|comes|come|sits|sit
v          shows|show|scores|score|there is|there are|lies|lie|holds|hold|keeps|keep|achieves|appears|appear|occurs
v          attains|being|=|occupies|includes|include
vA:1       begins with|starts with|opens with|begin with|start with
vA:-1      ends with
vN:find    the answer is not found|the answer was not found|nothing is found|nothing relevant is found
vN:find    fails altogether|fails completely|fails entirely|comes away empty|comes back empty
v:find     finds|find|retrieves|retrieve|retrieved|returns|return
v:gather   collects|gathers
wv:before  was|were|had
w:before   before|before the step|at first|originally
w:after    now|afterwards|after the step|after it|by now
n          not|n't|never|cannot
0          no|none|nothing
y          only|alone
e          a|an|any
l          all|every|every one
j          that of|those of|that for|that in|the one of|the value of|the ones of|the one that gives|what
L          at
o          of
i          in|for|on|with|among|amongst|to its|under|over|inside|across
J          down to|up to|until|through|within|by the
T          top
a:up       above
a:down     below
&          and
/          nor
;          but|while|whereas|although|though|because|so that|since|yet
z          also|so|already|thus|therefore|too|again|just|exactly|even|here|hence|value|values|of them|respectively
z          itself|well|together|that are|which are|that is|who|indeed|however|nevertheless|nonetheless|both times
z          number of|among its|listed|clearly|score|scores|still|in turn|out
W          which|what|who
W:many     how many|how much
K          cutoff|depth
RD:other   a miss
J:after    after
B:all      either|either of them|in both cases|for both|for either
vC:up      wins|win|leads|comes out ahead|pulls ahead|does better
vC:down    loses|does worse|comes out behind
C:up       better one|higher one|larger one
C:down     worse one|lower one|smaller one
C:gap      difference|gap|advantage|lead|margin|difference between
b          in terms of|measured by|judged by|according to|as measured by|as to|going by
i          between
v          comes only|come only|appears only|sits only
v          hold|give|gives|yield|yields|amounts to|delivers|offers|presents|works out at|stays at
v          is found|are found|is listed|are listed|is placed|are placed|is ranked|are ranked|lie|goes to
v:find     has found|have found|captures|recovers|catches
v:gather   brings|bring|picks up
wv:after   becomes|become|turns into
w:after    after the swap|after the exchange|after the move|after the change|after this|after that|once this is done
w:before   before the swap|before the exchange|before the move|before the change
m          averaged over the queries|averaged over all queries|over all queries|over the queries|across queries
m          averaged over queries|across the queries|over all the queries|averaged
&          against|versus|vs|compared with|compared to|as opposed to|as against
c:same     is not affected|is unaffected|does not vary|do not vary|keeps its value|does not move
c:up       moves up|jumps
c:down     goes down|shrinks|sinks
#          at least
z          likewise|as well|for its part|actually|in fact|right|accordingly|consequently
z          in turn|by contrast|in contrast|on the other hand
v:find     found|returned
v:gather   collected
v:place    put|has put|have put|placed
~          or
E          over the whole list|in the whole list|at the end of the list|over the entire list|at the end|by the end
z          of the collection|in the collection|of the list|of its list|of the ranking
m          in all|overall|altogether|in total
"""
"""Kinds and their value, then words; the tables of both languages have a line for each."""
_SPANISH = """\
M:P        precisión
H:1        la respuesta|su respuesta|su documento|la página|su página
vH:1       necesita|necesitan|espera hasta|esperan hasta|hace esperar a sus usuarios hasta
z          con este corte|para llegar|los usuarios de|los lectores de
M:R        exhaustividad|recall|cobertura
M:AP       precisión media|precisión promedio
M:RR       rango recíproco|recíproco del rango
mM:AP      map
mM:RR      mrr
K          posición|posiciones|puesto|puestos|rango|rangos|lugar
D          documento|documentos|resultado|resultados
RD:relevant acierto|aciertos
R:relevant relevante|relevantes
R:other    irrelevante|irrelevantes|no relevante|no relevantes
R:missed   no recuperado|no recuperados|sin recuperar
R:unjudged sin juzgar|no juzgado|no juzgados
R:judged   juzgado|juzgados
vR:missed  omite|omiten|le faltan|le falta|pierde
G          grado|grados
k:one      lista|buscador|sistema|ejecución|motor|ordenación|salida
k:all      listas|buscadores|sistemas|ejecuciones|motores|ordenaciones|salidas
q          consulta|consultas
m          media|medio|medios|de media|en media|promedio
B:all      ambos|ambas|cada uno|cada una|cada
B:neither  ninguno de los dos|ninguna de las dos|ni uno ni otro
B:neither  ningún buscador|ningún sistema|ninguna lista|ninguna ejecución|ningún motor
B:other    otro|otra
B:others   otros|otras|otros dos|otras dos|otros tres|otras tres|demás
B:former   el primero de los dos
P          esta lista|este buscador|este sistema|esta ejecución|este|ésta|éste
Pt         su|sus
t          el|la|los|las
C:up       mayor|mejor|más alto|más alta|más|superior|mayores|mejores|más altos|por delante|más grande
C:down     menor|peor|más bajo|más baja|menos|inferior|por detrás|más pequeña|más pequeño
vC:up>     supera|superan|supera a|gana a
C:up>      por delante de|por delante del|por encima de|superior a|superior al
vC:down>   va por detrás de|va por detrás del
vC:up>     va por delante de|va por delante del
C:down>    por detrás de|por detrás del|inferior a|inferior al|por debajo de
vC:down>   pierde ante|es superado por|es superada por
C:same     igual|iguales|mismo|misma|mismos|mismas|empate|idéntico|idéntica|tantos|tantas|tan alto|tan alta
C:same     tan bueno|tan buena
vC:same    empatan|coinciden
vC:differ  difieren
C:differ   distinto|distinta|distintos|distintas|diferente|diferentes
C:early    más arriba|antes
C:late     más abajo|después
C:same>    igual a|igual al|igual que
vC:same>   iguala|iguala a|empata con|alcanza a
=          como
X:2        doble|dos veces
X:3        triple|tres veces
X:4        cuatro veces|cuádruple
X:.5       mitad|la mitad
c:x2       se duplica|se duplican
c:x3       se triplica
c:x.5      se reduce a la mitad
vA:1       empieza con|comienza con|empieza por
vA:-1      termina con|acaba con
>j         que el de|que la de|que los de|que el del|que la del|que en el de
S:up       máximo|máxima
S:down     mínimo|mínima
>          que
f          desde
+          a|al|hasta el
b          por
b          en un
c:up       sube|suben|aumenta|aumentan|crece|crecen|mejora
c:down     baja|bajan|cae|caen|disminuye|disminuyen|desciende|empeora
c:same     no cambia|no cambian|se queda|se quedan|sigue igual|siguen igual|se mantiene|se mantienen|sigue siendo
c:same     permanece|queda igual
c:any      cambia|cambian
v:place    coloca|colocan|pone|ponen|sitúa|sitúan
v          es|son|está|están|tiene|tienen|hay|obtiene|obtienen|alcanza|alcanzan|contiene
v          contienen|aparece|aparecen|ocupa|ocupan|queda|quedan|muestra|muestran|logra|logran|consigue|consiguen
v          vale|valen|se encuentra|se encuentran|llega|llegan|cuenta con|ha|=|sea|dan|da|llega a
v          llegan a|incluye|suma
vN:find    la respuesta no se encuentra|no se encuentra nada|no se encontró nada|fracasa|falla por completo
v:find     encuentra|encuentran|recupera|recuperan|devuelve|devuelven|halla|hallan|recupera un total de
wv:before  era|eran|tenía|tenían|estaba|estaban|había
w:before   antes del paso|al principio
w:after    ahora|después del paso|tras el paso
n          no|tampoco
0          ningún|ninguno|ninguna|nada
y          solo|sólo|solamente|únicamente
e          un|una
l          todos|todas|todo|toda
j          el de|la de|los de|las de|el del|la del|lo que|al de|a la de|al del|aquel de
o          de|del
i          en|para|con|entre|sobre|dentro de
J          hasta|hasta la
&          y|e
/          ni
;          pero|mientras|mientras que|aunque|porque|pues
z          también|ya|así|además|aquí|exactamente|justo|valor|valores|respectivamente|que son
z          por tanto|por lo tanto|número de|se|le|les|incluso|todavía|luego|que está|un total de
W          qué|cuál|cuáles|quién
W:many         cuántos|cuántas
K          corte|profundidad
RD:other   un fallo
J:after    tras|después de
B:all      en los dos casos|en ambos casos|en las dos|en los dos|uno y otro|una y otra
vC:up      gana|ganan|va por delante|queda por delante|lleva ventaja
vC:down    pierde|queda por detrás|va por detrás
vC:same    coincide
C:gap      diferencia|ventaja|distancia|margen
b          según|medido por|en términos de|en cuanto a|atendiendo a|por lo que respecta a|si se mira
i          entre
v          da|dan|ofrece|ofrecen|presenta|presentan|trae|asciende a|equivale a|figura|figuran|sale|está en|va
v          se sitúa en|es de|son de|se halla|se hallan|está situado|llega hasta
v:gather   acumula|acumulan|reúne|reúnen|suma|suman
v:find     se queda en|se quedan en|ha encontrado|rescata|localiza|localizan|acierta
wv:after   pasa a ser|pasa a|pasa a estar|pasan a ser|se convierte en
w:after    tras el intercambio|después del intercambio|tras el cambio|después del cambio|tras moverlo|tras este paso
w:before   antes del intercambio|antes del cambio|antes de moverlo
m          en promedio|sobre las consultas|sobre todas las consultas|promediando las consultas|en todas las consultas
&          frente a|contra|frente al|en comparación con
c:same     no varía|no varían|no se altera|no se mueve|queda como estaba|sigue en|sigue valiendo
c:up       asciende
#          al menos|como mínimo|por lo menos
z          por su parte|en cambio|por el contrario|en efecto|igualmente|asimismo|por eso|por tanto|de hecho
v:find     encontró|encontraron|recuperó|recuperaron|devolvió
v:place    puso|ha puesto|han puesto
~          o
E          en toda la lista|al final de la lista|al final|en la lista entera|sobre toda la lista
z          de la colección|en la colección|de la lista|de su lista
m          en total|en conjunto
"""
_SPANISH_COUNTS = frozenset(
    ("un", "una", "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez", "once", "doce")
) | {"veinte"}
_PARTS = {
    "en": ("thirds", "quarters", "fifths", "sixths", "sevenths", "eighths", "ninths", "tenths"),
    "es": ("tercios", "cuartos", "quintos", "sextos", "séptimos", "octavos", "novenos", "décimos"),
}
_SHARES = {
    "en": {"a quarter": 4, "one quarter": 4, "one third": 3},
    "es": {"un medio": 2, "un tercio": 3, "un cuarto": 4, "un quinto": 5},
}
_LAST = {"en": ("last",), "es": ("último", "última")}


def _table(rows: str, language: str) -> dict[str, list[Word]]:
    spanish, table = language == "es", dict[str, list[Word]]()
    for word, n in COUNT_OF.items():
        if (word in _SPANISH_COUNTS) == spanish:
            table[word] = [("N", float(n))]
    for n, words in enumerate(ORDERS, start=1):
        table |= {word: [("O", n)] for word in (words[1:] if spanish else words[:1])}
    table |= {word: [("O", -1)] for word in _LAST[language]}
    table |= {word: [("F", n)] for n, word in enumerate(_PARTS[language], start=3)}
    table |= {word: [("N", 1 / n)] for word, n in _SHARES[language].items()}
    for row in rows.splitlines():
        kinds, _, phrases = row.partition(" ")
        letters, _, value = kinds.partition(":")
        of_kind = value.removesuffix(">")
        tokens: list[Word] = [(letter, _value(letter, of_kind)) for letter in letters]
        tokens += [(">", "implied")] if value.endswith(">") else []
        table |= dict.fromkeys(phrases.strip().split("|"), tokens)
    return table


def _value(letter: str, text: str) -> object:
    """Return the value of a word of a kind: ranks, those of the whole list, the place of an order, or a text."""
    if letter in "OH":
        return int(text)
    if letter == "N":  # of a verb: it finds none
        return 0.0
    return (int(text),) if letter == "A" else (1, None) if letter == "E" else text


ENGLISH = _table(_ENGLISH, "en")
SPANISH = _table(_SPANISH, "es")
LONGEST = max(len(phrase.split()) for table in (ENGLISH, SPANISH) for phrase in table)
"""The words of the longest phrase of both."""
