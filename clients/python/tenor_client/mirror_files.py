"""The files of a mirror, read over HTTP."""

from __future__ import annotations

import collections
import contextlib
import hashlib
import itertools
import json
import re
from concurrent.futures import Future, ThreadPoolExecutor
from typing import (
    Any,
    Callable,
    Deque,
    Dict,
    Iterator,
    List,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
    TypeVar,
)

from .connection import Connection
from .errors import Forbidden, NotFound, TenorError, UnexpectedResponseError, VerificationError
from .ledger_source import Records
from .limits import MAX_REVISIONS
from .mirror_tables import read_records
from .records import KEYS

T = TypeVar('T')
READ_AHEAD = 3
DATA_PATH = re.compile(r'data/[0-9a-f]{64}\.parquet')
MISSING = frozenset({403, 404, 410})
"""Object stores say of files that are not there that they may not be read."""


class DatasetFiles(NamedTuple):
    """The data files of a dataset at a revision."""

    files: Tuple[str, ...]
    months: Optional[Tuple[str, ...]]
    """The month of each file, ascending, such as 2026-05; None if records have no dates."""


class Manifest(NamedTuple):
    """What a mirror has of a revision."""

    revision: int
    published_at: str
    scopes: Tuple[str, ...]
    since: int
    """The first revision of the mirror."""
    datasets: Dict[str, DatasetFiles]

    def find(self, name: str) -> DatasetFiles:
        if name in self.datasets:
            return self.datasets[name]
        raise NotFound(
            f'the mirror has no dataset {name!r} at revision {self.revision}; '
            f'it has {", ".join(self.datasets)}'
        )


class MirrorFiles:
    """The files of one mirror. All but `latest.json` never change."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._manifests: Dict[int, Manifest] = {}

    def read(self, path: str) -> bytes:
        """The content of a file. Raises NotFound if there is none."""
        response = self._connection.read_file(f'{self._connection.base_url}/{path}')
        if response.status == 200:
            return response.body
        if response.status in MISSING:
            raise NotFound(f'the mirror has no {path}', status=404)
        message = f'the mirror answers with another status than 200 to {path}'
        raise UnexpectedResponseError(message, status=response.status)

    def read_lines(self, path: str, most: int) -> List[bytes]:
        """The first lines of a file. Raises NotFound if there is none."""
        url = f'{self._connection.base_url}/{path}'
        try:
            return self._connection.read_lines(
                url, {}, lambda _, lines: list(itertools.islice(lines, most))
            )
        except TenorError as error:
            if error.status not in MISSING:
                raise
            raise NotFound(f'the mirror has no {path}', status=404) from None

    def read_latest(self) -> int:
        """The number of the newest revision. Raises NotFound if there is no mirror."""
        with contextlib.suppress(NotFound, ValueError, TypeError, LookupError):
            revision = int(json.loads(self.read('latest.json'))['revision'])
            if revision <= MAX_REVISIONS:
                return revision
        url = self._connection.base_url
        raise NotFound(f'there is no mirror at {url}: it has no latest.json with a revision')

    def read_manifest(self, revision: int) -> Manifest:
        if revision not in self._manifests:
            path = f'revisions/{revision}/manifest.json'
            try:
                self._manifests[revision] = _parse_manifest(json.loads(self.read(path)))
            except (ValueError, TypeError, LookupError) as cause:
                if isinstance(cause, NotFound):
                    raise
                raise UnexpectedResponseError(f'{path} is no manifest of a mirror') from cause
        return self._manifests[revision]

    def read_data(self, path: str, dataset: str) -> bytes:
        """The content of a data file, which must be what its name says."""
        if not DATA_PATH.fullmatch(path):
            # It could lead elsewhere.
            raise UnexpectedResponseError(f'{path!r} is no data file of a mirror')
        try:
            content = self.read(path)
        except NotFound:
            message = f'the mirror has no {path}, which its records of {dataset} are in'
            raise VerificationError('altered-data', message, dataset=dataset) from None
        if path != f'data/{hashlib.sha256(content).hexdigest()}.parquet':
            message = f'{path} with records of {dataset} has other bytes than its name says'
            raise VerificationError('altered-data', message, dataset=dataset)
        return content

    def read_records(
        self, dataset: str, files: Sequence[str]
    ) -> Iterator[List[Dict[str, Any]]]:
        """The records of data files, one file after the other; the next ones are read meanwhile."""
        with ThreadPoolExecutor(READ_AHEAD + 1) as threads:
            reading: Deque[Future[bytes]] = collections.deque()
            try:
                for position in range(len(files)):
                    for path in files[position + len(reading) : position + 1 + READ_AHEAD]:
                        reading.append(threads.submit(self.read_data, path, dataset))
                    yield read_records(dataset, reading.popleft().result())
            finally:
                for future in reading:
                    future.cancel()


class MirrorSource:
    """A mirror as `verify` reads it, at the revision that was the newest at first."""

    keeps_signatures = True

    def __init__(self, files: MirrorFiles) -> None:
        self._files = files
        self._newest = files.read_manifest(files.read_latest())

    @property
    def first_revision(self) -> int:
        return self._newest.since

    def read(self, path: str, media_type: str) -> bytes:
        if path == '/ledger/checkpoint':
            return self._files.read(f'revisions/{self._newest.revision}/checkpoint')
        if not path.startswith('/ledger/entries/'):
            return self._files.read(path[1:])
        try:
            return self._files.read(f'revisions/{path.rpartition("/")[2]}/entry.json')
        except NotFound as error:
            # A mirror with all datasets has all entries.
            if '*' in self._newest.scopes:
                raise
            raise Forbidden(error.message, status=403) from None

    def read_keys(self) -> Any:
        return json.loads(self._files.read(f'revisions/{self._newest.revision}/keys.json'))['data']

    def read_changes(self, dataset: str, revision: int, most: int) -> List[bytes]:
        return self._files.read_lines(f'changes/{revision}.ndjson', most + 1)

    def read_key_fields(self, revision: int) -> Dict[str, Sequence[str]]:
        manifest = self._files.read_manifest(revision)
        keys: Dict[str, Sequence[str]] = {
            name: [field for field, _ in key] for name, key in KEYS.items()
        }
        for declaration in read_declarations(self._files, manifest):
            dimensions = [dimension['field'] for dimension in declaration['dimensions'] or ()]
            keys[declaration['name']] = [declaration['period']['field'], *dimensions]
        unknown = [name for name in manifest.datasets if name not in keys]
        if unknown:
            message = f'this client is older than {", ".join(unknown)}, and cannot verify it'
            raise UnexpectedResponseError(message)
        return {name: keys[name] for name in manifest.datasets}

    def read_export(self, dataset: str, revision: int, read: Callable[[Records], T]) -> T:
        files = self._files.read_manifest(revision).find(dataset).files
        batches = self._files.read_records(dataset, files)
        return read(record for batch in batches for record in batch)


def read_declarations(files: MirrorFiles, manifest: Manifest) -> List[Dict[str, Any]]:
    """The datasets that the publisher has declared."""
    named = manifest.datasets.get('datasets')
    batches = files.read_records('datasets', named.files if named else ())
    return [declaration for batch in batches for declaration in batch]


def _parse_manifest(data: Any) -> Manifest:
    datasets = {
        name: DatasetFiles(
            tuple(item['files']), tuple(item['months']) if 'months' in item else None
        )
        for name, item in data['datasets'].items()
    }
    scopes = tuple(data['scopes'])
    return Manifest(data['revision'], data['publishedAt'], scopes, data.get('since', 1), datasets)
