"""Changes, and revisions as they are published."""

import json
import unittest
from unittest import mock

from tenor_client import Tenor, Unauthorized
from tenor_client._sync import follow
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
            self.assertEqual((changes.revision, list(changes)), (9, [change, change]))
            changes = Tenor(server.url, 'token').changes('quotes', 3)
            self.assertEqual([len(page) for page in changes.pages()], [1, 1])
            self.assertEqual(changes.revision, 9)
        self.assertEqual(server.requests[0][0], '/changes/quotes?since=3&limit=1')
        self.assertEqual(len(server.requests), 4)


class Follow(unittest.TestCase):
    def setUp(self):
        sleep = mock.patch.object(follow.EventReader, '_wait')
        self.slept = sleep.start()
        self.addCleanup(sleep.stop)

    def test_goes_on_after_the_last_revision_when_the_connection_ends(self):
        busy = error(503, 'temporarily_unavailable', Retry_After='2')
        streams = [stream(event(8), event(9)[:-20]), hang_up, busy, stream(event(9), event(10))]
        with ScriptedServer(*streams) as server:
            self.assertEqual(take(Tenor(server.url, 'token').follow(), 3), [8, 9, 10])
        self.assertEqual(server.header('Last-Event-ID'), [None, '8', '8', '8'])
        self.assertEqual(self.slept.call_args_list[-1].args, (2.0,))

    def test_starts_at_the_newest_revision_or_after_a_given_one(self):
        with ScriptedServer(stream(), stream(event(8))) as server:
            self.assertEqual(take(Tenor(server.url, 'token').follow(), 1), [8])
        self.assertEqual(server.header('Last-Event-ID'), [None, '7'])
        with ScriptedServer(stream(event(4))) as server:
            self.assertEqual(take(Tenor(server.url, 'token').follow(since=3), 1), [4])
        self.assertEqual(server.header('Last-Event-ID'), ['3'])

    def test_polls_where_there_are_no_events_also_through_an_outage(self):
        def page(*numbers):
            return ok([{'revision': number} for number in numbers])

        missing, busy = error(404, 'not_found'), error(503, 'temporarily_unavailable')
        pages = [missing, page(7), missing, busy, missing, page(9, 8, 7)]
        with ScriptedServer(*pages) as server:
            self.assertEqual(take(Tenor(server.url, 'token', retries=0).follow(), 2), [8, 9])
        self.assertEqual([call.args for call in self.slept.call_args_list], [(30.0,), (0.5,), (30.0,)])

    def test_starts_anew_with_the_newest_revision_when_the_database_was_replaced(self):
        wrong = error(400, 'header "Last-Event-ID" must be a revision')
        responses = [stream(event(8)), wrong, ok([{'revision': 3}]), stream(event(4), revision=3)]
        with ScriptedServer(*responses) as server:
            self.assertEqual(take(Tenor(server.url, 'token').follow(), 3), [8, 3, 4])
        self.assertEqual(server.header('Last-Event-ID'), [None, '8', None, '3'])
        # The service would wait for a revision that it does not have any more.
        self.assertEqual(server.header('Tenor-Revision'), [None] * 4)

    def test_raises_errors_that_do_not_pass(self):
        with ScriptedServer(error(401, 'unauthorized_request')) as server:
            with self.assertRaises(Unauthorized):
                next(Tenor(server.url, 'token').follow())


if __name__ == '__main__':
    unittest.main()
