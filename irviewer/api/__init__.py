"""The public Python interface behind ``irviewer.evaluate`` and its siblings: one module a question."""

from irviewer.model.exported import Exporter, install


def _exporter() -> Exporter:
    from irviewer.api.export import ResultExporter

    return ResultExporter()


install(_exporter)
