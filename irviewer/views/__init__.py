"""What every door shows of an analysis: one module a topic, which turns what was computed into tables, figures and
sentences. Nothing here computes what a user could wait for, knows a format, or knows where it is shown."""
