"""The errors of this client."""

from __future__ import annotations

from typing import Optional


class TenorError(Exception):
    """The base class of the errors of this module."""

    def __init__(
        self,
        message: str,
        *,
        status: Optional[int] = None,
        path: Optional[str] = None,
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.path = path
        self.request_id = request_id
        self.retry_after = retry_after

    def __str__(self) -> str:
        details = [
            '' if self.status is None else f'HTTP {self.status}',
            '' if self.path is None else f'from {self.path}',
            '' if self.request_id is None else f'request {self.request_id}',
        ]
        context = ', '.join(part for part in details if part)
        return f'{self.message} ({context})' if context else self.message


class NoRecordFound(TenorError, LookupError):
    """No fund has that fund_id. Sent with HTTP status 200."""


class NoFundId(TenorError, ValueError):
    """The fund_id is empty. Sent with HTTP status 200."""


class BadRequest(TenorError, ValueError):
    """An invalid parameter; the message names it and what is allowed."""


class Unauthorized(TenorError):
    """A token that is unknown, revoked or expired."""


class Forbidden(TenorError):
    """The token lacks the scope."""


class NotFound(TenorError, LookupError):
    """An unknown path, series, dataset or revision."""


class TooManyRequests(TenorError):
    """The rate limit of the token is exceeded for longer than this client waits."""


class Unavailable(TenorError):
    """The service or a proxy is temporarily unavailable."""


class ServerError(TenorError):
    """A bug in the service; its log has the cause under the request's id."""


class NetworkError(TenorError):
    """No complete response was received."""


class UnexpectedResponseError(TenorError):
    """A response that Tenor does not send, such as a redirect or an HTML page."""
