"""Changes between two revisions, and revisions as they are published."""

from __future__ import annotations

import itertools
import json
import threading
from typing import Any, Dict, Iterator, List, Optional

from .connection import Connection, LineStream
from .errors import (
    BadRequest,
    NetworkError,
    NotFound,
    TenorError,
    TooManyRequests,
    Unavailable,
    UnexpectedResponseError,
)
from .frames import ColumnSource
from .http_response import parse_integer
from .responses import RecordStream, Records, build_records

# The service sends a comment every 15 seconds.
EVENTS_TIMEOUT = 45.0
MAX_PAUSE = 30.0


class Changes(RecordStream[Dict[str, Any]]):
    """The changes from one revision to a later one: `change` and `record` of each."""

    def __init__(
        self, pages: Iterator[Records[Dict[str, Any]]], columns: ColumnSource = None
    ) -> None:
        self._revision: Optional[int] = None
        self._source = pages
        super().__init__(self._observe(), columns)

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
        raise UnexpectedResponseError('the changes have no revision')
    return page.revision


class EventReader:
    """Reads `/events`, reconnects, and polls `/revisions` where there are no events."""

    def __init__(self, connection: Connection, since: Optional[int], poll_seconds: float) -> None:
        self._connection = connection
        self._last = since
        self._poll_seconds = poll_seconds
        self._failures = 0
        self._closed = threading.Event()
        self._stream: Optional[LineStream] = None

    def read(self) -> Iterator[Dict[str, Any]]:
        """Every later revision, oldest first. Ends only by an error that does not pass."""
        while not self._closed.is_set():
            try:
                yield from self._read_some()
            except (NetworkError, Unavailable, TooManyRequests) as error:
                self._pause(error)

    def close(self) -> None:
        """Ends the reading of another thread."""
        self._closed.set()
        if self._stream is not None:
            self._stream.close()

    def _read_some(self) -> Iterator[Dict[str, Any]]:
        try:
            yield from self._read_stream()
        except BadRequest:
            if self._last is None:
                raise
            yield from self._start_anew()
        except NotFound:
            yield from self._poll()

    def _read_stream(self) -> Iterator[Dict[str, Any]]:
        headers = {'Accept': 'text/event-stream'}
        if self._last is not None:
            headers['Last-Event-ID'] = str(self._last)
        url = f'{self._connection.base_url}/events'
        self._stream = self._connection.open_lines(url, headers, EVENTS_TIMEOUT)
        if self._last is None:
            self._last = parse_integer(self._stream.head.headers.get('tenor-revision'))
        if self._closed.is_set():
            self._stream.close()
        for event in parse_events(self._stream.read()):
            self._failures = 0
            revision: Dict[str, Any] = json.loads(event)
            self._last = int(revision['revision'])
            yield revision
        raise NetworkError('the stream of events ended')

    def _start_anew(self) -> Iterator[Dict[str, Any]]:
        """The newest revision of a database that replaced one with more revisions."""
        self._connection.forget_revision()
        newest = self._read_revisions(limit=1)
        self._last = newest[0]['revision'] if newest else 0
        yield from newest

    def _poll(self) -> Iterator[Dict[str, Any]]:
        """The revisions since the last one, newest first on the wire."""
        revisions = self._read_revisions(limit=1000)
        if self._last is None:
            self._last = revisions[0]['revision'] if revisions else 0
        for revision in reversed(revisions):
            if revision['revision'] > self._last:
                self._last = revision['revision']
                yield revision
        self._wait(self._poll_seconds)

    def _read_revisions(self, limit: int) -> List[Dict[str, Any]]:
        url = f'{self._connection.base_url}/revisions?limit={limit}'
        data, response = self._connection.read_data(url, {'Accept': 'application/json'})
        return build_records(data, response)

    def _pause(self, error: TenorError) -> None:
        backoff = min(0.5 * 2.0**self._failures, MAX_PAUSE)
        self._failures = min(self._failures + 1, 10)
        self._wait(max(error.retry_after or 0.0, backoff))

    def _wait(self, seconds: float) -> None:
        self._closed.wait(seconds)


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
