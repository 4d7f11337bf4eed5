"""The keys of a log: from the one that is known to the one that signed a checkpoint."""

from __future__ import annotations

from typing import Any, List, NamedTuple, Optional, Sequence, Tuple

from .errors import UnexpectedResponseError, VerificationError
from .ledger import (
    Checkpoint,
    VerifierKey,
    has_signature,
    is_claimed_by,
    open_note,
    parse_checkpoint,
    parse_verifier_key,
)


class ListedKey(NamedTuple):
    """A key that the service lists, with the note by which the key before it names it."""

    key: VerifierKey
    size: int
    note: Optional[str]

    @property
    def text(self) -> str:
        return f'tenor ledger key\n{self.key}\n{self.size}\n'


class SignedCheckpoint(NamedTuple):
    """A checkpoint, and the keys that were followed to the one that signed it."""

    note: str
    checkpoint: Checkpoint
    key: VerifierKey
    rotated_keys: Tuple[VerifierKey, ...] = ()
    common_size: Optional[int] = None
    """How many entries of the known log this one begins with, if it was restarted."""


def parse_listed_keys(data: Any) -> List[ListedKey]:
    try:
        listed = [
            ListedKey(parse_required_key(item['key']), int(item['size']), item['note'])
            for item in data['keys']
        ]
    except (LookupError, TypeError, ValueError):
        listed = []
    if not listed:
        raise UnexpectedResponseError('the list of keys has none', path='/ledger/keys')
    return listed


def parse_required_key(text: str) -> VerifierKey:
    key = parse_verifier_key(text)
    if key is None:
        raise ValueError(f'{text!r} is no verifier key such as name+0123abcd+AT…')
    return key


def open_first_checkpoint(note: str, listed: Sequence[ListedKey]) -> SignedCheckpoint:
    """A checkpoint by any key of the service, as none is known."""
    for item in listed:
        if is_claimed_by(note, item.key):
            return SignedCheckpoint(note, _open(note, item.key), item.key)
    raise VerificationError('unsigned', 'the checkpoint is not signed by any key of the service')


def open_checkpoint(
    note: str, listed: Sequence[ListedKey], known: VerifierKey, kept: Optional[VerifierKey] = None
) -> SignedCheckpoint:
    """A checkpoint by the known key, or by one that it leads to, perhaps by the kept one."""
    if not has_signature(note):
        raise VerificationError('unsigned', 'the checkpoint has no signature')
    key = known
    rotated: List[VerifierKey] = []
    common: List[int] = []
    followers = iter(listed[_find_successor(known, listed) :])
    while not is_claimed_by(note, key):
        item = next(followers, None)
        if item is None and key == listed[-1].key:
            raise VerificationError('unsigned', f'the checkpoint has no signature by {key}')
        if item is None or not _leads_to(key, item):
            raise VerificationError(
                'unknown-key',
                f'the checkpoint is signed by another key than {known}, and no note of that key '
                'leads to it: the key of the log was lost or replaced, or this is another log',
            )
        if item.key.name == key.name:
            rotated.append(item.key)
        else:
            # A restart that led to the kept key was accepted then; a name alone is anyone's.
            common = [] if item.key == kept else [*common, item.size]
        key = item.key
    smallest = min(common) if common else None
    return SignedCheckpoint(note, _open(note, key), key, tuple(rotated), smallest)


def _find_successor(known: VerifierKey, listed: Sequence[ListedKey]) -> int:
    """The position of the key that came after a known one."""
    for position, item in enumerate(listed):
        if item.key == known:
            return position + 1
    # A restored backup does not list keys of later, but one of them may have signed its restart.
    signed = (at for at, item in enumerate(listed) if item.note and _leads_to(known, item))
    return next(signed, len(listed))


def _leads_to(key: VerifierKey, item: ListedKey) -> bool:
    """Whether a key has signed that another one follows it; a restart may have lost its key."""
    if item.note is None:
        return item.key.name != key.name
    return open_note(item.note, key) == item.text


def _open(note: str, key: VerifierKey) -> Checkpoint:
    text = open_note(note, key)
    if text is None:
        raise VerificationError('unsigned', f'the checkpoint has no valid signature by {key}')
    checkpoint = parse_checkpoint(text)
    if checkpoint is None or checkpoint.origin != key.name:
        raise VerificationError('unsigned', f'what {key} signed is no checkpoint of its log')
    return checkpoint
