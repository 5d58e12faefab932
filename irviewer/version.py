"""The program's version, at the bottom so that every layer may ask."""

VERSION = "0.1.0"
