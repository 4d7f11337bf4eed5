"""Copies of datasets in files, kept up to date by their changes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, NamedTuple, Optional

from .copies import COPIES, Copy, CopyState, SyncFormat
from .errors import BadRequest, UnexpectedAnswer
from .files import create_part_path
from .reader import list_record_columns
from .records import KEYS

if TYPE_CHECKING:
    from .client import Tenor

FORMATS: Dict[str, SyncFormat] = {'.csv': 'csv', '.parquet': 'parquet', '.duckdb': 'duckdb'}


class Synced(NamedTuple):
    """What `sync` did."""

    path: Path
    revision: int
    changes: Optional[int]
    """How many changes were applied; None if the whole dataset was copied."""


def sync_copy(
    tenor: Tenor, dataset: str, path: Path, format: Optional[SyncFormat] = None
) -> Synced:
    chosen = format or FORMATS.get(path.suffix.lower())
    if chosen not in COPIES:
        raise ValueError(f'path must end in {", ".join(FORMATS)}, or format name one: {path}')
    copy = COPIES[chosen](path, dataset)
    # What this client has seen must not keep it from a database that was replaced by an older one.
    client = tenor._without_seen_revision()
    state = copy.read_state()
    if state is None:
        return _copy_all(client, copy)
    changes = client.changes(dataset, state.revision)
    try:
        first = next(changes.pages())
    except BadRequest:
        # The database was replaced by one with fewer revisions.
        tenor._connection.forget_revision()
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


def _apply(client: Tenor, copy: Copy, old: CopyState, new: CopyState) -> Optional[int]:
    query = {'since': old.revision, 'until': new.revision, 'limit': 10_000}
    pages = client._body_pages('changes', query, copy.changes_format, dataset=old.dataset)
    return copy.apply(pages, old, new)


def _copy_all(client: Tenor, copy: Copy) -> Synced:
    part = create_part_path(copy.path)
    try:
        revision = client.export(copy.dataset, copy.export_format, part).revision
        if revision is None:
            raise UnexpectedAnswer('the export has no revision')
        copy.replace(part, _identify(client, copy.dataset, revision))
    finally:
        part.unlink(missing_ok=True)
    return Synced(copy.path, revision, None)


def _identify(client: Tenor, dataset: str, revision: int) -> CopyState:
    """The state of a copy of a revision, which may have changed another dataset."""
    entries = client.revisions(dataset, before=revision + 1, limit=1)
    last_change = f'{entries[0]["revision"]} {entries[0]["publishedAt"]}' if entries else ''
    return CopyState(dataset, revision, last_change)


def _is_known(client: Tenor, state: CopyState) -> bool:
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
