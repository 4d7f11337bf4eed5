"""Lists of symbols, instants that are none, and the client for asyncio."""

import asyncio
import datetime
import inspect
import threading
import unittest
from decimal import Decimal
from urllib.parse import parse_qs, urlsplit

from tenor_client import AsyncTenor, NoRecordFound, Tenor
from tenor_client.parameters import format_parameter
from tests.scripted_server import ScriptedServer, error, ok


def quote(symbol, date='2026-06-30'):
    return {'date': date, 'symbol': symbol}


def parameters(request):
    return {name: values[0] for name, values in parse_qs(urlsplit(request[0]).query).items()}


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


class Numbers(unittest.TestCase):
    def test_arrays_and_their_elements_are_prices_shifts_and_faces(self):
        with ScriptedServer(ok(), ok(), ok(), ok()) as server:
            tenor = Tenor(server.url, 'token')
            tenor.price(Array('A', 'B'), price=Array(Scalar(99.5), Scalar(1e-7)))
            tenor.price('A', yield_=Scalar(11.25))
            tenor.price('A', spread=Decimal('12.50'))
            tenor.portfolio({'A': Scalar(1e6)}, shift=Array(Scalar(-100), 100))
        prices, one, spread, portfolio = map(parameters, server.requests)
        self.assertEqual(prices, {'symbol': 'A,B', 'price': '99.5,0.0000001'})
        self.assertEqual(one['yield'], '11.25')
        self.assertEqual(spread['spread'], '12.50')
        self.assertEqual(portfolio, {'positions': 'A:1000000.0', 'shift': '-100.0,100'})


class Symbols(unittest.TestCase):
    def test_a_list_of_symbols_is_one_request(self):
        with ScriptedServer(ok(), ok()) as server:
            Tenor(server.url, 'token').quotes(['A', 'B', 'a'])
            list(Tenor(server.url, 'token').quotes_all(symbol for symbol in ('A', 'B')))
        sent = [parameters(request)['symbol'].upper() for request in server.requests]
        self.assertEqual(sent, ['A,B', 'A,B'])

    def test_more_than_50_are_read_in_order_from_one_revision(self):
        symbols = [f'S{number:02}' for number in range(60)]
        first = [quote('S00'), quote('S00', '2026-06-29')]
        second = [quote('S55'), quote('S51', '2026-06-29')]
        pages = [ok(page, Tenor_Revision='7') for page in (first, first, second)]
        with ScriptedServer(*pages) as server:
            stream = Tenor(server.url, 'token').quotes_all(symbols, from_='2026-06-01', page_size=3)
            sizes = [(len(page), page.revision) for page in stream.pages()]
        self.assertEqual(sizes, [(3, 7), (1, 7)])
        sent = [parameters(request) for request in server.requests]
        self.assertEqual([len(each['symbol'].split(',')) for each in sent], [50, 50, 10])
        self.assertEqual([each.get('as_of') for each in sent], [None, '7', '7'])
        with ScriptedServer(*pages) as server:
            quotes = list(Tenor(server.url, 'token').quotes_all(symbols, from_='2026-06-01'))
        self.assertEqual([each['symbol'] for each in quotes], ['S00', 'S55', 'S00', 'S51'])

    def test_ascending_records_of_more_than_50_are_merged_backwards_and_come_once(self):
        symbols = [f'S{number:02}' for number in range(60)]
        first = [quote('S00', '2026-06-29'), quote('S00')]
        second = [quote('S51', '2026-06-29'), quote('S00', '2026-06-29'), quote('S55')]
        pages = [ok(page, Tenor_Revision='7') for page in (first, first, second)]
        with ScriptedServer(*pages) as server:
            tenor = Tenor(server.url, 'token')
            stream = tenor.analytics_all(symbols, from_='2026-06-01', sort='asc')
            merged = [(each['symbol'], each['date'][-2:]) for each in stream]
        self.assertEqual(merged, [('S51', '29'), ('S00', '29'), ('S55', '30'), ('S00', '30')])
        self.assertEqual(parameters(server.requests[0])['sort'], 'asc')

    def test_lists_that_would_select_something_else_are_rejected(self):
        tenor = Tenor('http://127.0.0.1:9', 'token')
        for symbols in ([], ['A,B'], [''], [None], [7]):
            with self.assertRaisesRegex(ValueError, 'symbol must'):
                tenor.quotes(symbols)
        with self.assertRaisesRegex(ValueError, 'quotes_all takes more'):
            tenor.quotes([str(number) for number in range(51)])


class AsOf(unittest.TestCase):
    def test_rejects_what_is_no_instant_before_any_request(self):
        tenor = Tenor('http://127.0.0.1:9', 'token')
        naive = datetime.datetime(2026, 7, 1)
        wrong = ['', 'yesterday', '2026-02-30', '2026-07-01T12:00', '20260701', '2026-07-01T25:00Z']
        for instant in [*wrong, '7', 0, -1, True, 7.0, None, naive]:
            with self.assertRaisesRegex(ValueError, 'as_of'):
                tenor.as_of(instant)

    def test_a_number_is_a_revision(self):
        with ScriptedServer(ok(), ok(), ok()) as server:
            tenor = Tenor(server.url, 'token').as_of(7)
            tenor.quotes(limit=5)
            tenor.series('x')
            tenor.revisions()
        sent = [parameters(request) for request in server.requests]
        self.assertEqual(sent, [{'limit': '5', 'as_of': '7'}, {'as_of': '7'}, {}])
        self.assertEqual(repr(tenor), f'<Tenor {server.url} as of 7>')


class Query(unittest.TestCase):
    def test_every_method_with_a_first_and_last_day_names_them_to_who_says_start_or_end(self):
        methods = [
            name
            for name, method in inspect.getmembers(Tenor, inspect.isfunction)
            if 'from_' in inspect.signature(method).parameters
        ]
        self.assertIn('quotes', methods)
        for name in methods:
            for bound in ('start', 'end'):
                with self.assertRaisesRegex(TypeError, 'from_ and to, not start and end'):
                    getattr(Tenor('http://127.0.0.1', 'token'), name)(**{bound: '2026-06-01'})

    def test_reads_any_operation_by_its_name(self):
        with ScriptedServer(ok([{'change': 'corrected'}]), ok({'rows': []})) as server:
            tenor = Tenor(server.url, 'token')
            corrections = tenor.query('corrections', dataset='quotes', from_='2026-06-01')
            fund = tenor.query('fund-allocation', fund_id='x')
        self.assertEqual(corrections[0]['change'], 'corrected')
        self.assertEqual(fund['rows'], [])
        self.assertEqual(server.requests[0][0], '/corrections/quotes?from=2026-06-01')
        with self.assertRaisesRegex(ValueError, 'no operation .x.; there are quotes, '):
            tenor.query('x')


class Lists(unittest.TestCase):
    def test_are_sent_with_commas_between_their_values(self):
        with ScriptedServer(ok(), ok()) as server:
            tenor = Tenor(server.url, 'token')
            tenor.curve([datetime.date(2026, 6, 30), '2026-05-29'], tenors=('1Y', '10Y'))
            tenor.query('quotes', symbol=['A', 'B'])
        self.assertEqual(
            [parameters(request) for request in server.requests],
            [{'date': '2026-06-30,2026-05-29', 'tenors': '1Y,10Y'}, {'symbol': 'A,B'}],
        )
        self.assertEqual(format_parameter(['A', 'Korea, Rep.', 'a"b']), 'A,"Korea, Rep.","a""b"')
        for invalid in ([], ['']):
            with self.assertRaisesRegex(ValueError, 'not empty'):
                tenor.curve(tenors=invalid)
        with self.assertRaisesRegex(ValueError, 'changes needs dataset'):
            tenor.query('changes', since=1)
        with self.assertRaisesRegex(ValueError, 'no format .json.; there are csv, '):
            tenor.download('quotes', 'json', 'x')


class Async(unittest.TestCase):
    def test_reads_pages_in_threads(self):
        pages = [ok([quote('A')], Link='</2.0/bnb/quote?cursor=c>; rel="next"'), ok([quote('B')])]

        async def run(url):
            async with AsyncTenor(url, 'token') as tenor:
                records = [each['symbol'] async for each in tenor.quotes_all(type='bond')]
                newest, series = await asyncio.gather(tenor.quotes(), tenor.series('x'))
                with self.assertRaises(NoRecordFound):
                    await tenor.fund_allocation('x')
                return records, newest.revision, series.revision, repr(tenor.as_of(7))

        others = [ok(Tenor_Revision='3'), ok(Tenor_Revision='3'), error(200, 'no_record_found')]
        with ScriptedServer(*pages, *others) as server:
            result = asyncio.run(run(server.url))
        self.assertEqual(result, (['A', 'B'], 3, 3, f'<AsyncTenor {server.url} as of 7>'))

    def test_what_is_left_of_a_page_is_not_lost(self):
        change = {'change': 'added', 'record': {}}

        async def run(url):
            async with AsyncTenor(url, 'token') as tenor:
                stream = tenor.quotes_all(type='bond')
                await stream.__anext__()
                rest = [each['symbol'] for each in stream._collect()]
                changes = tenor.changes('quotes', 3)
                return rest, await changes.revision, [each async for each in changes]

        pages = [ok([quote('A'), quote('B')]), ok([change], Tenor_Revision='9')]
        with ScriptedServer(*pages) as server:
            self.assertEqual(asyncio.run(run(server.url)), (['B'], 9, [change]))

    def test_a_cancelled_follow_ends_its_thread(self):
        def silent(handler):
            handler.send_response_only(200)
            handler.send_header('Content-Type', 'text/event-stream')
            handler.end_headers()
            released.wait(30)

        async def run(url):
            tenor = AsyncTenor(url, 'token')
            revisions = tenor.follow()
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(revisions.__anext__(), 0.5)
            # Waits for the thread, which would read for 45 seconds.
            tenor._threads.shutdown()
            self.assertFalse(released.is_set())

        released = threading.Event()
        with ScriptedServer(silent) as server:
            timer = threading.Timer(20, released.set)
            timer.start()
            try:
                asyncio.run(run(server.url))
            finally:
                timer.cancel()
                released.set()

    def test_has_the_methods_of_the_client(self):
        def methods(client):
            return {name for name in vars(client) if not name.startswith('_')}

        self.assertEqual(methods(Tenor) - methods(AsyncTenor), set())


if __name__ == '__main__':
    unittest.main()
