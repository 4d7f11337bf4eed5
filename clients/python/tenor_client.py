"""A client for Tenor, the read-only query service for financial data.

    from tenor_client import Tenor

    tenor = Tenor('http://127.0.0.1:8080', token)
    for quote in tenor.quotes('Z05PIB151029', from_='2026-06-01'):
        print(quote['date'], quote['ytm'])

One file, standard library only, Python 3.9 or newer. The README beside it shows the rest.
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
MOST_RECORDS = 10_000
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
    """A service and the token to ask it with. Safe to use from several threads.

    Without arguments the address is taken from TENOR_URL and the token from TENOR_TOKEN.
    Answers are kept, up to `cache_bytes`, and only asked for again where they have changed.
    What fails on the way, or is refused for a while, is asked again up to `retries` times; an
    answer that asks for more patience than `longest_wait` seconds is raised at once.
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
        address = os.environ.get('TENOR_URL', '') if base_url is None else base_url
        secret = os.environ.get('TENOR_TOKEN', '') if token is None else token
        self._line = _Line(
            _address(address), _secret(secret), timeout, retries, longest_wait, cache_bytes
        )
        self._as_of: Optional[str] = None

    def __repr__(self) -> str:
        past = '' if self._as_of is None else f' as of {self._as_of}'
        return f'<Tenor {self._line.address}{past}>'

    def as_of(self, instant: Union[str, datetime.datetime, datetime.date]) -> Tenor:
        """The same service, answering as it stood at that instant: `2026-07-01T00:00:00Z`.

        A day such as `2026-07-01` is its end, in UTC: what was published on that day is in it.
        """
        past = copy.copy(self)
        past._as_of = _instant(instant)
        return past

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
        """Quotes of the days asked for; at most `limit`, 100 by default.

        Without `date`, `from_` and `to` only the newest day is meant: the history of a security
        needs a `from_`. `next` of the answer is None where nothing was cut; `count=True` fills its
        `total`. Its `cursor`, given with the same parameters, leads on behind it.
        """
        asked = {'symbol': symbol, 'date': date, 'from': from_, 'to': to, 'type': type}
        prefer = {'Prefer': 'count=exact'} if count else {}
        return self._records(QUOTES, {**asked, 'limit': limit, 'cursor': cursor}, prefer)

    def quotes_all(
        self,
        symbol: Optional[str] = None,
        *,
        date: Optional[Day] = None,
        from_: Optional[Day] = None,
        to: Optional[Day] = None,
        type: Optional[InstrumentType] = None,
        page_size: int = MOST_RECORDS,
        cursor: Optional[str] = None,
    ) -> Walk[Quote]:
        """Every quote that matches, one by one; pages are fetched as they are needed.

        Without `date`, `from_` and `to` only the newest day matches: the history of a security
        needs a `from_`. A walk that broke off goes on behind the page with that `cursor`, given
        with the same parameters.
        """
        asked = {'symbol': symbol, 'date': date, 'from': from_, 'to': to, 'type': type}
        return Walk(self._pages(QUOTES, {**asked, 'limit': page_size, 'cursor': cursor}))

    def fund_allocation(self, fund_id: str) -> Fund:
        """A fund's asset allocation. Raises NoRecordFound where there is no such fund."""
        return self._one('/3.0/funds/allocation', {'fund_id': fund_id}, Fund())

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
            return self._records(f'/3.0/alternate/{_segment(name)}')
        except NotFound as error:
            if error.message != 'not_found':
                raise
            raise NotFound(
                _no_series(name),
                status=error.status,
                path=error.path,
                request_id=error.request_id,
            ) from None

    def catalogue(self) -> Records[Dict[str, Any]]:
        """Every dataset: its fields with meaning and unit, its coverage and last revision."""
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
        """What was published, corrected and retired, newest first; at most `limit`."""
        return self._records('/revisions', {'dataset': dataset, 'before': before, 'limit': limit})

    def revisions_all(
        self, dataset: Optional[str] = None, *, page_size: int = MOST_RECORDS
    ) -> Walk[Dict[str, Any]]:
        """Every revision, newest first, one by one."""
        return Walk(self._pages('/revisions', {'dataset': dataset, 'limit': page_size}))

    def revision(
        self, number: int, *, limit: Optional[int] = None, cursor: Optional[str] = None
    ) -> Entry:
        """One revision, with what it changed, old and new; at most `limit` changes.

        Where there are more, its `cursor`, given with the same `limit`, leads to the next page.
        """
        return self._one(f'/revisions/{number:d}', {'limit': limit, 'cursor': cursor}, Entry())

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
        asked = {'symbol': symbol, 'from': from_, 'to': to, 'fund_id': fund_id}
        path = f'/corrections/{_segment(dataset)}'
        return self._records(path, {**asked, 'before': before, 'limit': limit})

    def corrections_all(
        self,
        dataset: str,
        *,
        symbol: Optional[str] = None,
        from_: Optional[Day] = None,
        to: Optional[Day] = None,
        fund_id: Optional[str] = None,
        page_size: int = MOST_RECORDS,
    ) -> Walk[Dict[str, Any]]:
        """Every correction that matches, newest revision first, one by one."""
        asked = {'symbol': symbol, 'from': from_, 'to': to, 'fund_id': fund_id}
        path = f'/corrections/{_segment(dataset)}'
        return Walk(self._pages(path, {**asked, 'limit': page_size}))

    def export(
        self, dataset: str, format: ExportFormat, path: Union[str, os.PathLike[str]]
    ) -> Exported:
        """Writes a whole dataset, of one revision, to a file.

        A download that is cut goes on where it was, or starts anew where the data has changed.
        The file appears under its name only when it is whole.
        """
        url = self._url(f'/exports/{_segment(dataset)}.{_segment(format)}')
        whole = Path(path)
        part = whole.with_name(whole.name + '.part')
        try:
            with open(part, 'wb') as file:
                reply = self._line.download(url, self._headers(), file)
                size = file.tell()
            os.replace(part, whole)
        finally:
            part.unlink(missing_ok=True)
        revision = _whole_number(reply.headers.get('tenor-revision'))
        return Exported(whole, size, revision, reply.headers.get('etag'))

    def _records(
        self,
        path: str,
        parameters: Optional[Mapping[str, Parameter]] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Records[Any]:
        return self._page(self._url(path, parameters), headers)

    def _pages(self, path: str, parameters: Mapping[str, Parameter]) -> Iterator[Records[Any]]:
        page = self._records(path, parameters)
        yield page
        seen = set()
        while page.next is not None:
            if page.next in seen:
                raise UnexpectedAnswer('the next page is one that was there already', path=path)
            seen.add(page.next)
            page = self._page(page.next)
            yield page

    def _page(self, url: str, headers: Optional[Mapping[str, str]] = None) -> Records[Any]:
        data, reply = self._line.ask(url, self._headers(headers))
        if not isinstance(data, list):
            raise UnexpectedAnswer('data is no list', status=reply.status, path=reply.path)
        records: Records[Any] = Records(data)
        records._tell(reply)
        return records

    def _one(self, path: str, parameters: Mapping[str, Parameter], one: E) -> E:
        data, reply = self._line.ask(self._url(path, parameters), self._headers())
        if not isinstance(data, dict):
            raise UnexpectedAnswer('data is no object', status=reply.status, path=reply.path)
        one.update(data)
        one._tell(reply)
        return one

    def _url(self, path: str, parameters: Optional[Mapping[str, Parameter]] = None) -> str:
        given = {k: _text(v) for k, v in (parameters or {}).items() if v is not None}
        query = urllib.parse.urlencode(given, quote_via=urllib.parse.quote)
        return self._line.address + path + (f'?{query}' if query else '')

    def _headers(self, more: Optional[Mapping[str, str]] = None) -> Dict[str, str]:
        past = {} if self._as_of is None else {'Accept-Datetime': self._as_of}
        return {'Accept': 'application/json', **past, **(more or {})}


class _Told:
    """What the headers of a reply tell about its data."""

    revision: Optional[int] = None
    """The number of the data revision that all of it was made from."""
    total: Optional[int] = None
    """How many records match in all, where `count=True` asked for it."""
    next: Optional[str] = None
    """The address of the next page; None where nothing was cut."""
    cursor: Optional[str] = None
    """Of the next page: given with the same parameters, it leads there."""
    memento: Optional[datetime.datetime] = None
    """When the revision of an answer of the past was published."""
    etag: Optional[str] = None
    request_id: Optional[str] = None
    """Names the request in the log of the service."""
    cached: bool = False
    """Whether the service said that an answer which was kept here still stands."""

    def _tell(self, reply: _Reply) -> None:
        told = reply.headers
        self.revision = _whole_number(told.get('tenor-revision'))
        self.total = _whole_number(told.get('tenor-total-count'))
        self.next = _next_url(reply.url, told.get('link', ''))
        self.cursor = _cursor(self.next)
        self.memento = _http_date(told.get('memento-datetime', ''))
        self.etag = told.get('etag')
        self.request_id = told.get('x-request-id')
        self.cached = reply.cached


class Records(List[R], _Told):
    """A list of records. Made from other records, it tells nothing, but makes a table of them."""

    def to_pandas(self) -> Any:
        """The records as a pandas DataFrame.

        Days and instants are datetime64, nested lists columns such as `provinces.punjab`. A
        period keeps its label, and `time` beside it is that label read as a calendar Period of
        pandas. Where the source numbers fiscal quarters and years, so does the label: `time` then
        sorts and counts rightly, but is not when the months of the period were.
        """
        return _frame(self)


class Walk(Iterator[R]):
    """Records of one page after the other. It can be walked once."""

    def __init__(self, pages: Iterator[Records[R]]) -> None:
        self._pages = pages
        self._records = (record for page in pages for record in page)

    def __next__(self) -> R:
        return next(self._records)

    def pages(self) -> Iterator[Records[R]]:
        """The pages that are left, each of which tells its own revision."""
        return self._pages

    def to_pandas(self) -> Any:
        """All that is left as one pandas DataFrame, typed as that of a single answer."""
        return Records(self).to_pandas()


class Entry(Dict[str, Any], _Told):
    """One object of the service, as a dict."""


class Fund(Entry):
    """A fund's asset allocation, as a dict: `values[i]` of each row belongs to `periods[i]`."""

    def to_pandas(self) -> Any:
        """A pandas DataFrame of period by class, with the end of each period as its index."""
        pandas = _pandas()
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
    """What the service refused or could not answer. Other errors of this module are kinds of it."""

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
        told = [
            '' if self.status is None else f'HTTP {self.status}',
            '' if self.path is None else f'from {self.path}',
            '' if self.request_id is None else f'request {self.request_id}',
        ]
        about = ', '.join(part for part in told if part)
        return f'{self.message} ({about})' if about else self.message


class NoRecordFound(TenorError, LookupError):
    """No fund has that fund_id. The service says so with HTTP status 200."""


class NoFundId(TenorError, ValueError):
    """The fund_id is empty. The service says so with HTTP status 200."""


class BadRequest(TenorError, ValueError):
    """A parameter that is not allowed; the message says which, and what is allowed."""


class Unauthorized(TenorError):
    """A token that is unknown, revoked or expired."""


class Forbidden(TenorError):
    """A token without the scope."""


class NotFound(TenorError, LookupError):
    """An unknown path, series, dataset or revision."""


class TooManyRequests(TenorError):
    """More requests than the token's rate allows, for longer than this client waits."""


class Unavailable(TenorError):
    """The service, or something before it, is out of reach for the moment."""


class ServerError(TenorError):
    """A bug in the service; its log has the cause under the request's id."""


class NetworkError(TenorError):
    """No whole answer came back."""


class UnexpectedAnswer(TenorError):
    """An answer that no Tenor gives, such as a redirect or a page of HTML."""


BY_MESSAGE: Dict[str, Type[TenorError]] = {
    'no_record_found': NoRecordFound,
    'no fund_id provided': NoFundId,
}
BY_STATUS: Dict[int, Type[TenorError]] = {
    400: BadRequest,
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    429: TooManyRequests,
    502: Unavailable,
    503: Unavailable,
    504: Unavailable,
}
ASKED_AGAIN = frozenset({429, 502, 503, 504})


class _Reply(NamedTuple):
    status: int
    url: str
    headers: Mapping[str, str]
    """With names in lower case."""
    body: bytes
    cached: bool = False

    @property
    def path(self) -> str:
        return urllib.parse.urlsplit(self.url).path


class _Line:
    """The way to one service, and the only place that knows the token."""

    def __init__(
        self,
        address: str,
        secret: _Secret,
        timeout: float,
        retries: int,
        longest_wait: float,
        cache_bytes: int,
    ) -> None:
        self.address = address
        self._secret = secret
        self._timeout = timeout
        self._retries = retries
        self._longest_wait = longest_wait
        self._cache = _Cache(cache_bytes)
        self._opener = urllib.request.build_opener(_AsItIs)

    def ask(self, url: str, headers: Mapping[str, str]) -> Tuple[Any, _Reply]:
        """What a success carries, and its reply; raises what a failure tells."""
        reply = self._get(url, headers)
        body = _json(reply)
        if reply.status == 200 and isinstance(body, dict) and body.get('status') == 'ok':
            return body.get('data'), reply
        raise self._error(reply)

    def _get(self, url: str, headers: Mapping[str, str]) -> _Reply:
        """The reply to a request, from the cache where it still stands."""
        key = (url, *sorted(headers.items()))
        kept = self._cache.get(key)
        asked = {**headers, 'Accept-Encoding': 'gzip'}
        if kept:
            asked['If-None-Match'] = kept.headers['etag']
        reply = self._persist(url, asked)
        if kept and reply.status == 304:
            # What describes the body stays with the body that is kept.
            news = {k: v for k, v in reply.headers.items() if not k.startswith('content-')}
            return kept._replace(headers={**kept.headers, **news}, cached=True)
        if reply.status == 200 and 'etag' in reply.headers:
            self._cache.keep(key, reply)
        return reply

    def download(self, url: str, headers: Mapping[str, str], file: BinaryIO) -> _Reply:
        """Writes a body to a file; after a cut it goes on from there, if it is still the same."""
        failures = 0
        etag: Optional[str] = None
        while True:
            before = file.tell()
            # Compressed on its way, the body would be another one, with other places in it.
            asked = {**headers, 'Accept': '*/*', 'Accept-Encoding': 'identity'}
            if before > 0 and etag:
                asked.update({'Range': f'bytes={before}-', 'If-Range': etag})
            try:
                with self._open(url, asked) as response:
                    head = _Reply(response.status, url, _lower(response.headers), b'')
                    if head.status not in (200, 206):
                        raise self._error(head._replace(body=_read(response, url)))
                    _go_to_start(head, file)
                    etag = _strong(head.headers.get('etag'))
                    if _copy(response, url, file) >= _length(head):
                        return head
                    raise NetworkError('the download was cut', path=head.path)
            except TenorError as failed:
                problem = failed
            if problem.status == 416:
                etag = None
            if file.tell() > before:
                failures = 0
            self._wait(failures, problem)
            failures += 1

    def _persist(self, url: str, headers: Mapping[str, str]) -> _Reply:
        failures = 0
        while True:
            try:
                with self._open(url, headers) as response:
                    told = _lower(response.headers)
                    reply = _Reply(response.status, url, told, _read(response, url))
                if reply.status not in ASKED_AGAIN:
                    return reply
                problem = self._error(reply)
            except NetworkError as failed:
                problem = failed
            self._wait(failures, problem)
            failures += 1

    def _open(self, url: str, headers: Mapping[str, str]) -> http.client.HTTPResponse:
        # The token goes nowhere else, whatever a reply says.
        if _origin(url) != _origin(self.address):
            raise UnexpectedAnswer(f'{_origin(url)} is another host than {self.address}')
        request = urllib.request.Request(
            url,
            headers={
                **headers,
                'Authorization': f'Bearer {self._secret.reveal()}',
                'User-Agent': f'tenor-client-python/{__version__}',
            },
        )
        try:
            response: http.client.HTTPResponse = self._opener.open(request, timeout=self._timeout)
        except (OSError, http.client.HTTPException) as cause:
            raise _network_error(url, cause) from cause
        return response

    def _error(self, reply: _Reply) -> TenorError:
        """The error that a reply tells of, without the token: a proxy may repeat what it got."""
        kind, message = _refusal(reply)
        return kind(
            message.replace(self._secret.reveal(), '<secret>'),
            status=reply.status,
            path=reply.path,
            request_id=reply.headers.get('x-request-id'),
            retry_after=_retry_after(reply.headers),
        )

    def _wait(self, failures: int, problem: TenorError) -> None:
        """Sleeps before the next attempt, or raises the problem where there shall be none."""
        asked = problem.retry_after or 0.0
        if failures >= self._retries or asked > self._longest_wait or not _may_pass(problem):
            raise problem
        pause = min(0.5 * 2.0**failures, 10.0) * random.uniform(0.5, 1.0)
        time.sleep(min(max(asked, pause), self._longest_wait))


class _Cache:
    """Replies by request; the ones that were not asked for the longest go first."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._bytes = 0
        self._replies: OrderedDict[Tuple[object, ...], _Reply] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Tuple[object, ...]) -> Optional[_Reply]:
        with self._lock:
            if key in self._replies:
                self._replies.move_to_end(key)
            return self._replies.get(key)

    def keep(self, key: Tuple[object, ...], reply: _Reply) -> None:
        with self._lock:
            known = self._replies.pop(key, None)
            self._bytes -= len(known.body) if known else 0
            self._replies[key] = reply
            self._bytes += len(reply.body)
            while self._bytes > self._most:
                _, oldest = self._replies.popitem(last=False)
                self._bytes -= len(oldest.body)


class _Secret:
    """A text that shows itself only when it is asked to."""

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return '<secret>'


class _AsItIs(urllib.request.HTTPErrorProcessor):
    """Hands on every reply, so that no redirect is followed by itself."""

    def http_response(self, request: Any, response: Any) -> Any:
        return response

    https_response = http_response


def _address(text: str) -> str:
    parts = urllib.parse.urlsplit(text)
    if parts.scheme not in ('http', 'https') or not parts.hostname or parts.query or parts.fragment:
        raise ValueError('base_url (or TENOR_URL) must be like http://127.0.0.1:8080')
    if parts.username is not None or parts.password is not None:
        raise ValueError('base_url must not hold a user or password; give the token as token')
    return text.rstrip('/')


def _secret(text: str) -> _Secret:
    # Checked here, because http.client would show the whole header in its error.
    if not re.fullmatch(r'[!-~]+', text.strip()):
        raise ValueError('token (or TENOR_TOKEN) must be one word of visible ASCII characters')
    return _Secret(text.strip())


def _instant(instant: Union[str, datetime.datetime, datetime.date]) -> str:
    if isinstance(instant, datetime.datetime):
        if instant.tzinfo is None:
            raise ValueError('as_of needs a datetime with a time zone')
        return instant.astimezone(datetime.timezone.utc).isoformat()
    text = str(instant)
    return f'{text}T23:59:59Z' if DAY.fullmatch(text) else text


def _text(value: Parameter) -> str:
    # A datetime, and so a Timestamp of pandas, is a date too, and stands for its day.
    if isinstance(value, datetime.datetime):
        value = value.date()
    return value.isoformat() if isinstance(value, datetime.date) else str(value)


def _no_series(name: str) -> str:
    known = ', '.join(SERIES)
    return f'there is no series {name!r}; this client knows {known}; catalogue() tells all'


def _segment(text: str) -> str:
    return urllib.parse.quote(text, safe='')


def _origin(url: str) -> str:
    parts = urllib.parse.urlsplit(url)
    port = parts.port or {'http': 80, 'https': 443}.get(parts.scheme)
    return f'{parts.scheme}://{parts.hostname}:{port}'


def _lower(headers: http.client.HTTPMessage) -> Dict[str, str]:
    told: Dict[str, str] = {}
    for name, value in headers.items():
        key = name.lower()
        told[key] = f'{told[key]}, {value}' if key in told else value
    return told


def _json(reply: _Reply) -> Any:
    """None where it is no JSON."""
    try:
        packed = reply.headers.get('content-encoding') == 'gzip'
        return json.loads(zlib.decompress(reply.body, 31) if packed else reply.body)
    except (ValueError, zlib.error):
        return None


def _refusal(reply: _Reply) -> Tuple[Type[TenorError], str]:
    """What kind of error a reply tells of, and in which words, whoever wrote it."""
    body = _json(reply)
    message = body.get('message') if isinstance(body, dict) else None
    if not isinstance(message, str) or body.get('status') != 'error':
        message = _puzzle(reply)
    elif reply.status == 200:
        return BY_MESSAGE.get(message, TenorError), message
    other = ServerError if reply.status >= 500 else UnexpectedAnswer
    return BY_STATUS.get(reply.status, other), message


def _puzzle(reply: _Reply) -> str:
    if 'location' in reply.headers:
        where = urllib.parse.urljoin(reply.url, reply.headers['location'])
        return f'a redirect to {where}, which is not followed: give the right base_url'
    if reply.status >= 400:
        return http.client.responses.get(reply.status, 'unknown status')
    return 'not an answer of Tenor: is base_url right?'


def _network_error(url: str, cause: Exception) -> NetworkError:
    reason = getattr(cause, 'reason', None) or cause
    text = str(reason) or type(reason).__name__
    return NetworkError(f'no whole answer: {text}', path=urllib.parse.urlsplit(url).path)


def _may_pass(problem: TenorError) -> bool:
    """Whether asking again may help. A certificate that is wrong stays wrong."""
    reason = getattr(problem.__cause__, 'reason', problem.__cause__)
    if isinstance(problem, NetworkError):
        return not isinstance(reason, ssl.SSLCertVerificationError)
    # A range that the file does not have is asked for no more: the next attempt wants all of it.
    return problem.status in ASKED_AGAIN or problem.status == 416


def _retry_after(headers: Mapping[str, str]) -> Optional[float]:
    """In seconds, whichever of its two forms it has."""
    text = headers.get('retry-after', '')
    if re.fullmatch(r'[0-9]+', text):
        return float(text)
    until = _http_date(text)
    # A date is by the clock of whoever sent it.
    now = _http_date(headers.get('date', '')) or datetime.datetime.now(datetime.timezone.utc)
    return None if until is None else max(0.0, (until - now).total_seconds())


def _http_date(text: str) -> Optional[datetime.datetime]:
    try:
        instant = email.utils.parsedate_to_datetime(text)
    except (TypeError, ValueError):
        return None
    return instant if instant.tzinfo else instant.replace(tzinfo=datetime.timezone.utc)


def _whole_number(text: Optional[str]) -> Optional[int]:
    return int(text) if text and re.fullmatch(r'[0-9]+', text) else None


def _next_url(url: str, links: str) -> Optional[str]:
    """The address of the next page, from a Link header."""
    for link, about in re.findall(r'<([^>]*)>([^<]*)', links):
        rel = re.search(r';\s*rel\s*=\s*"?([^";,]*)', about, re.IGNORECASE)
        if rel is None or 'next' not in rel[1].lower().split():
            continue
        there = urllib.parse.urljoin(url, link)
        if _origin(there) != _origin(url):
            raise UnexpectedAnswer(f'the next page is at another host: {_origin(there)}')
        # The path is the one that was asked: before it may stand a prefix that the service,
        # behind a proxy, does not know of.
        return f'{url.split("?")[0]}?{urllib.parse.urlsplit(there).query}'
    return None


def _cursor(url: Optional[str]) -> Optional[str]:
    query = urllib.parse.parse_qs(urllib.parse.urlsplit(url or '').query)
    return query.get('cursor', [None])[0]


def _strong(etag: Optional[str]) -> Optional[str]:
    return None if etag is None or etag.startswith('W/') else etag


def _go_to_start(head: _Reply, file: BinaryIO) -> None:
    """Puts the file where the body that follows belongs."""
    start = 0
    if head.status == 206:
        told = re.match(r'bytes ([0-9]+)-', head.headers.get('content-range', ''))
        start = int(told[1]) if told else -1
        if start != file.tell():
            raise UnexpectedAnswer('another range than was asked', status=206, path=head.path)
    file.seek(start)
    file.truncate()


def _copy(response: http.client.HTTPResponse, url: str, file: BinaryIO) -> int:
    copied = 0
    while True:
        piece = _read(response, url, 1 << 16)
        if not piece:
            return copied
        file.write(piece)
        copied += len(piece)


def _read(response: http.client.HTTPResponse, url: str, most: Optional[int] = None) -> bytes:
    try:
        return response.read(most)
    except (OSError, http.client.HTTPException) as cause:
        raise _network_error(url, cause) from cause


def _length(head: _Reply) -> int:
    return _whole_number(head.headers.get('content-length')) or 0


def _pandas() -> Any:
    try:
        return importlib.import_module('pandas')
    except ImportError as cause:
        raise ImportError('to_pandas() needs pandas: pip install pandas') from cause


DAY = re.compile(r'\d{4}-\d{2}-\d{2}')
INSTANT = re.compile(r'\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})')
MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split()


def _frame(records: Iterable[Any]) -> Any:
    pandas = _pandas()
    rows = [_flat(record) for record in records]
    names = list(OrderedDict.fromkeys(name for row in rows for name in row))
    frame = pandas.DataFrame(rows, columns=names)
    for name in names:
        values = [row.get(name) for row in rows]
        if _all_match(DAY, values):
            frame[name] = pandas.to_datetime(frame[name], format='%Y-%m-%d')
        elif _all_match(INSTANT, values):
            frame[name] = pandas.to_datetime([pandas.Timestamp(each) for each in values], utc=True)
        elif name in ('period', 'year'):
            places = [_place(str(each)) for each in values]
            frequencies = {place[0] for place in places if place}
            if all(places) and len(frequencies) == 1:
                texts = [place[1] for place in places if place]
                time_column = pandas.PeriodIndex(texts, freq=frequencies.pop())
                frame.insert(frame.columns.get_loc(name) + 1, 'time', time_column)
    return frame


def _all_match(pattern: re.Pattern[str], values: List[Any]) -> bool:
    return all(isinstance(value, str) and pattern.fullmatch(value) for value in values)


def _flat(record: Mapping[str, Any]) -> Dict[str, Any]:
    """A record with a key for each entry of its lists of keys and values."""
    flat: Dict[str, Any] = {}
    for name, value in record.items():
        if isinstance(value, list) and value and all(_is_keyed(item) for item in value):
            flat.update({f'{name}.{item["key"]}': item['value'] for item in value})
        else:
            flat[name] = value
    return flat


def _is_keyed(item: Any) -> bool:
    return isinstance(item, dict) and item.keys() == {'key', 'value'}


def _place(label: str) -> Optional[Tuple[str, str]]:
    """How often such periods come, and where this one stands, both in the words of pandas."""
    month, _, year = label.partition(' ')
    if month in MONTHS and re.fullmatch(r'\d{4}', year):
        return 'M', f'{year}-{MONTHS.index(month) + 1:02d}'
    if re.fullmatch(r'Q[1-4] \d{4}', label):
        return 'Q', f'{year}{month}'
    # A fiscal year stands at the year that it ends in; FY70 to FY99 are of the last century.
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
    total: int
    """Total licensed players (institutions)"""
    banks: int
    """Banks (institutions)"""
    mfbs: int
    """Microfinance banks (institutions)"""
    digitalbanks: int
    """Digital banks (institutions)"""
    pso_psp: int
    """Payment system operators / payment service providers (institutions)"""
    emis: int
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
