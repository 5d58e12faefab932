"""The one description of a result as a table, how people read it, and one writer for each format.

A :class:`~irviewer.tables.table.Table` holds exact values in columns with stable English keys. What people read (text,
Markdown, LaTeX, HTML, the window) comes from :mod:`irviewer.tables.show`; files of data (CSV, TSV, JSON, Arrow,
Parquet) are written from the values, and their writers cannot import that module.
Knows numpy, Arrow and translation; no analysis, no colours, no widget."""
