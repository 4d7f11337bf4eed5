"""Responses as lists and dicts with metadata, which convert to frames."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, TypeVar

from .frames import (
    ColumnSource,
    FrameColumn,
    build_arrow,
    build_columns,
    build_pandas,
    build_polars,
)
from .http_response import (
    Response,
    parse_cursor,
    parse_http_date,
    parse_integer,
    parse_next_url,
    parse_successor,
    parse_units,
)

R = TypeVar('R')


class ResponseMeta:
    """The facts about the data of a response that its headers state."""

    revision: Optional[int] = None
    """The revision of all its data."""
    total: Optional[int] = None
    """How many records match in total, with `count=True`."""
    next: Optional[str] = None
    """The URL of the next page; None on the last one: see `has_more`."""
    cursor: Optional[str] = None
    """The `cursor` of the next page, to be sent with the same parameters."""
    successor: Optional[str] = None
    """The name of the dataset that has taken the place of this one, which is deprecated."""
    units: Optional[List[str]] = None
    """The units of computed figures, in their order: of transforms and aligned tables."""
    memento: Optional[datetime.datetime] = None
    """When the revision of an as-of response was published."""
    headers: Mapping[str, str] = {}
    """All headers of the response, their names in lower case."""
    etag: Optional[str] = None
    request_id: Optional[str] = None
    """Identifies the request in the log of the service."""
    cached: bool = False
    """Whether it came from the cache, after the service answered 304."""

    @property
    def has_more(self) -> bool:
        """Whether more records match than were sent."""
        return self.next is not None

    def _set_meta(self, response: Response) -> None:
        self.headers = headers = response.headers
        self.revision = parse_integer(headers.get('tenor-revision'))
        self.total = parse_integer(headers.get('tenor-total-count'))
        self.next = parse_next_url(response.url, headers.get('link', ''))
        self.cursor = parse_cursor(self.next)
        self.successor = parse_successor(headers.get('link', ''))
        self.units = parse_units(headers.get('tenor-units'))
        self.memento = parse_http_date(headers.get('memento-datetime', ''))
        self.etag = headers.get('etag')
        self.request_id = headers.get('x-request-id')
        self.cached = response.cached


class Records(List[R], ResponseMeta):
    """A list of records with their metadata; one that was built by the caller has none.

    Frames have the columns of the catalogue, in its order and with its types, whatever the values
    are and even without records. Lists of keys and values become columns such as
    `provinces.punjab`, those of objects are named `firstPeriod.label`.
    """

    _columns: ColumnSource = None

    def to_pandas(self) -> Any:
        """The records as a pandas DataFrame.

        Numbers are float64, counts Int64, days and instants datetime64. A period keeps its label,
        and gets a `time` column with the label as a pandas Period, also of fiscal quarters and
        years (`Q-JUN`, `Y-MAR`). If the source does not say when its years begin, `time` counts
        them as the labels do: it sorts correctly, but does not tell the months of the period.
        """
        return build_pandas(self._build_columns())

    def to_polars(self) -> Any:
        """The records as a polars DataFrame: Float64, Int64, Date, Datetime in UTC, String."""
        return build_polars(self._build_columns())

    def to_arrow(self) -> Any:
        """The records as a pyarrow Table: float64, int64, date32, timestamp in UTC, string."""
        return build_arrow(self._build_columns())

    def _build_columns(self) -> List[FrameColumn]:
        return build_columns(self, self._columns)


class Curves(Records[Dict[str, Any]]):
    """Yield curves: a frame has a row for each of their `points`."""

    def _build_columns(self) -> List[FrameColumn]:
        names = [] if callable(self._columns) else [name for name, _ in self._columns or ()]
        rows = [
            {**{name: curve[name] for name in names if name in curve}, **point}
            for curve in self
            for point in curve['points']
        ]
        return build_columns(rows, self._columns)


class Entry(Dict[str, Any], ResponseMeta):
    """One object of the service, as a dict with metadata."""


class Fund(Entry):
    """A fund's asset allocation, as a dict: `values[i]` of each row belongs to `periods[i]`."""

    def to_pandas(self) -> Any:
        """A pandas DataFrame of periods by asset classes, indexed by the end of each period."""
        return build_pandas(self._build_columns()).set_index('date')

    def to_polars(self) -> Any:
        """A polars DataFrame of periods by asset classes."""
        return build_polars(self._build_columns())

    def to_arrow(self) -> Any:
        """A pyarrow Table of periods by asset classes."""
        return build_arrow(self._build_columns())

    def _build_columns(self) -> List[FrameColumn]:
        periods, rows = self['periods'], self['rows']
        return [
            FrameColumn('period', 'text', [period['label'] for period in periods]),
            FrameColumn('date', 'day', [period['date'] for period in periods]),
            *(FrameColumn(row['label'], 'number', row['values']) for row in rows),
        ]


class Exported(NamedTuple):
    """A dataset in a file."""

    path: Path
    bytes: int
    revision: Optional[int]
    etag: Optional[str]
    has_more: bool = False
    """Whether more records match than were sent; never of a whole dataset."""
