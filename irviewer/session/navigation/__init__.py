"""Navigation between places, tabs, queries and documents."""
