"""The public Python interface behind ``irviewer.evaluate`` and its siblings: one module a question."""
