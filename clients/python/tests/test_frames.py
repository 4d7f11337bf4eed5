"""The frames of to_polars and to_arrow, if polars and pyarrow are installed."""

import datetime
import importlib.util
import unittest

from tenor_client import Fund, Tenor
from tests.scripted_server import ScriptedServer, ok
from tests.test_pandas import QUOTE

HAS_POLARS = importlib.util.find_spec('polars') is not None
HAS_ARROW = importlib.util.find_spec('pyarrow') is not None
FUND = Fund(
    periods=[{'label': 'Jun 2026', 'date': '2026-06-30'}],
    rows=[{'label': 'Cash', 'values': [10]}],
)
REVISION = {'revision': 1, 'publishedAt': '2026-07-01T06:12:00.250+05:00', 'sample': True}


CURVE = {'date': '2026-06-30', 'market': 'government', 'method': None, 'parameters': None, 'used': 0}


def read(data, operation='quotes', **parameters):
    with ScriptedServer(ok(data)) as server:
        return Tenor(server.url, 'token').query(operation, **parameters)


@unittest.skipUnless(HAS_POLARS, 'polars is not installed for this Python')
class Polars(unittest.TestCase):
    def test_columns_and_types_are_those_of_the_catalogue_whatever_the_values(self):
        schemas = [read(data).to_polars().schema for data in ([], [QUOTE], [{**QUOTE, 'ytm': 11}])]
        self.assertEqual(schemas[0], schemas[1])
        self.assertEqual(schemas[0], schemas[2])
        self.assertEqual(list(schemas[0]), list(QUOTE))
        self.assertEqual({str(schemas[0][name]) for name in list(QUOTE)[5:]}, {'Float64'})
        self.assertEqual(str(schemas[0]['date']), 'Date')

    def test_instants_are_in_utc_and_periods_stay_labels(self):
        frame = read([REVISION], 'revisions').to_polars()
        instant = datetime.datetime(2026, 7, 1, 1, 12, 0, 250_000, datetime.timezone.utc)
        self.assertEqual(frame['publishedAt'][0], instant)
        self.assertEqual(str(frame.schema['revision']), 'Int64')
        frame = read([{'period': 'Jun 2026', 'total': 1}], 'branchless-banking-agents').to_polars()
        self.assertEqual(frame.columns, ['period', 'total'])

    def test_a_fund_has_a_row_per_period(self):
        frame = FUND.to_polars()
        self.assertEqual(frame.rows(), [('Jun 2026', datetime.date(2026, 6, 30), 10.0)])


@unittest.skipUnless(HAS_ARROW, 'pyarrow is not installed for this Python')
class Arrow(unittest.TestCase):
    def test_columns_and_types_are_those_of_the_catalogue_whatever_the_values(self):
        schemas = [read(data).to_arrow().schema for data in ([], [QUOTE], [{**QUOTE, 'ytm': 11}])]
        self.assertEqual(schemas[0], schemas[1])
        self.assertEqual(schemas[0], schemas[2])
        self.assertEqual(str(schemas[0].field('maturityDate').type), 'date32[day]')
        self.assertEqual(str(schemas[0].field('volume').type), 'double')

    def test_changes_and_corrections_have_the_columns_of_their_dataset(self):
        for operation, names in {'changes': ['record'], 'corrections': ['old', 'new']}.items():
            records = [{'change': 'added', **{name: {**QUOTE, 'volume': 7} for name in names}}]
            retired = [{'change': 'retired', **dict.fromkeys(names)}]
            schemas = [
                read(data, operation, dataset='quotes').to_arrow().schema
                for data in ([], records, retired)
            ]
            self.assertEqual(schemas[0], schemas[1])
            self.assertEqual(schemas[0], schemas[2])
            self.assertEqual(str(schemas[0].field(f'{names[-1]}.volume').type), 'double')
        securities = read([], 'changes', dataset='securities').to_arrow()
        self.assertNotIn('record.firstDate', securities.column_names)
        with ScriptedServer(ok([], Tenor_Revision='1')) as server:
            empty = Tenor(server.url, 'token').changes('quotes', 1).to_arrow()
        self.assertEqual(empty.column_names, ['change', 'status', *(f'record.{name}' for name in QUOTE)])

    def test_a_curve_has_a_row_per_point(self):
        points = [{'tenor': '1Y', 'years': 1, 'yield': 11}, {'tenor': '2Y', 'yield': None}]
        frame = read([{**CURVE, 'points': points}], 'curve').to_arrow()
        self.assertEqual(frame['tenor'].to_pylist(), ['1Y', '2Y'])
        self.assertEqual(frame['yield'].to_pylist(), [11.0, None])
        self.assertEqual(frame.schema, read([], 'curve').to_arrow().schema)
        self.assertNotIn('parameters', frame.column_names)

    def test_a_fund_has_a_row_per_period(self):
        self.assertEqual(FUND.to_arrow().column_names, ['period', 'date', 'Cash'])


if __name__ == '__main__':
    unittest.main()
