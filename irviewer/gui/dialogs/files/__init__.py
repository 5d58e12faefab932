"""Dialogs about files and projects: choosing, checking, finding moved ones, saving."""
