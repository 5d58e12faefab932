"""Which of 2 to 100 runs is better, by how much, how sure, on which queries. Arrays in, frozen records out; no files,
no window, and of runs only their values by query, float64[R, Q], NaN where a run lacks a query.

The map:

``comparing``      :func:`~.compare.compare`: the baseline's or all pairs, everything at once
``of_results``     the same for a ResultTable, query sets, weights: ``ComparisonOptions``, ``ComparisonTable``
``comparison``     what it gives: ``Comparison`` (columns, matrices, letters), ``Pair`` (one record, the verdict)
``changes``        how much better a run is, as it is shown: a difference, or a ratio of geometric means
``by_signs``       what some runs never reach: signs, the unreached being the worst, and no means
``verdicts``       the verdict and the warnings, in words; ``wording`` how numbers are written
``records``        the table of tests, ``TestResult``, and ``Column``, one test for many pairs
``paired``         paired t, sign test, and the calls for one pair; ``signed_ranks`` Wilcoxon, ``randomisation`` Fisher
``rare``           how seldom random signs reach what drawing hardly ever reaches
``intervals``      bootstrap (percentile, BCa) and Student's t; ``resampling`` the draws that all runs share
``effects``        Cohen's d_z, Hedges' g, probability of superiority
``corrections``    Holm, Bonferroni, Benjamini-Hochberg
``tukey``          all pairs at once, by formula (``studentized``) and by randomisation; ``letters`` the groups
``bayes``          the posterior of a mean difference and the region of practical equivalence
``power``          how many queries it takes, what these queries can see
``queries``        difference from the median, difficulty, spread, which queries discriminate
``stability``      ranks and first places when the queries are drawn again
``of_systems``     the order's stability and means of query sets of a ResultTable
``averages``       weighted means, means of query sets, macro and micro averages

What draws at random has a seed, and the draws depend on it and on the number of queries alone."""
