"""What was published, from the files of a mirror."""

from __future__ import annotations

import datetime
import os
from pathlib import Path
from typing import Any, Collection, Dict, Iterator, List, NamedTuple, Optional, Sequence, Union

from .connection import Connection, parse_base_url
from .errors import NotFound
from .frames import Columns, ColumnSource, list_columns_of_declaration
from .http_response import parse_http_date
from .mirror_files import Manifest, MirrorFiles, MirrorSource
from .parameters import Instant, format_as_of, parse_instant
from .reader import list_record_columns
from .responses import Records, RecordStream
from .verify import Options, Verified, verify_ledger

AsOf = Union[Instant, int, None]


class MirrorFile(NamedTuple):
    """A Parquet file with records of a dataset."""

    url: str
    month: Optional[str]
    """The month of the last day of its periods, such as 2026-05; None if records have no dates."""


class Mirror:
    """A mirror of a service, at its address: everything that was published, as of each revision.

    It needs no service and no token. Data is Parquet, which pyarrow reads:
    `pip install tenor-client[arrow]`. `as_of` is the number of a revision, an instant, or a day,
    which means its end in UTC; by default the newest revision is read. To select records, query
    the files with DuckDB, or take the records as a frame.
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

    def datasets(self, *, as_of: AsOf = None) -> List[str]:
        """The names of the datasets that it has of a revision."""
        return list(self._manifest(as_of).datasets)

    def files(self, dataset: str, *, as_of: AsOf = None) -> List[MirrorFile]:
        """The Parquet files with the records of a dataset, by month."""
        found = self._manifest(as_of).find(dataset)
        months = found.months or [None] * len(found.files)
        return [MirrorFile(f'{self._url}/{path}', month) for path, month in zip(found.files, months)]

    def records(
        self, dataset: str, *, as_of: AsOf = None, month: Optional[str] = None
    ) -> RecordStream[Dict[str, Any]]:
        """The records of a dataset, or those of a month such as 2026-05: the newest month first."""
        manifest = self._manifest(as_of)
        files, months = manifest.find(dataset)
        if months is not None:
            pairs = list(zip(files, months))[::-1]
            files = tuple(path for path, each in pairs if month in (None, each))
        elif month is not None:
            raise ValueError(f'the records of {dataset} have no months')
        known = None if dataset == 'fund-allocation' else list_record_columns(dataset)
        columns: ColumnSource = known
        if known == ():
            columns = lambda: self._declared_columns(dataset, manifest)
        return RecordStream(self._read_pages(dataset, files, manifest.revision, columns), columns)

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

    def _read_pages(
        self, dataset: str, files: Sequence[str], revision: int, columns: ColumnSource
    ) -> Iterator[Records[Any]]:
        for batch in self._files.read_records(dataset, files):
            page: Records[Any] = Records(batch)
            page._columns = columns
            page.revision = revision
            yield page

    def _declared_columns(self, dataset: str, manifest: Manifest) -> Columns:
        """The columns of a declared dataset, by its declaration at the revision."""
        paths = manifest.datasets['datasets'].files if 'datasets' in manifest.datasets else ()
        for batch in self._files.read_records('datasets', paths):
            for declaration in batch:
                if declaration['name'] == dataset:
                    return list_columns_of_declaration(declaration)
        return ()

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
