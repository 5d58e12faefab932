"""Which curves a session shows, and by which rule."""
