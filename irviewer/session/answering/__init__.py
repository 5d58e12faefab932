"""Labels of answers given by hand: the nuggets that they say, the citations that support them; and own nuggets."""
