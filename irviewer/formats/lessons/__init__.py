"""Lesson files: Markdown with a small header; docs/lessons.md describes the format. One reader, no session."""
