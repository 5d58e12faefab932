"""The words, numbers, names and sentences of texts: no ranking is known here."""
