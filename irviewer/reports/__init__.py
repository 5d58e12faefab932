"""Results as text for people and programs: tables, comparisons, LaTeX, JSON."""
