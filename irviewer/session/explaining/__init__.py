"""Explaining a number in a session: ledgers, measure cards, ties, documents."""
