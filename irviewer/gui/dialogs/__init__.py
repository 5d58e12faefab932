"""Windows that come and go: the command palette, messages, file dialogs."""
