"""What answers say and cite: nuggets by system, where a missing one was lost, and sentences at fault."""
