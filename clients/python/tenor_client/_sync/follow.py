# Made by npm run docs from tenor_client/_async. Changes here are lost.
"""Revisions as they are published."""

from __future__ import annotations

import time
import json
from typing import Any, Dict, Iterator, List, Optional

from ..errors import (
    BadRequest,
    NetworkError,
    NotFound,
    TenorError,
    TooManyRequests,
    Unavailable,
    UnexpectedResponseError,
)
from ..http_response import parse_integer
from .connection import Connection

# The service sends a comment every 15 seconds.
EVENTS_TIMEOUT = 45.0
MAX_PAUSE = 30.0


class EventReader:
    """Reads `/events`, reconnects, and polls `/revisions` where there are no events."""

    def __init__(self, connection: Connection, since: Optional[int], poll_seconds: float) -> None:
        self._connection = connection
        self._last = since
        self._poll_seconds = poll_seconds
        self._has_polled = False
        self._failures = 0

    def read(self) -> Iterator[Dict[str, Any]]:
        """Every later revision, oldest first. Ends only by an error that does not pass."""
        while True:
            try:
                for revision in self._read_some():
                    yield revision
            except (NetworkError, Unavailable, TooManyRequests) as error:
                self._pause(error)

    def _read_some(self) -> Iterator[Dict[str, Any]]:
        try:
            for revision in self._read_stream():
                yield revision
            return
        except BadRequest:
            if self._last is None:
                raise
            revisions = self._start_anew()
        except NotFound:
            revisions = self._poll()
        for revision in revisions:
            self._last = int(revision['revision'])
            yield revision

    def _read_stream(self) -> Iterator[Dict[str, Any]]:
        url = f'{self._connection.base_url}/events'
        headers = {'Accept': 'text/event-stream'}
        if self._last is not None:
            headers['Last-Event-ID'] = str(self._last)
        with self._connection.stream_lines(url, headers, EVENTS_TIMEOUT) as (head, lines):
            if self._last is None:
                self._last = parse_integer(head.headers.get('tenor-revision'))
            for event in parse_events(lines):
                self._failures = 0
                revision: Dict[str, Any] = json.loads(event)
                self._last = int(revision['revision'])
                yield revision
        raise NetworkError('the stream of events ended')

    def _start_anew(self) -> List[Dict[str, Any]]:
        """The newest revision of a database that replaced one with more revisions."""
        self._connection.forget_revision()
        newest = self._read_revisions(limit=1)
        self._last = newest[0]['revision'] if newest else 0
        return newest

    def _poll(self) -> List[Dict[str, Any]]:
        """The revisions since the last one, which come newest first."""
        if self._has_polled:
            self._wait(self._poll_seconds)
        self._has_polled = True
        revisions = self._read_revisions(limit=1000)
        if self._last is None:
            self._last = revisions[0]['revision'] if revisions else 0
        return [each for each in reversed(revisions) if each['revision'] > self._last]

    def _read_revisions(self, limit: int) -> List[Dict[str, Any]]:
        url = f'{self._connection.base_url}/revisions?limit={limit}'
        data, _ = self._connection.read_data(url, {})
        if not isinstance(data, list):
            raise UnexpectedResponseError('the revisions are not a list')
        return data

    def _pause(self, error: TenorError) -> None:
        backoff = min(0.5 * 2.0**self._failures, MAX_PAUSE)
        self._failures = min(self._failures + 1, 10)
        self._wait(max(error.retry_after or 0.0, backoff))

    def _wait(self, seconds: float) -> None:
        time.sleep(seconds)


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
