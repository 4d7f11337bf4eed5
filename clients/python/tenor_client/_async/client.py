"""The client."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any, AsyncIterator, Dict, Mapping, Optional, TypeVar, Union

from ..files import replace_file
from ..http_response import parse_integer, parse_next_url
from ..parameters import Instant, Parameter, format_as_of
from ..records import MEDIA_TYPES, PATHS, ExportFormat, Format
from ..responses import Entry, Exported, Records
from ..secret import parse_base_url, parse_token
from .connection import AsyncConnection
from .follow import AsyncEventReader
from .operations import AsyncOperations

Self = TypeVar('Self', bound='AsyncTenor')


class AsyncTenor(AsyncOperations):
    """A client of one service with one token, for asyncio.

    By default the URL comes from TENOR_URL and the token from TENOR_TOKEN. Responses are cached,
    up to `cache_bytes`, and revalidated. Temporary errors are retried up to `retries` times; if
    the service asks to wait for more than `longest_wait` seconds, the error is raised at once.
    Connections stay open for later requests; `async with`, or `aclose`, closes them.
    """

    def __init__(
        self,
        base_url: Optional[str] = None,
        token: Optional[str] = None,
        *,
        timeout: float = 30.0,
        retries: int = 6,
        longest_wait: float = 60.0,
        cache_bytes: int = 16 * 1024 * 1024,
    ) -> None:
        url = os.environ.get('TENOR_URL', '') if base_url is None else base_url
        secret = os.environ.get('TENOR_TOKEN', '') if token is None else token
        self._connection = AsyncConnection(
            parse_base_url(url),
            parse_token(secret),
            timeout=timeout,
            retries=retries,
            longest_wait=longest_wait,
            cache_bytes=cache_bytes,
        )

    def __repr__(self) -> str:
        as_of = '' if self._as_of is None else f' as of {self._as_of}'
        return f'<{type(self).__name__} {self._connection.base_url}{as_of}>'

    async def __aenter__(self: Self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes the connections, also those of clients that `as_of` has made of this one."""
        await self._connection.aclose()

    def as_of(self: Self, instant: Union[Instant, int]) -> Self:
        """The same client, reading data as of an instant such as `2026-07-01T00:00:00Z`.

        A day such as `2026-07-01` means its end in UTC: what was published that day is included.
        A number is that of a revision. Raises ValueError for anything else.
        """
        return self._with_as_of(format_as_of(instant))

    def follow(
        self, since: Optional[int] = None, *, poll_seconds: float = 30.0
    ) -> AsyncIterator[Dict[str, Any]]:
        """Each revision as it is published, without end; those after `since` come first.

        The service sends them within a second. An interrupted connection is opened again, and goes
        on after the last revision. A service or proxy without `/events` is asked every
        `poll_seconds`. Errors that do not pass, such as a revoked token, are raised.
        """
        return AsyncEventReader(self._connection, since, poll_seconds).read()

    async def export(
        self, dataset: str, format: ExportFormat, path: Union[str, os.PathLike[str]]
    ) -> Exported:
        """Writes a whole dataset, from one revision, to a file.

        An interrupted download is resumed, or restarted if the data has changed. The file gets
        its name only when it is complete.
        """
        url = self._url('exports', dataset=dataset, format=format)
        return await self._write_file(url, format, path)

    async def download(
        self,
        operation: str,
        format: Format,
        path: Union[str, os.PathLike[str]],
        /,
        **parameters: Parameter,
    ) -> Exported:
        """Writes one page of a response in another format than JSON to a file.

        The operation and its parameters are as for `query`; `fields` selects columns. `has_more`
        of the result is True if more records match than were sent.
        """
        names, segments = _divide(operation, parameters)
        return await self._write_file(self._url(operation, names, **segments), format, path)

    async def _write_file(
        self, url: str, format: str, path: Union[str, os.PathLike[str]]
    ) -> Exported:
        media_type = MEDIA_TYPES.get(format)
        if media_type is None:
            raise ValueError(f'there is no format {format!r}; there are {", ".join(MEDIA_TYPES)}')
        target = Path(path)
        headers = self._headers({'Accept': media_type})
        with replace_file(target) as file:
            response = await self._connection.download(url, headers, file)
            size = file.tell()
        revision = parse_integer(response.headers.get('tenor-revision'))
        has_more = parse_next_url(url, response.headers.get('link', '')) is not None
        return Exported(target, size, revision, response.headers.get('etag'), has_more)

    async def query(
        self, operation: str, /, **parameters: Parameter
    ) -> Union[Records[Any], Entry]:
        """Any operation by its name, such as `quotes`: a list of records, or one object.

        A parameter that Python cannot name, such as `from`, gets an underscore: `from_`. Those of
        the path are parameters too: `query('corrections', dataset='quotes')`.
        """
        names, segments = _divide(operation, parameters)
        data: Union[Records[Any], Entry] = await self._read(operation, names, **segments)
        return data


def _divide(operation: str, parameters: Mapping[str, Parameter]) -> Any:
    """The parameters of the query, and those of the path."""
    template = PATHS.get(operation)
    if template is None:
        raise ValueError(f'there is no operation {operation!r}; there are {", ".join(PATHS)}')
    names = {name.rstrip('_'): value for name, value in parameters.items()}
    segments = {}
    for name in re.findall(r'\{(\w+)\}', template):
        if name not in names:
            raise ValueError(f'{operation} needs {name}')
        segments[name] = str(names.pop(name))
    return names, segments
