"""A client for Tenor, the read-only query service for financial data.

    from tenor_client import Tenor

    tenor = Tenor('http://127.0.0.1:8080', token)
    for quote in tenor.quotes('Z05PIB151029', from_='2026-06-01'):
        print(quote['date'], quote['ytm'])

One file, standard library only, Python 3.9 or newer. See its README.
"""

from __future__ import annotations

import copy
import datetime
import email.utils
import http.client
import importlib
import json
import os
import random
import re
import ssl
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import zlib
from collections import OrderedDict
from pathlib import Path
from typing import (
    Any,
    BinaryIO,
    Callable,
    Dict,
    Iterable,
    Iterator,
    List,
    Literal,
    Mapping,
    NamedTuple,
    Optional,
    Tuple,
    Type,
    TypedDict,
    TypeVar,
    Union,
    overload,
)

__version__ = '0.1.0'
__all__ = [
    'BadRequest',
    'Entry',
    'Exported',
    'Forbidden',
    'Fund',
    'NetworkError',
    'NoFundId',
    'NoRecordFound',
    'NotFound',
    'Records',
    'ServerError',
    'Tenor',
    'TenorError',
    'TooManyRequests',
    'Unauthorized',
    'Unavailable',
    'UnexpectedAnswer',
    'Walk',
]

Day = Union[str, datetime.date]
Parameter = Union[str, int, datetime.date, None]
InstrumentType = Literal['tbill', 'bond', 'corporate', 'all']
ExportFormat = Literal['csv', 'ndjson', 'parquet']
R = TypeVar('R')
E = TypeVar('E', bound='Entry')

QUOTES = '/2.0/bnb/quote'
MAX_LIMIT = 10_000
# Made by npm run docs from the catalogue: series
SERIES = (
    'atm-transactions-annual-volume',
    'atm-transactions-quarterly-value',
    'branchless-banking-agents',
    'ivr-banking-annual-value',
    'mobile-money-accounts-male',
    'mobile-money-market-share-value',
    'online-banking-annual-volume',
    'payments-market-players',
    'pos-transactions-quarterly-volume',
    'settlement-transactions-value',
)
# End of what is made


class Tenor:
    """A client of one service with one token. Safe to use from several threads.

    By default the URL comes from TENOR_URL and the token from TENOR_TOKEN. Responses are cached,
    up to `cache_bytes`, and revalidated. Temporary errors are retried up to `retries` times; if
    the service asks to wait for more than `longest_wait` seconds, the error is raised at once.
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
        self._connection = _Connection(
            _parse_base_url(url),
            _parse_token(secret),
            timeout=timeout,
            retries=retries,
            longest_wait=longest_wait,
            cache_bytes=cache_bytes,
        )
        self._as_of: Optional[str] = None

    def __repr__(self) -> str:
        as_of = '' if self._as_of is None else f' as of {self._as_of}'
        return f'<Tenor {self._connection.base_url}{as_of}>'

    def as_of(self, instant: Union[str, datetime.datetime, datetime.date]) -> Tenor:
        """The same client, reading data as of an instant such as `2026-07-01T00:00:00Z`.

        A day such as `2026-07-01` means its end in UTC: what was published that day is included.
        """
        client = copy.copy(self)
        client._as_of = _format_instant(instant)
        return client

    def quotes(
        self,
        symbol: Optional[str] = None,
        *,
        date: Optional[Day] = None,
        from_: Optional[Day] = None,
        to: Optional[Day] = None,
        type: Optional[InstrumentType] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        count: bool = False,
    ) -> Records[Quote]:
        """Quotes of the given days; at most `limit`, 100 by default.

        Without `date`, `from_` and `to` only the newest day is read: the history of a security
        needs a `from_`. `next` is None on the last page; `count=True` fills `total`. `cursor`,
        sent with the same parameters, selects the next page.
        """
        parameters = {'symbol': symbol, 'date': date, 'from': from_, 'to': to, 'type': type}
        prefer = {'Prefer': 'count=exact'} if count else {}
        return self._records(QUOTES, {**parameters, 'limit': limit, 'cursor': cursor}, prefer)

    def quotes_all(
        self,
        symbol: Optional[str] = None,
        *,
        date: Optional[Day] = None,
        from_: Optional[Day] = None,
        to: Optional[Day] = None,
        type: Optional[InstrumentType] = None,
        page_size: int = MAX_LIMIT,
        cursor: Optional[str] = None,
    ) -> Walk[Quote]:
        """Every matching quote; pages are fetched as they are needed.

        Without `date`, `from_` and `to` only the newest day is read: the history of a security
        needs a `from_`. `cursor`, sent with the same parameters, continues after its page.
        """
        parameters = {'symbol': symbol, 'date': date, 'from': from_, 'to': to, 'type': type}
        return Walk(self._pages(QUOTES, {**parameters, 'limit': page_size, 'cursor': cursor}))

    def fund_allocation(self, fund_id: str) -> Fund:
        """A fund's asset allocation. Raises NoRecordFound for an unknown fund."""
        return self._entry('/3.0/funds/allocation', {'fund_id': fund_id}, Fund())

    # Made by npm run docs from the catalogue: overloads
    @overload
    def series(
        self, name: Literal['atm-transactions-annual-volume']
    ) -> Records[AtmTransactionsAnnualVolume]: ...

    @overload
    def series(
        self, name: Literal['atm-transactions-quarterly-value']
    ) -> Records[AtmTransactionsQuarterlyValue]: ...

    @overload
    def series(
        self, name: Literal['branchless-banking-agents']
    ) -> Records[BranchlessBankingAgents]: ...

    @overload
    def series(
        self, name: Literal['ivr-banking-annual-value']
    ) -> Records[IvrBankingAnnualValue]: ...

    @overload
    def series(
        self, name: Literal['mobile-money-accounts-male']
    ) -> Records[MobileMoneyAccountsMale]: ...

    @overload
    def series(
        self, name: Literal['mobile-money-market-share-value']
    ) -> Records[MobileMoneyMarketShareValue]: ...

    @overload
    def series(
        self, name: Literal['online-banking-annual-volume']
    ) -> Records[OnlineBankingAnnualVolume]: ...

    @overload
    def series(
        self, name: Literal['payments-market-players']
    ) -> Records[PaymentsMarketPlayers]: ...

    @overload
    def series(
        self, name: Literal['pos-transactions-quarterly-volume']
    ) -> Records[PosTransactionsQuarterlyVolume]: ...

    @overload
    def series(
        self, name: Literal['settlement-transactions-value']
    ) -> Records[SettlementTransactionsValue]: ...

    @overload
    def series(self, name: str) -> Records[Any]: ...
    # End of what is made

    def series(self, name: str) -> Records[Any]:
        """A series by its name, newest period first."""
        try:
            return self._records(f'/3.0/alternate/{_quote_segment(name)}')
        except NotFound as error:
            if error.message != 'not_found':
                raise
            raise NotFound(
                _unknown_series_message(name),
                status=error.status,
                path=error.path,
                request_id=error.request_id,
            ) from None

    def catalogue(self) -> Records[Dict[str, Any]]:
        """Every dataset: its fields with units, its coverage, and when the next data is due."""
        return self._records('/catalogue')

    def securities(self) -> Records[Dict[str, Any]]:
        """Every security ever quoted, matured ones included, with its first and last date."""
        return self._records('/2.0/bnb/securities')

    def funds(self) -> Records[Dict[str, Any]]:
        """Every fund, with its first and last period."""
        return self._records('/3.0/funds')

    def revisions(
        self,
        dataset: Optional[str] = None,
        *,
        before: Optional[int] = None,
        limit: Optional[int] = None,
    ) -> Records[Dict[str, Any]]:
        """The revisions, newest first; at most `limit`."""
        return self._records('/revisions', {'dataset': dataset, 'before': before, 'limit': limit})

    def revisions_all(
        self, dataset: Optional[str] = None, *, page_size: int = MAX_LIMIT
    ) -> Walk[Dict[str, Any]]:
        """Every revision, newest first; pages are fetched as they are needed."""
        return Walk(self._pages('/revisions', {'dataset': dataset, 'limit': page_size}))

    def revision(
        self, number: int, *, limit: Optional[int] = None, cursor: Optional[str] = None
    ) -> Entry:
        """One revision, with what it changed, old and new; at most `limit` changes, 100 by default.

        If it has more, `has_more` is True: `revision_all` reads every change; `cursor`, given with
        the same `limit`, selects the next page.
        """
        return self._entry(f'/revisions/{number:d}', {'limit': limit, 'cursor': cursor}, Entry())

    def revision_all(
        self, number: int, *, page_size: int = MAX_LIMIT, cursor: Optional[str] = None
    ) -> Walk[Dict[str, Any]]:
        """Every change of one revision, old and new; pages are fetched as they are needed.

        `cursor`, sent with the same `page_size`, continues after its page.
        """
        return Walk(self._change_pages(f'/revisions/{number:d}', page_size, cursor))

    def corrections(
        self,
        dataset: str,
        *,
        symbol: Optional[str] = None,
        from_: Optional[Day] = None,
        to: Optional[Day] = None,
        fund_id: Optional[str] = None,
        before: Optional[int] = None,
        limit: Optional[int] = None,
    ) -> Records[Dict[str, Any]]:
        """What stood before: records that were corrected or retired; at most `limit`.

        Newest revision first, each with `old` and `new`, which is None where it was retired. A
        security and days are for quotes, `fund_id` for the allocation of funds.
        """
        parameters = {'symbol': symbol, 'from': from_, 'to': to, 'fund_id': fund_id}
        path = f'/corrections/{_quote_segment(dataset)}'
        return self._records(path, {**parameters, 'before': before, 'limit': limit})

    def corrections_all(
        self,
        dataset: str,
        *,
        symbol: Optional[str] = None,
        from_: Optional[Day] = None,
        to: Optional[Day] = None,
        fund_id: Optional[str] = None,
        page_size: int = MAX_LIMIT,
    ) -> Walk[Dict[str, Any]]:
        """Every matching correction, newest revision first."""
        parameters = {'symbol': symbol, 'from': from_, 'to': to, 'fund_id': fund_id}
        path = f'/corrections/{_quote_segment(dataset)}'
        return Walk(self._pages(path, {**parameters, 'limit': page_size}))

    def export(
        self, dataset: str, format: ExportFormat, path: Union[str, os.PathLike[str]]
    ) -> Exported:
        """Writes a whole dataset, from one revision, to a file.

        An interrupted download is resumed, or restarted if the data has changed. The file gets
        its name only when it is complete.
        """
        url = self._url(f'/exports/{_quote_segment(dataset)}.{_quote_segment(format)}')
        target = Path(path)
        part = target.with_name(target.name + '.part')
        try:
            with open(part, 'wb') as file:
                response = self._connection.download(url, self._headers(), file)
                size = file.tell()
            os.replace(part, target)
        finally:
            part.unlink(missing_ok=True)
        revision = _parse_integer(response.headers.get('tenor-revision'))
        return Exported(target, size, revision, response.headers.get('etag'))

    def _records(
        self,
        path: str,
        parameters: Optional[Mapping[str, Parameter]] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Records[Any]:
        return self._page(self._url(path, parameters), headers)

    def _pages(
        self,
        path: str,
        parameters: Mapping[str, Parameter],
        read_page: Optional[Callable[[str], Records[Any]]] = None,
    ) -> Iterator[Records[Any]]:
        read_page = read_page or self._page
        page = read_page(self._url(path, parameters))
        yield page
        seen = set()
        while page.next is not None:
            if page.next in seen:
                raise UnexpectedAnswer('the next page was read already', path=path)
            seen.add(page.next)
            page = read_page(page.next)
            yield page

    def _page(self, url: str, headers: Optional[Mapping[str, str]] = None) -> Records[Any]:
        data, response = self._connection.read_data(url, self._headers(headers))
        return _build_records(data, response)

    def _change_pages(
        self, path: str, page_size: int, cursor: Optional[str]
    ) -> Iterator[Records[Any]]:
        """The changes of a revision, whose counts tell whether all of them were sent."""
        total = sent = 0

        def read_page(url: str) -> Records[Any]:
            nonlocal total
            data, response = self._connection.read_data(url, self._headers())
            revision = data if isinstance(data, dict) else {}
            total = sum(int(revision.get(name, 0)) for name in ('added', 'corrected', 'retired'))
            return _build_records(revision.get('changes'), response)

        for page in self._pages(path, {'limit': page_size, 'cursor': cursor}, read_page):
            sent += len(page)
            # With a cursor, earlier changes were read before.
            if cursor is None and not page.has_more and sent < total:
                raise UnexpectedAnswer(f'only {sent} of {total} changes were sent', path=path)
            yield page

    def _entry(self, path: str, parameters: Mapping[str, Parameter], one: E) -> E:
        data, response = self._connection.read_data(self._url(path, parameters), self._headers())
        if not isinstance(data, dict):
            raise UnexpectedAnswer('data is no object', status=response.status, path=response.path)
        one.update(data)
        one._set_meta(response)
        return one

    def _url(self, path: str, parameters: Optional[Mapping[str, Parameter]] = None) -> str:
        texts = {k: _format_parameter(v) for k, v in (parameters or {}).items() if v is not None}
        query = urllib.parse.urlencode(texts, quote_via=urllib.parse.quote)
        return self._connection.base_url + path + (f'?{query}' if query else '')

    def _headers(self, extra: Optional[Mapping[str, str]] = None) -> Dict[str, str]:
        as_of = {} if self._as_of is None else {'Accept-Datetime': self._as_of}
        return {'Accept': 'application/json', **as_of, **(extra or {})}


class _ResponseMeta:
    """What the headers of a response say about its data."""

    revision: Optional[int] = None
    """The revision of all its data."""
    total: Optional[int] = None
    """How many records match in total, with `count=True`."""
    next: Optional[str] = None
    """The URL of the next page; None on the last one: see `has_more`."""
    cursor: Optional[str] = None
    """The `cursor` of the next page, to be sent with the same parameters."""
    memento: Optional[datetime.datetime] = None
    """When the revision of an as-of response was published."""
    etag: Optional[str] = None
    request_id: Optional[str] = None
    """Identifies the request in the log of the service."""
    cached: bool = False
    """Whether it came from the cache, after the service answered 304."""

    @property
    def has_more(self) -> bool:
        """Whether more records match than were sent."""
        return self.next is not None

    def _set_meta(self, response: _Response) -> None:
        headers = response.headers
        self.revision = _parse_integer(headers.get('tenor-revision'))
        self.total = _parse_integer(headers.get('tenor-total-count'))
        self.next = _next_url(response.url, headers.get('link', ''))
        self.cursor = _cursor(self.next)
        self.memento = _parse_http_date(headers.get('memento-datetime', ''))
        self.etag = headers.get('etag')
        self.request_id = headers.get('x-request-id')
        self.cached = response.cached


class Records(List[R], _ResponseMeta):
    """A list of records with their metadata; one that was built by the caller has none."""

    def to_pandas(self) -> Any:
        """The records as a pandas DataFrame.

        Days and instants become datetime64, nested lists columns such as `provinces.punjab`. A
        period keeps its label, and gets a `time` column with the label as a pandas Period. If the
        source numbers fiscal quarters or years, so does `time`: it sorts and counts correctly, but
        does not tell the calendar months of the period.
        """
        return _build_frame(self)


class Walk(Iterator[R]):
    """The records of all pages. It can be iterated once."""

    def __init__(self, pages: Iterator[Records[R]]) -> None:
        self._pages = pages
        self._records = (record for page in pages for record in page)

    def __next__(self) -> R:
        return next(self._records)

    def pages(self) -> Iterator[Records[R]]:
        """The remaining pages, each with its revision."""
        return self._pages

    def to_pandas(self) -> Any:
        """All remaining records as one pandas DataFrame."""
        return Records(self).to_pandas()


class Entry(Dict[str, Any], _ResponseMeta):
    """One object of the service, as a dict with metadata."""


class Fund(Entry):
    """A fund's asset allocation, as a dict: `values[i]` of each row belongs to `periods[i]`."""

    def to_pandas(self) -> Any:
        """A pandas DataFrame of periods by asset classes, indexed by the end of each period."""
        pandas = _import_pandas()
        periods, rows = self['periods'], self['rows']
        days = pandas.to_datetime([period['date'] for period in periods], format='%Y-%m-%d')
        frame = pandas.DataFrame(
            {row['label']: row['values'] for row in rows}, index=pandas.Index(days, name='date')
        )
        frame.insert(0, 'period', [period['label'] for period in periods])
        return frame


class Exported(NamedTuple):
    """A dataset in a file."""

    path: Path
    bytes: int
    revision: Optional[int]
    etag: Optional[str]


class TenorError(Exception):
    """The base class of the errors of this module."""

    def __init__(
        self,
        message: str,
        *,
        status: Optional[int] = None,
        path: Optional[str] = None,
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.path = path
        self.request_id = request_id
        self.retry_after = retry_after

    def __str__(self) -> str:
        details = [
            '' if self.status is None else f'HTTP {self.status}',
            '' if self.path is None else f'from {self.path}',
            '' if self.request_id is None else f'request {self.request_id}',
        ]
        context = ', '.join(part for part in details if part)
        return f'{self.message} ({context})' if context else self.message


class NoRecordFound(TenorError, LookupError):
    """No fund has that fund_id. Sent with HTTP status 200."""


class NoFundId(TenorError, ValueError):
    """The fund_id is empty. Sent with HTTP status 200."""


class BadRequest(TenorError, ValueError):
    """An invalid parameter; the message names it and what is allowed."""


class Unauthorized(TenorError):
    """A token that is unknown, revoked or expired."""


class Forbidden(TenorError):
    """The token lacks the scope."""


class NotFound(TenorError, LookupError):
    """An unknown path, series, dataset or revision."""


class TooManyRequests(TenorError):
    """The rate limit of the token is exceeded for longer than this client waits."""


class Unavailable(TenorError):
    """The service or a proxy is temporarily unavailable."""


class ServerError(TenorError):
    """A bug in the service; its log has the cause under the request's id."""


class NetworkError(TenorError):
    """No complete response was received."""


class UnexpectedAnswer(TenorError):
    """A response that Tenor does not send, such as a redirect or an HTML page."""


ERROR_BY_MESSAGE: Dict[str, Type[TenorError]] = {
    'no_record_found': NoRecordFound,
    'no fund_id provided': NoFundId,
}
ERROR_BY_STATUS: Dict[int, Type[TenorError]] = {
    400: BadRequest,
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    429: TooManyRequests,
    502: Unavailable,
    503: Unavailable,
    504: Unavailable,
}
RETRIED_STATUSES = frozenset({429, 502, 503, 504})


class _Response(NamedTuple):
    status: int
    url: str
    headers: Mapping[str, str]
    """The names are in lower case."""
    body: bytes
    cached: bool = False

    @property
    def path(self) -> str:
        return urllib.parse.urlsplit(self.url).path


class _Connection:
    """Sends requests to one service; only this class holds the token."""

    def __init__(
        self,
        base_url: str,
        secret: _Secret,
        *,
        timeout: float,
        retries: int,
        longest_wait: float,
        cache_bytes: int,
    ) -> None:
        self.base_url = base_url
        self._secret = secret
        self._timeout = timeout
        self._retries = retries
        self._longest_wait = longest_wait
        self._cache = _Cache(cache_bytes)
        self._newest = 0
        self._opener = urllib.request.build_opener(_NoRedirects)

    def read_data(self, url: str, headers: Mapping[str, str]) -> Tuple[Any, _Response]:
        """The data of a success and its response; raises the error of any other response."""
        response = self._get(url, headers)
        body = _parse_json(response)
        if response.status == 200 and isinstance(body, dict) and body.get('status') == 'ok':
            return body.get('data'), response
        raise self._error(response)

    def _get(self, url: str, headers: Mapping[str, str]) -> _Response:
        """Gets a response, revalidating a cached one."""
        key = (url, *sorted(headers.items()))
        cached_response = self._cache.get(key)
        sent_headers = {**headers, 'Accept-Encoding': 'gzip'}
        if cached_response:
            sent_headers['If-None-Match'] = cached_response.headers['etag']
        response = self._send_with_retry(url, sent_headers)
        if cached_response and response.status == 304:
            # The headers that describe the body stay those of the cached body.
            newer = {k: v for k, v in response.headers.items() if not k.startswith('content-')}
            merged = {**cached_response.headers, **newer}
            return cached_response._replace(headers=merged, cached=True)
        if response.status == 200 and 'etag' in response.headers:
            self._cache.put(key, response)
        return response

    def download(self, url: str, headers: Mapping[str, str], file: BinaryIO) -> _Response:
        """Writes a body to a file; resumes after an interruption if the ETag is still the same."""
        failures = 0
        etag: Optional[str] = None
        while True:
            before = file.tell()
            # A compressed body would have other byte ranges.
            sent_headers = {**headers, 'Accept': '*/*', 'Accept-Encoding': 'identity'}
            if before > 0 and etag:
                sent_headers.update({'Range': f'bytes={before}-', 'If-Range': etag})
            try:
                with self._open(url, sent_headers) as response:
                    head = _Response(response.status, url, _lower_names(response.headers), b'')
                    self._observe(head)
                    if head.status not in (200, 206):
                        raise self._error(head._replace(body=_read_body(response, url)))
                    _seek_to_range(head, file)
                    etag = _strong_etag(head.headers.get('etag'))
                    if _copy_body(response, url, file) >= _content_length(head):
                        return head
                    raise NetworkError('the download was interrupted', path=head.path)
            except TenorError as failure:
                error = failure
            if error.status == 416:
                etag = None
            if file.tell() > before:
                failures = 0
            self._wait(failures, error)
            failures += 1

    def _send_with_retry(self, url: str, headers: Mapping[str, str]) -> _Response:
        failures = 0
        while True:
            try:
                with self._open(url, headers) as http_response:
                    lowered = _lower_names(http_response.headers)
                    body = _read_body(http_response, url)
                    response = _Response(http_response.status, url, lowered, body)
                self._observe(response)
                if response.status not in RETRIED_STATUSES:
                    return response
                error = self._error(response)
            except NetworkError as failure:
                error = failure
            self._wait(failures, error)
            failures += 1

    def _observe(self, response: _Response) -> None:
        """No later response is older: a machine that has not got the revision yet waits for it."""
        revision = _parse_integer(response.headers.get('tenor-revision')) or 0
        self._newest = max(self._newest, revision)

    def _open(self, url: str, headers: Mapping[str, str]) -> http.client.HTTPResponse:
        # The token must not be sent to another host, whatever a response says.
        if _origin(url) != _origin(self.base_url):
            raise UnexpectedAnswer(f'{_origin(url)} is another host than {self.base_url}')
        request = urllib.request.Request(
            url,
            headers={
                **headers,
                **({'Tenor-Revision': str(self._newest)} if self._newest else {}),
                'Authorization': f'Bearer {self._secret.reveal()}',
                'User-Agent': f'tenor-client-python/{__version__}',
            },
        )
        try:
            response: http.client.HTTPResponse = self._opener.open(request, timeout=self._timeout)
        except (OSError, http.client.HTTPException) as cause:
            raise _network_error(url, cause) from cause
        return response

    def _error(self, response: _Response) -> TenorError:
        """The error of a response, without the token, which a proxy may have echoed."""
        kind, message = _classify_error(response)
        return kind(
            message.replace(self._secret.reveal(), '<secret>'),
            status=response.status,
            path=response.path,
            request_id=response.headers.get('x-request-id'),
            retry_after=_parse_retry_after(response.headers),
        )

    def _wait(self, failures: int, error: TenorError) -> None:
        """Sleeps before the next attempt, or raises the error if there is none."""
        required = error.retry_after or 0.0
        if failures >= self._retries or required > self._longest_wait or not _is_temporary(error):
            raise error
        backoff = min(0.5 * 2.0**failures, 10.0) * random.uniform(0.5, 1.0)
        time.sleep(min(max(required, backoff), self._longest_wait))


class _Cache:
    """An LRU cache of responses by request."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._bytes = 0
        self._responses: OrderedDict[Tuple[object, ...], _Response] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Tuple[object, ...]) -> Optional[_Response]:
        with self._lock:
            if key in self._responses:
                self._responses.move_to_end(key)
            return self._responses.get(key)

    def put(self, key: Tuple[object, ...], response: _Response) -> None:
        with self._lock:
            previous = self._responses.pop(key, None)
            self._bytes -= len(previous.body) if previous else 0
            self._responses[key] = response
            self._bytes += len(response.body)
            while self._bytes > self._max_bytes:
                _, oldest = self._responses.popitem(last=False)
                self._bytes -= len(oldest.body)


class _Secret:
    """A text that is hidden in representations."""

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return '<secret>'


class _NoRedirects(urllib.request.HTTPErrorProcessor):
    """Returns every response, so that no redirect is followed."""

    def http_response(self, request: Any, response: Any) -> Any:
        return response

    https_response = http_response


def _parse_base_url(text: str) -> str:
    parts = urllib.parse.urlsplit(text)
    if parts.scheme not in ('http', 'https') or not parts.hostname or parts.query or parts.fragment:
        raise ValueError('base_url (or TENOR_URL) must be like http://127.0.0.1:8080')
    if parts.username is not None or parts.password is not None:
        raise ValueError('base_url must not contain a user or password; pass the token as token')
    return text.rstrip('/')


def _parse_token(text: str) -> _Secret:
    # Checked here, because the error of http.client would contain the whole header.
    if not re.fullmatch(r'[!-~]+', text.strip()):
        raise ValueError('token (or TENOR_TOKEN) must be one word of visible ASCII characters')
    return _Secret(text.strip())


def _format_instant(instant: Union[str, datetime.datetime, datetime.date]) -> str:
    if isinstance(instant, datetime.datetime):
        if instant.tzinfo is None:
            raise ValueError('as_of needs a datetime with a time zone')
        return instant.astimezone(datetime.timezone.utc).isoformat()
    text = str(instant)
    return f'{text}T23:59:59Z' if DAY.fullmatch(text) else text


def _format_parameter(value: Parameter) -> str:
    # A datetime, and so a Timestamp of pandas, is a date too: it is sent as its day.
    if isinstance(value, datetime.datetime):
        value = value.date()
    return value.isoformat() if isinstance(value, datetime.date) else str(value)


def _unknown_series_message(name: str) -> str:
    names = ', '.join(SERIES)
    return f'there is no series {name!r}; this client knows {names}; catalogue() lists all'


def _quote_segment(text: str) -> str:
    return urllib.parse.quote(text, safe='')


def _origin(url: str) -> str:
    parts = urllib.parse.urlsplit(url)
    port = parts.port or {'http': 80, 'https': 443}.get(parts.scheme)
    return f'{parts.scheme}://{parts.hostname}:{port}'


def _lower_names(headers: http.client.HTTPMessage) -> Dict[str, str]:
    lowered: Dict[str, str] = {}
    for name, value in headers.items():
        key = name.lower()
        lowered[key] = f'{lowered[key]}, {value}' if key in lowered else value
    return lowered


def _build_records(data: Any, response: _Response) -> Records[Any]:
    if not isinstance(data, list):
        raise UnexpectedAnswer('data is not a list', status=response.status, path=response.path)
    records: Records[Any] = Records(data)
    records._set_meta(response)
    return records


def _parse_json(response: _Response) -> Any:
    """None if the body is not JSON."""
    try:
        is_compressed = response.headers.get('content-encoding') == 'gzip'
        return json.loads(zlib.decompress(response.body, 31) if is_compressed else response.body)
    except (ValueError, zlib.error):
        return None


def _classify_error(response: _Response) -> Tuple[Type[TenorError], str]:
    """The class and message of the error of a response."""
    body = _parse_json(response)
    message = body.get('message') if isinstance(body, dict) else None
    if not isinstance(message, str) or body.get('status') != 'error':
        message = _describe_status(response)
    elif response.status == 200:
        return ERROR_BY_MESSAGE.get(message, TenorError), message
    other = ServerError if response.status >= 500 else UnexpectedAnswer
    return ERROR_BY_STATUS.get(response.status, other), message


def _describe_status(response: _Response) -> str:
    if 'location' in response.headers:
        target = urllib.parse.urljoin(response.url, response.headers['location'])
        return f'a redirect to {target}, which is not followed; check base_url'
    if response.status >= 400:
        return http.client.responses.get(response.status, 'unknown status')
    return 'not a response of Tenor; check base_url'


def _network_error(url: str, cause: Exception) -> NetworkError:
    reason = getattr(cause, 'reason', None) or cause
    text = str(reason) or type(reason).__name__
    return NetworkError(f'no complete response: {text}', path=urllib.parse.urlsplit(url).path)


def _is_temporary(error: TenorError) -> bool:
    """Whether a retry may succeed. An invalid certificate stays invalid."""
    reason = getattr(error.__cause__, 'reason', error.__cause__)
    if isinstance(error, NetworkError):
        return not isinstance(reason, ssl.SSLCertVerificationError)
    # After an unsatisfiable range the next attempt requests the whole file.
    return error.status in RETRIED_STATUSES or error.status == 416


def _parse_retry_after(headers: Mapping[str, str]) -> Optional[float]:
    """Retry-After in seconds; the header may be a number or a date."""
    text = headers.get('retry-after', '')
    if re.fullmatch(r'[0-9]+', text):
        return float(text)
    until = _parse_http_date(text)
    # A date is relative to the clock of the sender.
    now = _parse_http_date(headers.get('date', '')) or datetime.datetime.now(datetime.timezone.utc)
    return None if until is None else max(0.0, (until - now).total_seconds())


def _parse_http_date(text: str) -> Optional[datetime.datetime]:
    try:
        instant = email.utils.parsedate_to_datetime(text)
    except (TypeError, ValueError):
        return None
    return instant if instant.tzinfo else instant.replace(tzinfo=datetime.timezone.utc)


def _parse_integer(text: Optional[str]) -> Optional[int]:
    return int(text) if text and re.fullmatch(r'[0-9]+', text) else None


def _next_url(url: str, links: str) -> Optional[str]:
    """The URL of the next page, from a Link header."""
    for link, attributes in re.findall(r'<([^>]*)>([^<]*)', links):
        rel = re.search(r';\s*rel\s*=\s*"?([^";,]*)', attributes, re.IGNORECASE)
        if rel is None or 'next' not in rel[1].lower().split():
            continue
        target = urllib.parse.urljoin(url, link)
        if _origin(target) != _origin(url):
            raise UnexpectedAnswer(f'the next page is on another host: {_origin(target)}')
        # The path is kept, because a proxy may have removed a prefix of it.
        return f'{url.split("?")[0]}?{urllib.parse.urlsplit(target).query}'
    return None


def _cursor(url: Optional[str]) -> Optional[str]:
    query = urllib.parse.parse_qs(urllib.parse.urlsplit(url or '').query)
    return query.get('cursor', [None])[0]


def _strong_etag(etag: Optional[str]) -> Optional[str]:
    return None if etag is None or etag.startswith('W/') else etag


def _seek_to_range(head: _Response, file: BinaryIO) -> None:
    """Moves the file position to the start of the range of a response."""
    start = 0
    if head.status == 206:
        range_start = re.match(r'bytes ([0-9]+)-', head.headers.get('content-range', ''))
        start = int(range_start[1]) if range_start else -1
        if start != file.tell():
            raise UnexpectedAnswer('not the requested range', status=206, path=head.path)
    file.seek(start)
    file.truncate()


def _copy_body(response: http.client.HTTPResponse, url: str, file: BinaryIO) -> int:
    copied = 0
    while True:
        chunk = _read_body(response, url, 1 << 16)
        if not chunk:
            return copied
        file.write(chunk)
        copied += len(chunk)


def _read_body(response: http.client.HTTPResponse, url: str, size: Optional[int] = None) -> bytes:
    try:
        return response.read(size)
    except (OSError, http.client.HTTPException) as cause:
        raise _network_error(url, cause) from cause


def _content_length(head: _Response) -> int:
    return _parse_integer(head.headers.get('content-length')) or 0


def _import_pandas() -> Any:
    try:
        return importlib.import_module('pandas')
    except ImportError as cause:
        raise ImportError('to_pandas() needs pandas: pip install pandas') from cause


DAY = re.compile(r'\d{4}-\d{2}-\d{2}')
INSTANT = re.compile(r'\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})')
MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split()


def _build_frame(records: Iterable[Any]) -> Any:
    pandas = _import_pandas()
    rows = [_flatten(record) for record in records]
    names = list(OrderedDict.fromkeys(name for row in rows for name in row))
    frame = pandas.DataFrame(rows, columns=names)
    for name in names:
        values = [row.get(name) for row in rows]
        if _all_match(DAY, values):
            frame[name] = pandas.to_datetime(frame[name], format='%Y-%m-%d')
        elif _all_match(INSTANT, values):
            instants = [pandas.Timestamp(value) for value in values]
            frame[name] = pandas.to_datetime(instants, utc=True)
        elif name in ('period', 'year'):
            periods = [_parse_period(str(value)) for value in values]
            frequencies = {period[0] for period in periods if period}
            if all(periods) and len(frequencies) == 1:
                texts = [period[1] for period in periods if period]
                time_column = pandas.PeriodIndex(texts, freq=frequencies.pop())
                frame.insert(frame.columns.get_loc(name) + 1, 'time', time_column)
    return frame


def _all_match(pattern: re.Pattern[str], values: List[Any]) -> bool:
    return all(isinstance(value, str) and pattern.fullmatch(value) for value in values)


def _flatten(record: Mapping[str, Any]) -> Dict[str, Any]:
    """A record with a key for each entry of its keyed lists."""
    flat: Dict[str, Any] = {}
    for name, value in record.items():
        if isinstance(value, list) and value and all(_is_keyed(item) for item in value):
            flat.update({f'{name}.{item["key"]}': item['value'] for item in value})
        else:
            flat[name] = value
    return flat


def _is_keyed(item: Any) -> bool:
    return isinstance(item, dict) and item.keys() == {'key', 'value'}


def _parse_period(label: str) -> Optional[Tuple[str, str]]:
    """The pandas frequency and period of a label."""
    month, _, year = label.partition(' ')
    if month in MONTHS and re.fullmatch(r'\d{4}', year):
        return 'M', f'{year}-{MONTHS.index(month) + 1:02d}'
    if re.fullmatch(r'Q[1-4] \d{4}', label):
        return 'Q', f'{year}{month}'
    # A fiscal year is named after the year it ends in; FY70 to FY99 are of the last century.
    fiscal = re.fullmatch(r'FY(\d{4}|\d{2})|(\d{4})(-\d{2}|-\d{4})?', label)
    if fiscal is None:
        return None
    if fiscal[1]:
        short = int(fiscal[1])
        return 'Y', str(short if short > 99 else short + (2000 if short < 70 else 1900))
    return 'Y', str(int(fiscal[2]) + (1 if fiscal[3] else 0))


# Made by npm run docs from the catalogue: records

class Quote(TypedDict):
    """Bill and bond quotes."""

    date: str
    """Date of the quote"""
    symbol: str
    """Exchange symbol or code of the security"""
    isin: str
    """International securities identification number"""
    type: Literal['tbill', 'bond', 'corporate']
    """Instrument type"""
    maturityDate: str
    """Maturity date"""
    maturityYears: float
    """Years to maturity (years)"""
    bidPrice: float
    """Bid price, clean (per 100 of face value)"""
    askPrice: float
    """Ask price, clean (per 100 of face value)"""
    lastPrice: float
    """Last traded price (per 100 of face value)"""
    bidVolume: float
    """Volume available at the bid (face value)"""
    askVolume: float
    """Volume available at the ask (face value)"""
    volume: float
    """Total trading volume (face value)"""
    ytm: float
    """Yield to maturity (percent)"""
    duration: float
    """Modified duration (years)"""


class AtmTransactionsAnnualVolume(TypedDict):
    """ATM transactions, annual volume."""

    year: str
    """Year identifier"""
    atm_cash: float
    """Cash withdrawals (million transactions)"""
    atm_deposit: float
    """Cash deposits (million transactions)"""
    deposit_instrument: float
    """Deposits of payment instruments (million transactions)"""
    funds_transfer: float
    """Account to account fund transfers (million transactions)"""
    utility_bills: float
    """Utility bill payments (million transactions)"""
    funds_transfers: float
    """Third-party account to account fund transfers (million transactions)"""
    total: float
    """Total transactions (million transactions)"""


class AtmTransactionsQuarterlyValue(TypedDict):
    """ATM transactions, quarterly value."""

    period: str
    """Quarter"""
    cash_withdrawl: float
    """Cash withdrawal (PKR billion)"""
    intra_bank: float
    """Intra-bank fund transfer (PKR billion)"""
    inter_bank: float
    """Inter-bank fund transfers (PKR billion)"""
    utility_bills: float
    """Utility bills payment (PKR billion)"""
    cash_deposits: float
    """Cash / instrument deposits (PKR billion)"""
    total: float
    """Total (PKR billion)"""


class BranchlessBankingAgentsProvince(TypedDict):
    """Agents by province."""

    key: str
    """Province: punjab, sindh, kpk, balochistan"""
    value: float
    """Agents in the province (agents)"""


class BranchlessBankingAgents(TypedDict):
    """Branchless banking agents."""

    period: str
    """Month"""
    total: float
    """Total agents (agents)"""
    provinces: List[BranchlessBankingAgentsProvince]
    """Agents by province"""


class IvrBankingAnnualValue(TypedDict):
    """Call centre / IVR banking transactions, annual value."""

    year: str
    """Year identifier"""
    total: float
    """Total transactions value (PKR billion)"""
    funds_transfers: float
    """Account to account fund transfers (PKR billion)"""
    funds_transfer: float
    """Third-party account to account fund transfers (PKR billion)"""
    mobile_payment: float
    """Payment through call centres (PKR billion)"""
    utility_bills: float
    """Utility bill payments (PKR billion)"""


class MobileMoneyAccountsMaleProvince(TypedDict):
    """Accounts held by male users, by province."""

    key: str
    """Province: punjab, sindh, kpk, balochistan"""
    value: int
    """Accounts held by male users in the province (accounts)"""


class MobileMoneyAccountsMale(TypedDict):
    """Mobile money accounts held by men."""

    period: str
    """Month"""
    national: int
    """Accounts held by male users, national total (accounts)"""
    provinces: List[MobileMoneyAccountsMaleProvince]
    """Accounts held by male users, by province"""


class MobileMoneyMarketShareValueOperator(TypedDict):
    """Shares by operator."""

    key: str
    """Operator name, or others for the rest"""
    value: float
    """Share of transaction value: 0.3 means 30 % (fraction)"""


class MobileMoneyMarketShareValue(TypedDict):
    """Mobile money market share, by transaction value."""

    period: str
    """Month"""
    operators: List[MobileMoneyMarketShareValueOperator]
    """Shares by operator"""


class OnlineBankingAnnualVolume(TypedDict):
    """Real-time online banking transactions, annual volume."""

    year: str
    """Year identifier"""
    cash_wtl: float
    """Cash withdrawal (million transactions)"""
    cash_deposit: float
    """Cash deposit (million transactions)"""
    funds_transfer: float
    """Account to account funds transfer (million transactions)"""
    total: float
    """Total transactions (million transactions)"""


class PaymentsMarketPlayers(TypedDict):
    """Licensed market players."""

    year: str
    """Year identifier"""
    total: float
    """Total licensed players (institutions)"""
    banks: float
    """Banks (institutions)"""
    mfbs: float
    """Microfinance banks (institutions)"""
    digitalbanks: float
    """Digital banks (institutions)"""
    pso_psp: float
    """Payment system operators / payment service providers (institutions)"""
    emis: float
    """Electronic money institutions (institutions)"""


class PosTransactionsQuarterlyVolume(TypedDict):
    """POS transactions, quarterly volume."""

    period: str
    """Quarter"""
    atm: float
    """ATM (million transactions)"""
    debit_cards: float
    """Debit card (million transactions)"""
    credit_cards: float
    """Credit cards (million transactions)"""
    prepaid_cards: float
    """Pre-paid cards (million transactions)"""
    socialwelfare_card: float
    """Social welfare card (million transactions)"""


class SettlementTransactionsValue(TypedDict):
    """Settlement-system transactions, by value."""

    period: str
    """Month"""
    govt_securities: float
    """Government securities (PKR billion)"""
    ibft: float
    """Inter-bank fund transfers (PKR billion)"""
    third_party_transfer: float
    """Third-party customer transfers (PKR billion)"""
    ancillary_clearing: float
    """Ancillary clearing settlement (PKR billion)"""
# End of what is made
