"""The program's version and when it was loaded, at the bottom so that every layer may ask."""

import time

VERSION = "1.0.0"
BEGAN = time.time_ns()
"""When this process began to load the program, in nanoseconds since 1970."""
