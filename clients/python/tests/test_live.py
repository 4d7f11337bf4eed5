"""The client and the examples of its README with the sample data, at TENOR_URL with TENOR_TOKEN."""

import contextlib
import importlib.util
import io
import os
import re
import sys
import tempfile
import unittest
from pathlib import Path

import httpx
from tenor_client import BadRequest, NoFundId, NoRecordFound, NotFound, Tenor, Unauthorized

README = Path(__file__).parent.parent / 'README.md'
MODULES = {'to_pandas': 'pandas', 'matrix(': 'pandas', 'to_polars': 'polars', 'to_arrow': 'pyarrow'}
MISSING = [each for each, module in MODULES.items() if importlib.util.find_spec(module) is None]
FUND = '5a3b0f1e-0000-4000-8000-000000000001'
# Series have one method, and so have datasets; links, probes, SDMX and the log are not for analysts.
ELSEWHERE = ('/3.0/alternate/', '/datasets/', '/ledger/', '/sdmx/')
OTHERS = {'quotes-2', 'datapackage', 'link', 'link-signature', 'live', 'ready'}
METHODS = {'exports': 'export', 'events': 'follow'}

class Live(unittest.TestCase):
    def setUp(self):
        self.tenor = Tenor()

    def test_every_operation_of_the_service_has_its_method(self):
        paths = httpx.get(f'{self.tenor._connection.base_url}/openapi.json').json()['paths']
        names = {item['get']['operationId'] for path, item in paths.items() if not path.startswith(ELSEWHERE)}
        for name in names - OTHERS:
            self.assertTrue(hasattr(Tenor, METHODS.get(name, name.replace('-', '_'))), name)

    def test_all_pages_together_are_all_records(self):
        page = self.tenor.quotes(date='2026-06-30', limit=10, count=True)
        self.assertEqual((len(page), page.has_more, page.cached), (10, True, False))
        self.assertEqual(len(self.tenor.quotes(date='2026-06-30', limit=10_000)), page.total)
        complete = self.tenor.quotes(from_='2026-06-20', limit=10_000)
        pages = list(self.tenor.quotes_all(from_='2026-06-20', page_size=100).pages())
        self.assertEqual([record for page in pages for record in page], complete)
        self.assertEqual({(len(page), page.revision) for page in pages[:-1]}, {(100, complete.revision)})
        parameters = {'from_': '2026-06-20', 'page_size': 100, 'cursor': pages[1].cursor}
        self.assertEqual(list(self.tenor.quotes_all(**parameters)), complete[200:])
        again = self.tenor.quotes(from_='2026-06-20', limit=10_000)
        self.assertEqual((again, again.cached), (complete, True))

    def test_errors_are_those_of_their_kind_and_name_the_parameter(self):
        cases = [
            (NoRecordFound, 'no_record_found', lambda: self.tenor.fund_allocation('nobody')),
            (NoFundId, 'no fund_id provided', lambda: self.tenor.fund_allocation('')),
            (BadRequest, 'limit.*HTTP 400', lambda: self.tenor.quotes(limit=0)),
            (NotFound, "no series 'quotes'.* payments-market-players", lambda: self.tenor.series('quotes')),
            (NotFound, 'not', lambda: self.tenor.corrections('nothing/at all')),
            (Unauthorized, '', lambda: Tenor(token='tenor_unknown').quotes()),
            (BadRequest, 'no dataset is called nothing', lambda: next(self.tenor.aligned(['nothing.total']))),
        ]
        for kind, text, call in cases:
            with self.subTest(text), self.assertRaisesRegex(kind, text):
                call()

    def test_every_dataset_of_the_catalogue_can_be_read(self):
        for dataset in self.tenor.catalogue():
            if dataset['shape'] == 'series' and dataset['coverage']['count'] > 0:
                named = list(self.tenor.dataset(dataset['name']))
                is_declared = dataset['path'].startswith('/datasets/')
                records = named if is_declared else self.tenor.series(dataset['name'])
                self.assertEqual([len(named), len(records)], [dataset['coverage']['count']] * 2)
                self.assertEqual(list(records[0]), [field['name'] for field in dataset['fields']])

    def test_changes_of_a_revision_and_records_before_it_are_read(self):
        complete = self.tenor.revision(14, limit=10_000)
        pages = list(self.tenor.revision_all(14, page_size=len(complete['changes']) // 3).pages())
        self.assertEqual([change for page in pages for change in page], complete['changes'])
        change = next(each for each in self.tenor.corrections_all('quotes', page_size=1) if each['new'])
        parameters = {'symbol': change['old']['symbol'], 'date': change['old']['date']}
        before = self.tenor.as_of(change['revision'] - 1).quotes(**parameters)
        self.assertEqual((before, before.revision), ([change['old']], change['revision'] - 1))
        after = self.tenor.as_of(change['publishedAt']).quotes(**parameters)
        self.assertEqual((after, after.memento.isoformat()[:19]), ([change['new']], change['publishedAt'][:19]))
        with tempfile.TemporaryDirectory() as folder:
            done = self.tenor.as_of('2026-06-15').export('quotes', 'csv', Path(folder) / 'quotes.csv')
            self.assertIn('\n2026-05-29,', done.path.read_text()[:200])

    def test_curves_have_pages_only_between_days_and_a_row_for_each_point(self):
        days = {'from_': '2026-01-01', 'every': 'month', 'tenors': ['1Y', '10Y']}
        pages = list(self.tenor.curve_all(**days, page_size=4).pages())
        self.assertEqual([len(page) for page in pages], [4, 2])
        table = self.tenor.curve_all(**days)._collect()._build_columns()
        self.assertEqual((table[0].name, len(table[0].values)), ('date', 12))
        self.assertEqual(len(list(self.tenor.curve_all())), 1)
        fund = self.tenor.vintages('fund-allocation', fund_id=FUND)._collect()._build_columns()
        self.assertEqual([column.kind for column in fund[:3]], ['text', 'text', 'number'])


class Readme(unittest.TestCase):
    def test_every_example_runs_whose_packages_are_installed(self):
        for method in MISSING:
            print(f"skipped '{method} is not run, {MODULES[method]} is not installed'", file=sys.stderr)
        all_examples = re.findall(r'^```python\n(.*?)^```', README.read_text('utf-8'), re.MULTILINE | re.DOTALL)
        examples = [each for each in all_examples if not any(method in each for method in MISSING)]
        self.assertGreater(len(examples), 5)
        self.addCleanup(os.chdir, os.getcwd())
        variables = {}
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            for example in examples:
                with contextlib.redirect_stdout(io.StringIO()) as printed:
                    exec(compile(example, f'<README: {example.splitlines()[0]}>', 'exec'), variables)
                self.assertTrue(printed.getvalue() or 'print' not in example, example)
