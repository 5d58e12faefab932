"""The plots of judges: agreement, two judges grade by grade, runs under two judges, corrected scores."""
