"""Choice among settings of systems: nested folds, sweeps of a fusion, effectiveness against cost, grids of two
parameters."""
