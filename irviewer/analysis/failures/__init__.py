"""Where rankings fail: which queries and how, which documents mislead, which are missed, what reading on would find.

Each module reads judged runs; knows no session and no widget."""
