"""Verification of the ledger, and of the data, by the log of the service."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import (
    Any,
    Collection,
    Dict,
    Iterator,
    List,
    Mapping,
    Optional,
    Sequence,
    Tuple,
)

from .errors import Behind, Forbidden, NotFound, UnexpectedResponseError, VerificationError
from .fold import Fold
from .kept_state import KeptState, read_state, write_state
from .ledger import (
    Checkpoint,
    VerifierKey,
    compute_root,
    hash_leaf,
    list_tiles,
    open_note,
    parse_checkpoint,
)
from .ledger_source import LedgerSource
from .limits import MAX_REVISIONS
from .log_keys import (
    ListedKey,
    SignedCheckpoint,
    open_checkpoint,
    open_first_checkpoint,
    parse_listed_keys,
    parse_required_key,
)

CHANGES = ('added', 'corrected', 'retired')
RETIRED = b'"retired"'
MAX_NAMED = 3


@dataclass(frozen=True)
class Verified:
    """The outcome of `verify`, where everything held."""

    origin: str
    """The name of the log."""
    size: int
    """How many revisions the log has: the number of the newest one."""
    root: str
    """The hash over all of them, in base64."""
    key: str
    """The key that signed the checkpoint, as `name+id+key`."""
    is_key_new: bool
    """Whether the key was first seen now, and not compared with anything."""
    rotated_keys: Tuple[str, ...]
    """Keys that followed the known one, each signed by the one before it."""
    previous_size: Optional[int]
    """The size of the kept checkpoint; None the first time."""
    common_size: Optional[int]
    """After an accepted restart, how many revisions both logs have; later ones were not compared."""
    checked: int
    """How many revisions were read, and are those of the log."""
    unreadable: int
    """How many others the token may not read."""
    datasets: Mapping[str, int]
    """How many records of each dataset were compared."""
    first_revision: int = 1
    """The first revision that was verified: 1, or that with which a mirror begins, whose records
    are taken as they are."""


@dataclass(frozen=True)
class Options:
    datasets: Optional[Collection[str]]
    log_only: bool
    key: Optional[str]
    accept_restart: Optional[str]


def verify_ledger(source: LedgerSource, state_path: Optional[Path], options: Options) -> Verified:
    """Raises VerificationError for the first problem; the state is then left as it was."""
    if options.log_only and options.datasets is not None:
        raise ValueError('log_only and datasets cannot be combined')
    given_key = None if options.key is None else parse_required_key(options.key)
    state = None if state_path is None else read_state(state_path)
    known = given_key or (state and state.key)
    signed, listed = _read_checkpoint(source, known, state)
    common_size = _require_same_log(signed, state, options.accept_restart)
    leaves = _read_leaves(source, signed, state, common_size)
    compared = 0 if state is None else state.size
    if common_size is not None:
        compared = min(compared, common_size)
    folds = {} if options.log_only else _create_folds(source, len(leaves), options.datasets)
    checked = 0
    first = max(source.first_revision, 1 if folds else compared + 1)
    numbers = range(0) if options.log_only else range(first, len(leaves) + 1)
    for revision in numbers:
        entry = _read_entry(source, revision, leaves[revision - 1])
        if entry is None:
            continue
        checked += 1
        fold = folds.get(entry['dataset'])
        if fold or revision > compared:
            # The records that a fold began with have its changes.
            is_included = 1 < revision == source.first_revision
            _check_changes(source, entry, None if is_included else fold)
    datasets = _compare_data(source, len(leaves), folds, options.datasets)
    if state_path is not None:
        write_state(state_path, signed, _list_earlier_keys(signed.key, listed, state), leaves)
    return Verified(
        signed.key.name,
        len(leaves),
        base64.b64encode(signed.checkpoint.root).decode(),
        str(signed.key),
        known is None,
        tuple(map(str, signed.rotated_keys)),
        state and state.size,
        common_size,
        checked,
        len(numbers) - checked,
        datasets,
        source.first_revision,
    )


def _read_checkpoint(
    source: LedgerSource, known: Optional[VerifierKey], state: Optional[KeptState]
) -> Tuple[SignedCheckpoint, Sequence[ListedKey]]:
    try:
        note = source.read('/ledger/checkpoint', 'text/plain').decode('utf-8', 'replace')
    except NotFound:
        message = 'the service has no log; it gets one with the next publication'
        raise VerificationError('no-log', message) from None
    if source.keeps_signatures and state and state.key == known:
        kept = Checkpoint(state.origin, state.size, state.root)
        if parse_checkpoint(note) == kept:
            return SignedCheckpoint(state.note, kept, state.key), ()
    listed = parse_listed_keys(source.read_keys())
    if state and (known is None or known.name == state.origin):
        _require_not_behind(note, state, listed)
    if known is None:
        return open_first_checkpoint(note, listed), listed
    return open_checkpoint(note, listed, known, state and state.key), listed


def _require_not_behind(note: str, state: KeptState, listed: Sequence[ListedKey]) -> None:
    """A log that is as it was at an earlier size, or before another key, is no other history."""
    # Who has the kept key signs with no earlier one.
    has_key = any(item.key == state.key for item in listed)
    for key in (state.key, *(() if has_key else state.earlier_keys)):
        text = open_note(note, key)
        checkpoint = parse_checkpoint(text or '')
        if checkpoint is None or checkpoint.origin != key.name or checkpoint.size > state.size:
            continue
        if key == state.key and checkpoint.size == state.size:
            continue
        if not state.has_root(checkpoint.size, checkpoint.root):
            continue
        if not state.has_root(state.size, state.root):
            raise ValueError('the hashes of the state are not those of its checkpoint')
        raise Behind(
            f'the server is behind: its log has {checkpoint.size} revisions, the same as at the last '
            f'verification, when it had {state.size}; if that does not pass, a backup was restored: '
            'its publisher has to run tenor ledger restart before publishing'
        )


def _list_earlier_keys(
    key: VerifierKey, listed: Sequence[ListedKey], state: Optional[KeptState]
) -> List[VerifierKey]:
    kept = [*state.earlier_keys, state.key] if state else []
    listed_keys = [item.key for item in listed]
    return [each for each in dict.fromkeys([*kept, *listed_keys]) if each != key]


def _require_same_log(
    signed: SignedCheckpoint, state: Optional[KeptState], accepted: Optional[str]
) -> Optional[int]:
    """How many entries both logs have, if the kept log was restarted and that is accepted."""
    origin = signed.key.name
    is_other = state is not None and state.origin != origin
    common_size = 0 if signed.common_size is None and is_other else signed.common_size
    if common_size is not None and accepted != origin:
        raise VerificationError(
            'restarted',
            f'the log was restarted as {origin}, and has only the first {common_size} revisions of '
            'the one before it; if the publisher has announced that, accept it with '
            f'accept_restart={origin!r}',
        )
    return common_size


def _read_leaves(
    source: LedgerSource, signed: SignedCheckpoint, state: Optional[KeptState], common_size: Optional[int]
) -> List[bytes]:
    """The hashes of all entries, of a log that begins with the kept one."""
    _, size, root = signed.checkpoint
    if size > MAX_REVISIONS:
        raise UnexpectedResponseError(f'a log of {size} revisions is too large')
    kept = _select_comparable(state, common_size)
    if kept and size < kept.size:
        message = f'the log has {size} revisions, but had {kept.size}: some were taken away'
        raise VerificationError('shorter', message)
    if kept and size == kept.size and root != kept.root:
        message = f'the log has {size} revisions, as it had, but not the same ones'
        raise VerificationError('forked', message)
    leaves: List[bytes] = []
    for path, width in list_tiles(size):
        leaves.extend(_read_tile(source, path, width))
    if compute_root(leaves) != root:
        message = 'the tiles of the log have other hashes than its checkpoint'
        raise VerificationError('damaged-tile', message)
    # With all hashes at hand, no other proof is needed that the log only grew.
    if kept and compute_root(leaves[: kept.size]) != kept.root:
        message = f'the first {kept.size} revisions of the log are not those that it had'
        raise VerificationError('rewritten', message)
    return leaves


def _select_comparable(state: Optional[KeptState], common_size: Optional[int]) -> Optional[KeptState]:
    """The part of the kept log that a restarted one has as well."""
    if state is None or common_size is None or state.size <= common_size:
        return state
    if common_size == 0:
        return None
    leaves = state.leaves[:common_size]
    return state._replace(size=common_size, root=compute_root(leaves), leaves=leaves)


def _read_tile(source: LedgerSource, path: str, width: int) -> Iterator[bytes]:
    try:
        body = source.read(path, 'application/octet-stream')
    except NotFound:
        raise VerificationError('damaged-tile', f'there is no {path}') from None
    # The root alone would be the same for half as many hashes of pairs of leaves.
    if len(body) != 32 * width:
        raise VerificationError('damaged-tile', f'{path} has no {width} hashes')
    return (body[start : start + 32] for start in range(0, len(body), 32))


def _read_entry(source: LedgerSource, revision: int, leaf: bytes) -> Optional[Dict[str, Any]]:
    """The entry of a revision; None if the token may not read it."""
    try:
        body = source.read(f'/ledger/entries/{revision}', 'application/json')
    except Forbidden:
        return None
    except NotFound:
        message = f'the service has no entry of revision {revision}, which is in its log'
        raise VerificationError('missing-entry', message, revision=revision) from None
    is_logged = hash_leaf(hashlib.sha256(body).digest()) == leaf
    entry: Dict[str, Any] = json.loads(body) if is_logged else {}
    if entry.get('revision') != revision:
        message = f'the entry of revision {revision} is not the one in the log'
        raise VerificationError('altered-entry', message, revision=revision)
    return entry


def _check_changes(source: LedgerSource, entry: Mapping[str, Any], fold: Optional[Fold]) -> None:
    """Compares the changes of a revision with its entry, and applies them to a dataset."""
    revision, dataset = entry['revision'], entry['dataset']
    # A record whose label was corrected comes as two lines.
    most = entry['added'] + 2 * entry['corrected'] + entry['retired']
    try:
        lines = source.read_changes(dataset, revision, most)
    except NotFound:
        lines = []
    digests = sorted(hashlib.sha256(line).digest() for line in lines)
    is_logged = hashlib.sha256(b''.join(digests)).hexdigest() == entry['changes']
    counts = dict.fromkeys(CHANGES, 0)
    # What has the digest of the log is what was published. A label may be given to another record.
    retired_first = sorted(lines if is_logged else (), key=lambda line: RETIRED not in line[:20])
    for change in map(json.loads, retired_first):
        counts[change['change']] += 1
        if fold:
            fold.apply(change)
    # A record whose label or letter case was corrected comes twice: as retired, and as added.
    relabelled = entry['corrected'] - counts['corrected']
    expected = {'added': entry['added'] + relabelled, 'retired': entry['retired'] + relabelled}
    if not is_logged or relabelled < 0 or counts != {**counts, **expected}:
        message = f'the changes of revision {revision} of {dataset} are not those in the log'
        raise VerificationError('altered-changes', message, revision=revision, dataset=dataset)


def _create_folds(
    source: LedgerSource, revision: int, names: Optional[Collection[str]]
) -> Dict[str, Fold]:
    keys = source.read_key_fields(revision)
    for name in names or ():
        if name not in keys:
            readable = ', '.join(keys)
            raise ValueError(f'there is no dataset {name!r} that can be read; there are {readable}')
    folds = {name: Fold(keys[name]) for name in (keys if names is None else names)}
    if source.first_revision > 1:
        for name, fold in folds.items():
            # It may have been declared later.
            with contextlib.suppress(NotFound):
                source.read_export(name, source.first_revision, fold.begin)
    return folds


def _compare_data(
    source: LedgerSource, revision: int, folds: Mapping[str, Fold], names: Optional[Collection[str]]
) -> Dict[str, int]:
    """The number of records of each dataset, all as their changes have made them."""
    counts: Dict[str, int] = {}
    for name, fold in folds.items():
        try:
            counts[name], different = source.read_export(name, revision, fold.compare)
        except Forbidden:
            if names is None:
                continue
            raise
        _require_same_data(name, revision, different)
    return counts


def _require_same_data(dataset: str, revision: int, different: Sequence[str]) -> None:
    if different:
        others = '' if len(different) <= MAX_NAMED else f' and {len(different) - MAX_NAMED} others'
        message = (
            f'{dataset} at revision {revision} is not what its changes have made of it: '
            f'{", ".join(different[:MAX_NAMED])}{others}'
        )
        raise VerificationError('altered-data', message, dataset=dataset)
