"""The client."""

from __future__ import annotations

import os
import re
from decimal import Decimal
from pathlib import Path
from typing import (
    Any,
    Collection,
    Dict,
    Iterable,
    Iterator,
    Literal,
    Mapping,
    Optional,
    Sequence,
    Union,
    overload,
)

from . import records
from .changes import Changes, EventReader
from .connection import Connection, parse_base_url, parse_token
from .copies import SyncFormat
from .errors import NotFound
from .files import replace_file
from .http_response import parse_integer, parse_next_url
from .ledger_source import ServiceSource
from .parameters import (
    MAX_SYMBOLS,
    Day,
    Instant,
    Parameter,
    Symbols,
    format_as_of,
    name_bounds,
    quote_segment,
    split_symbols,
)
from .reader import DATASET_PATH, OperationReader, fill_entry
from .records import COLUMNS, MEDIA_TYPES, PATHS, SERIES, Aggregate, Frequency, Units
from .responses import Curves, CurveStream, Entry, Exported, Fund, RecordStream, Records, fill_records
from .sync import Synced, sync_copy
from .verify import Options, Verified, verify_ledger
from .vintages import Vintages

InstrumentType = Literal['tbill', 'bond', 'corporate', 'all']
Market = Literal['government', 'corporate']
Every = Literal['day', 'week', 'month', 'quarter']
Horizon = Literal['1M', '3M', '6M', '1Y']
Sort = Literal['desc', 'asc']
Format = Literal['csv', 'ndjson', 'arrow', 'parquet', 'xlsx']
ExportFormat = Literal['csv', 'ndjson', 'parquet']

MAX_LIMIT = 10_000
MAX_CURVES = 1_000


@name_bounds
class Tenor(OperationReader):
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

    def __repr__(self) -> str:
        as_of = '' if self._as_of is None else f' as of {self._as_of}'
        return f'<Tenor {self._connection.base_url}{as_of}>'

    def as_of(self, instant: Union[Instant, int]) -> Tenor:
        """The same client, reading data as of an instant such as `2026-07-01T00:00:00Z`.

        A day such as `2026-07-01` means its end in UTC: what was published that day is included.
        A number is that of a revision. Raises ValueError for anything else.
        """
        return self._with_as_of(format_as_of(instant))

    def quotes(
        self,
        symbol: Symbols = None,
        *,
        date: Optional[Day] = None,
        from_: Optional[Day] = None,
        to: Optional[Day] = None,
        type: Optional[InstrumentType] = None,
        sort: Optional[Sort] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        count: bool = False,
    ) -> Records[records.Quote]:
        """Quotes of the given days; at most `limit`, 100 by default.

        `symbol` is a symbol or ISIN, or up to 50 of them. Without `date`, `from_` and `to` only
        the newest day is read: the history of a security needs a `from_`. The newest day is first,
        or with `sort='asc'` the oldest one of a range. `next` is None on the last page;
        `count=True` fills `total`. `cursor`, sent with the same parameters, selects the next page.
        """
        parameters: Dict[str, Parameter] = {'symbol': _one_request('quotes', symbol), 'type': type}
        parameters.update({'date': date, 'from': from_, 'to': to, 'sort': sort})
        parameters.update({'limit': limit, 'cursor': cursor})
        return self._records('quotes', parameters, headers=_prefer(count))

    def quotes_all(
        self,
        symbol: Symbols = None,
        *,
        date: Optional[Day] = None,
        from_: Optional[Day] = None,
        to: Optional[Day] = None,
        type: Optional[InstrumentType] = None,
        sort: Optional[Sort] = None,
        page_size: int = MAX_LIMIT,
        cursor: Optional[str] = None,
    ) -> RecordStream[records.Quote]:
        """Every matching quote; pages are fetched as they are needed.

        `symbol` is a symbol or ISIN, or any number of them: more than 50 are read by several
        requests from one revision. Without `date`, `from_` and `to` only the newest day is read:
        the history of a security needs a `from_`. `cursor`, sent with the same parameters,
        continues after its page.
        """
        parameters: Dict[str, Parameter] = {'date': date, 'from': from_, 'to': to, 'sort': sort}
        parameters.update({'type': type, 'limit': page_size})
        return self._symbol_stream('quotes', symbol, parameters, cursor)

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
            return self._page(self._url(path), COLUMNS.get(name))
        except NotFound as error:
            if error.message != 'not_found':
                raise
            raise NotFound(
                _unknown_series_message(name),
                status=error.status,
                path=error.path,
                request_id=error.request_id,
            ) from None

    def dataset(
        self,
        dataset: str,
        /,
        *,
        from_: Optional[Day] = None,
        to: Optional[Day] = None,
        frequency: Optional[Frequency] = None,
        year_start: Optional[int] = None,
        aggregate: Optional[Aggregate] = None,
        min_share: Optional[float] = None,
        partial: bool = False,
        units: Optional[Units] = None,
        sort: Optional[Sort] = None,
        page_size: int = MAX_LIMIT,
        cursor: Optional[str] = None,
        **dimensions: Parameter,
    ) -> RecordStream[Dict[str, Any]]:
        """Every matching record of a dataset of the publisher, or of a series, by its name.

        `from_` and `to` are periods such as `2026-01-31`, `2026-W05`, `Jan 2026`, `Q1 2026` or
        `2026`, or days in them. Dimensions are selected by their names, with up to 50 values each:
        `tenor=['1M', '6M']`. The newest period is first, or with `sort='asc'` the oldest one.
        Pages are fetched as they are needed, and all are of one revision.

        `frequency` aggregates to coarser periods, fiscal ones with `year_start`, by `aggregate`;
        `units` then makes changes or growth of the figures, by the codes of FRED: `pch` is the
        percent change from the period before, `pc1` that from a year ago. `min_share` of the
        expected figures is enough instead of all, and `partial` gives the period that is not over.
        """
        parameters: Dict[str, Parameter] = {'from': from_, 'to': to, **dimensions, 'sort': sort}
        parameters.update({'frequency': frequency, 'year_start': year_start})
        parameters.update({'aggregate': aggregate, 'units': units, 'min_share': min_share})
        parameters.update({'partial': 'true' if partial else None})
        parameters.update({'limit': page_size, 'cursor': cursor})
        return self._stream('dataset', parameters, dataset=dataset)

    def aligned(
        self,
        columns: Union[str, Iterable[str]],
        *,
        frequency: Union[Frequency, Literal['day'], None] = None,
        year_start: Optional[int] = None,
        from_: Optional[Day] = None,
        to: Optional[Day] = None,
        min_share: Optional[float] = None,
        partial: bool = False,
        status: bool = False,
        observed: bool = False,
        sort: Optional[Sort] = None,
        page_size: int = MAX_LIMIT,
        cursor: Optional[str] = None,
    ) -> RecordStream[Dict[str, Any]]:
        """Figures of several datasets by period, newest first, all of one revision.

        A column is a text such as `pos-transactions-quarterly-volume.atm:pc1`,
        `kibor.bid(tenor=6M)`, `analytics.zSpread(symbol=…)` or `curve.par(tenor=10Y)@mean:chg`;
        `aligned_column` writes one whose values hold other signs. A row has `period`, and a field
        for each text. The periods are the coarsest of the columns, unless there is a `frequency`.
        `status=True` adds the status of each figure, as `<column>.status`, and `observed=True` of
        how many figures it was computed. `min_share` and `partial` are as of `dataset`.
        """
        texts = columns if isinstance(columns, str) else list(columns)
        parameters: Dict[str, Parameter] = {'columns': texts, 'from': from_, 'to': to}
        parameters.update({'frequency': frequency, 'year_start': year_start})
        parameters.update({'min_share': min_share, 'sort': sort})
        flags = {'partial': partial, 'status': status, 'observed': observed}
        parameters.update({name: 'true' for name, is_set in flags.items() if is_set})
        return self._stream('aligned', {**parameters, 'limit': page_size, 'cursor': cursor})

    def catalogue(
        self, *, limit: Optional[int] = None, cursor: Optional[str] = None
    ) -> Records[Dict[str, Any]]:
        """Every dataset: its fields with units, its coverage, and when the next data is due.

        At most 100 of them, unless there is another `limit`.
        """
        return self._records('catalogue', {'limit': limit, 'cursor': cursor})

    def catalogue_all(
        self, *, page_size: int = MAX_LIMIT, cursor: Optional[str] = None
    ) -> RecordStream[Dict[str, Any]]:
        """Every dataset; pages are fetched as they are needed."""
        return self._stream('catalogue', {'limit': page_size, 'cursor': cursor})

    def securities(
        self,
        q: Optional[str] = None,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        count: bool = False,
    ) -> Records[Dict[str, Any]]:
        """Every security ever quoted, matured ones included: its terms, first and last date.

        With `q`, only those with that text in symbol, ISIN or name. All of them come at once,
        unless there is a `limit`.
        """
        parameters: Dict[str, Parameter] = {'q': q, 'limit': limit, 'cursor': cursor}
        return self._records('securities', parameters, headers=_prefer(count))

    def securities_all(
        self, q: Optional[str] = None, *, page_size: int = MAX_LIMIT, cursor: Optional[str] = None
    ) -> RecordStream[Dict[str, Any]]:
        """Every matching security; pages are fetched as they are needed."""
        return self._stream('securities', {'q': q, 'limit': page_size, 'cursor': cursor})

    def funds(
        self,
        q: Optional[str] = None,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        count: bool = False,
    ) -> Records[Dict[str, Any]]:
        """Every fund: its name, manager, first and last period.

        With `q`, only those with that text in identifier or name. All of them come at once, unless
        there is a `limit`.
        """
        parameters: Dict[str, Parameter] = {'q': q, 'limit': limit, 'cursor': cursor}
        return self._records('funds', parameters, headers=_prefer(count))

    def funds_all(
        self, q: Optional[str] = None, *, page_size: int = MAX_LIMIT, cursor: Optional[str] = None
    ) -> RecordStream[Dict[str, Any]]:
        """Every matching fund; pages are fetched as they are needed."""
        return self._stream('funds', {'q': q, 'limit': page_size, 'cursor': cursor})

    def curve(
        self,
        date: Union[Day, Iterable[Day], None] = None,
        *,
        from_: Optional[Day] = None,
        to: Optional[Day] = None,
        every: Optional[Every] = None,
        market: Optional[Market] = None,
        tenors: Union[str, Iterable[str], None] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Curves:
        """The yield curve of a market on up to 12 days; the newest day by default.

        With `from_` or `to` it is that of each day between them, or of the last one of `every`
        week, month or quarter, newest first; at most `limit`, 100 by default. `tenors` are such as
        `3M`, `1Y` or `10Y`. Each curve has its `points`; a frame has a row for each point.
        """
        parameters: Dict[str, Parameter] = {'date': date, 'from': from_, 'to': to, 'every': every}
        parameters.update({'market': market, 'tenors': tenors, 'limit': limit, 'cursor': cursor})
        return self._curves(self._url(PATHS['curve'], parameters))

    def curve_all(
        self,
        date: Union[Day, Iterable[Day], None] = None,
        *,
        from_: Optional[Day] = None,
        to: Optional[Day] = None,
        every: Optional[Every] = None,
        market: Optional[Market] = None,
        tenors: Union[str, Iterable[str], None] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> CurveStream:
        """Every curve between two days, as `curve`; pages are fetched as they are needed."""
        parameters: Dict[str, Parameter] = {'date': date, 'from': from_, 'to': to, 'every': every}
        size = MAX_CURVES if page_size is None and date is None and (from_ or to) else page_size
        parameters.update({'market': market, 'tenors': tenors, 'limit': size, 'cursor': cursor})
        return CurveStream(self._pages('curve', parameters, self._curves), COLUMNS['curve'])

    def _curves(self, url: str) -> Curves:
        data, response = self._connection.read_data(url, self._headers())
        return fill_records(Curves(), data, response, COLUMNS['curve'])

    def analytics(
        self,
        symbol: Symbols = None,
        *,
        date: Optional[Day] = None,
        from_: Optional[Day] = None,
        to: Optional[Day] = None,
        type: Optional[InstrumentType] = None,
        market: Optional[Market] = None,
        horizon: Optional[Horizon] = None,
        repo: Optional[float] = None,
        sort: Optional[Sort] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Records[Dict[str, Any]]:
        """Accrued interest, yield, durations, convexity, spreads and carry; at most `limit`.

        Takes symbols and days as `quotes` does; without symbols it has every security of `date`, or
        of the newest day. Carry and roll-down are over `horizon`, three months by default, financed
        at the rate `repo` in percent or else by the curve. What cannot be known is None.
        """
        parameters: Dict[str, Parameter] = {'symbol': _one_request('analytics', symbol)}
        parameters.update({'date': date, 'from': from_, 'to': to, 'type': type, 'market': market})
        parameters.update({'horizon': horizon, 'repo': repo, 'sort': sort})
        parameters.update({'limit': limit, 'cursor': cursor})
        return self._records('analytics', parameters)

    def analytics_all(
        self,
        symbol: Symbols = None,
        *,
        date: Optional[Day] = None,
        from_: Optional[Day] = None,
        to: Optional[Day] = None,
        type: Optional[InstrumentType] = None,
        market: Optional[Market] = None,
        horizon: Optional[Horizon] = None,
        repo: Optional[float] = None,
        sort: Optional[Sort] = None,
        page_size: int = MAX_LIMIT,
        cursor: Optional[str] = None,
    ) -> RecordStream[Dict[str, Any]]:
        """The same of every matching quote, of any number of securities, as `quotes_all`."""
        parameters: Dict[str, Parameter] = {'date': date, 'from': from_, 'to': to, 'type': type}
        parameters.update({'market': market, 'horizon': horizon, 'repo': repo, 'sort': sort})
        return self._symbol_stream('analytics', symbol, {**parameters, 'limit': page_size}, cursor)

    def cashflows(self, symbol: Symbols, *, date: Optional[Day] = None) -> Records[Dict[str, Any]]:
        """The payments of securities after the settlement of their quotes on `date`, or the newest.

        Per 100 of face value, by security in the order of their days. What cannot be known is None.
        """
        return self._records(
            'cashflows', {'symbol': _one_request('cashflows', symbol), 'date': date}
        )

    def price(
        self,
        symbol: Symbols,
        *,
        price: Union[None, float, Sequence[float]] = None,
        yield_: Union[None, float, Sequence[float]] = None,
        spread: Union[None, float, Sequence[float]] = None,
        date: Optional[Day] = None,
        horizon: Optional[Horizon] = None,
        repo: Optional[float] = None,
    ) -> Records[Dict[str, Any]]:
        """The figures of `analytics` at a clean price, a yield or a Z-spread in basis points.

        One number for all symbols, or a list with one for each; without any, at the quoted price.
        """
        # One may come twice, at two prices.
        symbols = symbol if isinstance(symbol, str) else ','.join(() if symbol is None else symbol)
        parameters: Dict[str, Parameter] = {'symbol': symbols, 'date': date}
        for name, value in (('price', price), ('yield', yield_), ('spread', spread)):
            if value is not None:
                numbers = value if isinstance(value, Iterable) else [value]
                parameters[name] = ','.join(_decimal(number) for number in numbers)
        parameters.update({'horizon': horizon, 'repo': repo})
        return self._records('price', parameters)

    def portfolio(
        self,
        positions: Mapping[str, float],
        *,
        date: Optional[Day] = None,
        shift: Sequence[float] = (),
        key_rates: Sequence[str] = (),
    ) -> Records[Dict[str, Any]]:
        """The figures of face values by symbol or ISIN, and of all of them together in the last record.

        Each is valued at its newest quote up to `date`: market value, yield, durations by key
        rates, and values under shifts of the curve in basis points. What cannot be valued has a
        `reason`, and is not in the total.
        """
        texts = [f'{security}:{_decimal(face)}' for security, face in positions.items()]
        parameters: Dict[str, Parameter] = {'positions': ','.join(texts), 'date': date}
        parameters['shift'] = ','.join(map(_decimal, shift)) or None
        parameters['key_rates'] = ','.join(key_rates) or None
        return self._records('portfolio', parameters)

    def releases(self) -> Records[Dict[str, Any]]:
        """What is released next of each dataset, when, and what was released last."""
        return self._records('releases')

    def revisions(
        self,
        dataset: Optional[str] = None,
        *,
        before: Optional[int] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Records[Dict[str, Any]]:
        """The revisions, newest first; at most `limit`."""
        parameters: Dict[str, Parameter] = {'dataset': dataset, 'before': before}
        return self._records('revisions', {**parameters, 'limit': limit, 'cursor': cursor})

    def revisions_all(
        self,
        dataset: Optional[str] = None,
        *,
        before: Optional[int] = None,
        page_size: int = MAX_LIMIT,
        cursor: Optional[str] = None,
    ) -> RecordStream[Dict[str, Any]]:
        """Every revision, newest first; pages are fetched as they are needed."""
        parameters: Dict[str, Parameter] = {'dataset': dataset, 'before': before}
        return self._stream('revisions', {**parameters, 'limit': page_size, 'cursor': cursor})

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
    ) -> RecordStream[Dict[str, Any]]:
        """Every change of one revision, old and new; pages are fetched as they are needed.

        `cursor`, sent with the same `page_size`, continues after its page.
        """
        return RecordStream(self._change_pages(number, page_size, cursor))

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
        cursor: Optional[str] = None,
    ) -> Records[Dict[str, Any]]:
        """The records that were corrected or retired, as they were before; at most `limit`.

        Newest revision first, each with `old` and `new`, which is None if it was retired. A
        security is for quotes and securities, days for quotes, `fund_id` for funds.
        """
        parameters: Dict[str, Parameter] = {'symbol': symbol, 'from': from_, 'to': to}
        parameters.update({'fund_id': fund_id, 'before': before, 'limit': limit, 'cursor': cursor})
        return self._records('corrections', parameters, dataset=dataset)

    def corrections_all(
        self,
        dataset: str,
        *,
        symbol: Optional[str] = None,
        from_: Optional[Day] = None,
        to: Optional[Day] = None,
        fund_id: Optional[str] = None,
        before: Optional[int] = None,
        page_size: int = MAX_LIMIT,
        cursor: Optional[str] = None,
    ) -> RecordStream[Dict[str, Any]]:
        """Every matching correction, newest revision first."""
        parameters: Dict[str, Parameter] = {'symbol': symbol, 'from': from_, 'to': to}
        parameters.update({'fund_id': fund_id, 'before': before})
        parameters.update({'limit': page_size, 'cursor': cursor})
        return self._stream('corrections', parameters, dataset=dataset)

    def vintages(
        self,
        dataset: str,
        /,
        *,
        from_: Optional[Day] = None,
        to: Optional[Day] = None,
        release: Optional[Literal['first']] = None,
        sort: Optional[Sort] = None,
        page_size: int = MAX_LIMIT,
        cursor: Optional[str] = None,
        **filters: Parameter,
    ) -> Vintages:
        """Every published state of the records of a dataset that match.

        Each has `since`, `published`, `until` and `withdrawn` after its fields; the last two are
        None while it is valid. Filters are those of the dataset, such as `symbol`, `fund_id` or a
        dimension. `release='first'` is the first state of each record. `matrix` of the result is
        a table with a column for each revision. In the order of the dataset, then by `since`.
        """
        parameters: Dict[str, Parameter] = {**filters, 'from': from_, 'to': to, 'sort': sort}
        parameters.update({'release': release, 'limit': page_size, 'cursor': cursor})
        pages = self._pages('vintages', parameters, dataset=dataset)
        return Vintages(dataset, pages, self._columns('vintages', parameters, dataset))

    def changes(
        self,
        dataset: str,
        since: int,
        *,
        until: Optional[int] = None,
        page_size: int = MAX_LIMIT,
        cursor: Optional[str] = None,
    ) -> Changes:
        """The changes that make a copy of revision `since` one of the newest, or of `until`.

        Each has `change` (added, corrected or retired) and `record`; a record that changed several
        times comes once. `revision` of the result is the `since` to go on with. Pages are fetched
        as they are needed, and all are of that revision.
        """
        parameters: Dict[str, Parameter] = {'since': since, 'until': until}
        parameters.update({'limit': page_size, 'cursor': cursor})
        pages = self._pages('changes', parameters, dataset=dataset)
        return Changes(pages, self._columns('changes', parameters, dataset))

    def follow(
        self, since: Optional[int] = None, *, poll_seconds: float = 30.0
    ) -> Iterator[Dict[str, Any]]:
        """Each revision as it is published, without end; those after `since` come first.

        The service sends them within a second. An interrupted connection is opened again, and goes
        on after the last revision. A service or proxy without `/events` is asked every
        `poll_seconds`. Errors that do not pass, such as a revoked token, are raised.
        """
        return self._events(since, poll_seconds).read()

    def _events(self, since: Optional[int], poll_seconds: float) -> EventReader:
        return EventReader(self._connection, since, poll_seconds)

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
        all. What it holds is in `PATH.tenor.json`, or in the database.
        """
        # What this client has seen must not keep it from a database that an older one replaced.
        source = self._without_seen_revision()
        return sync_copy(source, dataset, Path(path), format, self._connection.forget_revision)

    def verify(
        self,
        state: Union[str, os.PathLike[str], None] = None,
        *,
        datasets: Optional[Collection[str]] = None,
        log_only: bool = False,
        key: Optional[str] = None,
        accept_restart: Optional[str] = None,
    ) -> Verified:
        """Checks that the ledger only grew, and that the data is what its revisions have made of it.

        `state` is a file in which the last checkpoint is kept, to compare the next one with; it is
        written only when everything held. A problem raises VerificationError. `datasets` names
        those whose records are compared, by default all that the token may read. `log_only`
        verifies the log alone, and nothing that is in it. `key` is the key of the log, which its publisher has told (`name+id+key`); without
        it and a state, that of the service is taken as it is. `accept_restart` is the name of the
        log that has taken the place of the kept one, as its publisher has announced.
        """
        # What this client has seen must not keep it from a log that is shorter.
        source = self._without_seen_revision()
        source._as_of = None
        path = None if state is None else Path(state)
        return verify_ledger(ServiceSource(source), path, Options(datasets, log_only, key, accept_restart))

    def export(
        self, dataset: str, format: ExportFormat, path: Union[str, os.PathLike[str]]
    ) -> Exported:
        """Writes a whole dataset, from one revision, to a file.

        An interrupted download is resumed, or restarted if the data has changed. The file gets
        its name only when it is complete.
        """
        url = self._url(f'/exports/{quote_segment(dataset)}.{quote_segment(format)}')
        return self._write_file(url, format, path)

    def download(
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
        return self._write_file(self._operation_url(operation, parameters), format, path)

    def _write_file(self, url: str, format: str, path: Union[str, os.PathLike[str]]) -> Exported:
        media_type = MEDIA_TYPES.get(format)
        if media_type is None:
            raise ValueError(f'there is no format {format!r}; there are {", ".join(MEDIA_TYPES)}')
        target = Path(path)
        headers = self._headers({'Accept': media_type})
        with replace_file(target) as file:
            response = self._connection.download(url, headers, file)
            size = file.tell()
        revision = parse_integer(response.headers.get('tenor-revision'))
        has_more = parse_next_url(url, response.headers.get('link', '')) is not None
        return Exported(target, size, revision, response.headers.get('etag'), has_more)

    def query(self, operation: str, /, **parameters: Parameter) -> Union[Records[Any], Entry]:
        """Any operation by its name, such as `quotes`: a list of records, or one object.

        A parameter that Python cannot name, such as `from`, gets an underscore: `from_`. Those of
        the path are parameters too: `query('corrections', dataset='quotes')`.
        """
        url = self._operation_url(operation, parameters)
        data, response = self._connection.read_data(url, self._headers())
        if isinstance(data, list):
            columns = self._columns(operation, parameters, _to_text(parameters.get('dataset')))
            records: Records[Any] = Curves() if operation == 'curve' else Records()
            return fill_records(records, data, response, columns)
        entry = Fund() if operation == 'fund-allocation' else Entry()
        return fill_entry(entry, data, response)

    def _operation_url(self, operation: str, parameters: Mapping[str, Parameter]) -> str:
        names = {name.rstrip('_'): value for name, value in parameters.items()}
        template = DATASET_PATH if operation == 'dataset' else PATHS.get(operation)
        if template is None:
            raise ValueError(f'there is no operation {operation!r}; there are {", ".join(PATHS)}')
        segments = {name: str(names.pop(name)) for name in [*names] if f'{{{name}}}' in template}
        for name in re.findall(r'\{(\w+)\}', template):
            if name not in segments:
                raise ValueError(f'{operation} needs {name}')
        return self._url(self._path(operation, **segments), names)


def _prefer(count: bool) -> Dict[str, str]:
    return {'Prefer': 'count=exact'} if count else {}


def _one_request(method: str, symbol: Symbols) -> Optional[str]:
    symbols = split_symbols(symbol)
    if len(symbols) > 1:
        other = f'; {method}_all takes more' if hasattr(Tenor, f'{method}_all') else ''
        raise ValueError(f'{method} takes up to {MAX_SYMBOLS} symbols{other}')
    return symbols[0]


def _decimal(number: float) -> str:
    """The shortest decimal, without an exponent."""
    return format(Decimal(str(number)), 'f')


def _to_text(value: Parameter) -> Optional[str]:
    return value if isinstance(value, str) else None


def _unknown_series_message(name: str) -> str:
    names = ', '.join(SERIES)
    return f'there is no series {name!r}; there are {names}; dataset() reads others of the catalogue'
