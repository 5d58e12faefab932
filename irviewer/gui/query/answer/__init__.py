"""The tab Answer of Query: sentences, the list that they cite, nuggets and measures of one topic."""
