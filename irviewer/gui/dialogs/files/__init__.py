"""Dialogs about files and projects: opening, checking, finding moved files, saving."""
