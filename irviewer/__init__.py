"""irviewer, the debugger for rankings."""
