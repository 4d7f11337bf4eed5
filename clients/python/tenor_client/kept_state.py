"""The last checkpoint that was verified, in a file that all clients and the command line share."""

from __future__ import annotations

import base64
import datetime
import json
from pathlib import Path
from typing import NamedTuple, Optional, Sequence, Tuple

from .files import replace_file
from .ledger import VerifierKey, compute_root, decode_base64
from .log_keys import SignedCheckpoint, parse_required_key


class KeptState(NamedTuple):
    """What was verified last."""

    origin: str
    key: VerifierKey
    size: int
    root: bytes
    note: str
    earlier_keys: Tuple[VerifierKey, ...]
    leaves: Tuple[bytes, ...]
    """The hash of each revision."""

    def has_root(self, size: int, root: bytes) -> bool:
        """Whether the first revisions are these."""
        return 0 < size <= len(self.leaves) and compute_root(self.leaves[:size]) == root


def read_state(path: Path) -> Optional[KeptState]:
    """None if there is no file. Raises ValueError for one that is no state."""
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return None
    try:
        kept = json.loads(text.decode('utf-8'))
        root = decode_base64(kept['root'])
        if root is None or len(root) != 32:
            raise ValueError('no hash')
        key, note = parse_required_key(kept['key']), str(kept.get('checkpoint'))
        origin, size = kept['origin'], kept['size']
        if origin != key.name or type(size) is not int or size < 1:
            raise ValueError('no size of a log')
        earlier_keys = tuple(map(parse_required_key, kept['earlierKeys']))
        leaves = tuple(decode_base64(text) or b'' for text in kept['leaves'])
        if len(leaves) != size or any(len(leaf) != 32 for leaf in leaves):
            raise ValueError('no hashes')
        return KeptState(origin, key, size, root, note, earlier_keys, leaves)
    except (LookupError, TypeError, ValueError) as cause:
        raise ValueError(f'{path} is no state of verify') from cause


def write_state(
    path: Path,
    signed: SignedCheckpoint,
    earlier_keys: Sequence[VerifierKey],
    leaves: Sequence[bytes],
) -> None:
    """Unless another call has kept a later state of the same log meanwhile."""
    other = read_state(path)
    if other and other.origin == signed.key.name and other.size > signed.checkpoint.size:
        return
    now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec='milliseconds')
    state = {
        'origin': signed.key.name,
        'key': str(signed.key),
        'size': signed.checkpoint.size,
        'root': base64.b64encode(signed.checkpoint.root).decode(),
        'checkpoint': signed.note,
        'verifiedAt': now.replace('+00:00', 'Z'),
        'earlierKeys': [str(key) for key in earlier_keys],
        'leaves': [base64.b64encode(leaf).decode() for leaf in leaves],
    }
    with replace_file(path) as file:
        file.write((json.dumps(state, ensure_ascii=False) + '\n').encode())
