"""Promises of the client with a service with the sample data, at TENOR_URL with TENOR_TOKEN."""

import datetime
import inspect
import json
import os
import tempfile
import unittest
import urllib.request
from pathlib import Path

from tenor_client import BadRequest, NoFundId, NoRecordFound, NotFound, Tenor, Unauthorized

FUND = '5a3b0f1e-0000-4000-8000-000000000001'
# Links, probes and SDMX are for programs of their own; so is the log.
OTHERS = {'quotes-2', 'datapackage', 'link', 'link-signature', 'live', 'ready'}
METHODS = {'exports': 'export', 'events': 'follow'}
# `as_of` makes a client, and `download` takes what is for tables.
NO_ARGUMENTS = {'as_of', 'as_stored', 'format', 'fields', 'shape', 'rate', 'order', 'compare', 'names'}


class Live(unittest.TestCase):
    def setUp(self):
        self.tenor = Tenor()

    def test_every_operation_and_parameter_of_the_service_has_its_place(self):
        with urllib.request.urlopen(f'{os.environ["TENOR_URL"]}/openapi.json') as response:
            document = json.load(response)
        for path, item in document['paths'].items():
            operation = item['get']['operationId']
            if operation in OTHERS or path.startswith(('/datasets/', '/ledger/', '/sdmx/')):
                continue
            is_series = path.startswith('/3.0/alternate/')
            name = 'series' if is_series else METHODS.get(operation, operation.replace('-', '_'))
            arguments = set(inspect.signature(getattr(Tenor, name)).parameters)
            query = set()
            for parameter in item['get'].get('parameters', []):
                reference = parameter.get('$ref', '').split('/')[-1]
                each = document['components']['parameters'][reference] if reference else parameter
                query |= {each['name']} if each['in'] == 'query' else set()
            missing = {{'from': 'from_', 'yield': 'yield_'}.get(each, each) for each in query} - arguments
            # Dimensions of any dataset are filters.
            missing -= query if 'filters' in arguments else set()
            has_pages = 'page_size' in arguments
            self.assertLessEqual(missing, NO_ARGUMENTS | ({'limit'} if has_pages else set()), operation)
            if 'cursor' in query and not has_pages:
                every = set(inspect.signature(getattr(Tenor, f'{name}_all')).parameters)
                self.assertEqual(arguments - {'limit', 'count'} | {'page_size'}, every, operation)

    def test_all_pages_together_are_all_records(self):
        page = self.tenor.quotes(date='2026-06-30', limit=10, count=True)
        self.assertEqual((len(page), page.has_more, page.cached), (10, True, False))
        self.assertEqual(len(self.tenor.quotes(date='2026-06-30', limit=10_000)), page.total)
        self.assertTrue(page.request_id)
        complete = self.tenor.quotes(from_='2026-06-20', limit=10_000)
        pages = list(self.tenor.quotes_all(from_='2026-06-20', page_size=100).pages())
        self.assertEqual([record for page in pages for record in page], complete)
        self.assertEqual({(len(page), page.revision) for page in pages[:-1]}, {(100, complete.revision)})
        parameters = {'from_': '2026-06-20', 'page_size': 100, 'cursor': pages[1].cursor}
        self.assertEqual(list(self.tenor.quotes_all(**parameters)), complete[200:])
        again = self.tenor.quotes(from_='2026-06-20', limit=10_000)
        self.assertEqual((again, again.etag, again.cached), (complete, complete.etag, True))

    def test_errors_are_those_of_their_kind_and_name_the_parameter(self):
        cases = [
            (NoRecordFound, 'no_record_found', lambda: self.tenor.fund_allocation('nobody')),
            (NoFundId, 'no fund_id provided', lambda: self.tenor.fund_allocation('')),
            (BadRequest, 'limit.*HTTP 400', lambda: self.tenor.quotes(limit=0)),
            (NotFound, "no series 'quotes'.* payments-market-players, .*404", lambda: self.tenor.series('quotes')),
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
        instant = datetime.datetime.fromisoformat(change['publishedAt'].replace('Z', '+00:00'))
        after = self.tenor.as_of(instant).quotes(**parameters)
        self.assertEqual((after, after.memento is None), ([change['new']], False))
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
        self.assertEqual(len(self.tenor.analytics(date='2026-06-30', type='tbill', limit=3)), 3)
        fund = self.tenor.vintages('fund-allocation', fund_id=FUND)._collect()._build_columns()
        self.assertEqual([column.kind for column in fund[:3]], ['text', 'text', 'number'])


if __name__ == '__main__':
    unittest.main()
