"""Copies of datasets in files, kept up to date by their changes."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable, Dict, Iterator, Literal, Mapping, NamedTuple, Optional, Protocol

from .changes import Changes
from .copies import COPIES, Copy, CopyState, SyncFormat
from .errors import BadRequest, UnexpectedResponseError
from .files import create_part_path
from .parameters import Parameter
from .reader import list_record_columns
from .records import KEYS
from .responses import Exported, Records

FORMATS: Dict[str, SyncFormat] = {'.csv': 'csv', '.parquet': 'parquet', '.duckdb': 'duckdb'}


class Synced(NamedTuple):
    """The outcome of `sync`."""

    path: Path
    revision: int
    changes: Optional[int]
    """How many changes were applied; None if the whole dataset was copied."""


class CopySource(Protocol):
    """The reads of a client that a copy is made of."""

    def changes(self, dataset: str, since: int) -> Changes: ...

    def revisions(
        self, dataset: Optional[str], *, before: Optional[int], limit: Optional[int]
    ) -> Records[Dict[str, Any]]: ...

    def export(self, dataset: str, format: Literal['csv', 'parquet'], path: Path) -> Exported: ...

    def _body_pages(
        self, operation: str, parameters: Mapping[str, Parameter], format: str, **segments: str
    ) -> Iterator[bytes]: ...


def sync_copy(
    client: CopySource,
    dataset: str,
    path: Path,
    format: Optional[SyncFormat],
    on_replaced: Callable[[], None],
) -> Synced:
    """Makes a file the newest copy; `on_replaced` is for a database with fewer revisions."""
    chosen = format or FORMATS.get(path.suffix.lower())
    if chosen not in COPIES:
        raise ValueError(f'path must end in {", ".join(FORMATS)}, or format name one: {path}')
    copy = COPIES[chosen](path, dataset)
    state = copy.read_state()
    if state is None:
        return _copy_all(client, copy)
    changes = client.changes(dataset, state.revision)
    try:
        first = next(changes.pages())
    except BadRequest:
        on_replaced()
        return _copy_all(client, copy)
    if not _is_known(client, state):
        return _copy_all(client, copy)
    new_state = _identify(client, dataset, changes.revision)
    if not first:
        # Revisions of other datasets change nothing here.
        copy.write_state(new_state._replace(digest=state.digest))
        return Synced(path, changes.revision, 0)
    if not _is_incremental(dataset):
        return _copy_all(client, copy)
    count = _apply(client, copy, state, new_state)
    return _copy_all(client, copy) if count is None else Synced(path, changes.revision, count)


def _apply(client: CopySource, copy: Copy, old: CopyState, new: CopyState) -> Optional[int]:
    query = {'since': old.revision, 'until': new.revision, 'limit': 10_000}
    pages = client._body_pages('changes', query, copy.changes_format, dataset=old.dataset)
    return copy.apply(pages, old, new)


def _copy_all(client: CopySource, copy: Copy) -> Synced:
    part = create_part_path(copy.path)
    try:
        revision = client.export(copy.dataset, copy.export_format, part).revision
        if revision is None:
            raise UnexpectedResponseError('the export has no revision')
        copy.replace(part, _identify(client, copy.dataset, revision))
    finally:
        part.unlink(missing_ok=True)
    return Synced(copy.path, revision, None)


def _identify(client: CopySource, dataset: str, revision: int) -> CopyState:
    """The state of a copy of a revision, which may have changed another dataset."""
    entries = client.revisions(dataset, before=revision + 1, limit=1)
    last_change = f'{entries[0]["revision"]} {entries[0]["publishedAt"]}' if entries else ''
    return CopyState(dataset, revision, last_change)


def _is_known(client: CopySource, state: CopyState) -> bool:
    """Whether the service has the revision of a copy, and not another one with its number."""
    return _identify(client, state.dataset, state.revision).last_change == state.last_change


def _is_incremental(dataset: str) -> bool:
    """Whether a record is one row whose columns and order do not depend on other records.

    The others are small, and are copied as a whole.
    """
    kinds: Dict[str, Any] = dict(list_record_columns(dataset))
    keys = KEYS.get(dataset, ())
    is_flat = bool(kinds) and all(
        kind != 'other' and not kind.startswith('keyed ') for kind in kinds.values()
    )
    return is_flat and bool(keys) and all(kinds.get(name) in ('day', 'text') for name, _ in keys)
