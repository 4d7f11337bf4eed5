"""How the client handles network failures, invalid responses and interrupted downloads."""

import datetime
import errno
import io
import os
import ssl
import tempfile
import traceback
import tracemalloc
import unittest
from pathlib import Path
from unittest import mock

import httpx
from tenor_client import (
    NetworkError,
    NoRecordFound,
    NotFound,
    ServerError,
    Tenor,
    TenorError,
    TooManyRequests,
    Unauthorized,
    Unavailable,
    UnexpectedResponseError,
)
from tenor_client._sync import connection
from tests.scripted_server import (
    ScriptedServer, deflate_zeros, error, hang_up, ok, respond, send_endlessly,
)

TOKEN = 'tenor_a-secret-that-no-one-shall-see'
BODY = bytes(range(256)) * 1024
KARACHI = datetime.timezone(datetime.timedelta(hours=5))


class WithoutSleep(unittest.TestCase):
    """Replaces time.sleep, and records how long the client would have waited."""

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
            self.assertEqual(Tenor(server.url, TOKEN).series('x'), [1])
        self.assertEqual(len(self.waits()), 5)
        self.assertEqual(self.waits()[:4], sorted(self.waits()[:4]))
        self.assertGreater(self.waits()[0], 0)

    def test_waits_for_the_time_in_retry_after_but_no_longer_than_the_maximum(self):
        now, later = 'Tue, 30 Jun 2026 12:00:00 GMT', 'Tue, 30 Jun 2026 12:00:40 GMT'
        seconds = error(429, 'too_many_requests', Retry_After='7')
        instant = error(503, 'temporarily_unavailable', Date=now, Retry_After=later)
        too_long = error(429, 'too_many_requests', Retry_After='61')
        with ScriptedServer(seconds, instant, ok(), too_long) as server:
            Tenor(server.url, TOKEN).series('x')
            with self.assertRaises(TooManyRequests) as caught:
                Tenor(server.url, TOKEN).series('x')
        self.assertEqual([int(wait) for wait in self.waits()], [7, 40])
        self.assertEqual(caught.exception.retry_after, 61)

    def test_retries_until_a_service_is_back_after_ten_seconds(self):
        real_stream = httpx.Client.stream

        def stream_after_ten_seconds(*args, **options):
            if sum(self.waits()) < 10:
                raise httpx.ConnectError('refused')
            return real_stream(*args, **options)

        for jitter in (0.5, 1.0):
            self.slept.reset_mock()
            stream = mock.patch.object(httpx.Client, 'stream', stream_after_ten_seconds)
            random = mock.patch.object(connection.random, 'uniform', return_value=jitter)
            with ScriptedServer(ok([1])) as server, stream, random:
                self.assertEqual(Tenor(server.url, TOKEN).series('x'), [1])

    def test_fails_after_the_given_number_of_retries_and_names_the_path(self):
        with ScriptedServer(*[error(503, 'temporarily_unavailable')] * 3, hang_up) as server:
            with self.assertRaises(Unavailable):
                Tenor(server.url, TOKEN, retries=2).series('x')
            self.assertEqual(len(server.requests), 3)
            with self.assertRaisesRegex(NetworkError, '/3.0/alternate/x'):
                Tenor(server.url, TOKEN, retries=0).series('x')

    def test_does_not_retry_after_permanent_errors(self):
        for status, kind in [(401, Unauthorized), (404, NotFound), (500, ServerError)]:
            with self.subTest(status=status), ScriptedServer(error(status, 'no')) as server:
                with self.assertRaises(kind):
                    Tenor(server.url, TOKEN).series('x')

        def fail(*_, **__):
            try:
                raise ssl.SSLCertVerificationError('self-signed certificate')
            except ssl.SSLError as cause:
                raise httpx.ConnectError(str(cause)) from cause

        with mock.patch.object(httpx.Client, 'stream', fail):
            with self.assertRaisesRegex(NetworkError, 'self-signed'):
                Tenor('https://127.0.0.1:1', TOKEN).series('x')
        self.assertEqual(self.waits(), [])


class Secrets(WithoutSleep):
    def test_the_token_is_not_sent_to_another_host(self):
        with ScriptedServer() as other_host:
            redirect = respond(302, Location=f'{other_host.url}/2.0/bnb/quote')
            foreign_link = ok([1], Link=f'<{other_host.url}/2.0/bnb/quote?cursor=a>; rel="next"')
            with ScriptedServer(redirect, foreign_link) as server:
                tenor = Tenor(server.url, TOKEN)
                with self.assertRaisesRegex(UnexpectedResponseError, 'redirect to .*not followed'):
                    tenor.quotes()
                with self.assertRaisesRegex(UnexpectedResponseError, 'another host'):
                    list(tenor.quotes_all())
            self.assertEqual(other_host.requests, [])

    def test_errors_and_representations_do_not_contain_the_token(self):
        with ScriptedServer(error(500, f'you sent Bearer {TOKEN}'), hang_up) as server:
            tenor = Tenor(server.url, TOKEN, retries=0)
            for _ in range(2):
                with self.assertRaises(TenorError) as caught:
                    tenor.quotes()
                exception = caught.exception
                shown = ''.join(traceback.format_exception(None, exception, None))
                self.assertNotIn(TOKEN, shown + repr(exception) + repr(vars(exception)))
        held = tenor._connection
        self.assertNotIn(TOKEN, repr([tenor, vars(tenor), vars(held), vars(held._client)]))

    def test_an_invalid_token_is_rejected_without_showing_it_and_so_is_an_invalid_url(self):
        for token in ['', 'two words', 'line\nbreak', 'ключ']:
            with self.subTest(token=token), self.assertRaises(ValueError) as caught:
                Tenor('http://127.0.0.1:1', token)
            self.assertNotIn(token or 'none', str(caught.exception))
        for url in ['', 'tenor.example', 'ftp://x', 'http://a:b@x', 'http://x?y=1', 'http://']:
            with self.subTest(url=url), self.assertRaises(ValueError):
                Tenor(url, TOKEN)


class Responses(WithoutSleep):
    def read(self, *responses):
        """What each of the responses is, to one client, and the headers of its requests."""
        with ScriptedServer(*responses) as server:
            tenor = Tenor(server.url, TOKEN)
            return [tenor.series('x') for _ in responses], server

    def test_a_body_in_another_format_is_an_unexpected_response(self):
        bodies = [b'<html>', b'{"status":"ok"}', b'[]']
        garbage = respond(200, b'no gzip', Content_Encoding='gzip')
        for response in [*(respond(200, body) for body in bodies), respond(204), garbage]:
            with self.assertRaises(UnexpectedResponseError):
                self.read(response)

    def test_a_body_without_end_is_not_held_in_memory_inflated_ones_and_errors_included(self):
        json = {'Content_Type': 'application/json'}
        endless, failed = (send_endlessly(b'x' * 65_536, status, **json) for status in (200, 500))
        inflating = respond(200, deflate_zeros(), Content_Encoding='gzip', **json)
        tracemalloc.start()
        self.addCleanup(tracemalloc.stop)
        for response, text in ((endless, 'a response'), (inflating, 'a response'), (failed, 'an error')):
            with self.assertRaisesRegex(UnexpectedResponseError, f'{text} can have .* bytes at most'):
                self.read(response)
        self.assertLess(tracemalloc.get_traced_memory()[1], 256 << 20)

    def test_pages_that_lead_to_themselves_or_lack_changes_are_unexpected_responses(self):
        looping = ok([1], Link='</2.0/bnb/quote?cursor=a>; rel="next"')
        with ScriptedServer(looping, looping) as server, self.assertRaises(UnexpectedResponseError):
            list(Tenor(server.url, TOKEN).quotes_all())
        revision = {'added': 3, 'corrected': 0, 'retired': 0, 'changes': [1]}
        first = ok(revision, Link='<?cursor=b>; rel="next"')
        with ScriptedServer(first, ok(revision), ok([]), ok({'changes': {}})) as server:
            changes = Tenor(server.url, TOKEN).revision_all(7, page_size=1)
            self.assertEqual(next(changes), 1)
            with self.assertRaisesRegex(UnexpectedResponseError, 'only 2 of 3 changes were sent'):
                list(changes)
            for _ in range(2):
                with self.assertRaisesRegex(UnexpectedResponseError, 'not a list'):
                    list(Tenor(server.url, TOKEN).revision_all(7))
        paths = [path for path, _ in server.requests]
        self.assertEqual(paths[:2], ['/revisions/7?limit=1', '/revisions/7?cursor=b'])

    def test_paging_works_below_a_path_prefix_and_continues_from_a_cursor(self):
        link = '</x>; rel="first", </2.0/bnb/quote?limit=1&cursor=a%2Bb>; rel="next"'
        with ScriptedServer(ok([1], Link=link), ok([2]), ok([2])) as server:
            tenor = Tenor(f'{server.url}/tenor/', TOKEN)
            self.assertEqual(list(tenor.quotes_all(page_size=1)), [1, 2])
            pages = list(tenor.quotes_all(page_size=1, cursor='a+b').pages())
        paths = [path for path, _ in server.requests]
        self.assertEqual(paths[1:], ['/tenor/2.0/bnb/quote?limit=1&cursor=a%2Bb'] * 2)
        self.assertEqual((pages, pages[0].cursor), ([[2]], None))

    def test_dates_are_sent_as_iso_days(self):
        instants = [datetime.datetime(2026, 6, 30, 23, 30), datetime.datetime(2026, 6, 30, 1, tzinfo=KARACHI)]
        days = ['2026-06-30', datetime.date(2026, 6, 30), *instants]
        with ScriptedServer(*[ok()] * len(days)) as server:
            for day in days:
                Tenor(server.url, TOKEN).quotes(date=day)
        self.assertEqual({path for path, _ in server.requests}, {'/2.0/bnb/quote?date=2026-06-30'})

    def test_the_newest_revision_that_was_seen_is_sent_with_every_later_request(self):
        answers = [ok([1], Tenor_Revision=revision) for revision in ('7', '5', '8')]
        _, server = self.read(*answers, ok([1]))
        self.assertEqual(server.header('Tenor-Revision'), [None, '7', '7', '8'])

    def test_a_304_reuses_the_cached_response(self):
        fresh = ok([1], ETag='"a"', Tenor_Revision='1')
        with ScriptedServer(fresh, respond(304, ETag='"a"', Tenor_Revision='2')) as server:
            tenor = Tenor(server.url, TOKEN)
            tenor.series('x').append('a change by the caller')
            again = tenor.series('x')
        self.assertEqual(server.header('If-None-Match'), [None, '"a"'])
        self.assertEqual((again, again.revision, again.cached), ([1], 2, True))

    def test_instants_are_sent_as_accept_datetime_and_are_cached_separately(self):
        cases = [
            ('Thu, 02 Jul 2026 00:00:00 GMT', 'Thu, 02 Jul 2026 00:00:00 GMT'),
            ('2026-07-01', '2026-07-01T23:59:59Z'),
            (datetime.date(2026, 7, 2), '2026-07-02T23:59:59Z'),
            (datetime.datetime(2026, 7, 1, 5, tzinfo=KARACHI), '2026-07-01T00:00:00+00:00'),
        ]
        with ScriptedServer(*[ok(ETag='"a"')] * 5) as server:
            tenor = Tenor(server.url, TOKEN)
            tenor.series('x')
            for instant, _ in cases:
                tenor.as_of(instant).series('x')
        self.assertEqual(server.header('Accept-Datetime')[1:], [text for _, text in cases])
        self.assertEqual(server.header('If-None-Match'), [None] * 5)

    def test_the_cache_does_not_exceed_its_size(self):
        with ScriptedServer(*[ok(['x' * 400], ETag=f'"{n}"') for n in range(4)]) as server:
            tenor = Tenor(server.url, TOKEN, cache_bytes=1_000)
            for name in ['a', 'b', 'c', 'a']:
                tenor.series(name)
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
        done = self.export(CUT, hang_up, error(503, 'busy'), self.partial(1000), retries=3)
        self.assertEqual(self.path.read_bytes(), BODY)
        self.assertEqual((done.path, done.bytes, done.etag), (self.path, len(BODY), '"a"'))
        self.assertEqual(self.server.header('Range')[-1], 'bytes=1000-')
        self.assertEqual(self.server.header('If-Range')[-1], '"a"')
        # An interruption after progress is no retry.
        self.export(CUT, self.partial(1000, cut_at=1000), self.partial(2000), retries=1)
        self.assertEqual(self.path.read_bytes(), BODY)

    def test_restarts_what_has_changed_or_cannot_be_resumed(self):
        changed = csv(200, b'old' * 1000, cut_at=999, ETag='"a"')
        weak = csv(200, BODY, cut_at=1000, ETag='W/"a"')
        unsatisfiable = respond(416, Content_Range='bytes */1000')
        for failures in ([changed], [weak], [CUT, unsatisfiable]):
            self.export(*failures, csv(200, BODY, ETag='"b"'))
            self.assertEqual(self.path.read_bytes(), BODY)
        self.assertEqual(self.server.header('Range')[-1], None)
        with self.assertRaises(UnexpectedResponseError):
            self.export(CUT, self.partial(500))

    def test_what_fails_leaves_the_existing_file_as_it_was_and_is_no_file(self):
        self.path.write_bytes(b'what was there before')
        portal = respond(200, b'<html>', Content_Type='text/html')
        failed = error(200, 'no_record_found', Content_Type='application/json; charset=utf-8')
        cases = [([CUT, hang_up, hang_up], NetworkError), ([error(404, 'not_found')], NotFound)]
        for responses, kind in [*cases, ([portal], UnexpectedResponseError), ([failed], NoRecordFound)]:
            with self.assertRaises(kind):
                self.export(*responses, retries=2)
            self.assertEqual(self.path.read_bytes(), b'what was there before')
            self.assertEqual(list(self.path.parent.iterdir()), [self.path])

    def test_a_full_disk_is_not_retried(self):
        class FullDisk(io.BytesIO):
            def write(self, _):
                raise OSError(errno.ENOSPC, 'No space left on device')

        with ScriptedServer(csv(200, BODY)) as server, self.assertRaises(OSError) as caught:
            held = Tenor(server.url, TOKEN)._connection
            held.download(f'{server.url}/exports/x.csv', {'Accept': 'text/csv'}, FullDisk())
        self.assertEqual((caught.exception.errno, self.waits()), (errno.ENOSPC, []))

    def test_two_downloads_at_once_write_parts_of_their_own_and_old_parts_are_removed(self):
        def interrupted(handler):
            with ScriptedServer(csv(200, BODY)) as server:
                Tenor(server.url, TOKEN).export('quotes', 'csv', self.path)
            csv(200, b'second')(handler)

        parts = [self.path.with_name(f'quotes.csv.{name}.part') for name in ('old', 'new')]
        for part in parts:
            part.write_bytes(b'x')
        os.utime(parts[0], (0, 0))
        self.export(interrupted)
        self.assertEqual(self.path.read_bytes(), b'second')
        self.assertEqual(sorted(self.path.parent.iterdir()), [self.path, parts[1]])


if __name__ == '__main__':
    unittest.main()
