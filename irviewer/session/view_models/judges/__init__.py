"""View models of judges: agreement, grade by grade, systems, corrected scores, judging."""
