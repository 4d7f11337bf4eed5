"""The sources that `verify` reads from: a service, or a mirror of it."""

from __future__ import annotations

import itertools
from typing import (
    Any,
    Callable,
    Dict,
    Iterable,
    Iterator,
    List,
    Mapping,
    Optional,
    Protocol,
    Sequence,
    Tuple,
    TypeVar,
)

from .fold import parse_record
from .http_response import Response, parse_next_url
from .parameters import Parameter, quote_segment
from .reader import OperationReader
from .records import MEDIA_TYPES

T = TypeVar('T')
Records = Iterable[Mapping[str, Any]]


class LedgerSource(Protocol):
    """A log, and the data that it is of. What it does not have raises NotFound."""

    @property
    def first_revision(self) -> int:
        """The first revision that it has."""

    @property
    def keeps_signatures(self) -> bool:
        """Whether a checkpoint stays as it was signed first, also when the key is replaced."""

    def read(self, path: str, media_type: str) -> bytes:
        """A checkpoint, a tile or an entry, by its path at a service."""

    def read_keys(self) -> Any:
        """The keys of the log, as a service lists them."""

    def read_changes(self, dataset: str, revision: int, most: int) -> List[bytes]:
        """The lines of what a revision changed; one more than `most` if there are more."""

    def read_key_fields(self, revision: int) -> Dict[str, Sequence[str]]:
        """The fields that identify records, of each dataset at a revision."""

    def read_export(self, dataset: str, revision: int, read: Callable[[Records], T]) -> T:
        """What is made of the records of a dataset at a revision, perhaps more than once."""


class ServiceSource:
    """A service, as a token may read it."""

    first_revision = 1
    keeps_signatures = False

    def __init__(self, client: OperationReader) -> None:
        self._client = client

    def read(self, path: str, media_type: str) -> bytes:
        client = self._client
        headers = client._headers({'Accept': media_type})
        return client._connection.read_body(client._url(path), headers).body

    def read_keys(self) -> Any:
        client = self._client
        data, _ = client._connection.read_data(client._url('/ledger/keys'), client._headers())
        return data

    def read_changes(self, dataset: str, revision: int, most: int) -> List[bytes]:
        query: Dict[str, Parameter] = {'since': revision - 1, 'until': revision, 'limit': 10_000}
        query['as_stored'] = 'true'
        client = self._client._with_as_of(revision)
        headers = client._headers({'Accept': MEDIA_TYPES['ndjson']})
        url: Optional[str] = client._url(f'/changes/{quote_segment(dataset)}', query)
        changes: List[bytes] = []
        while url is not None and len(changes) <= most:
            remaining = most + 1 - len(changes)

            def read(head: Response, lines: Iterator[bytes]) -> Tuple[List[bytes], Optional[str]]:
                page = list(itertools.islice(lines, remaining))
                return page, parse_next_url(head.url, head.headers.get('link', ''))

            page, url = client._connection.read_lines(url, headers, read)
            changes += page
        return changes

    def read_key_fields(self, revision: int) -> Dict[str, Sequence[str]]:
        entries = self._client._with_as_of(revision)._stream('catalogue', {'limit': 10_000})
        return {entry['name']: entry['key'] for entry in entries}

    def read_export(self, dataset: str, revision: int, read: Callable[[Records], T]) -> T:
        client = self._client._with_as_of(revision)
        url = client._url(f'/exports/{quote_segment(dataset)}.ndjson')
        headers = client._headers({'Accept': MEDIA_TYPES['ndjson']})
        return client._connection.read_lines(
            url, headers, lambda _, lines: read(map(parse_record, lines))
        )
