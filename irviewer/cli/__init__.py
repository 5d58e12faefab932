"""The command line: ``commands`` has one module per command and their table, ``modes`` modes of commands,
``options`` what they share."""
