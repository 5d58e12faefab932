"""Engines that evaluate the partitions of a run: processes of this machine, Dask, Ray and Spark. Each is imported when
it is used; what it schedules, how it sends values and starts workers again is its own affair."""
