"""Agreement of judges on grades and on the order of systems, and the correction of a model's scores with a human
sample."""
