"""The client for asyncio: the methods of `Tenor`, run by threads of its own.

The standard library has no HTTP for asyncio, and this client needs nothing else. The event loop is
never blocked; at most `concurrency` requests run at a time, and others wait for a thread. A call
that is cancelled returns at once, but its request ends only with its response or its timeout.
"""

from __future__ import annotations

import asyncio
import copy
import functools
from concurrent.futures import ThreadPoolExecutor
from typing import (
    TYPE_CHECKING,
    Any,
    AsyncIterator,
    Callable,
    Coroutine,
    Dict,
    Iterator,
    Optional,
    TypeVar,
    Union,
)

from .changes import Changes
from .client import MAX_LIMIT, Tenor
from .parameters import Instant
from .responses import RecordStream, Records
from .vintages import MatrixColumns, Measures, Vintages

if TYPE_CHECKING:
    from typing_extensions import Concatenate, ParamSpec

    P = ParamSpec('P')

R = TypeVar('R')
T = TypeVar('T')


class AsyncRecordStream(AsyncIterator[R]):
    """The records of all pages. It can be iterated once."""

    def __init__(self, client: AsyncTenor, stream: RecordStream[R]) -> None:
        self._client = client
        self._stream = stream
        self._page: Iterator[R] = iter(())

    async def __anext__(self) -> R:
        while True:
            for record in self._page:
                return record
            page = await self._next_page()
            if page is None:
                raise StopAsyncIteration
            self._page = iter(page)

    async def pages(self) -> AsyncIterator[Records[R]]:
        """The remaining pages, each with its revision."""
        while True:
            page = await self._next_page()
            if page is None:
                return
            yield page

    async def to_pandas(self) -> Any:
        """All remaining records as one pandas DataFrame."""
        return await self._client.run(lambda: self._collect().to_pandas())

    async def to_polars(self) -> Any:
        """All remaining records as one polars DataFrame."""
        return await self._client.run(lambda: self._collect().to_polars())

    async def to_arrow(self) -> Any:
        """All remaining records as one pyarrow Table."""
        return await self._client.run(lambda: self._collect().to_arrow())

    def _collect(self) -> Records[R]:
        # Some records of the current page may not have been iterated.
        return self._stream._collect(self._page)

    async def _next_page(self) -> Optional[Records[R]]:
        pages = self._stream.pages()
        return await self._client.run(lambda: next(pages, None))


class AsyncChanges(AsyncRecordStream[Dict[str, Any]]):
    """The changes from one revision to a later one: `change` and `record` of each."""

    def __init__(self, client: AsyncTenor, changes: Changes) -> None:
        super().__init__(client, changes)
        self._changes = changes

    @property
    def revision(self) -> Coroutine[Any, Any, int]:
        """The revision that a copy has after these changes, to be awaited: the next `since`."""
        return self._client.run(lambda: self._changes.revision)


class AsyncVintages(AsyncRecordStream[Dict[str, Any]]):
    """Every published state of the records that match."""

    def __init__(self, client: AsyncTenor, vintages: Vintages) -> None:
        super().__init__(client, vintages)
        self._vintages = vintages

    async def matrix(
        self, measures: Measures = None, *, columns: MatrixColumns = 'revision'
    ) -> Any:
        """A pandas DataFrame of the values that were valid at each revision with a change."""
        return await self._client.run(lambda: self._vintages.matrix(measures, columns=columns))


def _to_async(
    method: Callable[Concatenate[Tenor, P], T],
) -> Callable[Concatenate[AsyncTenor, P], Coroutine[Any, Any, T]]:
    @functools.wraps(method)
    async def call(client: AsyncTenor, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await client.run(functools.partial(method, client._client, *args, **kwargs))

    return call


def _to_async_stream(
    method: Callable[Concatenate[Tenor, P], RecordStream[R]],
) -> Callable[Concatenate[AsyncTenor, P], AsyncRecordStream[R]]:
    @functools.wraps(method)
    def call(client: AsyncTenor, /, *args: P.args, **kwargs: P.kwargs) -> AsyncRecordStream[R]:
        return AsyncRecordStream(client, method(client._client, *args, **kwargs))

    return call


def _to_async_vintages(
    method: Callable[Concatenate[Tenor, P], Vintages],
) -> Callable[Concatenate[AsyncTenor, P], AsyncVintages]:
    @functools.wraps(method)
    def call(client: AsyncTenor, /, *args: P.args, **kwargs: P.kwargs) -> AsyncVintages:
        return AsyncVintages(client, method(client._client, *args, **kwargs))

    return call


class AsyncTenor:
    """`Tenor` for asyncio, with the same methods, each awaited; those of `Tenor` say what they do.

    It takes the arguments of `Tenor`. `async with` closes it, or `close`.
    """

    def __init__(
        self,
        base_url: Optional[str] = None,
        token: Optional[str] = None,
        *,
        concurrency: int = 8,
        **options: Any,
    ) -> None:
        self._client = Tenor(base_url, token, **options)
        self._threads = ThreadPoolExecutor(concurrency, thread_name_prefix='tenor')

    def __repr__(self) -> str:
        return f'<Async{repr(self._client)[1:]}'

    async def __aenter__(self) -> AsyncTenor:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Lets the threads end when their requests have. No request can be made afterwards."""
        self._threads.shutdown(wait=False)

    def as_of(self, instant: Union[Instant, int]) -> AsyncTenor:
        """The same client, with the same threads, reading data as of an instant or revision."""
        client = copy.copy(self)
        client._client = self._client.as_of(instant)
        return client

    async def run(self, call: Callable[[], T]) -> T:
        """The result of a call that blocks, made by a thread of this client."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, call)

    async def series(self, name: str) -> Records[Any]:
        """A series by its name, newest period first."""
        return await self.run(lambda: self._client.series(name))

    async def follow(
        self, since: Optional[int] = None, *, poll_seconds: float = 30.0
    ) -> AsyncIterator[Dict[str, Any]]:
        """Each revision as it is published, without end; one thread waits for it."""
        events = self._client._events(since, poll_seconds)
        revisions = events.read()
        try:
            while True:
                yield await self.run(lambda: next(revisions))
        finally:
            # Its thread would wait without end, and keep the program from ending.
            events.close()

    def changes(
        self,
        dataset: str,
        since: int,
        *,
        until: Optional[int] = None,
        page_size: int = MAX_LIMIT,
        cursor: Optional[str] = None,
    ) -> AsyncChanges:
        """The changes that make a copy of revision `since` one of the newest, or of `until`."""
        changes = self._client.changes(
            dataset, since, until=until, page_size=page_size, cursor=cursor
        )
        return AsyncChanges(self, changes)

    quotes = _to_async(Tenor.quotes)
    quotes_all = _to_async_stream(Tenor.quotes_all)
    fund_allocation = _to_async(Tenor.fund_allocation)
    dataset = _to_async_stream(Tenor.dataset)
    aligned = _to_async_stream(Tenor.aligned)
    catalogue = _to_async(Tenor.catalogue)
    catalogue_all = _to_async_stream(Tenor.catalogue_all)
    securities = _to_async(Tenor.securities)
    securities_all = _to_async_stream(Tenor.securities_all)
    funds = _to_async(Tenor.funds)
    funds_all = _to_async_stream(Tenor.funds_all)
    curve = _to_async(Tenor.curve)
    curve_all = _to_async_stream(Tenor.curve_all)
    analytics = _to_async(Tenor.analytics)
    analytics_all = _to_async_stream(Tenor.analytics_all)
    cashflows = _to_async(Tenor.cashflows)
    price = _to_async(Tenor.price)
    portfolio = _to_async(Tenor.portfolio)
    releases = _to_async(Tenor.releases)
    revisions = _to_async(Tenor.revisions)
    revisions_all = _to_async_stream(Tenor.revisions_all)
    revision = _to_async(Tenor.revision)
    revision_all = _to_async_stream(Tenor.revision_all)
    corrections = _to_async(Tenor.corrections)
    corrections_all = _to_async_stream(Tenor.corrections_all)
    vintages = _to_async_vintages(Tenor.vintages)
    export = _to_async(Tenor.export)
    download = _to_async(Tenor.download)
    sync = _to_async(Tenor.sync)
    verify = _to_async(Tenor.verify)
    query = _to_async(Tenor.query)
