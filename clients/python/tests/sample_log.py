"""A log as a service has it, which a test can damage."""

import base64
import hashlib
import json
import urllib.parse

from tenor_client.ed25519 import BASE, ORDER, _encode_point, _multiply
from tenor_client.ledger import VerifierKey, compute_root, hash_leaf
from tests.scripted_server import error, ok, respond

CATALOGUE = [
    {'name': 'quotes', 'key': ['date', 'symbol']},
    {'name': 'funds', 'key': ['fund_id']},
    {'name': 'years', 'key': ['year', 'plan']},
]
NDJSON = 'application/x-ndjson; charset=utf-8'
PAGE_SIZE = 2


class Signer:
    """A key that signs, by RFC 8032; in a test its time may depend on its numbers."""

    def __init__(self, name, seed):
        digest = hashlib.sha512(seed.to_bytes(32, 'big')).digest()
        scalar = int.from_bytes(digest[:32], 'little')
        self._scalar = scalar & ~7 & (1 << 254) - 1 | 1 << 254
        self._prefix = digest[32:]
        self.key = VerifierKey(name, _encode_point(_multiply(BASE, self._scalar)))

    def sign(self, text):
        message = text.encode()
        nonce = int.from_bytes(hashlib.sha512(self._prefix + message).digest(), 'little') % ORDER
        first = _encode_point(_multiply(BASE, nonce))
        digest = hashlib.sha512(first + self.key.public_key + message).digest()
        second = (nonce + int.from_bytes(digest, 'little') * self._scalar) % ORDER
        signature = base64.b64encode(self.key.id + first + second.to_bytes(32, 'little')).decode()
        return f'{text}\n— {self.key.name} {signature}\n'


class SampleLog:
    """The responses of a service; `damage` has others, by their paths."""

    def __init__(self, name='tenor/0123', seed=1):
        self.signer = Signer(name, seed)
        self.keys = [(self.signer.key, 0, None)]
        self.entries = []
        self.lines = []
        self.exports = {entry['name']: [] for entry in CATALOGUE}
        self.forbidden = set()
        self.damage = {}

    def publish(self, dataset, *changes, relabelled=0):
        """Adds a revision with changes: pairs of their names and records, some in two of these."""
        lines = [_dump({'change': name, 'record': record}) for name, record in changes]
        digests = sorted(hashlib.sha256(line).digest() for line in lines)
        names = [name for name, _ in changes]
        counts = {name: names.count(name) for name in ('added', 'corrected', 'retired')}
        for name in counts:
            counts[name] += relabelled if name == 'corrected' else -relabelled
        entry = {'revision': len(self.entries) + 1, 'dataset': dataset, **counts, 'salt': '00'}
        entry['changes'] = hashlib.sha256(b''.join(digests)).hexdigest()
        self.entries.append(_dump(entry))
        self.lines.append((dataset, lines))

    @property
    def leaves(self):
        return [hash_leaf(hashlib.sha256(entry).digest()) for entry in self.entries]

    def checkpoint(self, size=None):
        leaves = self.leaves[:size]
        root = base64.b64encode(compute_root(leaves)).decode()
        return self.signer.sign(f'{self.signer.key.name}\n{len(leaves)}\n{root}\n')

    def follow_by(self, signer, size, is_noted=True):
        """Another key takes the place of this one: of the same name, or that of a restarted log."""
        note = self.signer.sign(f'tenor ledger key\n{signer.key}\n{size}\n') if is_noted else None
        self.keys.append((signer.key, size, note))
        self.signer = signer

    def __call__(self, handler):
        """Responds to a request of the scripted server."""
        url = urllib.parse.urlsplit(handler.path)
        damaged = self.damage.get(url.path)
        (damaged or self._respond(url.path, dict(urllib.parse.parse_qsl(url.query))))(handler)

    def _respond(self, path, query):
        _, kind, *rest = path.split('/')
        name = rest[0] if rest else ''
        if kind == 'catalogue':
            return ok(CATALOGUE)
        if kind == 'exports':
            dataset = name[: -len('.ndjson')]
            lines = map(_dump, self.exports[dataset])
            body = b''.join(line + b'\n' for line in lines)
            assert query == {'as_of': str(len(self.entries))}
            return self._guard(dataset, respond(200, body, Content_Type=NDJSON))
        if kind == 'changes':
            return self._respond_changes(name, query)
        if name == 'checkpoint':
            return respond(200, self.checkpoint().encode(), Content_Type='text/plain; charset=utf-8')
        if name == 'keys':
            listed = [{'key': str(key), 'size': size, 'note': note} for key, size, note in self.keys]
            return ok({'origin': self.signer.key.name, 'key': listed[-1]['key'], 'keys': listed})
        if name == 'entries':
            number = int(rest[1])
            response = respond(200, self.entries[number - 1], Content_Type='application/json')
            return self._guard(self.lines[number - 1][0], response)
        assert path == f'/ledger/tile/0/000.p/{len(self.entries)}', path
        return respond(200, b''.join(self.leaves), Content_Type='application/octet-stream')

    def _respond_changes(self, dataset, query):
        number, start = int(query['until']), int(query.get('cursor', 0))
        assert query['as_stored'] == 'true' and query['as_of'] == query['until']
        lines = self.lines[number - 1][1]
        page = lines[start : start + PAGE_SIZE]
        target = urllib.parse.urlencode({**query, 'cursor': start + PAGE_SIZE})
        more = len(lines) > start + PAGE_SIZE
        link = {'Link': f'</changes/{dataset}?{target}>; rel="next"'} if more else {}
        body = b''.join(line + b'\n' for line in page)
        return self._guard(dataset, respond(200, body, Content_Type=NDJSON, **link))

    def _guard(self, dataset, response):
        return error(403, 'forbidden') if dataset in self.forbidden else response


def _dump(value):
    return json.dumps(value, separators=(',', ':'), ensure_ascii=False).encode()
