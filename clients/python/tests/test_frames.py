"""The frames of pandas, polars and Arrow, of those that are installed."""

import datetime
import importlib.util
import unittest
from unittest import mock

import tenor_client
from tenor_client import Fund, Records
from tests.scripted_server import ScriptedServer, ok

QUOTE = dict(date='2026-06-30', symbol='A', isin='ZZ0000000001', type='bond', maturityDate='2029-06-30')
QUOTE.update({name: 0.5 for name, kind in tenor_client.records.COLUMNS['quotes'] if kind == 'number'})
PERIODS = [{'label': 'Jun 2026', 'date': '2026-06-30'}, {'label': 'May 2026', 'date': '2026-05-31'}]
FUND = Fund(periods=PERIODS, rows=[{'label': 'Cash', 'values': [10, 9.3]}])
CURVE = {'date': '2026-06-30', 'market': 'government', 'method': None, 'parameters': None, 'used': 0}
ACCOUNTS = [{'period': 'Jun 2026', 'national': 2, 'provinces': [{'key': 'kpk', 'value': 1}]}]
ACCOUNTS.append({'period': 'May 2026', 'national': 2, 'provinces': []})


def needs(name):
    missing = importlib.util.find_spec(name) is None
    return unittest.skipIf(missing, f'{name} is not installed for this Python')


def read(data, operation='quotes', **parameters):
    with ScriptedServer(ok(data)) as server:
        return server.tenor.query(operation, **parameters)


class Frames(unittest.TestCase):
    def check_quotes(self, build, number, day):
        """The columns and types are those of the catalogue, whatever the values are."""
        whole = {**QUOTE, 'ytm': 11, 'volume': 5_000_000, 'lastPrice': 100, 'extra': 'x'}
        for data in ([], [QUOTE], [whole], [dict(reversed(list(QUOTE.items())))]):
            types = build(read(data))
            self.assertEqual([name for name in types if name != 'extra'], list(QUOTE))
            self.assertEqual({types[name] for name in list(QUOTE)[5:]}, {number})
            self.assertEqual({types['date'], types['maturityDate']}, {day})

    def test_a_missing_package_is_named(self):
        with mock.patch.object(tenor_client.frames.importlib, 'import_module', side_effect=ImportError):
            for response in (Records(), Fund(periods=[], rows=[])):
                self.assertRaisesRegex(ImportError, 'pip install pandas', response.to_pandas)

    @needs('pandas')
    def test_pandas_has_the_types_of_the_catalogue(self):
        def build(records):
            return {name: str(dtype) for name, dtype in records.to_pandas().dtypes.items()}

        self.check_quotes(build, 'float64', 'datetime64[ns]')
        for data in (ACCOUNTS, ACCOUNTS[:1], []):
            types = build(read(data, 'mobile-money-accounts-male'))
            counts = {'national': 'Int64', **({'provinces.kpk': 'Int64'} if data else {})}
            self.assertEqual(types, {'period': types['period'], 'time': 'period[M]', **counts})

    @needs('polars')
    def test_polars_has_the_types_of_the_catalogue_instants_in_utc_and_no_column_time(self):
        def build(records):
            return {name: str(dtype) for name, dtype in records.to_polars().schema.items()}

        self.check_quotes(build, 'Float64', 'Date')
        frame = read([{'revision': 1, 'publishedAt': '2026-07-01T06:12:00.250+05:00'}], 'revisions').to_polars()
        instant = datetime.datetime(2026, 7, 1, 1, 12, 0, 250_000, datetime.timezone.utc)
        self.assertEqual((frame['publishedAt'][0], str(frame.schema['revision'])), (instant, 'Int64'))
        self.assertNotIn('time', build(read(ACCOUNTS, 'mobile-money-accounts-male')))
        self.assertEqual(FUND.to_polars().rows()[0], ('Jun 2026', datetime.date(2026, 6, 30), 10.0))

    @needs('pyarrow')
    def test_arrow_has_the_types_of_the_catalogue_and_the_columns_of_nested_records(self):
        def build(records):
            return {field.name: str(field.type) for field in records.to_arrow().schema}

        self.check_quotes(build, 'double', 'date32[day]')
        for operation, names in {'changes': ['record'], 'corrections': ['old', 'new']}.items():
            types = build(read([], operation, dataset='quotes'))
            self.assertEqual(list(types)[-len(QUOTE) * len(names):], [f'{n}.{f}' for n in names for f in QUOTE])
        self.assertNotIn('record.firstDate', build(read([], 'changes', dataset='securities')))
        points = [{'tenor': '1Y', 'years': 1, 'yield': 11}, {'tenor': '2Y', 'yield': None}]
        frame = read([{**CURVE, 'points': points}], 'curve').to_arrow()
        self.assertEqual(frame['yield'].to_pylist(), [11.0, None])
        self.assertEqual(frame.schema, read([], 'curve').to_arrow().schema)
        self.assertEqual(FUND.to_arrow().column_names, ['period', 'date', 'Cash'])


@needs('pandas')
class Pandas(unittest.TestCase):
    def test_fields_that_the_catalogue_does_not_know_have_the_types_of_their_values(self):
        instants = ['2026-07-01T06:12:00Z', '2026-07-01T06:12:00.250+05:00']
        labels = ['2026-06-30', 'soon']
        keys = [['punjab', 'sindh'], ['sindh', 'kpk']]
        frame = Records(
            dict(date='2026-06-30', ytm=11, at=at, label=label, of=[{'key': k, 'value': 3} for k in each])
            for at, label, each in zip(instants, labels, keys)
        ).to_pandas()
        self.assertEqual((frame['date'].dtype.kind, frame['ytm'].dtype.kind), ('M', 'i'))
        self.assertEqual(str(frame['at'][1]), '2026-07-01 01:12:00.250000+00:00')
        self.assertEqual(list(frame['label']), labels)
        self.assertEqual(list(frame.columns[-3:]), ['of.punjab', 'of.sindh', 'of.kpk'])
        self.assertTrue(frame['of.kpk'].isna()[0])

    def test_period_labels_are_kept_and_a_time_column_is_added(self):
        cases = [
            ('period', ['Jan 2024', 'Dec 2023'], ['2024-01', '2023-12']),
            ('period', ['Q1 2024', 'Q4 2023'], ['2024Q1', '2023Q4']),
            ('year', ['2024', 'FY23', 'FY2022', 'FY99'], ['2024', '2023', '2022', '1999']),
            ('year', ['2024-25', '2023-2024', '1999-00'], ['2025', '2024', '2000']),
        ]
        for name, labels, times in cases:
            frame = Records({name: label, 'total': 1} for label in labels).to_pandas()
            self.assertEqual(list(frame.columns), [name, 'time', 'total'])
            self.assertEqual((list(frame[name]), list(map(str, frame['time']))), (labels, times))
        weeks = Records([{'week': '2026-W01'}, {'week': '2026-W53'}])
        weeks._columns = [('week', 'weekly')]
        starts = [str(time.start_time.date()) for time in weeks.to_pandas()['time']]
        self.assertEqual(starts, ['2025-12-29', '2026-12-28'])
        mixed = Records([{'period': 'Jan 2024'}, {'period': 'Q1 2024'}]).to_pandas()
        self.assertEqual(list(mixed.columns), ['period'])

    def test_values_of_frames_are_parameters(self):
        import pandas

        with ScriptedServer(ok([{'revision': 7}]), ok()) as server:
            newest = server.tenor.revisions().to_pandas()['revision'].max()
            server.tenor.as_of(newest).quotes(from_=pandas.Timestamp('2026-06-01 10:00'))
        self.assertEqual(server.requests[1][0], '/2.0/bnb/quote?from=2026-06-01&as_of=7')

    def test_a_fund_has_a_row_per_period_and_nothing_makes_an_empty_table(self):
        frame = FUND.to_pandas()
        self.assertEqual((list(frame.columns), frame.loc['2026-05-31', 'Cash']), (['period', 'Cash'], 9.3))
        funds = read([{'fund_id': 'A', 'firstPeriod': None, 'lastPeriod': PERIODS[0]}], 'funds').to_pandas()
        self.assertEqual(str(funds['firstPeriod.date'].dtype), 'datetime64[ns]')
        self.assertNotIn('firstPeriod', funds.columns)
        self.assertTrue(Records().to_pandas().empty and Fund(periods=[], rows=[]).to_pandas().empty)
