"""The application's state and what can be done to it, Qt-free: session, commands, settings, tasks, loading, view
models."""
