"""Sources that send more than can be: nothing of it is held in memory."""

import gzip
import tracemalloc
import unittest

from tenor_client import Mirror, Tenor, UnexpectedResponseError, VerificationError
from tenor_client.ledger_source import ServiceSource
from tenor_client.limits import MAX_REVISIONS
from tests.scripted_server import ScriptedServer, inflating, respond, send_endlessly
from tests.test_verify import create_log, damaged

CHUNK = b'x' * 65_536
LINES = b'{"fund_id":"new"}\n' * 4_096
ONE_CHANGE = b'{"change":"added","record":{"date":"2026-06-30","symbol":"Z"}}\n' * 1_024
PARTS = (
    ('/ledger/checkpoint', 'text/plain', 'a checkpoint can have 4,096 bytes'),
    ('/ledger/keys', 'application/json', 'the list of keys can have 1,048,576 bytes'),
    ('/ledger/tile/0/000.p/6', 'application/octet-stream', 'a tile can have 8,704 bytes'),
    ('/ledger/entries/1', 'application/json', 'an entry can have 4,194,304 bytes'),
)


class Bounds(unittest.TestCase):
    def setUp(self):
        self.log = create_log()
        tracemalloc.start()
        self.addCleanup(tracemalloc.stop)

    def assert_bounded(self, error, text, most=64 << 20):
        """The error of `verify`, which took little memory."""
        tracemalloc.reset_peak()
        with ScriptedServer(*[self.log] * 60) as server:
            with self.assertRaisesRegex(error, text):
                Tenor(server.url, 'token').verify()
        self.assertLess(tracemalloc.get_traced_memory()[1], most)

    def test_each_part_of_a_log_without_end_is_named_with_its_address_and_its_limit(self):
        for path, content_type, text in PARTS:
            endless = send_endlessly(CHUNK, Content_Type=content_type)
            self.log.damage = {path: endless}
            self.assert_bounded(UnexpectedResponseError, f'{text} at most, and http://.*{path} sends more')
            self.assertLess(endless.sent, 32 << 20)

    def test_each_part_of_a_log_that_inflates_without_end_is_named(self):
        for path, content_type, text in PARTS:
            self.log.damage = {path: inflating(content_type)}
            # The server holds as much as it sends.
            self.assert_bounded(UnexpectedResponseError, text)

    def test_a_line_of_changes_or_records_without_end_is_named(self):
        for path in ('/changes/quotes', '/exports/funds.ndjson'):
            endless = send_endlessly(CHUNK, Content_Type='application/x-ndjson')
            for damage in (endless, inflating('application/x-ndjson')):
                self.log.damage = {path: damage}
                text = 'a line of records can have 16,777,216 bytes at most'
                self.assert_bounded(UnexpectedResponseError, text, 128 << 20)

    def test_changes_without_end_are_no_more_than_the_entry_says(self):
        endless = send_endlessly(ONE_CHANGE, Content_Type='application/x-ndjson')
        self.log.damage = {'/changes/quotes': endless}
        self.assert_bounded(VerificationError, 'altered-changes')
        self.assertLess(endless.sent, 32 << 20)

    def test_records_without_end_are_named_with_a_part_of_them(self):
        for lines in (LINES, b'[]\n' * 4_096, b'{"fund_id":"%s"}\n' % (b'y' * (1 << 14))):
            endless = send_endlessly(lines, Content_Type='application/x-ndjson')
            self.log.damage = {'/exports/funds.ndjson': endless}
            self.assert_bounded(VerificationError, 'altered-data: .* and [0-9]{3,} others')

    def test_errors_without_end_are_named(self):
        endless = send_endlessly(CHUNK, 500, Content_Type='application/json')
        self.log.damage = {'/ledger/checkpoint': endless}
        self.assert_bounded(UnexpectedResponseError, 'an error response can have 1,048,576 bytes')

    def test_a_log_of_more_revisions_than_can_be_is_not_read(self):
        text = self.log.checkpoint().split('\n')
        note = self.log.signer.sign(f'{text[0]}\n{MAX_REVISIONS + 1}\n{text[2]}\n')
        self.log.damage = {'/ledger/checkpoint': damaged(note.encode(), 'text/plain')}
        self.assert_bounded(UnexpectedResponseError, f'a log of {MAX_REVISIONS + 1} revisions')

    def test_a_compressed_export_is_read_as_it_is(self):
        lines = [b'{"fund_id":"%d"}' % number for number in range(20_000)]
        body = gzip.compress(b'\n'.join(lines))
        headers = {'Content_Type': 'application/x-ndjson', 'Content_Encoding': 'gzip'}
        with ScriptedServer(respond(200, body, **headers)) as server:
            source = ServiceSource(Tenor(server.url, 'token'))
            found = source.read_export('funds', 1, lambda records: [r['fund_id'] for r in records])
        self.assertEqual(found, [str(number) for number in range(20_000)])

    def test_an_export_that_is_cut_short_is_read_again(self):
        body = b'{"fund_id":"a"}\n{"fund_id":"b"}\n'
        whole = respond(200, body, Content_Type='application/x-ndjson')
        cut = respond(200, body, 16, Content_Type='application/x-ndjson')
        with ScriptedServer(cut, whole) as server:
            source = ServiceSource(Tenor(server.url, 'token'))
            found = source.read_export('funds', 1, lambda records: [r['fund_id'] for r in records])
        self.assertEqual(found, ['a', 'b'])

    def test_pages_and_files_of_a_mirror_without_end_are_named(self):
        with ScriptedServer(send_endlessly(CHUNK, Content_Type='application/json')) as server:
            with self.assertRaisesRegex(UnexpectedResponseError, 'a response can have 67,108,864'):
                Tenor(server.url, 'token').series('x')
        files = {
            'latest.json can have 1,024': [send_endlessly(CHUNK)],
            'a manifest can have 8,388,608': [respond(200, b'{"revision":1}'), send_endlessly(CHUNK)],
            'there is no mirror': [respond(200, b'{"revision":9999999}')],
        }
        for text, responses in files.items():
            with ScriptedServer(*responses) as server:
                with self.assertRaisesRegex(Exception, text):
                    list(Mirror(server.url).records('quotes'))
        self.assertLess(tracemalloc.get_traced_memory()[1], 256 << 20)

    def test_a_redirect_without_end_is_followed_without_its_body(self):
        endless = send_endlessly(CHUNK, 302, Location='/elsewhere')
        with ScriptedServer(endless, respond(200, b'{"revision":7}')) as server:
            self.assertEqual(Mirror(server.url).revision(), 7)
        self.assertLess(endless.sent, 32 << 20)


if __name__ == '__main__':
    unittest.main()
