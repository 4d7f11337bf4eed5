# Made by npm run docs from tenor_client/_async. Changes here are lost.
"""The records of all pages of a response."""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, Optional, Type, TypeVar

from ..errors import UnexpectedResponseError
from ..frames import ColumnSource
from ..matrix import FUNDS, MatrixColumns, Measures, build_matrix, divide_funds
from ..responses import Records

R = TypeVar('R')
IS_ASYNC = False


class RecordStream(Iterator[R]):
    """The records of all pages. It can be iterated once."""

    def __init__(
        self,
        pages: Iterator[Records[R]],
        columns: ColumnSource = None,
        page_type: Type[Records[Any]] = Records,
        dataset: str = '',
    ) -> None:
        self._pages = pages
        self._columns = columns
        self._type = page_type
        self._dataset = dataset
        self._page: Iterator[R] = iter(())

    def __next__(self) -> R:
        while True:
            for record in self._page:
                return record
            page = self._next_page()
            if page is None:
                raise StopIteration
            self._page = iter(page)

    def pages(self) -> Iterator[Records[R]]:
        """The remaining pages, each with its revision."""
        while True:
            page = self._next_page()
            if page is None:
                return
            yield self._give_columns(page)

    def to_pandas(self) -> Any:
        """All remaining records as one pandas DataFrame."""
        return (self._collect()).to_pandas()

    def to_polars(self) -> Any:
        """All remaining records as one polars DataFrame."""
        return (self._collect()).to_polars()

    def to_arrow(self) -> Any:
        """All remaining records as one pyarrow Table."""
        return (self._collect()).to_arrow()

    def _collect(self) -> Records[R]:
        """The remaining records, those that are left of the current page included."""
        return self._give_columns(self._type([record for record in self]))

    def _take(self) -> List[R]:
        """The next record; nothing after the last one."""
        for record in self:
            return [record]
        return []

    def _next_page(self) -> Optional[Records[R]]:
        for page in self._pages:
            return page
        return None

    def _give_columns(self, page: Records[R]) -> Records[R]:
        self._columns = page._columns = resolve_columns(self._columns)
        return page


def resolve_columns(source: ColumnSource) -> ColumnSource:
    """Asks for columns before a frame needs them, where a frame cannot wait."""
    return source() if IS_ASYNC and callable(source) else source


class Changes(RecordStream[Dict[str, Any]]):
    """The changes from one revision to a later one: `change` and `record` of each."""

    _revision: Optional[int] = None
    _first: Optional[Records[Dict[str, Any]]] = None

    @property
    def revision(self) -> int:
        """The revision that a copy has after these changes: the next `since`."""
        if self._revision is None:
            self._first = self._next_page()
        if self._revision is None:
            raise UnexpectedResponseError('the changes have no revision')
        return self._revision

    def _next_page(self) -> Optional[Records[Dict[str, Any]]]:
        page, self._first = self._first, None
        if page is None:
            page = super()._next_page()
            self._revision = self._revision if page is None else page.revision
        return page


class Vintages(RecordStream[Dict[str, Any]]):
    """Every published state of the records that match. It can be iterated once.

    Each is the record with `since` and `published`, the revision that published this state and
    its instant, `until` and `withdrawn`, those of the revision that corrected or retired it.
    """

    def matrix(self, measures: Measures = None, *, columns: MatrixColumns = 'revision') -> Any:
        """A pandas DataFrame of the values that were valid at each revision with a change.

        A row for each record, indexed by the fields that identify it, and a level `measure` if
        there are several: by default all fields with numbers, or the named ones. A column for each
        revision, or with `columns='published'` for its instant.
        """
        return build_matrix(self._dataset, [state for state in self], measures, columns)

    def _collect(self) -> Records[Dict[str, Any]]:
        states = super()._collect()
        return divide_funds(states) if self._dataset == FUNDS else states
