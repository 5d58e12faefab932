"""The actions of the window, one module per subject: the rows of the registry."""
