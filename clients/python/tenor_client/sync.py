"""Copies of datasets in files, kept up to date by their changes."""

from __future__ import annotations

import csv
import hashlib
import json
import os
import urllib.parse
from pathlib import Path
from typing import (
    TYPE_CHECKING,
    Any,
    BinaryIO,
    Dict,
    Iterator,
    List,
    Literal,
    NamedTuple,
    Optional,
    Tuple,
)

from .errors import BadRequest, UnexpectedAnswer
from .frames import import_module
from .records import COLUMNS, KEYS

if TYPE_CHECKING:
    from .client import Tenor

SyncFormat = Literal['csv', 'parquet', 'duckdb']
FORMATS: Dict[str, SyncFormat] = {'.csv': 'csv', '.parquet': 'parquet', '.duckdb': 'duckdb'}
LEDGER = 'tenor_copies'


class Synced(NamedTuple):
    """What `sync` did."""

    path: Path
    revision: int
    changes: Optional[int]
    """How many changes were applied; None if the whole dataset was copied."""


class CopyState(NamedTuple):
    """What a copy holds."""

    dataset: str
    revision: int
    published_at: str
    """Number and instant of the last revision of the dataset: another database has others."""
    digest: str = ''
    """SHA-256 of the file: one that was changed otherwise is copied again."""


def sync_copy(
    tenor: Tenor, dataset: str, path: Path, format: Optional[SyncFormat] = None
) -> Synced:
    chosen = format or FORMATS.get(path.suffix.lower())
    if chosen is None:
        raise ValueError(f'path must end in {", ".join(FORMATS)}, or format name one: {path}')
    copy = {'csv': CsvCopy, 'parquet': ParquetCopy, 'duckdb': DuckDbCopy}[chosen](path, dataset)
    state = copy.read_state()
    if state is None or not _is_known(tenor, state):
        return _copy_all(tenor, copy)
    changes = tenor.changes(dataset, state.revision)
    try:
        first = next(changes.pages(), None)
    except BadRequest:
        # The database was replaced by one with fewer revisions.
        return _copy_all(tenor, copy)
    if not first:
        # Revisions of other datasets change nothing here.
        copy.write_state(state._replace(**_identify(tenor, dataset, changes.revision)))
        return Synced(path, changes.revision, 0)
    if not _is_incremental(dataset):
        return _copy_all(tenor, copy)
    rows = _read_change_rows(tenor, dataset, state.revision, changes.revision)
    count = copy.apply(rows, CopyState(**_identify(tenor, dataset, changes.revision)))
    return Synced(path, changes.revision, count)


def _copy_all(tenor: Tenor, copy: Copy) -> Synced:
    part = copy.path.with_name(copy.path.name + '.export')
    try:
        exported = tenor.export(copy.dataset, copy.export_format, part)
        revision = exported.revision
        if revision is None:
            raise UnexpectedAnswer('the export has no revision')
        copy.replace(part, CopyState(**_identify(tenor, copy.dataset, revision)))
    finally:
        part.unlink(missing_ok=True)
    return Synced(copy.path, revision, None)


def _identify(tenor: Tenor, dataset: str, revision: int) -> Dict[str, Any]:
    """The state of a copy of a revision, which may have changed another dataset."""
    entries = tenor.revisions(dataset, before=revision + 1, limit=1)
    published_at = f'{entries[0]["revision"]} {entries[0]["publishedAt"]}' if entries else ''
    return {'dataset': dataset, 'revision': revision, 'published_at': published_at}


def _is_known(tenor: Tenor, state: CopyState) -> bool:
    """Whether the service has the revision of a copy, and not another one with its number."""
    expected = _identify(tenor, state.dataset, state.revision)
    return bool(expected['published_at'] == state.published_at)


def _is_incremental(dataset: str) -> bool:
    """Whether a record is one row whose columns and order do not depend on other records.

    The others are small, and are copied as a whole.
    """
    kinds = dict(COLUMNS.get(dataset, ()))
    keys = KEYS.get(dataset, ())
    is_flat = bool(kinds) and all(
        kind != 'other' and not kind.startswith('keyed ') for kind in kinds.values()
    )
    return is_flat and bool(keys) and all(kinds.get(name) in ('day', 'text') for name, _ in keys)


def _read_change_rows(
    tenor: Tenor, dataset: str, since: int, until: int
) -> Iterator[Tuple[str, List[str]]]:
    """The lines of the changes as CSV: the header, then the changes in the order of the dataset."""
    query = {'since': since, 'until': until, 'limit': 10_000}
    path = f'/changes/{urllib.parse.quote(dataset, safe="")}?{urllib.parse.urlencode(query)}'
    for index, text in enumerate(tenor._text_pages(path, 'text/csv')):
        lines = text.splitlines()
        for line in lines if index == 0 else lines[1:]:
            yield line, next(csv.reader([line]))


class Copy:
    """A copy of a dataset."""

    export_format: Literal['csv', 'parquet'] = 'csv'

    def __init__(self, path: Path, dataset: str) -> None:
        self.path = path
        self.dataset = dataset

    def read_state(self) -> Optional[CopyState]:
        raise NotImplementedError

    def write_state(self, state: CopyState) -> None:
        raise NotImplementedError

    def replace(self, exported: Path, state: CopyState) -> None:
        raise NotImplementedError

    def apply(self, rows: Iterator[Tuple[str, List[str]]], state: CopyState) -> int:
        """Applies changes, whose first row is the header; returns their number."""
        raise NotImplementedError


class FileCopy(Copy):
    """A copy in a file, with its state in another one beside it.

    The file is renamed first. A crash before the state follows leaves a digest that does not fit,
    and the next call copies everything.
    """

    @property
    def _state_path(self) -> Path:
        return self.path.with_name(self.path.name + '.tenor.json')

    def read_state(self) -> Optional[CopyState]:
        try:
            state = CopyState(**json.loads(self._state_path.read_text('utf-8')))
            is_intact = _digest(self.path) == state.digest and state.dataset == self.dataset
            return state if is_intact else None
        except (OSError, ValueError, TypeError):
            return None

    def write_state(self, state: CopyState) -> None:
        part = self._state_path.with_name(self._state_path.name + '.part')
        part.write_text(json.dumps(state._asdict()) + '\n', 'utf-8')
        os.replace(part, self._state_path)

    def replace(self, exported: Path, state: CopyState) -> None:
        with open(exported, 'rb') as file:
            os.fsync(file.fileno())
        digest = _digest(exported)
        os.replace(exported, self.path)
        self.write_state(state._replace(digest=digest))


class CsvCopy(FileCopy):
    """A copy as CSV, byte for byte the export of its revision."""

    def apply(self, rows: Iterator[Tuple[str, List[str]]], state: CopyState) -> int:
        part = self.path.with_name(self.path.name + '.part')
        try:
            with open(self.path, 'rb') as old, open(part, 'wb') as new:
                count = self._merge(old, rows, new)
            self.replace(part, state)
        finally:
            part.unlink(missing_ok=True)
        return count

    def _merge(self, old: BinaryIO, rows: Iterator[Tuple[str, List[str]]], new: BinaryIO) -> int:
        """Merges two sorted lists, so that neither has to fit into memory."""
        header, names = next(rows)
        copy_header = old.readline()
        if copy_header.decode('utf-8').rstrip('\r\n') != header.partition(',')[2]:
            raise UnexpectedAnswer(f'{self.path} has other columns than the changes')
        new.write(copy_header)
        order = _RowOrder(self.dataset, names[1:])
        count = 0
        line = old.readline()
        for text, cells in rows:
            key = order.key(cells[1:])
            while line and order.key(_parse_line(line)) < key:
                new.write(line)
                line = old.readline()
            if line and order.key(_parse_line(line)) == key:
                line = old.readline()
            if cells[0] != 'retired':
                new.write(text.partition(',')[2].encode() + b'\r\n')
            count += 1
        while line:
            new.write(line)
            line = old.readline()
        return count


class ParquetCopy(FileCopy):
    """A copy as Parquet, written by pyarrow."""

    export_format = 'parquet'

    def read_state(self) -> Optional[CopyState]:
        import_module('pyarrow')
        return super().read_state()

    def apply(self, rows: Iterator[Tuple[str, List[str]]], state: CopyState) -> int:
        arrow = import_module('pyarrow')
        parquet = import_module('pyarrow.parquet')
        read_csv = import_module('pyarrow.csv')
        old = parquet.read_table(self.path)
        text = '\n'.join(line for line, _ in rows)
        types = {**{field.name: field.type for field in old.schema}, 'change': arrow.string()}
        options = read_csv.ConvertOptions(column_types=types, strings_can_be_null=False)
        changes = read_csv.read_csv(arrow.py_buffer(text.encode()), convert_options=options)
        keys = KEYS[self.dataset]
        names = [name for name, _ in keys]
        kept = old.join(changes.select(names), names, join_type='left anti')
        is_kept = arrow.compute.not_equal(changes['change'], 'retired')
        added = changes.filter(is_kept).select(old.column_names).cast(old.schema)
        orders = [(name, 'descending' if is_last else 'ascending') for name, is_last in keys]
        table = arrow.concat_tables([kept.select(old.column_names).cast(old.schema), added])
        part = self.path.with_name(self.path.name + '.part')
        try:
            parquet.write_table(table.sort_by(orders), part)
            self.replace(part, state)
        finally:
            part.unlink(missing_ok=True)
        return int(changes.num_rows)


class DuckDbCopy(Copy):
    """A copy as a table of a DuckDB database, changed in one transaction."""

    export_format = 'parquet'

    def read_state(self) -> Optional[CopyState]:
        if not self.path.exists():
            return None
        with self._connect() as database:
            tables = database.sql('SELECT table_name FROM duckdb_tables()').fetchall()
            if not {LEDGER, self.dataset} <= {name for (name,) in tables}:
                return None
            query = f'SELECT revision, published_at FROM {LEDGER} WHERE dataset = ?'
            row = database.execute(query, [self.dataset]).fetchone()
        return row and CopyState(self.dataset, row[0], row[1])

    def write_state(self, state: CopyState) -> None:
        with self._connect() as database:
            self._record(database, state)

    def replace(self, exported: Path, state: CopyState) -> None:
        with self._connect() as database:
            database.execute('BEGIN')
            relation = database.read_parquet(str(exported))
            database.execute(f'CREATE OR REPLACE TABLE {self._table} AS FROM relation')
            self._record(database, state)
            database.execute('COMMIT')

    def apply(self, rows: Iterator[Tuple[str, List[str]]], state: CopyState) -> int:
        _, names = next(rows)
        places = [names.index(name) for name, _ in KEYS[self.dataset]]
        condition = ' AND '.join(f'"{names[place]}" = ?' for place in places)
        marks = ', '.join('?' for _ in names[1:])
        columns = ', '.join(f'"{name}"' for name in names[1:])
        count = 0
        with self._connect() as database:
            database.execute('BEGIN')
            for _, cells in rows:
                key = [cells[place] for place in places]
                database.execute(f'DELETE FROM {self._table} WHERE {condition}', key)
                if cells[0] != 'retired':
                    insert = f'INSERT INTO {self._table} ({columns}) VALUES ({marks})'
                    database.execute(insert, [cell or None for cell in cells[1:]])
                count += 1
            self._record(database, state)
            database.execute('COMMIT')
        return count

    @property
    def _table(self) -> str:
        return '"' + self.dataset.replace('"', '""') + '"'

    def _connect(self) -> Any:
        return import_module('duckdb').connect(str(self.path))

    def _record(self, database: Any, state: CopyState) -> None:
        database.execute(
            f'CREATE TABLE IF NOT EXISTS {LEDGER} '
            '(dataset VARCHAR PRIMARY KEY, revision BIGINT, published_at VARCHAR)'
        )
        values = [state.dataset, state.revision, state.published_at]
        database.execute(f'INSERT OR REPLACE INTO {LEDGER} VALUES (?, ?, ?)', values)


class _Descending(str):
    """A text that sorts before smaller ones."""

    def __lt__(self, other: str) -> bool:
        return str.__gt__(self, other)


class _RowOrder:
    """The order of the rows of a dataset in its files."""

    def __init__(self, dataset: str, columns: List[str]) -> None:
        self._places = [(columns.index(name), is_last) for name, is_last in KEYS[dataset]]

    def key(self, cells: List[str]) -> Tuple[Any, ...]:
        return tuple(
            _Descending(cells[place]) if is_last else cells[place].encode()
            for place, is_last in self._places
        )


def _parse_line(line: bytes) -> List[str]:
    return next(csv.reader([line.decode('utf-8')]))


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with open(path, 'rb') as file:
        for chunk in iter(lambda: file.read(1 << 20), b''):
            digest.update(chunk)
    return digest.hexdigest()
