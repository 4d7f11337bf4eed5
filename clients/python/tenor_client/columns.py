"""The columns of operations and datasets."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Tuple

from .aligned import list_aligned_columns, split_columns
from .frames import Columns, transform_columns
from .records import COLUMNS, FISCAL_KINDS, PATHS, RECORD_COLUMNS, SERIES

Parameters = Mapping[str, Any]


def list_columns(operation: str, parameters: Parameters, record: Columns) -> Optional[Columns]:
    """The columns of an operation; changes and corrections also have those of their records."""
    if operation == 'dataset':
        frequency, units = parameters.get('frequency'), parameters.get('units')
        return transform_columns(record, frequency, units, parameters.get('year_start'))
    if operation == 'vintages':
        return [*record, *COLUMNS['vintages']]
    known = COLUMNS.get(operation)
    if known is None:
        return None
    prefixes = [name for name, kind in known if kind == 'record']
    nested = [(f'{prefix}.{name}', kind) for prefix in prefixes for name, kind in record]
    return [*(column for column in known if column[0] not in prefixes), *nested]


def find_columns(
    operation: str, parameters: Parameters, dataset: Optional[str]
) -> Tuple[bool, Optional[Columns]]:
    """Whether the columns are known without the catalogue of the service, and if so, the columns."""
    if operation == 'aligned':
        names = list_datasets(parameters)
        has_years = parameters.get('frequency') in (None, 'quarter', 'year')
        is_known = all(name in PATHS or name in COLUMNS for name in names)
        requested = parameters.get('year_start')
        if requested is None and has_years and not is_known:
            return False, None
        return True, list_aligned_columns(parameters, str(requested or ''))
    record = list_record_columns(dataset or '')
    if dataset in SERIES and operation in ('dataset', 'vintages'):
        record = _with_status(record)
    is_known = dataset is None or bool(record)
    return is_known, list_columns(operation, parameters, record) if is_known else None


def derive_columns(
    operation: str, parameters: Parameters, dataset: Optional[str], declared: Dict[str, Columns]
) -> Columns:
    """The columns by those of the datasets in the catalogue of the service."""
    if operation == 'aligned':
        # The years of a table are those of its first column that has some.
        names = list_datasets(parameters)
        columns = [list_record_columns(name) or declared.get(name, ()) for name in names]
        starts = [kind.partition(' ') for each in columns for _, kind in each[:1]]
        start = next((start for kind, _, start in starts if kind in FISCAL_KINDS), '')
        return list_aligned_columns(parameters, start)
    record = declared.get(dataset or '', ())
    # Every series has its status there.
    states = _with_status(record) if operation == 'vintages' else record
    return list_columns(operation, parameters, states) or ()


def list_datasets(parameters: Parameters) -> List[str]:
    """The names before the measures of aligned columns."""
    return [column.partition('.')[0] for column in split_columns(parameters['columns'])]


def list_record_columns(dataset: str) -> Columns:
    """The columns of a dataset; there are none of one that is newer than this client."""
    return RECORD_COLUMNS.get(dataset) or COLUMNS.get(dataset, ())


def _with_status(columns: Columns) -> Columns:
    return columns if 'status' in dict(columns) else [*columns, ('status', 'text')]
