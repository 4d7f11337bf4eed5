"""A client for Tenor, the read-only query service for financial data.

    from tenor_client import Tenor

    tenor = Tenor('http://127.0.0.1:8080', token)
    for quote in tenor.quotes('Z05PIB151029', from_='2026-06-01'):
        print(quote['date'], quote['ytm'])

Python 3.9 or newer, and httpx. See its README.
"""

from . import records
from ._async.client import AsyncTenor
from ._async.streams import AsyncChanges, AsyncRecordStream, AsyncVintages
from ._sync.client import Tenor
from ._sync.streams import Changes, RecordStream, Vintages
from .aligned import aligned_column
from .errors import (
    BadRequest,
    Forbidden,
    NetworkError,
    NoFundId,
    NoRecordFound,
    NotFound,
    ServerError,
    TenorError,
    TooManyRequests,
    Unauthorized,
    Unavailable,
    UnexpectedResponseError,
)
from .records import *
from .responses import Curves, Entry, Exported, Fund, Records
from .version import __version__ as __version__

__all__ = [
    'AsyncChanges',
    'AsyncRecordStream',
    'AsyncTenor',
    'AsyncVintages',
    'BadRequest',
    'Changes',
    'Curves',
    'Entry',
    'Exported',
    'Forbidden',
    'Fund',
    'NetworkError',
    'NoFundId',
    'NoRecordFound',
    'NotFound',
    'RecordStream',
    'Records',
    'ServerError',
    'Tenor',
    'TenorError',
    'TooManyRequests',
    'Unauthorized',
    'Unavailable',
    'UnexpectedResponseError',
    'Vintages',
    'aligned_column',
    *records.__all__,
]
