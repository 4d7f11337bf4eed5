"""Promises of the client with the declared dataset `kibor`, at TENOR_URL with TENOR_TOKEN."""

import asyncio
import importlib.util
import tempfile
import unittest
from pathlib import Path

from tenor_client import AsyncTenor, BadRequest, NotFound, Records, Tenor
from tenor_client.frames import build_columns, list_declared_columns
from tests.scripted_server import ScriptedServer, ok

HAS_PANDAS = importlib.util.find_spec('pandas') is not None
HAS_POLARS = importlib.util.find_spec('polars') is not None


class Datasets(unittest.TestCase):
    def setUp(self):
        self.tenor = Tenor()

    def test_a_dataset_is_read_by_its_name_in_pages_of_one_revision(self):
        pages = list(self.tenor.dataset('kibor', page_size=4).pages())
        self.assertEqual([len(page) for page in pages], [4, 2])
        self.assertEqual({page.revision for page in pages}, {2})
        records = [record for page in pages for record in page]
        self.assertEqual(records[0], {'date': '2026-06-03', 'tenor': '1M', 'bid': 11, 'offer': None})
        self.assertEqual(list(self.tenor.dataset('kibor', cursor=pages[0].cursor, page_size=4)), records[4:])
        self.assertEqual(list(self.tenor.as_of(2).dataset('kibor')), records)

    def test_periods_and_dimensions_select_records(self):
        selection = {'tenor': '6M', 'from_': '2026-06-02', 'to': '2026-06-03', 'sort': 'asc'}
        records = list(self.tenor.dataset('kibor', **selection))
        self.assertEqual([record['date'] for record in records], ['2026-06-02', '2026-06-03'])
        self.assertEqual(len(list(self.tenor.dataset('kibor', tenor=['1M', '6M']))), 6)
        with self.assertRaisesRegex(BadRequest, 'allowed: from, to, tenor'):
            next(self.tenor.dataset('kibor', tenr='6M'))
        for client in (self.tenor.as_of('2020-01-01'), self.tenor):
            with self.assertRaises(NotFound):
                next(client.dataset('kibor' if client is not self.tenor else 'nothing'))

    def test_columns_are_those_of_the_catalogue_whatever_the_values(self):
        kinds = [('date', 'day'), ('tenor', 'text'), ('bid', 'number'), ('offer', 'number')]
        for records in (self.tenor.dataset('kibor'), self.tenor.dataset('kibor', from_='2027-01-01')):
            columns = records._collect()._build_columns()
            self.assertEqual([(name, kind) for name, kind, _ in columns], kinds)
        changes = self.tenor.changes('kibor', 1)._collect()._build_columns()
        nested = [('change', 'text'), ('status', 'text'), *((f'record.{name}', kind) for name, kind in kinds)]
        self.assertEqual([(name, kind) for name, kind, _ in changes], nested)
        entry = {'period': {'field': 'week', 'kind': 'weekly'}, 'fields': []}
        entry['fields'] = [{'name': 'week', 'type': 'string'}, {'name': 'x', 'type': 'integer'}]
        columns = build_columns([], list_declared_columns(entry))
        self.assertEqual([kind for _, kind, _ in columns], ['weekly', 'integer'])

    def test_a_series_has_its_columns_and_its_status(self):
        columns = self.tenor.dataset('payments-market-players')._collect()._build_columns()
        self.assertEqual((columns[0][0], columns[0][1]), ('year', 'annual'))

    def test_exports_copies_and_other_operations_take_its_name(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / 'kibor.csv'
            self.assertEqual(self.tenor.sync('kibor', path).changes, None)
            self.assertEqual(self.tenor.sync('kibor', path).changes, 0)
            self.assertEqual(path.read_text().splitlines()[0], 'date,tenor,bid,offer')
            done = self.tenor.download('dataset', 'csv', path, dataset='kibor', tenor='6M')
            self.assertEqual(len(done.path.read_text().splitlines()), 4)
            self.assertGreater(self.tenor.export('kibor', 'parquet', path).bytes, 0)
        self.assertEqual(len(self.tenor.query('dataset', dataset='kibor', from_='2026-06-03')), 2)
        self.assertEqual(self.tenor.revisions('kibor')[0]['added'], 6)
        self.assertEqual(self.tenor.corrections('kibor'), [])

    def test_a_page_tells_the_successor_of_its_dataset(self):
        links = '<?cursor=x>; rel="next", </datasets/kibor-two>; rel="successor-version"'
        with ScriptedServer(ok([], Link=links)) as server:
            page = next(Tenor(server.url, 'token').dataset('kibor').pages())
        self.assertEqual((page.successor, page.has_more), ('kibor-two', True))

    def test_asyncio_reads_it_as_well(self):
        async def read():
            async with AsyncTenor() as tenor:
                return [record['tenor'] async for record in tenor.dataset('kibor', from_='2026-06-03')]

        self.assertEqual(asyncio.run(read()), ['1M', '6M'])

    def test_the_log_and_all_data_are_verified(self):
        with tempfile.TemporaryDirectory() as folder:
            state = Path(folder) / 'state.json'
            first = self.tenor.verify(state)
            self.assertEqual((first.size, first.checked, first.unreadable), (2, 2, 0))
            counts = {name: count for name, count in first.datasets.items() if count}
            self.assertEqual(counts, {'datasets': 1, 'kibor': 6})
            again = self.tenor.verify(state, log_only=True, key=first.key)
            self.assertEqual((again.previous_size, again.root), (2, first.root))

    @unittest.skipUnless(HAS_PANDAS, 'pandas is not installed for this Python')
    def test_a_pandas_frame_has_days_texts_and_floats(self):
        frame = self.tenor.dataset('kibor', tenor='6M', from_='2026-06-02').to_pandas()
        self.assertEqual([frame[name].dtype.kind for name in ('date', 'bid', 'offer')], ['M', 'f', 'f'])
        self.assertEqual(list(frame['tenor']), ['6M', '6M'])
        weeks = Records([{'week': '2026-W01'}, {'week': '2026-W53'}])
        weeks._columns = [('week', 'weekly')]
        starts = [str(time.start_time.date()) for time in weeks.to_pandas()['time']]
        self.assertEqual(starts, ['2025-12-29', '2026-12-28'])
        quarters = Records([{'period': 'Q1 FY2026'}])
        quarters._columns = [('period', 'quarterly')]
        self.assertEqual(str(quarters.to_pandas()['time'][0]), '2026Q1')

    @unittest.skipUnless(HAS_POLARS, 'polars is not installed for this Python')
    def test_a_polars_frame_has_dates_strings_and_floats(self):
        schema = self.tenor.dataset('kibor', from_='2027-01-01').to_polars().schema
        self.assertEqual([str(kind) for kind in schema.values()], ['Date', 'String', 'Float64', 'Float64'])


if __name__ == '__main__':
    unittest.main()
