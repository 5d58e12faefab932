"""The same systems on the open collections: which run is which system, their table, and the choices in its view."""
