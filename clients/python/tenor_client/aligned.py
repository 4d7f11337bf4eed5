"""Columns of aligned tables."""

from __future__ import annotations

import re
from typing import List, Optional

from .frames import PERIOD_KINDS, Columns
from .parameters import Parameter
from .records import Units

# Commas within parentheses separate no columns.
COLUMN = re.compile(r'(?:[^,(]|\([^)]*\)?)+')


def aligned_column(
    dataset: str, measure: str, /, *, units: Optional[Units] = None, **dimensions: str
) -> str:
    """The text of a column, such as `kibor.bid(tenor=6M):chg`.

    The signs of its syntax are percent-encoded in values and in names of members of lists.
    """
    values = ','.join(f'{name}={_encode(value)}' for name, value in dimensions.items())
    selection = f'({values})' if values else ''
    return f'{dataset}.{_encode(measure)}{selection}' + (f':{units}' if units else '')


def join_columns(columns: Parameter) -> str:
    """The parameter of several columns, in which a comma may be within parentheses."""
    return ','.join(map(str, columns)) if isinstance(columns, (list, tuple)) else str(columns)


def list_aligned_columns(columns: str, frequency: object, has_status: bool) -> Columns:
    """The columns of a table; without a frequency, its labels tell the kind of its periods."""
    names: List[str] = COLUMN.findall(columns)
    status = [(f'{name}.status', 'text') for name in names]
    figures = [(name, 'number') for name in names]
    pairs = zip(figures, status) if has_status else zip(figures)
    return [
        ('period', PERIOD_KINDS.get(str(frequency), 'period')),
        *(column for pair in pairs for column in pair),
    ]


def _encode(text: str) -> str:
    return re.sub(r'[(),:%]', lambda sign: f'%{ord(sign[0]):02X}', str(text))
