"""Datasets, transforms, aligned tables and vintages, with the declared dataset `kibor` at TENOR_URL."""

import asyncio
import importlib.util
import tempfile
import unittest
from pathlib import Path

from tenor_client import AsyncTenor, BadRequest, NotFound, Tenor, Vintages, aligned_column
from tenor_client.matrix import build_matrix
from tests.scripted_server import ScriptedServer, ok

HAS_PANDAS = importlib.util.find_spec('pandas') is not None
BID = 'kibor.bid(tenor=6M)'
KINDS = [('date', 'day'), ('tenor', 'text'), ('bid', 'number'), ('offer', 'number')]
INTERVAL = ['since', 'published', 'until', 'withdrawn']
INSTANTS = {1: '2026-07-01T06:00:00.000Z', 3: '2026-07-02T06:00:00.000Z', 4: '2026-07-03T06:00:00.000Z'}


def kinds(records):
    page = records._collect() if hasattr(records, '_collect') else records
    return [(name, kind) for name, kind, _ in page._build_columns()]


def state(since, until=None, **record):
    withdrawn = INSTANTS.get(until)
    return {**record, 'since': since, 'published': INSTANTS[since], 'until': until, 'withdrawn': withdrawn}


def quote(symbol, ytm):
    return {'date': '2026-06-30', 'symbol': symbol, 'type': 'bond', 'ytm': ytm}


# A is corrected by revision 3; B is retired by it, and published again by 4.
A, B = quote('A', 11), quote('B', 9)
STATES = [state(1, 3, **A), state(3, **{**A, 'ytm': 12}), state(1, 3, **B), state(4, **{**B, 'ytm': 8})]


class Datasets(unittest.TestCase):
    def setUp(self):
        self.tenor = Tenor()

    def test_a_dataset_is_read_by_its_name_in_pages_of_one_revision(self):
        pages = list(self.tenor.dataset('kibor', page_size=4).pages())
        self.assertEqual([(len(page), page.revision) for page in pages], [(4, 2), (2, 2)])
        records = [record for page in pages for record in page]
        self.assertEqual(records[0], {'date': '2026-06-03', 'tenor': '1M', 'bid': 11, 'offer': None})
        self.assertEqual(list(self.tenor.dataset('kibor', cursor=pages[0].cursor, page_size=4)), records[4:])
        self.assertEqual(list(self.tenor.as_of(2).dataset('kibor')), records)
        selection = {'tenor': '6M', 'from_': '2026-06-02', 'sort': 'asc'}
        days = [record['date'] for record in self.tenor.dataset('kibor', **selection)]
        self.assertEqual(days, ['2026-06-02', '2026-06-03'])
        self.assertEqual(len(list(self.tenor.dataset('kibor', tenor=['1M', '6M']))), 6)
        with self.assertRaisesRegex(BadRequest, 'allowed: from, to, tenor'):
            next(self.tenor.dataset('kibor', tenr='6M'))
        with self.assertRaises(NotFound):
            next(self.tenor.as_of('2020-01-01').dataset('kibor'))

    def test_columns_are_those_of_the_catalogue_whatever_the_values(self):
        for start in ('2026-06-01', '2027-01-01'):
            self.assertEqual(kinds(self.tenor.dataset('kibor', from_=start)), KINDS)
            weeks = kinds(self.tenor.dataset('kibor', from_=start, frequency='week'))
            counts = [('observed', 'integer'), ('expected', 'integer')]
            self.assertEqual(weeks, [('date', 'weekly'), *KINDS[1:], *counts])
            states = kinds(self.tenor.vintages('kibor', from_=start))
            self.assertEqual([name for name, _ in states], [*dict(KINDS), 'status', *INTERVAL])
        nested = [('change', 'text'), ('status', 'text'), *((f'record.{name}', kind) for name, kind in KINDS)]
        self.assertEqual(kinds(self.tenor.changes('kibor', 1)), nested)
        growth = kinds(self.tenor.dataset('mobile-money-accounts-male', frequency='year', units='pc1'))
        self.assertEqual(growth[:3], [('period', 'annual'), ('national', 'number'), ('status', 'text')])

    def test_the_columns_come_with_asyncio_in_pages_in_streams_and_in_single_responses(self):
        async def read():
            async with AsyncTenor() as tenor:
                pages = [page async for page in tenor.dataset('kibor', page_size=4).pages()]
                stream = await tenor.dataset('kibor', from_='2027-01-01')._collect()
                return [*pages, stream, await tenor.query('dataset', dataset='kibor')]

        for records in asyncio.run(read()):
            self.assertEqual(kinds(records), KINDS)

    def test_exports_and_other_operations_take_its_name(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / 'kibor.csv'
            done = self.tenor.download('dataset', 'csv', path, dataset='kibor', tenor='6M')
            self.assertEqual(len(done.path.read_text().splitlines()), 4)
            self.assertGreater(self.tenor.export('kibor', 'parquet', path).bytes, 0)
        self.assertEqual(len(self.tenor.query('dataset', dataset='kibor', from_='2026-06-03')), 2)
        self.assertEqual(self.tenor.revisions('kibor')[0]['added'], 6)
        self.assertEqual(self.tenor.corrections('kibor'), [])
        links = '<?cursor=x>; rel="next", </datasets/kibor-two>; rel="successor-version"'
        with ScriptedServer(ok([], Link=links)) as server:
            page = next(Tenor(server.url, 'token').dataset('kibor').pages())
        self.assertEqual((page.successor, page.has_more), ('kibor-two', True))

    def test_records_are_aggregated_and_given_in_other_units(self):
        weeks = list(self.tenor.dataset('kibor', tenor='6M', frequency='week', aggregate='max'))
        self.assertEqual(weeks[0]['date'], '2026-W23')
        page = next(self.tenor.dataset('kibor', tenor='6M', units='chg').pages())
        self.assertEqual([record['bid'] for record in page], [-1, -1, None])
        self.assertEqual(page.units, ['percentage points', 'percentage points'])


class Aligned(unittest.TestCase):
    def test_a_table_is_requested_by_its_columns_whose_texts_are_its_fields(self):
        rows = [{'period': 'Q2 2026', BID: 11, 'a.b': None}, {'period': 'Q1 2026', BID: 12, 'a.b': None}]
        with ScriptedServer(ok(rows[:1], Link='<?cursor=x>; rel="next"'), ok(rows[1:]), *[ok()] * 4) as server:
            tenor = Tenor(server.url, 'token')
            options = {'frequency': 'quarter', 'from_': '2026-Q1', 'partial': True}
            table = tenor.as_of(7).aligned((each for each in (BID, 'a.b')), **options)._collect()
            days = tenor.aligned(f'{BID},a.b', frequency='day', status=True)
            self.assertEqual(kinds(days)[:3], [('period', 'day'), (BID, 'number'), (f'{BID}.status', 'text')])
            self.assertEqual(kinds(table), [('period', 'quarterly'), (BID, 'number'), ('a.b', 'number')])
            counted = kinds(tenor.aligned('a.b', frequency='month', observed=True))
            self.assertEqual(counted[1:], [('a.b', 'number'), ('a.b.observed', 'integer')])
        self.assertEqual(table, rows)
        sent = {'columns': f'{BID},a.b', 'frequency': 'quarter', 'from': '2026-Q1', 'partial': 'true'}
        self.assertEqual(server.parameters()[0], {**sent, 'limit': '10000', 'as_of': '7'})

    def test_the_text_of_a_column_has_its_signs_in_values_percent_encoded(self):
        self.assertEqual(aligned_column('kibor', 'bid', tenor='6M'), BID)
        self.assertEqual(aligned_column('a', 'b', aggregate='mean', units='chg'), 'a.b@mean:chg')
        text = aligned_column('a', 'operators.x,y', bank='50%, (new)', branch='a:b', units='chg')
        self.assertEqual(text, 'a.operators.x%2Cy(bank=50%25%2C %28new%29,branch=a%3Ab):chg')


class Histories(unittest.TestCase):
    def test_states_are_read_with_the_filters_of_the_dataset_in_pages(self):
        pages = [ok(STATES[:3], Link='<?cursor=x>; rel="next"'), ok(STATES[3:]), ok()]
        filters = {'symbol': ['A', 'B'], 'from_': '2026-06-01', 'release': 'first', 'tenor': 'x'}
        with ScriptedServer(*pages) as server:
            vintages = Tenor(server.url, 'token').vintages('quotes', **filters)
            self.assertIsInstance(vintages, Vintages)
            self.assertEqual(list(vintages), STATES)
            quotes = [name for name, _ in kinds(Tenor(server.url, 'token').vintages('quotes'))]
        sent = {'symbol': 'A,B', 'from': '2026-06-01', 'release': 'first', 'tenor': 'x', 'limit': '10000'}
        self.assertEqual((server.parameters()[0], quotes[-5:]), (sent, ['duration', *INTERVAL]))

    @unittest.skipUnless(HAS_PANDAS, 'pandas is not installed for this Python')
    def test_a_matrix_has_what_was_valid_at_each_revision(self):
        async def read(url):
            async with AsyncTenor(url, 'token') as tenor:
                return await tenor.vintages('quotes').matrix('ytm', columns='published')

        with ScriptedServer(ok(STATES), ok(STATES)) as server:
            matrix = Tenor(server.url, 'token').vintages('quotes').matrix()
            published = asyncio.run(read(server.url))
        self.assertEqual((list(matrix.columns), matrix.index.names), ([1, 3, 4], ['date', 'symbol']))
        self.assertEqual(list(matrix.loc[('2026-06-30', 'A')]), [11, 12, 12])
        self.assertEqual(matrix.loc[('2026-06-30', 'B')].isna().tolist(), [False, True, False])
        self.assertEqual(str(published.columns[1]), '2026-07-02 06:00:00+00:00')
        self.assertTrue((published.to_numpy() == matrix.to_numpy())[0].all())

    @unittest.skipUnless(HAS_PANDAS, 'pandas is not installed for this Python')
    def test_a_matrix_has_a_row_for_each_measure_member_and_period(self):
        rate = {'date': '2026-06-30', 'tenor': '6M', 'bid': 11, 'offer': None, 'status': 'P'}
        states = [state(1, 4, **rate), state(4, **{**rate, 'bid': 12, 'offer': 13, 'status': 'A'})]
        matrix = build_matrix('kibor', states, None, 'revision')
        self.assertEqual(matrix.index.names, ['date', 'tenor', 'measure'])
        self.assertEqual(list(matrix.xs('bid', level='measure').iloc[0]), [11, 12])
        self.assertEqual(list(build_matrix('kibor', states, 'status', 'revision').iloc[0]), ['P', 'A'])
        agents = {'period': 'Jun 2026', 'total': 5, 'provinces': [{'key': 'kpk', 'value': 1}], 'status': 'A'}
        members = build_matrix('branchless-banking-agents', [state(1, **agents)], None, 'revision')
        self.assertEqual(members.loc[('Jun 2026', 'provinces.kpk'), 1], 1)
        fund = {'fund_id': 'F', 'frequency': 'monthly', 'periods': [{'label': 'Jun 2026'}]}
        fund['rows'] = [{'label': 'Cash', 'values': [10.8]}]
        allocation = build_matrix('fund-allocation', [state(1, **fund)], None, 'revision')
        self.assertEqual(allocation.loc[('F', 'Jun 2026'), 1], 10.8)
        self.assertTrue(build_matrix('quotes', [], None, 'revision').empty)


if __name__ == '__main__':
    unittest.main()
