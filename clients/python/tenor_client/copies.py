"""The formats of copies of datasets."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import re
from pathlib import Path
from typing import Any, BinaryIO, Dict, Iterator, List, Literal, NamedTuple, Optional, Tuple, Type

from .files import create_part_path, replace_file
from .frames import import_module
from .records import KEYS

SyncFormat = Literal['csv', 'parquet', 'duckdb']
LEDGER = 'tenor_copies'
ESCAPED_FORMULA = re.compile("'+[=+\\-@＝＋－＠]")


class CopyState(NamedTuple):
    """The dataset and the revision that a copy holds."""

    dataset: str
    revision: int
    last_change: str
    """Number and instant of the last revision of the dataset: another database has others."""
    digest: str = ''
    """SHA-256 of the file: one that was changed otherwise is copied again."""


class Copy:
    """A copy of a dataset."""

    export_format: Literal['csv', 'parquet'] = 'csv'
    changes_format = 'csv'

    def __init__(self, path: Path, dataset: str) -> None:
        self.path = path
        self.dataset = dataset

    def read_state(self) -> Optional[CopyState]:
        raise NotImplementedError

    def write_state(self, state: CopyState) -> None:
        raise NotImplementedError

    def replace(self, exported: Path, state: CopyState) -> None:
        raise NotImplementedError

    def apply(self, pages: Iterator[bytes], old: CopyState, new: CopyState) -> Optional[int]:
        """Applies pages of changes, in the order of the dataset; returns the number of changes.

        None if they do not fit the copy: it has other columns, or another process changed it.
        """
        raise NotImplementedError


class FileCopy(Copy):
    """A copy in a file, with its state in another one.

    The file is renamed first. A crash before the state follows leaves a digest that does not fit,
    and the next call copies everything. So does another process that writes in between.
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
        with replace_file(self._state_path) as file:
            file.write((json.dumps(state._asdict()) + '\n').encode())

    def replace(self, exported: Path, state: CopyState) -> None:
        digest = _digest(exported)
        os.replace(exported, self.path)
        self.write_state(state._replace(digest=digest))


class CsvCopy(FileCopy):
    """A copy as CSV, byte for byte the export of its revision."""

    def apply(self, pages: Iterator[bytes], old: CopyState, new: CopyState) -> Optional[int]:
        part = create_part_path(self.path)
        try:
            with open(self.path, 'rb') as source, open(part, 'wb') as target:
                count = self._merge(source, _split_lines(pages), target)
                os.fsync(target.fileno())
            if count is not None:
                self.replace(part, new)
        finally:
            part.unlink(missing_ok=True)
        return count

    def _merge(self, old: BinaryIO, lines: Iterator[bytes], new: BinaryIO) -> Optional[int]:
        """Merges two sorted lists, so that neither has to fit into memory."""
        header = next(lines)
        copy_header = old.readline()
        if copy_header != header.partition(b',')[2]:
            return None
        new.write(copy_header)
        order = _RowOrder(self.dataset, _parse_line(copy_header))
        count = 0
        line = old.readline()
        for change in lines:
            name, _, text = change.partition(b',')
            key = order.key(text)
            while line and order.key(line) < key:
                new.write(line)
                line = old.readline()
            if line and order.key(line) == key:
                line = old.readline()
            if name != b'retired':
                new.write(text)
            count += 1
        while line:
            new.write(line)
            line = old.readline()
        return count


class ParquetCopy(FileCopy):
    """A copy as Parquet, written by pyarrow."""

    export_format = 'parquet'
    changes_format = 'arrow'

    def read_state(self) -> Optional[CopyState]:
        import_module('pyarrow')
        return super().read_state()

    def apply(self, pages: Iterator[bytes], old: CopyState, new: CopyState) -> Optional[int]:
        arrow = import_module('pyarrow')
        parquet = import_module('pyarrow.parquet')
        changes = arrow.concat_tables([arrow.ipc.open_stream(page).read_all() for page in pages])
        copy = parquet.read_table(self.path)
        if changes.column_names != ['change', *copy.column_names]:
            return None
        names = [name for name, _ in KEYS[self.dataset]]
        keys = changes.select(names).cast(arrow.schema([copy.schema.field(name) for name in names]))
        kept = copy.join(keys, names, join_type='left anti')
        is_added = arrow.compute.not_equal(changes['change'].cast(arrow.string()), 'retired')
        added = changes.filter(is_added).select(copy.column_names)
        rows = [table.select(copy.column_names).cast(copy.schema) for table in (kept, added)]
        part = create_part_path(self.path)
        try:
            parquet.write_table(self._sort(arrow.concat_tables(rows)), part)
            self.replace(part, new)
        finally:
            part.unlink(missing_ok=True)
        return int(changes.num_rows)

    def _sort(self, table: Any) -> Any:
        compute = import_module('pyarrow.compute')
        columns, orders = {}, []
        for name, order in KEYS[self.dataset]:
            column = table[name]
            columns[name] = compute.ascii_upper(column) if order == 'folded' else column
            orders.append((name, 'descending' if order == 'descending' else 'ascending'))
        keys = import_module('pyarrow').table(columns)
        return table.take(compute.sort_indices(keys, sort_keys=orders))


class DuckDbCopy(Copy):
    """A copy as a table of a DuckDB database, changed in one transaction."""

    export_format = 'parquet'
    changes_format = 'parquet'

    def read_state(self) -> Optional[CopyState]:
        if not self.path.exists():
            return None
        with self._connect() as database:
            return self._find_state(database)

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

    def apply(self, pages: Iterator[bytes], old: CopyState, new: CopyState) -> Optional[int]:
        parts: List[Path] = []
        try:
            for page in pages:
                parts.append(create_part_path(self.path))
                parts[-1].write_bytes(page)
            with self._connect() as database:
                return self._apply_files(database, [str(part) for part in parts], old, new)
        finally:
            for part in parts:
                part.unlink(missing_ok=True)

    def _apply_files(
        self, database: Any, files: List[str], old: CopyState, new: CopyState
    ) -> Optional[int]:
        changes = database.read_parquet(files)
        database.execute('BEGIN')
        columns = [row[0] for row in database.execute(f'DESCRIBE {self._table}').fetchall()]
        if changes.columns != ['change', *columns] or self._find_state(database) != old:
            return None
        database.execute('CREATE TEMP TABLE tenor_changes AS FROM changes')
        keys = [f'changed."{name}" = copied."{name}"' for name, _ in KEYS[self.dataset]]
        database.execute(
            f'DELETE FROM {self._table} AS copied USING tenor_changes AS changed '
            f'WHERE {" AND ".join(keys)}'
        )
        database.execute(
            f'INSERT INTO {self._table} BY NAME SELECT * EXCLUDE (change) FROM tenor_changes '
            "WHERE change <> 'retired'"
        )
        (count,) = database.execute('SELECT count(*) FROM tenor_changes').fetchone()
        self._record(database, new)
        database.execute('COMMIT')
        return int(count)

    @property
    def _table(self) -> str:
        return '"' + self.dataset.replace('"', '""') + '"'

    def _connect(self) -> Any:
        return import_module('duckdb').connect(str(self.path))

    def _find_state(self, database: Any) -> Optional[CopyState]:
        tables = database.execute('SELECT table_name FROM duckdb_tables()').fetchall()
        if not {LEDGER, self.dataset} <= {name for (name,) in tables}:
            return None
        query = f'SELECT revision, last_change FROM {LEDGER} WHERE dataset = ?'
        row = database.execute(query, [self.dataset]).fetchone()
        return row and CopyState(self.dataset, row[0], row[1])

    def _record(self, database: Any, state: CopyState) -> None:
        database.execute(
            f'CREATE TABLE IF NOT EXISTS {LEDGER} '
            '(dataset VARCHAR PRIMARY KEY, revision BIGINT, last_change VARCHAR)'
        )
        values = [state.dataset, state.revision, state.last_change]
        database.execute(f'INSERT OR REPLACE INTO {LEDGER} VALUES (?, ?, ?)', values)


COPIES: Dict[Optional[str], Type[Copy]] = {
    'csv': CsvCopy,
    'parquet': ParquetCopy,
    'duckdb': DuckDbCopy,
}


class _Descending(bytes):
    """A text that sorts before smaller ones."""

    def __lt__(self, other: bytes) -> bool:
        return bytes.__gt__(self, other)


class _RowOrder:
    """The order of the rows of a dataset in its files."""

    def __init__(self, dataset: str, columns: List[str]) -> None:
        self._keys = [(columns.index(name), order) for name, order in KEYS[dataset]]

    def key(self, line: bytes) -> Tuple[bytes, ...]:
        cells = _parse_line(line)
        return tuple(_to_sortable(_unescape(cells[index]), order) for index, order in self._keys)


def _unescape(cell: str) -> str:
    """A text without the apostrophe that keeps spreadsheets from running it as a formula."""
    return cell[1:] if ESCAPED_FORMULA.match(cell) else cell


def _to_sortable(text: str, order: str) -> bytes:
    if order == 'descending':
        return _Descending(text.encode())
    # Of bytes, only the letters of ASCII are changed.
    return text.encode().upper() if order == 'folded' else text.encode()


def _split_lines(pages: Iterator[bytes]) -> Iterator[bytes]:
    """The header of the first page, then the lines of all. No value has a line end in it."""
    for index, page in enumerate(pages):
        lines = iter(io.BytesIO(page))
        header = next(lines)
        if index == 0:
            yield header
        yield from lines


def _parse_line(line: bytes) -> List[str]:
    return next(csv.reader([line.decode('utf-8')]))


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with open(path, 'rb') as file:
        for chunk in iter(lambda: file.read(1 << 20), b''):
            digest.update(chunk)
    return digest.hexdigest()
