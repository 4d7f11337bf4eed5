"""Labels of periods, as their positions and as the months in which the periods end."""

from __future__ import annotations

import datetime
import re
from typing import NamedTuple, Optional, Tuple

from .frames import MONTHS
from .parameters import is_day

MONTHS_OF = {'month': 1, 'quarter': 3, 'year': 12}
EPOCH = datetime.date(1970, 1, 1).toordinal()
PUBLISHED_YEAR = re.compile(r'(\d{4})|FY(\d{2}|\d{4})|(\d{4})-(\d{2}|\d{4})', re.ASCII)
DESCRIPTIONS = {
    'day': 'a calendar day as YYYY-MM-DD',
    'week': 'a week such as 2024-W05, or a day in it as YYYY-MM-DD',
    'month': 'a month such as Jan 2024 or 2024-01, or a day in it as YYYY-MM-DD',
    'quarter': 'a quarter such as Q1 2024 or 2024-Q1, or a day in it as YYYY-MM-DD',
    'year': 'a year such as 2024, or a day in it as YYYY-MM-DD',
}


class PeriodKind(NamedTuple):
    """A kind of period, by its unit: day, week, month, quarter or year."""

    unit: str
    year_start: Optional[int]
    """The month in which years begin; None where labels are as published, such as FY24."""

    @property
    def is_fiscal(self) -> bool:
        """Fiscal years are named by the year in which they end, as their quarters are."""
        return self.unit != 'month' and self.year_start not in (None, 1)

    @property
    def first_month(self) -> int:
        """That of year 0, before the January of that year where years are fiscal."""
        return self.year_start - 13 if self.is_fiscal and self.year_start else 0

    @property
    def description(self) -> str:
        """The texts that name a period, after "must be"."""
        if not self.is_fiscal:
            return DESCRIPTIONS[self.unit]
        return DESCRIPTIONS[self.unit].replace(' or 2024-Q1', '').replace('2024', 'FY2024', 1)

    def to_ordinal(self, label: str) -> Optional[int]:
        """The number of a period among others of its kind; None if the text is no label of it."""
        if self.unit == 'day':
            return _to_day_number(label) if is_day(label) else None
        if self.unit == 'week':
            return _parse_week(label)
        if self.unit == 'year' and self.year_start is None:
            return _parse_published_year(label)
        part = {'month': f'({"|".join(MONTHS)}) ', 'quarter': 'Q([1-4]) ', 'year': '()'}[self.unit]
        match = re.fullmatch(f'{part}{"FY" if self.is_fiscal else ""}([0-9]{{4}})', label)
        if match is None:
            return None
        index = {'month': MONTHS.index, 'quarter': lambda text: int(text) - 1, 'year': len}
        return int(match[2]) * (12 // MONTHS_OF[self.unit]) + index[self.unit](match[1])

    def parse(self, text: str) -> Optional[int]:
        """The same by 2024-01, by 2024-Q1 of calendar years, or by a day in the period."""
        # The label of a fiscal quarter has a prefix: 2024-Q1 could be the quarter of the calendar.
        label = re.sub(r'^([0-9]{4})-(Q[1-4])$', r'\2 \1', text)
        month = re.fullmatch(r'([0-9]{4})-(0[1-9]|1[0-2])', text)
        if month:
            label = f'{MONTHS[int(month[2]) - 1]} {month[1]}'
        for each in (text, label):
            # A published year may be written like a month: 2009-10.
            ordinal = self.to_ordinal(each)
            if ordinal is not None:
                return ordinal
        return self._find_ordinal(text) if is_day(text) else None

    def list_last_months(self, ordinal: int) -> Tuple[str, str]:
        """The first and last month in which a period of this number may end, such as 2026-05."""
        if self.unit in ('day', 'week'):
            month = _format_day(ordinal if self.unit == 'day' else ordinal * 7 + 3)[:7]
            return month, month
        last = (ordinal + 1) * MONTHS_OF[self.unit] + self.first_month - 1
        # Those that are published as fiscal years end in June.
        first = last - 6 if self.unit == 'year' and self.year_start is None else last
        return _format_month(first), _format_month(last)

    def _find_ordinal(self, day: str) -> int:
        if self.unit == 'week':
            return (_to_day_number(day) + 3) // 7
        months = int(day[:4]) * 12 + int(day[5:7]) - 1
        return (months - self.first_month) // MONTHS_OF[self.unit]


def _parse_week(label: str) -> Optional[int]:
    """Weeks by ISO 8601: one belongs to the year of its Thursday, and the first has 4 January."""
    match = re.fullmatch(r'([0-9]{4})-W([0-9]{2})', label)
    if match is None or match[1] == '0000':
        return None
    first = (_to_day_number(f'{match[1]}-01-04') + 3) // 7
    week = first + int(match[2]) - 1
    return week if week >= first and _format_day(week * 7).startswith(match[1]) else None


def _parse_published_year(label: str) -> Optional[int]:
    """2024, or the fiscal year that ends in it as FY24, FY2024, 2023-24 or 2023-2024."""
    match = PUBLISHED_YEAR.fullmatch(label)
    if match is None:
        return None
    year, fiscal, start, end = match.groups()
    if fiscal and len(fiscal) == 2:
        # From 70 on, two digits belong to the last century.
        return int(fiscal) + (2000 if int(fiscal) < 70 else 1900)
    if year or fiscal:
        return int(year or fiscal)
    following = int(start) + 1
    return following if f'{following:04d}'.endswith(end) else None


def _to_day_number(day: str) -> int:
    return datetime.date.fromisoformat(day).toordinal() - EPOCH


def _format_day(number: int) -> str:
    return datetime.date.fromordinal(number + EPOCH).isoformat()


def _format_month(index: int) -> str:
    return f'{index // 12:04d}-{index % 12 + 1:02d}'
