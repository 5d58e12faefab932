"""Runs as blocks of queries, which are read one after the other: text, tables, folders of parts, frames."""
