"""The sources that `verify` reads from: a service, or a mirror of it."""

from __future__ import annotations

import contextlib
import tempfile
from typing import Any, ContextManager, Dict, Iterable, Iterator, Mapping, Protocol, Sequence

from .fold import parse_record
from .parameters import Parameter, quote_segment
from .reader import OperationReader
from .records import MEDIA_TYPES


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

    def read_changes(self, dataset: str, revision: int) -> Iterator[bytes]:
        """The lines of what a revision changed."""

    def read_key_fields(self, revision: int) -> Dict[str, Sequence[str]]:
        """The fields that identify records, of each dataset at a revision."""

    def open_export(
        self, dataset: str, revision: int
    ) -> ContextManager[Iterable[Mapping[str, Any]]]:
        """The records of a dataset at a revision."""


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

    def read_changes(self, dataset: str, revision: int) -> Iterator[bytes]:
        query: Dict[str, Parameter] = {'since': revision - 1, 'until': revision, 'limit': 10_000}
        query['as_stored'] = 'true'
        client = self._client._with_as_of(revision)
        for page in client._body_pages('changes', query, 'ndjson', dataset=dataset):
            yield from page.splitlines()

    def read_key_fields(self, revision: int) -> Dict[str, Sequence[str]]:
        entries = self._client._with_as_of(revision)._stream('catalogue', {'limit': 10_000})
        return {entry['name']: entry['key'] for entry in entries}

    @contextlib.contextmanager
    def open_export(self, dataset: str, revision: int) -> Iterator[Iterable[Mapping[str, Any]]]:
        client = self._client._with_as_of(revision)
        url = client._url(f'/exports/{quote_segment(dataset)}.ndjson')
        with tempfile.TemporaryFile() as file:
            headers = client._headers({'Accept': MEDIA_TYPES['ndjson']})
            client._connection.download(url, headers, file)
            file.seek(0)
            yield map(parse_record, file)
