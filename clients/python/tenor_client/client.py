"""The client."""

from __future__ import annotations

import copy
import heapq
import itertools
import os
import urllib.parse
from pathlib import Path
from typing import (
    Any,
    Callable,
    Dict,
    Iterator,
    List,
    Literal,
    Mapping,
    Optional,
    Tuple,
    TypeVar,
    Union,
    overload,
)

from . import records
from .changes import Changes, EventReader
from .connection import Connection, parse_base_url, parse_token
from .errors import NotFound, UnexpectedAnswer
from .http_response import Response, parse_integer, parse_next_url
from .parameters import (
    MAX_SYMBOLS,
    Day,
    Instant,
    Parameter,
    Symbols,
    format_as_of,
    format_parameter,
    quote_segment,
    split_symbols,
)
from .records import COLUMNS, PATHS, SERIES
from .responses import Entry, Exported, Fund, Records, Walk, build_records
from .sync import Synced, SyncFormat, sync_copy

InstrumentType = Literal['tbill', 'bond', 'corporate', 'all']
ExportFormat = Literal['csv', 'ndjson', 'parquet']
E = TypeVar('E', bound=Entry)

MAX_LIMIT = 10_000


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
        self._connection = Connection(
            parse_base_url(url),
            parse_token(secret),
            timeout=timeout,
            retries=retries,
            longest_wait=longest_wait,
            cache_bytes=cache_bytes,
        )
        self._as_of: Union[str, int, None] = None

    def __repr__(self) -> str:
        as_of = '' if self._as_of is None else f' as of {self._as_of}'
        return f'<Tenor {self._connection.base_url}{as_of}>'

    def as_of(self, instant: Union[Instant, int]) -> Tenor:
        """The same client, reading data as of an instant such as `2026-07-01T00:00:00Z`.

        A day such as `2026-07-01` means its end in UTC: what was published that day is included.
        A number is that of a revision. Raises ValueError for anything else.
        """
        client = copy.copy(self)
        client._as_of = format_as_of(instant)
        return client

    def quotes(
        self,
        symbol: Symbols = None,
        *,
        date: Optional[Day] = None,
        from_: Optional[Day] = None,
        to: Optional[Day] = None,
        type: Optional[InstrumentType] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        count: bool = False,
    ) -> Records[records.Quote]:
        """Quotes of the given days; at most `limit`, 100 by default.

        `symbol` is a symbol or ISIN, or up to 50 of them. Without `date`, `from_` and `to` only
        the newest day is read: the history of a security needs a `from_`. `next` is None on the
        last page; `count=True` fills `total`. `cursor`, sent with the same parameters, selects
        the next page.
        """
        symbols = split_symbols(symbol)
        if len(symbols) > 1:
            raise ValueError(f'quotes takes up to {MAX_SYMBOLS} symbols; quotes_all takes more')
        parameters: Dict[str, Parameter] = {'symbol': symbols[0], 'type': type}
        parameters.update({'date': date, 'from': from_, 'to': to})
        prefer = {'Prefer': 'count=exact'} if count else {}
        parameters.update({'limit': limit, 'cursor': cursor})
        return self._records('quotes', parameters, headers=prefer)

    def quotes_all(
        self,
        symbol: Symbols = None,
        *,
        date: Optional[Day] = None,
        from_: Optional[Day] = None,
        to: Optional[Day] = None,
        type: Optional[InstrumentType] = None,
        page_size: int = MAX_LIMIT,
        cursor: Optional[str] = None,
    ) -> Walk[records.Quote]:
        """Every matching quote; pages are fetched as they are needed.

        `symbol` is a symbol or ISIN, or any number of them: more than 50 are read by several
        requests from one revision. Without `date`, `from_` and `to` only the newest day is read:
        the history of a security needs a `from_`. `cursor`, sent with the same parameters,
        continues after its page.
        """
        parameters: Dict[str, Parameter] = {'date': date, 'from': from_, 'to': to}
        parameters.update({'type': type, 'limit': page_size})
        symbols = split_symbols(symbol)
        if len(symbols) == 1:
            pages = self._pages('quotes', {'symbol': symbols[0], **parameters, 'cursor': cursor})
        elif cursor is not None:
            raise ValueError(f'cursor is for up to {MAX_SYMBOLS} symbols')
        else:
            pages = self._merged_quotes(symbols, parameters)
        return Walk(pages, COLUMNS['quotes'])

    def fund_allocation(self, fund_id: str) -> Fund:
        """A fund's asset allocation. Raises NoRecordFound for an unknown fund."""
        return self._entry('fund-allocation', {'fund_id': fund_id}, Fund())

    # Made by npm run docs from the catalogue: overloads
    @overload
    def series(
        self, name: Literal['atm-transactions-annual-volume']
    ) -> Records[records.AtmTransactionsAnnualVolume]: ...

    @overload
    def series(
        self, name: Literal['atm-transactions-quarterly-value']
    ) -> Records[records.AtmTransactionsQuarterlyValue]: ...

    @overload
    def series(
        self, name: Literal['branchless-banking-agents']
    ) -> Records[records.BranchlessBankingAgents]: ...

    @overload
    def series(
        self, name: Literal['ivr-banking-annual-value']
    ) -> Records[records.IvrBankingAnnualValue]: ...

    @overload
    def series(
        self, name: Literal['mobile-money-accounts-male']
    ) -> Records[records.MobileMoneyAccountsMale]: ...

    @overload
    def series(
        self, name: Literal['mobile-money-market-share-value']
    ) -> Records[records.MobileMoneyMarketShareValue]: ...

    @overload
    def series(
        self, name: Literal['online-banking-annual-volume']
    ) -> Records[records.OnlineBankingAnnualVolume]: ...

    @overload
    def series(
        self, name: Literal['payments-market-players']
    ) -> Records[records.PaymentsMarketPlayers]: ...

    @overload
    def series(
        self, name: Literal['pos-transactions-quarterly-volume']
    ) -> Records[records.PosTransactionsQuarterlyVolume]: ...

    @overload
    def series(
        self, name: Literal['settlement-transactions-value']
    ) -> Records[records.SettlementTransactionsValue]: ...

    @overload
    def series(self, name: str) -> Records[Any]: ...
    # End of what is made

    def series(self, name: str) -> Records[Any]:
        """A series by its name, newest period first."""
        try:
            path = f'/3.0/alternate/{quote_segment(name)}'
            return self._page(self._url(path), name)
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
        return self._records('catalogue')

    def securities(self) -> Records[Dict[str, Any]]:
        """Every security ever quoted, matured ones included, with its first and last date."""
        return self._records('securities')

    def funds(self) -> Records[Dict[str, Any]]:
        """Every fund, with its first and last period."""
        return self._records('funds')

    def revisions(
        self,
        dataset: Optional[str] = None,
        *,
        before: Optional[int] = None,
        limit: Optional[int] = None,
    ) -> Records[Dict[str, Any]]:
        """The revisions, newest first; at most `limit`."""
        return self._records('revisions', {'dataset': dataset, 'before': before, 'limit': limit})

    def revisions_all(
        self, dataset: Optional[str] = None, *, page_size: int = MAX_LIMIT
    ) -> Walk[Dict[str, Any]]:
        """Every revision, newest first; pages are fetched as they are needed."""
        return Walk(
            self._pages('revisions', {'dataset': dataset, 'limit': page_size}), COLUMNS['revisions']
        )

    def revision(
        self, number: int, *, limit: Optional[int] = None, cursor: Optional[str] = None
    ) -> Entry:
        """One revision, with what it changed, old and new; at most `limit` changes, 100 by default.

        If it has more, `has_more` is True: `revision_all` reads every change; `cursor`, given with
        the same `limit`, selects the next page.
        """
        return self._entry('revision', {'limit': limit, 'cursor': cursor}, Entry(), n=f'{number:d}')

    def revision_all(
        self, number: int, *, page_size: int = MAX_LIMIT, cursor: Optional[str] = None
    ) -> Walk[Dict[str, Any]]:
        """Every change of one revision, old and new; pages are fetched as they are needed.

        `cursor`, sent with the same `page_size`, continues after its page.
        """
        return Walk(self._change_pages(number, page_size, cursor))

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
        parameters: Dict[str, Parameter] = {
            'symbol': symbol,
            'from': from_,
            'to': to,
            'fund_id': fund_id,
        }
        parameters.update({'before': before, 'limit': limit})
        return self._records('corrections', parameters, dataset=dataset)

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
        parameters: Dict[str, Parameter] = {
            'symbol': symbol,
            'from': from_,
            'to': to,
            'fund_id': fund_id,
        }
        pages = self._pages('corrections', {**parameters, 'limit': page_size}, dataset=dataset)
        return Walk(pages, COLUMNS['corrections'])

    def changes(
        self,
        dataset: str,
        since: int,
        *,
        until: Optional[int] = None,
        page_size: int = MAX_LIMIT,
    ) -> Changes:
        """What must be done to a copy of revision `since` to have the newest one, or `until`.

        Each has `change` (added, corrected or retired) and `record`; a record that changed several
        times comes once. `revision` of the result is the `since` to go on with. Pages are fetched
        as they are needed, and all are of that revision.
        """
        parameters: Dict[str, Parameter] = {'since': since, 'until': until, 'limit': page_size}
        return Changes(self._pages('changes', parameters, dataset=dataset))

    def follow(
        self, since: Optional[int] = None, *, poll_seconds: float = 30.0
    ) -> Iterator[Dict[str, Any]]:
        """Each revision as it is published, without end; those after `since` come first.

        The service sends them within a second. An interrupted connection is opened again, and goes
        on after the last revision. A service or proxy without `/events` is asked every
        `poll_seconds`. Errors that do not pass, such as a revoked token, are raised.
        """
        return EventReader(self._connection, since, poll_seconds).read()

    def sync(
        self,
        dataset: str,
        path: Union[str, os.PathLike[str]],
        *,
        format: Optional[SyncFormat] = None,
    ) -> Synced:
        """Makes a file the newest copy of a dataset, by the changes since the last call.

        The format is that of the extension: `.csv`, `.parquet` (needs pyarrow) or `.duckdb` (needs
        duckdb; the table has the name of the dataset). A copy is replaced as a whole or not at
        all. What it holds is in a file beside it, `PATH.tenor.json`, or in the database.
        """
        return sync_copy(self, dataset, Path(path), format)

    def export(
        self, dataset: str, format: ExportFormat, path: Union[str, os.PathLike[str]]
    ) -> Exported:
        """Writes a whole dataset, from one revision, to a file.

        An interrupted download is resumed, or restarted if the data has changed. The file gets
        its name only when it is complete.
        """
        url = self._url(f'/exports/{quote_segment(dataset)}.{quote_segment(format)}')
        target = Path(path)
        part = target.with_name(target.name + '.part')
        try:
            with open(part, 'wb') as file:
                response = self._connection.download(url, self._headers(), file)
                size = file.tell()
            os.replace(part, target)
        finally:
            part.unlink(missing_ok=True)
        revision = parse_integer(response.headers.get('tenor-revision'))
        return Exported(target, size, revision, response.headers.get('etag'))

    def query(self, operation: str, /, **parameters: Parameter) -> Union[Records[Any], Entry]:
        """Any operation by its name, such as `quotes`: a list of records, or one object.

        A parameter that Python cannot name, such as `from`, gets an underscore: `from_`. Those of
        the path are parameters too: `query('corrections', dataset='quotes')`.
        """
        names = {name.rstrip('_'): value for name, value in parameters.items()}
        template = PATHS.get(operation)
        if template is None:
            raise ValueError(f'there is no operation {operation!r}; there are {", ".join(PATHS)}')
        segments = [name for name in names if f'{{{name}}}' in template]
        path = self._path(operation, **{name: str(names.pop(name)) for name in segments})
        data, response = self._connection.read_data(self._url(path, names), self._headers())
        if isinstance(data, list):
            return build_records(data, response, COLUMNS.get(operation))
        entry = Fund() if operation == 'fund-allocation' else Entry()
        return _fill_entry(entry, data, response)

    def _merged_quotes(
        self, symbols: List[Optional[str]], parameters: Mapping[str, Parameter]
    ) -> Iterator[Records[Any]]:
        """The quotes of more securities than one request takes, in order and of one revision."""
        first = self._page(self._url(PATHS['quotes'], {'symbol': symbols[0], **parameters}))
        client = self if first.revision is None else self.as_of(first.revision)
        walks = [
            Walk(client._pages('quotes', {'symbol': symbol, **parameters})) for symbol in symbols
        ]
        merged: Iterator[Any] = heapq.merge(*walks, key=_quote_order)
        size = int(str(parameters['limit']))
        while True:
            page: Records[Any] = Records(itertools.islice(merged, size))
            page._columns = COLUMNS['quotes']
            page.revision = first.revision
            if page:
                yield page
            if len(page) < size:
                return

    def _records(
        self,
        operation: str,
        parameters: Optional[Mapping[str, Parameter]] = None,
        *,
        headers: Optional[Mapping[str, str]] = None,
        **segments: str,
    ) -> Records[Any]:
        url = self._url(self._path(operation, **segments), parameters)
        return self._page(url, operation, headers)

    def _pages(
        self,
        operation: str,
        parameters: Mapping[str, Parameter],
        read_page: Optional[Callable[[str], Records[Any]]] = None,
        **segments: str,
    ) -> Iterator[Records[Any]]:
        read = read_page or (lambda url: self._page(url, operation))
        path = self._path(operation, **segments)
        page = read(self._url(path, parameters))
        yield page
        seen = set()
        while page.next is not None:
            if page.next in seen:
                raise UnexpectedAnswer('the next page was read already', path=path)
            seen.add(page.next)
            page = read(page.next)
            yield page

    def _text_pages(self, target: str, media_type: str) -> Iterator[str]:
        """The bodies of all pages in another format than JSON."""
        url: Optional[str] = self._connection.base_url + target
        while url is not None:
            text, response = self._connection.read_text(url, self._headers({'Accept': media_type}))
            yield text
            url = parse_next_url(response.url, response.headers.get('link', ''))

    def _page(
        self, url: str, operation: str = '', headers: Optional[Mapping[str, str]] = None
    ) -> Records[Any]:
        data, response = self._connection.read_data(url, self._headers(headers))
        return build_records(data, response, COLUMNS.get(operation))

    def _change_pages(
        self, number: int, page_size: int, cursor: Optional[str]
    ) -> Iterator[Records[Any]]:
        """The changes of a revision, whose counts tell whether all of them were sent."""
        total = sent = 0

        def read_page(url: str) -> Records[Any]:
            nonlocal total
            data, response = self._connection.read_data(url, self._headers())
            revision = data if isinstance(data, dict) else {}
            total = sum(int(revision.get(name, 0)) for name in ('added', 'corrected', 'retired'))
            return build_records(revision.get('changes'), response)

        parameters: Dict[str, Parameter] = {'limit': page_size, 'cursor': cursor}
        for page in self._pages('revision', parameters, read_page, n=f'{number:d}'):
            sent += len(page)
            # With a cursor, earlier changes were read before.
            if cursor is None and not page.has_more and sent < total:
                raise UnexpectedAnswer(f'only {sent} of {total} changes were sent')
            yield page

    def _entry(
        self, operation: str, parameters: Mapping[str, Parameter], entry: E, **segments: str
    ) -> E:
        url = self._url(self._path(operation, **segments), parameters)
        return _fill_entry(entry, *self._connection.read_data(url, self._headers()))

    def _path(self, operation: str, **segments: str) -> str:
        quoted = {name: quote_segment(text) for name, text in segments.items()}
        return PATHS[operation].format(**quoted)

    def _url(self, path: str, parameters: Optional[Mapping[str, Parameter]] = None) -> str:
        values = dict(parameters or {})
        # A ledger has no past; what it says of a revision stays.
        if isinstance(self._as_of, int) and not path.startswith('/revisions'):
            values['as_of'] = self._as_of
        texts = {k: format_parameter(v) for k, v in values.items() if v is not None}
        query = urllib.parse.urlencode(texts, quote_via=urllib.parse.quote)
        return self._connection.base_url + path + (f'?{query}' if query else '')

    def _headers(self, extra: Optional[Mapping[str, str]] = None) -> Dict[str, str]:
        as_of = {'Accept-Datetime': self._as_of} if isinstance(self._as_of, str) else {}
        return {'Accept': 'application/json', **as_of, **(extra or {})}


def _fill_entry(entry: E, data: Any, response: Response) -> E:
    if not isinstance(data, dict):
        raise UnexpectedAnswer('data is no object', status=response.status, path=response.path)
    entry.update(data)
    entry._set_meta(response)
    return entry


def _quote_order(quote: Mapping[str, Any]) -> Tuple[int, bytes]:
    """Newest date first, then by symbol."""
    return (-int(quote['date'].replace('-', '')), quote['symbol'].encode())


def _unknown_series_message(name: str) -> str:
    names = ', '.join(SERIES)
    return f'there is no series {name!r}; this client knows {names}; catalogue() lists all'
