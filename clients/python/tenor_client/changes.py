"""What changed between two revisions, and revisions as they are published."""

from __future__ import annotations

import itertools
import json
import time
from typing import Any, Dict, Iterator, List, Optional

from .connection import Connection
from .errors import (
    BadRequest,
    NetworkError,
    NotFound,
    TenorError,
    TooManyRequests,
    Unavailable,
    UnexpectedAnswer,
)
from .http_response import parse_integer
from .responses import Records, Walk

# The service sends a comment every 15 seconds.
EVENTS_TIMEOUT = 45.0
MAX_PAUSE = 30.0


class Changes(Walk[Dict[str, Any]]):
    """What to do to a copy of one revision to have a later one: `change` and `record` of each."""

    def __init__(self, pages: Iterator[Records[Dict[str, Any]]]) -> None:
        self._revision: Optional[int] = None
        self._source = pages
        super().__init__(self._observe())

    @property
    def revision(self) -> int:
        """The revision that a copy has after these changes: the next `since`."""
        if self._revision is None:
            first = next(self._source)
            self._source = itertools.chain([first], self._source)
            self._revision = _require_revision(first)
        return self._revision

    def _observe(self) -> Iterator[Records[Dict[str, Any]]]:
        while True:
            page = next(self._source, None)
            if page is None:
                return
            self._revision = _require_revision(page)
            yield page


def _require_revision(page: Records[Dict[str, Any]]) -> int:
    if page.revision is None:
        raise UnexpectedAnswer('the changes have no revision')
    return page.revision


class EventReader:
    """Reads `/events`, reconnects, and polls `/revisions` where there are no events."""

    def __init__(self, connection: Connection, since: Optional[int], poll_seconds: float) -> None:
        self._connection = connection
        self._last = since
        self._poll_seconds = poll_seconds
        self._failures = 0

    def read(self) -> Iterator[Dict[str, Any]]:
        """Every later revision, oldest first. Ends only by an error that does not pass."""
        while True:
            try:
                yield from self._read_stream()
            except (NetworkError, Unavailable, TooManyRequests) as error:
                self._pause(error)
            except BadRequest:
                # The database was replaced by one with fewer revisions.
                self._last = None
                self._connection.forget_revision()
            except NotFound:
                yield from self._poll()

    def _read_stream(self) -> Iterator[Dict[str, Any]]:
        headers = {'Accept': 'text/event-stream'}
        if self._last is not None:
            headers['Last-Event-ID'] = str(self._last)
        url = f'{self._connection.base_url}/events'
        response, lines = self._connection.open_lines(url, headers, EVENTS_TIMEOUT)
        if self._last is None:
            self._last = parse_integer(response.headers.get('tenor-revision'))
        for event in parse_events(lines):
            self._failures = 0
            revision: Dict[str, Any] = json.loads(event)
            self._last = int(revision['revision'])
            yield revision
        raise NetworkError('the stream of events ended')

    def _poll(self) -> Iterator[Dict[str, Any]]:
        """The revisions since the last one, newest first on the wire."""
        url = f'{self._connection.base_url}/revisions?limit=1000'
        data, _ = self._connection.read_data(url, {'Accept': 'application/json'})
        if self._last is None:
            self._last = data[0]['revision'] if data else 0
        for revision in reversed(data):
            if revision['revision'] > self._last:
                self._last = revision['revision']
                yield revision
        time.sleep(self._poll_seconds)

    def _pause(self, error: TenorError) -> None:
        backoff = min(0.5 * 2.0**self._failures, MAX_PAUSE)
        self._failures = min(self._failures + 1, 10)
        time.sleep(max(error.retry_after or 0.0, backoff))


def parse_events(lines: Iterator[str]) -> Iterator[str]:
    """The data of each event `revision`; comments and other events are skipped."""
    name = ''
    data: List[str] = []
    for line in lines:
        if line == '':
            if name == 'revision' and data:
                yield '\n'.join(data)
            name, data = '', []
        field, _, value = line.partition(':')
        value = value[1:] if value.startswith(' ') else value
        if field == 'event':
            name = value
        elif field == 'data':
            data.append(value)
