"""Ready mappings of tools whose shape is unmistakable, by the tool's name.

Sources of the shapes stand beside the example files in ``tests/data/mapped``."""

from __future__ import annotations

from dataclasses import dataclass

from irviewer.formats.json.mapping import PathMapping, Paths
from irviewer.translation import tr

ASKED = "query_id|qid|topic_id|query.id|query_text|query|question|q|text"
"""Where a query stands beside a response that does not hold it."""


@dataclass(frozen=True)
class ReadyMapping:
    """A mapping of one of a tool's shapes: the format's ``name``, the tool's name as a title, and ``marks``: paths that
    must all be in a file, ``|`` between those of which one is enough."""

    name: str
    title: str
    mapping: PathMapping
    marks: tuple[str, ...]


def _split(text: str) -> Paths:
    return tuple(text.split("|")) if text else ()


def _ready(
    name: str, title: str, marks: tuple[str, ...], document: str, score: str = "", *, query: str = ASKED,
    distance: str = "", rows: str = "", part: str = "", graded: bool = False,
    best_first: bool = False,
) -> ReadyMapping:  # fmt: skip
    mapping = PathMapping(
        _split(document),
        _split(query),
        _split(score),
        _split(distance),
        part=_split(part),
        rows=rows,
        graded=graded,
        best_first=best_first,
    )
    return ReadyMapping(name, title, mapping, marks)


_IDS = "id|metadata.id|metadata.doc_id|metadata.chunk_id|metadata.source"
"""Where LangChain's documents have an id: their own, which may be null, else one in their metadata."""
_RESULTS = "|".join(
    f"results[].{name}" for name in ("docid", "doc_id", "document_id", "docno", "product_id", "item_id", "asin", "id")
)


def _under(prefix: str, paths: str) -> str:
    return "|".join(f"{prefix}.{path}" for path in paths.split("|"))


READY: tuple[ReadyMapping, ...] = (
    _ready("solr", "Solr", ("response.docs", "response.numFound"), "response.docs[].id", "response.docs[].score",
           query="query_id|qid|responseHeader.params.q|responseHeader.params.json.query|query"),
    _ready("search-relevance", "Search Relevance Workbench", ("hits.hits[]._source.documentIds",
           "hits.hits[]._source.searchText"), "documentIds[]", query="searchText", rows="hits.hits[]._source",
           part="experimentVariantParameters|experimentVariantId|searchConfigurationId"),
    _ready("search-relevance", "Search Relevance Workbench", ("documentIds", "searchText", "searchConfigurationId"),
           "documentIds[]", query="searchText",
           part="experimentVariantParameters|experimentVariantId|searchConfigurationId"),
    _ready("search-relevance", "Search Relevance Workbench", ("results[].snapshots[].docIds",
           "results[].queryText|results[].query_text"), "snapshots[].docIds[]", query="queryText|query_text",
           rows="results[]", part="snapshots[].searchConfigurationId"),
    _ready("search-relevance", "Search Relevance Workbench", (
           "hits.hits[]._source.results[].snapshots[].docIds",), "snapshots[].docIds[]",
           query="queryText|query_text", rows="hits.hits[]._source.results[]",
           part="snapshots[].searchConfigurationId"),
    _ready("dpr", "DPR", ("ctxs[].id", "question"), "ctxs[].id|ctxs[].docid|ctxs[].passage_id", "ctxs[].score",
           query="query_id|qid|q_id|question_id|question"),
    _ready("dpr", "DPR", ("*.contexts[].docid", "*.question"), "*.contexts[].docid",
           "*.contexts[].score", query="*~"),
    _ready("langchain", "LangChain", ("documents[].page_content",), _under("documents[]", _IDS),
           "documents[].metadata.score|documents[].metadata.relevance_score"),
    _ready("langchain", "LangChain", ("[].page_content", "[].metadata"), _under("[]", _IDS),
           "[].metadata.score|[].metadata.relevance_score"),
    _ready("langchain", "LangChain", ("[].kwargs.page_content", "[].lc"), _under("[].kwargs", _IDS),
           "[].kwargs.metadata.score"),
    _ready("langchain", "LangChain", ("[][0].page_content", "[][1]"), _under("[][0]", _IDS), "[][1]",
           best_first=True),
    _ready("langchain", "LangChain", ("[][0].kwargs.page_content", "[][1]"), _under("[][0].kwargs", _IDS), "[][1]",
           best_first=True),
    _ready("vespa", "Vespa", ("root.children[].relevance", "root.id"),
           "root.children[].fields.documentid|root.children[].id", "root.children[].relevance"),
    _ready("chroma", "Chroma", ("ids[][]", "distances[][]|documents[][]|included"), "ids[][]", distance="distances[][]",
           query="query_ids[]|query_texts[]|queries[]"),
    _ready("pinecone", "Pinecone", ("matches[].id", "matches[].score"), "matches[].id", "matches[].score"),
    _ready("pinecone", "Pinecone", ("result.hits[]._id", "result.hits[]._score"), "result.hits[]._id",
           "result.hits[]._score"),
    _ready("qdrant", "Qdrant", ("result[].id", "result[].score", "status", "time"), "result[].id", "result[].score"),
    _ready("qdrant", "Qdrant", ("result.points[].id", "result.points[].score", "status"), "result.points[].id",
           "result.points[].score"),
    _ready("qdrant", "Qdrant", ("result[].points[].id", "status"), "result[].points[].id",
           "result[].points[].score", query="query_ids[]|queries[]"),
    _ready("qdrant", "Qdrant", ("result[][].id", "result[][].score", "status"), "result[][].id",
           "result[][].score", query="query_ids[]|queries[]"),
    _ready("weaviate", "Weaviate", ("data.Get.*[]._additional.id", "data.Get.*[]._additional.distance"),
           "data.Get.*[]._additional.id", distance="data.Get.*[]._additional.distance"),
    _ready("weaviate", "Weaviate", ("data.Get.*[]._additional.id",), "data.Get.*[]._additional.id",
           "data.Get.*[]._additional.score|data.Get.*[]._additional.certainty"),
    _ready("llamaindex", "LlamaIndex", ("source_nodes[].node.id_",), "source_nodes[].node.id_", "source_nodes[].score"),
    _ready("llamaindex", "LlamaIndex", ("[].node.id_",), "[].node.id_", "[].score"),
    _ready("tevatron", "Tevatron", ("query_id", "positive_passages[].docid"), "positive_passages[].docid",
           query="query_id", graded=True),
    _ready("results", tr("records with results"), (_RESULTS, "results[].score"), _RESULTS, "results[].score"),
)  # fmt: skip
