"""What several threads ask the cache of an evaluation for at a time."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from irviewer.evaluation.evaluation_cache import Evaluation


def test_threads_that_drop_the_oldest_values_do_not_disturb_each_other() -> None:
    evaluation, interval = Evaluation(1 << 20), sys.getswitchinterval()

    def ask(thread: int) -> list[int]:
        return [evaluation.shared((thread, number), partial(abs, number)) for number in range(40_000)]

    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as threads:
            assert list(threads.map(ask, range(4))) == [list(range(40_000))] * 4
    finally:
        sys.setswitchinterval(interval)
