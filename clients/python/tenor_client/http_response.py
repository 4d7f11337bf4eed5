"""A response of the service, and what its headers and its body say."""

from __future__ import annotations

import datetime
import email.utils
import http.client
import json
import re
import urllib.parse
from typing import Any, BinaryIO, Dict, List, Mapping, NamedTuple, Optional, Tuple, Type

from .errors import (
    BadRequest,
    Forbidden,
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


class Response(NamedTuple):
    status: int
    url: str
    headers: Mapping[str, str]
    """The names are in lower case."""
    body: bytes
    cached: bool = False

    @property
    def path(self) -> str:
        return urllib.parse.urlsplit(self.url).path


def parse_json(response: Response) -> Any:
    """None if the body is not JSON."""
    try:
        return json.loads(response.body)
    except ValueError:
        return None


def has_type(response: Response, media_type: str) -> bool:
    content_type = response.headers.get('content-type', '')
    return content_type.partition(';')[0].strip().lower() == media_type


def strong_etag(etag: Optional[str]) -> Optional[str]:
    return None if etag is None or etag.startswith('W/') else etag


def seek_to_range(head: Response, file: BinaryIO) -> None:
    """Moves the file position to the start of the range of a response."""
    start = 0
    if head.status == 206:
        range_start = re.match(r'bytes ([0-9]+)-', head.headers.get('content-range', ''))
        start = int(range_start[1]) if range_start else -1
        if start != file.tell():
            raise UnexpectedResponseError('not the requested range', status=206, path=head.path)
    file.seek(start)
    file.truncate()


ERROR_BY_MESSAGE: Dict[str, Type[TenorError]] = {
    'no_record_found': NoRecordFound,
    'no fund_id provided': NoFundId,
}


ERROR_BY_STATUS: Dict[int, Type[TenorError]] = {
    400: BadRequest,
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    429: TooManyRequests,
    502: Unavailable,
    503: Unavailable,
    504: Unavailable,
}


def classify_error(response: Response) -> Tuple[Type[TenorError], str]:
    """The class and message of the error of a response."""
    body = parse_json(response)
    message = body.get('message') if isinstance(body, dict) else None
    if not isinstance(message, str) or body.get('status') != 'error':
        message = describe_status(response)
    elif response.status == 200:
        return ERROR_BY_MESSAGE.get(message, TenorError), message
    other = ServerError if response.status >= 500 else UnexpectedResponseError
    return ERROR_BY_STATUS.get(response.status, other), message


def describe_status(response: Response) -> str:
    if 'location' in response.headers:
        target = urllib.parse.urljoin(response.url, response.headers['location'])
        return f'a redirect to {target}, which is not followed; check base_url'
    if response.status >= 400:
        return http.client.responses.get(response.status, 'unknown status')
    return 'not a response of Tenor; check base_url'


def parse_retry_after(headers: Mapping[str, str]) -> Optional[float]:
    """Retry-After in seconds; the header may be a number or a date."""
    text = headers.get('retry-after', '')
    if re.fullmatch(r'[0-9]+', text):
        return float(text)
    until = parse_http_date(text)
    # A date is relative to the clock of the sender.
    now = parse_http_date(headers.get('date', '')) or datetime.datetime.now(datetime.timezone.utc)
    return None if until is None else max(0.0, (until - now).total_seconds())


def parse_http_date(text: str) -> Optional[datetime.datetime]:
    try:
        instant = email.utils.parsedate_to_datetime(text)
    except (TypeError, ValueError):
        return None
    return instant if instant.tzinfo else instant.replace(tzinfo=datetime.timezone.utc)


def parse_integer(text: Optional[str]) -> Optional[int]:
    return int(text) if text and re.fullmatch(r'[0-9]+', text) else None


def parse_next_url(url: str, links: str) -> Optional[str]:
    """The URL of the next page, from a Link header."""
    for link, attributes in re.findall(r'<([^>]*)>([^<]*)', links):
        rel = re.search(r';\s*rel\s*=\s*"?([^";,]*)', attributes, re.IGNORECASE)
        if rel is None or 'next' not in rel[1].lower().split():
            continue
        target = urllib.parse.urljoin(url, link)
        if get_origin(target) != get_origin(url):
            raise UnexpectedResponseError(f'the next page is on another host: {get_origin(target)}')
        # The path is kept, because a proxy may have removed a prefix of it.
        return f'{url.split("?")[0]}?{urllib.parse.urlsplit(target).query}'
    return None


def parse_successor(links: str) -> Optional[str]:
    """The name of the dataset that has taken the place of another, from a Link header."""
    match = re.search(r'/datasets/([\w-]+)>\s*;\s*rel="successor-version"', links)
    return match and match[1]


def parse_units(header: Optional[str]) -> Optional[List[str]]:
    """A list of strings by RFC 9651, such as `"percent", %"%e2%82%a8 billion"`."""
    if header is None:
        return None
    strings = re.findall(r'(%?)"((?:[^"\\]|\\.)*)"', header)
    return [
        urllib.parse.unquote(text) if is_encoded else re.sub(r'\\(.)', r'\1', text)
        for is_encoded, text in strings
    ]


def parse_cursor(url: Optional[str]) -> Optional[str]:
    query = urllib.parse.parse_qs(urllib.parse.urlsplit(url or '').query)
    return query.get('cursor', [None])[0]


def get_origin(url: str) -> str:
    parts = urllib.parse.urlsplit(url)
    port = parts.port or {'http': 80, 'https': 443}.get(parts.scheme)
    return f'{parts.scheme}://{parts.hostname}:{port}'
