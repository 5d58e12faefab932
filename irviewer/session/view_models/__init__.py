"""Pages: everything one place of the window shows, computed from frozen state into frozen values.

A view pulls its page and paints it; it computes nothing. Each page is also what a test reads instead of pixels."""
