"""Transforms, aligned tables and vintages, with the declared dataset `kibor` at TENOR_URL."""

import asyncio
import importlib.util
import unittest
import urllib.parse

from tenor_client import AsyncTenor, BadRequest, Tenor, Vintages, aligned_column
from tenor_client.vintages import build_matrix
from tests.scripted_server import ScriptedServer, error, ok

HAS_PANDAS = importlib.util.find_spec('pandas') is not None
HAS_POLARS = importlib.util.find_spec('polars') is not None

BID = 'kibor.bid(tenor=6M)'
SALES = 'pos-transactions-quarterly-volume'
INSTANTS = {1: '2026-07-01T06:00:00.000Z', 3: '2026-07-02T06:00:00.000Z', 4: '2026-07-03T06:00:00.000Z'}


def kinds(records):
    return [(name, kind) for name, kind, _ in records._collect()._build_columns()]


def state(since, until=None, **record):
    withdrawn = INSTANTS.get(until)
    return {**record, 'since': since, 'published': INSTANTS[since], 'until': until, 'withdrawn': withdrawn}


def quote(symbol, ytm):
    return {'date': '2026-06-30', 'symbol': symbol, 'type': 'bond', 'ytm': ytm}


# A is corrected by revision 3; B is retired by it, and published again by 4.
STATES = [
    state(1, 3, **quote('A', 11)),
    state(3, **quote('A', 12)),
    state(1, 3, **quote('B', 9)),
    state(4, **quote('B', 8)),
]


class Transforms(unittest.TestCase):
    def setUp(self):
        self.tenor = Tenor()

    def test_records_are_aggregated_and_given_in_other_units(self):
        weeks = list(self.tenor.dataset('kibor', tenor='6M', frequency='week', aggregate='max'))
        self.assertEqual(weeks[0]['date'], '2026-W23')
        page = next(self.tenor.dataset('kibor', tenor='6M', units='chg').pages())
        self.assertEqual([record['bid'] for record in page], [-1, -1, None])
        self.assertEqual(page.units, ['percentage points', 'percentage points'])
        with self.assertRaisesRegex(BadRequest, 'year'):
            next(self.tenor.dataset('kibor', frequency='year', year_start=13))

    def test_columns_are_those_of_the_result_whatever_the_values(self):
        expected = [('date', 'weekly'), ('tenor', 'text'), ('bid', 'number'), ('offer', 'number')]
        counts = [('observed', 'integer'), ('expected', 'integer')]
        for start in ('2026-06-01', '2027-01-01'):
            records = self.tenor.dataset('kibor', from_=start, frequency='week')
            self.assertEqual(kinds(records), [*expected, *counts])
        name = 'mobile-money-accounts-male'
        series = self.tenor.dataset(name, frequency='year', units='pc1')
        columns = [('period', 'annual'), ('national', 'number'), ('status', 'text'), *counts]
        self.assertEqual(kinds(series), columns)
        self.assertEqual(kinds(self.tenor.dataset(name))[1:], [('national', 'integer'), ('status', 'text')])


class Aligned(unittest.TestCase):
    def test_a_table_is_requested_by_the_texts_of_its_columns(self):
        with ScriptedServer(ok([{'period': 'Q2 2026', BID: 11.1}])) as server:
            tenor = Tenor(server.url, 'token').as_of(7)
            rows = tenor.aligned([BID, 'a.b:pc1'], frequency='quarter', from_='2026-Q1', status=True)
            self.assertEqual(next(rows)[BID], 11.1)
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(server.requests[0][0]).query)
        sent = {'columns': f'{BID},a.b:pc1', 'frequency': 'quarter', 'from': '2026-Q1'}
        sent.update({'status': 'true', 'limit': '10000', 'as_of': '7'})
        self.assertEqual({name: text for name, [text] in query.items()}, sent)

    def test_pages_are_followed_and_columns_have_types(self):
        pages = [ok([{'period': 'Q2 2026', BID: 11, 'a.b': None}], Link='<?cursor=x>; rel="next"')]
        pages.append(ok([{'period': 'Q1 2026', BID: 12, 'a.b': None}]))
        with ScriptedServer(*pages, ok()) as server:
            table = Tenor(server.url, 'token').aligned([BID, 'a.b'])._collect()
            columns = [(name, kind) for name, kind, _ in table._build_columns()]
        self.assertEqual([row[BID] for row in table], [11, 12])
        self.assertEqual(columns, [('period', 'quarterly'), (BID, 'number'), ('a.b', 'number')])
        with ScriptedServer(ok(), ok(), ok()) as server:
            table = Tenor(server.url, 'token').aligned(f'{BID},a.b', frequency='day', status=True)
            names = [('period', 'day'), (BID, 'number'), (f'{BID}.status', 'text')]
            self.assertEqual(kinds(table)[:3], names)
            table = Tenor(server.url, 'token').aligned('a.b', observed=True, partial=True, min_share=0.5)
            self.assertEqual(kinds(table)[1:], [('a.b', 'number'), ('a.b.observed', 'integer')])

    def test_an_error_of_the_service_is_one_of_the_client(self):
        with ScriptedServer(error(400, 'column 1 is none')) as server:
            with self.assertRaisesRegex(BadRequest, 'column 1 is none'):
                next(Tenor(server.url, 'token').aligned(['none']))

    def test_the_text_of_a_column_has_its_signs_in_values_percent_encoded(self):
        self.assertEqual(aligned_column('kibor', 'bid', tenor='6M'), BID)
        self.assertEqual(aligned_column('a', 'b', units='pc1'), 'a.b:pc1')
        self.assertEqual(aligned_column('a', 'b', aggregate='mean', units='chg'), 'a.b@mean:chg')
        text = aligned_column('a', 'operators.x,y', bank='50%, (new)', branch='a:b', units='chg')
        self.assertEqual(text, 'a.operators.x%2Cy(bank=50%25%2C %28new%29,branch=a%3Ab):chg')

    @unittest.skipUnless(HAS_PANDAS, 'pandas is not installed for this Python')
    def test_a_pandas_frame_has_periods_and_floats(self):
        rows = [{'period': 'Q2 2026', 'a.b': 11}, {'period': 'Q1 2026', 'a.b': None}]
        with ScriptedServer(ok(rows), ok()) as server:
            frame = Tenor(server.url, 'token').aligned(['a.b']).to_pandas()
        self.assertEqual([str(period) for period in frame['time']], ['2026Q2', '2026Q1'])
        self.assertEqual(str(frame['a.b'].dtype), 'float64')

    @unittest.skipUnless(HAS_POLARS, 'polars is not installed for this Python')
    def test_a_polars_frame_has_days_and_floats(self):
        with ScriptedServer(ok([{'period': '2026-06-30', 'a.b': 11}]), ok()) as server:
            schema = Tenor(server.url, 'token').aligned(['a.b']).to_polars().schema
        self.assertEqual([str(kind) for kind in schema.values()], ['Date', 'Float64'])


class Histories(unittest.TestCase):
    def read(self, *pages, **filters):
        with ScriptedServer(*pages) as server:
            vintages = Tenor(server.url, 'token').vintages('quotes', **filters)
            self.assertIsInstance(vintages, Vintages)
            return list(vintages), [path for path, _ in server.requests]

    def test_states_are_read_with_the_filters_of_the_dataset_in_pages(self):
        pages = [ok(STATES[:3], Link='<?cursor=x>; rel="next"'), ok(STATES[3:])]
        states, requests = self.read(*pages, symbol=['A', 'B'], from_='2026-06-01', release='first')
        self.assertEqual(states, STATES)
        sent = '/vintages/quotes?symbol=A%2CB&from=2026-06-01&release=first&limit=10000'
        self.assertEqual(requests[0], sent)

    def test_columns_are_those_of_the_record_then_the_interval(self):
        with ScriptedServer(ok(), ok()) as server:
            names = [name for name, _ in kinds(Tenor(server.url, 'token').vintages(SALES))]
            quotes = [name for name, _ in kinds(Tenor(server.url, 'token').vintages('quotes'))]
        interval = ['since', 'published', 'until', 'withdrawn']
        self.assertEqual((names[0], names[-5:]), ('period', ['status', *interval]))
        self.assertEqual(quotes[-5:], ['duration', *interval])
        for start in ('2026-06-01', '2027-01-01'):
            names = [name for name, _ in kinds(Tenor().vintages('kibor', from_=start))]
            self.assertEqual(names, ['date', 'tenor', 'bid', 'offer', 'status', *interval])

    @unittest.skipUnless(HAS_PANDAS, 'pandas is not installed for this Python')
    def test_a_matrix_has_what_was_valid_at_each_revision(self):
        with ScriptedServer(ok(STATES), ok(STATES)) as server:
            matrix = Tenor(server.url, 'token').vintages('quotes').matrix()

            async def read():
                async with AsyncTenor(server.url, 'token') as tenor:
                    return await tenor.vintages('quotes').matrix('ytm', columns='published')

            published = asyncio.run(read())
        self.assertEqual((list(matrix.columns), matrix.index.names), ([1, 3, 4], ['date', 'symbol']))
        self.assertEqual(list(matrix.loc[('2026-06-30', 'A')]), [11, 12, 12])
        self.assertEqual(matrix.loc[('2026-06-30', 'B')].isna().tolist(), [False, True, False])
        self.assertEqual(str(published.columns[1]), '2026-07-02 06:00:00+00:00')
        self.assertTrue((published.to_numpy() == matrix.to_numpy())[0].all())

    @unittest.skipUnless(HAS_PANDAS, 'pandas is not installed for this Python')
    def test_a_matrix_has_a_row_for_each_measure_member_and_period(self):
        def rate(bid, offer, status):
            return {'date': '2026-06-30', 'tenor': '6M', 'bid': bid, 'offer': offer, 'status': status}

        states = [state(1, 4, **rate(11, None, 'P')), state(4, **rate(12, 13, 'A'))]
        matrix = build_matrix('kibor', states, None, 'revision')
        self.assertEqual(matrix.index.names, ['date', 'tenor', 'measure'])
        self.assertEqual(list(matrix.xs('bid', level='measure').iloc[0]), [11, 12])
        marks = build_matrix('kibor', states, 'status', 'revision')
        self.assertEqual(list(marks.iloc[0]), ['P', 'A'])
        agents = {'period': 'Jun 2026', 'total': 5, 'provinces': [{'key': 'kpk', 'value': 1}], 'status': 'A'}
        members = build_matrix('branchless-banking-agents', [state(1, **agents)], None, 'revision')
        self.assertEqual(members.loc[('Jun 2026', 'provinces.kpk'), 1], 1)
        fund = {'fund_id': 'F', 'frequency': 'monthly', 'periods': [{'label': 'Jun 2026'}]}
        rows = [{'label': 'Cash', 'values': [10.8]}]
        allocation = build_matrix('fund-allocation', [state(1, **fund, rows=rows)], None, 'revision')
        self.assertEqual(allocation.loc[('F', 'Jun 2026'), 1], 10.8)
        self.assertTrue(build_matrix('quotes', [], None, 'revision').empty)


if __name__ == '__main__':
    unittest.main()
