"""The parts of a cache in the order of their last use, and which of them are dropped when they hold too many bytes."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from threading import Lock


class KeptParts:
    """Parts of a cache by a key, with their bytes; any thread may call it.

    most   the bytes that all may hold; the newest stays also if it alone holds more"""

    def __init__(self, most: int) -> None:
        self.most = most
        self.total = 0
        self._sizes: dict[Hashable, int] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        """The number of parts."""
        return len(self._sizes)

    def keep(self, part: Hashable, size: int) -> tuple[Hashable, ...]:
        """Add a part, or give it another size, as the one used last; return the parts to drop, the least recently used
        first, which are forgotten."""
        with self._lock:
            self.total += size - self._sizes.pop(part, 0)
            self._sizes[part] = size
            dropped = []
            while self.total > self.most and len(self._sizes) > 1:
                oldest = next(iter(self._sizes))
                self.total -= self._sizes.pop(oldest)
                dropped.append(oldest)
            return tuple(dropped)

    def use(self, part: Hashable) -> None:
        """Make a part the one used last, if it is kept."""
        with self._lock:
            size = self._sizes.pop(part, None)
            if size is not None:
                self._sizes[part] = size

    def forget(self, parts: Iterable[Hashable]) -> None:
        """Forget parts that were dropped elsewhere."""
        with self._lock:
            self.total -= sum([self._sizes.pop(part, 0) for part in parts])
