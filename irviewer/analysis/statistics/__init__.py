"""Statistical comparison of 2 to 100 runs by their values per query, float64[R, Q], NaN where a run lacks a query.

``compare``            all that is known of each run beside the baseline, or of all pairs
``result_comparison``  the same for a ResultTable, with query sets and weights
``comparison``         the result: columns, matrices, letters; ``pair`` is the record of two runs with its conclusion
``warnings``           warnings as sentences
``test_results``       the table of tests, ``TestResult``, and ``Column``, one test for many pairs
``paired``             paired t and sign test; ``wilcoxon``, ``randomisation`` (Fisher),
``tukey`` (with ``studentized``)
``by_signs``           comparison where some runs never reach a value
``intervals``          bootstrap (percentile, BCa) and Student's t; ``resampling`` the draws that all runs share
``log_ratios``         differences, and ratios of geometric means, as they are shown
``effects``            Cohen's d_z, Hedges' g, probability of superiority
``dependence``         queries that count together: cluster-robust errors, bootstrap and signs of clusters
``corrections``        Holm, Bonferroni, Benjamini-Hochberg; ``compact_letters`` groups of runs
``bayes``              the posterior of a mean difference and the region of practical equivalence
``query_statistics``   difference from the median, difficulty, spread, which queries discriminate
``stability``          ranks and first places when the queries are drawn again
``systems``            stability of the order, and means of query sets, of a ResultTable
``series_average``     weighted means, means of query sets, macro and micro averages

Whatever draws at random takes a seed; the draws depend on it and on the number of queries alone."""
