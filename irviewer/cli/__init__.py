"""The command line: one module per command, listed in ``commands``."""
