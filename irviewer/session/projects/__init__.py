"""Projects: what is open and was done to it as sections of a file, saving while one works, finding files again.

Knows the session's values, neither its methods nor the window."""
