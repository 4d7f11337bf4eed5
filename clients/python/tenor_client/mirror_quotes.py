"""The quotes that a service would send, from the months of a mirror."""

from __future__ import annotations

from typing import Any, Callable, Collection, Dict, Iterator, List, Mapping, NamedTuple, Optional

from .parameters import Day, Symbols, format_parameter, is_day, split_symbols

Quote = Dict[str, Any]
ReadMonths = Callable[[Callable[[str], bool], Collection[str]], Iterator[List[Quote]]]
"""The quotes of the months that are selected, newest first; of some securities only."""


class QuoteFilters(NamedTuple):
    symbol: Symbols = None
    date: Optional[Day] = None
    from_: Optional[Day] = None
    to: Optional[Day] = None
    type: Optional[str] = None
    sort: Optional[str] = None

    @property
    def has_range(self) -> bool:
        return any(day is not None for day in (self.date, self.from_, self.to))


def select_quotes(filters: QuoteFilters, read_months: ReadMonths) -> List[Quote]:
    """Raises ValueError where a service would reject a parameter."""
    first, last = _parse_range(filters)
    securities = _list_securities(filters)
    keys = [security.key for security in securities if security.key is not None]

    def is_in_range(month: str) -> bool:
        return first[:7] <= month <= last[:7]

    def is_within(quote: Quote) -> bool:
        is_of_type = filters.type in (None, 'all', quote['type'])
        return is_of_type and first <= quote['date'] <= last

    for quotes in read_months(is_in_range, keys):
        for security in securities:
            security.add(quotes, is_within)
        if all(security.is_found for security in securities):
            break
    # A text that is the symbol of any quote selects no quotes by their ISIN.
    if any(security.is_open for security in securities):
        for quotes in read_months(lambda month: not is_in_range(month), keys):
            for security in securities:
                security.add(quotes, lambda quote: False)
    found = {(q['date'], q['symbol']): q for security in securities for q in security.list()}
    selected = list(found.values())
    if len(securities) > 1:
        selected.sort(key=lambda quote: str(quote['symbol']).encode())
        selected.sort(key=lambda quote: str(quote['date']), reverse=True)
    return selected[::-1] if filters.sort == 'asc' else selected


class Security:
    """A symbol or an ISIN, in any letter case, or all securities."""

    def __init__(self, key: Optional[str], has_range: bool) -> None:
        self.key = key
        self._has_range = has_range
        self._is_symbol = key is None
        self._by_symbol: List[Quote] = []
        self._by_isin: List[Quote] = []

    def add(self, quotes: List[Quote], is_within: Callable[[Quote], bool]) -> None:
        """Adds those of its quotes that are within the range, or of the newest day of them."""
        for quote in quotes:
            is_symbol = self.key is None or fold(quote['symbol']) == self.key
            self._is_symbol = self._is_symbol or is_symbol
            if not is_symbol and fold(quote['isin']) != self.key:
                continue
            found = self._by_symbol if is_symbol else self._by_isin
            is_on_day = self._has_range or not found or found[0]['date'] == quote['date']
            if is_on_day and is_within(quote):
                found.append(quote)

    @property
    def is_found(self) -> bool:
        """Whether no earlier month has more of it."""
        return not self._has_range and bool(self._by_symbol)

    @property
    def is_open(self) -> bool:
        """Whether it depends on other quotes which ones are selected."""
        return not self._is_symbol and bool(self._by_isin)

    def list(self) -> List[Quote]:
        return self._by_symbol if self._is_symbol else self._by_isin


def fold(text: str) -> str:
    """A text as if the letters of ASCII were capitals."""
    if text.isascii():
        return text.upper()
    return ''.join(letter.upper() if letter.isascii() else letter for letter in text)


def _list_securities(filters: QuoteFilters) -> List[Security]:
    texts = split_symbols(filters.symbol)
    if texts == [None]:
        return [Security(None, filters.has_range)]
    keys = dict.fromkeys(fold(each) for text in texts for each in (text or '').split(','))
    if '' in keys:
        raise ValueError('symbol must be a symbol or an ISIN, or several of them')
    return [Security(key, filters.has_range) for key in keys]


def _parse_range(filters: QuoteFilters) -> List[str]:
    given: Mapping[str, Optional[Day]] = {
        'date': filters.date,
        'from_': filters.from_,
        'to': filters.to,
    }
    days = {name: None if day is None else format_parameter(day) for name, day in given.items()}
    for name, text in days.items():
        if text is not None and not is_day(text):
            raise ValueError(f'{name} must be a calendar day as YYYY-MM-DD, not {text!r}')
    is_range = days['from_'] is not None or days['to'] is not None
    if days['date'] is not None and is_range:
        raise ValueError('date cannot be combined with from_ and to')
    if filters.sort not in (None, 'asc', 'desc'):
        raise ValueError('sort must be asc or desc')
    if filters.sort == 'asc' and not is_range:
        raise ValueError("sort='asc' needs from_ or to")
    if filters.type not in (None, 'tbill', 'bond', 'corporate', 'all'):
        raise ValueError('type must be one of tbill, bond, corporate, all')
    bounds = [days['date'] or days['from_'] or '0001-01-01', days['date'] or days['to'] or '9999-12-31']
    if bounds[0] > bounds[1]:
        raise ValueError('from_ must not be later than to')
    return bounds
