"""Statistics of queries that are not independent: those of one conversation, user or topic count together.

``clusters``      the clusters of values, their sizes and sums
``cluster_mean``  standard errors and intervals of a mean: naive, CR0 to CR3, and how alike the values of a cluster are
``resampling``    bootstrap of whole clusters, and Fisher's test with the signs of whole clusters
"""
