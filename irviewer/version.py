"""The program's version, at the bottom so that every layer may ask."""

VERSION = "1.0.0"
