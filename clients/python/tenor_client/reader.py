"""Requests of operations, with as-of parameters and pages."""

from __future__ import annotations

import copy
import heapq
import itertools
import urllib.parse
from typing import (
    Any,
    Callable,
    Dict,
    Iterator,
    List,
    Mapping,
    Optional,
    Tuple,
    TypeVar,
    Union,
)

from .aligned import join_columns, list_aligned_columns, list_aligned_datasets
from .connection import Connection
from .errors import UnexpectedResponseError
from .frames import FISCAL_KINDS, Columns, ColumnSource, list_declared_columns, transform_columns
from .http_response import Response, parse_next_url
from .parameters import (
    MAX_SYMBOLS,
    Parameter,
    Symbols,
    format_parameter,
    quote_segment,
    split_symbols,
)
from .records import COLUMNS, MEDIA_TYPES, PATHS, RECORD_COLUMNS, SERIES
from .responses import Entry, RecordStream, Records, build_records

DATASET_PATH = '/datasets/{dataset}'

E = TypeVar('E', bound=Entry)
Self = TypeVar('Self', bound='OperationReader')


class OperationReader:
    """Reads operations by their names, all as of one instant or revision."""

    _connection: Connection
    _as_of: Union[str, int, None] = None

    def _with_as_of(self: Self, as_of: Union[str, int]) -> Self:
        client = copy.copy(self)
        client._as_of = as_of
        return client

    def _without_seen_revision(self: Self) -> Self:
        """The same client, which may read an older revision than this one has seen."""
        client = copy.copy(self)
        client._connection = self._connection.without_seen_revision()
        return client

    def _symbol_stream(
        self,
        operation: str,
        symbol: Symbols,
        parameters: Mapping[str, Parameter],
        cursor: Optional[str],
    ) -> RecordStream[Any]:
        """Every record of any number of securities."""
        symbols = split_symbols(symbol)
        if len(symbols) == 1:
            sent = {'symbol': symbols[0], **parameters, 'cursor': cursor}
            return self._stream(operation, sent)
        if cursor is not None:
            raise ValueError(f'cursor is for up to {MAX_SYMBOLS} symbols')
        return RecordStream(self._merged_pages(operation, symbols, parameters), COLUMNS[operation])

    def _merged_pages(
        self, operation: str, symbols: List[Optional[str]], parameters: Mapping[str, Parameter]
    ) -> Iterator[Records[Any]]:
        """The records of more securities than one request takes, in order and of one revision."""
        first = self._page(self._url(PATHS[operation], {'symbol': symbols[0], **parameters}))
        client = self if first.revision is None else self._with_as_of(first.revision)
        streams = [
            RecordStream(client._pages(operation, {'symbol': symbol, **parameters}))
            for symbol in symbols
        ]
        is_ascending = parameters.get('sort') == 'asc'
        merged = heapq.merge(*streams, key=_quote_order, reverse=is_ascending)
        # A security that is named by its symbol and by its ISIN comes once.
        records = (next(same) for _, same in itertools.groupby(merged, _quote_order))
        size = int(str(parameters['limit']))
        while True:
            page: Records[Any] = Records(itertools.islice(records, size))
            page._columns = COLUMNS[operation]
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
        return self._page(url, self._columns(operation, parameters or {}, **segments), headers)

    def _pages(
        self,
        operation: str,
        parameters: Mapping[str, Parameter],
        read_page: Optional[Callable[[str], Records[Any]]] = None,
        **segments: str,
    ) -> Iterator[Records[Any]]:
        columns = self._columns(operation, parameters, **segments)
        read = read_page or (lambda url: self._page(url, columns))
        path = self._path(operation, **segments)
        page = read(self._url(path, parameters))
        yield page
        seen = set()
        while page.next is not None:
            if page.next in seen:
                raise UnexpectedResponseError('the next page was read already', path=path)
            seen.add(page.next)
            page = read(page.next)
            yield page

    def _stream(
        self, operation: str, parameters: Mapping[str, Parameter], **segments: str
    ) -> RecordStream[Any]:
        columns = self._columns(operation, parameters, **segments)
        return RecordStream(self._pages(operation, parameters, None, **segments), columns)

    def _body_pages(
        self, operation: str, parameters: Mapping[str, Parameter], format: str, **segments: str
    ) -> Iterator[bytes]:
        """The bodies of all pages in another format than JSON."""
        url: Optional[str] = self._url(self._path(operation, **segments), parameters)
        headers = self._headers({'Accept': MEDIA_TYPES[format]})
        while url is not None:
            response = self._connection.read_body(url, headers)
            yield response.body
            url = parse_next_url(response.url, response.headers.get('link', ''))

    def _page(
        self,
        url: str,
        columns: ColumnSource = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Records[Any]:
        data, response = self._connection.read_data(url, self._headers(headers))
        return build_records(data, response, columns)

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
                raise UnexpectedResponseError(f'only {sent} of {total} changes were sent')
            yield page

    def _entry(
        self, operation: str, parameters: Mapping[str, Parameter], entry: E, **segments: str
    ) -> E:
        url = self._url(self._path(operation, **segments), parameters)
        return fill_entry(entry, *self._connection.read_data(url, self._headers()))

    def _columns(
        self,
        operation: str,
        parameters: Mapping[str, Parameter],
        dataset: Optional[str] = None,
        **_: str,
    ) -> ColumnSource:
        """The columns of an operation; those of a dataset of the publisher are asked for."""
        if operation == 'aligned':
            return self._aligned_columns(parameters)
        known = list_record_columns(dataset or '')
        if dataset in SERIES and operation in ('dataset', 'vintages'):
            known = with_status(known)
        if dataset is None or known:
            return list_columns(operation, parameters, known)

        def ask() -> Columns:
            columns = self._declared_columns(dataset)
            # Every series has its status there.
            states = with_status(columns) if operation == 'vintages' else columns
            return list_columns(operation, parameters, states) or ()

        return ask

    def _aligned_columns(self, parameters: Mapping[str, Parameter]) -> ColumnSource:
        """The years of a table are those of the request, or else of its first column that has some."""
        columns = join_columns(parameters['columns'])
        names = list_aligned_datasets(columns)
        requested = parameters.get('year_start')
        has_years = parameters.get('frequency') in (None, 'quarter', 'year')
        is_known = all(name in PATHS or name in COLUMNS for name in names)
        if requested is not None or is_known or not has_years:
            return list_aligned_columns(columns, parameters, str(requested or ''))

        def ask() -> Columns:
            declared = self._declared_entries()
            kinds = [
                kind
                for name in names
                for _, kind in (list_record_columns(name) or declared.get(name, ()))[:1]
            ]
            starts = [kind.partition(' ') for kind in kinds]
            start = next((start for kind, _, start in starts if kind in FISCAL_KINDS), '')
            return list_aligned_columns(columns, parameters, start)

        return ask

    def _declared_entries(self) -> Dict[str, Columns]:
        entries = self._stream('catalogue', {'limit': 10_000})
        return {entry['name']: list_declared_columns(entry) for entry in entries}

    def _declared_columns(self, dataset: str) -> Columns:
        return self._declared_entries().get(dataset, ())

    def _path(self, operation: str, **segments: str) -> str:
        quoted = {name: quote_segment(text) for name, text in segments.items()}
        path = DATASET_PATH if operation == 'dataset' else PATHS[operation]
        return path.format(**quoted)

    def _url(self, path: str, parameters: Optional[Mapping[str, Parameter]] = None) -> str:
        values = dict(parameters or {})
        if 'columns' in values:
            values['columns'] = join_columns(values['columns'])
        # A ledger has no past; what it says of a revision stays.
        if isinstance(self._as_of, int) and not path.startswith(('/revisions', '/releases')):
            values['as_of'] = self._as_of
        texts = {k: format_parameter(v) for k, v in values.items() if v is not None}
        query = urllib.parse.urlencode(texts, quote_via=urllib.parse.quote)
        return self._connection.base_url + path + (f'?{query}' if query else '')

    def _headers(self, extra: Optional[Mapping[str, str]] = None) -> Dict[str, str]:
        as_of = {'Accept-Datetime': self._as_of} if isinstance(self._as_of, str) else {}
        return {'Accept': 'application/json', **as_of, **(extra or {})}


def list_columns(
    operation: str, parameters: Mapping[str, Parameter], record_columns: Columns = ()
) -> Optional[Columns]:
    """The columns of an operation; changes and corrections also have those of their records."""
    if operation == 'dataset':
        frequency, units = parameters.get('frequency'), parameters.get('units')
        return transform_columns(record_columns, frequency, units, parameters.get('year_start'))
    if operation == 'vintages':
        return [*record_columns, *COLUMNS['vintages']]
    known = COLUMNS.get(operation)
    if known is None:
        return None
    prefixes = [name for name, kind in known if kind == 'record']
    nested = [(f'{prefix}.{name}', kind) for prefix in prefixes for name, kind in record_columns]
    return [*(column for column in known if column[0] not in prefixes), *nested]


def with_status(columns: Columns) -> Columns:
    return columns if 'status' in dict(columns) else [*columns, ('status', 'text')]


def list_record_columns(dataset: str) -> Columns:
    """The columns of a dataset; there are none of one that is newer than this client."""
    return RECORD_COLUMNS.get(dataset) or COLUMNS.get(dataset, ())


def fill_entry(entry: E, data: Any, response: Response) -> E:
    if not isinstance(data, dict):
        raise UnexpectedResponseError(
            'data is no object', status=response.status, path=response.path
        )
    entry.update(data)
    entry._set_meta(response)
    return entry


def _quote_order(quote: Mapping[str, Any]) -> Tuple[int, bytes]:
    """Newest date first, then by symbol."""
    return (-int(quote['date'].replace('-', '')), quote['symbol'].encode())
