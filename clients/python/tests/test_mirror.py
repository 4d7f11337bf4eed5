"""The mirror at TENOR_MIRROR, compared with its service at TENOR_URL, and every way it may fail."""

import calendar
import contextlib
import importlib.util
import io
import json
import os
import sys
import tempfile
import unittest
import urllib.request
from pathlib import Path
from unittest import mock

from tenor_client import (
    Mirror,
    NetworkError,
    NotFound,
    Tenor,
    UnexpectedResponseError,
    VerificationError,
)
from tenor_client.ledger import VerifierKey
from tenor_client.mirror_tables import read_records
from tests.scripted_server import ScriptedServer, respond

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
                    if entry['name'] == 'holidays':
                        # They are by calendar, but their files by month.
                        exported, mirrored = (sorted(map(str, each)) for each in (exported, mirrored))
                    self.assert_same(mirrored, exported, dataset=entry['name'], as_of=number)

    def test_a_month_has_the_records_whose_periods_end_in_it(self):
        months = [file.month for file in self.mirror.files('quotes')]
        self.assertEqual(months, sorted(months))
        for month in months[-3:]:
            last = f'{month}-{calendar.monthrange(int(month[:4]), int(month[5:]))[1]}'
            served = self.tenor.quotes_all(from_=f'{month}-01', to=last)
            self.assert_same(self.mirror.records('quotes', month=month), served, month=month)
        self.assertEqual(list(self.mirror.records('quotes', month='1999-01')), [])
        self.assertEqual([file.month for file in self.mirror.files('fund-allocation')], [None])

    def test_the_files_of_a_dataset_are_where_they_can_be_read(self):
        from pyarrow import parquet

        rows = 0
        for file in self.mirror.files('quotes', as_of=18):
            with urllib.request.urlopen(file.url) as response:
                rows += parquet.read_table(io.BytesIO(response.read())).num_rows
        self.assertEqual(rows, len(list(self.mirror.records('quotes', as_of=18))))
        self.assertIn('quotes', self.mirror.datasets(as_of=1))

    def test_instants_lead_to_revisions(self):
        for revision in list(self.tenor.revisions_all())[::4]:
            instant = revision['publishedAt']
            served = self.tenor.as_of(instant).quotes_all(from_='0001-01-01')
            self.assert_same(self.mirror.records('quotes', as_of=instant), served)

    @unittest.skipIf(importlib.util.find_spec('pandas') is None, 'pandas is not installed')
    def test_frames_have_the_types_of_the_service(self):
        mirrored = self.mirror.records('quotes').to_pandas()
        served = self.tenor.quotes_all(from_='0001-01-01').to_pandas()
        self.assertEqual(list(mirrored.dtypes), list(served.dtypes))
        self.assertTrue(mirrored.equals(served))

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
                list(self.mirror.records('quotes'))

    def test_files_that_are_none_of_a_mirror_are_rejected(self):
        for path in ('https://other.example/x', '../secret', 'data/x.parquet'):
            with self.assertRaisesRegex(UnexpectedResponseError, 'is no data file of a mirror'):
                self.mirror._files.read_data(path, 'quotes')
        with self.assertRaisesRegex(UnexpectedResponseError, 'records of quotes cannot be read'):
            read_records('quotes', b'text')

    def test_what_a_mirror_does_not_have_is_named(self):
        for read, kind, message in (
            (lambda: self.mirror.records('quotes', as_of=99), NotFound, 'no revision 99; it has 1 to '),
            (lambda: self.mirror.records('rates', as_of=1), NotFound, "no dataset 'rates' at revision 1; it has quotes, "),
            (lambda: self.mirror.files('kibor'), NotFound, "no dataset 'kibor'"),
            (lambda: self.mirror.records('fund-allocation', month='2026-05'), ValueError, 'of fund-allocation have no months'),
            (lambda: self.mirror.files('quotes', as_of='1999-12-31'), NotFound, 'nothing of 1999-12-31T23:59:59Z: its first revision, 1, was published at'),
            (lambda: Mirror(os.environ['TENOR_URL']).revision(), NotFound, 'there is no mirror at http.*: it has no latest.json'),
            (lambda: Mirror('http://127.0.0.1:1', retries=0).revision(), NetworkError, 'no complete response'),
        ):
            with self.assertRaisesRegex(kind, message):
                read()


@contextlib.contextmanager
def damaged(mirror, changes):
    """A mirror some of whose files have other contents, or are not there."""
    read, read_lines = mirror._files.read, mirror._files.read_lines

    def read_damaged(path):
        if changes.get(path, b'') is None:
            raise NotFound(f'the mirror has no {path}')
        return changes.get(path) or read(path)

    def read_damaged_lines(path, most):
        return read_damaged(path).splitlines()[:most] if path in changes else read_lines(path, most)

    with mock.patch.multiple(mirror._files, read=read_damaged, read_lines=read_damaged_lines):
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
