"""The window: the only importer of PySide6. It shows the session and passes on what users do, nothing else."""
