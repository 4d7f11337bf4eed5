"""Arguments of the client as parameters and headers of requests."""

from __future__ import annotations

import datetime
import functools
import inspect
import numbers
import re
import urllib.parse
from decimal import Decimal
from typing import Any, Callable, Iterable, List, Mapping, Optional, Type, TypeVar, Union

from .http_response import parse_http_date

Day = Union[str, datetime.date]
Instant = Union[str, datetime.datetime, datetime.date]
Scalar = Union[str, int, float, Decimal, datetime.date]
Parameter = Union[Scalar, Iterable[Scalar], None]
Symbols = Union[str, Iterable[str]]

MAX_SYMBOLS = 50
DAY = re.compile(r'\d{4}-\d{2}-\d{2}')
INSTANT = re.compile(
    r'(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(:\d{2})?(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2})', re.IGNORECASE
)


Client = TypeVar('Client')


def name_bounds(client: Type[Client]) -> Type[Client]:
    """Makes methods with `from_` say so to a caller of `start` or `end`."""
    for name, method in list(vars(client).items()):
        if inspect.isfunction(method) and 'from_' in inspect.signature(method).parameters:
            setattr(client, name, _name_bounds_of(method))
    return client


def _name_bounds_of(method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def call(*args: Any, **kwargs: Any) -> Any:
        if kwargs.keys() & {'start', 'end', 'from'}:
            raise TypeError('the first and last period are from_ and to, not start and end')
        return method(*args, **kwargs)

    return call


def format_parameter(value: Parameter) -> str:
    # A datetime, and so a Timestamp of pandas, is a date too: it is sent as its day.
    if isinstance(value, datetime.datetime):
        value = value.date()
    if isinstance(value, bool):
        return 'true' if value else 'false'
    if isinstance(value, (numbers.Real, Decimal)) and not isinstance(value, numbers.Integral):
        # The shortest decimal, without an exponent, also of a number of numpy.
        return format(Decimal(str(value)), 'f')
    if isinstance(value, Iterable) and not isinstance(value, str):
        pairs = value.items() if isinstance(value, Mapping) else ()
        items = [f'{name}:{format_parameter(item)}' for name, item in pairs] or value
        texts = [format_parameter(item) for item in items]
        if not texts or '' in texts:
            raise ValueError(f'a list of parameters must hold values that are not empty, not {texts}')
        # In double quotes, a text with a comma in it is not two.
        return ','.join(_quote(text) for text in texts)
    return value.isoformat() if isinstance(value, datetime.date) else str(value)


def _quote(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if ',' in text or '"' in text else text


def format_as_of(instant: Union[Instant, int]) -> Union[str, int]:
    """The number of a revision, or an instant as a header. Raises ValueError for other values."""
    # A revision that was taken from a frame is an integer of numpy.
    if isinstance(instant, numbers.Integral) and not isinstance(instant, bool) and int(instant) >= 1:
        return int(instant)
    if isinstance(instant, datetime.datetime) and instant.tzinfo is None:
        raise ValueError('as_of needs a datetime with a time zone')
    if isinstance(instant, datetime.datetime):
        return instant.astimezone(datetime.timezone.utc).isoformat()
    text = instant.isoformat() if isinstance(instant, datetime.date) else instant
    if isinstance(text, str):
        if is_day(text):
            return f'{text}T23:59:59Z'
        if parse_instant(text) or parse_http_date(text):
            return text
    raise ValueError(
        'as_of must be the number of a revision, a day such as 2026-07-01, or an instant with a '
        f'time zone such as 2026-07-01T12:00:00Z, not {instant!r}'
    )


def is_day(text: str) -> bool:
    """Whether a text is a calendar day as YYYY-MM-DD."""
    try:
        return DAY.fullmatch(text) is not None and bool(datetime.date.fromisoformat(text))
    except ValueError:
        return False


def parse_instant(text: str) -> Optional[datetime.datetime]:
    """An ISO 8601 instant with a time zone; None if the text is none."""
    match = INSTANT.fullmatch(text)
    if match is None:
        return None
    minute, second, fraction, zone = match.groups()
    # Before 3.11, fromisoformat knows neither Z nor other fractions than of 3 or 6 digits.
    offset = '+00:00' if zone in 'Zz' else zone
    microseconds = (fraction or '0').ljust(6, '0')[:6]
    try:
        return datetime.datetime.fromisoformat(f'{minute}{second or ":00"}.{microseconds}{offset}')
    except ValueError:
        return None


def split_symbols(symbol: Optional[Symbols]) -> List[Optional[str]]:
    """The symbol parameter of each request: at most 50 securities, in commas."""
    if symbol is None or isinstance(symbol, str):
        return [symbol]
    symbols = list({text.casefold(): text for text in map(_require_symbol, symbol)}.values())
    if not symbols:
        raise ValueError('symbol must name at least one security')
    starts = range(0, len(symbols), MAX_SYMBOLS)
    return [','.join(symbols[start : start + MAX_SYMBOLS]) for start in starts]


def _require_symbol(text: str) -> str:
    if isinstance(text, str) and text and ',' not in text:
        return text
    raise ValueError(f'symbol must hold symbols or ISINs, not {text!r}')


def quote_segment(text: str) -> str:
    return urllib.parse.quote(text, safe='')
