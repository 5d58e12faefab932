"""The window: the only importer of PySide6. It shows the session and passes on what a person does, nothing else."""
