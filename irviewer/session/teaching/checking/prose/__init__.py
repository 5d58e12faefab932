"""What the texts of a lesson say in forms that are known, against its rankings."""
