"""The command line: ``commands`` has one module per command and their table, ``options`` what they share."""
