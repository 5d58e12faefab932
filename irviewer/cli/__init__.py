"""The command line: one module a command, listed in ``main``."""
