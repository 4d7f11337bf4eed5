"""Records from the Parquet files of a mirror, as the service sends them."""

from __future__ import annotations

import io
import json
from typing import Any, Dict, Iterator, List, Sequence, Set, cast

from .errors import UnexpectedResponseError
from .frames import import_module
from .records import COLUMNS, RECORD_COLUMNS

MAX_VALUES = 32 << 20
MAX_BYTES = 512 << 20


def read_records(dataset: str, content: bytes) -> List[Dict[str, Any]]:
    """The records that a Parquet file of a dataset was made from."""
    table = _read_table(dataset, content)
    names: List[str] = table.column_names
    columns = {name: _list_values(table.column(name)) for name in names}
    if dataset == 'fund-allocation':
        return _restore_funds(columns)
    nested = _list_nested_fields(dataset)
    fields: Dict[str, Sequence[Any]] = {}
    for name in names:
        list_name = name.partition('.')[0]
        if list_name not in nested:
            fields[name] = columns[name]
        elif list_name not in fields:
            fields[list_name] = _restore_nested(list_name, columns, table.num_rows)
    return [dict(zip(fields, values)) for values in zip(*fields.values())]


def _read_table(dataset: str, content: bytes) -> Any:
    parquet = import_module('pyarrow.parquet')
    try:
        file = parquet.ParquetFile(io.BytesIO(content))
        metadata = file.metadata
        groups = map(metadata.row_group, range(metadata.num_row_groups))
        size = sum(group.total_byte_size for group in groups)
        if metadata.num_rows * metadata.num_columns > MAX_VALUES or size > MAX_BYTES:
            raise UnexpectedResponseError(
                f'a file with records of {dataset} can have {MAX_VALUES:,} values and {MAX_BYTES:,} '
                'bytes at most when it is decompressed, and has more'
            )
        return file.read()
    except import_module('pyarrow').ArrowException as cause:
        message = f'a file with records of {dataset} cannot be read: {cause}'
        raise UnexpectedResponseError(message) from cause


def _list_values(column: Any) -> List[Any]:
    """The values of a column: days are texts, and numbers as JSON has them."""
    arrow = import_module('pyarrow')
    if arrow.types.is_date(column.type):
        column = column.cast(arrow.string())
    if not arrow.types.is_floating(column.type):
        return cast(List[Any], column.to_pylist())
    compute = import_module('pyarrow.compute')
    is_whole = compute.equal(column, compute.floor(column))
    values: List[Any] = column.to_pylist()
    for index in compute.indices_nonzero(is_whole).to_pylist():
        values[index] = int(values[index])
    return values


def _list_nested_fields(dataset: str) -> Set[str]:
    """Fields that are lists or objects."""
    keyed = {name for name, kind in COLUMNS.get(dataset, ()) if kind.startswith('keyed ')}
    others = RECORD_COLUMNS.get(dataset, ())
    return keyed | {name.partition('.')[0] for name, kind in others if kind == 'other' or '.' in name}


def _restore_nested(name: str, columns: Dict[str, List[Any]], count: int) -> List[Any]:
    """Nested fields are JSON; those with columns `list.key` are so only in rows that lack keys."""
    members = {key[len(name) + 1 :]: columns[key] for key in columns if key.startswith(f'{name}.')}
    texts = columns.get(name, [None] * count)

    def restore(row: int) -> Any:
        if texts[row] is not None:
            return json.loads(texts[row])
        if not members:
            return None
        return [{'key': key, 'value': values[row]} for key, values in members.items()]

    return [restore(row) for row in range(count)]


def _restore_funds(columns: Dict[str, List[Any]]) -> List[Dict[str, Any]]:
    """A fund has a row for each class in each period."""
    funds: Dict[str, Dict[str, Any]] = {}
    for row in _list_rows(columns):
        label, date, name, value = (row.pop(key) for key in ('period', 'date', 'class', 'value'))
        fund = funds.setdefault(row['fund_id'], {**row, 'periods': [], 'rows': []})
        if date is not None and date not in [period['date'] for period in fund['periods'][-1:]]:
            fund['periods'].append({'label': label, 'date': date})
        if name is None:
            continue
        if all(each['label'] != name for each in fund['rows']):
            fund['rows'].append({'label': name, 'values': []})
        if date is not None:
            next(each for each in fund['rows'] if each['label'] == name)['values'].append(value)
    return list(funds.values())


def _list_rows(columns: Dict[str, List[Any]]) -> Iterator[Dict[str, Any]]:
    return (dict(zip(columns, values)) for values in zip(*columns.values()))
