"""Columns of aligned tables."""

from __future__ import annotations

import re
from typing import Iterable, List, Mapping, Optional, Union

from .frames import Columns, add_year_start
from .parameters import Parameter
from .records import PERIOD_KINDS, Aggregate, Units

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
    if isinstance(columns, Iterable) and not isinstance(columns, str):
        return ','.join(map(str, columns))
    return str(columns)


def split_columns(columns: str) -> List[str]:
    names: List[str] = COLUMN.findall(columns)
    return names


def list_aligned_columns(
    parameters: Mapping[str, Parameter], year_start: Union[int, str, None]
) -> Columns:
    """The columns of a table; without a frequency, its labels tell the kind of its periods."""
    kinds = [('', 'number'), ('.status', 'text'), ('.observed', 'integer')]
    asked = [each for each in kinds if not each[0] or parameters.get(each[0][1:]) in (True, 'true')]
    kind = PERIOD_KINDS.get(str(parameters.get('frequency')), 'period')
    return [
        ('period', add_year_start(kind, year_start)),
        *(
            (f'{name}{suffix}', kind)
            for name in split_columns(str(parameters['columns']))
            for suffix, kind in asked
        ),
    ]


def _encode(text: str) -> str:
    return re.sub(r'[(),:@%]', lambda sign: f'%{ord(sign[0]):02X}', str(text))
