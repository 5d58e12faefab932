"""Modes of commands: options that make a command print something else, each mode in a module."""
