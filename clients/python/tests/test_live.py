"""Promises of the client with a service with the sample data, at TENOR_URL with TENOR_TOKEN."""

import csv
import datetime
import inspect
import json
import os
import tempfile
import unittest
import urllib.request
from pathlib import Path
from unittest import mock

import tenor_client
from tenor_client import (
    BadRequest,
    NoFundId,
    NoRecordFound,
    NotFound,
    Tenor,
    Unauthorized,
)
from tests.scripted_server import ScriptedServer, forward

FUND = '5a3b0f1e-0000-4000-8000-000000000001'


def resolve(document, operation):
    """The parameters of an operation; those that are shared are references."""
    for parameter in operation.get('parameters', []):
        name = parameter.get('$ref', '').split('/')[-1]
        yield document['components']['parameters'][name] if name else parameter


class Live(unittest.TestCase):
    def setUp(self):
        self.tenor = Tenor()

    def test_quotes_are_a_list_with_a_revision(self):
        latest = self.tenor.quotes(limit=5)
        self.assertEqual(len(latest), 5)
        self.assertEqual({quote['date'] for quote in latest}, {'2026-06-30'})
        self.assertEqual(latest.revision, self.tenor.revisions(limit=1)[0]['revision'])
        self.assertTrue(latest.request_id)

    def test_quotes_are_filtered_by_security_date_and_type(self):
        days = {'from_': datetime.date(2026, 6, 1), 'to': '2026-06-15'}
        history = self.tenor.quotes('z05pib151029', **days)
        self.assertEqual({quote['symbol'] for quote in history}, {'Z05PIB151029'})
        self.assertEqual(history[0]['date'], '2026-06-15')
        bills = self.tenor.quotes(type='tbill', date='2025-12-31')
        types_and_dates = {(quote['type'], quote['date']) for quote in bills}
        self.assertEqual(types_and_dates, {('tbill', '2025-12-31')})

    def test_a_symbol_without_dates_selects_its_newest_quote(self):
        self.assertEqual(len(list(self.tenor.quotes_all('Z05PIB151029'))), 1)
        days = [q['date'] for q in self.tenor.quotes_all('Z05PIB151029', from_='2026-06-24')]
        self.assertEqual(days[::4], ['2026-06-30', '2026-06-24'])

    def test_a_page_has_a_next_link_and_a_total(self):
        page = self.tenor.quotes(date='2026-06-30', limit=10, count=True)
        self.assertIsNotNone(page.next)
        self.assertGreater(page.total, 10)
        complete = self.tenor.quotes(date='2026-06-30', limit=10_000)
        self.assertIsNone(complete.next)
        self.assertEqual(len(complete), page.total)

    def test_all_pages_together_are_all_records(self):
        complete = self.tenor.quotes(from_='2026-06-20', limit=10_000)
        self.assertIsNone(complete.next)
        self.assertEqual(list(self.tenor.quotes_all(from_='2026-06-20', page_size=100)), complete)
        pages = list(self.tenor.quotes_all(from_='2026-06-20', page_size=100).pages())
        self.assertEqual({len(page) for page in pages[:-1]}, {100})
        self.assertEqual({page.revision for page in pages}, {complete.revision})
        parameters = {'from_': '2026-06-20', 'page_size': 100, 'cursor': pages[1].cursor}
        self.assertEqual(list(self.tenor.quotes_all(**parameters)), complete[200:])

    def test_a_fund_is_a_dict(self):
        fund = self.tenor.fund_allocation(FUND)
        self.assertEqual(fund['fund_id'], FUND)
        self.assertEqual(len(fund['rows'][0]['values']), len(fund['periods']))
        self.assertIsNotNone(fund.revision)

    def test_errors_that_come_with_status_200_are_raised(self):
        with self.assertRaisesRegex(NoRecordFound, 'no_record_found'):
            self.tenor.fund_allocation('nobody')
        with self.assertRaisesRegex(NoFundId, 'no fund_id provided'):
            self.tenor.fund_allocation('')

    def test_errors_name_the_invalid_parameter(self):
        with self.assertRaisesRegex(BadRequest, 'limit') as caught:
            self.tenor.quotes(limit=0)
        self.assertEqual(caught.exception.status, 400)
        text = "no series 'nothing-of-that-name'.* payments-market-players, .*catalogue.*HTTP 404"
        with self.assertRaisesRegex(NotFound, text):
            self.tenor.series('nothing-of-that-name')
        with self.assertRaises(Unauthorized):
            Tenor(token='tenor_unknown').quotes()

    def test_every_series_in_the_catalogue_can_be_read(self):
        # A series that was just added has no sample data.
        listed = [dataset for dataset in self.tenor.catalogue() if dataset['shape'] == 'series']
        series = [dataset for dataset in listed if dataset['coverage']['count'] > 0]
        self.assertGreaterEqual(len(series), 10)
        for dataset in series:
            is_declared = dataset['path'].startswith('/datasets/')
            named = list(self.tenor.dataset(dataset['name']))
            records = named if is_declared else self.tenor.series(dataset['name'])
            self.assertEqual(len(named), dataset['coverage']['count'])
            self.assertEqual(len(records), dataset['coverage']['count'])
            self.assertEqual(list(records[0]), [field['name'] for field in dataset['fields']])

    def test_securities_and_funds_identify_their_records(self):
        quoted = [each for each in self.tenor.securities() if each['lastDate']]
        security = quoted[0]
        quotes = list(self.tenor.quotes_all(security['symbol'], to=security['lastDate']))
        self.assertEqual(quotes[0]['date'], security['lastDate'])
        self.assertEqual(quotes[-1]['date'], security['firstDate'])
        for fund in self.tenor.funds():
            if fund['frequency'] is None:
                continue
            allocation = self.tenor.fund_allocation(fund['fund_id'])
            self.assertEqual(allocation['periods'][0], fund['lastPeriod'])

    def test_revisions_all_pages_through_every_revision(self):
        complete = self.tenor.revisions(limit=10_000)
        self.assertIsNone(complete.next)
        self.assertEqual(list(self.tenor.revisions_all(page_size=5)), complete)
        of_quotes = [revision for revision in complete if revision['dataset'] == 'quotes']
        self.assertEqual(list(self.tenor.revisions_all('quotes', page_size=2)), of_quotes)

    def test_revision_all_pages_through_every_change(self):
        for number in (1, 14):
            complete = self.tenor.revision(number, limit=10_000)
            changes = complete['changes']
            counts = complete['added'] + complete['corrected'] + complete['retired']
            size = max(1, len(changes) // 3)
            pages = list(self.tenor.revision_all(number, page_size=size).pages())
            self.assertEqual([page.has_more for page in pages], [True] * (len(pages) - 1) + [False])
            self.assertEqual([change for page in pages for change in page][: len(changes)], changes)
            self.assertEqual(sum(len(page) for page in pages), counts)
            page = self.tenor.revision(number, limit=size)
            self.assertTrue(page.has_more)
            rest = list(self.tenor.revision_all(number, page_size=size, cursor=page.cursor))
            self.assertEqual(len(page['changes']) + len(rest), counts)

    def test_as_of_reads_the_records_before_a_correction(self):
        corrected = next(r for r in self.tenor.revisions('quotes') if r['corrected'] > 0)
        change = self.tenor.revision(corrected['revision'])['changes'][0]
        parameters = {'symbol': change['old']['symbol'], 'date': change['old']['date']}
        before = self.tenor.as_of('2026-07-02T00:00:00Z').quotes(**parameters)
        self.assertEqual(before, [change['old']])
        self.assertLess(before.revision, corrected['revision'])
        self.assertEqual(before.memento.isoformat(), '2026-07-01T06:15:00+00:00')
        utc = datetime.timezone.utc
        after = self.tenor.as_of(datetime.datetime(2026, 7, 4, tzinfo=utc)).quotes(**parameters)
        self.assertEqual(after, [change['new']])
        self.assertEqual(self.tenor.as_of('2026-07-03').quotes(**parameters), [change['new']])

    def test_corrections_contain_the_old_records(self):
        complete = self.tenor.corrections('quotes', limit=10_000)
        self.assertIsNone(complete.next)
        self.assertGreater(len(complete), 2)
        self.assertEqual(list(self.tenor.corrections_all('quotes', page_size=1)), complete)
        last = complete[0]
        parameters = {'symbol': last['old']['symbol'], 'date': last['old']['date']}
        self.assertEqual(self.tenor.quotes(**parameters), [last['new']])
        day = datetime.date.fromisoformat(parameters['date'])
        of_day = self.tenor.corrections('quotes', symbol=last['old']['isin'], from_=day, to=day)
        self.assertEqual(of_day, [last])
        before = self.tenor.corrections('quotes', before=last['revision'])
        self.assertLess(len(before), len(complete))
        self.assertEqual(self.tenor.as_of('2026-07-02').corrections('quotes'), before)
        funds = self.tenor.corrections('fund-allocation', fund_id=FUND)
        self.assertEqual({correction['old']['fund_id'] for correction in funds}, {FUND})
        with self.assertRaisesRegex(BadRequest, 'unknown parameter "symbol"'):
            self.tenor.corrections('fund-allocation', symbol='A')
        with self.assertRaises(NotFound):
            self.tenor.corrections('nothing/at all')

    def test_an_unchanged_response_comes_from_the_cache(self):
        first = self.tenor.quotes(limit=100)
        again = self.tenor.quotes(limit=100)
        self.assertEqual((first.cached, again.cached), (False, True))
        self.assertEqual((again, again.etag, again.next), (first, first.etag, first.next))

    def test_securities_and_funds_are_found_by_text_and_read_in_pages(self):
        found = self.tenor.securities('treasury', limit=5, count=True)
        self.assertEqual((len(found), found.has_more), (5, True))
        everything = list(self.tenor.securities_all('treasury', page_size=50))
        self.assertEqual(len(everything), found.total)
        self.assertEqual(everything, self.tenor.securities('treasury'))
        funds = self.tenor.funds('cash')
        self.assertTrue(0 < len(funds) < len(list(self.tenor.funds_all(page_size=2))))

    def test_curves_and_analytics_are_those_of_the_service(self):
        (curve,) = self.tenor.curve(tenors=['1Y', '10Y'])
        self.assertEqual([point['tenor'] for point in curve['points']], ['1Y', '10Y'])
        days = {'from_': '2026-06-01', 'sort': 'asc'}
        figures = self.tenor.analytics('Z05PIB151029', **days)
        self.assertEqual(list(self.tenor.analytics_all('Z05PIB151029', page_size=7, **days)), figures)
        self.assertGreater(figures[0]['dirtyPrice'], figures[0]['cleanPrice'])

    def test_whole_markets_and_cash_flows_are_those_of_the_service(self):
        options = {'date': '2026-06-30', 'market': 'government', 'horizon': '1Y', 'repo': 11.5}
        market = self.tenor.analytics(**options)
        self.assertEqual(list(self.tenor.analytics_all(**options, page_size=20)), market)
        self.assertEqual(len({figures['date'] for figures in market}), 1)
        self.assertTrue(any(figures['carry'] is not None for figures in market))
        self.assertLess(len(self.tenor.analytics(type='tbill')), len(market))
        flows = self.tenor.cashflows('Z05PIB151029', date=datetime.date(2026, 6, 30))
        self.assertEqual([flow['principal'] for flow in flows], [0] * 6 + [100])
        both = self.tenor.cashflows(['Z05PIB151029', 'Z10PIB211032'])
        self.assertEqual(len({flow['symbol'] for flow in both}), 2)

    def test_prices_and_portfolios_are_those_of_the_service(self):
        first, second = self.tenor.price(['Z05PIB151029'] * 2, yield_=[11, 12.5])
        self.assertAlmostEqual(second['ytm'], 12.5)
        self.assertGreater(first['cleanPrice'], second['cleanPrice'])
        positions = {'Z05PIB151029': 1e6, 'Z10PIB211032': -2.5e5}
        *rows, total = self.tenor.portfolio(positions, shift=[-100, 0, 100], key_rates=['1Y', '10Y'])
        self.assertEqual([row['face'] for row in rows], [1_000_000, -250_000])
        self.assertAlmostEqual(total['values']['+0bp'], total['marketValue'], places=4)
        self.assertAlmostEqual(sum(total['keyRates'].values()), total['effectiveDuration'], places=5)

    def test_a_download_tells_whether_more_records_match(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / 'bills.csv'
            parameters = {'type': 'tbill', 'fields': ['symbol', 'ytm'], 'limit': 2}
            done = self.tenor.download('quotes', 'csv', path, **parameters)
            self.assertEqual(path.read_bytes().split(b'\r\n')[0], b'symbol,ytm')
            self.assertTrue(done.has_more)
            changes = {'dataset': 'quotes', 'since': 0, 'limit': 1}
            self.tenor.download('changes', 'csv', path, **changes)
            self.assertTrue(path.read_bytes().startswith(b'change,date,symbol'))

    def test_every_operation_and_parameter_of_the_service_has_its_place(self):
        with urllib.request.urlopen(f'{os.environ["TENOR_URL"]}/openapi.json') as response:
            document = json.load(response)
        for path, item in document['paths'].items():
            operation = item['get']['operationId']
            # Links are for programs that have no token.
            if operation in {
                'quotes-2',
                'datapackage',
                'link',
                'link-signature',
                'live',
                'ready',
            }:
                continue
            # `verify` reads the log, and SDMX is for programs of its own.
            if path.startswith(('/datasets/', '/ledger/', '/sdmx/')):
                continue
            names = {'exports': 'export', 'events': 'follow'}
            is_series = path.startswith('/3.0/alternate/')
            name = 'series' if is_series else names.get(operation, operation.replace('-', '_'))
            arguments = set(inspect.signature(getattr(Tenor, name)).parameters)
            parameters = list(resolve(document, item['get']))
            query = {parameter['name'] for parameter in parameters if parameter['in'] == 'query'}
            # `as_of` makes a client, `download` takes what is for tables, `verify` reads changes
            # as they were stored.
            words = {'from': 'from_', 'yield': 'yield_'}
            missing = {words.get(text, text) for text in query} - arguments
            allowed = {'as_of', 'as_stored', 'format', 'fields', 'shape', 'rate', 'order', 'compare', 'names'}
            has_pages = 'page_size' in arguments
            if has_pages:
                allowed |= {'limit'}
            # `vintages` takes the filters of any dataset.
            if name != 'vintages':
                self.assertLessEqual(missing, allowed, operation)
            if 'cursor' in query and not has_pages:
                every = set(inspect.signature(getattr(Tenor, f'{name}_all')).parameters)
                self.assertEqual(arguments - {'limit', 'count'} | {'page_size'}, every, operation)

    def test_curves_of_many_days_are_read_in_pages(self):
        days = {'from_': '2026-01-01', 'every': 'month', 'tenors': ['1Y', '10Y']}
        curves = self.tenor.curve(**days, limit=2)
        self.assertEqual([curve['date'] for curve in curves], ['2026-06-30', '2026-05-29'])
        self.assertTrue(curves.has_more)
        pages = list(self.tenor.curve_all(**days, page_size=4).pages())
        self.assertEqual([len(page) for page in pages], [4, 2])
        table = self.tenor.curve_all(**days)._collect()._build_columns()
        self.assertEqual((table[0].name, len(table[0].values)), ('date', 12))
        self.assertEqual(len(list(self.tenor.curve_all())), 1)

    def test_figures_of_several_datasets_are_aligned_as_of_a_revision(self):
        columns = ['atm-transactions-quarterly-value.total', 'curve.par(tenor=10Y)']
        rows = list(self.tenor.aligned(columns, from_='2025-Q4', to='2026-01', page_size=1))
        self.assertEqual([row['period'] for row in rows], ['Q1 2026', 'Q4 2025'])
        self.assertEqual([row[columns[0]] for row in rows], [4793.7, 4553.3])
        days = list(self.tenor.as_of(17).aligned(columns, frequency='year', status=True))
        self.assertEqual(days[0]['period'], '2026')
        columns = ['curve.par(tenor=1Y,market=government)', 'curve.par(tenor=10Y)']
        frame = self.tenor.query('aligned', columns=columns, limit=1)._build_columns()
        self.assertEqual([column.name for column in frame], ['period', *columns])
        with self.assertRaisesRegex(BadRequest, 'no dataset is called nothing'):
            next(self.tenor.aligned(['nothing.total']))

    def test_vintages_have_the_states_of_a_corrected_figure(self):
        name = 'atm-transactions-quarterly-value'
        for selection, totals in (({}, [4814.3, 4860.2]), ({'release': 'first'}, [4814.3])):
            states = list(self.tenor.vintages(name, from_='2026-Q2', page_size=1, **selection))
            self.assertEqual([state['total'] for state in states], totals)
        self.assertEqual(states[0]['withdrawn'], '2026-07-20T06:24:00.000Z')
        self.assertIsNone(next(self.tenor.as_of(24).vintages(name, from_='2026-Q2'))['until'])
        fund = self.tenor.vintages('fund-allocation', fund_id=FUND)._collect()._build_columns()
        self.assertEqual([column.kind for column in fund[:3]], ['text', 'text', 'number'])
        with self.assertRaisesRegex(BadRequest, 'symbol'):
            next(self.tenor.vintages(name, symbol='A'))

    def test_an_export_has_the_records_of_the_series(self):
        with tempfile.TemporaryDirectory() as folder:
            name = 'pos-transactions-quarterly-volume'
            path = Path(folder) / 'pos.ndjson'
            done = self.tenor.export(name, 'ndjson', path)
            exported = [json.loads(line) for line in path.read_text('utf-8').splitlines()]
            series = self.tenor.series(name)
            self.assertEqual(exported, series)
            self.assertEqual((done.bytes, done.revision), (path.stat().st_size, series.revision))

    def test_an_export_that_is_interrupted_twice_is_complete(self):
        url = os.environ['TENOR_URL']
        cuts = [forward(url, 100_000), forward(url, 200_000), forward(url)]
        with tempfile.TemporaryDirectory() as folder, ScriptedServer(*cuts) as server:
            direct, resumed = Path(folder) / 'direct.parquet', Path(folder) / 'cut.parquet'
            self.tenor.export('quotes', 'parquet', direct)
            with mock.patch.object(tenor_client.connection.time, 'sleep'):
                Tenor(server.url).export('quotes', 'parquet', resumed)
            self.assertEqual(resumed.read_bytes(), direct.read_bytes())
        ranges = [headers.get('Range') for _, headers in server.requests]
        self.assertEqual(ranges, [None, 'bytes=100000-', 'bytes=300000-'])

    def test_as_of_applies_to_exports(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / 'quotes.csv'
            self.tenor.as_of('2026-06-15').export('quotes', 'csv', path)
            with open(path, newline='', encoding='utf-8') as file:
                self.assertEqual(next(csv.DictReader(file))['date'], '2026-05-29')


if __name__ == '__main__':
    unittest.main()
