"""The tabs of Compare about answers: nuggets, where they were lost, sentences at fault, and two versions."""
