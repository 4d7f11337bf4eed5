"""Records as frames of pandas, polars and Arrow, with the types of the catalogue."""

from __future__ import annotations

import datetime
import importlib
import re
from typing import (
    Any,
    Callable,
    Dict,
    Iterable,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
    Union,
)

from .parameters import INSTANT, is_day, parse_instant
from .records import FISCAL_KINDS, PANDAS_FREQUENCIES, PERIOD_KINDS

Columns = Sequence[Tuple[str, str]]
"""The name and kind of each field of a record; the kind `period` is told by its labels."""
ColumnSource = Union[Columns, Callable[[], Any], None]
"""The columns, or a function that asks the service for them when a frame is built."""

EXTRAS = {'pyarrow': 'arrow'}
MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split()


class FrameColumn(NamedTuple):
    """A column of a frame; `other` is the kind of one whose type its values decide."""

    name: str
    kind: str
    values: List[Any]


def build_columns(records: Iterable[Any], source: ColumnSource) -> List[FrameColumn]:
    """The columns of the catalogue in its order, then fields that it does not know."""
    columns: Optional[Columns] = source() if callable(source) else source
    rows = [flatten_record(record) for record in records]
    names = list(dict.fromkeys(name for row in rows for name in row))
    kinds: Dict[str, str] = {}
    for name, kind in columns or ():
        if kind.startswith('keyed '):
            keys = [key for key in names if key.startswith(f'{name}.')]
            kinds.update({key: kind[len('keyed ') :] for key in keys})
        else:
            kinds[name] = kind
    # An object that is null in some records, or a list that is empty in some, has columns already.
    known = [*kinds, *(name for name in names if name not in kinds)]
    nested = {name.rpartition('.')[0] for name in known}
    result = []
    for name in known:
        values = [row.get(name) for row in rows]
        kind, _, start = kinds.get(name, '').partition(' ')
        if kind == 'period':
            inferred = add_year_start(_infer_kind('period', values), start)
            result.append(FrameColumn(name, inferred, values))
        elif name in kinds:
            result.append(FrameColumn(name, kinds[name], values))
        elif name not in nested and not _is_keyed_field(name, columns):
            result.append(FrameColumn(name, _infer_kind(name, values), values))
    return result


def add_year_start(kind: str, start: Any) -> str:
    """The kind of periods of years that begin in a month, if it is known."""
    return f'{kind} {start}' if kind in FISCAL_KINDS and str(start or 1) != '1' else kind


def list_declared_columns(entry: Mapping[str, Any]) -> Columns:
    """The columns of a dataset by its entry in the catalogue."""
    period = entry['period'] or {'field': '', 'kind': ''}
    kind = PERIOD_KINDS.get(period['kind'], period['kind'])
    kind = add_year_start(kind, entry.get('yearStart'))
    types = {'number': 'number', 'integer': 'integer', 'string': 'text'}
    kinds = {field['name']: types.get(field['type'], 'other') for field in entry['fields']}
    return [(name, kind if name == period['field'] else kinds[name]) for name in kinds]


def transform_columns(
    columns: Columns, frequency: Any, units: Any, year_start: Any = None
) -> Columns:
    """The columns of a dataset whose figures are aggregated, or of other units."""
    if frequency is None and units in (None, 'lin'):
        return columns
    kinds = {'integer': 'number', 'keyed integer': 'keyed number'}
    if frequency is not None:
        result = PERIOD_KINDS.get(frequency, 'text')
        for _, kind in columns:
            name, _, start = kind.partition(' ')
            if name in PERIOD_KINDS.values():
                kinds[kind] = add_year_start(result, year_start or start)
    counts = [] if frequency is None else [('observed', 'integer'), ('expected', 'integer')]
    return [*((name, kinds.get(kind, kind)) for name, kind in columns), *counts]


def build_pandas(columns: Sequence[FrameColumn]) -> Any:
    pandas = import_module('pandas')
    series: Dict[str, Any] = {}
    for name, kind, values in columns:
        series[name] = _to_pandas_series(pandas, kind, values)
        frequency = _find_frequency(pandas, kind)
        if frequency is not None and 'time' not in series:
            periods = [_format_pandas_period(value) for value in values]
            series['time'] = pandas.Series(pandas.PeriodIndex(periods, freq=frequency))
    return pandas.DataFrame(series)


def build_polars(columns: Sequence[FrameColumn]) -> Any:
    polars = import_module('polars')
    types = {
        'number': polars.Float64,
        'integer': polars.Int64,
        'boolean': polars.Boolean,
        'day': polars.Date,
        'instant': polars.Datetime('us', 'UTC'),
        'other': None,
    }
    return polars.DataFrame(
        [
            polars.Series(name, _to_python(kind, values), types.get(kind, polars.String))
            for name, kind, values in columns
        ]
    )


def build_arrow(columns: Sequence[FrameColumn]) -> Any:
    arrow = import_module('pyarrow')
    types = {
        'number': arrow.float64(),
        'integer': arrow.int64(),
        'boolean': arrow.bool_(),
        'day': arrow.date32(),
        'instant': arrow.timestamp('us', 'UTC'),
        'other': None,
    }
    arrays = {
        name: arrow.array(_to_python(kind, values), types.get(kind, arrow.string()))
        for name, kind, values in columns
    }
    return arrow.table(arrays)


def import_module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as cause:
        package = name.partition('.')[0]
        extra = EXTRAS.get(package, package)
        message = f'this needs {package}: pip install {package}, or tenor-client[{extra}]'
        raise ImportError(message) from cause


def _find_frequency(pandas: Any, kind: str) -> Any:
    """The frequency of periods of a kind: of fiscal ones an offset, whose name versions differ in."""
    name, _, start = kind.partition(' ')
    if not start:
        return PANDAS_FREQUENCIES.get(name)
    last_month = int(start) - 1
    if name == 'annual':
        return pandas.offsets.YearEnd(month=last_month)
    return pandas.offsets.QuarterEnd(startingMonth=last_month)


def _to_pandas_series(pandas: Any, kind: str, values: List[Any]) -> Any:
    if kind == 'day':
        days = pandas.to_datetime(pandas.Series(values, dtype='object'), format='%Y-%m-%d')
        return days.astype('datetime64[ns]')
    if kind == 'instant':
        instants = pandas.Series(_to_python(kind, values), dtype='object')
        return pandas.to_datetime(instants, utc=True).astype('datetime64[ns, UTC]')
    types = {'number': 'float64', 'integer': 'Int64', 'boolean': 'boolean', 'other': None}
    return pandas.Series(values, dtype=types.get(kind, 'str'))


def _to_python(kind: str, values: List[Any]) -> List[Any]:
    """Values that polars and Arrow take for the type of the kind."""
    if kind == 'day':
        return [None if value is None else datetime.date.fromisoformat(value) for value in values]
    if kind == 'instant':
        return [None if value is None else parse_instant(value) for value in values]
    if kind == 'number':
        return [None if value is None else float(value) for value in values]
    return values


def _infer_kind(name: str, values: List[Any]) -> str:
    """The kind of a column that the catalogue does not know."""
    texts = [value for value in values if value is not None]
    if not texts or not all(isinstance(value, str) for value in texts):
        return 'other'
    if all(is_day(text) for text in texts):
        return 'day'
    if all(INSTANT.fullmatch(text) and parse_instant(text) for text in texts):
        return 'instant'
    periods = {_parse_period(text) for text in texts} if name in ('period', 'year') else set()
    kinds = {period[0] for period in periods if period}
    return kinds.pop() if len(kinds) == 1 and None not in periods else 'text'


def _is_keyed_field(name: str, columns: Optional[Columns]) -> bool:
    return any(name == field and kind.startswith('keyed ') for field, kind in columns or ())


def flatten_record(record: Mapping[str, Any]) -> Dict[str, Any]:
    """A record with a key for each entry of its keyed lists and of its objects."""
    flat: Dict[str, Any] = {}
    for name, value in record.items():
        if isinstance(value, list) and value and all(_is_keyed(item) for item in value):
            flat.update({f'{name}.{item["key"]}': item['value'] for item in value})
        elif isinstance(value, dict) and value:
            flat.update({f'{name}.{key}': item for key, item in flatten_record(value).items()})
        else:
            flat[name] = value
    return flat


def _is_keyed(item: Any) -> bool:
    return isinstance(item, dict) and item.keys() == {'key', 'value'}


def _format_pandas_period(label: Any) -> Optional[str]:
    period = _parse_period(str(label))
    return period and period[1]


def _parse_period(label: str) -> Optional[Tuple[str, str]]:
    """The kind of the period of a label, and the period as pandas writes it."""
    month, _, year = label.partition(' ')
    if month in MONTHS and re.fullmatch(r'\d{4}', year):
        return 'monthly', f'{year}-{MONTHS.index(month) + 1:02d}'
    if re.fullmatch(r'Q[1-4] (FY)?\d{4}', label):
        return 'quarterly', f'{year[-4:]}{month}'
    if re.fullmatch(r'\d{4}-W\d{2}', label):
        monday = datetime.datetime.strptime(f'{label}-1', '%G-W%V-%u')
        return 'weekly', monday.date().isoformat()
    # A fiscal year is named after the year it ends in; FY70 to FY99 are of the last century.
    fiscal = re.fullmatch(r'FY(\d{4}|\d{2})|(\d{4})(-\d{2}|-\d{4})?', label)
    if fiscal is None:
        return None
    if fiscal[1]:
        short = int(fiscal[1])
        return 'annual', str(short if short > 99 else short + (2000 if short < 70 else 1900))
    return 'annual', str(int(fiscal[2]) + (1 if fiscal[3] else 0))
