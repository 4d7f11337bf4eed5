"""The `time` of frames, of datasets `quarters-N` and `years-N` whose years begin in month N.

They are at TENOR_URL. Each has records of two successive periods, the first of which was corrected.
"""

import asyncio
import datetime
import importlib.util
import unittest

from tenor_client import AsyncTenor, Records, Tenor

HAS_PANDAS = importlib.util.find_spec('pandas') is not None
STARTS = range(1, 13)
ENDS = 'DEC JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV'.split()


def add_months(start, year, month):
    """The first day of a month of a year that begins in another; fiscal ones begin a year before."""
    index = (year - (start > 1)) * 12 + start - 1 + month
    return datetime.date(index // 12, index % 12 + 1, 1)


@unittest.skipUnless(HAS_PANDAS, 'pandas is not installed for this Python')
class Fiscal(unittest.TestCase):
    def setUp(self):
        self.tenor = Tenor()

    def check_years(self, frame, start, years=(2024, 2025)):
        self.check(frame, start, [add_months(start, year, 0) for year in years], 12)

    def check_quarters(self, frame, start):
        self.check(frame, start, [add_months(start, 2024, 9), add_months(start, 2025, 0)], 3)

    def check(self, frame, start, first_days, length):
        self.assertEqual(frame['time'].dtype.freq.rule_code[-3:], ENDS[start - 1])
        times = sorted(set(frame['time']))
        self.assertEqual([time.start_time.date() for time in times], first_days)
        next_day = times[-1].end_time.date() + datetime.timedelta(days=1)
        months = (next_day.month - first_days[-1].month) % 12
        self.assertEqual((next_day.day, months), (1, length % 12))

    def list_ways(self, name):
        """The frame of each way in which records of a dataset come, with the name of its period."""
        tenor = self.tenor
        earlier = tenor.revisions(name)[1]['revision']
        newest, oldest = (next(iter(record.values())) for record in tenor.dataset(name))
        yield tenor.dataset(name)
        yield tenor.as_of(earlier).dataset(name)
        yield tenor.dataset(name, units='chg')
        yield tenor.query('dataset', dataset=name)
        yield tenor.vintages(name)
        yield tenor.aligned([f'{name}.total'])
        beside = f'quotes.ytm(symbol={tenor.quotes(limit=1)[0]["symbol"]})@last'
        yield tenor.aligned([beside, f'{name}.total'], from_=oldest, to=newest)

    def test_years_and_quarters_are_those_of_the_declaration_whatever_way_records_come(self):
        for name, check in (('years', self.check_years), ('quarters', self.check_quarters)):
            for start in STARTS:
                for way, records in enumerate(self.list_ways(f'{name}-{start}')):
                    with self.subTest(name=name, start=start, way=way):
                        check(records.to_pandas(), start)

    def test_changes_and_corrections_of_records_have_their_periods_as_well(self):
        for start in STARTS:
            with self.subTest(start=start):
                self.check_years(self.tenor.changes(f'years-{start}', 1).to_pandas(), start)
                self.check_years(self.tenor.corrections(f'years-{start}').to_pandas(), start, [2024])

    def test_transforms_to_years_keep_those_of_the_declaration(self):
        for start in STARTS:
            with self.subTest(start=start):
                name = f'quarters-{start}'
                options = {'frequency': 'year', 'min_share': 0.1, 'partial': True}
                years = self.tenor.dataset(name, aggregate='last', **options)
                self.check_years(years.to_pandas(), start)
                self.check_years(self.tenor.aligned([f'{name}.total@last'], **options).to_pandas(), start)

    def test_transforms_to_years_of_the_request_have_these_and_not_those_of_the_declaration(self):
        for start, requested in ((1, 7), (7, 1), (4, 10), (10, 4), (7, 4)):
            with self.subTest(start=start, requested=requested):
                options = {'frequency': 'year', 'year_start': requested, 'partial': 'true'}
                name = f'quarters-{start}'
                for records in (
                    self.tenor.dataset(name, aggregate='last', min_share=0.1, **options),
                    self.tenor.aligned([f'{name}.total@last'], min_share=0.1, **options),
                ):
                    frame = records.to_pandas()
                    label = next(iter(frame))
                    for text, time in zip(frame[label], frame['time']):
                        first = add_months(requested, int(text[-4:]), 0)
                        self.assertEqual(time.start_time.date(), first, text)
                    self.assertGreater(len(frame), 0)

    def test_years_and_quarters_of_months_are_those_of_the_request(self):
        months = 'mobile-money-accounts-male'
        for start in STARTS:
            for request in (
                lambda **options: self.tenor.dataset(months, **options),
                lambda **options: self.tenor.aligned([f'{months}.national'], **options),
                lambda **options: self.tenor.query('dataset', dataset=months, **options),
            ):
                for frequency, length in (('quarter', 3), ('year', 12)):
                    with self.subTest(start=start, frequency=frequency):
                        options = {'frequency': frequency, 'year_start': start, 'partial': 'true'}
                        frame = request(**options, min_share=0.01).to_pandas()
                        for label, time in zip(frame['period'], frame['time']):
                            quarter = int(label[1]) - 1 if frequency == 'quarter' else 0
                            first = add_months(start, int(label[-4:]), quarter * length)
                            self.assertEqual(time.start_time.date(), first, label)
                        self.assertGreater(len(frame), 0)

    def test_asyncio_has_them_and_so_have_frames_without_records(self):
        async def read():
            async with AsyncTenor() as tenor:
                return await tenor.dataset('years-4').to_pandas()

        self.check_years(asyncio.run(read()), 4)
        empty = self.tenor.dataset('quarters-7', from_='2100-01-01').to_pandas()
        self.assertEqual(empty['time'].dtype.freq.rule_code[-3:], 'JUN')

    def test_years_whose_start_nobody_says_count_as_their_labels_do(self):
        frame = Records([{'year': 'FY2024'}, {'year': 'FY2025'}]).to_pandas()
        self.assertEqual([str(time) for time in frame['time']], ['2024', '2025'])
        players = self.tenor.dataset('payments-market-players').to_pandas()
        self.assertEqual(players['time'].dtype.freq.rule_code[-3:], 'DEC')
