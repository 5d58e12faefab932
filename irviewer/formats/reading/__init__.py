"""What every reader stands on: opening and unpacking, columns of large files, streams, the cache of parsed files."""
