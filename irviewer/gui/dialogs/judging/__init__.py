"""The dialogs about judgments and judges."""
