"""What the steps and questions of a lesson say and mean, against what they do and what the program computes."""
