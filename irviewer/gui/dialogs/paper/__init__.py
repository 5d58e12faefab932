"""The dialog that exports tables and figures for a paper."""
