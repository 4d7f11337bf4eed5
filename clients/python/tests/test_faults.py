"""How the client handles network failures, invalid responses and interrupted downloads."""

import datetime
import errno
import io
import os
import ssl
import tempfile
import traceback
import unittest
import urllib.error
from pathlib import Path
from unittest import mock

import tenor_client
from tenor_client import (
    NetworkError,
    NoRecordFound,
    NotFound,
    ServerError,
    Tenor,
    TooManyRequests,
    Unauthorized,
    Unavailable,
    UnexpectedResponseError,
)
from tests.scripted_server import ScriptedServer, error, hang_up, ok, respond

TOKEN = 'tenor_a-secret-that-no-one-shall-see'
BODY = bytes(range(256)) * 1024


class WithoutSleep(unittest.TestCase):
    """Replaces time.sleep, and records how long the client would have waited."""

    def setUp(self):
        sleep = mock.patch.object(tenor_client.connection.time, 'sleep')
        self.slept = sleep.start()
        self.addCleanup(sleep.stop)

    def waits(self):
        return [call.args[0] for call in self.slept.call_args_list]


class NewestRevision(unittest.TestCase):
    def test_sends_the_newest_revision_seen_with_every_later_request(self):
        answers = [ok([1], Tenor_Revision=revision) for revision in ('7', '5', '8')]
        with ScriptedServer(*answers, ok([1])) as server:
            tenor = Tenor(server.url, TOKEN)
            for _ in range(4):
                tenor.series('x')
            sent = [headers.get('Tenor-Revision') for _, headers in server.requests]
        self.assertEqual(sent, [None, '7', '7', '8'])


class Retries(WithoutSleep):
    def test_retries_after_temporary_errors(self):
        failures = [error(status, 'busy') for status in (429, 502, 503)] + [hang_up]
        with ScriptedServer(*failures, ok([1])) as server:
            self.assertEqual(Tenor(server.url, TOKEN).series('x'), [1])
        self.assertEqual(len(self.waits()), 4)
        self.assertEqual(self.waits(), sorted(self.waits()))
        self.assertGreater(self.waits()[0], 0)

    def test_waits_for_the_time_in_retry_after(self):
        now, later = 'Tue, 30 Jun 2026 12:00:00 GMT', 'Tue, 30 Jun 2026 12:00:40 GMT'
        seconds = error(429, 'too_many_requests', Retry_After='7')
        instant = error(503, 'temporarily_unavailable', Date=now, Retry_After=later)
        with ScriptedServer(seconds, instant, ok()) as server:
            Tenor(server.url, TOKEN).series('x')
        self.assertEqual([int(wait) for wait in self.waits()], [7, 40])

    def test_does_not_wait_longer_than_the_maximum(self):
        with ScriptedServer(error(429, 'too_many_requests', Retry_After='61')) as server:
            with self.assertRaises(TooManyRequests) as caught:
                Tenor(server.url, TOKEN).series('x')
        self.assertEqual(caught.exception.retry_after, 61)
        self.assertEqual(self.waits(), [])

    def test_retries_until_a_service_is_back_after_ten_seconds(self):
        for jitter in (0.5, 1.0):
            with self.subTest(jitter=jitter), ScriptedServer(ok([1])) as server:
                tenor = Tenor(server.url, TOKEN)
                real_open = tenor._connection._opener.open

                def open_after_ten_seconds(request, timeout, real_open=real_open):
                    if sum(self.waits()) < 10:
                        raise ConnectionRefusedError
                    return real_open(request, timeout=timeout)

                self.slept.reset_mock()
                with mock.patch.object(tenor._connection._opener, 'open', open_after_ten_seconds):
                    with mock.patch.object(tenor_client.connection.random, 'uniform', return_value=jitter):
                        self.assertEqual(tenor.series('x'), [1])

    def test_fails_after_the_given_number_of_retries(self):
        with ScriptedServer(*[error(503, 'temporarily_unavailable')] * 3) as server:
            with self.assertRaises(Unavailable):
                Tenor(server.url, TOKEN, retries=2).series('x')
            self.assertEqual(server.responses, [])

    def test_a_network_error_names_the_url(self):
        with ScriptedServer(hang_up) as server:
            with self.assertRaises(NetworkError) as caught:
                Tenor(server.url, TOKEN, retries=0).series('x')
        self.assertIn('/3.0/alternate/x', str(caught.exception))

    def test_does_not_retry_after_permanent_errors(self):
        cases = [(401, Unauthorized), (404, NotFound), (500, ServerError)]
        for status, kind in cases:
            with self.subTest(status=status), ScriptedServer(error(status, 'no')) as server:
                with self.assertRaises(kind):
                    Tenor(server.url, TOKEN).series('x')
        self.assertEqual(self.waits(), [])

    def test_does_not_retry_after_an_invalid_certificate(self):
        invalid = urllib.error.URLError(ssl.SSLCertVerificationError('self-signed certificate'))
        tenor = Tenor('https://127.0.0.1:1', TOKEN)
        with mock.patch.object(tenor._connection._opener, 'open', side_effect=invalid):
            with self.assertRaisesRegex(NetworkError, 'self-signed'):
                tenor.series('x')
        self.assertEqual(self.waits(), [])

    def test_retries_after_a_truncated_response(self):
        whole = b'{"status":"ok","data":[1]}'
        with ScriptedServer(respond(200, whole, cut_at=20), respond(200, whole)) as server:
            self.assertEqual(Tenor(server.url, TOKEN).series('x'), [1])
        self.assertEqual(len(self.waits()), 1)


class Names(unittest.TestCase):
    def test_the_former_name_of_an_error_still_catches_it(self):
        html = respond(200, body=b'<html>')
        with ScriptedServer(html) as server, self.assertRaises(tenor_client.UnexpectedResponseError):
            Tenor(server.url, TOKEN).quotes()


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
                with self.assertRaises(tenor_client.TenorError) as caught:
                    tenor.quotes()
                exception = caught.exception
                shown = ''.join(traceback.format_exception(None, exception, None))
                self.assertNotIn(TOKEN, shown + repr(exception) + repr(vars(exception)))
        self.assertNotIn(TOKEN, repr(tenor) + repr(vars(tenor)) + repr(vars(tenor._connection)))

    def test_an_invalid_token_is_rejected_without_showing_it(self):
        for token in ['', 'two words', 'line\nbreak', 'ключ']:
            with self.subTest(token=token), self.assertRaises(ValueError) as caught:
                Tenor('http://127.0.0.1:1', token)
            if token:
                self.assertNotIn(token, str(caught.exception))

    def test_an_invalid_url_is_rejected(self):
        for url in ['', 'tenor.example', 'ftp://x', 'http://a:b@x', 'http://x?y=1', 'http://']:
            with self.subTest(url=url), self.assertRaises(ValueError):
                Tenor(url, TOKEN)


class Responses(WithoutSleep):
    def test_a_body_in_another_format_is_an_unexpected_response(self):
        bodies = [b'<html>', b'{"status":"ok"}', b'[]']
        for response in [*(respond(200, body) for body in bodies), respond(204)]:
            with ScriptedServer(response) as server, self.assertRaises(UnexpectedResponseError):
                Tenor(server.url, TOKEN).series('x')

    def test_a_next_link_to_the_same_page_is_an_unexpected_response(self):
        looping = ok([1], Link='</2.0/bnb/quote?cursor=a>; rel="next"')
        with ScriptedServer(looping, looping) as server, self.assertRaises(UnexpectedResponseError):
            list(Tenor(server.url, TOKEN).quotes_all())

    def test_next_links_work_below_a_path_prefix(self):
        first = ok([1], Link='</2.0/bnb/quote?limit=1&cursor=a>; rel="next", </x>; rel="first"')
        with ScriptedServer(first, ok([2])) as server:
            records = list(Tenor(f'{server.url}/tenor/', TOKEN).quotes_all(page_size=1))
        self.assertEqual(records, [1, 2])
        self.assertEqual(server.requests[1][0], '/tenor/2.0/bnb/quote?limit=1&cursor=a')

    def test_paging_can_continue_from_a_cursor(self):
        first = ok([1], Link='</x>; rel="first", </2.0/bnb/quote?limit=1&cursor=a%2Bb>; rel="next"')
        with ScriptedServer(first, ok([2])) as server:
            tenor = Tenor(server.url, TOKEN)
            page = tenor.quotes(limit=1)
            self.assertEqual(page.cursor, 'a+b')
            records = list(tenor.quotes_all(page_size=1, cursor=page.cursor).pages())
        self.assertEqual(server.requests[1][0], '/2.0/bnb/quote?limit=1&cursor=a%2Bb')
        self.assertEqual((records, records[0].cursor), ([[2]], None))

    def test_changes_that_are_cut_without_a_next_page_are_an_unexpected_answer(self):
        revision = {'added': 3, 'corrected': 0, 'retired': 0, 'changes': [1]}
        first = ok(revision, Link='<?cursor=b>; rel="next"')
        with ScriptedServer(first, ok(revision)) as server:
            changes = Tenor(server.url, TOKEN).revision_all(7, page_size=1)
            self.assertEqual(next(changes), 1)
            with self.assertRaisesRegex(UnexpectedResponseError, 'only 2 of 3 changes were sent'):
                list(changes)
        paths = [path for path, _ in server.requests]
        self.assertEqual(paths, ['/revisions/7?limit=1', '/revisions/7?cursor=b'])

    def test_changes_that_are_no_list_are_an_unexpected_answer(self):
        with ScriptedServer(ok([]), ok({'changes': {}})) as server:
            for _ in range(2):
                with self.assertRaisesRegex(UnexpectedResponseError, 'not a list'):
                    list(Tenor(server.url, TOKEN).revision_all(7))

    def test_dates_are_sent_as_iso_days(self):
        karachi = datetime.timezone(datetime.timedelta(hours=5))
        days = [
            '2026-06-30',
            datetime.date(2026, 6, 30),
            datetime.datetime(2026, 6, 30, 23, 30),
            datetime.datetime(2026, 6, 30, 1, tzinfo=karachi),
        ]
        with ScriptedServer(*[ok()] * len(days)) as server:
            for day in days:
                Tenor(server.url, TOKEN).quotes(date=day)
        self.assertEqual({path for path, _ in server.requests}, {'/2.0/bnb/quote?date=2026-06-30'})

    def test_a_304_reuses_the_cached_response(self):
        fresh = ok([1], ETag='"a"', Tenor_Revision='1')
        with ScriptedServer(fresh, respond(304, ETag='"a"', Tenor_Revision='2')) as server:
            tenor = Tenor(server.url, TOKEN)
            tenor.series('x').append('a change by the caller')
            again = tenor.series('x')
        self.assertEqual(server.requests[1][1]['If-None-Match'], '"a"')
        self.assertEqual((again, again.revision, again.cached), ([1], 2, True))

    def test_as_of_responses_are_cached_separately(self):
        with ScriptedServer(ok([1], ETag='"a"'), ok([2], ETag='"b"')) as server:
            tenor = Tenor(server.url, TOKEN)
            tenor.series('x')
            self.assertEqual(tenor.as_of('2026-07-01').series('x'), [2])
        headers = server.requests[1][1]
        self.assertEqual(headers['Accept-Datetime'], '2026-07-01T23:59:59Z')
        self.assertNotIn('If-None-Match', headers)

    def test_instants_are_sent_as_accept_datetime(self):
        karachi = datetime.timezone(datetime.timedelta(hours=5))
        cases = [
            ('Thu, 02 Jul 2026 00:00:00 GMT', 'Thu, 02 Jul 2026 00:00:00 GMT'),
            ('2026-07-01', '2026-07-01T23:59:59Z'),
            (datetime.date(2026, 7, 1), '2026-07-01T23:59:59Z'),
            (datetime.datetime(2026, 7, 1, 5, tzinfo=karachi), '2026-07-01T00:00:00+00:00'),
        ]
        with ScriptedServer(*[ok()] * len(cases)) as server:
            for instant, _ in cases:
                Tenor(server.url, TOKEN).as_of(instant).series('x')
        sent = [headers['Accept-Datetime'] for _, headers in server.requests]
        self.assertEqual(sent, [text for _, text in cases])
        with self.assertRaisesRegex(ValueError, 'time zone'):
            Tenor(server.url, TOKEN).as_of(datetime.datetime(2026, 7, 1))

    def test_the_cache_does_not_exceed_its_size(self):
        fresh = [ok(['x' * 400], ETag=f'"{n}"') for n in range(4)]
        with ScriptedServer(*fresh) as server:
            tenor = Tenor(server.url, TOKEN, cache_bytes=1_000)
            for name in ['a', 'b', 'c', 'a']:
                tenor.series(name)
        self.assertNotIn('If-None-Match', server.requests[3][1])
        self.assertLessEqual(tenor._connection._cache._bytes, 1_000)


def csv_response(status, body, cut_at=None, **headers):
    return respond(status, body, cut_at, Content_Type='text/csv; charset=utf-8', **headers)


class Downloads(WithoutSleep):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / 'quotes.csv'

    def export(self, *responses, **options):
        with ScriptedServer(*responses) as server:
            try:
                return Tenor(server.url, TOKEN, **options).export('quotes', 'csv', self.path)
            finally:
                self.requests = server.requests

    def partial(self, start, cut_at=None):
        content_range = f'bytes {start}-{len(BODY) - 1}/{len(BODY)}'
        return csv_response(206, BODY[start:], cut_at, ETag='"a"', Content_Range=content_range)

    def test_resumes_a_truncated_download(self):
        cuts = [csv_response(200, BODY, cut_at=1000, ETag='"a"'), hang_up, error(503, 'busy')]
        done = self.export(*cuts, self.partial(1000), retries=3)
        self.assertEqual(self.path.read_bytes(), BODY)
        self.assertEqual((done.path, done.bytes, done.etag), (self.path, len(BODY), '"a"'))
        headers = self.requests[-1][1]
        self.assertEqual((headers['Range'], headers['If-Range']), ('bytes=1000-', '"a"'))

    def test_an_interruption_after_progress_does_not_count_as_a_retry(self):
        cuts = [csv_response(200, BODY, cut_at=1000, ETag='"a"'), self.partial(1000, cut_at=1000)]
        self.export(*cuts, self.partial(2000), retries=1)
        self.assertEqual(self.path.read_bytes(), BODY)

    def test_restarts_a_download_when_the_data_has_changed(self):
        old = csv_response(200, b'old' * 1000, cut_at=999, ETag='"a"')
        self.export(old, csv_response(200, BODY, ETag='"b"'))
        self.assertEqual(self.path.read_bytes(), BODY)

    def test_does_not_resume_with_a_weak_etag_or_a_wrong_range(self):
        weak = csv_response(200, BODY, cut_at=1000, ETag='W/"a"')
        self.export(weak, csv_response(200, BODY))
        self.assertNotIn('Range', self.requests[-1][1])
        with self.assertRaises(UnexpectedResponseError):
            self.export(csv_response(200, BODY, cut_at=1000, ETag='"a"'), self.partial(500))

    def test_a_failed_download_leaves_the_existing_file_as_it_was(self):
        self.path.write_bytes(b'what was there before')
        with self.assertRaises(NetworkError):
            self.export(csv_response(200, BODY, cut_at=1000, ETag='"a"'), *[hang_up] * 2, retries=2)
        self.assertEqual(self.path.read_bytes(), b'what was there before')
        self.assertEqual(list(self.path.parent.iterdir()), [self.path])

    def test_a_full_disk_is_not_retried(self):
        class FullDisk(io.BytesIO):
            def write(self, _):
                raise OSError(errno.ENOSPC, 'No space left on device')

        with ScriptedServer(csv_response(200, BODY)) as server, self.assertRaises(OSError) as caught:
            connection = Tenor(server.url, TOKEN)._connection
            connection.download(f'{server.url}/exports/x.csv', {'Accept': 'text/csv'}, FullDisk())
        self.assertEqual(caught.exception.errno, errno.ENOSPC)
        self.assertEqual(self.waits(), [])

    def test_restarts_a_download_after_a_416(self):
        cut = csv_response(200, BODY, cut_at=1000, ETag='"a"')
        self.export(cut, respond(416, Content_Range='bytes */1000'), csv_response(200, BODY, ETag='"a"'))
        self.assertNotIn('Range', self.requests[-1][1])
        self.assertEqual(self.path.read_bytes(), BODY)

    def test_export_raises_the_error_of_the_service(self):
        with self.assertRaises(NotFound):
            self.export(error(404, 'not_found'))
        self.assertEqual(list(self.path.parent.iterdir()), [])

    def test_an_error_with_status_200_never_becomes_a_file(self):
        failed = error(200, 'no_record_found', Content_Type='application/json; charset=utf-8')
        portal = respond(200, b'<html>', Content_Type='text/html')
        with ScriptedServer(failed) as server, self.assertRaises(NoRecordFound):
            Tenor(server.url, TOKEN).download('fund-allocation', 'csv', self.path, fund_id='x')
        with self.assertRaises(UnexpectedResponseError):
            self.export(portal)
        self.assertEqual(list(self.path.parent.iterdir()), [])

    def test_two_downloads_at_once_do_not_write_the_same_part(self):
        other = csv_response(200, BODY)

        def interrupted(handler):
            with ScriptedServer(other) as server:
                Tenor(server.url, TOKEN).export('quotes', 'csv', self.path)
            csv_response(200, b'second')(handler)

        self.export(interrupted)
        self.assertEqual(self.path.read_bytes(), b'second')
        self.assertEqual(list(self.path.parent.iterdir()), [self.path])

    def test_the_part_of_a_killed_process_is_removed_after_a_day(self):
        parts = [self.path.with_name(f'quotes.csv.{name}.part') for name in ('old', 'new')]
        for part in parts:
            part.write_bytes(b'x')
        os.utime(parts[0], (0, 0))
        self.export(csv_response(200, BODY))
        self.assertEqual(sorted(self.path.parent.iterdir()), [self.path, parts[1]])


if __name__ == '__main__':
    unittest.main()
