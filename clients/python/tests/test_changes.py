"""Changes, and revisions as they are published."""

import json
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import tenor_client
from tenor_client import Tenor, Unauthorized
from tenor_client.copies import CopyState, CsvCopy
from tests.scripted_server import ScriptedServer, error, hang_up, ok, respond


def event(number):
    data = json.dumps({'revision': number, 'dataset': 'quotes'})
    return f'event: revision\nid: {number}\ndata: {data}\n\n'


def stream(*texts, revision=7):
    body = ''.join([': revisions follow\n\n', *texts]).encode()
    return respond(200, body, Content_Type='text/event-stream', Tenor_Revision=str(revision))


def take(revisions, count):
    return [next(revisions)['revision'] for _ in range(count)]


class Changes(unittest.TestCase):
    def test_come_in_pages_with_the_revision_to_go_on_with(self):
        change = {'change': 'added', 'record': {}}
        link = '</changes/quotes?since=3&cursor=c>; rel="next"'
        pages = [ok([change], Tenor_Revision='9', Link=link), ok([change], Tenor_Revision='9')]
        with ScriptedServer(*pages, *pages) as server:
            changes = Tenor(server.url, 'token').changes('quotes', 3, page_size=1)
            self.assertEqual(changes.revision, 9)
            self.assertEqual(list(changes), [change, change])
            changes = Tenor(server.url, 'token').changes('quotes', 3)
            self.assertEqual([len(page) for page in changes.pages()], [1, 1])
            self.assertEqual(changes.revision, 9)
        self.assertEqual(server.requests[0][0], '/changes/quotes?since=3&limit=1')
        self.assertEqual(len(server.requests), 4)


class Copies(unittest.TestCase):
    def test_changes_with_other_columns_than_the_copy_are_not_applied(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / 'securities.csv'
            path.write_bytes(b'symbol,name\r\nA,a\r\nC,"c,""d"""\r\n')
            copy, state = CsvCopy(path, 'securities'), CopyState('securities', 1, '')
            other = b'change,symbol,name,issuer\r\nadded,B,b,i\r\n'
            self.assertIsNone(copy.apply(iter([other]), state, state))
            pages = [b'change,symbol,name\r\nadded,B,b\r\n', b'change,symbol,name\r\nretired,C,x\r\n']
            self.assertEqual(copy.apply(iter(pages), state, state), 2)
            self.assertEqual(path.read_bytes(), b'symbol,name\r\nA,a\r\nB,b\r\n')
            names = sorted(file.name for file in Path(folder).iterdir())
            self.assertEqual(names, ['securities.csv', 'securities.csv.tenor.json'])


class Follow(unittest.TestCase):
    def setUp(self):
        sleep = mock.patch.object(tenor_client.changes.EventReader, '_wait')
        self.slept = sleep.start()
        self.addCleanup(sleep.stop)

    def last_ids(self, server):
        # urllib writes the names of headers in its own way.
        return [headers.get('Last-Event-Id') for _, headers in server.requests]

    def test_goes_on_after_the_last_revision_when_the_connection_ends(self):
        unfinished = event(9)[:-20]
        busy = error(503, 'temporarily_unavailable', Retry_After='2')
        streams = [stream(event(8), unfinished), hang_up, busy, stream(event(9), event(10))]
        with ScriptedServer(*streams) as server:
            self.assertEqual(take(Tenor(server.url, 'token').follow(), 3), [8, 9, 10])
        self.assertEqual(self.last_ids(server), [None, '8', '8', '8'])
        self.assertEqual(self.slept.call_args_list[-1].args, (2.0,))

    def test_starts_at_the_newest_revision_or_after_a_given_one(self):
        with ScriptedServer(stream(), stream(event(8))) as server:
            self.assertEqual(take(Tenor(server.url, 'token').follow(), 1), [8])
        self.assertEqual(self.last_ids(server), [None, '7'])
        with ScriptedServer(stream(event(4))) as server:
            self.assertEqual(take(Tenor(server.url, 'token').follow(since=3), 1), [4])
        self.assertEqual(self.last_ids(server), ['3'])

    def test_polls_where_there_are_no_events(self):
        def page(*numbers):
            return ok([{'revision': number} for number in numbers])

        missing = error(404, 'not_found')
        with ScriptedServer(missing, page(7), missing, page(9, 8, 7)) as server:
            self.assertEqual(take(Tenor(server.url, 'token').follow(), 2), [8, 9])
        self.assertEqual(self.slept.call_args_list, [mock.call(30.0)])

    def test_starts_anew_with_the_newest_revision_when_the_database_was_replaced(self):
        wrong = error(400, 'header "Last-Event-ID" must be a revision')
        responses = [stream(event(8)), wrong, ok([{'revision': 3}]), stream(event(4), revision=3)]
        with ScriptedServer(*responses) as server:
            self.assertEqual(take(Tenor(server.url, 'token').follow(), 3), [8, 3, 4])
        self.assertEqual(self.last_ids(server), [None, '8', None, '3'])
        # The service would wait for a revision that it does not have any more.
        self.assertNotIn('Tenor-Revision', server.requests[2][1])

    def test_an_outage_while_polling_passes(self):
        missing, busy = error(404, 'not_found'), error(503, 'temporarily_unavailable')
        pages = [missing, ok([{'revision': 7}]), missing, busy, missing, ok([{'revision': 8}])]
        with ScriptedServer(*pages) as server:
            self.assertEqual(take(Tenor(server.url, 'token', retries=0).follow(), 1), [8])

    def test_raises_errors_that_do_not_pass(self):
        with ScriptedServer(error(401, 'unauthorized_request')) as server:
            with self.assertRaises(Unauthorized):
                next(Tenor(server.url, 'token').follow())


if __name__ == '__main__':
    unittest.main()
