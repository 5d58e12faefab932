"""How far judges agree: on grades, on the order of systems, and what a human sample corrects of a model's scores."""
