"""A client for Tenor, the read-only query service for financial data.

    from tenor_client import Tenor

    tenor = Tenor('http://127.0.0.1:8080', token)
    for quote in tenor.quotes('Z05PIB151029', from_='2026-06-01'):
        print(quote['date'], quote['ytm'])

Standard library only, Python 3.9 or newer. See its README.
"""

from .aligned import aligned_column
from .async_client import AsyncChanges, AsyncRecordStream, AsyncTenor, AsyncVintages
from .changes import Changes
from .client import Tenor
from .errors import (
    BadRequest,
    Behind,
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
    VerificationError,
)
from .mirror import Mirror
from . import records
from .records import *
from .responses import Curves, Entry, Exported, Fund, RecordStream, Records
from .sync import Synced
from .verify import Verified
from .vintages import Vintages
from .version import __version__ as __version__

__all__ = [
    'AsyncChanges',
    'AsyncRecordStream',
    'AsyncTenor',
    'AsyncVintages',
    'BadRequest',
    'Behind',
    'Changes',
    'Curves',
    'Entry',
    'Exported',
    'Forbidden',
    'Fund',
    'Mirror',
    'NetworkError',
    'NoFundId',
    'NoRecordFound',
    'NotFound',
    'RecordStream',
    'Records',
    'ServerError',
    'Synced',
    'Tenor',
    'TenorError',
    'TooManyRequests',
    'Unauthorized',
    'Unavailable',
    'UnexpectedResponseError',
    'VerificationError',
    'Verified',
    'Vintages',
    'aligned_column',
    *records.__all__,
]
