"""What the client does when the service, or something before it, does not do its best."""

import datetime
import errno
import io
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
    NotFound,
    ServerError,
    Tenor,
    TooManyRequests,
    Unauthorized,
    Unavailable,
    UnexpectedAnswer,
)
from tests.moody import Moody, hangs_up, ok, refused, says

TOKEN = 'tenor_a-secret-that-nobody-shall-see'
BODY = bytes(range(256)) * 1024


class Quick(unittest.TestCase):
    """Waits take no time, and are noted."""

    def setUp(self):
        sleep = mock.patch.object(tenor_client.time, 'sleep')
        self.slept = sleep.start()
        self.addCleanup(sleep.stop)

    def waits(self):
        return [call.args[0] for call in self.slept.call_args_list]


class Retries(Quick):
    def test_asks_again_after_what_passes(self):
        trouble = [refused(status, 'busy') for status in (429, 502, 503)] + [hangs_up]
        with Moody(*trouble, ok([1])) as moody:
            self.assertEqual(Tenor(moody.url, TOKEN).series('x'), [1])
        self.assertEqual(len(self.waits()), 4)
        self.assertEqual(self.waits(), sorted(self.waits()))
        self.assertGreater(self.waits()[0], 0)

    def test_waits_as_long_as_the_service_asks(self):
        now, then = 'Tue, 30 Jun 2026 12:00:00 GMT', 'Tue, 30 Jun 2026 12:00:40 GMT'
        seconds = refused(429, 'too_many_requests', Retry_After='7')
        instant = refused(503, 'temporarily_unavailable', Date=now, Retry_After=then)
        with Moody(seconds, instant, ok()) as moody:
            Tenor(moody.url, TOKEN).series('x')
        self.assertEqual([int(wait) for wait in self.waits()], [7, 40])

    def test_does_not_wait_for_longer_than_it_may(self):
        with Moody(refused(429, 'too_many_requests', Retry_After='61')) as moody:
            with self.assertRaises(TooManyRequests) as caught:
                Tenor(moody.url, TOKEN).series('x')
        self.assertEqual(caught.exception.retry_after, 61)
        self.assertEqual(self.waits(), [])

    def test_outlasts_a_service_that_is_away_for_ten_seconds(self):
        for chance in (0.5, 1.0):
            with self.subTest(chance=chance), Moody(ok([1])) as moody:
                tenor = Tenor(moody.url, TOKEN)
                really = tenor._line._opener.open

                def open_after_ten_seconds(request, timeout, really=really):
                    if sum(self.waits()) < 10:
                        raise ConnectionRefusedError
                    return really(request, timeout=timeout)

                self.slept.reset_mock()
                with mock.patch.object(tenor._line._opener, 'open', open_after_ten_seconds):
                    with mock.patch.object(tenor_client.random, 'uniform', return_value=chance):
                        self.assertEqual(tenor.series('x'), [1])

    def test_gives_up_after_the_given_number_of_retries(self):
        with Moody(*[refused(503, 'temporarily_unavailable')] * 3) as moody:
            with self.assertRaises(Unavailable):
                Tenor(moody.url, TOKEN, retries=2).series('x')
            self.assertEqual(moody.replies, [])

    def test_says_what_happened_when_nobody_answers(self):
        with Moody(hangs_up) as moody:
            with self.assertRaises(NetworkError) as caught:
                Tenor(moody.url, TOKEN, retries=0).series('x')
        self.assertIn('/3.0/alternate/x', str(caught.exception))

    def test_does_not_ask_again_after_what_stays(self):
        cases = [(401, Unauthorized), (404, NotFound), (500, ServerError)]
        for status, kind in cases:
            with self.subTest(status=status), Moody(refused(status, 'no')) as moody:
                with self.assertRaises(kind):
                    Tenor(moody.url, TOKEN).series('x')
        self.assertEqual(self.waits(), [])

    def test_does_not_wait_for_a_wrong_certificate_to_become_right(self):
        wrong = urllib.error.URLError(ssl.SSLCertVerificationError('self-signed certificate'))
        tenor = Tenor('https://127.0.0.1:1', TOKEN)
        with mock.patch.object(tenor._line._opener, 'open', side_effect=wrong):
            with self.assertRaisesRegex(NetworkError, 'self-signed'):
                tenor.series('x')
        self.assertEqual(self.waits(), [])

    def test_takes_no_part_of_an_answer_for_the_whole(self):
        whole = b'{"status":"ok","data":[1]}'
        with Moody(says(200, whole, cut_at=20), says(200, whole)) as moody:
            self.assertEqual(Tenor(moody.url, TOKEN).series('x'), [1])
        self.assertEqual(len(self.waits()), 1)


class Secrets(Quick):
    def test_the_token_goes_to_no_other_host(self):
        with Moody() as thief:
            away = says(302, Location=f'{thief.url}/2.0/bnb/quote')
            beyond = ok([1], Link=f'<{thief.url}/2.0/bnb/quote?cursor=a>; rel="next"')
            with Moody(away, beyond) as moody:
                tenor = Tenor(moody.url, TOKEN)
                with self.assertRaisesRegex(UnexpectedAnswer, 'redirect to .*not followed'):
                    tenor.quotes()
                with self.assertRaisesRegex(UnexpectedAnswer, 'another host'):
                    list(tenor.quotes_all())
            self.assertEqual(thief.requests, [])

    def test_the_token_shows_in_no_text(self):
        with Moody(refused(500, f'you sent Bearer {TOKEN}'), hangs_up) as moody:
            tenor = Tenor(moody.url, TOKEN, retries=0)
            for _ in range(2):
                with self.assertRaises(tenor_client.TenorError) as caught:
                    tenor.quotes()
                error = caught.exception
                shown = ''.join(traceback.format_exception(None, error, None))
                self.assertNotIn(TOKEN, shown + repr(error) + repr(vars(error)))
        self.assertNotIn(TOKEN, repr(tenor) + repr(vars(tenor)) + repr(vars(tenor._line)))

    def test_a_token_that_is_none_is_refused_without_showing_it(self):
        for token in ['', 'two words', 'line\nbreak', 'ключ']:
            with self.subTest(token=token), self.assertRaises(ValueError) as caught:
                Tenor('http://127.0.0.1:1', token)
            if token:
                self.assertNotIn(token, str(caught.exception))

    def test_an_address_that_is_none_is_refused(self):
        for address in ['', 'tenor.example', 'ftp://x', 'http://a:b@x', 'http://x?y=1', 'http://']:
            with self.subTest(address=address), self.assertRaises(ValueError):
                Tenor(address, TOKEN)


class Answers(Quick):
    def test_what_no_tenor_says_is_an_error(self):
        replies = [says(200, b'<html>'), says(200, b'{"status":"ok"}'), says(200, b'[]'), says(204)]
        for reply in replies:
            with Moody(reply) as moody, self.assertRaises(UnexpectedAnswer):
                Tenor(moody.url, TOKEN).series('x')

    def test_a_walk_in_a_circle_ends(self):
        again = ok([1], Link='</2.0/bnb/quote?cursor=a>; rel="next"')
        with Moody(again, again) as moody, self.assertRaises(UnexpectedAnswer):
            list(Tenor(moody.url, TOKEN).quotes_all())

    def test_pages_are_found_behind_a_prefix(self):
        first = ok([1], Link='</2.0/bnb/quote?limit=1&cursor=a>; rel="next", </x>; rel="first"')
        with Moody(first, ok([2])) as moody:
            walked = list(Tenor(f'{moody.url}/tenor/', TOKEN).quotes_all(page_size=1))
        self.assertEqual(walked, [1, 2])
        self.assertEqual(moody.requests[1][0], '/tenor/2.0/bnb/quote?limit=1&cursor=a')

    def test_a_walk_goes_on_from_a_cursor(self):
        first = ok([1], Link='</x>; rel="first", </2.0/bnb/quote?limit=1&cursor=a%2Bb>; rel="next"')
        with Moody(first, ok([2])) as moody:
            tenor = Tenor(moody.url, TOKEN)
            page = tenor.quotes(limit=1)
            self.assertEqual(page.cursor, 'a+b')
            walked = list(tenor.quotes_all(page_size=1, cursor=page.cursor).pages())
        self.assertEqual(moody.requests[1][0], '/2.0/bnb/quote?limit=1&cursor=a%2Bb')
        self.assertEqual((walked, walked[0].cursor), ([[2]], None))

    def test_a_day_is_said_as_the_service_takes_it(self):
        karachi = datetime.timezone(datetime.timedelta(hours=5))
        days = [
            '2026-06-30',
            datetime.date(2026, 6, 30),
            datetime.datetime(2026, 6, 30, 23, 30),
            datetime.datetime(2026, 6, 30, 1, tzinfo=karachi),
        ]
        with Moody(*[ok()] * len(days)) as moody:
            for day in days:
                Tenor(moody.url, TOKEN).quotes(date=day)
        self.assertEqual({path for path, _ in moody.requests}, {'/2.0/bnb/quote?date=2026-06-30'})

    def test_an_answer_that_still_stands_is_not_sent_again(self):
        fresh = ok([1], ETag='"a"', Tenor_Revision='1')
        with Moody(fresh, says(304, ETag='"a"', Tenor_Revision='2')) as moody:
            tenor = Tenor(moody.url, TOKEN)
            tenor.series('x').append('a change of my own')
            again = tenor.series('x')
        self.assertEqual(moody.requests[1][1]['If-None-Match'], '"a"')
        self.assertEqual((again, again.revision, again.cached), ([1], 2, True))

    def test_an_answer_of_the_past_is_not_taken_for_one_of_today(self):
        with Moody(ok([1], ETag='"a"'), ok([2], ETag='"b"')) as moody:
            tenor = Tenor(moody.url, TOKEN)
            tenor.series('x')
            self.assertEqual(tenor.as_of('2026-07-01').series('x'), [2])
        asked = moody.requests[1][1]
        self.assertEqual(asked['Accept-Datetime'], '2026-07-01T23:59:59Z')
        self.assertNotIn('If-None-Match', asked)

    def test_an_instant_is_said_as_the_service_takes_it(self):
        karachi = datetime.timezone(datetime.timedelta(hours=5))
        cases = [
            ('Thu, 02 Jul 2026 00:00:00 GMT', 'Thu, 02 Jul 2026 00:00:00 GMT'),
            ('2026-07-01', '2026-07-01T23:59:59Z'),
            (datetime.date(2026, 7, 1), '2026-07-01T23:59:59Z'),
            (datetime.datetime(2026, 7, 1, 5, tzinfo=karachi), '2026-07-01T00:00:00+00:00'),
        ]
        with Moody(*[ok()] * len(cases)) as moody:
            for instant, _ in cases:
                Tenor(moody.url, TOKEN).as_of(instant).series('x')
        said = [headers['Accept-Datetime'] for _, headers in moody.requests]
        self.assertEqual(said, [text for _, text in cases])
        with self.assertRaisesRegex(ValueError, 'time zone'):
            Tenor(moody.url, TOKEN).as_of(datetime.datetime(2026, 7, 1))

    def test_the_cache_stays_within_its_bounds(self):
        fresh = [ok(['x' * 400], ETag=f'"{n}"') for n in range(4)]
        with Moody(*fresh) as moody:
            tenor = Tenor(moody.url, TOKEN, cache_bytes=1_000)
            for name in ['a', 'b', 'c', 'a']:
                tenor.series(name)
        self.assertNotIn('If-None-Match', moody.requests[3][1])
        self.assertLessEqual(tenor._line._cache._bytes, 1_000)


class Downloads(Quick):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / 'quotes.csv'

    def export(self, *replies, **options):
        with Moody(*replies) as moody:
            try:
                return Tenor(moody.url, TOKEN, **options).export('quotes', 'csv', self.path)
            finally:
                self.requests = moody.requests

    def rest(self, start, cut_at=None):
        place = f'bytes {start}-{len(BODY) - 1}/{len(BODY)}'
        return says(206, BODY[start:], cut_at, ETag='"a"', Content_Range=place)

    def test_goes_on_where_it_was_cut(self):
        cuts = [says(200, BODY, cut_at=1000, ETag='"a"'), hangs_up, refused(503, 'busy')]
        done = self.export(*cuts, self.rest(1000), retries=3)
        self.assertEqual(self.path.read_bytes(), BODY)
        self.assertEqual((done.path, done.bytes, done.etag), (self.path, len(BODY), '"a"'))
        asked = self.requests[-1][1]
        self.assertEqual((asked['Range'], asked['If-Range']), ('bytes=1000-', '"a"'))

    def test_a_cut_that_got_it_on_costs_no_patience(self):
        cuts = [says(200, BODY, cut_at=1000, ETag='"a"'), self.rest(1000, cut_at=1000)]
        self.export(*cuts, self.rest(2000), retries=1)
        self.assertEqual(self.path.read_bytes(), BODY)

    def test_starts_anew_where_the_data_has_changed(self):
        self.export(says(200, b'old' * 1000, cut_at=999, ETag='"a"'), says(200, BODY, ETag='"b"'))
        self.assertEqual(self.path.read_bytes(), BODY)

    def test_does_not_resume_what_may_be_another_file(self):
        weak = says(200, BODY, cut_at=1000, ETag='W/"a"')
        self.export(weak, says(200, BODY))
        self.assertNotIn('Range', self.requests[-1][1])
        with self.assertRaises(UnexpectedAnswer):
            self.export(says(200, BODY, cut_at=1000, ETag='"a"'), self.rest(500))

    def test_gives_up_where_it_does_not_get_on_and_leaves_nothing_behind(self):
        self.path.write_bytes(b'what was there before')
        with self.assertRaises(NetworkError):
            self.export(says(200, BODY, cut_at=1000, ETag='"a"'), *[hangs_up] * 2, retries=2)
        self.assertEqual(self.path.read_bytes(), b'what was there before')
        self.assertEqual(list(self.path.parent.iterdir()), [self.path])

    def test_a_full_disk_is_not_taken_for_a_bad_line(self):
        class Full(io.BytesIO):
            def write(self, _):
                raise OSError(errno.ENOSPC, 'No space left on device')

        with Moody(says(200, BODY)) as moody, self.assertRaises(OSError) as caught:
            Tenor(moody.url, TOKEN)._line.download(f'{moody.url}/exports/x.csv', {}, Full())
        self.assertEqual(caught.exception.errno, errno.ENOSPC)
        self.assertEqual(self.waits(), [])

    def test_starts_anew_where_the_rest_is_none(self):
        cut = says(200, BODY, cut_at=1000, ETag='"a"')
        self.export(cut, says(416, Content_Range='bytes */1000'), says(200, BODY, ETag='"a"'))
        self.assertNotIn('Range', self.requests[-1][1])
        self.assertEqual(self.path.read_bytes(), BODY)

    def test_says_what_the_service_refuses(self):
        with self.assertRaises(NotFound):
            self.export(refused(404, 'not_found'))
        self.assertEqual(list(self.path.parent.iterdir()), [])


if __name__ == '__main__':
    unittest.main()
