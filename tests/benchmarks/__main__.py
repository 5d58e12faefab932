"""``python -m tests.benchmarks [NAME...] [--rounds N] [--json FILE]``: measure, print a table; 1 where a target is
missed.

The sides of a benchmark are measured in turn within one run. Figures belong to the machine, and to its quiet."""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import sys
import tempfile
from pathlib import Path

from tests.benchmarks.case import PEAKS, SPENT, measure, quantile
from tests.benchmarks.table import CASES


def main() -> int:
    """Measure what is named, without names all of it."""
    names = [case.name for case in CASES]
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(names))
    parser.add_argument("--rounds", type=int, help="instead of each benchmark's own number")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every time measured, in seconds")
    options = parser.parse_args()
    if unknown := set(options.names) - set(names):
        parser.error(f"there is no benchmark {', '.join(sorted(unknown))}; there are {', '.join(names)}")
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    times_by_case, missed = {}, 0
    print(f"{platform.platform()}, Python {platform.python_version()}, {os.cpu_count()} cores\n")
    for case in CASES:
        if options.names and case.name not in options.names:
            continue
        with tempfile.TemporaryDirectory(prefix="irviewer-benchmark-") as folder:
            try:
                times = measure(case, Path(folder), options.rounds)
            except FileNotFoundError as error:
                print(f"{case.name}: left out, {error}\n")
                continue
        times_by_case[case.name] = times
        print(f"{case.name}: {case.title}")
        for side, seconds in times.items():
            print(
                f"  {side:22} median {1000 * statistics.median(seconds):9.1f} ms   p95 "
                f"{1000 * quantile(seconds, 0.95):9.1f} ms   least {1000 * min(seconds):9.1f} ms   "
                f"{len(seconds)} rounds"
            )
        for name, megabytes in PEAKS.items():
            print(f"  {name:22} {megabytes:9.0f} MB at most")
        for name, seconds in SPENT.items():
            print(
                f"  {name:22} median {1000 * statistics.median(seconds):9.1f} ms   least {1000 * min(seconds):9.1f} ms "
                "of processor time"
            )
        for target in case.targets:
            print(f"  {target.summary(times)}")
            missed += not target.reached(times)
        PEAKS.clear()
        SPENT.clear()
        print(flush=True)
    if options.json:
        options.json.write_text(json.dumps(times_by_case, indent=1), "utf-8")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
