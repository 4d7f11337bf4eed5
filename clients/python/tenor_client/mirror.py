"""What was published, from the files of a mirror."""

from __future__ import annotations

import datetime
import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable, Collection, Dict, Iterator, List, Optional, Sequence, Tuple, Union

from . import records
from .client import InstrumentType, Sort
from .connection import Connection, parse_base_url
from .errors import NoRecordFound, NotFound
from .frames import PERIOD_KINDS, Columns
from .http_response import parse_http_date
from .mirror_files import READ_AHEAD, Manifest, MirrorFiles, MirrorSource, read_declarations
from .mirror_quotes import QuoteFilters, fold, select_quotes
from .parameters import Day, Instant, Parameter, Symbols, format_as_of, format_parameter, parse_instant
from .periods import PeriodKind
from .reader import list_record_columns
from .records import COLUMNS, SERIES
from .responses import Fund, Records, RecordStream
from .verify import Options, Verified, verify_ledger

AsOf = Union[Instant, int, None]
UNITS = {name: unit for unit, name in PERIOD_KINDS.items()}
LISTED = ('revision', 'dataset', 'publishedAt', 'source', 'files', 'author', 'sample')
COUNTS = ('added', 'corrected', 'retired', 'unchanged')


class Mirror:
    """A mirror of a service, at its address: everything that was published, as of each revision.

    It needs no service and no token. Data is Parquet, which pyarrow reads:
    `pip install tenor-client[arrow]`. `as_of` is the number of a revision, an instant, or a day,
    which means its end in UTC; by default the newest revision is read.
    """

    def __init__(
        self, url: str, *, timeout: float = 30.0, retries: int = 6, longest_wait: float = 60.0
    ) -> None:
        connection = Connection(
            parse_base_url(url, 'the address of a mirror'),
            None,
            timeout=timeout,
            retries=retries,
            longest_wait=longest_wait,
            cache_bytes=0,
        )
        self._files = MirrorFiles(connection)
        self._url = connection.base_url

    def __repr__(self) -> str:
        return f'<Mirror {self._url}>'

    def revision(self) -> int:
        """The number of the newest revision."""
        return self._files.read_latest()

    def quotes(
        self,
        symbol: Symbols = None,
        *,
        as_of: AsOf = None,
        date: Optional[Day] = None,
        from_: Optional[Day] = None,
        to: Optional[Day] = None,
        type: Optional[InstrumentType] = None,
        sort: Optional[Sort] = None,
        limit: Optional[int] = None,
    ) -> Records[records.Quote]:
        """Quotes of the given days, by default of the newest day, as `quotes_all` of a service.

        By symbols only the months that are needed are read; by ISINs all of them.
        """
        manifest = self._manifest(as_of)
        found = manifest.find('quotes')
        filters = QuoteFilters(symbol, date, from_, to, type, sort)

        def read_months(
            is_selected: Callable[[str], bool], securities: Collection[str]
        ) -> Iterator[List[Dict[str, Any]]]:
            pairs = zip(found.files, found.months or ())
            selected = [path for path, month in pairs if is_selected(month)][::-1]
            ahead = READ_AHEAD if filters.has_range else 0
            return self._files.read_records('quotes', selected, ahead, securities)

        return _build(select_quotes(filters, read_months), manifest, COLUMNS['quotes'], limit)

    def dataset(
        self,
        dataset: str,
        /,
        *,
        as_of: AsOf = None,
        start: Optional[Day] = None,
        end: Optional[Day] = None,
        sort: Optional[Sort] = None,
        limit: Optional[int] = None,
        **dimensions: Parameter,
    ) -> Records[Dict[str, Any]]:
        """The records of a series or a dataset of the publisher, by period and dimension values.

        They are as they were published, without the `status` that a service adds to those of its
        own series. The newest period is first, or with `sort='asc'` the oldest one.
        """
        manifest = self._manifest(as_of)
        found = manifest.find(dataset)
        kind, names, columns = self._describe(dataset, manifest)
        if sort not in (None, 'asc', 'desc'):
            raise ValueError('sort must be asc or desc')
        first, last = _parse_bound('start', start, kind), _parse_bound('end', end, kind)
        if first is not None and last is not None and first > last:
            raise ValueError('start must not be later than end')
        first_month = '' if first is None else kind.list_last_months(first)[0]
        last_month = '9999-12' if last is None else kind.list_last_months(last)[1]
        values = _list_values(dataset, names, dimensions)

        def order(record: Dict[str, Any]) -> int:
            return kind.to_ordinal(str(next(iter(record.values())))) or 0

        def is_selected(record: Dict[str, Any]) -> bool:
            if any(str(record[name]) not in texts for name, texts in values.items()):
                return False
            is_early = first is not None and order(record) < first
            return not is_early and (last is None or order(record) <= last)

        pairs = zip(found.files, found.months or ())
        files = [path for path, month in pairs if first_month <= month <= last_month]
        selected: List[Dict[str, Any]] = []
        for batch in self._files.read_records(dataset, files if sort == 'asc' else files[::-1]):
            matches = [record for record in batch if is_selected(record)]
            # Those of one period stay in their order.
            selected.extend(sorted(matches, key=order) if sort == 'asc' else matches)
            if limit is not None and len(selected) >= limit:
                break
        return _build(selected, manifest, columns, limit)

    def fund(self, fund_id: str, *, as_of: AsOf = None) -> Fund:
        """A fund's asset allocation. Raises NoRecordFound for an unknown fund."""
        manifest = self._manifest(as_of)
        files = manifest.find('fund-allocation').files
        for batch in self._files.read_records('fund-allocation', files):
            for record in batch:
                if fold(record['fund_id']) == fold(fund_id):
                    fund = Fund(record)
                    fund.revision = manifest.revision
                    return fund
        raise NoRecordFound(f'the mirror has no fund {fund_id!r}')

    def records(self, dataset: str, *, as_of: AsOf = None) -> RecordStream[Dict[str, Any]]:
        """Every record of a dataset, in the order of exports."""
        manifest = self._manifest(as_of)
        columns = None if dataset == 'fund-allocation' else list_record_columns(dataset) or None
        return RecordStream(self._read_pages(dataset, manifest, columns), columns)

    def revisions(self, *, limit: Optional[int] = None) -> Records[Dict[str, Any]]:
        """The revisions whose datasets the mirror has, newest first."""
        newest = self._manifest(None)
        found: List[Dict[str, Any]] = []
        with ThreadPoolExecutor(8) as threads:
            for last in range(newest.revision, newest.since - 1, -8):
                numbers = range(last, max(last - 8, newest.since - 1), -1)
                entries = threads.map(self._read_entry, numbers)
                found.extend(entry for entry in entries if entry is not None)
                if limit is not None and len(found) >= limit:
                    break
        return _build(found, newest, COLUMNS['revisions'], limit)

    def verify(
        self,
        state: Union[str, os.PathLike[str], None] = None,
        *,
        datasets: Optional[Collection[str]] = None,
        log_only: bool = False,
        key: Optional[str] = None,
        accept_restart: Optional[str] = None,
    ) -> Verified:
        """Checks that the mirror has what was published, as `verify` of a service does.

        A service and its mirrors have one log, and so one `state`.
        """
        path = None if state is None else Path(state)
        options = Options(datasets, log_only, key, accept_restart)
        return verify_ledger(MirrorSource(self._files), path, options)

    def _read_entry(self, revision: int) -> Optional[Dict[str, Any]]:
        try:
            entry = json.loads(self._files.read(f'revisions/{revision}/entry.json'))
        except NotFound:
            return None
        return {name: entry[name] for name in (*LISTED, *COUNTS)}

    def _read_pages(
        self, dataset: str, manifest: Manifest, columns: Optional[Columns]
    ) -> Iterator[Records[Any]]:
        files, months = manifest.find(dataset)
        if dataset == 'holidays':
            # They are by calendar, but files by month.
            batches = self._files.read_records(dataset, files)
            holidays = [holiday for batch in batches for holiday in batch]
            holidays.sort(key=lambda each: (fold(each['calendar']).encode(), each['date']))
            yield _build(holidays, manifest, columns)
            return
        # The newest period comes first.
        for batch in self._files.read_records(dataset, files if months is None else files[::-1]):
            yield _build(batch, manifest, columns)

    def _manifest(self, as_of: AsOf) -> Manifest:
        resolved = None if as_of is None else format_as_of(as_of)
        newest = self._files.read_manifest(self._files.read_latest())
        if isinstance(resolved, str):
            return self._find_at(resolved, newest)
        number = newest.revision if resolved is None else resolved
        if newest.since <= number <= newest.revision:
            return self._files.read_manifest(number)
        known = f'it has {newest.since} to {newest.revision}'
        raise NotFound(f'the mirror has no revision {number}; {known}')

    def _find_at(self, instant: str, newest: Manifest) -> Manifest:
        """The last revision that was published by an instant."""
        parsed = parse_instant(instant) or parse_http_date(instant)
        assert parsed is not None
        # Without a fraction, the whole second is meant.
        until = parsed if '.' in instant else parsed + datetime.timedelta(milliseconds=999)

        def is_published(manifest: Manifest) -> bool:
            published = parse_instant(manifest.published_at)
            return published is not None and published <= until

        if is_published(newest):
            return newest
        found = self._files.read_manifest(newest.since)
        if not is_published(found):
            raise NotFound(
                f'the mirror has nothing of {instant}: its first revision, {found.revision}, was '
                f'published at {found.published_at}'
            )
        later = newest.revision
        while later - found.revision > 1:
            middle = self._files.read_manifest((found.revision + later) // 2)
            if is_published(middle):
                found = middle
            else:
                later = middle.revision
        return found

    def _describe(
        self, dataset: str, manifest: Manifest
    ) -> Tuple[PeriodKind, Sequence[str], Columns]:
        """The periods, dimensions and columns of a series."""
        if dataset in SERIES:
            columns = list_record_columns(dataset)
            return PeriodKind(UNITS[columns[0][1]], None), (), columns
        for declared in read_declarations(self._files, manifest):
            if declared['name'] == dataset:
                return _describe_declared(declared)
        raise ValueError(f'{dataset} is no series: read it with quotes(), fund() or records()')


def _describe_declared(
    declared: Dict[str, Any],
) -> Tuple[PeriodKind, Sequence[str], Columns]:
    period = declared['period']
    kind = PeriodKind(period['kind'], period.get('yearStart', 1))
    dimensions = [dimension['field'] for dimension in declared['dimensions'] or ()]
    columns = [(period['field'], PERIOD_KINDS[kind.unit])]
    columns += [(name, 'text') for name in dimensions]
    columns += [(measure['field'], 'number') for measure in declared['measures']]
    columns += [('status', 'text')] if declared['status'] else []
    return kind, dimensions, columns


def _parse_bound(name: str, value: Optional[Day], kind: PeriodKind) -> Optional[int]:
    if value is None:
        return None
    text = format_parameter(value)
    ordinal = kind.parse(text)
    if ordinal is None:
        raise ValueError(f'{name} must be {kind.description}, not {text!r}')
    return ordinal


def _list_values(
    dataset: str, names: Sequence[str], dimensions: Dict[str, Parameter]
) -> Dict[str, Sequence[str]]:
    for name in dimensions:
        if name not in names:
            known = f'it has {", ".join(names)}' if names else 'it has none'
            raise ValueError(f'{name!r} is no dimension of {dataset}; {known}')
    given = {name: value for name, value in dimensions.items() if value is not None}
    return {name: format_parameter(value).split(',') for name, value in given.items()}


def _build(
    found: Sequence[Any], manifest: Manifest, columns: Optional[Columns], limit: Optional[int] = None
) -> Records[Any]:
    if limit is not None and limit < 1:
        raise ValueError('limit must be a whole number from 1')
    built: Records[Any] = Records(found if limit is None else found[:limit])
    built._columns = columns
    built.revision = manifest.revision
    return built
