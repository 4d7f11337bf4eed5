"""Columns of aligned tables."""

from __future__ import annotations

import re
from typing import List, Mapping, Optional, Union

from .frames import PERIOD_KINDS, Columns, add_year_start
from .parameters import Parameter
from .records import Aggregate, Units

# Commas within parentheses separate no columns.
COLUMN = re.compile(r'(?:[^,(]|\([^)]*\)?)+')


def aligned_column(
    dataset: str,
    measure: str,
    /,
    *,
    aggregate: Optional[Aggregate] = None,
    units: Optional[Units] = None,
    **dimensions: str,
) -> str:
    """The text of a column, such as `kibor.bid(tenor=6M)@mean:chg`.

    The signs of its syntax are percent-encoded in values and in names of members of lists.
    """
    values = ','.join(f'{name}={_encode(value)}' for name, value in dimensions.items())
    selection = f'({values})' if values else ''
    transform = (f'@{aggregate}' if aggregate else '') + (f':{units}' if units else '')
    return f'{dataset}.{_encode(measure)}{selection}{transform}'


def join_columns(columns: Parameter) -> str:
    """The parameter of several columns, in which a comma may be within parentheses."""
    return ','.join(map(str, columns)) if isinstance(columns, (list, tuple)) else str(columns)


def list_aligned_datasets(columns: str) -> List[str]:
    """The names before the measures of columns."""
    return [name.partition('.')[0] for name in COLUMN.findall(columns)]


def list_aligned_columns(
    columns: str, parameters: Mapping[str, Parameter], year_start: Union[int, str, None]
) -> Columns:
    """The columns of a table; without a frequency, its labels tell the kind of its periods."""
    names: List[str] = COLUMN.findall(columns)
    kinds = [('', 'number'), ('.status', 'text'), ('.observed', 'integer')]
    asked = [kind for kind in kinds if not kind[0] or parameters.get(kind[0][1:]) == 'true']
    kind = PERIOD_KINDS.get(str(parameters.get('frequency')), 'period')
    return [
        ('period', add_year_start(kind, year_start)),
        *((f'{name}{suffix}', kind) for name in names for suffix, kind in asked),
    ]


def _encode(text: str) -> str:
    return re.sub(r'[(),:@%]', lambda sign: f'%{ord(sign[0]):02X}', str(text))
