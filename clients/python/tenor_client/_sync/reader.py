# Made by npm run docs from tenor_client/_async. Changes here are lost.
"""Requests of operations, with as-of parameters and pages."""

from __future__ import annotations

import copy
import urllib.parse
from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple, Type, TypeVar, Union

from ..aligned import join_columns
from ..columns import derive_columns, find_columns
from ..errors import NotFound, UnexpectedResponseError
from ..frames import Columns, ColumnSource, list_declared_columns
from ..http_response import Response
from ..parameters import MAX_SYMBOLS, Parameter, format_parameter, quote_segment, split_symbols
from ..records import PATHS, SERIES, TIMELESS
from ..responses import Curves, Entry, Fund, Records
from .connection import Connection
from .streams import RecordStream, resolve_columns

RECORD_TYPES: Dict[str, Type[Records[Any]]] = {'curve': Curves}
ENTRY_TYPES: Dict[str, Type[Entry]] = {'fund-allocation': Fund}
# The order of these is known: by it, records of several requests are merged.
MERGED_OPERATIONS = ('quotes', 'analytics')

Parameters = Mapping[str, Parameter]
Self = TypeVar('Self', bound='Reader')


class Reader:
    """Reads operations by their names, all as of one instant or revision."""

    _connection: Connection
    _as_of: Union[str, int, None] = None

    def _with_as_of(self: Self, as_of: Union[str, int]) -> Self:
        client = copy.copy(self)
        client._as_of = as_of
        return client

    def _read(
        self, operation: str, parameters: Parameters, *, count: bool = False, **segments: str
    ) -> Any:
        """The data of one response: records with their columns, or one object."""
        parameters = _prepare(parameters)
        if operation in MERGED_OPERATIONS:
            symbols = split_symbols(parameters.get('symbol'))
            if len(symbols) > 1:
                message = f'{operation} takes up to {MAX_SYMBOLS} symbols; {operation}_all takes more'
                raise ValueError(message)
            parameters['symbol'] = symbols[0]
        url = self._url(operation, parameters, **segments)
        data, response = self._request(url, {'Prefer': 'count=exact'} if count else {})
        if isinstance(data, list):
            columns = self._columns(operation, parameters, **segments)
            page = _build_page(operation, data, response)
            page._columns = resolve_columns(columns)
            return page
        return _build_entry(operation, data, response)

    def _read_series(self, name: str) -> Records[Any]:
        """A series by its name; the error of an unknown one lists the known ones."""
        try:
            records: Records[Any] = self._read('series', {}, series=name)
            return records
        except NotFound as error:
            if error.message != 'not_found':
                raise
            names = ', '.join(SERIES)
            message = f'there is no series {name!r}; there are {names}; dataset() reads others of the catalogue'
            raise NotFound(
                message, status=error.status, path=error.path, request_id=error.request_id
            ) from None

    def _stream(
        self,
        operation: str,
        parameters: Parameters,
        stream_type: Type[RecordStream[Any]] = RecordStream,
        **segments: str,
    ) -> Any:
        """The records of all pages, which are fetched as they are needed."""
        parameters = _prepare(parameters)
        columns = self._columns(operation, parameters, **segments)
        page_type = RECORD_TYPES.get(operation, Records)
        if operation == 'curve' and not (parameters.get('from') or parameters.get('to')):
            # Only a history has pages.
            parameters['limit'] = None
        if operation in MERGED_OPERATIONS:
            symbols = split_symbols(parameters.get('symbol'))
            if len(symbols) > 1:
                return stream_type(self._merge_pages(operation, symbols, parameters), columns)
            parameters['symbol'] = symbols[0]
        pages = self._pages(operation, parameters, **segments)
        return stream_type(pages, columns, page_type, segments.get('dataset', ''))

    def _pages(
        self, operation: str, parameters: Parameters, **segments: str
    ) -> Iterator[Records[Any]]:
        url: Optional[str] = self._url(operation, parameters, **segments)
        seen = set()
        sent = 0
        while url is not None:
            seen.add(url)
            data, response = self._request(url)
            page = _build_page(operation, data, response)
            sent += len(page)
            # A revision counts its changes; with a cursor, earlier ones were read before.
            if parameters.get('cursor') is None and not page.has_more and sent < (page.total or 0):
                raise UnexpectedResponseError(f'only {sent} of {page.total} changes were sent')
            yield page
            url = page.next
            if url in seen:
                raise UnexpectedResponseError('the next page was read already', path=response.path)

    def _merge_pages(
        self, operation: str, symbols: List[Optional[str]], parameters: Dict[str, Any]
    ) -> Iterator[Records[Any]]:
        """The records of more securities than one request takes, in order and of one revision."""
        if parameters.pop('cursor', None) is not None:
            raise ValueError(f'cursor is for up to {MAX_SYMBOLS} symbols')
        data, response = self._request(
            self._url(operation, {**parameters, 'symbol': symbols[0]})
        )
        revision = _build_page(operation, data, response).revision
        client = self if revision is None else self._with_as_of(revision)
        streams: List[RecordStream[Any]] = [
            RecordStream(client._pages(operation, {**parameters, 'symbol': symbol}))
            for symbol in symbols
        ]
        choose = max if parameters.get('sort') == 'asc' else min
        page: Records[Any] = Records()
        last: Optional[Tuple[int, bytes]] = None
        heads = [(record, each) for each in streams for record in each._take()]
        while heads:
            head = choose(heads, key=lambda each: _quote_order(each[0]))
            heads.remove(head)
            heads.extend([(record, head[1]) for record in head[1]._take()])
            # A security that is named by its symbol and by its ISIN comes once.
            if _quote_order(head[0]) == last:
                continue
            last = _quote_order(head[0])
            if len(page) == parameters['limit']:
                page.revision = revision
                yield page
                page = Records()
            page.append(head[0])
        page.revision = revision
        yield page

    def _request(self, url: str, headers: Parameters = {}) -> Tuple[Any, Response]:
        return self._connection.read_data(url, self._headers(headers))

    def _columns(
        self,
        operation: str,
        parameters: Parameters,
        *,
        dataset: Optional[str] = None,
        series: Optional[str] = None,
        **_: str,
    ) -> ColumnSource:
        """The columns of an operation; those of a dataset of the publisher are asked for."""
        is_known, columns = find_columns(series or operation, parameters, dataset)
        if is_known:
            return columns

        def ask() -> Columns:
            declared = self._read_declared_columns()
            return derive_columns(operation, parameters, dataset, declared)

        return ask

    def _read_declared_columns(self) -> Dict[str, Columns]:
        pages = self._pages('catalogue', {'limit': 10_000})
        return {
            entry['name']: list_declared_columns(entry) for page in pages for entry in page
        }

    def _url(self, operation: str, parameters: Parameters = {}, **segments: str) -> str:
        values: Dict[str, Parameter] = dict(parameters)
        # A ledger has no past; what it says of a revision stays.
        if isinstance(self._as_of, int) and operation not in TIMELESS:
            values['as_of'] = self._as_of
        texts = {k: format_parameter(v) for k, v in values.items() if v is not None}
        query = urllib.parse.urlencode(texts, quote_via=urllib.parse.quote)
        path = PATHS[operation].format(**{k: quote_segment(v) for k, v in segments.items()})
        return self._connection.base_url + path + (f'?{query}' if query else '')

    def _headers(self, extra: Mapping[str, Any] = {}) -> Dict[str, str]:
        as_of = {'Accept-Datetime': self._as_of} if isinstance(self._as_of, str) else {}
        return {**as_of, **extra}


def _prepare(parameters: Parameters) -> Dict[str, Any]:
    """The parameters; a column has commas of its own, and may come from an iterator."""
    columns = parameters.get('columns')
    return {**parameters, **({} if columns is None else {'columns': join_columns(columns)})}


def _build_page(operation: str, data: Any, response: Response) -> Records[Any]:
    """A page of records; that of a revision has its changes."""
    revision = data if isinstance(data, dict) else {}
    records = revision.get('changes') if operation == 'revision' else data
    if not isinstance(records, list):
        raise UnexpectedResponseError(
            'data is not a list', status=response.status, path=response.path
        )
    page = RECORD_TYPES.get(operation, Records)(records)
    page._set_meta(response)
    if revision:
        page.total = sum(int(revision.get(name, 0)) for name in ('added', 'corrected', 'retired'))
    return page


def _build_entry(operation: str, data: Any, response: Response) -> Entry:
    if not isinstance(data, dict):
        raise UnexpectedResponseError(
            'data is no object', status=response.status, path=response.path
        )
    entry = ENTRY_TYPES.get(operation, Entry)(data)
    entry._set_meta(response)
    return entry


def _quote_order(quote: Mapping[str, Any]) -> Tuple[int, bytes]:
    """Newest date first, then by symbol."""
    return (-int(quote['date'].replace('-', '')), quote['symbol'].encode())
