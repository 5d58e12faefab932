"""Design before measuring: how many queries an experiment needs, and what a number of queries can show.

``powers``      the power of tests and the width of intervals by the number of queries
``designs``     the queries that a design needs, also from the spread of a pilot
``gate_history``  how many gates were decided on the same queries, and about how many fail by chance
``looks``       bounds of a pair that is tested again with more queries each time
``detectable``  the differences that a given number of queries can show
"""
