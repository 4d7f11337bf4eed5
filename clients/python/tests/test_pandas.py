"""The DataFrames of to_pandas, if pandas is installed."""

import importlib.util
import unittest
from unittest import mock

import tenor_client
from tenor_client import Fund, NoRecordFound, Records, Tenor
from tests.scripted_server import ScriptedServer, error, ok

HAS_PANDAS = importlib.util.find_spec('pandas') is not None
QUOTE = {
    'date': '2026-06-30',
    'symbol': 'A',
    'isin': 'ZZ0000000001',
    'type': 'bond',
    'maturityDate': '2029-06-30',
    'maturityYears': 3.0,
    'bidPrice': 99.5,
    'askPrice': 99.7,
    'lastPrice': 99.6,
    'bidVolume': 0.5,
    'askVolume': 0.5,
    'volume': 0.5,
    'ytm': 11.2,
    'duration': 2.4,
}


class PandasMissing(unittest.TestCase):
    def test_to_pandas_names_the_missing_package(self):
        with mock.patch.object(tenor_client.frames.importlib, 'import_module', side_effect=ImportError):
            for response in (Records(), Fund(periods=[], rows=[])):
                with self.assertRaisesRegex(ImportError, 'pip install pandas'):
                    response.to_pandas()


@unittest.skipUnless(HAS_PANDAS, 'pandas is not installed for this Python')
class Tables(unittest.TestCase):
    def dtype_kinds(self, frame):
        return {name: frame[name].dtype.kind for name in frame.columns}

    def test_days_and_instants_become_timestamps(self):
        instants = ['2026-07-01T06:12:00Z', '2026-07-01T06:12:00.250+05:00']
        fields = {'date': '2026-06-30', 'symbol': 'A', 'ytm': 11}
        frame = Records({**fields, 'at': instant} for instant in instants).to_pandas()
        self.assertEqual(self.dtype_kinds(frame)['date'], 'M')
        self.assertEqual(str(frame['at'][1]), '2026-07-01 01:12:00.250000+00:00')
        self.assertEqual(list(frame['symbol']), ['A', 'A'])
        self.assertEqual(self.dtype_kinds(frame)['ytm'], 'i')

    def test_a_column_with_other_texts_than_days_stays_text(self):
        frame = Records([{'label': '2026-06-30'}, {'label': 'soon'}]).to_pandas()
        self.assertEqual(list(frame['label']), ['2026-06-30', 'soon'])

    def test_nested_lists_become_columns(self):
        records = Records(
            {'total': 9, 'provinces': [{'key': key, 'value': 3} for key in keys]}
            for keys in [['punjab', 'sindh'], ['sindh', 'kpk']]
        )
        frame = records.to_pandas()
        columns = ['total', 'provinces.punjab', 'provinces.sindh', 'provinces.kpk']
        self.assertEqual(list(frame.columns), columns)
        self.assertTrue(frame['provinces.kpk'].isna()[0])

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
            self.assertEqual(list(frame[name]), labels)
            self.assertEqual([str(period) for period in frame['time']], times)
            self.assertTrue(frame['time'].is_monotonic_decreasing)

    def test_mixed_period_kinds_get_no_time_column(self):
        frame = Records([{'period': 'Jan 2024'}, {'period': 'Q1 2024'}]).to_pandas()
        self.assertEqual(list(frame.columns), ['period'])

    def test_a_timestamp_is_sent_as_its_day(self):
        import pandas

        with ScriptedServer(ok()) as server:
            Tenor(server.url, 'token').quotes(from_=pandas.Timestamp('2026-06-01 10:00'))
        self.assertEqual(server.requests[0][0], '/2.0/bnb/quote?from=2026-06-01')

    def test_a_revision_of_a_frame_can_be_read_as_of(self):
        with ScriptedServer(ok([{'revision': 7}]), ok()) as server:
            tenor = Tenor(server.url, 'token')
            newest = tenor.revisions().to_pandas()['revision'].max()
            tenor.as_of(newest).quotes()
        self.assertEqual(server.requests[1][0], '/2.0/bnb/quote?as_of=7')

    def test_a_fund_has_a_row_per_period_and_a_column_per_class(self):
        periods = [
            {'label': 'Jun 2026', 'date': '2026-06-30'},
            {'label': 'May 2026', 'date': '2026-05-31'},
        ]
        rows = [{'label': 'Cash', 'values': [10.8, 9.3]}, {'label': 'T-bills', 'values': [1, 2]}]
        frame = Fund(periods=periods, rows=rows).to_pandas()
        self.assertEqual(list(frame.columns), ['period', 'Cash', 'T-bills'])
        self.assertEqual(frame.index.dtype.kind, 'M')
        self.assertEqual(frame.loc['2026-05-31', 'Cash'], 9.3)

    def test_columns_and_types_are_those_of_the_catalogue_whatever_the_values(self):
        whole = {**QUOTE, 'ytm': 11, 'volume': 5_000_000, 'lastPrice': 100, 'extra': 'x'}
        for data in ([], [QUOTE], [whole], [dict(reversed(list(QUOTE.items())))]):
            with ScriptedServer(ok(data)) as server:
                frame = Tenor(server.url, 'token').quotes().to_pandas()
            kinds = self.dtype_kinds(frame)
            self.assertEqual([name for name in kinds if name != 'extra'], list(QUOTE))
            self.assertEqual({kinds[name] for name in ('date', 'maturityDate')}, {'M'})
            numbers = list(QUOTE)[5:]
            self.assertEqual({str(frame[name].dtype) for name in numbers}, {'float64'})

    def test_counts_are_integers_even_where_one_is_missing(self):
        records = [
            {'period': 'Jun 2026', 'national': 2, 'provinces': [{'key': 'kpk', 'value': 1}]},
            {'period': 'May 2026', 'national': 2, 'provinces': []},
        ]
        for data in (records, records[:1]):
            with ScriptedServer(ok(data)) as server:
                frame = Tenor(server.url, 'token').series('mobile-money-accounts-male').to_pandas()
            self.assertEqual(list(frame.columns), ['period', 'time', 'national', 'provinces.kpk'])
            self.assertEqual(str(frame['provinces.kpk'].dtype), 'Int64')
        with ScriptedServer(ok()) as server:
            frame = Tenor(server.url, 'token').series('mobile-money-accounts-male').to_pandas()
        self.assertEqual(list(frame.columns), ['period', 'time', 'national'])
        self.assertEqual(str(frame['time'].dtype), 'period[M]')

    def test_objects_that_are_null_have_their_columns(self):
        periods = {'firstPeriod': None, 'lastPeriod': {'label': 'Jun 2026', 'date': '2026-06-30'}}
        with ScriptedServer(ok([{'fund_id': 'A', **periods}])) as server:
            frame = Tenor(server.url, 'token').funds().to_pandas()
        self.assertEqual(str(frame['firstPeriod.date'].dtype), 'datetime64[ns]')
        self.assertEqual(frame['lastPeriod.label'][0], 'Jun 2026')
        self.assertNotIn('firstPeriod', frame.columns)

    def test_an_error_with_status_200_makes_no_table(self):
        with ScriptedServer(error(200, 'no_record_found')) as server:
            with self.assertRaises(NoRecordFound):
                Tenor(server.url, 'token').query('fund-allocation', fund_id='x').to_pandas()

    def test_no_records_make_an_empty_table(self):
        self.assertTrue(Records().to_pandas().empty)
        self.assertTrue(Fund(periods=[], rows=[]).to_pandas().empty)


if __name__ == '__main__':
    unittest.main()
