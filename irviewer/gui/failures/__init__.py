"""The failure analysis in the Queries view."""
