"""The options that commands share: runs and qrels, how a file is read, output."""
