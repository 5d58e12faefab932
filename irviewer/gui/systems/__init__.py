"""The place Systems: a table with a row for every run, with statistics."""
