"""Lists of symbols, instants that are none, and the client for asyncio."""

import asyncio
import datetime
import inspect
import threading
import time
import unittest
from decimal import Decimal
from pathlib import Path

import tenor_client
from tenor_client import AsyncTenor, NoRecordFound, Tenor
from tenor_client.parameters import format_parameter
from tests.scripted_server import ScriptedServer, error, ok

CLOSED = Tenor('http://127.0.0.1:9', 'token')


def quote(symbol, date='2026-06-30'):
    return {'date': date, 'symbol': symbol}


class Array:
    """A column of numbers or texts, as numpy and pandas have it."""

    def __init__(self, *values):
        self.values = values

    def __iter__(self):
        return iter(self.values)

    def __bool__(self):
        raise ValueError('The truth value of an array is ambiguous')


class Scalar(float):
    def __repr__(self):
        return f'np.float64({float(self)})'

    __str__ = float.__repr__


class Values(unittest.TestCase):
    def test_arrays_and_their_elements_are_prices_shifts_and_faces(self):
        with ScriptedServer(*[ok()] * 4) as server:
            tenor = Tenor(server.url, 'token')
            tenor.price(Array('A', 'B', 'A'), price=Array(Scalar(99.5), Scalar(1e-7), 100))
            tenor.price('A', yield_=Scalar(11.25))
            tenor.price('A', spread=Decimal('12.50'))
            tenor.portfolio({'A': Scalar(1e6), 'B': -5}, shift=Array(Scalar(-100), 100))
        prices, one, spread, portfolio = server.parameters()
        self.assertEqual(prices, {'symbol': 'A,B,A', 'price': '99.5,0.0000001,100'})
        self.assertEqual((one['yield'], spread['spread']), ('11.25', '12.50'))
        self.assertEqual(portfolio, {'positions': 'A:1000000.0,B:-5', 'shift': '-100.0,100'})

    def test_lists_are_sent_with_commas_between_their_values(self):
        with ScriptedServer(ok(), ok()) as server:
            tenor = Tenor(server.url, 'token')
            tenor.curve([datetime.date(2026, 6, 30), '2026-05-29'], tenors=('1Y', '10Y'))
            tenor.query('quotes', symbol=['A', 'B'])
        dates = {'date': '2026-06-30,2026-05-29', 'tenors': '1Y,10Y'}
        self.assertEqual(server.parameters(), [dates, {'symbol': 'A,B'}])
        self.assertEqual(format_parameter(['A', 'Korea, Rep.', 'a"b']), 'A,"Korea, Rep.","a""b"')
        for invalid in ([], [''], {}):
            with self.assertRaisesRegex(ValueError, 'not empty'):
                CLOSED.curve(tenors=invalid)

    def test_every_method_with_a_first_and_last_day_names_them_to_who_says_start_or_end(self):
        methods = inspect.getmembers(Tenor, inspect.isfunction)
        names = [name for name, each in methods if 'from_' in inspect.signature(each).parameters]
        self.assertIn('quotes', names)
        for name in names:
            for bound in ('start', 'end'):
                with self.assertRaisesRegex(TypeError, 'from_ and to, not start and end'):
                    getattr(CLOSED, name)(**{bound: '2026-06-01'})

    def test_query_reads_any_operation_by_its_name(self):
        with ScriptedServer(ok([{'change': 'corrected'}]), ok({'rows': []})) as server:
            tenor = Tenor(server.url, 'token')
            corrections = tenor.query('corrections', dataset='quotes', from_='2026-06-01')
            fund = tenor.query('fund-allocation', fund_id='x')
        self.assertEqual((corrections[0]['change'], fund['rows']), ('corrected', []))
        self.assertEqual(server.requests[0][0], '/corrections/quotes?from=2026-06-01')
        for text, call in {
            'no operation .x.; there are quotes, ': lambda: CLOSED.query('x'),
            'changes needs dataset': lambda: CLOSED.query('changes', since=1),
            'no format .json.; there are csv, ': lambda: CLOSED.download('quotes', 'json', 'x'),
        }.items():
            with self.assertRaisesRegex(ValueError, text):
                call()

    def test_as_of_takes_instants_days_and_revisions_and_nothing_else(self):
        wrong = ['', 'yesterday', '2026-02-30', '2026-07-01T12:00', '20260701', '2026-07-01T25:00Z']
        for instant in [*wrong, '7', 0, -1, True, 7.0, None, datetime.datetime(2026, 7, 1)]:
            with self.assertRaisesRegex(ValueError, 'as_of'):
                CLOSED.as_of(instant)
        with ScriptedServer(ok(), ok(), ok()) as server:
            tenor = Tenor(server.url, 'token').as_of(7)
            tenor.quotes(limit=5)
            tenor.series('x')
            tenor.revisions()
        self.assertEqual(server.parameters(), [{'limit': '5', 'as_of': '7'}, {'as_of': '7'}, {}])
        self.assertEqual(repr(tenor), f'<Tenor {server.url} as of 7>')


class Symbols(unittest.TestCase):
    def test_a_list_of_symbols_is_one_request(self):
        with ScriptedServer(ok(), ok()) as server:
            Tenor(server.url, 'token').quotes(['A', 'B', 'a'])
            list(Tenor(server.url, 'token').quotes_all(symbol for symbol in ('A', 'B')))
        self.assertEqual([each['symbol'].upper() for each in server.parameters()], ['A,B', 'A,B'])

    def test_more_than_50_are_read_in_order_from_one_revision_and_come_once(self):
        symbols = [f'S{number:02}' for number in range(60)]
        first = [quote('S00'), quote('S00', '2026-06-29')]
        second = [quote('S55'), quote('S00', '2026-06-29'), quote('S51', '2026-06-29')]
        expected = [('S00', '30'), ('S55', '30'), ('S00', '29'), ('S51', '29')]
        for sort, step in ((None, 1), ('asc', -1)):
            pages = [ok(page[::step], Tenor_Revision='7') for page in (first, first, second)]
            with ScriptedServer(*pages) as server:
                tenor = Tenor(server.url, 'token')
                stream = tenor.analytics_all(symbols, from_='2026-06-01', sort=sort, page_size=3)
                read = list(stream.pages())
            self.assertEqual([(len(page), page.revision) for page in read], [(3, 7), (1, 7)])
            merged = [(each['symbol'], each['date'][-2:]) for page in read for each in page]
            self.assertEqual(merged, expected[::step])
            sent = server.parameters()
            self.assertEqual([len(each['symbol'].split(',')) for each in sent], [50, 50, 10])
            self.assertEqual([each.get('as_of') for each in sent], [None, '7', '7'])

    def test_lists_that_would_select_something_else_are_rejected(self):
        for symbols in ([], ['A,B'], [''], [None], [7]):
            with self.assertRaisesRegex(ValueError, 'symbol must'):
                CLOSED.quotes(symbols)
        with self.assertRaisesRegex(ValueError, 'quotes_all takes more'):
            CLOSED.quotes([str(number) for number in range(51)])


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
        def silent(handler):
            handler.send_response_only(200)
            handler.send_header('Content-Type', 'text/event-stream')
            handler.end_headers()
            released.wait(30)

        async def read(tenor):
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(tenor.follow().__anext__(), 0.5)
            return released.set()

        released = threading.Event()
        start = time.monotonic()
        self.run_with(read, silent)
        self.assertLess(time.monotonic() - start, 20)

    def test_both_clients_have_the_same_methods_with_the_same_parameters(self):
        def describe(client):
            methods = inspect.getmembers(client, inspect.isfunction)
            return {name: list(inspect.signature(each).parameters) for name, each in methods}

        both = {name.replace('aclose', 'close'): each for name, each in describe(AsyncTenor).items()}
        words = {'__aenter__': '__enter__', '__aexit__': '__exit__'}
        self.assertEqual({words.get(name, name): each for name, each in both.items()}, describe(Tenor))

    def test_nothing_waits_for_an_event_loop_in_what_is_made_of_the_text_for_asyncio(self):
        for path in (Path(tenor_client.__file__).parent / '_sync').glob('*.py'):
            code = path.read_text('utf-8').partition('Changes here are lost.')[2]
            self.assertNotRegex(code, r'\basync\b|\bawait\b|asyncio\.|\bAsync[A-Z]|\b__a[a-z]+__\b|\baiter')


if __name__ == '__main__':
    unittest.main()
