"""Responses that are kept to be revalidated."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Optional, Tuple

from .http_response import Response


class ResponseCache:
    """An LRU cache of responses by request."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._bytes = 0
        self._responses: OrderedDict[Tuple[object, ...], Response] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Tuple[object, ...]) -> Optional[Response]:
        with self._lock:
            if key in self._responses:
                self._responses.move_to_end(key)
            return self._responses.get(key)

    def put(self, key: Tuple[object, ...], response: Response) -> None:
        with self._lock:
            previous = self._responses.pop(key, None)
            self._bytes -= len(previous.body) if previous else 0
            self._responses[key] = response
            self._bytes += len(response.body)
            while self._bytes > self._max_bytes:
                _, oldest = self._responses.popitem(last=False)
                self._bytes -= len(oldest.body)
