"""What ``--check`` finds false in a lesson, and what it leaves to read."""
