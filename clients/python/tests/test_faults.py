"""Network failures, invalid responses, interrupted downloads, and revisions as they are published."""

import datetime
import errno
import gzip
import json
import os
import ssl
import tempfile
import traceback
import tracemalloc
import unittest
from pathlib import Path
from unittest import mock

import httpx
from tenor_client import NetworkError, NoRecordFound, NotFound, ServerError, Tenor, TenorError
from tenor_client import TooManyRequests, Unauthorized, Unavailable, UnexpectedResponseError
from tenor_client._sync import connection, follow
from tests.scripted_server import TOKEN, ScriptedServer, error, hang_up, ok, respond, send_endlessly

BODY = bytes(range(256)) * 1024


class WithoutSleep(unittest.TestCase):
    def setUp(self):
        sleep = mock.patch.object(connection.time, 'sleep')
        self.slept = sleep.start()
        self.addCleanup(sleep.stop)

    def waits(self):
        return [call.args[0] for call in self.slept.call_args_list]


class Retries(WithoutSleep):
    def test_retries_after_temporary_errors_and_truncated_responses(self):
        cut = respond(200, b'{"status":"ok","data":[1]}', cut_at=20)
        failures = [error(status, 'busy') for status in (429, 502, 503)] + [hang_up, cut]
        with ScriptedServer(*failures, ok([1])) as server:
            self.assertEqual(server.tenor.series('x'), [1])
        self.assertEqual((len(self.waits()), self.waits()[:4]), (5, sorted(self.waits()[:4])))

    def test_waits_for_the_time_in_retry_after_but_no_longer_than_the_maximum(self):
        now, later = 'Tue, 30 Jun 2026 12:00:00 GMT', 'Tue, 30 Jun 2026 12:00:40 GMT'
        seconds, too_long = (error(429, 'too_many_requests', Retry_After=text) for text in ('7', '61'))
        instant = error(503, 'temporarily_unavailable', Date=now, Retry_After=later)
        with ScriptedServer(seconds, instant, ok(), too_long) as server:
            server.tenor.series('x')
            with self.assertRaises(TooManyRequests) as caught:
                server.tenor.series('x')
        self.assertEqual([int(wait) for wait in self.waits()], [7, 40])
        self.assertEqual(caught.exception.retry_after, 61)

    def test_retries_until_a_service_is_back_after_ten_seconds(self):
        real_stream = httpx.Client.stream

        def stream_after_ten_seconds(*args, **options):
            if sum(self.waits()) < 10:
                raise httpx.ConnectError('refused')
            return real_stream(*args, **options)

        stream = mock.patch.object(httpx.Client, 'stream', stream_after_ten_seconds)
        random = mock.patch.object(connection.random, 'uniform', return_value=0.5)
        with ScriptedServer(ok([1])) as server, stream, random:
            self.assertEqual(server.tenor.series('x'), [1])

    def test_fails_after_the_given_number_of_retries_and_names_the_path(self):
        for response, kind in ((error(503, 'temporarily_unavailable'), Unavailable), (hang_up, NetworkError)):
            with ScriptedServer(*[response] * 3) as server, self.assertRaisesRegex(kind, '/3.0/alternate/x'):
                Tenor(server.url, TOKEN, retries=2).series('x')
            self.assertEqual(len(server.requests), 3)

    def test_does_not_retry_after_permanent_errors(self):
        for status, kind in [(401, Unauthorized), (404, NotFound), (500, ServerError)]:
            with ScriptedServer(error(status, 'no')) as server, self.assertRaises(kind):
                server.tenor.series('x')

        invalid = httpx.ConnectError('self-signed certificate')
        invalid.__cause__ = ssl.SSLCertVerificationError()
        with mock.patch.object(httpx.Client, 'stream', side_effect=invalid):
            with self.assertRaisesRegex(NetworkError, 'self-signed'):
                Tenor('https://127.0.0.1:1', TOKEN).series('x')
        self.assertEqual(self.waits(), [])


class Secrets(WithoutSleep):
    def test_the_token_is_not_sent_to_another_host(self):
        with ScriptedServer() as other_host:
            url = f'{other_host.url}/2.0/bnb/quote'
            redirect, foreign = respond(302, Location=url), ok([1], Link=f'<{url}?cursor=a>; rel="next"')
            for response, text in ((redirect, 'redirect to .*not followed'), (foreign, 'another host')):
                with ScriptedServer(response) as server:
                    with self.assertRaisesRegex(UnexpectedResponseError, text):
                        list(server.tenor.quotes_all())
        self.assertEqual(other_host.requests, [])

    def test_errors_and_representations_do_not_contain_the_token(self):
        for response in (error(500, f'you sent Bearer {TOKEN}'), hang_up):
            with ScriptedServer(response) as server, self.assertRaises(TenorError) as caught:
                tenor = Tenor(server.url, TOKEN, retries=0)
                tenor.quotes()
            lines = traceback.format_exception(None, caught.exception, None)
            self.assertNotIn(TOKEN, repr([*lines, caught.exception, vars(caught.exception)]))
        held = tenor._connection
        self.assertNotIn(TOKEN, repr([tenor, vars(tenor), vars(held), vars(held._client)]))

    def test_an_invalid_token_is_rejected_without_showing_it_and_so_is_an_invalid_url(self):
        urls = ['', 'tenor.example', 'ftp://x', 'http://a:b@x', 'http://x?y=1', 'http://']
        tokens = ['', 'two words', 'line\nbreak', 'ключ']
        for url, token in [(url, TOKEN) for url in urls] + [('http://x', token) for token in tokens]:
            with self.subTest(url=url, token=token), self.assertRaises(ValueError) as caught:
                Tenor(url, token)
            self.assertNotIn(token or TOKEN, str(caught.exception))


class Responses(WithoutSleep):
    def read(self, *responses):
        with ScriptedServer(*responses) as server:
            for _ in responses:
                server.tenor.series('x')
        return server

    def test_a_body_in_another_format_is_an_unexpected_response(self):
        bodies = [b'<html>', b'{"status":"ok"}', b'[]']
        garbage = respond(200, b'no gzip', Content_Encoding='gzip')
        for response in [*(respond(200, body) for body in bodies), respond(204), garbage]:
            self.assertRaises(UnexpectedResponseError, self.read, response)

    def test_a_body_without_end_is_not_held_in_memory_inflated_ones_and_errors_included(self):
        endless, failed = (send_endlessly(b'x' * 65_536, status) for status in (200, 500))
        inflating = respond(200, gzip.compress(bytes(128 << 20), 1), Content_Encoding='gzip')
        tracemalloc.start()
        for response, name in ((endless, 'a response'), (inflating, 'a response'), (failed, 'an error')):
            text = f'{name} can have .* bytes at most'
            self.assertRaisesRegex(UnexpectedResponseError, text, self.read, response)
        self.assertLess(tracemalloc.get_traced_memory()[1], 256 << 20)
        tracemalloc.stop()

    def test_pages_that_lead_to_themselves_or_lack_changes_are_unexpected_responses(self):
        looping = ok([1], Link='</2.0/bnb/quote?cursor=a>; rel="next"')
        with ScriptedServer(looping, looping) as server:
            self.assertRaises(UnexpectedResponseError, list, server.tenor.quotes_all())
        revision = {'added': 3, 'corrected': 0, 'retired': 0, 'changes': [1]}
        first = ok(revision, Link='<?cursor=b>; rel="next"')
        with ScriptedServer(first, ok(revision), ok([]), ok({'changes': {}})) as server:
            for text in ('only 2 of 3 changes were sent', 'not a list', 'not a list'):
                changes = server.tenor.revision_all(7, page_size=1)
                self.assertRaisesRegex(UnexpectedResponseError, text, list, changes)
        self.assertEqual(server.parameters()[:2], [{'limit': '1'}, {'cursor': 'b'}])

    def test_paging_works_below_a_path_prefix_and_continues_from_a_cursor(self):
        link = '</x>; rel="first", </2.0/bnb/quote?limit=1&cursor=a%2Bb>; rel="next"'
        with ScriptedServer(ok([1], Link=link), ok([2]), ok([2])) as server:
            tenor = Tenor(f'{server.url}/tenor/', TOKEN)
            self.assertEqual(list(tenor.quotes_all(page_size=1)), [1, 2])
            pages = list(tenor.quotes_all(page_size=1, cursor='a+b').pages())
        paths = [path for path, _ in server.requests]
        self.assertEqual(paths[1:], ['/tenor/2.0/bnb/quote?limit=1&cursor=a%2Bb'] * 2)
        self.assertEqual((pages, pages[0].cursor), ([[2]], None))

    def test_the_newest_revision_that_was_seen_is_sent_with_every_later_request(self):
        server = self.read(*(ok([1], Tenor_Revision=revision) for revision in '7589'))
        self.assertEqual(server.header('Tenor-Revision'), [None, '7', '7', '8'])

    def test_a_304_reuses_the_cached_response(self):
        unchanged = respond(304, ETag='"a"', Tenor_Revision='2')
        with ScriptedServer(ok([1], ETag='"a"', Tenor_Revision='1'), unchanged) as server:
            server.tenor.series('x').append('a change by the caller')
            again = server.tenor.series('x')
        self.assertEqual(server.header('If-None-Match'), [None, '"a"'])
        self.assertEqual((again, again.revision, again.cached), ([1], 2, True))

    def test_instants_are_sent_as_accept_datetime_and_are_cached_separately(self):
        karachi = datetime.timezone(datetime.timedelta(hours=5))
        cases = {
            '2026-07-01': '2026-07-01T23:59:59Z', datetime.date(2026, 7, 2): '2026-07-02T23:59:59Z',
            'Thu, 02 Jul 2026 00:00:00 GMT': 'Thu, 02 Jul 2026 00:00:00 GMT',
            datetime.datetime(2026, 7, 1, 5, tzinfo=karachi): '2026-07-01T00:00:00+00:00',
        }
        with ScriptedServer(*[ok(ETag='"a"')] * 5) as server:
            server.tenor.series('x')
            for instant in cases:
                server.tenor.as_of(instant).series('x')
        self.assertEqual(server.header('Accept-Datetime')[1:], list(cases.values()))
        self.assertEqual(server.header('If-None-Match'), [None] * 5)

    def test_the_cache_does_not_exceed_its_size(self):
        with ScriptedServer(*[ok(['x' * 400], ETag=f'"{n}"') for n in range(4)]) as server:
            tenor = Tenor(server.url, TOKEN, cache_bytes=1_000)
            self.assertEqual([len(tenor.series(name)) for name in 'abca'], [1] * 4)
        self.assertEqual(server.header('If-None-Match')[3], None)
        self.assertLessEqual(tenor._connection._cache._bytes, 1_000)


def csv(status, body, cut_at=None, **headers):
    return respond(status, body, cut_at, Content_Type='text/csv; charset=utf-8', **headers)


CUT = csv(200, BODY, cut_at=1000, ETag='"a"')


class Downloads(WithoutSleep):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / 'quotes.csv'

    def export(self, *responses, **options):
        with ScriptedServer(*responses) as self.server:
            return Tenor(self.server.url, TOKEN, **options).export('quotes', 'csv', self.path)

    def partial(self, start, cut_at=None):
        content_range = f'bytes {start}-{len(BODY) - 1}/{len(BODY)}'
        return csv(206, BODY[start:], cut_at, ETag='"a"', Content_Range=content_range)

    def test_resumes_a_truncated_download(self):
        # An interruption after progress is no retry.
        cuts = [CUT, hang_up, self.partial(1000, cut_at=1000), error(503, 'busy')]
        done = self.export(*cuts, self.partial(2000), retries=2)
        self.assertEqual((done.path, done.bytes, done.etag), (self.path, len(BODY), '"a"'))
        self.assertEqual(self.server.header('Range')[2:], ['bytes=1000-', 'bytes=2000-', 'bytes=2000-'])
        self.assertEqual((self.path.read_bytes(), self.server.header('If-Range')[-1]), (BODY, '"a"'))

    def test_restarts_what_has_changed_or_cannot_be_resumed(self):
        changed = csv(200, b'old' * 1000, cut_at=999, ETag='"a"')
        weak = csv(200, BODY, cut_at=1000, ETag='W/"a"')
        unsatisfiable = respond(416, Content_Range='bytes */1000')
        for failures in ([changed], [CUT, unsatisfiable], [weak]):
            self.export(*failures, csv(200, BODY, ETag='"b"'))
            self.assertEqual(self.path.read_bytes(), BODY)
        self.assertEqual(self.server.header('Range'), [None, None])
        self.assertRaises(UnexpectedResponseError, self.export, CUT, self.partial(500))

    def test_what_fails_leaves_the_existing_file_as_it_was_and_is_no_file(self):
        self.path.write_bytes(b'what was there before')
        portal = respond(200, b'<html>', Content_Type='text/html')
        failed = error(200, 'no_record_found', Content_Type='application/json; charset=utf-8')
        cases = [([CUT, hang_up, hang_up], NetworkError), ([error(404, 'not_found')], NotFound)]
        for responses, kind in [*cases, ([portal], UnexpectedResponseError), ([failed], NoRecordFound)]:
            self.assertRaises(kind, self.export, *responses, retries=2)
            self.assertEqual(self.path.read_bytes(), b'what was there before')
            self.assertEqual(list(self.path.parent.iterdir()), [self.path])

    def test_a_full_disk_is_not_retried(self):
        full = mock.Mock(tell=lambda: 0, write=mock.Mock(side_effect=OSError(errno.ENOSPC, 'full')))
        with ScriptedServer(csv(200, BODY)) as server, self.assertRaisesRegex(OSError, 'full'):
            server.tenor._connection.download(f'{server.url}/x.csv', {'Accept': 'text/csv'}, full)
        self.assertEqual(self.waits(), [])

    def test_two_downloads_at_once_write_parts_of_their_own_and_old_parts_are_removed(self):
        def interrupted(handler):
            with ScriptedServer(csv(200, BODY)) as server:
                server.tenor.export('quotes', 'csv', self.path)
            csv(200, b'second')(handler)

        parts = [self.path.with_name(f'quotes.csv.{name}.part') for name in ('old', 'new')]
        for part in parts:
            part.write_bytes(b'x')
        os.utime(parts[0], (0, 0))
        self.export(interrupted)
        self.assertEqual(self.path.read_bytes(), b'second')
        self.assertEqual(sorted(self.path.parent.iterdir()), [self.path, parts[1]])


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
            changes = server.tenor.changes('quotes', 3, page_size=1)
            self.assertEqual((changes.revision, list(changes)), (9, [change, change]))
            changes = server.tenor.changes('quotes', 3)
            self.assertEqual(([len(page) for page in changes.pages()], changes.revision), ([1, 1], 9))
        self.assertEqual(server.requests[0][0], '/changes/quotes?since=3&limit=1')


class Follow(unittest.TestCase):
    def setUp(self):
        sleep = mock.patch.object(follow.EventReader, '_wait')
        self.slept = sleep.start()
        self.addCleanup(sleep.stop)

    def test_goes_on_after_the_last_revision_when_the_connection_ends(self):
        busy = error(503, 'temporarily_unavailable', Retry_After='2')
        streams = [stream(event(8), event(9)[:-20]), hang_up, busy, stream(event(9), event(10))]
        with ScriptedServer(*streams) as server:
            self.assertEqual(take(server.tenor.follow(), 3), [8, 9, 10])
        self.assertEqual(server.header('Last-Event-ID'), [None, '8', '8', '8'])
        self.assertEqual(self.slept.call_args_list[-1].args, (2.0,))

    def test_starts_at_the_newest_revision_or_after_a_given_one(self):
        with ScriptedServer(stream(), stream(event(8)), stream(event(4))) as server:
            self.assertEqual(take(server.tenor.follow(), 1), [8])
            self.assertEqual(take(server.tenor.follow(since=3), 1), [4])
        self.assertEqual(server.header('Last-Event-ID'), [None, '7', '3'])

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
            self.assertEqual(take(server.tenor.follow(), 3), [8, 3, 4])
        self.assertEqual(server.header('Last-Event-ID'), [None, '8', None, '3'])
        self.assertEqual(server.header('Tenor-Revision'), [None] * 4)

    def test_raises_errors_that_do_not_pass(self):
        with ScriptedServer(error(401, 'unauthorized_request')) as server:
            self.assertRaises(Unauthorized, next, server.tenor.follow())
