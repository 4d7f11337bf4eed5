"""Records as the changes of a dataset have made them."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Dict, Iterable, List, Mapping, Sequence, Tuple

MAX_DIFFERENT = 1_000
MAX_KEY = 200
ENCODER = json.JSONEncoder(sort_keys=True)


class Fold:
    """The records that all changes of a dataset lead to, by their keys."""

    def __init__(self, key_fields: Sequence[str]) -> None:
        self._key_fields = key_fields
        self._digests: Dict[Tuple[str, ...], bytes] = {}

    def begin(self, records: Iterable[Mapping[str, Any]]) -> None:
        """Begins with records as they are."""
        for record in records:
            self._digests[self._identify(record)] = _digest_record(record)

    def apply(self, change: Mapping[str, Any]) -> None:
        key = self._identify(change['record'])
        if change['change'] == 'retired':
            self._digests.pop(key, None)
        else:
            self._digests[key] = _digest_record(change['record'])

    def compare(self, records: Iterable[Mapping[str, Any]]) -> Tuple[int, List[str]]:
        """How many records there are, and the keys of those that are not as they should be."""
        count, different, missing = 0, [], dict(self._digests)
        for record in records:
            count += 1
            key = self._identify(record)
            if missing.pop(key, None) != _digest_record(record):
                different.append(' '.join(key)[:MAX_KEY])
            # There may be no end to them.
            if len(different) > MAX_DIFFERENT:
                break
        return count, [*different, *map(' '.join, missing)]

    def _identify(self, record: Mapping[str, Any]) -> Tuple[str, ...]:
        return tuple(str(record.get(name)) for name in self._key_fields)


def parse_record(line: bytes) -> Mapping[str, Any]:
    """One without fields if a line is no record: no key is that of such a one."""
    try:
        record = json.loads(line)
    except ValueError:
        return {}
    return record if isinstance(record, dict) else {}


def _digest_record(record: Mapping[str, Any]) -> bytes:
    """A digest of a record; a field that is null and one that is missing are the same."""
    present = {name: value for name, value in record.items() if value is not None}
    return hashlib.sha256(ENCODER.encode(present).encode()).digest()
