"""The mirror at TENOR_MIRROR, compared with its service at TENOR_URL, and every way it may fail."""

import contextlib
import importlib.util
import json
import os
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from tenor_client import (
    Mirror,
    NetworkError,
    NoRecordFound,
    NotFound,
    Tenor,
    UnexpectedResponseError,
    VerificationError,
)
from tenor_client.ledger import VerifierKey
from tenor_client.mirror_tables import read_records
from tests.scripted_server import ScriptedServer, respond

SPELLINGS = (
    *('2026-01-15', '2025-12-31', '2026-W01', 'Jan 2026', '2026-01', 'Q1 2026', '2026-Q1'),
    *('Q1 FY2026', '2025-Q4', '2025', 'FY2025', '2024'),
)


@unittest.skipIf(importlib.util.find_spec('pyarrow') is None, 'pyarrow is not installed')
class MirroredData(unittest.TestCase):
    def setUp(self):
        self.tenor = Tenor()
        self.mirror = Mirror(os.environ['TENOR_MIRROR'])
        self.newest = self.mirror.revision()

    def assert_same(self, mirrored, served, **subject):
        # The types of numbers are compared as well: 11 is not 11.0.
        self.assertEqual(json.dumps(list(mirrored)), json.dumps(list(served)), subject)

    def test_every_dataset_has_the_records_of_exports(self):
        self.assertGreater(self.newest, 20)
        with tempfile.TemporaryDirectory() as folder:
            for number in (1, 7, 18, 24, 30, self.newest):
                client = self.tenor.as_of(number)
                for entry in client.catalogue_all():
                    path = Path(folder) / 'export.ndjson'
                    client.export(entry['name'], 'ndjson', path)
                    exported = map(json.loads, path.read_text('utf-8').splitlines())
                    mirrored = self.mirror.records(entry['name'], as_of=number)
                    self.assert_same(mirrored, exported, dataset=entry['name'], as_of=number)

    def test_a_bound_that_is_no_period_of_fiscal_quarters_names_the_forms_that_are(self):
        with self.assertRaisesRegex(ValueError, 'must be a quarter such as Q1 FY2024, or a day'):
            list(self.mirror.dataset('series-3', from_='2026-Q1'))

    def test_quotes_are_those_of_the_service(self):
        cases = [
            {},
            {'type': 'bond'},
            {'symbol': 'A'},
            {'symbol': 'B'},
            {'symbol': 'b', 'type': 'tbill'},
            {'symbol': 'zz0000000001'},
            {'symbol': ['ZZ0000000001', 'C']},
            {'symbol': 'ZZ0000000002'},
            {'symbol': ['ZZ0000000002', 'a'], 'from_': '2026-04-01'},
            {'symbol': 'none'},
            {'date': '2026-04-30'},
            {'from_': '2026-04-01', 'to': '2026-04-30'},
            {'from_': '2026-04-01', 'sort': 'asc'},
            {'to': '2026-04-29', 'type': 'all'},
            {'symbol': 'A,b', 'from_': '2026-01-01', 'sort': 'asc'},
        ]
        for number in (1, 18, 19, self.newest):
            for case in cases:
                served = self.tenor.as_of(number).quotes_all(**case)
                self.assert_same(self.mirror.quotes(**case, as_of=number), served, **case)
        self.assertEqual(len(self.mirror.quotes(from_='2026-01-01', limit=2)), 2)
        self.assertEqual(self.mirror.quotes(as_of=18).revision, 18)

    def test_series_are_those_of_the_service(self):
        for index in range(5):
            found = 0
            for text in [None, *SPELLINGS]:
                for sort in ('asc', 'desc'):
                    for bounds in ({'start': text}, {'end': text}, {'start': text, 'end': text}):
                        mirrored, served = (
                            self.read(source, f'series-{index}', sort=sort, **bounds)
                            for source in (self.mirror, self.tenor)
                        )
                        self.assertEqual(mirrored, served, (index, sort, bounds))
                        found += len(mirrored)
            self.assertGreater(found, 20)

    def read(self, source, name, **parameters):
        try:
            return list(source.dataset(name, **parameters))
        except ValueError:
            return []

    def test_series_of_the_service_are_without_the_status_that_it_adds(self):
        for name in ('online-banking-annual-volume', 'branchless-banking-agents'):
            self.assert_same(self.mirror.dataset(name), self.tenor.series(name))
            for text in SPELLINGS:
                served = self.read(self.tenor, name, start=text)
                for record in served:
                    del record['status']
                self.assertEqual(self.read(self.mirror, name, start=text), served, (name, text))

    def test_dimensions_select_records(self):
        for area in ('north', 'North', ['north', 'East'], 'East,north'):
            mirrored = self.mirror.dataset('series-0', area=area)
            self.assert_same(mirrored, self.tenor.dataset('series-0', area=area))
        with self.assertRaisesRegex(ValueError, "'tenor' is no dimension of series-0; it has area"):
            self.mirror.dataset('series-0', tenor='1M')

    def test_funds_revisions_and_instants(self):
        for name in ('EMPTY', 'without-classes', 'Without-Periods'):
            self.assertEqual(self.mirror.fund(name), self.tenor.fund_allocation(name))
        with self.assertRaisesRegex(NoRecordFound, "the mirror has no fund 'other'"):
            self.mirror.fund('other')
        revisions = list(self.tenor.revisions_all())
        self.assertEqual(self.mirror.revisions(), revisions)
        self.assertEqual(self.mirror.revisions(limit=3), revisions[:3])
        for revision in revisions[::4]:
            instant = revision['publishedAt']
            served = self.tenor.as_of(instant).quotes_all(from_='2026-01-01')
            self.assert_same(self.mirror.quotes(as_of=instant, from_='2026-01-01'), served)

    @unittest.skipIf(importlib.util.find_spec('pandas') is None, 'pandas is not installed')
    def test_frames_have_the_types_of_the_service(self):
        for mirrored, served in (
            (self.mirror.quotes(), self.tenor.quotes()),
            (self.mirror.dataset('series-0'), self.tenor.dataset('series-0')),
            (self.mirror.records('funds'), self.mirror.records('funds')),
        ):
            frame, expected = mirrored.to_pandas(), served.to_pandas()
            self.assertEqual(list(frame.dtypes), list(expected.dtypes))
            self.assertTrue(frame.equals(expected))

    def test_the_state_of_the_service_verifies_its_mirror(self):
        with tempfile.TemporaryDirectory() as folder:
            state = Path(folder) / 'state.json'
            served = self.tenor.verify(state)
            mirrored = self.mirror.verify(state)
            self.assertEqual(mirrored.previous_size, self.newest)
            self.assertEqual(mirrored.first_revision, 1)
            self.assertEqual(mirrored.datasets, served.datasets)
            self.assertEqual(self.mirror.verify(state, log_only=True).size, self.newest)

    def test_a_checkpoint_that_a_newer_key_has_signed_is_the_same(self):
        with tempfile.TemporaryDirectory() as folder:
            state = Path(folder) / 'state.json'
            origin = self.mirror.verify(state, log_only=True).origin
            newer = str(VerifierKey(origin, b'2' * 32))
            state.write_text(json.dumps({**json.loads(state.read_text('utf-8')), 'key': newer}))
            self.assertEqual(self.mirror.verify(state, log_only=True).key, newer)
            with self.assertRaisesRegex(VerificationError, 'unknown-key'):
                self.tenor.verify(state, log_only=True)

    def test_some_scopes_and_a_later_begin_are_verified(self):
        verified = Mirror(os.environ['TENOR_MIRROR_PART']).verify()
        self.assertEqual(verified.first_revision, 10)
        self.assertGreater(verified.unreadable, 3)
        self.assertEqual(verified.checked + verified.unreadable, self.newest - 9)
        self.assertEqual(verified.datasets['quotes'], self.mirror.verify().datasets['quotes'])

    def test_other_contents_than_were_published_are_an_alarm(self):
        path = self.mirror._manifest(None).find('quotes').files[0]
        for changes, problem in (
            ({path: b'other'}, 'altered-data'),
            ({path: None}, 'altered-data'),
            ({'changes/4.ndjson': None}, 'altered-changes'),
            ({'revisions/2/entry.json': None}, 'missing-entry'),
            ({f'ledger/tile/0/000.p/{self.newest}': None}, 'damaged-tile'),
        ):
            with self.subTest(changes), damaged(self.mirror, changes):
                with self.assertRaises(VerificationError) as caught:
                    self.mirror.verify()
                self.assertEqual(caught.exception.problem, problem)
        with damaged(self.mirror, {path: b'other'}):
            with self.assertRaisesRegex(VerificationError, 'has other bytes than its name says'):
                self.mirror.quotes(from_='0001-01-01')

    def test_files_that_are_none_of_a_mirror_are_rejected(self):
        for path in ('https://other.example/x', '../secret', 'data/x.parquet'):
            with self.assertRaisesRegex(UnexpectedResponseError, 'is no data file of a mirror'):
                self.mirror._files.read_data(path, 'quotes')
        with self.assertRaisesRegex(UnexpectedResponseError, 'records of quotes cannot be read'):
            read_records('quotes', b'text')

    def test_what_a_mirror_does_not_have_is_named(self):
        for read, kind, message in (
            (lambda: self.mirror.quotes(as_of=99), NotFound, 'no revision 99; it has 1 to '),
            (lambda: list(self.mirror.records('rates', as_of=1)), NotFound, "no dataset 'rates' at revision 1; it has quotes, "),
            (lambda: self.mirror.dataset('kibor'), NotFound, "no dataset 'kibor'"),
            (lambda: self.mirror.dataset('securities'), ValueError, 'securities is no series'),
            (lambda: self.mirror.quotes(as_of='1999-12-31'), NotFound, 'nothing of 1999-12-31T23:59:59Z: its first revision, 1, was published at'),
            (lambda: self.mirror.quotes(date='2026-02-30'), ValueError, 'date must be a calendar day'),
            (lambda: self.mirror.quotes(limit=0), ValueError, 'limit must be a whole number from 1'),
            (lambda: Mirror(os.environ['TENOR_URL']).revision(), NotFound, 'there is no mirror at http.*: it has no latest.json'),
            (lambda: Mirror('http://127.0.0.1:1', retries=0).revision(), NetworkError, 'no complete response'),
        ):
            with self.assertRaisesRegex(kind, message):
                read()


@contextlib.contextmanager
def damaged(mirror, changes):
    """A mirror some of whose files have other contents, or are not there."""
    read = mirror._files.read

    def read_damaged(path):
        if changes.get(path, b'') is None:
            raise NotFound(f'the mirror has no {path}')
        return changes.get(path) or read(path)

    with mock.patch.object(mirror._files, 'read', read_damaged):
        yield


class Requests(unittest.TestCase):
    def test_no_token_is_sent_and_redirects_are_followed(self):
        latest = respond(200, b'{"revision":3}')
        with ScriptedServer(respond(302, Location='/other/latest.json'), latest) as server:
            self.assertEqual(Mirror(f'{server.url}/mirror/').revision(), 3)
            self.assertEqual([path for path, _ in server.requests], ['/mirror/latest.json', '/other/latest.json'])
            for _, headers in server.requests:
                self.assertNotIn('Authorization', headers)

    def test_an_interrupted_mirror_is_read_again(self):
        with ScriptedServer(respond(503), respond(200, b'{"revision":3}')) as server:
            self.assertEqual(Mirror(server.url).revision(), 3)

    def test_a_missing_package_is_named(self):
        with mock.patch.dict(sys.modules, {'pyarrow': None, 'pyarrow.parquet': None}):
            with self.assertRaisesRegex(ImportError, r'pip install pyarrow, or tenor-client\[arrow\]'):
                read_records('quotes', b'')


if __name__ == '__main__':
    unittest.main()
