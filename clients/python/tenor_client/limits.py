"""How large a response can be that is read into memory as a whole."""

from __future__ import annotations

import re
from typing import Tuple

from .errors import UnexpectedResponseError

MAX_REVISIONS = 1 << 20
"""One in each five minutes of ten years."""
MAX_LINE = 16 << 20
"""The most that a load accepts of a record."""
CHUNK = 1 << 16

LIMITS = tuple(
    (re.compile(pattern), name, most)
    for pattern, name, most in (
        (r'/(ledger|revisions/\d+)/checkpoint$', 'a checkpoint', 4 << 10),
        # A hash has 32 bytes; an entry has its length before it.
        (r'/ledger/tile/', 'a tile', 256 * 34),
        (r'/ledger/keys$|/keys\.json$', 'the list of keys', 1 << 20),
        (r'/ledger/entries/\d+$|/entry\.json$', 'an entry', 4 << 20),
        (r'/latest\.json$', 'latest.json', 1 << 10),
        (r'/manifest\.json$', 'a manifest', 8 << 20),
        (r'/data/\w+\.parquet$', 'a data file', 128 << 20),
        (r'', 'a response', 64 << 20),
    )
)
ERROR_LIMIT = ('an error response', 1 << 20)


def find_limit(url: str, status: int) -> Tuple[str, int]:
    """What is requested, and its bytes; by the address, never by what the response says of itself."""
    if status >= 300:
        return ERROR_LIMIT
    path = url.partition('?')[0]
    return next((name, most) for pattern, name, most in LIMITS if pattern.search(path))


def require_bounded(body: bytes, url: str, status: int) -> bytes:
    name, most = find_limit(url, status)
    if len(body) > most:
        raise UnexpectedResponseError(f'{name} can have {most:,} bytes at most, and {url} sends more')
    return body
