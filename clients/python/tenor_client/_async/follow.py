"""Revisions as they are published."""

from __future__ import annotations

import asyncio
import json
from typing import Any, AsyncIterator, Dict, List, Optional

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
from .connection import AsyncConnection

# The service sends a comment every 15 seconds.
EVENTS_TIMEOUT = 45.0
MAX_PAUSE = 30.0


class AsyncEventReader:
    """Reads `/events`, reconnects, and polls `/revisions` where there are no events."""

    def __init__(self, connection: AsyncConnection, since: Optional[int], poll_seconds: float) -> None:
        self._connection = connection
        self._last = since
        self._poll_seconds = poll_seconds
        self._has_polled = False
        self._failures = 0

    async def read(self) -> AsyncIterator[Dict[str, Any]]:
        """Every later revision, oldest first. Ends only by an error that does not pass."""
        while True:
            try:
                async for revision in self._read_some():
                    yield revision
            except (NetworkError, Unavailable, TooManyRequests) as error:
                await self._pause(error)

    async def _read_some(self) -> AsyncIterator[Dict[str, Any]]:
        try:
            async for revision in self._read_stream():
                yield revision
            return
        except BadRequest:
            if self._last is None:
                raise
            revisions = await self._start_anew()
        except NotFound:
            revisions = await self._poll()
        for revision in revisions:
            self._last = int(revision['revision'])
            yield revision

    async def _read_stream(self) -> AsyncIterator[Dict[str, Any]]:
        url = f'{self._connection.base_url}/events'
        headers = {'Accept': 'text/event-stream'}
        if self._last is not None:
            headers['Last-Event-ID'] = str(self._last)
        async with self._connection.stream_lines(url, headers, EVENTS_TIMEOUT) as (head, lines):
            if self._last is None:
                self._last = parse_integer(head.headers.get('tenor-revision'))
            async for event in parse_events(lines):
                self._failures = 0
                revision: Dict[str, Any] = json.loads(event)
                self._last = int(revision['revision'])
                yield revision
        raise NetworkError('the stream of events ended')

    async def _start_anew(self) -> List[Dict[str, Any]]:
        """The newest revision of a database that replaced one with more revisions."""
        self._connection.forget_revision()
        newest = await self._read_revisions(limit=1)
        self._last = newest[0]['revision'] if newest else 0
        return newest

    async def _poll(self) -> List[Dict[str, Any]]:
        """The revisions since the last one, which come newest first."""
        if self._has_polled:
            await self._wait(self._poll_seconds)
        self._has_polled = True
        revisions = await self._read_revisions(limit=1000)
        if self._last is None:
            self._last = revisions[0]['revision'] if revisions else 0
        return [each for each in reversed(revisions) if each['revision'] > self._last]

    async def _read_revisions(self, limit: int) -> List[Dict[str, Any]]:
        url = f'{self._connection.base_url}/revisions?limit={limit}'
        data, _ = await self._connection.read_data(url, {})
        if not isinstance(data, list):
            raise UnexpectedResponseError('the revisions are not a list')
        return data

    async def _pause(self, error: TenorError) -> None:
        backoff = min(0.5 * 2.0**self._failures, MAX_PAUSE)
        self._failures = min(self._failures + 1, 10)
        await self._wait(max(error.retry_after or 0.0, backoff))

    async def _wait(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


async def parse_events(lines: AsyncIterator[str]) -> AsyncIterator[str]:
    """The data of each event `revision`; comments and other events are skipped."""
    name = ''
    data: List[str] = []
    async for line in lines:
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
