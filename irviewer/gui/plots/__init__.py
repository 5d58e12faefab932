"""The only importer of pyqtgraph: figures on screen."""
