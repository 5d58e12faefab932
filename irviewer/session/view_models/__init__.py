"""View models: everything one place of the window shows, computed from frozen state into frozen values.

A view pulls its view model and paints it; it computes nothing. Each view model is also what a test reads instead of
pixels."""
