"""What the client promises of a service with the sample data, at TENOR_URL with TENOR_TOKEN."""

import csv
import datetime
import json
import os
import tempfile
import unittest
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
from tests.moody import Moody, forwards

FUND = '5a3b0f1e-0000-4000-8000-000000000001'


class Live(unittest.TestCase):
    def setUp(self):
        self.tenor = Tenor()

    def test_quotes_are_a_list_that_tells_its_revision(self):
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
        found = {(quote['type'], quote['date']) for quote in bills}
        self.assertEqual(found, {('tbill', '2025-12-31')})

    def test_a_security_without_dates_is_its_newest_quote(self):
        self.assertEqual(len(list(self.tenor.quotes_all('Z05PIB151029'))), 1)
        days = [q['date'] for q in self.tenor.quotes_all('Z05PIB151029', from_='2026-06-24')]
        self.assertEqual(days[::4], ['2026-06-30', '2026-06-24'])

    def test_says_when_something_was_cut_and_how_much_there_is(self):
        cut = self.tenor.quotes(date='2026-06-30', limit=10, count=True)
        self.assertIsNotNone(cut.next)
        self.assertGreater(cut.total, 10)
        whole = self.tenor.quotes(date='2026-06-30', limit=10_000)
        self.assertIsNone(whole.next)
        self.assertEqual(len(whole), cut.total)

    def test_all_pages_together_are_the_whole(self):
        whole = self.tenor.quotes(from_='2026-06-20', limit=10_000)
        self.assertIsNone(whole.next)
        self.assertEqual(list(self.tenor.quotes_all(from_='2026-06-20', page_size=100)), whole)
        pages = list(self.tenor.quotes_all(from_='2026-06-20', page_size=100).pages())
        self.assertEqual({len(page) for page in pages[:-1]}, {100})
        self.assertEqual({page.revision for page in pages}, {whole.revision})
        asked = {'from_': '2026-06-20', 'page_size': 100, 'cursor': pages[1].cursor}
        self.assertEqual(list(self.tenor.quotes_all(**asked)), whole[200:])

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

    def test_refusals_name_what_is_wrong(self):
        with self.assertRaisesRegex(BadRequest, 'limit') as caught:
            self.tenor.quotes(limit=0)
        self.assertEqual(caught.exception.status, 400)
        known = "no series 'nothing-of-that-name'.* payments-market-players, .*catalogue.*HTTP 404"
        with self.assertRaisesRegex(NotFound, known):
            self.tenor.series('nothing-of-that-name')
        with self.assertRaises(Unauthorized):
            Tenor(token='tenor_unknown').quotes()

    def test_every_series_in_the_catalogue_can_be_asked_for(self):
        # One that was just added has nothing in the sample.
        listed = [each for each in self.tenor.catalogue() if each['shape'] == 'series']
        series = [each for each in listed if each['coverage']['count'] > 0]
        self.assertGreaterEqual(len(series), 10)
        for each in series:
            records = self.tenor.series(each['name'])
            self.assertEqual(len(records), each['coverage']['count'])
            self.assertEqual(list(records[0]), [field['name'] for field in each['fields']])

    def test_securities_and_funds_lead_to_their_records(self):
        security = self.tenor.securities()[0]
        quotes = list(self.tenor.quotes_all(security['symbol'], to=security['lastDate']))
        self.assertEqual(quotes[0]['date'], security['lastDate'])
        self.assertEqual(quotes[-1]['date'], security['firstDate'])
        for fund in self.tenor.funds():
            allocation = self.tenor.fund_allocation(fund['fund_id'])
            self.assertEqual(allocation['periods'][0], fund['lastPeriod'])

    def test_all_revisions_are_found(self):
        whole = self.tenor.revisions(limit=10_000)
        self.assertIsNone(whole.next)
        self.assertEqual(list(self.tenor.revisions_all(page_size=5)), whole)
        of_quotes = [each for each in whole if each['dataset'] == 'quotes']
        self.assertEqual(list(self.tenor.revisions_all('quotes', page_size=2)), of_quotes)

    def test_the_past_answers_as_it_stood(self):
        corrected = next(r for r in self.tenor.revisions('quotes') if r['corrected'] > 0)
        change = self.tenor.revision(corrected['revision'])['changes'][0]
        asked = {'symbol': change['old']['symbol'], 'date': change['old']['date']}
        before = self.tenor.as_of('2026-07-02T00:00:00Z').quotes(**asked)
        self.assertEqual(before, [change['old']])
        self.assertLess(before.revision, corrected['revision'])
        self.assertEqual(before.memento.isoformat(), '2026-07-01T06:12:00+00:00')
        utc = datetime.timezone.utc
        after = self.tenor.as_of(datetime.datetime(2026, 7, 4, tzinfo=utc)).quotes(**asked)
        self.assertEqual(after, [change['new']])
        self.assertEqual(self.tenor.as_of('2026-07-03').quotes(**asked), [change['new']])

    def test_corrections_tell_what_stood_before(self):
        whole = self.tenor.corrections('quotes', limit=10_000)
        self.assertIsNone(whole.next)
        self.assertGreater(len(whole), 2)
        self.assertEqual(list(self.tenor.corrections_all('quotes', page_size=1)), whole)
        last = whole[0]
        asked = {'symbol': last['old']['symbol'], 'date': last['old']['date']}
        self.assertEqual(self.tenor.quotes(**asked), [last['new']])
        day = datetime.date.fromisoformat(asked['date'])
        own = self.tenor.corrections('quotes', symbol=last['old']['isin'], from_=day, to=day)
        self.assertEqual(own, [last])
        before = self.tenor.corrections('quotes', before=last['revision'])
        self.assertLess(len(before), len(whole))
        self.assertEqual(self.tenor.as_of('2026-07-02').corrections('quotes'), before)
        funds = self.tenor.corrections('fund-allocation', fund_id=FUND)
        self.assertEqual({each['old']['fund_id'] for each in funds}, {FUND})
        with self.assertRaisesRegex(BadRequest, 'unknown parameter "symbol"'):
            self.tenor.corrections('fund-allocation', symbol='A')
        with self.assertRaises(NotFound):
            self.tenor.corrections('nothing/at all')

    def test_an_answer_that_still_stands_comes_from_here(self):
        first = self.tenor.quotes(limit=100)
        again = self.tenor.quotes(limit=100)
        self.assertEqual((first.cached, again.cached), (False, True))
        self.assertEqual((again, again.etag, again.next), (first, first.etag, first.next))

    def test_an_export_has_what_the_answers_have(self):
        with tempfile.TemporaryDirectory() as folder:
            name = 'pos-transactions-quarterly-volume'
            path = Path(folder) / 'pos.ndjson'
            done = self.tenor.export(name, 'ndjson', path)
            exported = [json.loads(line) for line in path.read_text('utf-8').splitlines()]
            series = self.tenor.series(name)
            self.assertEqual(exported, series)
            self.assertEqual((done.bytes, done.revision), (path.stat().st_size, series.revision))

    def test_an_export_that_is_cut_twice_is_whole_in_the_end(self):
        address = os.environ['TENOR_URL']
        cuts = [forwards(address, 100_000), forwards(address, 200_000), forwards(address)]
        with tempfile.TemporaryDirectory() as folder, Moody(*cuts) as moody:
            direct, cut = Path(folder) / 'direct.parquet', Path(folder) / 'cut.parquet'
            self.tenor.export('quotes', 'parquet', direct)
            with mock.patch.object(tenor_client.time, 'sleep'):
                Tenor(moody.url).export('quotes', 'parquet', cut)
            self.assertEqual(cut.read_bytes(), direct.read_bytes())
        asked = [headers.get('Range') for _, headers in moody.requests]
        self.assertEqual(asked, [None, 'bytes=100000-', 'bytes=300000-'])

    def test_an_export_of_the_past_is_of_the_past(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / 'quotes.csv'
            self.tenor.as_of('2026-06-15').export('quotes', 'csv', path)
            with open(path, newline='', encoding='utf-8') as file:
                self.assertEqual(next(csv.DictReader(file))['date'], '2026-05-29')


if __name__ == '__main__':
    unittest.main()
