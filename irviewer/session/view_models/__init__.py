"""View models: what each view of the window shows, computed from frozen state into frozen values.

A view paints its view model and computes nothing. Tests read view models instead of pixels."""
