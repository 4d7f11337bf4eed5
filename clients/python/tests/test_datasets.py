"""Datasets, transforms, aligned tables and vintages, with the declared dataset `kibor` at TENOR_URL."""

import asyncio
import importlib.util
import tempfile
import unittest
from pathlib import Path

from tenor_client import AsyncTenor, BadRequest, NotFound, Tenor, aligned_column
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


# A is corrected by revision 3; B is retired by it, and published again by 4.
A, B = ({'date': '2026-06-30', 'symbol': symbol, 'type': 'bond', 'ytm': 11} for symbol in 'AB')
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
        selected = self.tenor.dataset('kibor', tenor='6M', from_='2026-06-02', sort='asc')
        self.assertEqual([record['date'][-2:] for record in selected], ['02', '03'])
        self.assertEqual(len(list(self.tenor.dataset('kibor', tenor=['1M', '6M']))), 6)
        self.assertRaises(BadRequest, next, self.tenor.dataset('kibor', tenr='6M'))
        self.assertRaises(NotFound, next, self.tenor.as_of('2020-01-01').dataset('kibor'))

    def test_columns_are_those_of_the_catalogue_whatever_the_values(self):
        counts = [('observed', 'integer'), ('expected', 'integer')]
        for start in ('2026-06-01', '2027-01-01'):
            self.assertEqual(kinds(self.tenor.dataset('kibor', from_=start)), KINDS)
            weeks = kinds(self.tenor.dataset('kibor', from_=start, frequency='week'))
            self.assertEqual(weeks, [('date', 'weekly'), *KINDS[1:], *counts])
            states = dict(kinds(self.tenor.vintages('kibor', from_=start)))
            self.assertEqual(list(states), [*dict(KINDS), 'status', *INTERVAL])
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

    def test_a_page_has_the_units_of_its_figures_and_the_successor_of_its_dataset(self):
        links = '<?cursor=x>; rel="next", </datasets/kibor-two>; rel="successor-version"'
        with ScriptedServer(ok([], Link=links)) as server:
            page = next(server.tenor.dataset('kibor').pages())
        self.assertEqual((page.successor, page.has_more), ('kibor-two', True))
        page = next(self.tenor.dataset('kibor', tenor='6M', units='chg').pages())
        self.assertEqual([record['bid'] for record in page], [-1, -1, None])
        self.assertEqual(page.units, ['percentage points', 'percentage points'])


class Aligned(unittest.TestCase):
    def test_a_table_is_requested_by_its_columns_whose_texts_are_its_fields(self):
        rows = [{'period': 'Q2 2026', BID: 11, 'a.b': None}, {'period': 'Q1 2026', BID: 12, 'a.b': None}]
        with ScriptedServer(ok(rows[:1], Link='<?cursor=x>; rel="next"'), ok(rows[1:]), *[ok()] * 4) as server:
            options = {'frequency': 'quarter', 'from_': '2026-Q1', 'partial': True}
            table = server.tenor.as_of(7).aligned((each for each in (BID, 'a.b')), **options)._collect()
            days = server.tenor.aligned(f'{BID},a.b', frequency='day', status=True)
            self.assertEqual(kinds(days)[:3], [('period', 'day'), (BID, 'number'), (f'{BID}.status', 'text')])
            self.assertEqual(kinds(table), [('period', 'quarterly'), (BID, 'number'), ('a.b', 'number')])
            counted = kinds(server.tenor.aligned('a.b', frequency='month', observed=True))
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
            self.assertEqual(list(server.tenor.vintages('quotes', **filters)), STATES)
            quotes = list(dict(kinds(server.tenor.vintages('quotes'))))
        sent = {'symbol': 'A,B', 'from': '2026-06-01', 'release': 'first', 'tenor': 'x', 'limit': '10000'}
        self.assertEqual((server.parameters()[0], quotes[-5:]), (sent, ['duration', *INTERVAL]))


@unittest.skipUnless(HAS_PANDAS, 'pandas is not installed for this Python')
class Matrices(unittest.TestCase):
    def test_a_matrix_has_what_was_valid_at_each_revision(self):
        with ScriptedServer(ok(STATES), ok(STATES)) as server:
            matrix = server.tenor.vintages('quotes').matrix()
            read = AsyncTenor(server.url, 'token').vintages('quotes').matrix
            published = asyncio.run(read('ytm', columns='published'))
        self.assertEqual((list(matrix.columns), matrix.index.names), ([1, 3, 4], ['date', 'symbol']))
        self.assertEqual(list(matrix.loc[('2026-06-30', 'A')]), [11, 12, 12])
        self.assertEqual(matrix.loc[('2026-06-30', 'B')].isna().tolist(), [False, True, False])
        self.assertEqual(str(published.columns[1]), '2026-07-02 06:00:00+00:00')
        self.assertTrue((published.to_numpy() == matrix.to_numpy())[0].all())

    def test_a_matrix_has_a_row_for_each_measure_member_and_period(self):
        rate = {'date': '2026-06-30', 'tenor': '6M', 'bid': 11, 'offer': None, 'status': 'P'}
        states = [state(1, 4, **rate), state(4, **{**rate, 'bid': 12, 'offer': 13, 'status': 'A'})]
        matrix = build_matrix('kibor', states, None, 'revision')
        self.assertEqual(matrix.index.names, ['date', 'tenor', 'measure'])
        self.assertEqual(list(matrix.xs('bid', level='measure').iloc[0]), [11, 12])
        self.assertEqual(list(build_matrix('kibor', states, 'status', 'revision').iloc[0]), ['P', 'A'])
        agents = state(1, period='Jun 2026', total=5, provinces=[{'key': 'kpk', 'value': 1}], status='A')
        members = build_matrix('branchless-banking-agents', [agents], None, 'revision')
        self.assertEqual(members.loc[('Jun 2026', 'provinces.kpk'), 1], 1)
        rows = [{'label': 'Cash', 'values': [10.8]}]
        fund = state(1, fund_id='F', frequency='monthly', periods=[{'label': 'Jun 2026'}], rows=rows)
        allocation = build_matrix('fund-allocation', [fund], None, 'revision')
        self.assertEqual(allocation.loc[('F', 'Jun 2026'), 1], 10.8)
        self.assertTrue(build_matrix('quotes', [], None, 'revision').empty)
