"""Projects: the open data and the user's changes as sections of a file, automatic saving, and the search for moved
files.

Knows the session's values, neither its methods nor the window."""
