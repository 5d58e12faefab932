"""The public Python functions, such as ``irviewer.evaluate``."""

from irviewer.model.exported import Exporter, install


def _exporter() -> Exporter:
    from irviewer.api.export import ResultExporter

    return ResultExporter()


install(_exporter)
