"""The place Failures: queries and documents that go wrong, in tables."""
