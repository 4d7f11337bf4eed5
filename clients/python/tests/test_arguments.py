"""Lists of symbols, instants that are none, and the client for asyncio."""

import asyncio
import datetime
import inspect
import threading
import time
import unittest
from decimal import Decimal

from tenor_client import AsyncTenor, NoRecordFound, Tenor
from tenor_client.parameters import format_parameter
from tests.scripted_server import ScriptedServer, error, ok

KARACHI = datetime.timezone(datetime.timedelta(hours=5))
CLOSED = Tenor('http://127.0.0.1:9', 'token')


def quote(symbol, date='2026-06-30'):
    return {'date': date, 'symbol': symbol}


# What numpy and pandas have as columns and numbers.
class Array(tuple):
    def __bool__(self):
        raise ValueError('The truth value of an array is ambiguous')


class Scalar(float):
    def __repr__(self):
        return f'np.float64({float(self)})'
    __str__ = float.__repr__


class Values(unittest.TestCase):
    def test_arrays_and_their_elements_are_prices_shifts_and_faces(self):
        with ScriptedServer(*[ok()] * 4) as server:
            server.tenor.price(Array('ABA'), price=Array([Scalar(99.5), Scalar(1e-7), 100]))
            server.tenor.price('A', yield_=Scalar(11.25))
            server.tenor.price('A', spread=Decimal('12.50'))
            server.tenor.portfolio({'A': Scalar(1e6), 'B': -5}, shift=Array([Scalar(-100), 100]))
        prices = {'symbol': 'A,B,A', 'price': '99.5,0.0000001,100'}
        single = [{'symbol': 'A', 'yield': '11.25'}, {'symbol': 'A', 'spread': '12.50'}]
        portfolio = {'positions': 'A:1000000.0,B:-5', 'shift': '-100.0,100'}
        self.assertEqual(server.parameters(), [prices, *single, portfolio])

    def test_lists_are_sent_with_commas_between_their_values_and_days_as_iso_days(self):
        with ScriptedServer(ok(), ok()) as server:
            server.tenor.curve([datetime.date(2026, 6, 30), '2026-05-29'], tenors=('1Y', '10Y'))
            server.tenor.query('quotes', symbol=['A', 'B'])
        dates = {'date': '2026-06-30,2026-05-29', 'tenors': '1Y,10Y'}
        self.assertEqual(server.parameters(), [dates, {'symbol': 'A,B'}])
        self.assertEqual(format_parameter(['A', 'Korea, Rep.', 'a"b']), 'A,"Korea, Rep.","a""b"')
        for invalid in ([], [''], {}):
            self.assertRaisesRegex(ValueError, 'not empty', CLOSED.curve, tenors=invalid)
        days = [datetime.date(2026, 6, 30), datetime.datetime(2026, 6, 30, 1, tzinfo=KARACHI)]
        self.assertEqual([format_parameter(day) for day in days], ['2026-06-30'] * 2)

    def test_every_method_with_a_first_and_last_day_names_them_to_who_says_start_or_end(self):
        methods = inspect.getmembers(Tenor, inspect.isfunction)
        names = [name for name, each in methods if 'from_' in inspect.signature(each).parameters]
        self.assertIn('quotes', names)
        for name in names:
            for bound in ({'start': '2026-06-01'}, {'end': '2026-06-01'}):
                with self.assertRaisesRegex(TypeError, 'from_ and to, not start and end'):
                    getattr(CLOSED, name)(**bound)

    def test_query_reads_any_operation_by_its_name(self):
        with ScriptedServer(ok([{'change': 'corrected'}]), ok({'rows': []})) as server:
            corrections = server.tenor.query('corrections', dataset='quotes', from_='2026-06-01')
            fund = server.tenor.query('fund-allocation', fund_id='x')
        self.assertEqual((corrections[0]['change'], fund['rows']), ('corrected', []))
        self.assertEqual(server.requests[0][0], '/corrections/quotes?from=2026-06-01')
        self.assertRaisesRegex(ValueError, 'no operation .x.; there are quotes, ', CLOSED.query, 'x')
        self.assertRaisesRegex(ValueError, 'changes needs dataset', CLOSED.query, 'changes', since=1)
        text = 'no format .json.; there are csv, '
        self.assertRaisesRegex(ValueError, text, CLOSED.download, 'quotes', 'json', 'x')

    def test_as_of_takes_instants_days_and_revisions_and_nothing_else(self):
        wrong = ['', 'yesterday', '2026-02-30', '2026-07-01T12:00', '20260701', '2026-07-01T25:00Z']
        for instant in [*wrong, '7', 0, -1, True, 7.0, None, datetime.datetime(2026, 7, 1)]:
            self.assertRaisesRegex(ValueError, 'as_of', CLOSED.as_of, instant)
        with ScriptedServer(ok(), ok(), ok()) as server:
            tenor = server.tenor.as_of(7)
            tenor.quotes(limit=5)
            tenor.series('x')
            tenor.revisions()
        self.assertEqual(server.parameters(), [{'limit': '5', 'as_of': '7'}, {'as_of': '7'}, {}])
        self.assertEqual(repr(tenor), f'<Tenor {server.url} as of 7>')


class Symbols(unittest.TestCase):
    def test_more_than_50_are_read_in_order_from_one_revision_and_come_once(self):
        symbols = [f'S{number:02}' for number in range(60)]
        first, other = [quote('S00'), quote('S00', '2026-06-29')], quote('S51', '2026-06-29')
        second = [quote('S55'), first[1], other]
        expected = [first[0], second[0], first[1], other]
        for sort, step in ((None, 1), ('asc', -1)):
            pages = [ok(page[::step], Tenor_Revision='7') for page in (first, first, second)]
            with ScriptedServer(*pages) as server:
                stream = server.tenor.analytics_all(symbols, from_='2026-06-01', sort=sort, page_size=3)
                read = list(stream.pages())
            self.assertEqual([(len(page), page.revision) for page in read], [(3, 7), (1, 7)])
            self.assertEqual([each for page in read for each in page], expected[::step])
            sent = [(len(each['symbol'].split(',')), each.get('as_of')) for each in server.parameters()]
            self.assertEqual(sent, [(50, None), (50, '7'), (10, '7')])

    def test_a_list_of_symbols_is_one_request_and_one_that_would_select_others_is_rejected(self):
        with ScriptedServer(ok(), ok()) as server:
            server.tenor.quotes(['A', 'B', 'a'])
            list(server.tenor.quotes_all(symbol for symbol in ('A', 'B')))
        self.assertEqual([each['symbol'].upper() for each in server.parameters()], ['A,B', 'A,B'])
        for symbols in ([], ['A,B'], [''], [None], [7]):
            self.assertRaisesRegex(ValueError, 'symbol must', CLOSED.quotes, symbols)
        self.assertRaisesRegex(ValueError, 'quotes_all takes more', CLOSED.quotes, map(str, range(51)))


class Async(unittest.TestCase):
    def run_with(self, read, *responses):
        async def run(url):
            async with AsyncTenor(url, 'token') as tenor:
                return await read(tenor)

        with ScriptedServer(*responses) as server:
            return asyncio.run(run(server.url))

    def test_reads_pages_and_several_responses_at_once(self):
        async def read(tenor):
            records = [each['symbol'] async for each in tenor.quotes_all(type='bond')]
            newest, series = await asyncio.gather(tenor.quotes(), tenor.series('x'))
            with self.assertRaises(NoRecordFound):
                await tenor.fund_allocation('x')
            return records, newest.revision, series.revision, repr(tenor.as_of(7))[:12]

        pages = [ok([quote('A')], Link='</2.0/bnb/quote?cursor=c>; rel="next"'), ok([quote('B')])]
        others = [ok(Tenor_Revision='3'), ok(Tenor_Revision='3'), error(200, 'no_record_found')]
        result = self.run_with(read, *pages, *others)
        self.assertEqual(result, (['A', 'B'], 3, 3, '<AsyncTenor '))

    def test_what_is_left_of_a_page_is_not_lost(self):
        change = {'change': 'added', 'record': {}}

        async def read(tenor):
            stream = tenor.quotes_all(type='bond')
            await stream.__anext__()
            rest = [each['symbol'] for each in await stream._collect()]
            changes = tenor.changes('quotes', 3)
            return rest, await changes.revision, [each async for each in changes]

        pages = [ok([quote('A'), quote('B')]), ok([change], Tenor_Revision='9')]
        self.assertEqual(self.run_with(read, *pages), (['B'], 9, [change]))

    def test_a_cancelled_follow_ends_at_once(self):
        async def read(tenor):
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(tenor.follow().__anext__(), 0.5)
            released.set()

        released = threading.Event()
        start = time.monotonic()
        self.run_with(read, lambda handler: released.wait(30))
        self.assertLess(time.monotonic() - start, 20)
