"""Imports as in the window, from here on: without a search of each module's source, see irviewer.gui.quick_imports. To
be imported before Qt."""

from __future__ import annotations

from irviewer.gui.quick_imports import import_plainly

import_plainly()
