"""The format of a transparency log: its tree by RFC 6962, signed notes and checkpoints by C2SP."""

from __future__ import annotations

import base64
import hashlib
import re
from typing import Iterator, List, NamedTuple, Optional, Sequence, Tuple

from .ed25519 import is_signed

ED25519 = b'\x01'
TILE_WIDTH = 256
SIGNATURE = re.compile(r'— (\S+) (\S+)')
VERIFIER_KEY = re.compile(r'([^\s+]+)\+[0-9a-f]{8}\+(\S+)')


class VerifierKey(NamedTuple):
    """The public key of a log, and the name of the log."""

    name: str
    public_key: bytes

    @property
    def id(self) -> bytes:
        """The first bytes of a signature, which tell by which key it is."""
        label = f'{self.name}\n'.encode()
        return hashlib.sha256(label + ED25519 + self.public_key).digest()[:4]

    def __str__(self) -> str:
        encoded = base64.b64encode(ED25519 + self.public_key).decode()
        return f'{self.name}+{self.id.hex()}+{encoded}'


class Checkpoint(NamedTuple):
    """The state of a log: its name, how many entries it has, and the hash over all of them."""

    origin: str
    size: int
    root: bytes


def parse_verifier_key(text: str) -> Optional[VerifierKey]:
    """None if a text is no verifier key, or its id is of another one."""
    match = VERIFIER_KEY.fullmatch(text)
    encoded = decode_base64(match[2]) if match else None
    if match is None or encoded is None or len(encoded) != 33:
        return None
    key = VerifierKey(match[1], encoded[1:])
    return key if str(key) == text else None


def open_note(note: str, key: VerifierKey) -> Optional[str]:
    """The text of a note; None if it has no valid signature by the key."""
    text, signature = _split_note(note)[0], _find_signature(note, key)
    is_valid = signature is not None and is_signed(key.public_key, text.encode(), signature)
    return text if is_valid else None


def is_claimed_by(note: str, key: VerifierKey) -> bool:
    """Whether a note has a signature that says to be of the key."""
    return _find_signature(note, key) is not None


def _find_signature(note: str, key: VerifierKey) -> Optional[bytes]:
    for name, signature in _split_note(note)[1]:
        if name == key.name and signature[:4] == key.id:
            return signature[4:]
    return None


def has_signature(note: str) -> bool:
    return bool(_split_note(note)[1])


def _split_note(note: str) -> Tuple[str, List[Tuple[str, bytes]]]:
    text, separator, lines = note.rpartition('\n\n')
    if not separator or not lines.endswith('\n'):
        return '', []
    matches = [SIGNATURE.fullmatch(line) for line in lines.split('\n')]
    decoded = [(match[1], decode_base64(match[2])) for match in matches if match]
    return f'{text}\n', [(name, signed) for name, signed in decoded if signed is not None]


def parse_checkpoint(text: str) -> Optional[Checkpoint]:
    origin, size, root, *_ = [*text.split('\n'), '', '', '']
    decoded = decode_base64(root)
    if not origin or not re.fullmatch(r'0|[1-9][0-9]{0,15}', size):
        return None
    return Checkpoint(origin, int(size), decoded) if decoded and len(decoded) == 32 else None


def decode_base64(text: str) -> Optional[bytes]:
    """None if a text is no base64, or is written otherwise."""
    try:
        decoded = base64.b64decode(text, validate=True)
    except ValueError:
        return None
    return decoded if base64.b64encode(decoded).decode() == text else None


def hash_leaf(entry: bytes) -> bytes:
    return hashlib.sha256(b'\x00' + entry).digest()


def compute_root(leaves: Sequence[bytes]) -> bytes:
    """The hash over the hashes of all leaves; that of the first ones is the root of an earlier tree."""
    if not leaves:
        return hashlib.sha256().digest()
    level = list(leaves)
    while len(level) > 1:
        pairs = zip(level[::2], level[1::2])
        hashes = [hashlib.sha256(b'\x01' + left + right).digest() for left, right in pairs]
        # The last one of an odd number goes up as it is.
        level = hashes + level[2 * len(hashes) :]
    return level[0]


def list_tiles(size: int) -> Iterator[Tuple[str, int]]:
    """The path of each tile with hashes of leaves, and how many it has."""
    for number in range((size + TILE_WIDTH - 1) // TILE_WIDTH):
        width = min(TILE_WIDTH, size - number * TILE_WIDTH)
        path = f'/ledger/tile/0/{_format_tile_number(number)}'
        yield (path if width == TILE_WIDTH else f'{path}.p/{width}'), width


def _format_tile_number(number: int) -> str:
    """Groups of three digits, all but the last with an x: 1234067 is x001/x234/067."""
    text = f'{number % 1000:03d}'
    while number >= 1000:
        number //= 1000
        text = f'x{number % 1000:03d}/{text}'
    return text
