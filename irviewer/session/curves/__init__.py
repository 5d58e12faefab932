"""The averaged curves of a session, and the rules they are computed by."""
