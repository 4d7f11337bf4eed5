"""Published states of records, and what was valid at each revision."""

from __future__ import annotations

from typing import Any, Dict, Iterable, Iterator, List, Literal, Mapping, Tuple, Union

from .frames import build_columns, build_pandas, flatten_record, import_module
from .parameters import parse_instant
from .records import COLUMNS, KEYS
from .responses import Records

FUNDS = 'fund-allocation'
INTERVAL = [name for name, _ in COLUMNS['vintages']]

Measures = Union[str, Iterable[str], None]
MatrixColumns = Literal['revision', 'published']


def divide_funds(states: Records[Dict[str, Any]]) -> Records[Dict[str, Any]]:
    """A table of period by class, as in the formats of the service."""
    rows = Records(
        {**row, **{name: state[name] for name in INTERVAL}} for state in states for row in _flatten(state)
    )
    others = [('fund_id', 'text'), ('period', 'text'), *COLUMNS['vintages']]
    classes = dict.fromkeys(name for row in rows for name in row if name not in dict(others))
    rows._columns = [*others[:2], *((name, 'number') for name in classes), *others[2:]]
    return rows


def build_matrix(
    dataset: str, states: List[Dict[str, Any]], measures: Measures, columns: MatrixColumns
) -> Any:
    pandas = import_module('pandas')
    instants = {state['since']: state['published'] for state in states}
    instants.update({state['until']: state['withdrawn'] for state in states if state['until']})
    revisions = sorted(instants)
    indexes = {revision: index for index, revision in enumerate(revisions)}
    flat = [(state, record) for state in states for record in _flatten(state)]
    key = _list_key_fields(dataset, flat[0][1] if flat else {})
    names = _list_measures([record for _, record in flat], key, measures)
    rows: Dict[Tuple[Any, ...], List[Any]] = {}
    for state, record in flat:
        start, end = indexes[state['since']], indexes.get(state['until'], len(revisions))
        for name in names:
            if name in record:
                row = (*(record[field] for field in key), name)
                values = rows.setdefault(row, [None] * len(revisions))
                values[start:end] = [record[name]] * (end - start)
    levels = [*key, 'measure'] if len(names) > 1 else key
    labels = [parse_instant(instants[each]) for each in revisions]
    frame = pandas.DataFrame(
        list(rows.values()),
        columns=pandas.Index(revisions if columns == 'revision' else labels, name=columns),
        dtype='float64' if all(_is_figure(each) for row in rows.values() for each in row) else None,
    )
    keys = build_columns([dict(zip(levels, row)) for row in rows], None)
    # A day is a timestamp; a period keeps its label.
    series = [build_pandas([column])[column.name] for column in keys]
    return frame.set_index(series) if series else frame


def _list_key_fields(dataset: str, record: Mapping[str, Any]) -> List[str]:
    """A record of a series is identified by its texts: its period and its dimensions."""
    if dataset in KEYS and dataset != FUNDS:
        return list(KEYS[dataset])
    return [name for name, value in record.items() if isinstance(value, str) and name != 'status']


def _list_measures(
    records: List[Mapping[str, Any]], key: List[str], measures: Measures
) -> List[str]:
    """The named measures, or the fields in which no record has another value than a number."""
    fields = dict.fromkeys(name for record in records for name in record if name not in key)
    if measures is None:
        return [name for name in fields if all(_is_figure(record.get(name)) for record in records)]
    names = [measures] if isinstance(measures, str) else list(measures)
    unknown = next((name for name in names if records and name not in fields), None)
    if unknown is not None:
        raise ValueError(f'there is no measure {unknown!r}; there are {", ".join(fields)}')
    return names


def _is_figure(value: Any) -> bool:
    return value is None or (isinstance(value, (int, float)) and not isinstance(value, bool))


def _flatten(state: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The record of a state; that of a fund is one for each period."""
    record = {name: value for name, value in state.items() if name not in INTERVAL}
    if 'periods' not in record or 'rows' not in record:
        yield flatten_record(record)
        return
    for index, period in enumerate(record['periods']):
        figures = {row['label']: row['values'][index] for row in record['rows']}
        yield {'fund_id': record['fund_id'], 'period': period['label'], **figures}
