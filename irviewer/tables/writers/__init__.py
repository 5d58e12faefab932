"""One writer for each format of tables. Those of data (CSV, TSV, JSON, Arrow, Parquet) are exact and in English, and
cannot import :mod:`irviewer.tables.show`; those for people (text, Markdown, LaTeX, HTML) write what it shows."""
