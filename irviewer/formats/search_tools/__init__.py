"""Formats of search engines and their test tools: OpenSearch, Elasticsearch, Quepid, RRE."""
