"""The last checkpoint that was verified, in a file that all clients and the command line share."""

from __future__ import annotations

import base64
import datetime
import json
from pathlib import Path
from typing import NamedTuple, Optional

from .files import replace_file
from .ledger import VerifierKey, decode_base64
from .log_keys import SignedCheckpoint, parse_required_key


class KeptState(NamedTuple):
    """What was verified last."""

    origin: str
    key: VerifierKey
    size: int
    root: bytes
    note: str


def read_state(path: Path) -> Optional[KeptState]:
    """None where there is no file. Raises ValueError for one that is no state."""
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
        return KeptState(origin, key, size, root, note)
    except (LookupError, TypeError, ValueError) as cause:
        raise ValueError(f'{path} is no state of verify') from cause


def write_state(path: Path, signed: SignedCheckpoint) -> None:
    now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec='milliseconds')
    state = {
        'origin': signed.key.name,
        'key': str(signed.key),
        'size': signed.checkpoint.size,
        'root': base64.b64encode(signed.checkpoint.root).decode(),
        'checkpoint': signed.note,
        'verifiedAt': now.replace('+00:00', 'Z'),
    }
    with replace_file(path) as file:
        file.write((json.dumps(state, ensure_ascii=False) + '\n').encode())
