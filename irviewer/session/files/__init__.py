"""Files in a session: detecting, loading, placing, watching and re-reading them."""
